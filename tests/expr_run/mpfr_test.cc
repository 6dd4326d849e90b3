// Random expressions against an evaluation in MPFR, each node with its operator's published bound on the operands that
// it gets. Dtypes and shapes of results are compared with the tests' own reckoning as well.
#include "range.h"

namespace exprtest {
namespace {

struct Tally {
  size_t elements = 0, unknown = 0, programs = 0;
};

void ExpectLabels(const Program& p, const tileops_expr* expr) {
  Job job = p.ToJob(expr);
  const std::vector<Array> asked = job.outputs;
  ASSERT_TRUE(InferOutputs(&job, p.results.size()));
  for (size_t k = 0; k < p.results.size(); ++k) {
    const Node& node = p.nodes[static_cast<size_t>(p.results[k])];
    EXPECT_EQ(Info(job.outputs[k].dtype).name, std::string(Info(node.dtype).name)) << "result " << k;
    EXPECT_EQ(job.outputs[k].shape, node.shape) << "result " << k;
  }
}

// The operands that have the result's shape, at an element, and those of one element.
std::string OperandText(const Program& p, size_t k, size_t e) {
  std::string text;
  for (const Array& a : p.operands)
    if (a.bits.size() == 1 || a.shape == p.nodes[static_cast<size_t>(p.results[k])].shape)
      text += std::string("\n  ") + Info(a.dtype).name + " " + ToString(a.dtype, a.bits[a.bits.size() == 1 ? 0 : e]);
  return text;
}

void ExpectWithinBounds(const Program& p, uint64_t seed, uint32_t flags, Tally* tally) {
  const std::string text = p.Text();
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  const Target& target = Targets()[seed % Targets().size()];
  const Expr expr(text);
  ASSERT_TRUE(expr.get());
  ExpectLabels(p, expr.get());
  Job job = p.ToJob(expr.get());
  job.flags = flags;
  const Results got = RunJob(target, job, p.Place());
  ASSERT_FALSE(got.empty());
  const bool cpu = target.device.device_type == kDLCPU;
  Ranges ranges(p, flags & TILEOPS_PLAN_REPRODUCIBLE ? 0 : 0x1p-20, cpu ? 0x1p-140 : 0x1p-118);
  ++tally->programs;
  for (size_t k = 0; k < got.size(); ++k) {
    for (size_t e = 0; e < got[k].size(); ++e) {
      const Range r = ranges.Of(p.results[k], static_cast<int64_t>(e));
      ++tally->elements;
      tally->unknown += r.any;
      const Node& node = p.nodes[static_cast<size_t>(p.results[k])];
      const Overflow overflow = node.row || node.overflow < 0 || node.dtype != p.result_dtypes[k] ? Overflow::kDefault
                                : node.overflow == 0 ? Overflow::kSaturate
                                                     : Overflow::kNonsaturating;
      if (MayBe(r, p.result_dtypes[k], got[k][e], overflow)) continue;
      ADD_FAILURE() << "on " << target.name << ", result " << k << ", element " << e << ": got "
                    << ToString(p.result_dtypes[k], got[k][e]) << ", may be "
                    << (r.nan       ? NAN
                        : r.integer ? static_cast<double>(r.i)
                                    : r.lo)
                    << " to " << r.hi << OperandText(p, k, e);
      return;
    }
  }
}

ProgramOptions Options() {
  ProgramOptions o;
  o.shapes = {{23}, {3, 7}, {2, 1, 5}, {5, 4}, {}, {1}};
  o.dtypes = {Dt::kF32, Dt::kF32, Dt::kF32, Dt::kF64, Dt::kBF16, Dt::kF16, Dt::kI32, Dt::kI8, Dt::kU8, Dt::kBool};
  o.cast_dtypes = {Dt::kF32, Dt::kF64, Dt::kBF16, Dt::kF16, Dt::kE4M3, Dt::kI32, Dt::kBool};
  return o;
}

void ExpectMostIsKnown(const Tally& tally) {
  EXPECT_GT(tally.elements, 100u);
  EXPECT_LT(tally.unknown, tally.elements / 4) << "of " << tally.elements;
}

// Seeds are dealt to groups, which machines with many cores run at once: a GPU compiles a kernel for each. An odd
// number, so that each group has of all that the tests choose by seeds.
constexpr uint64_t kGroups = 7;

class Mpfr : public testing::TestWithParam<uint64_t> {
 protected:
  // f(seed, tally) for the group's of so many seeds, or eight times as many where long tests run.
  template <class F>
  static void ForEachSeed(uint64_t first, int64_t count, const F& f) {
    const uint64_t seeds = static_cast<uint64_t>(Scaled(Long() ? 8 * count : count));
    Tally tally;
    for (uint64_t seed = 1 + GetParam(); seed <= seeds && !HasFailure(); seed += kGroups) f(first + seed, &tally);
    ExpectMostIsKnown(tally);
  }
};
INSTANTIATE_TEST_SUITE_P(Seeds, Mpfr, testing::Range(uint64_t{0}, kGroups));

TEST_P(Mpfr, RandomExpressionsAreWithinTheirBounds) {
  const ProgramOptions options = Options();
  ForEachSeed(0, 4000, [&](uint64_t seed, Tally* tally) {
    const Program p = RandomProgram(seed, options);
    if (!p.results.empty()) ExpectWithinBounds(p, seed, seed % 2 ? 0 : TILEOPS_PLAN_REPRODUCIBLE, tally);
  });
}

// Zeros, infinities, NaN, extremes and subnormals among the operands.
TEST_P(Mpfr, SpecialValues) {
  ProgramOptions options = Options();
  options.special_values = true;
  options.most_nodes = 5;
  ForEachSeed(5000000, 2500, [&](uint64_t seed, Tally* tally) {
    const Program p = RandomProgram(seed, options);
    if (!p.results.empty()) ExpectWithinBounds(p, seed, 0, tally);
  });
}

// Smooth chains, whose ranges stay narrow: what a lost bit would show in.
TEST_P(Mpfr, SmoothChains) {
  ProgramOptions options = Options();
  options.dtypes = {Dt::kF32, Dt::kF64};
  options.cast_dtypes = {Dt::kF32, Dt::kF64};
  options.names = {"add",  "mul",  "sub",   "silu",  "gelu",     "sigmoid",    "tanh", "exp",
                   "fma",  "sqrt", "rsqrt", "lerp",  "softplus", "logsigmoid", "mish", "erf",
                   "sin",  "cos",  "log1p", "expm1", "exp2",     "log2",       "div",  "atan",
                   "sinh", "cosh", "asinh", "cbrt",  "erfc",     "softsign",   "celu", "logaddexp"};
  options.lo = -2;
  options.hi = 2;
  options.most_nodes = 20;
  ForEachSeed(6000000, 1500, [&](uint64_t seed, Tally* tally) {
    const Program p = RandomProgram(seed, options);
    if (!p.results.empty()) ExpectWithinBounds(p, seed, 0, tally);
  });
}

// Likewise of 16-bit operands and results, with zeros, infinities, NaN and extremes among them.
TEST_P(Mpfr, SmoothChainsOfNarrowFloats) {
  ProgramOptions options = Options();
  options.dtypes = {Dt::kBF16, Dt::kF16};
  options.cast_dtypes = {Dt::kBF16, Dt::kF32};
  options.outputs = {Dt::kBF16, Dt::kF16};
  options.names = {"add", "mul", "sub", "silu", "gelu", "sigmoid", "tanh", "exp", "fma", "lerp", "mish", "div", "neg"};
  ForEachSeed(8000000, 1500, [&](uint64_t seed, Tally* tally) {
    options.special_values = seed % 4 == 0;
    const Program p = RandomProgram(seed, options);
    if (!p.results.empty()) ExpectWithinBounds(p, seed, seed % 8 == 1 ? TILEOPS_PLAN_REPRODUCIBLE : 0, tally);
  });
}

// Nodes that reach results of 16 bits and fewer alone may be 2^-20 off, unless the plan is reproducible.
TEST_P(Mpfr, NarrowResults) {
  ProgramOptions options = Options();
  options.dtypes = {Dt::kBF16, Dt::kF16, Dt::kF32, Dt::kE4M3};
  options.outputs = {Dt::kBF16, Dt::kF16, Dt::kE4M3, Dt::kE5M2};
  ForEachSeed(7000000, 2500, [&](uint64_t seed, Tally* tally) {
    const Program p = RandomProgram(seed, options);
    if (!p.results.empty()) ExpectWithinBounds(p, seed, seed % 2 ? TILEOPS_PLAN_REPRODUCIBLE : 0, tally);
  });
}

}  // namespace
}  // namespace exprtest
