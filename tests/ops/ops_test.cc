// Every elementwise operator, on every dtype that it takes, in every memory layout, on every
// target. Operators whose values depend on the position are in position_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cases.h"
#include "runner.h"

namespace optest {
namespace {

struct Param {
  const OpRow* row;
  Dt dtype;
};

void PrintTo(const Param& param, std::ostream* os) { *os << param.row->name << " " << Info(param.dtype).name; }

std::string ParamName(const ::testing::TestParamInfo<Param>& info) {
  return info.param.row->category + "_" + info.param.row->name + "_" + Info(info.param.dtype).name;
}

bool Elementwise(const OpRow& row) {
  return row.rule != "rope" && row.rule != "dropout" && row.rule != "alibi" && row.rule != "sinusoidal";
}

std::vector<Param> AllParams() {
  std::vector<Param> params;
  for (const OpRow& row : OpRows())
    for (Dt t : AllDtypes())
      if (Elementwise(row) && row.Accepts(t)) params.push_back({&row, t});
  return params;
}

class Ops : public ::testing::TestWithParam<Param> {
 protected:
  using Shapes = std::vector<std::vector<int64_t>>;
  const OpRow& row() const { return *GetParam().row; }
  Dt dtype() const { return GetParam().dtype; }
  int operands() const { return static_cast<int>(row().inputs.size()); }

  Call Make(const Variant& variant, const Shapes& shapes) {
    Call call = MakeCall(row(), variant, {dtype()}, shapes, ++seed_);
    EXPECT_TRUE(DefaultOutput(&call));
    return call;
  }
  Call Make(const Shapes& shapes) { return Make(VariantsOf(row(), dtype())[0], shapes); }
  // May output 0 be written over input k? Equal sizes are enough.
  static bool FitsInPlace(const Call& call, size_t k) {
    return call.inputs[k].present && call.inputs[k].shape == call.outputs[0].shape &&
           Info(call.inputs[k].dtype).size == Info(call.outputs[0].dtype).size;
  }
  // Another dtype of that size whose values are certain.
  static Dt Sibling(Dt t) {
    switch (Info(t).size) {
      case 1: return t == Dt::kE5M2 ? Dt::kE4M3 : Dt::kE5M2;
      case 2: return t == Dt::kF16 ? Dt::kBF16 : Dt::kF16;
      case 4: return t == Dt::kF32 ? Dt::kI32 : Dt::kF32;
      default: return t == Dt::kF64 ? Dt::kI64 : Dt::kF64;
    }
  }

 private:
  uint64_t seed_ = 0;
};

TEST_P(Ops, Layouts) {
  const Call call = Make(Shapes{{3, 5, 8}});
  for (Layout layout : AllLayouts()) {
    Check(call, All(layout, layout));
    Check(call, All(layout, Layout::kDense));
    Check(call, All(Layout::kDense, layout));
  }
  if (operands() > 1) {
    Check(call, {{Layout::kReversed, Layout::kStrided, Layout::kNegative}, {Layout::kDense}, -1});
    Check(call, {{Layout::kNegative, Layout::kReversed, Layout::kDense}, {Layout::kRotated}, -1});
    Check(call, {{Layout::kDense, Layout::kRotated, Layout::kOffset}, {Layout::kReversed}, -1});
  }
  const Call flat = Make(Shapes{{40, 36}});
  Check(flat, All(Layout::kReversed, Layout::kDense));  // a tile and a piece of one
  Check(flat, All(Layout::kDense, Layout::kReversed));
  Check(OfEqualRows(Make(Shapes{{3, 6, 8}})), All(Layout::kExpanded, Layout::kDense));
}

TEST_P(Ops, Sizes) {
  for (int64_t n : {1, 2, 7, 16, 17, 31, 33, 63, 65, 127, 1000, 1025, 3001})
    Check(Make(Shapes{{n}}), All(Layout::kDense, Layout::kDense));
  Check(Make(Shapes{{1, 1, 1}}), All(Layout::kPadded, Layout::kPadded));
  Check(Make(Shapes{{1, 1, 1, 2, 1, 3, 1, 2, 1, 1, 2, 1}}), All(Layout::kPadded, Layout::kDense));
  if (row().rule != "gated") Check(Make(Shapes{{}}), All(Layout::kDense, Layout::kNull));  // 0-d
  Check(Make(Shapes{{0}}), All(Layout::kDense, Layout::kNull));
  Check(Make(Shapes{{3, 0, 4}}), All(Layout::kNull, Layout::kStrided));
}

TEST_P(Ops, InPlace) {
  const std::vector<Variant> variants = VariantsOf(row(), dtype());
  const Variant& variant = row().rule == "gated" ? variants[1] : variants[0];  // of two operands
  for (const Shapes& shapes : {Shapes{{6, 7}}, Shapes{{2500}}}) {
    const Call call = Make(variant, shapes);
    for (size_t k = 0; k < call.inputs.size(); ++k) {
      if (!FitsInPlace(call, k)) continue;
      for (Layout layout : {Layout::kDense, Layout::kStrided, Layout::kNegative, Layout::kReversed})
        Check(call, {{layout}, {layout}, static_cast<int>(k)});
      Call other = call;  // converted where it lies
      other.outputs[0].dtype = Sibling(call.inputs[k].dtype);
      if (!IsFloat(other.outputs[0].dtype) && row().ulp != 0) continue;
      for (Layout layout : {Layout::kDense, Layout::kStrided}) Check(other, {{layout}, {layout}, static_cast<int>(k)});
    }
  }
}

// The same bits in place as apart, of so many elements that every way to compute them is taken, and of any operands.
TEST_P(Ops, InPlaceAsApart) {
  if (!IsFloat(dtype())) return;
  std::mt19937_64 random(1);
  const uint64_t codes = UINT64_MAX >> (64 - Info(dtype()).dl.bits);
  for (const Variant& variant : VariantsOf(row(), dtype())) {
    Call call = Make(variant, Shapes{{40007}});
    for (Array& a : call.inputs)
      for (uint64_t& bits : a.bits)
        if (a.dtype == dtype()) bits = random() & codes;
    for (size_t k = 0; k < call.inputs.size(); ++k) {
      if (!FitsInPlace(call, k)) continue;
      for (const Target& target : Targets()) {
        const Results want = Execute(target, call, Placement{});
        const Results got = Execute(target, call, {{}, {}, static_cast<int>(k)});
        ASSERT_EQ(got.size(), want.size());
        const Dt result = call.outputs[0].dtype;
        size_t wrong = 0;
        for (size_t i = 0; i < want[0].size(); ++i)
          wrong += got[0][i] != want[0][i] &&
                   !(IsFloat(result) && IsNanBits(result, got[0][i]) && IsNanBits(result, want[0][i]));
        EXPECT_EQ(wrong, 0u) << "in place of input " << k << " on " << target.name;
      }
    }
  }
}

TEST_P(Ops, Broadcast) {
  if (operands() < 2 || row().rule == "prelu") return;  // one operand of free shape
  // Named by the first operand's case; each is also run with the operands turned round.
  const Shapes cases[] = {
      {{5, 7}, {7}, {5, 1}},                    // row
      {{5, 7}, {5, 1}, {1, 7}},                 // column
      {{5, 7}, {1, 1}, {7}},                    // one element
      {{6, 1}, {1, 9}, {6, 9}},                 // outer
      {{2, 3, 4, 5}, {2, 1, 1, 5}, {3, 1, 5}},  // interleaved
      {{2, 3, 4, 5}, {1, 1, 4, 5}, {2, 1, 1, 1}},
      {{5, 1, 3}, {1, 4, 1}, {3}},  // no operand is whole
      {{0, 4}, {4}, {1, 1}},
  };
  const std::vector<Variant> variants = VariantsOf(row(), dtype());
  // gated takes two operands of free shape only in its second form.
  const Variant& variant = row().rule == "gated" ? variants[1] : variants[0];
  for (Shapes shapes : cases) {
    for (int turn = 0; turn < operands(); ++turn) {
      const Call call = Make(variant, Shapes(shapes.begin(), shapes.begin() + operands()));
      Check(call, All(Layout::kDense, Layout::kDense));
      Check(call, All(Layout::kStrided, Layout::kReversed));
      Check(call, {{Layout::kNegative, Layout::kReversed, Layout::kPadded}, {Layout::kStrided}, -1});
      std::rotate(shapes.begin(), shapes.begin() + 1, shapes.begin() + operands());
    }
  }
  if (row().rule == "gated") return;
  // 0-d operands, each in turn.
  for (int k = 0; k < operands(); ++k) {
    Shapes shapes(static_cast<size_t>(operands()), {4, 9});
    shapes[static_cast<size_t>(k)].clear();
    Check(Make(variant, shapes), All(Layout::kStrided, Layout::kDense));
  }
}

TEST_P(Ops, Attributes) {
  const std::vector<Variant> variants = VariantsOf(row(), dtype());
  for (const Variant& variant : variants) {
    Call call = Make(variant, Shapes{{3, 67}});
    Check(call, All(Layout::kDense, Layout::kDense));
    Check(call, All(Layout::kReversed, Layout::kStrided));
    if (!IsFp8(call.outputs[0].dtype) || call.row->BoolResult()) continue;
    for (int mode : {0, 1}) {
      Call with_mode = call;
      with_mode.attrs.push_back(Attr("fp8_overflow", mode));
      Check(with_mode, All(Layout::kDense, Layout::kDense));
    }
  }
}

TEST_P(Ops, OutputDtypes) {
  Call call = Make(Shapes{{2, 129}});
  Dt promoted, compute;
  ASSERT_TRUE(ComputeDtype(call, &promoted, &compute));
  for (Dt out : AllDtypes()) {
    if (!row().Gives(out)) continue;
    // A result that may be an ulp off has no certain integer.
    if (IsFloat(compute) && row().ulp != 0 && !IsFloat(out)) continue;
    call.outputs[0].dtype = out;
    Check(call, All(Layout::kDense, Layout::kDense));
    if (!IsFp8(out) || call.row->BoolResult() || !row().floats) continue;
    for (int mode : {0, 1}) {
      Call with_mode = call;
      with_mode.attrs.push_back(Attr("fp8_overflow", mode));
      Check(with_mode, All(Layout::kDense, Layout::kStrided));
    }
  }
}

TEST_P(Ops, MixedInputs) {
  int free_operands = 0;
  for (const OperandRow& in : row().inputs) free_operands += in.fixed.empty();
  if (free_operands < 2) return;
  const Variant variant = row().rule == "gated" ? VariantsOf(row(), dtype())[1] : VariantsOf(row(), dtype())[0];
  for (Dt other : AllDtypes()) {
    if (!row().Accepts(other)) continue;
    for (const Shapes& shapes : {Shapes{{2, 33}}, Shapes{{2, 33}, {}}, Shapes{{}, {33}}}) {
      if (shapes.size() > 1 && (!row().is_map() || operands() > 2)) continue;
      Call call = MakeCall(row(), variant, {dtype(), other}, shapes, 5);
      if (!DefaultOutput(&call)) continue;  // no common dtype
      Check(call, All(Layout::kDense, Layout::kStrided));
    }
  }
}

// More than 64 Ki elements: several threads, and pieces that end anywhere.
TEST_P(Ops, Large) {
  const bool sample = dtype() == Dt::kF32 || dtype() == Dt::kBF16 || dtype() == Dt::kI32 || dtype() == Dt::kE5M2 ||
                      dtype() == Dt::kBool;
  if (!sample) return;
  Check(Make(Shapes{{Scaled(140003)}}), All(Layout::kDense, Layout::kDense));
  const int64_t side = Scaled(300) + 37;
  const Call square = Make(Shapes{{side, side - 4}});
  Check(square, All(Layout::kUnaligned, Layout::kDense));
  Check(square, All(Layout::kReversed, Layout::kDense));
  Check(square, All(Layout::kPadded, Layout::kStrided));
  if (operands() > 1 && row().rule != "prelu" && row().rule != "gated") {
    Shapes shapes(static_cast<size_t>(operands()), {side, side - 4});
    shapes[1] = {side - 4};
    Check(Make(shapes), All(Layout::kDense, Layout::kDense));
    shapes[1] = {side, 1};
    Check(Make(shapes), All(Layout::kDense, Layout::kDense));
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Ops, ::testing::ValuesIn(AllParams()), ParamName);

// prelu's channel axis and gated's halves, where they differ from a broadcast.
TEST(OpsShapes, PreluAxis) {
  const OpRow& row = RowOf("prelu");
  for (Dt t : {Dt::kF32, Dt::kBF16, Dt::kF64}) {
    for (int axis : {0, 1, 2, -1, -2, -3}) {
      Call call = MakeCall(row, {{{"axis", axis}}, {}}, {t}, {{4, 5, 6}}, 3);
      ASSERT_TRUE(DefaultOutput(&call));
      Check(call, All(Layout::kDense, Layout::kDense));
      Check(call, All(Layout::kNegative, Layout::kReversed));
    }
    for (const std::vector<int64_t>& weight : {std::vector<int64_t>{}, std::vector<int64_t>{1}}) {
      Call call = MakeCall(row, {}, {t}, {{4, 5, 6}}, 4);
      call.inputs[1] = Fill(t, weight, -1, 1, 9);
      ASSERT_TRUE(DefaultOutput(&call));
      Check(call, All(Layout::kDense, Layout::kStrided));
    }
  }
}

// One value per row, rows in tiles of which the last has a single one, and the same rows again and
// again: what is left in scratch from the last time must not be taken for the next.
TEST(OpsShapes, OneRowTiles) {
  for (Dt t : {Dt::kF16, Dt::kI8, Dt::kF32}) {
    for (int64_t rows : {4, 5, 7}) {
      Call call = MakeCall(RowOf("mul"), {}, {t, Dt::kF32}, {{3, rows, 300}, {rows, 1}}, 5);
      ASSERT_TRUE(DefaultOutput(&call));
      Check(call, All(Layout::kDense, Layout::kDense));
      Call three = MakeCall(RowOf("where"), {}, {Dt::kBool, t, t}, {{3, rows, 300}, {rows, 1}, {3, rows, 300}}, 6);
      ASSERT_TRUE(DefaultOutput(&three));
      Check(three, All(Layout::kDense, Layout::kDense));
    }
  }
}

}  // namespace
}  // namespace optest
