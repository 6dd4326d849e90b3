// Rotary frequencies as fractions of a turn, against MPFR.
#include "lower/frequencies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "../accuracy/oracle.h"
#include "problem/request.h"

namespace tileops {
namespace {

// f / (2 pi) as 64-bit fixed point, whole turns dropped.
uint64_t ExactTurns(const OracleAttrs& attrs, int i) {
  mpfr_t f, t;
  mpfr_init2(f, kOraclePrecision);
  mpfr_init2(t, 300);
  const double in[1] = {static_cast<double>(i)};
  EXPECT_TRUE(oracle_eval("rope_frequency", in, 1, attrs, f));
  mpfr_const_pi(t, MPFR_RNDN);
  mpfr_mul_2ui(t, t, 1, MPFR_RNDN);
  mpfr_div(t, f, t, MPFR_RNDN);
  mpfr_frac(t, t, MPFR_RNDN);
  mpfr_mul_2ui(t, t, 64, MPFR_RNDN);
  mpfr_rint(t, t, MPFR_RNDN);
  const uint64_t turns = mpfr_cmp_d(t, 0x1p64) >= 0 ? 0 : mpfr_get_uj(t, MPFR_RNDN);
  mpfr_clear(f);
  mpfr_clear(t);
  return turns;
}

// Two fixed-point angles differ by at most 2^-62 of a turn.
void ExpectClose(uint64_t got, uint64_t want, const std::string& what) {
  const int64_t difference = static_cast<int64_t>(got - want);
  EXPECT_LE(std::llabs(difference), 4) << what;
}

TEST(Frequencies, Plain) {
  for (double base : {10000.0, 500000.0, 1.0, 2.5}) {
    for (int dim : {2, 16, 128, 130, 576}) {
      OracleAttrs attrs;
      attrs.base = base;
      attrs.dim = dim;
      const auto turns = plain_turns(base, dim);
      ASSERT_EQ(turns.size(), static_cast<size_t>(dim / 2));
      for (int i = 0; i < dim / 2; ++i)
        ExpectClose(turns[static_cast<size_t>(i)], ExactTurns(attrs, i),
                    std::to_string(base) + " " + std::to_string(dim) + " " + std::to_string(i));
    }
  }
}

Frequencies Of(tileops_op op, int dim, std::vector<tileops_attr> attrs) {
  const int64_t shape[] = {4, dim}, factors[] = {dim / 2};
  tileops_tensor_desc x{{kDLFloat, 32, 1}, 2, shape, nullptr};
  tileops_tensor_desc inputs[2] = {x, {{kDLFloat, 32, 1}, 1, factors, nullptr}};
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = op;
  desc.num_inputs = op == TILEOPS_OP_ROPE_LONGROPE ? 2 : 1;
  desc.num_outputs = 1;
  desc.inputs = inputs;
  desc.outputs = &x;
  desc.num_attrs = static_cast<int>(attrs.size());
  desc.attrs = attrs.data();
  return rope_frequencies(make_request(desc), dim);
}

tileops_attr Number(tileops_attr_key key, double v) {
  tileops_attr a{key, TILEOPS_ATTR_F64, {}};
  a.value.f64 = v;
  return a;
}

TEST(Frequencies, Llama31) {
  for (int dim : {64, 128}) {
    for (double scale : {8.0, 32.0}) {
      OracleAttrs attrs;
      attrs.rope = OracleAttrs::kLlama31;
      attrs.dim = dim;
      attrs.base = 500000;
      attrs.scale_factor = scale;
      const Frequencies f = Of(TILEOPS_OP_ROPE_LLAMA31, dim,
                               {Number(TILEOPS_ATTR_BASE, 500000), Number(TILEOPS_ATTR_SCALE_FACTOR, scale)});
      EXPECT_EQ(f.amplitude, 1.0);
      for (int i = 0; i < dim / 2; ++i)
        ExpectClose(f.turns[static_cast<size_t>(i)], ExactTurns(attrs, i), std::to_string(i));
    }
  }
}

TEST(Frequencies, Yarn) {
  for (int dim : {64, 128}) {
    OracleAttrs attrs;
    attrs.rope = OracleAttrs::kYarn;
    attrs.dim = dim;
    attrs.scale = 40;
    attrs.attn_factor = 1.369;
    const Frequencies f = Of(TILEOPS_OP_ROPE_YARN, dim,
                             {Number(TILEOPS_ATTR_SCALE_FACTOR, 40), Number(TILEOPS_ATTR_ATTN_FACTOR, 1.369)});
    EXPECT_EQ(f.amplitude, 1.369);
    for (int i = 0; i < dim / 2; ++i)
      ExpectClose(f.turns[static_cast<size_t>(i)], ExactTurns(attrs, i), std::to_string(i));
  }
}

TEST(Frequencies, LongropeAmplitude) {
  const Frequencies f = Of(TILEOPS_OP_ROPE_LONGROPE, 64, {});
  EXPECT_NEAR(f.amplitude, std::sqrt(1 + std::log(32.0) / std::log(4096.0)), 1e-15);
  EXPECT_EQ(Of(TILEOPS_OP_ROPE_LONGROPE, 64, {Number(TILEOPS_ATTR_MAX_POSITION, 4096)}).amplitude, 1.0);
  EXPECT_EQ(Of(TILEOPS_OP_ROPE_NEOX, 64, {}).turns, plain_turns(10000.0, 64));
}

}  // namespace
}  // namespace tileops
