// Random expressions with a cast after each operator have the bits of the operators' own plans, one after the other.
#include "program.h"

namespace exprtest {
namespace {

// What the chain of plans makes of each node.
class Chain {
 public:
  Chain(const Program& p, const Target& target) : p_(p), target_(target), values_(p.nodes.size()) {}

  // False after a reported failure.
  bool Run() {
    for (size_t i = 0; i < p_.nodes.size(); ++i) {
      const Node& n = p_.nodes[i];
      if (n.operand >= 0) {
        values_[i] = p_.operands[static_cast<size_t>(n.operand)];
      } else if (!n.row) {
        // With the operator before it: its own rounding to the cast's dtype.
        const int from = n.arguments[0].node;
        if (!Apply(p_.nodes[static_cast<size_t>(from)], n, &values_[i])) return false;
      }
    }
    return true;
  }

  std::vector<uint64_t> Result(size_t k) const {
    Array value = values_[static_cast<size_t>(p_.results[k])];
    if (value.dtype != p_.result_dtypes[k] && !Cast({}, p_.result_dtypes[k], &value)) value.bits.clear();
    return value.bits;
  }

 private:
  bool Cast(const Attrs& attrs, Dt dtype, Array* value) const {
    Call call;
    call.row = &RowOf("cast");
    call.attrs = attrs;
    call.inputs = {*value};
    call.outputs = {*value};
    call.outputs[0].dtype = dtype;
    return Execute(call, value);
  }

  bool Execute(const Call& call, Array* value) const {
    const Results results = optest::Execute(target_, call, Placement{});
    if (results.empty()) return false;
    *value = call.outputs[0];
    value->bits = results[0];
    return true;
  }

  bool Apply(const Node& node, const Node& cast, Array* value) const {
    Call call;
    if (!CallOf(p_, node, &call)) return false;
    for (size_t k = 0; k < call.inputs.size(); ++k)
      if (node.arguments[k].of == Argument::Of::node)
        call.inputs[k] = values_[static_cast<size_t>(node.arguments[k].node)];
    for (const auto& [name, number] : node.scalars) call.attrs.push_back(Attr(name.c_str(), number.value));
    call.outputs[0].shape = node.shape;
    const Attrs overflow = cast.overflow >= 0 ? Attrs{Attr("fp8_overflow", cast.overflow)} : Attrs{};
    // Operators that give no floats have no such attribute, and their results are exact.
    if (!overflow.empty() && (!call.row->floats || call.row->BoolResult()))
      return Execute(call, value) && Cast(overflow, cast.dtype, value);
    call.attrs.insert(call.attrs.end(), overflow.begin(), overflow.end());
    call.outputs[0].dtype = cast.dtype;
    return Execute(call, value);
  }

  const Program& p_;
  const Target& target_;
  std::vector<Array> values_;
};

ProgramOptions Options() {
  ProgramOptions o;
  o.casts = true;
  o.functions = false;
  o.special_values = true;
  o.lo = -6;
  o.hi = 6;
  o.shapes = {{37}, {5, 7}, {3, 1, 9}, {2, 130}, {1030}, {4, 6, 8}, {}, {0, 4}, {1, 1}, {2, 2, 3, 2}};
  o.dtypes = {Dt::kF32, Dt::kBF16, Dt::kF16, Dt::kF64, Dt::kE4M3, Dt::kE5M2, Dt::kI8,  Dt::kI16,
              Dt::kI32, Dt::kI64,  Dt::kU8,  Dt::kU16, Dt::kU32,  Dt::kBool, Dt::kF32, Dt::kBF16};
  o.cast_dtypes = {Dt::kF32,  Dt::kBF16, Dt::kF16, Dt::kF32, Dt::kBF16, Dt::kF64,  Dt::kE4M3,
                   Dt::kE5M2, Dt::kI32,  Dt::kI8,  Dt::kU8,  Dt::kI64,  Dt::kBool, Dt::kF16};
  return o;
}

void ExpectTheChainsBits(const Program& p, uint64_t seed) {
  const std::string text = p.Text();
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  const Target& target = Targets()[seed % Targets().size()];
  Chain chain(p, target);
  ASSERT_TRUE(chain.Run());
  const Expr parsed(text);
  ASSERT_TRUE(parsed.get());
  const Expr built(p.Build());
  if (built.get()) {
    EXPECT_EQ(built.text(), parsed.text());
  }
  Job job = p.ToJob(built.get() ? built.get() : parsed.get());
  // (The chain's plans are not: on a GPU their float32 results have other bits.)
  if (seed % 3 == 0 && target.device.device_type == kDLCPU) job.flags = TILEOPS_PLAN_REPRODUCIBLE;
  const Results got = RunJob(target, job, p.Place());
  ASSERT_FALSE(got.empty());
  Results want;
  for (size_t k = 0; k < p.results.size(); ++k) want.push_back(chain.Result(k));
  ExpectSame(job.outputs, got, want, "on " + target.name);
}

TEST(Chain, RandomExpressionsHaveTheBitsOfTheOperators) {
  const ProgramOptions options = Options();
  const uint64_t count = static_cast<uint64_t>(Scaled(Long() ? 40000 : 1500));
  size_t nodes = 0;
  for (uint64_t seed = 1; seed <= count && !HasFailure(); ++seed) {
    const Program p = RandomProgram(seed, options);
    if (p.results.empty()) continue;
    nodes += p.nodes.size() - p.operands.size();
    ExpectTheChainsBits(p, seed);
  }
  EXPECT_GT(nodes, 7 * count);
}

// Results that are asked for in another dtype than the cast's: rounded once more.
TEST(Chain, ResultsOfOtherDtypes) {
  ProgramOptions options = Options();
  options.outputs = {Dt::kF32, Dt::kBF16, Dt::kF16, Dt::kI32, Dt::kE4M3, Dt::kBool, Dt::kF64};
  const uint64_t count = static_cast<uint64_t>(Scaled(Long() ? 10000 : 300));
  for (uint64_t seed = 1; seed <= count && !HasFailure(); ++seed) {
    const Program p = RandomProgram(1000000 + seed, options);
    if (!p.results.empty()) ExpectTheChainsBits(p, 1000000 + seed);
  }
}

// Large enough for several threads, rows and columns of many tiles.
TEST(Chain, LargeShapes) {
  ProgramOptions options = Options();
  options.shapes = {{70000}, {300, 301}, {7, 9000}, {9000, 7}};
  const uint64_t count = static_cast<uint64_t>(Scaled(Long() ? 300 : 16));
  for (uint64_t seed = 1; seed <= count && !HasFailure(); ++seed) {
    const Program p = RandomProgram(2000000 + seed, options);
    if (!p.results.empty()) ExpectTheChainsBits(p, 2000000 + seed);
  }
}

}  // namespace
}  // namespace exprtest
