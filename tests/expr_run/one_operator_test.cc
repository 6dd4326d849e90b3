// A text of one operator has the operator's bits: alone, beside another result, and from operands taken twice.
#include <cmath>

#include "call_text.h"
#include "expression.h"

namespace exprtest {
namespace {

// Operands a, b, c and the call.
struct Texts {
  std::string operands, call;
};

Texts TextsOf(const Call& call, const std::string& dtype = "") {
  Texts t;
  std::vector<std::string> arguments;
  for (size_t k = 0; k < call.inputs.size(); ++k) {
    const std::string name(1, static_cast<char>('a' + k));
    t.operands += (k ? ", " : "") + name + (call.inputs[k].present ? "" : " = 1");
    arguments.push_back(call.inputs[k].present ? name : "");
  }
  if (!dtype.empty()) arguments.push_back(dtype);
  OpRow row = *call.row;
  if (!dtype.empty()) row.inputs.push_back({"dtype", false, {}, ""});
  t.call = CallText(row, arguments, call.attrs);
  return t;
}

std::string What(const Call& call, const std::string& text) {
  std::string s = text;
  for (const Array& a : call.inputs) s += a.present ? std::string(" ") + Info(a.dtype).name : " -";
  return s + " -> " + Info(call.outputs[0].dtype).name;
}

// Is an infinite value, which saturates, selected among infinities that are to stay? What is rounded at the end cannot
// tell them apart. The operator alone can.
bool SaturatesAmongInfinities(const Call& call) {
  const Attr *value = FindAttr(call.attrs, "value"), *overflow = FindAttr(call.attrs, "fp8_overflow");
  return value && std::isinf(value->d) && overflow && overflow->i == 0;
}

void ExpectOperatorsBits(const Call& call, const std::string& dtype = "") {
  const Texts texts = TextsOf(call, dtype);
  const std::string alone = "(" + texts.operands + ") -> " + texts.call;
  const Expr one(alone), two("(" + texts.operands + ") -> { y = " + texts.call + "; y, logical_not(y) }");
  ASSERT_TRUE(one.get() && two.get());
  for (const Target& target : Targets()) {
    const Results want = optest::Execute(target, call, Placement{});
    if (want.empty()) return;
    Job job{one.get(), call.inputs, call.outputs, {}, 0};
    ExpectSame(job.outputs, RunJob(target, job), want, What(call, alone) + " on " + target.name, true);
    if (SaturatesAmongInfinities(call)) continue;
    Job both{two.get(), call.inputs, call.outputs, {}, 0};
    Array truth = call.outputs[0];
    truth.dtype = Dt::kBool;
    both.outputs.push_back(truth);
    Results got = RunJob(target, both);
    if (got.empty()) return;
    got.pop_back();
    ExpectSame(call.outputs, got, want, What(call, "two results, " + alone) + " on " + target.name);
  }
}

std::vector<const OpRow*> Operators() {
  std::vector<const OpRow*> rows;
  for (const OpRow& row : MapRows())
    if (row.name != "fma") rows.push_back(&row);
  return rows;
}

std::vector<const OpRow*> Binary() {
  std::vector<const OpRow*> rows;
  for (const OpRow* row : Operators())
    if (row->inputs.size() > 1 && row->inputs[0].fixed.empty() && row->inputs[1].fixed.empty()) rows.push_back(row);
  return rows;
}

std::vector<const OpRow*> UnaryOfFloats() {
  std::vector<const OpRow*> rows;
  for (const OpRow* row : Operators())
    if (row->inputs.size() == 1 && row->floats) rows.push_back(row);
  return rows;
}

class OneOperator : public testing::TestWithParam<const OpRow*> {};

TEST_P(OneOperator, HasTheOperatorsBits) {
  const OpRow& row = *GetParam();
  const std::vector<Shape> shapes = {{3, 67}, {67}, {3, 1}};
  uint64_t seed = 1;
  for (Dt t : AllDtypes()) {
    if (!row.Accepts(t)) continue;
    for (const Variant& variant : VariantsOf(row, t)) {
      Call call = MakeCall(row, variant, {t}, shapes, ++seed);
      if (!DefaultOutput(&call)) continue;
      std::vector<Dt> outs = {call.outputs[0].dtype};
      for (Dt out : {Dt::kF32, Dt::kBF16, Dt::kF16, Dt::kE4M3, Dt::kI8})
        if (out != outs[0] && (Long() || (seed + static_cast<uint64_t>(out)) % 3 == 0)) outs.push_back(out);
      for (Dt out : outs) {
        call.outputs[0].dtype = out;
        ExpectOperatorsBits(call);
        if (!IsFp8(out) || row.BoolResult() || !row.floats) continue;
        Call other = call;
        other.attrs.push_back({"fp8_overflow", out == Dt::kE4M3 ? 1 : 0});
        ExpectOperatorsBits(other);
      }
      if (HasFailure()) return;
    }
  }
}

// All operands of 16 bits: what is a tie, or as small as they get.
class OneUnaryOperator : public OneOperator {};

TEST_P(OneUnaryOperator, OfAllCodes) {
  const OpRow& row = *GetParam();
  for (Dt t : {Dt::kBF16, Dt::kF16}) {
    for (const Variant& variant : VariantsOf(row, t)) {
      Call call = MakeCall(row, variant, {t}, {{65536}}, 1);
      for (size_t i = 0; i < call.inputs[0].bits.size(); ++i) call.inputs[0].bits[i] = i;
      if (!DefaultOutput(&call)) continue;
      ExpectOperatorsBits(call);
      if (HasFailure()) return;
    }
  }
}

// The same operand in each place, of mixed dtypes with another, and 0-d ones.
class BinaryOperator : public OneOperator {};

TEST_P(BinaryOperator, OfEqualAndMixedOperands) {
  const OpRow& row = *GetParam();
  const Variant variant{{}, {true, true, true}};
  uint64_t seed = 100;
  for (Dt t : AllDtypes()) {
    if (!row.Accepts(t)) continue;
    Call call = MakeCall(row, variant, {t}, {{130}}, ++seed);
    if (!DefaultOutput(&call)) continue;
    for (Array& a : call.inputs) a = call.inputs[0];
    std::vector<std::string> same(call.inputs.size(), "x");
    const std::string text = "(x) -> " + CallText(row, same, {});
    const Expr expr(text);
    const Target& target = Targets().front();
    Job job{expr.get(), {call.inputs[0]}, call.outputs, {}, 0};
    ExpectSame(call.outputs, RunJob(target, job), optest::Execute(target, call, Placement{}), What(call, text));
    for (Dt other : AllDtypes()) {
      Call mixed = MakeCall(row, variant, {t, other}, {{130}, {}}, ++seed);
      Call whole = MakeCall(row, variant, {t, other}, {{130}}, ++seed);
      if (!row.Accepts(other)) continue;
      for (Call* c : {&mixed, &whole})
        if (DefaultOutput(c)) ExpectOperatorsBits(*c);
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, OneOperator, testing::ValuesIn(Operators()),
                         [](const auto& info) { return info.param->name; });

INSTANTIATE_TEST_SUITE_P(Rows, OneUnaryOperator, testing::ValuesIn(UnaryOfFloats()),
                         [](const auto& info) { return info.param->name; });

INSTANTIATE_TEST_SUITE_P(Rows, BinaryOperator, testing::ValuesIn(Binary()),
                         [](const auto& info) { return info.param->name; });

TEST(OneCast, HasTheOperatorsBits) {
  const OpRow& row = RowOf("cast");
  uint64_t seed = 1;
  for (Dt from : AllDtypes())
    for (Dt to : AllDtypes()) {
      if (!row.Accepts(from)) continue;
      std::vector<Attrs> all = {{}};
      if (IsScale(to)) all = {{}, {{"rounding", 2}}, {{"rounding", 3}}};
      if (IsFp8(to)) all = {{}, {{"fp8_overflow", 0}}, {{"fp8_overflow", 1}}};
      for (const Attrs& attrs : all) {
        Call call;
        call.row = &row;
        call.attrs = attrs;
        call.inputs = {Fill(from, {5, 83}, -100, 100, ++seed)};
        call.outputs = {call.inputs[0]};
        call.outputs[0].dtype = to;
        ExpectOperatorsBits(call, Label(to));
      }
      if (HasFailure()) return;
    }
}

// A cast to the operand's own label rounds what was computed.
TEST(OneCast, ToTheOwnLabelRounds) {
  const Array x = Values(Dt::kBF16, {4}, {1.0, 1.0078125, 3.015625, -2.5}), y = Values(Dt::kBF16, {4}, {0.00390625});
  const auto rounded = RunText("(x, y) -> cast(cast(x + y, bf16) - x, f32)", {x, y});
  const auto plain = RunText("(x, y) -> cast(x + y - x, f32)", {x, y});
  ASSERT_TRUE(rounded.size() == 1 && plain.size() == 1);
  EXPECT_EQ(Decode(Dt::kF32, plain[0][0]).d, 0.00390625);
  EXPECT_EQ(Decode(Dt::kF32, rounded[0][0]).d, 0);          // to even, downwards
  EXPECT_EQ(Decode(Dt::kF32, rounded[0][1]).d, 0.0078125);  // and upwards
}

}  // namespace
}  // namespace exprtest
