// An execute whose results lie in the memory of operands.
#ifndef TILEOPS_TESTS_ROWS_OVER_H_
#define TILEOPS_TESTS_ROWS_OVER_H_

#include <memory>
#include <vector>

#include "execute.h"
#include "run.h"

namespace rowtest {

// Have result k and operand i one layout, where both are row-major?
bool AreAlike(const TextRun& run, size_t k, size_t i);

class Over {
 public:
  // `over`, by result: the operand in whose memory it lies, or -1: in its own.
  Over(const TextRun& run, const Target& target, const std::vector<int>& over);

  const Outcome& outcome() const { return outcome_; }
  std::vector<uint64_t> OfOperand(size_t i) const;
  Results Read() const;

 private:
  const std::vector<int> over_;
  std::vector<std::unique_ptr<optest::Tensor>> in_, out_;
  Outcome outcome_;
};

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_OVER_H_
