// What is known of a pass's values, and that the CPU's kernels have what it asks for.
#include "problem/analysis.h"

#include <gtest/gtest.h>

#include "../common/passes.h"
#include "cpu/kernel.h"

namespace tileops {
namespace {

using passes::Builder;

// tanh(x + x), perhaps converted, plus x: does the tanh reach few bits alone?
bool TanhReachesFewBits(Dtype result, const Dtype* converted = nullptr) {
  Builder b({4096});
  const Value x = b.load(0, Dtype::bf16);
  const Value t = b.apply(TILEOPS_OP_TANH, {b.apply(TILEOPS_OP_ADD, {x, x})});
  b.store(0, result, b.apply(TILEOPS_OP_ADD, {converted ? b.convert(t, *converted) : t, x}));
  return PassInfo(b.pass).of(t).few_bits;
}

TEST(Analysis, FewBitsByResultsAndConversions) {
  EXPECT_TRUE(TanhReachesFewBits(Dtype::bf16));
  EXPECT_TRUE(TanhReachesFewBits(Dtype::e4m3fn));
  for (const Dtype wide : {Dtype::f32, Dtype::f64, Dtype::i8, Dtype::boolean}) EXPECT_FALSE(TanhReachesFewBits(wide));
  const Dtype to[] = {Dtype::bf16, Dtype::f32, Dtype::i8};
  EXPECT_TRUE(TanhReachesFewBits(Dtype::bf16, &to[0]));
  EXPECT_FALSE(TanhReachesFewBits(Dtype::f32, &to[0]));
  EXPECT_FALSE(TanhReachesFewBits(Dtype::bf16, &to[1]));
  EXPECT_FALSE(TanhReachesFewBits(Dtype::bf16, &to[2]));
}

// Neither a body that jumps, nor its operands, nor anything that these are made of.
TEST(Analysis, NothingThatJumpsIsGivenFewBits) {
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
    const PassInfo info(b.pass);
    for (const Value& v : {t, s}) EXPECT_EQ(info.of(v).few_bits, op == TILEOPS_OP_NEG) << body.name;
    EXPECT_TRUE(info.of(jump).few_bits) << body.name;
  }
}

TEST(Analysis, FewBitsOfComparisonsAndSeveralResults) {
  Builder b({4096});
  const Value x = b.load(0, Dtype::bf16);
  const Value compared = b.apply(TILEOPS_OP_TANH, {x}), both = b.apply(TILEOPS_OP_SIGMOID, {x});
  const Value selected = b.apply(TILEOPS_OP_SILU, {x});
  const Value y = b.apply(TILEOPS_OP_WHERE, {b.apply(TILEOPS_OP_GT, {compared, x}), selected, both});
  b.store(0, Dtype::f16, y);
  b.store(1, Dtype::f32, both);
  const PassInfo info(b.pass);
  EXPECT_FALSE(info.of(compared).few_bits);
  EXPECT_FALSE(info.of(both).few_bits);
  EXPECT_TRUE(info.of(selected).few_bits);
  EXPECT_TRUE(info.of(y).few_bits);
}

// Nor does a value that its operator's own rounding tests, of which the bound must hold, or any of a reproducible plan.
TEST(Analysis, FewBitsOfOwnRoundingsAndReproduciblePlans) {
  Builder b({4096});
  const Value x = b.load(0, Dtype::bf16), own = b.apply(TILEOPS_OP_TANH, {x});
  const Value inside = b.apply(TILEOPS_OP_TANH, {own});
  b.store(0, Dtype::bf16, inside);
  EXPECT_TRUE(PassInfo(b.pass).of(own).few_bits);
  EXPECT_TRUE(PassInfo(b.pass).of(inside).few_bits);
  EXPECT_FALSE(PassInfo(b.pass, {true}).of(own).few_bits);
  b.store(1, Dtype::f16, own);
  EXPECT_FALSE(PassInfo(b.pass).of(own).few_bits);
  EXPECT_TRUE(PassInfo(b.pass).of(inside).few_bits);
}

// A quotient of two numbers that is rounded to 8 bits is the operator's: where it is a tie, the last bit decides.
TEST(Analysis, QuotientsThatAreStoredAreTheOperators) {
  Builder b({4096});
  const Value x = b.load(0, Dtype::bf16), y = b.load(1, Dtype::f32);
  const Value stored = b.apply(TILEOPS_OP_DIV, {x, y});
  const Value inside = b.apply(TILEOPS_OP_DIV, {y, x});
  b.store(0, Dtype::e4m3fn, stored);
  b.store(1, Dtype::e4m3fn, b.apply(TILEOPS_OP_MUL, {inside, x}));
  EXPECT_FALSE(PassInfo(b.pass).of(stored).few_bits);
  EXPECT_TRUE(PassInfo(b.pass).of(inside).few_bits);
}

TEST(Analysis, TypesAndReaders) {
  Builder b({4096});
  const Value x = b.load(0, Dtype::bf16), n = b.load(1, Dtype::i64), unread = b.load(2, Dtype::i8);
  const Value count = b.number(0, Dtype::i64);  // taken as f32 by a body
  const Value square = b.apply(TILEOPS_OP_MUL, {x, x}), sum = b.apply(TILEOPS_OP_ADD, {square, count});
  const Value far = b.apply(TILEOPS_OP_GT, {sum, square}), as_f64 = b.convert(n, Dtype::f64);
  b.store(0, Dtype::boolean, far);
  b.store(1, Dtype::f64, as_f64);
  b.store(2, Dtype::f32, sum);
  const PassInfo info(b.pass);
  const auto expect = [&](const Value& v, Ctype type, int readers, int last_reader, bool whole) {
    EXPECT_EQ(info.of(v).type, type);
    EXPECT_EQ(info.of(v).readers(), readers);
    EXPECT_EQ(info.of(v).last_reader, last_reader);
    EXPECT_EQ(info.of(v).needs_all_bits, whole);
    EXPECT_EQ(info.of(v).stage, 0);
  };
  // Stores are numbered behind all steps.
  EXPECT_EQ(info.of(x).last_taken, square.index);
  EXPECT_EQ(info.of(unread).last_taken, -1);
  EXPECT_EQ(info.of(sum).last_taken, static_cast<int>(b.pass.steps.size()) + 2);
  expect(x, Ctype::f32, 2, square.index, true);
  expect(n, Ctype::i64, 1, as_f64.index, true);
  expect(unread, compute_type(Dtype::i8), 0, -1, false);
  expect(count, Ctype::f32, 1, sum.index, true);
  expect(square, Ctype::f32, 2, far.index, true);
  expect(sum, Ctype::f32, 2, far.index, true);
  expect(far, Ctype::boolean, 1, -1, false);
  expect(as_f64, Ctype::f64, 1, -1, true);
}

// Such as dropout and its mask: each result has readers of its own, the step those of both.
TEST(Analysis, SeveralResultsOfAStep) {
  const BodyInfo* several = nullptr;
  for (const auto& op : op_table())
    for (const BodyInfo& body : bodies_of(op->op))
      if (body.results.size() == 2 && !body.results[1].computed) several = &body;
  ASSERT_NE(several, nullptr);
  Builder b({4096});
  std::vector<Value> arguments;
  for (const BodyType& type : several->operands) {
    const int slot = static_cast<int>(arguments.size());
    arguments.push_back(b.load(slot, ctype_dtype(type.in(Ctype::f32))));
  }
  const Value first = b.apply(*several, arguments, std::vector<AttrValue>(8));
  const Value second{Value::Kind::step, first.index, 1}, wide = b.convert(second, Dtype::f64);
  b.store(0, Dtype::bf16, first);
  b.store(1, Dtype::f64, wide);
  const PassInfo info(b.pass);
  EXPECT_EQ(info.of(second).type, several->results[1].fixed);
  EXPECT_TRUE(info.of(first).last_reader == -1 && info.of(second).last_reader == wide.index);
  EXPECT_FALSE(info.of(second).few_bits);
  const ValueInfo all = info.of_step(static_cast<size_t>(first.index));
  EXPECT_EQ(all.readers(), 2);
  EXPECT_EQ(all.last_reader, wide.index);
  EXPECT_TRUE(all.needs_all_bits);
  EXPECT_FALSE(all.few_bits);
}

// By the operator's own rounding where its float operands are loads or were rounded; plainly behind computed ones.
TEST(Analysis, Roundings) {
  Builder b({4096});
  const Value x = b.load(0, Dtype::bf16), y = b.load(1, Dtype::f32);
  const Value e = b.apply(TILEOPS_OP_EXP, {x}), rounded = b.convert(e, Dtype::bf16);
  const BodyInfo& lerp = passes::body_named(TILEOPS_OP_LERP, "lerp");
  const Value own = b.apply(lerp, {rounded, x, y}), inside = b.apply(lerp, {e, x, y});
  const Value product = b.apply(TILEOPS_OP_MUL, {x, y}), root = b.apply(TILEOPS_OP_RSQRT, {x});
  const Value of_f32 = b.apply(TILEOPS_OP_RSQRT, {y}), wide = b.apply(TILEOPS_OP_EXP, {y}, {}, Ctype::f64);
  b.store(0, Dtype::f16, own);
  b.store(1, Dtype::f32, own);
  const auto rounding = [&](const Value& v, Dtype to) { return rounding_of(b.pass, v, to); };
  for (const Dtype to : {Dtype::f32, Dtype::f64, Dtype::i32, Dtype::boolean})
    EXPECT_EQ(rounding(e, to), Rounding::none);
  EXPECT_EQ(rounding(e, Dtype::bf16), Rounding::tested);
  EXPECT_EQ(rounding(e, Dtype::e4m3fn), Rounding::tested);
  EXPECT_EQ(rounding(own, Dtype::f16), Rounding::odd);
  for (const Value& v : {x, y, rounded, inside, product, wide}) EXPECT_EQ(rounding(v, Dtype::f16), Rounding::nearest);
  EXPECT_EQ(rounding(root, Dtype::bf16), Rounding::nearest);  // exact_among_bf16
  EXPECT_EQ(rounding(root, Dtype::f16), Rounding::tested);
  EXPECT_EQ(rounding(of_f32, Dtype::bf16), Rounding::tested);

  const PassInfo info(b.pass);
  EXPECT_TRUE(info.of(own).operands_rounded);
  EXPECT_FALSE(info.of(inside).operands_rounded);
  EXPECT_EQ(info.of(own).taken_by(Rounding::odd), 1);
  EXPECT_EQ(info.of(own).taken_by(Rounding::none), 1);
  EXPECT_EQ(info.of(e).taken_by(Rounding::tested), 1);  // by the conversion
  EXPECT_EQ(info.of(e).taken_by(Rounding::none), 1);    // by the second lerp
}

// What backends add: loads whose values the CPU looks up were computed; forms of the CUDA backend are exact.
TEST(Analysis, RoundingsByBackend) {
  Builder b({4096});
  const Value x = b.load(0, Dtype::f16), y = b.load(1, Dtype::f16);
  const Value sigmoid = b.apply(TILEOPS_OP_SIGMOID, {x}), swish = b.apply(TILEOPS_OP_HARDSWISH, {y});
  b.store(0, Dtype::f16, sigmoid);
  b.store(1, Dtype::f16, swish);
  AnalysisOptions options;
  options.looked_up = {true, false};
  EXPECT_EQ(rounding_of(b.pass, sigmoid, Dtype::f16), Rounding::tested);
  EXPECT_EQ(rounding_of(b.pass, sigmoid, Dtype::f16, options), Rounding::nearest);
  EXPECT_EQ(rounding_of(b.pass, swish, Dtype::f16, options), Rounding::odd);
  EXPECT_FALSE(PassInfo(b.pass).of(sigmoid).few_bits);
  EXPECT_TRUE(PassInfo(b.pass, options).of(sigmoid).few_bits);
  options = {};
  options.is_exact = [](const BodyInfo& body, Dtype to) { return body.name == "hardswish" && dtype_size(to) == 2; };
  EXPECT_EQ(rounding_of(b.pass, swish, Dtype::f16, options), Rounding::nearest);
  EXPECT_EQ(rounding_of(b.pass, swish, Dtype::e4m3fn, options), Rounding::odd);
  EXPECT_EQ(PassInfo(b.pass, options).of(swish).taken_by(Rounding::odd), 0);
}

// A kernel of the CPU has the f64 form that a test needs, or the one that rounds to odd, where the analysis asks for
// it.
TEST(Analysis, CpuKernelsHaveWhatRoundingsNeed) {
  int count = 0;
  const cpu::IsaKernels* const* isas = cpu::usable_isas(&count);
  for (int i = 0; i < count; ++i) {
    const auto check = [](void*, const cpu::Kernel& kernel) {
      if (kernel.op < 0 || kernel.ctype != Ctype::f32 || kernel.out[0] != Ctype::f32) return;
      const BodyInfo& body = bodies_of(static_cast<tileops_op>(kernel.op))[static_cast<size_t>(kernel.body)];
      Builder b({4096});
      std::vector<Value> arguments;
      for (const BodyType& type : body.operands)
        arguments.push_back(b.load(static_cast<int>(arguments.size()), ctype_dtype(type.in(Ctype::f32))));
      const Rounding rounding = rounding_of(b.pass, b.apply(body, arguments), Dtype::f16);
      EXPECT_EQ(rounding == Rounding::odd, (kernel.find(cpu::Loop::rounded_to_odd) != nullptr)) << body.name;
      const bool tested = kernel.find(cpu::Loop::in_f64) && !kernel.find(cpu::Loop::rounded_to_odd);
      EXPECT_EQ(rounding == Rounding::tested, tested) << body.name;
    };
    isas[i]->add_kernels({check, nullptr});
  }
}

}  // namespace
}  // namespace tileops
