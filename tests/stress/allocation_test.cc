// tileops_execute allocates nothing on the calling thread. Prints what allocated; exit status 0 is success.
#include <cstdio>

#include "../common/counted_calls.h"
#include "binary_plan.h"

namespace {

using stress::Operands;

int failures = 0;

long CallsIn(const tileops_plan* plan, Operands* operands, const float* a, const float* b, float* y) {
  tileops_status status = TILEOPS_STATUS_OK;
  const counted::Calls calls = counted::CallsIn([&] { status = stress::Execute(plan, operands, a, b, y); });
  if (status != TILEOPS_STATUS_OK) {
    std::printf("execute: %s\n", tileops_last_error());
    ++failures;
  }
  return calls.memory;
}

void Check(tileops_context* context, const char* what, tileops_op op, int64_t n, int64_t stride) {
  Operands operands(n);
  int64_t strides[1] = {stride};
  operands.a.strides = strides;
  const size_t size = static_cast<size_t>(n * stride);
  std::vector<float> a(size, 2.0f), b(size, 3.0f), y(size);
  tileops_plan* plan = nullptr;
  if (stress::Plan(context, op, &operands, &plan) != TILEOPS_STATUS_OK) {
    std::printf("%s: %s\n", what, tileops_last_error());
    ++failures;
    return;
  }
  // The first runs may set up the threads.
  for (int i = 0; i < 20; ++i) stress::Execute(plan, &operands, a.data(), b.data(), y.data());
  long calls = 0;
  for (int i = 0; i < 50; ++i) calls += CallsIn(plan, &operands, a.data(), b.data(), y.data());
  std::printf("%-24s n = %-8lld %ld calls of malloc or free in 50 runs\n", what, static_cast<long long>(n), calls);
  if (calls) ++failures;
  tileops_plan_destroy(plan);
}

// An expression whose scalars are new each time; other numbers are computed from them.
void CheckExpression(tileops_context* context, int64_t n) {
  const char text[] = "(a, b; s = 2.0, t = 3, threshold_of_the_step = 0.5) -> { h = lerp(a, b, 1 - s ** t) * s + t;"
                      " where(dropout_mask(h, 0.25, t), clamp(h, -threshold_of_the_step, s + extent(a, -1)), 0) }";
  Operands operands(n);
  std::vector<float> a(static_cast<size_t>(n), 2.0f), b = a, y = a;
  operands.a.data = a.data();
  operands.b.data = b.data();
  operands.y.data = y.data();
  tileops_expr* expr = nullptr;
  tileops_plan* plan = nullptr;
  if (tileops_expr_parse(text, sizeof text - 1, &expr) != TILEOPS_STATUS_OK ||
      tileops_plan_create_like_expr(context, expr, operands.inputs, 2, operands.outputs, 1, &plan) !=
          TILEOPS_STATUS_OK) {
    std::printf("%s: %s\n", text, tileops_last_error());
    ++failures;
    return;
  }
  long calls = 0;
  for (int i = 0; i < 70; ++i) {
    const tileops_number scalars[] = {tileops_number_f64(i * 0.5), tileops_number_i64(i), tileops_number_f64(i + 1)};
    tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
    args.num_inputs = 2;
    args.num_outputs = 1;
    args.num_scalars = 3;
    args.inputs = operands.inputs;
    args.outputs = operands.outputs;
    args.scalars = scalars;
    tileops_status status = TILEOPS_STATUS_OK;
    const counted::Calls of_call = counted::CallsIn([&] {
      status = tileops_execute_with(plan, &args);
      for (uint32_t part = 0; part < 3 && status == TILEOPS_STATUS_OK; ++part)
        status = tileops_execute_part(plan, &args, 0, part, 3);
    });
    if (i >= 20) calls += of_call.memory;
    if (status != TILEOPS_STATUS_OK && failures++ == 0) std::printf("execute: %s\n", tileops_last_error());
  }
  std::printf("%-24s n = %-8lld %ld calls of malloc or free in 50 runs\n", "expression with scalars",
              static_cast<long long>(n), calls);
  if (calls) ++failures;
  tileops_plan_destroy(plan);
  tileops_expr_destroy(expr);
}

}  // namespace

int main() {
  if (!counted::Counts()) {
    std::printf("malloc is not intercepted\n");
    return 1;
  }
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.num_threads = 4;
  tileops_context* context = nullptr;
  if (tileops_context_create(&options, &context) != TILEOPS_STATUS_OK) return 1;
  for (int64_t n : {1, 16, 5000}) {
    Check(context, "add", TILEOPS_OP_ADD, n, 1);
    Check(context, "pow", TILEOPS_OP_POW, n, 1);
    Check(context, "add, strided", TILEOPS_OP_ADD, n, 3);
  }
  for (int64_t n : {1, 5000, 200000}) CheckExpression(context, n);
  for (int64_t n : {200000, 1000003}) {
    Check(context, "add, many threads", TILEOPS_OP_ADD, n, 1);
    Check(context, "remainder, many threads", TILEOPS_OP_REMAINDER, n, 2);
  }
  tileops_context_destroy(context);
  return failures != 0;
}
