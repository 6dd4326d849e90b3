// Kernels of passes of several steps, without a GPU: their text, what is selected, and that they compile.
#include "cuda/steps/computation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "cuda/jit/nvrtc.h"
#include "cuda/jit/source.h"
#include "cuda/launch/launch.h"
#include "cuda/select/choose.h"
#include "pack/machine_code.h"
#include "problem/layout.h"
#include "random_pass.h"

namespace tileops::cuda {
namespace {

using passes::Builder;

Choice ChosenFor(const Problem& problem, int arch = 90) {
  return choose_pass(problem, 0, make_layout(problem.passes[0]), {arch, UseTables::yes, problem.hint});
}
Choice Chosen(const Builder& b, uint32_t flags = 0, const LaunchHint& hint = {}) {
  Problem problem = b.problem(flags);
  problem.hint = hint;
  return ChosenFor(problem);
}

// The lines of what a pass does, without what is around them.
std::string Lines(const Builder& b, uint32_t flags = 0) {
  const std::string text = Chosen(b, flags).spec.compute.text;
  const std::string attributes = "const AttrValue* a = args.attr;\n";
  const size_t begin = text.find(attributes) + attributes.size();
  return text.substr(begin, text.find("  }\n};") - begin);
}

std::vector<Extent> Along(int64_t last, int64_t before = 0) { return {before, last}; }

// What a function is refused with; "accepted" if it is not.
template <class F>
std::string Refusal(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(e.status, TILEOPS_STATUS_UNSUPPORTED);
    return e.message;
  }
  return "accepted";
}

// silu(g) * u + r
Builder Gated(Dtype t, const passes::Shape& shape = {1 << 20}) {
  Builder b(shape);
  const Value g = b.load(0, t), u = b.load(1, t), r = b.load(2, t);
  b.store(0, t, b.apply(TILEOPS_OP_ADD, {b.apply(TILEOPS_OP_MUL, {b.apply(TILEOPS_OP_SILU, {g}), u}), r}));
  return b;
}

TEST(Expression, TextOfSteps) {
  EXPECT_EQ(Chosen(Gated(Dtype::bf16)).spec.compute.text,
            "struct steps {\n"
            "  template <int N, class A>\n"
            "  static __device__ __forceinline__ void run(const A& args, const float (&x0)[N], const float (&x1)[N], "
            "const float (&x2)[N], raw_pack<bf16, N>* y0) {\n"
            "    [[maybe_unused]] const AttrValue* a = args.attr;\n"
            "    float v0[N];\n"
            "    apply_body<op::silu<within_2_20, float>>(a, v0, x0);\n"
            "    float v1[N];\n"
            "    apply_body<op::mul<bounded, float>>(a, v1, v0, x1);\n"
            "    float v2[N];\n"
            "    apply_body<op::add<bounded, float>>(a, v2, v1, x2);\n"
            "    const auto r0 = narrow_all<bf16>(v2);\n"
            "    *y0 = r0;\n"
            "  }\n"
            "};\n");
}

// Where computing takes about as long as the memory does, a thread takes two vectors, or four beside an operand that
// is the same along rows, unless there are few or the caller says how many.
TEST(Expression, SeveralVectorsWhereComputingTakesLong) {
  const auto vecs = [](Dtype t, const passes::Shape& shape, const passes::Shape& strides, bool gelu,
                       LaunchHint hint = {}) {
    Builder b(shape);
    const Value sum = b.apply(TILEOPS_OP_ADD, {b.load(0, t), b.load(1, t, strides)});
    b.store(0, t, gelu ? b.apply(TILEOPS_OP_GELU, {sum}) : b.apply(TILEOPS_OP_ABS, {sum}));
    return Chosen(b, 0, hint).spec.traversal.vecs_per_thread;
  };
  const passes::Shape large{8192, 4096}, row{0, 4}, column{4, 0};
  EXPECT_EQ(vecs(Dtype::f32, large, row, true), 2);
  EXPECT_EQ(vecs(Dtype::f32, large, column, true), 4);
  EXPECT_EQ(vecs(Dtype::f32, large, row, false), 1);
  EXPECT_EQ(vecs(Dtype::f32, {64, 4096}, row, true), 1);
  EXPECT_EQ(vecs(Dtype::f32, large, row, true, {TILEOPS_STRATEGY_REGISTER_COPY, 0, 4}), 1);
  EXPECT_EQ(vecs(Dtype::bf16, large, {0, 2}, true), 2);
}

// Around the steps each operand and result is named; a tiled kernel goes through lists of them.
TEST(Expression, TextOfTransfers) {
  const std::string rows = Chosen(Gated(Dtype::bf16)).kernel.text;
  EXPECT_NE(rows.find("    raw_pack<bf16, spec::vec> m2;\n"), std::string::npos);
  EXPECT_NE(rows.find("      widen_all(m2, x2);\n"), std::string::npos);
  EXPECT_NE(rows.find("steps::run<1>(a, x0, x1, x2, &y0);"), std::string::npos);
  EXPECT_NE(rows.find("put_element<access<bf16, access_pattern::dense>>(a, at, 3, y0);"), std::string::npos);
  EXPECT_NE(rows.find("elementwise<spec, transfers>::run(a);"), std::string::npos);
  EXPECT_EQ(rows.find("using loads"), std::string::npos);
}

// The kernel is known by its text: shapes, attributes, slots of operands and the problem's name are not in it.
TEST(Expression, EqualPassesShareAKernel) {
  Builder one({1 << 20}), two({1 << 16});
  for (Builder* b : {&one, &two}) {
    const Value x = b->load(b == &one ? 0 : 3, Dtype::f32);
    AttrValue slope;
    slope.f64 = b == &one ? 0.1 : 0.3;
    b->store(0, Dtype::f32, b->apply(TILEOPS_OP_NEG, {b->apply(TILEOPS_OP_LEAKY_RELU, {x}, {slope})}));
  }
  EXPECT_EQ(Chosen(one).kernel.text, Chosen(two).kernel.text);
  EXPECT_NE(Chosen(one).kernel.text, Chosen(one, TILEOPS_PLAN_REPRODUCIBLE).kernel.text);
  EXPECT_EQ(Chosen(one).kernel.name, "expression(float dense)->(float dense)@flatx4");
}

// A rounding of an operator whose operands are loads or were rounded is the operator's own; others are plain.
TEST(Expression, Roundings) {
  Builder b({4096});
  const Value x = b.load(0, Dtype::bf16), y = b.load(1, Dtype::f32);
  const Value e = b.apply(TILEOPS_OP_EXP, {x});
  const Value rounded = b.convert(e, Dtype::bf16);
  const Value l = b.apply(passes::body_named(TILEOPS_OP_LERP, "lerp"), {rounded, x, y});
  b.store(0, Dtype::f16, l);                                // own, from a result rounded to odd
  b.store(1, Dtype::f16, b.apply(TILEOPS_OP_EXP, {e}));     // plain
  b.store(2, Dtype::f16, b.apply(TILEOPS_OP_MUL, {x, y}));  // own, which is plain
  b.store(3, Dtype::bf16, rounded);                         // rounded already
  b.store(4, Dtype::bf16, e);                               // once more as above
  EXPECT_EQ(Lines(b, TILEOPS_PLAN_REPRODUCIBLE),
            "    float v0[N];\n"
            "    apply_body<op::exp<bit_exact, float>>(a, v0, x0);\n"
            "    const auto r0 = tested_rounding<bf16, 1, op::exp<portable_pre_round, double>>(a, v0, x0);\n"
            "    float v1[N];\n"
            "    widen_rounded<bf16>(r0, v1);\n"
            "    float v3[N];\n"
            "    apply_body<op::exp<bit_exact, float>>(a, v3, v0);\n"
            "    float v4[N];\n"
            "    apply_body<op::mul<bit_exact, float>>(a, v4, x0, x1);\n"
            "    const auto r1 = odd_rounding<f16, op::lerp<bit_exact, float>>(a, v1, x0, x1);\n"
            "    *y0 = r1;\n"
            "    const auto r2 = narrow_all<f16>(v3);\n"
            "    *y1 = r2;\n"
            "    const auto r3 = narrow_all<f16>(v4);\n"
            "    *y2 = r3;\n"
            "    *y3 = r0;\n"
            "    *y4 = r0;\n");
}

// A cast to the own dtype rounds nothing, but what is rounded behind it is not the operator's own.
// Values that only results of 16 bits or fewer depend on, and that are rounded plainly, need 2^-20.
TEST(Expression, PolicyOfInnerValues) {
  const auto policy = [](Dtype result, uint32_t flags = 0, Dtype of_cast = Dtype::bf16, bool with_cast = false) {
    Builder b({4096});
    const Value x = b.load(0, Dtype::bf16);
    Value v = b.apply(TILEOPS_OP_TANH, {b.apply(TILEOPS_OP_ADD, {x, x})});
    if (with_cast) v = b.convert(v, of_cast);
    b.store(0, result, b.apply(TILEOPS_OP_ADD, {v, x}));
    const std::string lines = Lines(b, flags);
    const size_t begin = lines.find("op::tanh<") + 9;
    return lines.substr(begin, lines.find(',', begin) - begin);
  };
  EXPECT_EQ(policy(Dtype::bf16), "within_2_20");
  EXPECT_EQ(policy(Dtype::e4m3fn), "within_2_20");
  EXPECT_EQ(policy(Dtype::f32), "bounded");
  EXPECT_EQ(policy(Dtype::i8), "bounded");
  EXPECT_EQ(policy(Dtype::bf16, TILEOPS_PLAN_REPRODUCIBLE), "bit_exact");
  EXPECT_EQ(policy(Dtype::bf16, 0, Dtype::bf16, true), "within_2_20");
  EXPECT_EQ(policy(Dtype::f32, 0, Dtype::bf16, true), "bounded");
  EXPECT_EQ(policy(Dtype::bf16, 0, Dtype::f32, true), "bounded");
  EXPECT_EQ(policy(Dtype::bf16, 0, Dtype::i32, true), "bounded");
}

TEST(Expression, CastThatChangesNothing) {
  Builder b({4096});
  const Value e = b.apply(TILEOPS_OP_EXP, {b.load(0, Dtype::f32)});
  b.store(0, Dtype::bf16, b.convert(e, Dtype::f32));
  EXPECT_EQ(Lines(b), "    float v0[N];\n"
                      "    apply_body<op::exp<bounded, float>>(a, v0, x0);\n"
                      "    const auto r0 = narrow_all<bf16>(v0);\n"
                      "    *y0 = r0;\n");
}

// Attributes lie one step's after the other's; those that are numbers are filled in when executed.
TEST(Expression, AttributesAndNumbers) {
  Builder b({4096});
  const Value x = b.load(0, Dtype::f32), n = b.number(0, Dtype::f64);
  AttrValue lo, hi, slope;
  lo.f64 = -1;
  hi.f64 = 2;
  slope.f64 = 0.5;
  const Value h = b.apply(TILEOPS_OP_HARDTANH, {x}, {lo, hi});
  const Value v = b.apply(TILEOPS_OP_LEAKY_RELU, {b.apply(TILEOPS_OP_MUL, {h, n})}, {slope});
  b.pass.steps[0].numbers = {-1, 1};
  b.store(0, Dtype::f32, v);
  const Choice c = Chosen(b);
  EXPECT_EQ(c.spec.compute.attrs, 3);
  const ArgumentLayout at = ArgumentLayout::of(c.spec);
  const auto word = [&](int i) { return c.arguments.words[static_cast<size_t>(at.attr(i))]; };
  EXPECT_EQ(word(0), 0xbff0000000000000u);
  EXPECT_EQ(word(2), 0x3fe0000000000000u);
  ASSERT_EQ(c.arguments.numbers.size(), 1u);
  EXPECT_EQ(c.arguments.numbers[0].word, at.attr(1));
  EXPECT_EQ(c.arguments.numbers[0].number, 1);
  EXPECT_NE(c.spec.compute.text.find("leaky_relu<bounded, float>>(a + 2, v2, v1)"), std::string::npos);
  EXPECT_EQ(c.arguments.views[1].kind, ViewKind::number);
  EXPECT_EQ(c.spec.access.loads[1].pattern, AccessPattern::immediate);
}

// Layouts as operators have them.
TEST(Expression, Traversals) {
  const auto sum = [](const std::vector<Extent>& strides, const passes::Shape& shape = {64, 4096}) {
    Builder b(shape);
    const Value x = b.load(0, Dtype::bf16), y = b.load(1, Dtype::bf16, strides);
    b.store(0, Dtype::bf16, b.apply(TILEOPS_OP_RELU, {b.apply(TILEOPS_OP_ADD, {x, y})}));
    return b;
  };
  EXPECT_EQ(Chosen(sum(Along(2, 8192))).spec.traversal.order, TraversalOrder::flat);
  EXPECT_EQ(Chosen(sum(Along(2))).spec.traversal.order, TraversalOrder::rows);
  EXPECT_EQ(Chosen(sum(Along(0, 2))).spec.access.loads[1].pattern, AccessPattern::broadcast);
  EXPECT_EQ(Chosen(sum(Along(128, 2))).spec.traversal.order, TraversalOrder::tiles);
  EXPECT_EQ(Chosen(sum(Along(2), {64, 4095})).spec.traversal.order, TraversalOrder::elements);
  const Choice strided = Chosen(sum(Along(4, 16384)));
  EXPECT_TRUE(strided.spec.traversal.interleaved);
  EXPECT_EQ(strided.spec.access.stride_slots, (std::vector<int>{-1, 0, -1}));
  const Choice asked = Chosen(sum(Along(2, 8192)), 0, {TILEOPS_STRATEGY_REGISTER_COPY, 256, 16});
  EXPECT_EQ(asked.spec.traversal.threads, 256);
  EXPECT_EQ(asked.num_per_thread(), 16);
}

TEST(Expression, IndexWidth) {
  const auto wide = [](int64_t rows) {
    Builder b({rows, 1024});
    const Value x = b.load(0, Dtype::f32), y = b.load(1, Dtype::f32, Along(4));
    b.store(0, Dtype::f32, b.apply(TILEOPS_OP_NEG, {b.apply(TILEOPS_OP_ADD, {x, y})}));
    return Chosen(b).spec.traversal.index64;
  };
  EXPECT_FALSE(wide(1 << 18));
  EXPECT_TRUE(wide(1 << 20));  // 2^30 elements, 2^32 bytes
  EXPECT_TRUE(wide(1 << 22));
}

// Vectors and parts of them shrink with the values that are needed at a time, the operands and the instructions.
TEST(Expression, RegistersAndInstructions) {
  EXPECT_EQ(Chosen(Gated(Dtype::bf16)).spec.traversal.vec, 8);
  const auto wide = [](int values) {
    Builder b({1 << 20});
    const Value x = b.load(0, Dtype::f32);
    std::vector<Value> all{x};
    for (int i = 0; i < values; ++i) all.push_back(b.apply(TILEOPS_OP_MUL, {all.back(), x}));
    Value least = x;
    for (const Value& v : all) least = b.apply(TILEOPS_OP_MINIMUM, {least, v});
    b.store(0, Dtype::f32, least);
    return Chosen(b).spec;
  };
  EXPECT_EQ(wide(4).compute.step_width, 4);
  EXPECT_EQ(wide(20).compute.step_width, 2);
  EXPECT_EQ(wide(120).traversal.vec, 1);
  const auto long_chain = [](int length) {
    Builder b({1 << 20});
    Value v = b.load(0, Dtype::bf16);
    for (int i = 0; i < length; ++i) v = b.apply(TILEOPS_OP_SIGMOID, {v});
    b.store(0, Dtype::bf16, v);
    return Chosen(b).spec;
  };
  EXPECT_EQ(long_chain(2).traversal.vec, 8);
  EXPECT_EQ(long_chain(256).traversal.vec, 1);
  EXPECT_EQ(long_chain(32).compute.text.find("call_body"), std::string::npos);
  EXPECT_NE(long_chain(33).compute.text.find("call_body<op::sigmoid<within_2_20, float>>"), std::string::npos);
}

// Strides that no view needs are left out, and equal ones are shared where the block would be too large.
TEST(Expression, SizeOfTheArgumentBlock) {
  const auto sum = [](int operands, bool equal) {
    passes::Shape shape(14, 2);
    Builder b(shape);
    Value v = b.load(0, Dtype::f32);
    for (int i = 1; i < operands; ++i) {
      std::vector<Extent> strides = passes::dense(shape, Dtype::f32);
      for (size_t d = 0; d < strides.size(); ++d) strides[d] *= d % 2 ? 1 : equal ? 3 : 3 + i;
      v = b.apply(TILEOPS_OP_ADD, {v, b.load(i, Dtype::f32, strides)});
    }
    b.store(0, Dtype::f32, v);
    return Chosen(b).arguments.words.size() * 8;
  };
  EXPECT_LT(sum(4, false), 1000u);
  EXPECT_LE(sum(32, true), 4096u);
  EXPECT_GT(sum(32, false), 4096u);
  EXPECT_EQ(most_argument_bytes(90, 12010, 13000), kMostArgumentBytes);
  EXPECT_EQ(most_argument_bytes(90, 12010, 0), kMostArgumentBytes);
  EXPECT_EQ(most_argument_bytes(90, 12000, 13000), kUsualArgumentBytes);
  EXPECT_EQ(most_argument_bytes(90, 13000, 11080), kUsualArgumentBytes);
  EXPECT_EQ(most_argument_bytes(61, 13000, 13000), kUsualArgumentBytes);
}

TEST(Expression, TooLargeAnArgumentBlock) {
  KernelSpec spec = Chosen(Gated(Dtype::f32)).spec;
  EXPECT_EQ(Refusal([&] { require_arguments_fit(spec, 512, 61); }), "accepted");
  EXPECT_NE(Refusal([&] {
              require_arguments_fit(spec, 513, 61);
            }).find("4 views of 1 dimensions and 0 attributes are 4104 bytes"),
            std::string::npos);
}

TEST(Expression, WhatThereIsNoKernelFor) {
  const auto refusal = [](const Builder& b) { return Refusal([&] { Chosen(b); }); };
  Builder gathers = Gated(Dtype::f32);
  EXPECT_EQ(refusal(gathers), "accepted");
  gathers.pass.loads[1].indices = {{{Value::Kind::load, static_cast<int>(gathers.pass.loads.size()), 0}, 4, 1}};
  gathers.load(2, Dtype::i64);
  EXPECT_NE(refusal(gathers).find("gathers an operand"), std::string::npos);
  Builder bits = Gated(Dtype::f32);
  bits.pass.bits_kept = true;
  EXPECT_NE(refusal(bits).find("keeps the bits"), std::string::npos);
}

// Random passes come to the same text again, compile from the units that they reach to the code that all headers give,
// and have no text in common.
TEST(Expression, RandomPassesCompile) {
  const Nvrtc& nvrtc = Nvrtc::get();
  if (!nvrtc.available()) GTEST_SKIP() << nvrtc.failure();
  const int archs[] = {80, 90, 100};
  std::set<std::string> texts;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const int arch = archs[seed % 3];
    passes::RandomPass pass = passes::random_pass(1000 + seed);
    pass.hint = {};
    const Problem problem = pass.problem(seed % 2 ? TILEOPS_PLAN_REPRODUCIBLE : 0);
    const Choice choice = ChosenFor(problem, arch);
    EXPECT_EQ(choice.kernel.text, ChosenFor(problem, arch).kernel.text);
    EXPECT_EQ(choice.arguments.words.size(), static_cast<size_t>(ArgumentLayout::of(choice.spec).words()));
    texts.insert(choice.kernel.text);
    try {
      const auto code = [&](const std::string& source) {
        const std::string image = nvrtc.compile(source, choice.kernel.name, arch).image;
        return without_places_of_coefficients(machine_code(choice.kernel, image).bytes);
      };
      EXPECT_TRUE(code(full_source(choice.kernel)) == code(whole_source(choice.kernel))) << "seed " << seed;
    } catch (const Error& e) {
      ADD_FAILURE() << "seed " << seed << ": " << e.message << "\n" << passes::describe(pass.builder.pass);
    }
  }
  EXPECT_EQ(texts.size(), 6u);
}

}  // namespace
}  // namespace tileops::cuda
