// Which kernel a problem gets, without a GPU: access patterns, traversal, forms and tables, and the
// arithmetic of positions.
#include "cuda/select/choose.h"

#include <gtest/gtest.h>

#include <random>

#include "../common/passes.h"
#include "choices.h"
#include "cuda/jit/nvrtc.h"
#include "cuda/jit/source.h"
#include "cuda/select/stages.h"

namespace tileops::cuda {
namespace {

using requests::Choose;
using requests::Operand;

TEST(Choose, ContiguousTakesSixteenBytes) {
  const Choice f32 = Choose(TILEOPS_OP_ADD, {{Dtype::f32, {1000000}, {}}, {Dtype::f32, {1000000}, {}}},
                            {Dtype::f32, {1000000}, {}});
  EXPECT_EQ(f32.spec.traversal.order, TraversalOrder::flat);
  EXPECT_EQ(f32.spec.traversal.vec, 4);
  EXPECT_EQ(f32.spec.access.loads[0].pattern, AccessPattern::dense);
  EXPECT_EQ(f32.launch.blocks, (1000000 / 4 + 127) / 128);
  EXPECT_FALSE(f32.launch.interleaved);
  EXPECT_EQ(Choose(TILEOPS_OP_RELU, {{Dtype::bf16, {64, 64}, {}}}, {Dtype::bf16, {64, 64}, {}}).spec.traversal.vec, 8);
  // Two accesses of the larger side, one of the smaller.
  EXPECT_EQ(Choose(TILEOPS_OP_ISNAN, {{Dtype::bf16, {64}, {}}}, {Dtype::boolean, {64}, {}}).spec.traversal.vec, 16);
  EXPECT_EQ(Choose(TILEOPS_OP_ISNAN, {{Dtype::f32, {64}, {}}}, {Dtype::boolean, {64}, {}}).spec.traversal.vec, 8);
}

TEST(Choose, EquallyPermutedIsContiguous) {
  const Operand t{Dtype::f32, {30, 20}, {1, 30}};
  EXPECT_EQ(Choose(TILEOPS_OP_EXP, {t}, t).spec.traversal.order, TraversalOrder::flat);
}

TEST(Choose, BroadcastsAreRows) {
  const Operand x{Dtype::bf16, {64, 4096}, {}};
  const Choice bias = Choose(TILEOPS_OP_ADD, {x, {Dtype::bf16, {4096}, {}}}, x);
  EXPECT_EQ(bias.spec.traversal.order, TraversalOrder::rows);
  EXPECT_EQ(bias.spec.traversal.vec, 8);
  EXPECT_EQ(bias.spec.access.loads[1].pattern, AccessPattern::row);
  const Choice scale = Choose(TILEOPS_OP_ADD, {x, {Dtype::bf16, {64, 1}, {}}}, x);
  EXPECT_EQ(scale.spec.access.loads[1].pattern, AccessPattern::broadcast);
  const Choice scalar = Choose(TILEOPS_OP_ADD, {x, {Dtype::bf16, {}, {}}}, x);
  EXPECT_EQ(scalar.spec.traversal.order, TraversalOrder::flat);
  EXPECT_EQ(scalar.spec.access.loads[1].pattern, AccessPattern::uniform);
  // Rows that packs do not divide.
  const Operand odd{Dtype::bf16, {64, 4095}, {}};
  const Choice element = Choose(TILEOPS_OP_ADD, {odd, {Dtype::bf16, {4095}, {}}}, odd);
  EXPECT_EQ(element.spec.traversal.order, TraversalOrder::elements);
  EXPECT_FALSE(element.launch.interleaved);
}

TEST(Choose, IndexWidthByExtent) {
  const auto wide = [](int64_t rows, int64_t cols) {
    const Operand x{Dtype::f32, {rows, cols}, {}};
    return Choose(TILEOPS_OP_ADD, {x, {Dtype::f32, {cols}, {}}}, x).spec.traversal.index64;
  };
  EXPECT_FALSE(wide(1 << 18, 1024));
  EXPECT_TRUE(wide(1 << 20, 1024));  // 2^30 elements, 2^32 bytes
  // Few elements, far apart.
  const Operand sparse{Dtype::f32, {4, 8}, {int64_t{1} << 30, 2}};
  EXPECT_TRUE(
      Choose(TILEOPS_OP_ADD, {sparse, {Dtype::f32, {4, 8}, {}}}, {Dtype::f32, {4, 8}, {}}).spec.traversal.index64);
}

TEST(Choose, TablesAndPolicies) {
  const int64_t n = 1 << 20;
  const auto unary = [&](tileops_op op, Dtype t, UseTables tables) {
    return Choose(op, {{t, {n}, {}}}, {t, {n}, {}}, tables).spec;
  };
  EXPECT_EQ(unary(TILEOPS_OP_GELU, Dtype::e4m3fn, UseTables::yes).traversal.kernel_template, Template::lookup);
  EXPECT_FALSE(unary(TILEOPS_OP_GELU, Dtype::e4m3fn, UseTables::no).looks_up());
  const auto pair = [&](tileops_op op, int64_t elements, std::vector<int64_t> strides) {
    return Choose(op, {{Dtype::e5m2, {elements}, {}}, {Dtype::e5m2, {elements}, strides}},
                  {Dtype::e5m2, {elements}, {}}, UseTables::yes)
        .spec.traversal.kernel_template;
  };
  EXPECT_EQ(pair(TILEOPS_OP_POW, 1 << 22, {}), Template::lookup_pairs);
  EXPECT_NE(pair(TILEOPS_OP_POW, 1 << 21, {}), Template::lookup_pairs);
  EXPECT_NE(pair(TILEOPS_OP_POW, 1 << 22, {2}), Template::lookup_pairs);
  EXPECT_NE(pair(TILEOPS_OP_ADD, 1 << 22, {}), Template::lookup_pairs);
  EXPECT_TRUE(unary(TILEOPS_OP_GELU, Dtype::bf16, UseTables::yes).compute.table);
  EXPECT_TRUE(unary(TILEOPS_OP_LEAKY_RELU, Dtype::f16, UseTables::yes).compute.table);
  EXPECT_TRUE(unary(TILEOPS_OP_HARDSIGMOID, Dtype::f16, UseTables::yes).compute.table);
  EXPECT_FALSE(unary(TILEOPS_OP_HARDSIGMOID, Dtype::bf16, UseTables::yes).compute.table);  // rounds to odd
  EXPECT_FALSE(unary(TILEOPS_OP_HARDSWISH, Dtype::f16, UseTables::yes).compute.table);     // rounded once
  EXPECT_FALSE(unary(TILEOPS_OP_GELU, Dtype::bf16, UseTables::no).compute.table);
  EXPECT_FALSE(unary(TILEOPS_OP_RELU, Dtype::bf16, UseTables::yes).compute.table);                 // exact anyway
  EXPECT_EQ(unary(TILEOPS_OP_ABS, Dtype::f16, UseTables::yes).access.loads[0].dtype, Dtype::u16);  // its bits
  EXPECT_EQ(unary(TILEOPS_OP_GELU, Dtype::f16, UseTables::yes).compute.policy, "fast<f16>");
  EXPECT_EQ(unary(TILEOPS_OP_GELU, Dtype::f32, UseTables::yes).compute.policy, "bounded");
  EXPECT_EQ(unary(TILEOPS_OP_GELU, Dtype::f64, UseTables::yes).compute.policy, "bounded");
}

TEST(Choose, LargeGatedHalvesTakeAnActivationTable) {
  const auto gated = [](Dtype t, int64_t rows, int64_t half, UseTables tables = UseTables::yes) {
    return Choose(TILEOPS_OP_GELU_AND_MUL, {{t, {rows, 2 * half}, {}}}, {t, {rows, half}, {}}, tables);
  };
  const Choice large = gated(Dtype::bf16, 8192, 1024);
  EXPECT_EQ(large.spec.traversal.vecs_per_thread, 0);
  EXPECT_EQ(large.launch.blocks, 132u);
  EXPECT_EQ(large.num_per_thread(), 8 * 8);  // 1 Mi packs, 132 blocks of 1024 threads
  EXPECT_EQ(gated(Dtype::bf16, 64, 1024).spec.traversal.vecs_per_thread, 1);
  EXPECT_EQ(large.kernel.shared_bytes, 31760);
  EXPECT_EQ(gated(Dtype::f16, 8192, 1024).spec.traversal.vecs_per_thread, 0);
  EXPECT_EQ(gated(Dtype::f16, 8192, 1024).kernel.shared_bytes, 180240);
  EXPECT_EQ(gated(Dtype::f32, 64, 1024).spec.traversal.vecs_per_thread, 1);
  EXPECT_EQ(gated(Dtype::f32, 8192, 1024).spec.traversal.vecs_per_thread, 2);
  EXPECT_EQ(gated(Dtype::bf16, 8192, 1024, UseTables::no).spec.traversal.vecs_per_thread, 1);
  EXPECT_EQ(gated(Dtype::bf16, 65536, 129).spec.traversal.vecs_per_thread,
            1);  // rows that no whole packs fill
}

// Accesses of 16 bytes for what is written, where it is wider than what is read.
TEST(Choose, WiderResults) {
  const auto vector = [](Dtype from, Dtype to) {
    return Choose(TILEOPS_OP_CAST, {{from, {1 << 20}, {}}}, {to, {1 << 20}, {}}).spec.traversal.vec;
  };
  EXPECT_EQ(vector(Dtype::bf16, Dtype::f32), 4);
  EXPECT_EQ(vector(Dtype::e4m3fn, Dtype::f32), 4);
  EXPECT_EQ(vector(Dtype::f32, Dtype::bf16), 8);
  const Operand x{Dtype::bf16, {1 << 20}, {}}, y{Dtype::f32, {1 << 20}, {}};
  const Choice asked = Choose(TILEOPS_OP_CAST, {x}, y, UseTables::yes, {TILEOPS_STRATEGY_REGISTER_COPY, 0, 64});
  EXPECT_EQ(asked.spec.traversal.vec * asked.spec.traversal.vecs_per_thread, 64);
}

// Gated forms take a table of their gates' activations.
TEST(Choose, TablesOfGates) {
  for (Dtype t : {Dtype::bf16, Dtype::f16, Dtype::e4m3fn, Dtype::e5m2}) {
    const Operand both{t, {64, 8192}, {}}, out{t, {64, 4096}, {}};
    EXPECT_TRUE(Choose(TILEOPS_OP_GELU_AND_MUL, {both}, out, UseTables::yes).spec.compute.table);
    EXPECT_FALSE(Choose(TILEOPS_OP_GELU_AND_MUL, {both}, out, UseTables::no).spec.compute.table);
  }
  const Operand both{Dtype::f32, {64, 8192}, {}}, out{Dtype::f32, {64, 4096}, {}};
  EXPECT_FALSE(Choose(TILEOPS_OP_GELU_AND_MUL, {both}, out, UseTables::yes).spec.compute.table);
}

// The two words that dropout's kernels take after its attributes.
TEST(Choose, DropoutIsPrepared) {
  const Operand x{Dtype::f32, {4096}, {}};
  const Choice c = Choose(TILEOPS_OP_DROPOUT, {x}, x);  // p = 1/2
  ASSERT_EQ(c.spec.compute.attrs, 7);
  const ArgumentLayout at = ArgumentLayout::of(c.spec);
  EXPECT_EQ(c.arguments.words[static_cast<size_t>(at.attr(5))], 0x400000003f000000u);              // 2 and 1/2
  EXPECT_EQ(c.arguments.words[static_cast<size_t>(at.attr(6))], uint64_t{2} << 32 | 0x80000000u);  // exact, 2^31
}

// RoPE's tables by position_ids: one load of ids, behind operands and results, for both of them.
TEST(Choose, IdsAreTheLastView) {
  const Operand x{Dtype::bf16, {1, 4096, 8, 128}, {}}, ids{Dtype::i32, {4096}, {}}, table{Dtype::f32, {8192, 64}, {}};
  const Choice c = Choose(TILEOPS_OP_ROPE_NEOX, {x, ids, table, table}, x);
  EXPECT_EQ(c.spec.access.loads.size(), 4u);
  EXPECT_EQ(c.spec.access.num_ids, 1);
  ASSERT_EQ(c.arguments.views.size(), 7u);
  EXPECT_EQ(c.arguments.views[6].slot, 1);
  const ArgumentLayout at = ArgumentLayout::of(c.spec);
  for (const int load : {2, 3}) {
    const AccessSpec& access = c.spec.access.loads[static_cast<size_t>(load)];
    EXPECT_EQ(access.pattern, AccessPattern::gathered);
    EXPECT_EQ(access.ids, Dtype::i32);
    EXPECT_EQ(access.ids_view, 6);
    EXPECT_EQ(c.arguments.words[static_cast<size_t>(at.attr(access.ids_word))], 64u * 4);
    EXPECT_EQ(c.arguments.words[static_cast<size_t>(at.attr(access.ids_word + 1))], 8192u);
  }
}

TEST(Choose, GatheredElementsOfEverySizeCompile) {
  const Nvrtc& nvrtc = Nvrtc::get();
  if (!nvrtc.available()) GTEST_SKIP() << nvrtc.failure();
  for (const Dtype t : {Dtype::e5m2, Dtype::f16, Dtype::i32, Dtype::f64, Dtype::boolean}) {
    passes::Builder b({500, 64});
    const int64_t size = static_cast<int64_t>(dtype_size(t));
    const Value rows = b.load(0, t, {0, size});
    b.pass.loads[0].indices = {{{Value::Kind::load, 1, 0}, 64 * size, 5}};
    b.pass.bits_kept = t == Dtype::f16;
    const Ctype ctype = b.pass.bits_kept ? Ctype::u16 : compute_type(t);
    b.store(0, t, b.apply(TILEOPS_OP_CAST, {rows}, {}, ctype));
    b.load(1, Dtype::i32, {4, 0});
    const Problem problem = b.problem();
    const Choice c = choose(problem, b.pass, make_layout(b.pass), {90, UseTables::yes, {}});
    EXPECT_EQ(c.spec.access.loads[0].pattern, AccessPattern::gathered);
    EXPECT_FALSE(nvrtc.compile(full_source(c.kernel), c.kernel.name, 90).image.empty());
  }
}

// Magic number and shift, as a launch that knows the divisor has them, or one that is told an extent.
TEST(Choose, Divisors) {
  const auto words_of = [](uint64_t d, bool index64, bool is_open) {
    Arguments a;
    a.words.assign(3, 0);
    const int64_t extent = static_cast<int64_t>(d);
    a.set_divisor(0, is_open ? Extent::open(0) : Extent(extent), index64);
    a.complete(&extent, 0, a.words.data());
    return a.words;
  };
  std::mt19937_64 random(5);
  for (int round = 0; round < 200000; ++round) {
    const uint64_t d = 1 + (random() >> (33 + random() % 31)), n = random() >> 33;
    const std::vector<uint64_t> m = words_of(d, false, round % 2);
    ASSERT_EQ((((n * m[0]) >> 32) + n) >> m[1], n / d) << n << " / " << d;
    ASSERT_EQ(m[2], d);
    using Wide = unsigned __int128;
    const uint64_t dw = 1 + (random() >> (1 + random() % 63)), nw = random() >> 1;
    const std::vector<uint64_t> w = words_of(dw, true, round % 2);
    const Wide sum = (Wide{nw} * w[0] >> 64) + nw;
    ASSERT_EQ(static_cast<uint64_t>(sum >> w[1]), nw / dw) << nw << " / " << dw;
  }
}

}  // namespace
}  // namespace tileops::cuda
