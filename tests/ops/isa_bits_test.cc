// The bits of a result do not depend on the instruction set: operators of several operands on random
// bits of every float dtype of at most 32 bits, large, tiny, infinite and NaN among them. (Those of one
// operand are taken over all inputs: tests/accuracy.)
#include <gtest/gtest.h>

#include <sstream>
#include <utility>
#include <vector>

#include "cases.h"
#include "op_rows.h"
#include "runner.h"

namespace optest {
namespace {

// Numbers that meet are as likely of like size as not: half of the exponents are near the middle.
uint64_t RandomBits(Dt t, uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  const uint64_t r = *state >> 24;
  if (t == Dt::kBool) return r & 1;
  const int bits = 8 * Info(t).size;
  const uint64_t any = r & ((uint64_t{1} << bits) - 1);
  if (r >> 39 & 1) return any;
  const double near = (static_cast<double>(any) / static_cast<double>(uint64_t{1} << bits) - 0.5) * 512;
  return Encode(Num::Float(near), t);
}

Array RandomArray(Dt t, std::vector<int64_t> shape, uint64_t* state) {
  Array a{true, t, std::move(shape), {}};
  int64_t n = 1;
  for (int64_t extent : a.shape) n *= extent;
  for (int64_t i = 0; i < n; ++i) a.bits.push_back(RandomBits(a.dtype, state));
  return a;
}

// `operands(i)` says what element i of the result was made of.
template <class F>
void ExpectSameBits(const Call& call, const F& operands) {
  const Dt out = call.outputs[0].dtype;
  const auto want = Execute(Targets().back(), call, Placement{});
  ASSERT_FALSE(want.empty());
  for (const Target& target : Targets()) {
    const auto got = Execute(target, call, Placement{});
    ASSERT_FALSE(got.empty());
    for (size_t i = 0; i < got[0].size(); ++i) {
      if (got[0][i] == want[0][i]) continue;
      if (IsFloat(out) && IsNanBits(out, got[0][i]) && IsNanBits(out, want[0][i])) continue;
      ADD_FAILURE() << target.name << ", " << Info(out).name << ", operands " << std::hex << operands(i) << ": "
                    << got[0][i] << ", " << want[0][i] << " on " << Targets().back().name;
      break;
    }
  }
}

class SameBits : public testing::TestWithParam<const OpRow*> {};

TEST_P(SameBits, OnEveryIsa) {
  const OpRow& row = *GetParam();
  if (Targets()[0].device.device_type != kDLCPU) GTEST_SKIP() << "instruction sets of the CPU";
  const int64_t n = Scaled(1 << 16);
  for (Dt t : {Dt::kF32, Dt::kF16, Dt::kBF16, Dt::kE4M3, Dt::kE5M2}) {
    if (!row.Accepts(t)) continue;
    Call call;
    call.row = &row;
    uint64_t state = 42;
    for (const OperandRow& operand : row.inputs)
      call.inputs.push_back(RandomArray(operand.fixed.empty() ? t : operand.fixed[0], {n}, &state));
    call.outputs = {Array{true, t, {n}, {}}};
    ASSERT_TRUE(DefaultOutput(&call));
    ExpectSameBits(call, [&](size_t i) {
      std::ostringstream text;
      text << std::hex;
      for (const Array& a : call.inputs) text << a.bits[i] << " ";
      return text.str();
    });
  }
}

// An operand that is one value per row, in rows that are no number of registers.
TEST_P(SameBits, OfRowsOnEveryIsa) {
  const OpRow& row = *GetParam();
  if (Targets()[0].device.device_type != kDLCPU) GTEST_SKIP() << "instruction sets of the CPU";
  if (row.inputs.size() != 2) return;
  const int64_t rows = Scaled(150), cols = 300;
  const std::vector<int64_t> whole = {rows, cols}, column = {rows, 1}, line = {cols};
  const std::vector<std::vector<std::vector<int64_t>>> cases = {
      {whole, column}, {column, whole}, {column, line}, {line, column}};
  for (Dt t : {Dt::kF32, Dt::kF16, Dt::kBF16}) {
    if (!row.Accepts(t) || !row.inputs[1].fixed.empty()) continue;
    for (const auto& shapes : cases) {
      Call call;
      call.row = &row;
      uint64_t state = 44;
      for (const auto& shape : shapes) call.inputs.push_back(RandomArray(t, shape, &state));
      call.outputs = {Array{true, t, whole, {}}};
      ASSERT_TRUE(DefaultOutput(&call));
      ExpectSameBits(call, [&](size_t i) { return i; });
    }
  }
}

// Slopes of few and of many bits, at the ends of their range, and outside of it.
TEST(SameBitsOfLeakyRelu, OnEveryIsa) {
  if (Targets()[0].device.device_type != kDLCPU) GTEST_SKIP() << "instruction sets of the CPU";
  Array codes{true, Dt::kBF16, {65536}, {}};
  for (uint64_t code = 0; code < 65536; ++code) codes.bits.push_back(code);
  for (double slope : {0.01, 0.3, 0.5, 0x1.ffp-1, 0x1.ff8p-1, 0x1.ff4p-3, 0x1.fffffep-1, 0x1.000002p-126, 0x1p-126,
                       0x1.8p-130, 1.0, 1.7, 0.0, -0.01}) {
    Call call;
    call.row = &RowOf("leaky_relu");
    call.attrs = Attrs{{"negative_slope", slope}};
    call.inputs = {codes};
    call.outputs = {Array{true, Dt::kBF16, {65536}, {}}};
    ExpectSameBits(call, [&](size_t i) { return i; });
  }
}

// Slopes so small that what a product loses is lost itself among them.
TEST(SameBitsOfAlibi, OnEveryIsa) {
  if (Targets()[0].device.device_type != kDLCPU) GTEST_SKIP() << "instruction sets of the CPU";
  const int64_t heads = Scaled(1 << 13), distances = 21;
  for (Dt t : {Dt::kF32, Dt::kF16, Dt::kBF16, Dt::kE4M3, Dt::kE5M2}) {
    for (const Attrs& attrs : {Attrs{}, Attrs{{"causal", 1}, {"offset", 9}}}) {
      Call call;
      call.row = &RowOf("alibi");
      call.attrs = attrs;
      uint64_t state = 43;
      call.inputs = {RandomArray(Dt::kF32, {heads}, &state)};
      call.outputs = {Array{true, t, {heads, 1, distances}, {}}};
      ExpectSameBits(call, [&](size_t i) { return call.inputs[0].bits[i / distances]; });
    }
  }
}

std::vector<const OpRow*> RowsOfSeveralOperands() {
  std::vector<const OpRow*> rows;
  for (const OpRow& row : OpRows())
    if (row.inputs.size() > 1 && (row.is_map() || row.rule == "gated")) rows.push_back(&row);
  return rows;
}

INSTANTIATE_TEST_SUITE_P(Rows, SameBits, testing::ValuesIn(RowsOfSeveralOperands()),
                         [](const auto& info) { return info.param->name; });

}  // namespace
}  // namespace optest
