// Named gradients are the gradients of named expressions: beside difference quotients of the reference.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <ostream>

#include "expr/graph/number.h"
#include "reference.h"
#include "texts.h"

namespace rowtest {
namespace {

using Tensors = std::vector<Tensor>;
using tileops::expr::Number;

// `of` gives the operands of the backward text, from those of the forward one, its results and what comes in for the
// first of them.
struct Backward {
  const char *name, *forward;
  std::vector<Shape> shapes;
  std::vector<size_t> with_respect_to;
  std::function<Tensors(const Tensors&, const Tensors&, const Tensor&)> of;
  std::vector<Number> scalars = {};  // of the backward text, if not their defaults
  Tensor index = {};                 // in place of the last operand
};

void PrintTo(const Backward& c, std::ostream* out) { *out << c.name; }

Tensor Computed(const char* text, const Tensor& x) { return EvaluateText(text, {x})[0]; }

Tensors GradThenOperands(const Tensors& x, const Tensors&, const Tensor& grad) {
  Tensors all{grad};
  all.insert(all.end(), x.begin(), x.end());
  return all;
}
Tensors GradThenTwo(const Tensors& x, const Tensors&, const Tensor& grad) { return {grad, x[0], x[1]}; }
Tensors GradThenResult(const Tensors&, const Tensors& y, const Tensor& grad) { return {grad, y[0]}; }
Tensors OfBias(const Tensors& x, const Tensors&, const Tensor& grad) { return {grad, x[1]}; }
Tensors OfHeads(const Tensors& x, const Tensors&, const Tensor& grad) { return {grad, x[0], x[1], x[2], x[3]}; }
Tensors OfNorm(const Tensors& x, const Tensors&, const Tensor& grad) {
  return {grad, x[0], x[1], Computed("(x) -> mean(x)", x[0]), Computed("(x) -> rsqrt(var(x) + 1e-5)", x[0])};
}

const Backward kBackward[] = {
    {"rms_norm_backward", "rms_norm", {{3, 7}, {7}}, {0, 1}, GradThenTwo},
    {"layer_norm_backward", "layer_norm", {{3, 7}, {7}, {7}}, {0, 1, 2}, GradThenTwo},
    {"layer_norm_backward_saved", "layer_norm", {{3, 7}, {7}, {7}}, {0, 1, 2}, OfNorm},
    {"batch_norm_backward",
     "batch_norm_training",
     {{2, 3, 4}, {3, 1}, {3, 1}, {3, 1}, {3, 1}},
     {0, 3, 4},
     [](const Tensors& x, const Tensors&, const Tensor& grad) { return Tensors{grad, x[0], x[3]}; }},
    {"softmax_backward", "softmax", {{3, 7}}, {0}, GradThenResult},
    {"log_softmax_backward", "log_softmax", {{3, 7}}, {0}, GradThenResult},
    {"cross_entropy_backward",
     "cross_entropy",
     {{3, 7}, {3, 1}},
     {0},
     GradThenTwo,
     {},
     Of(Dtype::i64, {3, 1}, {2, -100, 6})},
    {"cross_entropy_backward",
     "cross_entropy_smooth",
     {{3, 7}, {3, 1}},
     {0},
     GradThenTwo,
     {Number::of(int64_t{-100}), Number::of(0.1)},
     Of(Dtype::i64, {3, 1}, {2, -100, 6})},
    {"l2_norm_backward", "l2_norm", {{3, 7}}, {0}, GradThenOperands},
    {"bias_gradient", "bias_residual", {{2, 3, 5}, {5}, {2, 3, 5}}, {1}, OfBias},
    {"bias_gelu_backward", "bias_gelu", {{3, 7}, {7}}, {0, 1}, GradThenOperands},
    {"qk_norm_rope_backward",
     "qk_norm_rope",
     {{3, 2, 8}, {8}, {3, 1, 4}, {3, 1, 4}, {3, 1, 1}},
     {0, 1},
     OfHeads,
     {},
     Of(Dtype::i64, {3, 1, 1}, {0, 1, 2})},
};

// All values one after the other.
std::vector<Real> Flat(const Tensors& all) {
  std::vector<Real> flat;
  for (const Tensor& t : all) flat.insert(flat.end(), t.values.begin(), t.values.end());
  return flat;
}

class NamedGradients : public testing::TestWithParam<Backward> {};

TEST_P(NamedGradients, AreDifferenceQuotients) {
  const Backward& c = GetParam();
  Tensors operands;
  for (const Shape& shape : c.shapes) operands.push_back(RandomTensor(Dtype::f32, shape, operands.size() + 11));
  if (!c.index.shape.empty()) operands.back() = c.index;
  const tileops::expr::Inference forward = InferText(NamedText(c.forward), operands);
  const Tensors results = Evaluate(forward, operands);
  const Tensor grad = RandomTensor(Dtype::f32, results[0].shape, 31);
  const Tensors given = c.of(operands, results, grad);
  const std::vector<Real> got = Flat(Evaluate(InferText(NamedText(c.name), given), given, c.scalars));
  std::vector<Real> want;
  const Real h = 1e-6L;
  for (const size_t operand : c.with_respect_to)
    for (size_t i = 0; i < operands[operand].values.size(); ++i) {
      Real ends[2];
      for (const int end : {0, 1}) {
        Tensors moved = operands;
        moved[operand].values[i] += end ? h : -h;
        const Tensor y = Evaluate(forward, moved)[0];
        ends[end] = 0;
        for (size_t k = 0; k < y.values.size(); ++k) ends[end] += y.values[k] * grad.values[k];
      }
      want.push_back((ends[1] - ends[0]) / (2 * h));
    }
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_LE(std::fabs(got[i] - want[i]), 1e-7L * (1 + std::fabs(want[i])))
        << "element " << i << ": is " << got[i] << ", quotient " << want[i];
}

INSTANTIATE_TEST_SUITE_P(All, NamedGradients, testing::ValuesIn(kBackward),
                         [](const testing::TestParamInfo<Backward>& info) {
                           return std::string(info.param.name) + "_of_" + info.param.forward;
                         });

}  // namespace
}  // namespace rowtest
