// Which kernel a problem gets, without a GPU: access patterns, traversal, tuning, and the
// arithmetic of positions.
#include "cuda/select/choose.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "base/error.h"
#include "choices.h"
#include "cuda/jit/source.h"
#include "cuda/select/stages.h"
#include "cuda/standard.h"
#include "cuda/tune.h"
#include "cuda/tuning/body_tuning.h"
#include "cuda/tuning/tuning.h"
#include "plan/request.h"
#include "store/tuned.h"

namespace tileops::cuda {
namespace {

using requests::Choose;
using requests::Operand;

TEST(Choose, ContiguousTakesSixteenBytes) {
  const Choice f32 =
      Choose(TILEOPS_OP_ADD, {{Dtype::f32, {1000000}, {}}, {Dtype::f32, {1000000}, {}}},
             {Dtype::f32, {1000000}, {}});
  EXPECT_EQ(f32.spec.order, TraversalOrder::flat);
  EXPECT_EQ(f32.spec.vec, 4);
  EXPECT_EQ(f32.spec.loads[0].pattern, AccessPattern::dense);
  EXPECT_EQ(f32.launch.blocks, (1000000 / 4 + 127) / 128);
  EXPECT_FALSE(f32.launch.interleaved);
  EXPECT_EQ(
      Choose(TILEOPS_OP_RELU, {{Dtype::bf16, {64, 64}, {}}}, {Dtype::bf16, {64, 64}, {}}).spec.vec,
      8);
  // Two accesses of the larger side, one of the smaller.
  EXPECT_EQ(
      Choose(TILEOPS_OP_ISNAN, {{Dtype::bf16, {64}, {}}}, {Dtype::boolean, {64}, {}}).spec.vec, 16);
  EXPECT_EQ(Choose(TILEOPS_OP_ISNAN, {{Dtype::f32, {64}, {}}}, {Dtype::boolean, {64}, {}}).spec.vec,
            8);
}

TEST(Choose, EquallyPermutedIsContiguous) {
  const Operand t{Dtype::f32, {30, 20}, {1, 30}};
  EXPECT_EQ(Choose(TILEOPS_OP_EXP, {t}, t).spec.order, TraversalOrder::flat);
}

TEST(Choose, BroadcastsAreRows) {
  const Operand x{Dtype::bf16, {64, 4096}, {}};
  const Choice bias = Choose(TILEOPS_OP_ADD, {x, {Dtype::bf16, {4096}, {}}}, x);
  EXPECT_EQ(bias.spec.order, TraversalOrder::rows);
  EXPECT_EQ(bias.spec.vec, 8);
  EXPECT_EQ(bias.spec.loads[1].pattern, AccessPattern::row);
  const Choice scale = Choose(TILEOPS_OP_ADD, {x, {Dtype::bf16, {64, 1}, {}}}, x);
  EXPECT_EQ(scale.spec.loads[1].pattern, AccessPattern::broadcast);
  const Choice scalar = Choose(TILEOPS_OP_ADD, {x, {Dtype::bf16, {}, {}}}, x);
  EXPECT_EQ(scalar.spec.order, TraversalOrder::flat);
  EXPECT_EQ(scalar.spec.loads[1].pattern, AccessPattern::uniform);
  // Rows that packs do not divide.
  const Operand odd{Dtype::bf16, {64, 4095}, {}};
  const Choice element = Choose(TILEOPS_OP_ADD, {odd, {Dtype::bf16, {4095}, {}}}, odd);
  EXPECT_EQ(element.spec.order, TraversalOrder::elements);
  EXPECT_FALSE(element.launch.interleaved);
}

TEST(Choose, IndexWidthByExtent) {
  const auto wide = [](int64_t rows, int64_t cols) {
    const Operand x{Dtype::f32, {rows, cols}, {}};
    return Choose(TILEOPS_OP_ADD, {x, {Dtype::f32, {cols}, {}}}, x).spec.index64;
  };
  EXPECT_FALSE(wide(1 << 18, 1024));
  EXPECT_TRUE(wide(1 << 20, 1024));  // 2^30 elements, 2^32 bytes
  // Few elements, far apart.
  const Operand sparse{Dtype::f32, {4, 8}, {int64_t{1} << 30, 2}};
  EXPECT_TRUE(Choose(TILEOPS_OP_ADD, {sparse, {Dtype::f32, {4, 8}, {}}}, {Dtype::f32, {4, 8}, {}})
                  .spec.index64);
}

TEST(Choose, TablesAndPolicies) {
  const int64_t n = 1 << 20;
  const auto unary = [&](tileops_op op, Dtype t, UseTables tables) {
    return Choose(op, {{t, {n}, {}}}, {t, {n}, {}}, tables).spec;
  };
  EXPECT_EQ(unary(TILEOPS_OP_GELU, Dtype::e4m3fn, UseTables::yes).which, Template::lookup);
  EXPECT_EQ(unary(TILEOPS_OP_GELU, Dtype::e4m3fn, UseTables::no).which, Template::elementwise);
  const auto pair = [&](tileops_op op, int64_t elements, std::vector<int64_t> strides) {
    return Choose(op, {{Dtype::e5m2, {elements}, {}}, {Dtype::e5m2, {elements}, strides}},
                  {Dtype::e5m2, {elements}, {}}, UseTables::yes)
        .spec.which;
  };
  EXPECT_EQ(pair(TILEOPS_OP_POW, 1 << 22, {}), Template::lookup_pairs);
  EXPECT_EQ(pair(TILEOPS_OP_POW, 1 << 21, {}), Template::elementwise);
  EXPECT_EQ(pair(TILEOPS_OP_POW, 1 << 22, {2}), Template::elementwise);
  EXPECT_EQ(pair(TILEOPS_OP_ADD, 1 << 22, {}), Template::elementwise);
  EXPECT_TRUE(unary(TILEOPS_OP_GELU, Dtype::bf16, UseTables::yes).table);
  EXPECT_TRUE(unary(TILEOPS_OP_LEAKY_RELU, Dtype::f16, UseTables::yes).table);
  EXPECT_TRUE(unary(TILEOPS_OP_HARDSIGMOID, Dtype::f16, UseTables::yes).table);
  EXPECT_FALSE(unary(TILEOPS_OP_HARDSIGMOID, Dtype::bf16, UseTables::yes).table);  // rounds to odd
  EXPECT_FALSE(unary(TILEOPS_OP_HARDSWISH, Dtype::f16, UseTables::yes).table);     // rounded once
  EXPECT_FALSE(unary(TILEOPS_OP_GELU, Dtype::bf16, UseTables::no).table);
  EXPECT_FALSE(unary(TILEOPS_OP_RELU, Dtype::bf16, UseTables::yes).table);  // exact anyway
  EXPECT_TRUE(unary(TILEOPS_OP_ABS, Dtype::f16, UseTables::yes).on_bits);
  EXPECT_EQ(unary(TILEOPS_OP_GELU, Dtype::f16, UseTables::yes).policy, "fast<f16>");
  EXPECT_EQ(unary(TILEOPS_OP_GELU, Dtype::f32, UseTables::yes).policy, "quick");
  EXPECT_EQ(unary(TILEOPS_OP_GELU, Dtype::f64, UseTables::yes).policy, "quick");
}

TEST(Choose, LargeGatedHalvesTakeAWindow) {
  const auto gated = [](Dtype t, int64_t rows, int64_t half, UseTables tables = UseTables::yes) {
    return Choose(TILEOPS_OP_GELU_AND_MUL, {{t, {rows, 2 * half}, {}}}, {t, {rows, half}, {}},
                  tables);
  };
  const Choice large = gated(Dtype::bf16, 8192, 1024);
  EXPECT_EQ(large.spec.vecs_per_thread, 0);
  EXPECT_EQ(large.launch.blocks, 132u);
  EXPECT_EQ(large.num_per_thread(), 8 * 8);  // 1 Mi packs, 132 blocks of 1024 threads
  EXPECT_EQ(gated(Dtype::bf16, 64, 1024).spec.vecs_per_thread, 1);
  EXPECT_EQ(large.spec.shared_bytes(), 31760);
  EXPECT_EQ(gated(Dtype::f16, 8192, 1024).spec.vecs_per_thread, 0);
  EXPECT_EQ(gated(Dtype::f16, 8192, 1024).spec.shared_bytes(), 180240);
  EXPECT_EQ(gated(Dtype::f32, 64, 1024).spec.vecs_per_thread, 1);
  EXPECT_EQ(gated(Dtype::f32, 8192, 1024).spec.vecs_per_thread, 2);
  EXPECT_EQ(gated(Dtype::bf16, 8192, 1024, UseTables::no).spec.vecs_per_thread, 1);
  EXPECT_EQ(gated(Dtype::bf16, 65536, 129).spec.vecs_per_thread,
            1);  // rows that no whole packs fill
}

TEST(Choose, HeavyBodiesTakeTwoPacks) {
  const auto units = [](tileops_op op, Dtype t, int64_t n = 1 << 26) {
    return Choose(op, {{t, {n}, {}}}, {t, {n}, {}}).spec.vecs_per_thread;
  };
  EXPECT_EQ(units(TILEOPS_OP_SOFTPLUS, Dtype::f32, 1 << 20), 1);  // few packs
  EXPECT_EQ(units(TILEOPS_OP_SIN, Dtype::f64), 2);
  EXPECT_EQ(units(TILEOPS_OP_SOFTPLUS, Dtype::f32), 2);
  EXPECT_EQ(units(TILEOPS_OP_ERF, Dtype::bf16), 2);
  EXPECT_EQ(units(TILEOPS_OP_RELU, Dtype::f32), 1);
  EXPECT_EQ(units(TILEOPS_OP_MISH, Dtype::bf16), 1);
  const auto outer = [](Dtype t) {
    return Choose(TILEOPS_OP_ADD, {{t, {4096, 1}, {}}, {t, {4096}, {}}}, {t, {4096, 4096}, {}})
        .spec.vecs_per_thread;
  };
  EXPECT_EQ(outer(Dtype::f64), 2);
  EXPECT_EQ(outer(Dtype::f32), 1);
}

// Blocks are large where results alone move.
TEST(Choose, ThreadsOfABlock) {
  const Operand y{Dtype::bf16, {4096, 4096}, {}}, row{Dtype::bf16, {4096}, {}},
      column{Dtype::bf16, {4096, 1}, {}};
  EXPECT_EQ(Choose(TILEOPS_OP_ADD, {y, row}, y).spec.threads, 128);
  EXPECT_EQ(Choose(TILEOPS_OP_ADD, {y, column}, y).spec.threads, 128);
  EXPECT_EQ(Choose(TILEOPS_OP_ADD, {column, row}, y).spec.threads, 256);
  EXPECT_EQ(Choose(TILEOPS_OP_ADD, {column, row}, y, UseTables::yes,
                   {TILEOPS_STRATEGY_REGISTER_COPY, 64, 0})
                .spec.threads,
            64);
}

// Accesses of 16 bytes for what is written, where it is wider than what is read.
TEST(Choose, WiderResults) {
  const auto vector = [](Dtype from, Dtype to) {
    return Choose(TILEOPS_OP_CAST, {{from, {1 << 20}, {}}}, {to, {1 << 20}, {}}).spec.vec;
  };
  EXPECT_EQ(vector(Dtype::bf16, Dtype::f32), 4);
  EXPECT_EQ(vector(Dtype::e4m3fn, Dtype::f32), 4);
  EXPECT_EQ(vector(Dtype::f32, Dtype::bf16), 8);
  const Operand x{Dtype::bf16, {1 << 20}, {}}, y{Dtype::f32, {1 << 20}, {}};
  const Choice asked =
      Choose(TILEOPS_OP_CAST, {x}, y, UseTables::yes, {TILEOPS_STRATEGY_REGISTER_COPY, 0, 64});
  EXPECT_EQ(asked.spec.vec * asked.spec.vecs_per_thread, 64);
}

TEST(Choose, StrategiesByName) {
  const Operand x{Dtype::bf16, {1 << 20}, {}}, rows{Dtype::bf16, {64, 4096}, {}};
  const auto cut = [](const Choice& c) {
    return std::to_string(c.strategy()) + " " + std::to_string(c.spec.threads) + "x" +
           std::to_string(c.num_per_thread());
  };
  const auto flat = [&](LaunchHint w) {
    return cut(Choose(TILEOPS_OP_RELU, {x}, x, UseTables::yes, w));
  };
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
  EXPECT_EQ(bias(4096, {TILEOPS_STRATEGY_REGISTER_COPY, 0, 16}).spec.vecs_per_thread, 2);
  EXPECT_EQ(bias(4096, {TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 0, 4}).spec.order,
            TraversalOrder::elements);
  EXPECT_EQ(cut(bias(4096, {TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 0, 4})), "2 128x4");
  EXPECT_EQ(cut(bias(4096, {TILEOPS_STRATEGY_DIRECT, 0, 0})), "1 128x1");
  const Operand columns{Dtype::bf16, {64, 64}, {128, 2}};
  EXPECT_EQ(Choose(TILEOPS_OP_RELU, {columns}, {Dtype::bf16, {64, 64}, {}}, UseTables::yes,
                   {TILEOPS_STRATEGY_REGISTER_COPY, 0, 0})
                .strategy(),
            TILEOPS_STRATEGY_EXPLICIT_PARALLEL);
  // What does not suit the operands is refused by name.
  const auto refusal = [&](tileops_op op, const std::vector<Operand>& in, const Operand& out,
                           LaunchHint w) {
    try {
      Choose(op, in, out, UseTables::yes, w);
    } catch (const Error& e) {
      return e.message;
    }
    return std::string("accepted");
  };
  EXPECT_EQ(flat({TILEOPS_STRATEGY_TABLE, 0, 0}), "4 1024x16");
  EXPECT_EQ(Choose(TILEOPS_OP_RELU, {x}, x, UseTables::yes, {TILEOPS_STRATEGY_TABLE, 512, 64})
                .launch.blocks,
            32u);
  EXPECT_NE(
      refusal(TILEOPS_OP_ADD, {x, x}, x, {TILEOPS_STRATEGY_TABLE, 0, 0}).find("strategy: table"),
      std::string::npos);
  const Operand f32{Dtype::f32, {1 << 20}, {}};
  EXPECT_NE(
      refusal(TILEOPS_OP_RELU, {f32}, f32, {TILEOPS_STRATEGY_TABLE, 0, 0}).find("strategy: table"),
      std::string::npos);
  EXPECT_NE(refusal(TILEOPS_OP_RELU, {x}, x, {TILEOPS_STRATEGY_TILE, 0, 0}).find("strategy: tile"),
            std::string::npos);
  EXPECT_NE(refusal(TILEOPS_OP_RELU, {x}, x, {TILEOPS_STRATEGY_REGISTER_COPY, 0, 128})
                .find("num_per_thread"),
            std::string::npos);
  EXPECT_NE(refusal(TILEOPS_OP_RELU, {x}, x, {TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 0, 64})
                .find("num_per_thread"),
            std::string::npos);
  const Operand fp8{Dtype::e4m3fn, {1000}, {}};
  EXPECT_EQ(
      cut(Choose(TILEOPS_OP_GELU, {fp8}, fp8, UseTables::yes, {TILEOPS_STRATEGY_TABLE, 512, 128})),
      "4 512x128");
  EXPECT_NE(
      refusal(TILEOPS_OP_GELU, {fp8}, fp8, {TILEOPS_STRATEGY_TABLE, 0, 8}).find("num_per_thread"),
      std::string::npos);
  EXPECT_EQ(refusal(TILEOPS_OP_ADD, {rows, rows}, rows, {TILEOPS_STRATEGY_DIRECT, 1024, 0}),
            "accepted");
  const Operand square{Dtype::f32, {64, 64}, {1, 64}};
  EXPECT_EQ(Choose(TILEOPS_OP_EXP, {square}, {Dtype::f32, {64, 64}, {}}, UseTables::yes,
                   {TILEOPS_STRATEGY_TILE, 128, 0})
                .spec.threads,
            128);
}

TEST(Choose, EveryGenerationHasItsEntry) {
  for (const int arch : {80, 86, 89, 90, 100, 120}) EXPECT_EQ(tuning_of(arch).arch, arch);
  EXPECT_EQ(tuning_of(87).arch, 86);
  EXPECT_EQ(tuning_of(103).arch, 100);
  EXPECT_EQ(tuning_of(130).arch, 120);
}

// A body's row is found by its name: one that no body has any more would go unnoticed.
TEST(Choose, TunedBodiesAreThere) {
  std::set<std::string> names;
  for (const auto& op : op_table())
    for (const BodyInfo& body : bodies_of(op->op)) names.insert(body.name);
  for (const BodyTuning& tuned : kBodyTunings)
    EXPECT_TRUE(names.count(std::string(tuned.body))) << tuned.body;
}

TEST(Choose, RegisterBoundsAreOfTheArchitectureMeasured) {
  const Operand x{Dtype::f16, {1 << 20}, {}};
  const Problem problem =
      requests::ProblemOf(TILEOPS_OP_EQ, {x, x}, {Dtype::boolean, {1 << 20}, {}});
  const auto blocks = [&](int arch) {
    return choose_pass(problem, 0, make_layout(problem.passes[0]), {arch, UseTables::yes, {}})
        .spec.min_blocks;
  };
  EXPECT_EQ(blocks(90), 10);
  EXPECT_EQ(blocks(80), 0);
  EXPECT_EQ(blocks(100), 0);
}

// Passes of several steps, or of operands in another order, have no kernel yet.
TEST(Choose, OneBodyAlone) {
  const Operand x{Dtype::f32, {64}, {}};
  const auto refusal = [&](const auto& change) {
    Problem problem = requests::ProblemOf(TILEOPS_OP_SUB, {x, x}, x);
    Pass& pass = problem.passes[0];
    change(pass);
    try {
      choose(problem, pass, make_layout(pass), {});
    } catch (const Error& e) {
      EXPECT_EQ(e.status, TILEOPS_STATUS_UNSUPPORTED);
      return e.message;
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal([](Pass&) {}), "accepted");
  EXPECT_NE(
      refusal([](Pass& p) { p.steps.push_back(p.steps[0]); }).find("sub is a pass of 2 steps"),
      std::string::npos);
  EXPECT_NE(refusal([](Pass& p) { std::swap(p.steps[0].arguments[0], p.steps[0].arguments[1]); }),
            "accepted");
  EXPECT_NE(refusal([](Pass& p) { p.steps[0].arguments.pop_back(); }), "accepted");
}

TEST(Tune, CandidatesAreDifferentKernels) {
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

// Gated forms take a table of their gates' activations.
TEST(Choose, TablesOfGates) {
  for (Dtype t : {Dtype::bf16, Dtype::f16, Dtype::e4m3fn, Dtype::e5m2}) {
    const Operand both{t, {64, 8192}, {}}, out{t, {64, 4096}, {}};
    EXPECT_TRUE(Choose(TILEOPS_OP_GELU_AND_MUL, {both}, out, UseTables::yes).spec.table);
    EXPECT_FALSE(Choose(TILEOPS_OP_GELU_AND_MUL, {both}, out, UseTables::no).spec.table);
  }
  const Operand both{Dtype::f32, {64, 8192}, {}}, out{Dtype::f32, {64, 4096}, {}};
  EXPECT_FALSE(Choose(TILEOPS_OP_GELU_AND_MUL, {both}, out, UseTables::yes).spec.table);
}

// The two words that dropout's kernels take after its attributes.
TEST(Choose, DropoutIsPrepared) {
  const Operand x{Dtype::f32, {4096}, {}};
  const Choice c = Choose(TILEOPS_OP_DROPOUT, {x}, x);  // p = 1/2
  ASSERT_EQ(c.spec.attrs, 7);
  const ArgumentLayout at = ArgumentLayout::of(c.spec);
  EXPECT_EQ(c.arguments.words[static_cast<size_t>(at.attr(5))], 0x400000003f000000u);  // 2 and 1/2
  EXPECT_EQ(c.arguments.words[static_cast<size_t>(at.attr(6))],
            uint64_t{2} << 32 | 0x80000000u);  // exact, 2^31
}

TEST(Choose, MagicDivision) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200000; ++round) {
    const uint64_t d = 1 + (random() >> (33 + random() % 31)), n = random() >> 33;
    const Magic m = magic_of(d, false);
    const uint64_t q = (((n * m.magic) >> 32) + n) >> m.shift;
    ASSERT_EQ(q, n / d) << n << " / " << d;
    using Wide = unsigned __int128;
    const uint64_t dw = 1 + (random() >> (1 + random() % 63)), nw = random() >> 1;
    const Magic w = magic_of(dw, true);
    const Wide sum = (Wide{nw} * w.magic >> 64) + nw;
    ASSERT_EQ(static_cast<uint64_t>(sum >> w.shift), nw / dw) << nw << " / " << dw;
  }
}

TEST(Source, KeysTellKernelsApart) {
  const auto kernels = standard_kernels(90, true);
  EXPECT_GT(kernels.size(), 200u);
  EXPECT_NE(kernel_key(kernels[0], 90), kernel_key(kernels[0], 80));
  EXPECT_NE(kernel_key(kernels[0], 90), kernel_key(kernels[1], 90));
  EXPECT_NE(kernel_key(kernels[0], 90).find(kEmbeddedHash), std::string::npos);
  EXPECT_NE(full_source(kernels[0]).find(kKernelSymbol), std::string::npos);
}

// What a kernel does not reach is left out; whether something is missing, cuda.units tells.
TEST(Source, HoldsWhatTheKernelNeeds) {
  const Operand x{Dtype::f32, {4096}, {}};
  const KernelSpec spec = Choose(TILEOPS_OP_ADD, {x, x}, x).spec;
  const std::string source = full_source(spec), whole = whole_source(spec);
  EXPECT_EQ(whole.find("#include"), std::string::npos);
  EXPECT_NE(source.find("struct add "), std::string::npos);
  EXPECT_EQ(source.find("struct pow "), std::string::npos);
  EXPECT_NE(whole.find("struct pow "), std::string::npos);
  EXPECT_LT(source.size(), whole.size() / 2);
}

// Shapes, attributes and addresses are arguments: other ones need no other kernel.
TEST(Source, ShapesAreNoPartOfAKernel) {
  const auto text = [](int64_t n, int64_t m) {
    const Operand x{Dtype::f32, {n, m}, {}};
    return Choose(TILEOPS_OP_ADD, {x, {Dtype::f32, {m}, {}}}, x).spec.text();
  };
  EXPECT_EQ(text(10, 64), text(3000, 128));
}

}  // namespace
}  // namespace tileops::cuda
