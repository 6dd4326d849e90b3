// A binary float32 plan over arrays, for tests that are about anything but the values.
#ifndef TILEOPS_TESTS_STRESS_BINARY_PLAN_H_
#define TILEOPS_TESTS_STRESS_BINARY_PLAN_H_

#include <tileops/tileops.h>

#include <vector>

namespace stress {

// Tensors of one shape over memory that they do not own.
struct Operands {
  explicit Operands(int64_t n) : shape{n} {
    for (DLTensor* t : {&a, &b, &y}) *t = DLTensor{nullptr, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, nullptr, 0};
  }
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;

  int64_t shape[1];
  DLTensor a, b, y;
  const DLTensor* inputs[2] = {&a, &b};
  DLTensor* outputs[1] = {&y};
};

inline tileops_status Plan(tileops_context* context, tileops_op op, Operands* operands, tileops_plan** plan) {
  return tileops_plan_create_like(context, op, operands->inputs, 2, operands->outputs, 1, nullptr, 0, plan);
}

inline tileops_status Execute(const tileops_plan* plan, Operands* operands, const float* a, const float* b, float* y) {
  operands->a.data = const_cast<float*>(a);
  operands->b.data = const_cast<float*>(b);
  operands->y.data = y;
  return tileops_execute(plan, operands->inputs, 2, operands->outputs, 1, nullptr);
}

}  // namespace stress

#endif  // TILEOPS_TESTS_STRESS_BINARY_PLAN_H_
