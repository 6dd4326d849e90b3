// A text on tensors in memory, by plans with open extents and by plans of numbers, through the C API alone.
#ifndef TILEOPS_TESTS_OPEN_CALL_H_
#define TILEOPS_TESTS_OPEN_CALL_H_

#include <tileops/tileops.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../common/guarded.h"

namespace opentest {

using Shape = std::vector<int64_t>;
using Extents = std::vector<int64_t>;

constexpr DLDataType kF32{kDLFloat, 32, 1}, kBf16{kDLBfloat, 16, 1}, kI64{kDLInt, 64, 1}, kI32{kDLInt, 32, 1},
    kU8{kDLUInt, 8, 1}, kBool{6, 8, 1};

// A text, and its operands where its open extents are these.
struct Text {
  std::string text;
  size_t open;  // how many extents are
  std::function<std::vector<Shape>(const Extents&)> shapes;
  std::vector<DLDataType> dtypes;
};

struct PlanDeleter {
  void operator()(tileops_plan* plan) const { tileops_plan_destroy(plan); }
};
using Plan = std::unique_ptr<tileops_plan, PlanDeleter>;

// Operands of a text and the results that the library infers for them, at extents that are numbers, TILEOPS_OPEN or
// TILEOPS_UP_TO(n).
class Described {
 public:
  Described(const Text& text, const Extents& extents, tileops_context* context = nullptr,
            DLDevice device = {kDLCPU, 0});
  ~Described() { tileops_expr_destroy(expr_); }
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;

  // NULL after a reported failure.
  Plan MakePlan(uint32_t flags = 0) const;
  const std::vector<tileops_tensor_desc>& inputs() const { return in_; }
  const std::vector<tileops_tensor_desc>& outputs() const { return out_; }

 private:
  tileops_context* context_;
  tileops_expr* expr_ = nullptr;
  tileops_plan_desc desc_ = TILEOPS_PLAN_DESC_INIT;
  std::vector<Shape> in_shapes_, out_shapes_;
  std::vector<tileops_tensor_desc> in_, out_;
};

// A plan for any of the text's extents, and one for these alone, which no cache has.
Plan OpenPlan(const Text& text, tileops_context* context = nullptr);
Plan ClosedPlan(const Text& text, const Extents& extents);

// What an execute of the text at some extents takes: operands with values that follow from their place, results that
// hold a pattern, a workspace. All of it lies before pages that may not be touched, or behind such.
class Call {
 public:
  Call(const Text& text, const Extents& extents, bool at_end = true);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // By tensors and, of a plan with open extents, by addresses.
  tileops_status Execute(const tileops_plan* plan);
  tileops_status ExecuteAt(const tileops_plan* plan);
  // Bytes of all results.
  std::string Results() const;
  // The pattern is there again.
  void Clear();
  std::vector<DLTensor>& inputs() { return in_; }

 private:
  tileops_status Run(const tileops_plan* plan, tileops_execute_args args);

  Extents extents_;
  std::vector<Shape> shapes_;
  std::vector<guarded::Guarded> memory_, workspace_;
  std::vector<DLTensor> in_, out_;
};

// The open plan at these extents has the bits of a plan for them, by tensors and by addresses, and says what shapes
// results have.
void ExpectBitsOfClosed(const Text& text, const tileops_plan* open, const Extents& extents, bool at_end = true);

}  // namespace opentest

#endif  // TILEOPS_TESTS_OPEN_CALL_H_
