// What a program's values may be, element by element: ranges that hold what each operator's published bound allows,
// from the reference in MPFR (tests/ops).
#ifndef TILEOPS_TESTS_EXPR_RUN_RANGE_H_
#define TILEOPS_TESTS_EXPR_RUN_RANGE_H_

#include <memory>
#include <vector>

#include "program.h"

namespace exprtest {

struct Range {
  bool any = false;      // nothing is known: a comparison or a floor could fall either way
  bool integer = false;  // an integer or bool, which is known
  bool nan = false;
  Int128 i = 0;
  double lo = 0, hi = 0;                   // values of the compute type
  long double exact_lo = 0, exact_hi = 0;  // before they are rounded to it
};

Range RangeOf(const Num& value);

// May a result of this dtype, stored from the range, have these bits?
bool MayBe(const Range& range, Dt dtype, uint64_t bits, Overflow overflow = Overflow::kDefault);

class Ranges {
 public:
  // `loose`: relative error that inner nodes may have instead of their bound (docs/expressions.md), and `least` the
  // absolute one.
  explicit Ranges(const Program& program, double loose = 0, double least = 0);
  // The range of a node's element, in row-major order of its shape.
  Range Of(int node, int64_t element);

 private:
  Range Apply(const Node& node, int index, int64_t element);
  Range Cast(const Node& node, const Range& from) const;
  Range Compute(const Node& node, int index, const std::vector<Range>& in);
  // What argument k of a comparison is, rounded to the dtype of a tensor that it is compared with.
  Range Compared(const Node& node, size_t k, const Range& argument) const;
  void FindInner();

  const Program& p_;
  double loose_, least_;
  std::vector<bool> inner_;  // by node: reaches narrow floats alone, and is not rounded as the operator rounds
  std::vector<std::vector<Range>> known_;
  std::vector<std::vector<bool>> there_;
  std::vector<std::unique_ptr<Scalar>> scalars_;  // the operators, prepared
};

}  // namespace exprtest

#endif  // TILEOPS_TESTS_EXPR_RUN_RANGE_H_
