// Expressions through the C API: a handle, one call of it on a target in given memory layouts, and comparisons.
#ifndef TILEOPS_TESTS_EXPR_RUN_EXPRESSION_H_
#define TILEOPS_TESTS_EXPR_RUN_EXPRESSION_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../ops/cases.h"
#include "../ops/runner.h"

namespace exprtest {

using namespace optest;
using Shape = std::vector<int64_t>;

// The expression of a text. A text that is wrong fails the test and gives NULL.
class Expr {
 public:
  explicit Expr(const std::string& text);
  explicit Expr(const tileops_expr* handle) : handle_(handle) {}
  Expr(const Expr&) = delete;
  Expr& operator=(const Expr&) = delete;
  ~Expr() { tileops_expr_destroy(handle_); }

  const tileops_expr* get() const { return handle_; }
  std::string text() const;  // the canonical one

 private:
  const tileops_expr* handle_ = nullptr;
};

// The gradient with respect to these operands; a failed call fails the test and gives NULL.
const tileops_expr* Gradient(const Expr& expr, const std::vector<int32_t>& operands);

struct Job {
  const tileops_expr* expr = nullptr;
  std::vector<Array> inputs, outputs;  // of outputs dtype and shape
  std::vector<tileops_number> scalars;
  uint32_t flags = 0;
};

// Sets dtypes and shapes of the outputs to what is inferred. False after a reported failure.
bool InferOutputs(Job* job, size_t count);

// The outputs in row-major order; empty after a reported failure. What lies beside the elements, and the inputs, must
// be as before.
Results RunJob(const Target& target, const Job& job, const Placement& placement = {});

// A text on operands, with the outputs that are inferred, on the first target.
Results RunText(const std::string& text, const std::vector<Array>& inputs,
                const std::vector<tileops_number>& scalars = {});

// Are they the same bits? Any NaN is another's equal, but where its bits count.
bool SameBits(Dt dtype, uint64_t a, uint64_t b, bool nan_bits = false);

// Reports the first elements that differ.
void ExpectSame(const std::vector<Array>& outputs, const Results& got, const Results& want, const std::string& what,
                bool nan_bits = false);

// An array of values, each rounded to the dtype.
Array Values(Dt dtype, const Shape& shape, const std::vector<double>& values);
Array Random(Dt dtype, const Shape& shape, uint64_t seed, double lo = -3, double hi = 3);

// Do long tests run?
bool Long();

}  // namespace exprtest

#endif  // TILEOPS_TESTS_EXPR_RUN_EXPRESSION_H_
