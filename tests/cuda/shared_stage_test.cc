// How RoPE is cut: heads that a thread turns one after the other, and threads that compute their
// angles together.
#include <gtest/gtest.h>

#include "choices.h"

namespace tileops::cuda {
namespace {

using requests::Choose;
using requests::Operand;

Choice Rope(tileops_op op, int64_t heads, Dtype t, int64_t length = 1, int64_t head = 128) {
  const Operand x{t, {1, length * 4096, heads, head}, {}};
  return Choose(op, {x}, x);
}
KernelSpec Neox(int64_t heads, Dtype t, int64_t length = 1, int64_t head = 128) {
  return Rope(TILEOPS_OP_ROPE_NEOX, heads, t, length, head).spec;
}

TEST(SharedStage, AloneAsManyHeadsAsAPowerOfTwoDivides) {
  EXPECT_EQ(Neox(6, Dtype::bf16).traversal.rows_per_thread, 2);
  EXPECT_EQ(Neox(30, Dtype::bf16, 8).traversal.rows_per_thread, 2);
  EXPECT_EQ(Neox(12, Dtype::bf16, 8, 96).traversal.rows_per_thread, 4);
  EXPECT_EQ(Neox(28, Dtype::e4m3fn, 8).traversal.rows_per_thread, 4);
  EXPECT_EQ(Neox(7, Dtype::bf16, 8).traversal.rows_per_thread, 1);
  EXPECT_EQ(Neox(8, Dtype::f32, 8).traversal.rows_per_thread, 2);
  EXPECT_EQ(Neox(8, Dtype::f64, 8).traversal.rows_per_thread, 1);
  for (const int64_t heads : {6, 30, 7}) EXPECT_EQ(Neox(heads, Dtype::bf16, 8).traversal.cooperating_threads, 1);
  EXPECT_EQ(Neox(6, Dtype::e4m3fn).traversal.vec, 8);
  const std::vector<int64_t> shape{1, 4096, 8, 128};  // one element repeated is no pack to turn
  EXPECT_EQ(Choose(TILEOPS_OP_ROPE_NEOX, {{Dtype::bf16, shape, {4096 * 8, 8, 1, 0}}}, {Dtype::bf16, shape, {}})
                .spec.traversal.rows_per_thread,
            1);
}

TEST(SharedStage, FourThreadsShareTheAnglesOfAPosition) {
  const auto shared = [](const KernelSpec& spec, int vector, int rows) {
    EXPECT_EQ(spec.traversal.cooperating_threads, 4);
    EXPECT_EQ(spec.traversal.vec, vector);
    EXPECT_EQ(spec.traversal.rows_per_thread, rows);
  };
  shared(Neox(4, Dtype::bf16), 8, 1);
  shared(Neox(32, Dtype::f16, 8), 8, 1);
  shared(Neox(32, Dtype::e4m3fn, 8), 16, 4);
  shared(Neox(8, Dtype::e5m2, 8), 16, 2);
  shared(Neox(8, Dtype::bf16, 8, 16), 8, 1);  // one pack a head
  const Operand x{Dtype::f16, {1, 32768, 32, 128}, {}};
  shared(Choose(TILEOPS_OP_ROPE_LONGROPE, {x, {Dtype::f32, {64}, {}}}, x).spec, 8, 2);
  EXPECT_EQ(Neox(8, Dtype::f32, 8).traversal.cooperating_threads, 1);  // their angles stay in registers
  EXPECT_EQ(Neox(8, Dtype::bf16, 8, 256).traversal.cooperating_threads,
            1);                                                             // 16 packs a head: four heads are two warps
  EXPECT_EQ(Neox(8, Dtype::bf16, 8, 96).traversal.cooperating_threads, 1);  // six
}

// Other operators take two packs a thread where results have 8 bytes and nothing is streamed in, such as an expanded x.
TEST(SharedStage, TakesOnePackATurn) {
  const std::vector<int64_t> shape{4, 4096, 32, 128};
  const KernelSpec spec =
      Choose(TILEOPS_OP_ROPE_NEOX, {{Dtype::f32, shape, {0, 4096, 128, 1}}}, {Dtype::f64, shape, {}}).spec;
  EXPECT_EQ(spec.traversal.rows_per_thread, 2);
  EXPECT_EQ(spec.traversal.vecs_per_thread, 1);
}

TEST(SharedStage, CountsPacksOfThreads) {
  const Choice one = Rope(TILEOPS_OP_ROPE_NEOX, 7, Dtype::bf16, 8),
               two = Rope(TILEOPS_OP_ROPE_NEOX, 14, Dtype::bf16, 8);
  EXPECT_EQ(one.arguments.words[ArgumentLayout::count], two.arguments.words[ArgumentLayout::count]);
  EXPECT_EQ(two.spec.traversal.rows_per_thread, 2);
}

TEST(SharedStage, InterleavedPairsAreOneView) {
  const KernelSpec pairs = Rope(TILEOPS_OP_ROPE_NON_NEOX, 8, Dtype::bf16).spec;
  EXPECT_EQ(pairs.access.loads[0].pattern, AccessPattern::even);
  EXPECT_EQ(pairs.access.loads[1].pattern, AccessPattern::odd);
  EXPECT_EQ(pairs.access.stores[0].pattern, AccessPattern::even);
  EXPECT_EQ(pairs.access.stores[1].pattern, AccessPattern::odd);
  EXPECT_EQ(pairs.traversal.order, TraversalOrder::rows);
}

}  // namespace
}  // namespace tileops::cuda
