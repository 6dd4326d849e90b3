// What the prebuilt pack holds: a plan that its users make most compiles nothing, neither for its
// kernel nor for the table that the kernel asks for.
#include "pack/standard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "cuda/steps/forms.h"
#include "cuda/tuning/tuning.h"
#include "requests.h"
#include "standard_kernels.h"
#include "tileops/device/convert.h"

namespace tileops::cuda {
namespace {

using Shape = std::vector<int64_t>;

using requests::Operand;
using requests::ProblemOf;

const Operand kNone{{}, {}, {}, false};

class Standard : public StandardKernels {};

constexpr Dtype kFloats[] = {Dtype::f32, Dtype::bf16, Dtype::f16, Dtype::e4m3fn, Dtype::e5m2};

TEST_F(Standard, ContiguousOfAllSizes) {
  for (const Dtype t : kFloats) {
    for (const int64_t n : {int64_t{1} << 10, int64_t{1} << 16, int64_t{1} << 24}) {
      for (const tileops_op op : {TILEOPS_OP_GELU, TILEOPS_OP_SILU, TILEOPS_OP_HARDSWISH, TILEOPS_OP_RELU})
        ExpectHeld(ProblemOf(op, {{t, {n}}}, {t, {n}}));
      for (const tileops_op op : {TILEOPS_OP_ADD, TILEOPS_OP_REMAINDER, TILEOPS_OP_FLOOR_DIVIDE, TILEOPS_OP_POW})
        ExpectHeld(ProblemOf(op, {{t, {n}}, {t, {n}}}, {t, {n}}));
      tileops_attr exponent{TILEOPS_ATTR_EXPONENT, TILEOPS_ATTR_F64, {}};
      exponent.value.f64 = 2.5;
      ExpectHeld(ProblemOf(TILEOPS_OP_POW, {{t, {n}}, kNone}, {t, {n}}, {exponent}));
    }
  }
}

// Their usual attributes have bodies of their own.
TEST_F(Standard, OtherAttributes) {
  tileops_attr alpha{TILEOPS_ATTR_ALPHA, TILEOPS_ATTR_F64, {}}, beta{TILEOPS_ATTR_BETA, TILEOPS_ATTR_F64, {}};
  alpha.value.f64 = beta.value.f64 = 0.5;
  for (const Dtype t : kFloats)
    for (const int64_t n : {int64_t{1} << 10, int64_t{1} << 24}) {
      ExpectHeld(ProblemOf(TILEOPS_OP_ELU, {{t, {n}}}, {t, {n}}));
      ExpectHeld(ProblemOf(TILEOPS_OP_ELU, {{t, {n}}}, {t, {n}}, {alpha}));
      ExpectHeld(ProblemOf(TILEOPS_OP_SOFTPLUS, {{t, {n}}}, {t, {n}}));
      ExpectHeld(ProblemOf(TILEOPS_OP_SOFTPLUS, {{t, {n}}}, {t, {n}}, {beta}));
    }
}

TEST_F(Standard, Gated) {
  for (const Dtype t : kFloats)
    for (const int64_t rows : {1, 64, 4096})
      for (const tileops_op op : {TILEOPS_OP_SILU_AND_MUL, TILEOPS_OP_GELU_AND_MUL, TILEOPS_OP_GELU_TANH_AND_MUL}) {
        ExpectHeld(ProblemOf(op, {{t, {rows, 28672}}, kNone}, {t, {rows, 14336}}));
        ExpectHeld(ProblemOf(op, {{t, {rows, 14336}}, {t, {rows, 14336}}}, {t, {rows, 14336}}));
      }
}

TEST_F(Standard, Prelu) {
  for (const Dtype t : kFloats)
    for (const Shape& x : {Shape{8, 128, 1024}, Shape{64, 1024, 1024}})
      ExpectHeld(ProblemOf(TILEOPS_OP_PRELU, {{t, x}, {t, {x[1]}}}, {t, x}));
}

TEST_F(Standard, LargePowers) {  // with more packs a thread
  const Shape x{64, 1024, 1024};
  for (const Dtype t : kFloats)
    for (const Shape& y : {x, Shape{1024}, Shape{64, 1024, 1}, Shape{}})
      ExpectHeld(ProblemOf(TILEOPS_OP_POW, {{t, x}, {t, y}}, {t, x}));
}

TEST_F(Standard, Rope) {
  for (const Dtype t : kFloats)
    for (const int64_t batch : {1, 8})
      for (const tileops_op op : {TILEOPS_OP_ROPE_NEOX, TILEOPS_OP_ROPE_NON_NEOX}) {
        const Shape x{batch, 2048, 32, 128}, angles{2048, 64}, token{batch, 1, 32, 128};  // a token of each sequence
        ExpectHeld(ProblemOf(op, {{t, token}, {Dtype::i64, {batch, 1}}, kNone, kNone}, {t, token}));
        const Operand table{Dtype::f32, angles};
        ExpectHeld(ProblemOf(op, {{t, x}, kNone, kNone, kNone}, {t, x}));
        ExpectHeld(ProblemOf(op, {{t, x}, kNone, table, table}, {t, x}));
        for (const Dtype i : {Dtype::i32, Dtype::i64}) {
          const Operand ids{i, {2048}};
          ExpectHeld(ProblemOf(op, {{t, x}, ids, kNone, kNone}, {t, x}));
          ExpectHeld(ProblemOf(op, {{t, x}, ids, table, table}, {t, x}));
        }
      }
}

// Where a table does not fit into shared memory, `auto` does without.
TEST_F(Standard, TablesThatDoNotFit) {
  tileops_attr exponent{TILEOPS_ATTR_EXPONENT, TILEOPS_ATTR_F64, {}};
  exponent.value.f64 = 2.5;
  const int64_t n = 1 << 22;
  const Problem problem = ProblemOf(TILEOPS_OP_POW, {{Dtype::f16, {n}}, kNone}, {Dtype::f16, {n}}, {exponent});
  const Pass& pass = problem.passes[0];
  const auto of = [&](int arch) {
    return choose(problem, pass, make_layout(pass), {arch, UseTables::yes, {}}).spec.looks_up();
  };
  EXPECT_TRUE(of(90));
  EXPECT_FALSE(of(89));
}

// A single operand may come from host memory, by value.
TEST_F(Standard, OneElementIsNotLookedUp) {
  const Problem problem = ProblemOf(TILEOPS_OP_RELU, {{Dtype::f16, {1}}}, {Dtype::f16, {1}});
  const Pass& pass = problem.passes[0];
  const LaunchHint table{TILEOPS_STRATEGY_TABLE, 0, 0};
  EXPECT_THROW(choose(problem, pass, make_layout(pass), {90, UseTables::yes, table}), Error);
}

// A row that no kernel has any more would go unnoticed.
TEST_F(Standard, BoundedKernelsAreThere) {
  const auto kernels = standard_kernels(90, false);
  for (const RegisterBound& bound : tuning_of(90).register_bounds)
    EXPECT_TRUE(std::any_of(kernels.begin(), kernels.end(),
                            [&](const StandardKernel& k) {
                              const KernelSpec& spec = k.spec;
                              return k.name == bound.body && !spec.access.loads.empty() &&
                                     spec.access.loads[0].dtype == bound.dtype &&
                                     spec.access.loads[0].pattern == bound.pattern &&
                                     spec.traversal.min_blocks == bound.blocks;
                            }))
        << bound.body << " " << dtype_name(bound.dtype);
}

// Where the product with the reciprocal is said to be the quotient, it is so for every number of the dtype.
TEST(DropoutWords, ReciprocalsOfPowersOfTwo) {
  const auto words = [](Dtype t, double p) {
    tileops_attr attr{TILEOPS_ATTR_P, TILEOPS_ATTR_F64, {}};
    attr.value.f64 = p;
    const Problem problem = ProblemOf(TILEOPS_OP_DROPOUT, {{t, {4096}}, kNone}, {t, {4096}}, {attr});
    const Pass& pass = problem.passes[0];
    return prepared_words(pass, choose(problem, pass, make_layout(pass), {90, UseTables::yes, {}}).spec.compute.policy);
  };
  for (const double p : {0.1, 0.3, 0.5, 0.7, 0.99}) {
    const auto w = words(Dtype::bf16, p);
    ASSERT_EQ(w.size(), 2u);
    const bool right = (w[1] >> 33 & 1) != 0;
    EXPECT_EQ(right, p == 0.5) << p;
    const float keep = device::from_bits(static_cast<uint32_t>(w[0]));
    const float reciprocal = device::from_bits(static_cast<uint32_t>(w[0] >> 32));
    EXPECT_EQ(keep, static_cast<float>(1.0 - p));
    EXPECT_EQ(reciprocal, 1.0f / keep);
    for (uint32_t code = 0; right && code < 65536; ++code) {
      device::bf16 x;
      x.bits = static_cast<uint16_t>(code);
      const float value = device::widen(x);
      const auto rounded = [](float y) { return device::convert<device::bf16>(y).bits; };
      ASSERT_EQ(rounded(value * reciprocal), rounded(value / keep)) << p << " " << code;
    }
    EXPECT_EQ(words(Dtype::f32, p)[1] >> 33 & 1, p == 0.5) << p;
    EXPECT_EQ(words(Dtype::f64, p).size(), 3u);
  }
}

}  // namespace
}  // namespace tileops::cuda
