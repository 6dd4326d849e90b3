// Which steps only float results of 16 bits or fewer depend on.
#include "plan/reach.h"

#include <gtest/gtest.h>

#include "../cuda/passes.h"

namespace tileops {
namespace {

using passes::Builder;

// tanh(x + x), perhaps converted, plus x: does the tanh reach few bits alone?
bool TanhReachesFewBits(Dtype result, const Dtype* converted = nullptr) {
  Builder b({4096});
  const Value x = b.load(0, Dtype::bf16);
  const Value t = b.apply(TILEOPS_OP_TANH, {b.apply(TILEOPS_OP_ADD, {x, x})});
  b.store(0, result, b.apply(TILEOPS_OP_ADD, {converted ? b.convert(t, *converted) : t, x}));
  return reaches_few_bits_alone(b.pass)[static_cast<size_t>(t.index)];
}

TEST(Reach, ResultsAndConversions) {
  EXPECT_TRUE(TanhReachesFewBits(Dtype::bf16));
  EXPECT_TRUE(TanhReachesFewBits(Dtype::e4m3fn));
  for (const Dtype wide : {Dtype::f32, Dtype::f64, Dtype::i8, Dtype::boolean}) EXPECT_FALSE(TanhReachesFewBits(wide));
  const Dtype to[] = {Dtype::bf16, Dtype::f32, Dtype::i8};
  EXPECT_TRUE(TanhReachesFewBits(Dtype::bf16, &to[0]));
  EXPECT_FALSE(TanhReachesFewBits(Dtype::f32, &to[0]));
  EXPECT_FALSE(TanhReachesFewBits(Dtype::bf16, &to[1]));
  EXPECT_FALSE(TanhReachesFewBits(Dtype::bf16, &to[2]));
}

// Of what jumps, of its own operands and of all that these are made of, none.
TEST(Reach, NothingThatJumpsIsGivenFewBits) {
  for (const tileops_op op :
       {TILEOPS_OP_FLOOR, TILEOPS_OP_CEIL, TILEOPS_OP_TRUNC, TILEOPS_OP_ROUND, TILEOPS_OP_SIGN, TILEOPS_OP_REMAINDER,
        TILEOPS_OP_FLOOR_DIVIDE, TILEOPS_OP_POW, TILEOPS_OP_SQRT, TILEOPS_OP_RSQRT, TILEOPS_OP_LOG, TILEOPS_OP_LOG1P,
        TILEOPS_OP_LOG2, TILEOPS_OP_NAN_TO_NUM, TILEOPS_OP_NEG}) {
    Builder b({4096});
    const Value x = b.load(0, Dtype::bf16);
    const Value t = b.apply(TILEOPS_OP_TANH, {x}), s = b.apply(TILEOPS_OP_MUL, {t, t});
    const BodyInfo& body = bodies_of(op).back();
    const Value jump = b.apply(body, std::vector<Value>(body.operands.size(), s), std::vector<AttrValue>(3),
                               Ctype::f32);
    b.store(0, Dtype::bf16, b.apply(TILEOPS_OP_SILU, {jump}));
    const std::vector<bool> alone = reaches_few_bits_alone(b.pass);
    for (const Value& v : {t, s}) EXPECT_EQ(alone[static_cast<size_t>(v.index)], op == TILEOPS_OP_NEG) << body.name;
    EXPECT_TRUE(alone[static_cast<size_t>(jump.index)]) << body.name;
  }
}

TEST(Reach, ComparisonsAndSeveralResults) {
  Builder b({4096});
  const Value x = b.load(0, Dtype::bf16);
  const Value compared = b.apply(TILEOPS_OP_TANH, {x}), both = b.apply(TILEOPS_OP_SIGMOID, {x});
  const Value selected = b.apply(TILEOPS_OP_SILU, {x});
  const Value y = b.apply(TILEOPS_OP_WHERE, {b.apply(TILEOPS_OP_GT, {compared, x}), selected, both});
  b.store(0, Dtype::f16, y);
  b.store(1, Dtype::f32, both);
  const std::vector<bool> alone = reaches_few_bits_alone(b.pass);
  const auto at = [&](const Value& v) { return bool{alone[static_cast<size_t>(v.index)]}; };
  EXPECT_FALSE(at(compared));
  EXPECT_FALSE(at(both));
  EXPECT_TRUE(at(selected));
  EXPECT_TRUE(at(y));
}

}  // namespace
}  // namespace tileops
