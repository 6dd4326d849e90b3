// Where a test runs: a device, and a context that fixes what may vary on it (instruction set,
// number of threads). And tensors on that device, in every memory layout.
#ifndef TILEOPS_TESTS_OPS_TARGET_H_
#define TILEOPS_TESTS_OPS_TARGET_H_

#include <tileops/tileops.h>

#include <memory>
#include <string>
#include <vector>

#include "reference.h"

namespace optest {

struct Target {
  std::string name;  // "cpu/avx2"
  DLDevice device;
  tileops_context* context;
  void* stream = nullptr;
};

// The instruction sets that the library was built for, best first, as it says.
std::vector<std::string> CompiledIsas();

// Every one of them that this CPU runs; with TILEOPS_TEST_DEVICE=cuda:N that device instead. Made on
// first use and kept.
const std::vector<Target>& Targets();

enum class Layout {
  kDense,      // row-major, strides given
  kNull,       // row-major, strides NULL
  kStrided,    // every second element of the last two dimensions
  kNegative,   // every dimension backwards
  kReversed,   // dimensions laid out in the opposite order: transposed
  kRotated,    // the first dimension innermost
  kUnaligned,  // row-major, one element past an aligned address
  kOffset,     // row-major, at byte_offset
  kPadded,     // rows further apart than they are long; odd strides on dimensions of size 1
  kExpanded,   // inputs alone: one element of each row, with a stride of 0 (what the array has first)
};
// Of packed dtypes the last dimension is innermost in each, without gaps.
const char* LayoutName(Layout layout);
const std::vector<Layout>& AllLayouts();  // of inputs and outputs

// A tensor in memory that has a margin and gaps around its elements, filled with a pattern.
class Tensor {
 public:
  // Contents from `array`, or the pattern if it has no bits.
  Tensor(const Target& target, const Array& array, Layout layout);
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor();

  DLTensor* dl() { return &dl_; }
  // Row-major elements. Sets *intact to whether nothing outside of the elements has changed.
  std::vector<uint64_t> Read(bool* intact);

 private:
  void Copy(const DLTensor& from, DLTensor* to);
  uint64_t Element(const std::vector<uint8_t>& image, int64_t at) const;
  void SetElement(std::vector<uint8_t>* image, int64_t at, uint64_t bits) const;

  const Target& target_;
  DLManagedTensorVersioned* memory_ = nullptr;
  std::vector<uint8_t> image_;  // what was uploaded
  std::vector<int64_t> shape_, strides_;
  int64_t origin_ = 0;  // element 0, in elements from the start
  int size_, lanes_;    // bytes, and elements that share them
  int64_t image_bytes_;
  DLTensor dl_{};
};

}  // namespace optest

#endif  // TILEOPS_TESTS_OPS_TARGET_H_
