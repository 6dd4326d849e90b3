// A text on operands through the C API, and what it gives beside the reference. On the target of tests/ops: the CPU
// with each of its instruction sets, or the device that TILEOPS_TEST_DEVICE names.
#ifndef TILEOPS_TESTS_ROWS_RUN_H_
#define TILEOPS_TESTS_ROWS_RUN_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../expr_run/expression.h"
#include "expr/parse/parser.h"
#include "reference.h"

namespace rowtest {

using optest::Layout;
using optest::Placement;
using optest::Results;
using optest::Target;
using optest::Targets;

// The tests' form of a dtype; false where it has none.
bool DtOf(Dtype dtype, optest::Dt* out);
optest::Array ToArray(const Tensor& t);

// The gradient of a text, with operands after those of the text, one for each result; NULL with the reason.
tileops_expr* GradientOf(const std::string& text, const std::vector<int32_t>& with_respect_to, std::string* why);

enum class State {
  runs,
  not_yet,  // the library says UNSUPPORTED, or lacks a dtype
  refused   // it says that the text or its operands are wrong
};

class TextRun {
 public:
  // Outputs, where they are given, are what is there before (of scattered results), and their shapes.
  TextRun(const std::string& text, const std::vector<Tensor>& operands,
          const std::map<std::string, tileops::expr::Number>& scalars = {}, const std::vector<Tensor>& outputs = {});
  // Takes the handle. Scalars that are not given have the expression's values.
  TextRun(const tileops_expr* expr, const std::vector<Tensor>& operands,
          const std::vector<tileops_number>& scalars = {});
  ~TextRun() { tileops_expr_destroy(expr_); }
  TextRun(const TextRun&) = delete;
  TextRun& operator=(const TextRun&) = delete;

  State state() const { return state_; }
  const std::string& why() const { return why_; }  // it does not run
  std::vector<Tensor> Expected() const;
  const tileops_expr* expr() const { return expr_; }
  const std::vector<optest::Array>& inputs() const { return job_.inputs; }
  const std::vector<optest::Array>& outputs() const { return job_.outputs; }
  const std::vector<tileops_number>& scalars() const { return job_.scalars; }
  const std::string& text() const { return text_; }
  // Bits of the results; empty after a reported failure.
  Results On(const Target& target, const Placement& placement = {}, uint32_t flags = 0) const;

 private:
  void Prepare(const std::vector<Tensor>& outputs);
  void Stop(tileops_status status, const std::string& what);
  tileops_status Infer();

  std::string text_;
  std::vector<Tensor> operands_, before_;
  tileops_expr* expr_ = nullptr;
  exprtest::Job job_;
  std::vector<tileops::expr::Number> scalars_;
  State state_ = State::runs;
  std::string why_;
};

// How results compare with what is expected.
struct Comparison {
  size_t elements = 0, wrong = 0, other_codes = 0, unknown = 0;
  Real worst = 0;  // distance in ulp of the result's dtype
  std::string first_wrong;
};
Comparison Compare(const Tensor& want, optest::Dt dtype, const std::vector<uint64_t>& got);

// Fails the test where a result is not within its bound, or where more than 0.4 % of 8-bit codes are others than the
// exact ones, or more than one in `unknown_one_in` of which the reference does not know what they are.
void ExpectClose(const std::vector<Tensor>& want, const std::vector<optest::Array>& outputs, const Results& got,
                 const std::string& what, size_t unknown_one_in = 50);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_RUN_H_
