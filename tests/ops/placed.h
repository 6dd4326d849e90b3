// Operands and results of a call in memory, as a placement says.
#ifndef TILEOPS_TESTS_OPS_PLACED_H_
#define TILEOPS_TESTS_OPS_PLACED_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "target.h"

namespace optest {

struct Placement {
  std::vector<Layout> inputs, outputs;  // shorter lists: the last entry holds for the rest
  int in_place = -1;                    // the input that output 0 is written over
};
Layout At(const std::vector<Layout>& layouts, size_t i);
inline Placement All(Layout in, Layout out) { return {{in}, {out}, -1}; }

using Results = std::vector<std::vector<uint64_t>>;  // bits of the elements of each output

class Placed {
 public:
  Placed(const Target& target, const std::vector<Array>& inputs, const std::vector<Array>& outputs,
         const Placement& placement);

  const std::vector<const DLTensor*>& inputs() const { return in_dl_; }  // NULL where one is absent
  const std::vector<DLTensor*>& outputs() const { return out_dl_; }

  // The results. Fails the test, and says `where`, if memory beside them was written.
  Results Read(const std::string& where) const;
  // Likewise, if an operand is not what it was; those of more than `most` elements are not looked at.
  void ExpectUnchanged(const std::vector<Array>& inputs, const std::string& where, size_t most = SIZE_MAX) const;

 private:
  int in_place_;
  std::vector<std::unique_ptr<Tensor>> in_, out_;
  std::vector<const DLTensor*> in_dl_;
  std::vector<DLTensor*> out_dl_;
  DLTensor over_;  // output 0 in the memory of an input
};

}  // namespace optest

#endif  // TILEOPS_TESTS_OPS_PLACED_H_
