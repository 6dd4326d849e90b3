// What measuring found, as the choice takes it, and what callers or tileops_tune ask for instead.
#include "cuda/tuning/tuning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "choices.h"
#include "cuda/tuning/body_tuning.h"
#include "cuda/tuning_candidates.h"
#include "lower/lower.h"
#include "problem/request.h"
#include "store/tuned.h"

namespace tileops::cuda {
namespace {

using requests::Choose;
using requests::Operand;

TEST(Tuning, HeavyBodiesTakeTwoVectors) {
  const auto units = [](tileops_op op, Dtype t, int64_t n = 1 << 26) {
    return Choose(op, {{t, {n}, {}}}, {t, {n}, {}}).spec.traversal.vecs_per_thread;
  };
  EXPECT_EQ(units(TILEOPS_OP_SOFTPLUS, Dtype::f32, 1 << 20), 1);  // few packs
  EXPECT_EQ(units(TILEOPS_OP_SIN, Dtype::f64), 2);
  EXPECT_EQ(units(TILEOPS_OP_SOFTPLUS, Dtype::f32), 2);
  EXPECT_EQ(units(TILEOPS_OP_ERF, Dtype::bf16), 2);
  EXPECT_EQ(units(TILEOPS_OP_RELU, Dtype::f32), 1);
  EXPECT_EQ(units(TILEOPS_OP_MISH, Dtype::bf16), 1);
  const auto outer = [](Dtype t) {
    return Choose(TILEOPS_OP_ADD, {{t, {4096, 1}, {}}, {t, {4096}, {}}}, {t, {4096, 4096}, {}})
        .spec.traversal.vecs_per_thread;
  };
  EXPECT_EQ(outer(Dtype::f64), 2);
  EXPECT_EQ(outer(Dtype::f32), 1);
}

// Blocks are large where results alone move.
TEST(Tuning, ThreadsOfABlock) {
  const Operand y{Dtype::bf16, {4096, 4096}, {}}, row{Dtype::bf16, {4096}, {}}, column{Dtype::bf16, {4096, 1}, {}};
  EXPECT_EQ(Choose(TILEOPS_OP_ADD, {y, row}, y).spec.traversal.threads, 128);
  EXPECT_EQ(Choose(TILEOPS_OP_ADD, {y, column}, y).spec.traversal.threads, 128);
  EXPECT_EQ(Choose(TILEOPS_OP_ADD, {column, row}, y).spec.traversal.threads, 256);
  EXPECT_EQ(Choose(TILEOPS_OP_ADD, {column, row}, y, UseTables::yes, {TILEOPS_STRATEGY_REGISTER_COPY, 64, 0})
                .spec.traversal.threads,
            64);
}

TEST(Tuning, StrategiesByName) {
  const Operand x{Dtype::bf16, {1 << 20}, {}}, rows{Dtype::bf16, {64, 4096}, {}};
  const auto cut = [](const Choice& c) {
    return std::to_string(c.strategy()) + " " + std::to_string(c.spec.traversal.threads) + "x" +
           std::to_string(c.num_per_thread());
  };
  const auto flat = [&](LaunchHint w) { return cut(Choose(TILEOPS_OP_RELU, {x}, x, UseTables::yes, w)); };
  EXPECT_EQ(flat({}), "3 128x8");
  EXPECT_EQ(flat({TILEOPS_STRATEGY_DIRECT, 0, 0}), "1 128x1");
  EXPECT_EQ(flat({TILEOPS_STRATEGY_DIRECT, 512, 1}), "1 512x1");
  EXPECT_EQ(flat({TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 128, 4}), "2 128x4");
  EXPECT_EQ(flat({TILEOPS_STRATEGY_REGISTER_COPY, 128, 32}), "3 128x32");
  EXPECT_EQ(flat({TILEOPS_STRATEGY_REGISTER_COPY, 0, 4}), "3 128x4");  // 8-byte accesses
  // Broadcasts have packs within rows; where rows are odd, element accesses remain.
  const auto bias = [&](int64_t n, LaunchHint w) {
    const Operand y{Dtype::bf16, {64, n}, {}};
    return Choose(TILEOPS_OP_ADD, {y, {Dtype::bf16, {n}, {}}}, y, UseTables::yes, w);
  };
  EXPECT_EQ(bias(4096, {TILEOPS_STRATEGY_REGISTER_COPY, 0, 16}).spec.traversal.vecs_per_thread, 2);
  EXPECT_EQ(bias(4096, {TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 0, 4}).spec.traversal.order, TraversalOrder::elements);
  EXPECT_EQ(cut(bias(4096, {TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 0, 4})), "2 128x4");
  EXPECT_EQ(cut(bias(4096, {TILEOPS_STRATEGY_DIRECT, 0, 0})), "1 128x1");
  const Operand columns{Dtype::bf16, {64, 64}, {128, 2}};
  EXPECT_EQ(Choose(TILEOPS_OP_RELU, {columns}, {Dtype::bf16, {64, 64}, {}}, UseTables::yes,
                   {TILEOPS_STRATEGY_REGISTER_COPY, 0, 0})
                .strategy(),
            TILEOPS_STRATEGY_EXPLICIT_PARALLEL);
  // What does not suit the operands is refused by name.
  const auto refusal = [&](tileops_op op, const std::vector<Operand>& in, const Operand& out, LaunchHint w) {
    try {
      Choose(op, in, out, UseTables::yes, w);
    } catch (const Error& e) {
      return e.message;
    }
    return std::string("accepted");
  };
  EXPECT_EQ(flat({TILEOPS_STRATEGY_TABLE, 0, 0}), "4 1024x16");
  EXPECT_EQ(Choose(TILEOPS_OP_RELU, {x}, x, UseTables::yes, {TILEOPS_STRATEGY_TABLE, 512, 64}).launch.blocks, 32u);
  EXPECT_NE(refusal(TILEOPS_OP_ADD, {x, x}, x, {TILEOPS_STRATEGY_TABLE, 0, 0}).find("strategy: table"),
            std::string::npos);
  const Operand f32{Dtype::f32, {1 << 20}, {}};
  EXPECT_NE(refusal(TILEOPS_OP_RELU, {f32}, f32, {TILEOPS_STRATEGY_TABLE, 0, 0}).find("strategy: table"),
            std::string::npos);
  EXPECT_NE(refusal(TILEOPS_OP_RELU, {x}, x, {TILEOPS_STRATEGY_TILE, 0, 0}).find("strategy: tile"), std::string::npos);
  EXPECT_NE(refusal(TILEOPS_OP_RELU, {x}, x, {TILEOPS_STRATEGY_REGISTER_COPY, 0, 128}).find("num_per_thread"),
            std::string::npos);
  EXPECT_NE(refusal(TILEOPS_OP_RELU, {x}, x, {TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 0, 64}).find("num_per_thread"),
            std::string::npos);
  const Operand fp8{Dtype::e4m3fn, {1000}, {}};
  EXPECT_EQ(cut(Choose(TILEOPS_OP_GELU, {fp8}, fp8, UseTables::yes, {TILEOPS_STRATEGY_TABLE, 512, 128})), "4 512x128");
  EXPECT_NE(refusal(TILEOPS_OP_GELU, {fp8}, fp8, {TILEOPS_STRATEGY_TABLE, 0, 8}).find("num_per_thread"),
            std::string::npos);
  EXPECT_EQ(refusal(TILEOPS_OP_ADD, {rows, rows}, rows, {TILEOPS_STRATEGY_DIRECT, 1024, 0}), "accepted");
  const Operand square{Dtype::f32, {64, 64}, {1, 64}};
  EXPECT_EQ(
      Choose(TILEOPS_OP_EXP, {square}, {Dtype::f32, {64, 64}, {}}, UseTables::yes, {TILEOPS_STRATEGY_TILE, 128, 0})
          .spec.traversal.threads,
      128);
}

TEST(Tuning, EveryGenerationHasItsEntry) {
  for (const int arch : {80, 86, 89, 90, 100, 120}) EXPECT_EQ(tuning_of(arch).arch, arch);
  EXPECT_EQ(tuning_of(87).arch, 86);
  EXPECT_EQ(tuning_of(103).arch, 100);
  EXPECT_EQ(tuning_of(130).arch, 120);
}

// A body's row is found by its name: one that no body has any more would go unnoticed.
TEST(Tuning, TunedBodiesAreThere) {
  std::set<std::string> names;
  for (const auto& op : op_table())
    for (const BodyInfo& body : bodies_of(op->op)) names.insert(body.name);
  for (const BodyTuning& tuned : kBodyTunings) EXPECT_TRUE(names.count(std::string(tuned.body))) << tuned.body;
}

TEST(Tuning, RegisterBoundsAreOfTheArchitectureMeasured) {
  const Operand x{Dtype::f16, {1 << 20}, {}};
  const Problem problem = requests::ProblemOf(TILEOPS_OP_EQ, {x, x}, {Dtype::boolean, {1 << 20}, {}});
  const auto blocks = [&](int arch) {
    return choose_pass(problem, 0, make_layout(problem.passes[0]), {arch, UseTables::yes, {}})
        .spec.traversal.min_blocks;
  };
  EXPECT_EQ(blocks(90), 10);
  EXPECT_EQ(blocks(80), 0);
  EXPECT_EQ(blocks(100), 0);
}

TEST(Tuning, CandidatesAreDifferentKernels) {
  const auto candidates = [](tileops_op op, Dtype t, int arch = 90) {
    const int64_t n = 1 << 22;
    const tileops_tensor_desc d{dtype_to_dl(t), 1, &n, nullptr};
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.op = op;
    desc.device = DLDevice{kDLCUDA, 0};
    desc.num_inputs = desc.num_outputs = 1;
    desc.inputs = desc.outputs = &d;
    return tuning_candidates(lower(make_request(desc)), arch);
  };
  const auto bf16 = candidates(TILEOPS_OP_RELU, Dtype::bf16);
  ASSERT_GT(bf16.size(), 8u);
  EXPECT_EQ(bf16[0].strategy, TILEOPS_STRATEGY_AUTO);
  std::set<std::string> seen;
  for (const LaunchHint& w : bf16) {
    EXPECT_TRUE(seen.insert(cache::tuned_text(w)).second);
    EXPECT_NE(w.strategy, TILEOPS_STRATEGY_TILE);
  }
  const auto has_table = [](const std::vector<LaunchHint>& list) {
    return std::any_of(list.begin(), list.end(),
                       [](const LaunchHint& w) { return w.strategy == TILEOPS_STRATEGY_TABLE; });
  };
  EXPECT_TRUE(has_table(bf16));
  EXPECT_FALSE(has_table(candidates(TILEOPS_OP_RELU, Dtype::bf16, 89)));  // 99 KiB of shared memory
  EXPECT_FALSE(has_table(candidates(TILEOPS_OP_RELU, Dtype::f32)));
  const auto fp8 = candidates(TILEOPS_OP_GELU, Dtype::e4m3fn);
  EXPECT_TRUE(has_table(fp8));
}

}  // namespace
}  // namespace tileops::cuda
