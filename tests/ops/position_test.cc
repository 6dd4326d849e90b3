// RoPE, dropout, ALiBi and sinusoidal: operators whose values depend on where an element is.
#include <gtest/gtest.h>

#include "cases.h"
#include "runner.h"

namespace optest {
namespace {

using Shape = std::vector<int64_t>;

std::vector<Dt> Floats() { return {Dt::kF16, Dt::kBF16, Dt::kF32, Dt::kF64, Dt::kE4M3, Dt::kE5M2}; }

Array Absent() { return Array{false, Dt::kF32, {}, {}}; }

Array Integers(Dt t, const Shape& shape, const std::vector<int64_t>& values) {
  Array a{true, t, shape, {}};
  for (int64_t v : values) a.bits.push_back(Encode(Num::Integer(v), t));
  return a;
}

Array Output(Dt t, const Shape& shape) { return Array{true, t, shape, {}}; }

// A finite random tensor: infinities turn into NaN under rotation, which tells little.
Array Values(Dt t, const Shape& shape, uint64_t seed) {
  Array a{true, t, shape, {}};
  const int64_t n = a.NumElements();
  uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
  for (int64_t i = 0; i < n; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    a.bits.push_back(Encode(Num::Float(static_cast<double>(state >> 40) * 0x1p-22 - 2.0), t));
  }
  return a;
}

const char* const kRopes[] = {"rope_neox", "rope_non_neox", "rope_llama31", "rope_yarn", "rope_longrope"};

// Operands x, [rescale_factors,] position_ids, cos, sin; trailing absent ones left off.
Call RopeCall(const std::string& name, Dt t, const Shape& shape, const Attrs& attrs) {
  Call call;
  call.row = &RowOf(name);
  call.attrs = attrs;
  call.inputs = {Values(t, shape, 7)};
  const int64_t half = IntegerOr(attrs, "rotary_dim", shape.back()) / 2;
  if (name == "rope_longrope") {
    Array factors{true, Dt::kF32, {half}, {}};
    for (int64_t i = 0; i < half; ++i) {
      const double r = 1.0 + 0.37 * static_cast<double>(i) + (i == 1 ? 0.05 : 0);
      factors.bits.push_back(Encode(Num::Float(r), Dt::kF32));
    }
    call.inputs.push_back(factors);
  }
  call.outputs = {Output(t, shape)};
  return call;
}

void CheckLayouts(const Call& call) {
  Check(call, All(Layout::kDense, Layout::kDense));
  Check(call, {{Layout::kReversed, Layout::kStrided, Layout::kNegative}, {Layout::kStrided}, -1});
  Check(call, All(Layout::kNegative, Layout::kRotated));
  Check(call, All(Layout::kUnaligned, Layout::kOffset));
}

TEST(Rope, VariantsAndDtypes) {
  for (const char* name : kRopes) {
    for (Dt t : Floats()) {
      CheckLayouts(RopeCall(name, t, {2, 5, 3, 16}, {}));
      CheckLayouts(RopeCall(name, t, {9, 8}, {}));
      CheckLayouts(RopeCall(name, t, {7, 2, 6}, {}));
      // Threads of a GPU compute sines and cosines together where there are eight heads.
      CheckLayouts(RopeCall(name, t, {2, 3, 8, 32}, {}));
      Check(OfEqualRows(RopeCall(name, t, {2, 5, 4, 16}, {})), All(Layout::kExpanded, Layout::kDense));
      Call other = RopeCall(name, t, {2, 5, 3, 16}, {});
      other.outputs[0].dtype = t == Dt::kF32 ? Dt::kBF16 : Dt::kF32;
      Check(other, All(Layout::kDense, Layout::kDense));
    }
  }
}

TEST(Rope, Attributes) {
  const Shape shape{2, 4, 3, 16};
  for (const char* name : kRopes) {
    for (Dt t : {Dt::kF32, Dt::kF64, Dt::kF16}) {
      for (int interleaved : {0, 1}) {
        for (const Shape& x : {shape, Shape{5, 16, 16}})
          CheckLayouts(RopeCall(name, t, x, {{"interleaved", interleaved}}));
        CheckLayouts(RopeCall(name, t, shape, {{"interleaved", interleaved}, {"rotary_dim", 10}}));
      }
      for (int axis : {0, 1, 2, -2, -4})
        Check(RopeCall(name, t, shape, {{"seq_axis", axis}}), All(Layout::kDense, Layout::kReversed));
      Check(RopeCall(name, t, shape, {{"base", 500000.0}, {"offset", 1000}}), All(Layout::kDense, Layout::kDense));
      Check(RopeCall(name, t, shape, {{"rotary_dim", 0}}), All(Layout::kDense, Layout::kDense));
    }
  }
  for (Dt t : {Dt::kF32, Dt::kF64}) {
    // Frequencies on both sides of each variant's limits.
    const Shape wide{3, 2, 64};
    Check(RopeCall("rope_llama31", t, wide,
                   {{"scale_factor", 4.0},
                    {"low_freq_factor", 2.0},
                    {"high_freq_factor", 8.0},
                    {"original_max_position", 1024}}),
          All(Layout::kDense, Layout::kDense));
    Check(RopeCall("rope_yarn", t, wide,
                   {{"scale_factor", 4.0},
                    {"beta_fast", 16.0},
                    {"beta_slow", 2.0},
                    {"attn_factor", 1.25},
                    {"original_max_position", 2048}}),
          All(Layout::kDense, Layout::kDense));
    for (int max : {4096, 8192, 131072})
      Check(RopeCall("rope_longrope", t, wide, {{"max_position", max}}), All(Layout::kDense, Layout::kDense));
  }
}

TEST(Rope, FarPositions) {
  for (const char* name : kRopes) {
    for (Dt t : {Dt::kF32, Dt::kF64, Dt::kBF16}) {
      for (int64_t offset : {int64_t{65536}, int64_t{1} << 24, (int64_t{1} << 31) - 8})
        Check(RopeCall(name, t, {8, 1, 32}, {Attr("offset", offset)}), All(Layout::kDense, Layout::kDense));
    }
  }
}

TEST(Rope, PositionIds) {
  for (const char* name : kRopes) {
    for (Dt t : {Dt::kF32, Dt::kE4M3, Dt::kF64}) {
      for (Dt id : {Dt::kI32, Dt::kI64}) {
        for (const Shape& x : {Shape{2, 3, 2, 8}, Shape{2, 3, 8, 16}}) {
          Call call = RopeCall(name, t, x, {});
          call.inputs.push_back(Integers(id, {3}, {7, 0, 123456}));
          CheckLayouts(call);
          call.inputs.back() = Integers(id, {2, 3}, {7, 0, 12, 5, 6, 99999});
          CheckLayouts(call);
        }
      }
    }
  }
}

TEST(Rope, GivenCosSin) {
  for (const char* name : kRopes) {
    for (Dt t : {Dt::kF32, Dt::kF16, Dt::kF64}) {
      for (const Attrs& attrs : {Attrs{}, Attrs{{"interleaved", 1}, {"offset", 2}}}) {
        Call call = RopeCall(name, t, {2, 4, 8, 8}, attrs);
        call.inputs.push_back(Absent());
        call.inputs.push_back(Values(Dt::kF32, {9, 4}, 11));
        call.inputs.push_back(Values(Dt::kF32, {9, 4}, 12));
        CheckLayouts(call);
        call.inputs[0] = Values(t, {2, 4, 3, 8}, 7);
        call.outputs = {Output(t, {2, 4, 3, 8})};
        CheckLayouts(call);
        if (!attrs.empty()) continue;
        const size_t ids = call.inputs.size() - 3;
        call.inputs[ids] = Integers(Dt::kI64, {2, 4}, {8, 0, 3, 3, 1, 2, 7, 8});
        CheckLayouts(call);
        call.inputs[ids] = Integers(Dt::kI32, {4}, {8, -1, 9, 1 << 30});  // outside: NaN
        CheckLayouts(call);
      }
    }
  }
}

TEST(Rope, InPlaceAndLarge) {
  for (const char* name : kRopes) {
    for (Dt t : {Dt::kF32, Dt::kBF16}) {
      for (Layout layout : {Layout::kDense, Layout::kReversed, Layout::kStrided}) {
        for (int rotary : {16, 8})
          Check(RopeCall(name, t, {5, 3, 16}, {{"rotary_dim", rotary}}), {{layout}, {layout}, 0});
      }
    }
    Check(RopeCall(name, Dt::kF32, {0, 3, 16}, {}), All(Layout::kDense, Layout::kDense));
    Check(RopeCall(name, Dt::kF32, {1, Scaled(70), 20, 64}, {}), All(Layout::kDense, Layout::kDense));
  }
}

Call DropoutCall(Dt t, const Shape& shape, const Attrs& attrs, bool mask) {
  Call call;
  call.row = &RowOf("dropout");
  call.attrs = attrs;
  call.inputs = {Fill(t, shape, -10, 10, 3)};
  call.outputs = {Output(t, shape)};
  if (mask) call.outputs.push_back(Output(Dt::kBool, shape));
  return call;
}

// Known answers of Random123 (kat_vectors, philox4x32 with 10 rounds).
TEST(Dropout, PhiloxKnownAnswers) {
  const Words zero = Philox(0, 0, 0);
  EXPECT_EQ(zero.w[0], 0x6627e8d5u);
  EXPECT_EQ(zero.w[1], 0xe169c58du);
  EXPECT_EQ(zero.w[2], 0xbc57ac4cu);
  EXPECT_EQ(zero.w[3], 0x9b00dbd8u);
  const Words ones = Philox(~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0});
  EXPECT_EQ(ones.w[0], 0x408f276du);
  EXPECT_EQ(ones.w[1], 0x41c83b0eu);
  EXPECT_EQ(ones.w[2], 0xa20bc7c6u);
  EXPECT_EQ(ones.w[3], 0x6d5451fdu);
  const Words pi = Philox(0x299f31d0a4093822u, 0x85a308d3243f6a88u, 0x0370734413198a2eu);
  EXPECT_EQ(pi.w[0], 0xd16cfe09u);
  EXPECT_EQ(pi.w[1], 0x94fdcceb);
  EXPECT_EQ(pi.w[2], 0x5001e420u);
  EXPECT_EQ(pi.w[3], 0x24126ea1u);
}

TEST(Dropout, AttributesDtypesLayouts) {
  for (Dt t : Floats()) {
    for (double p : {0.0, 0.1, 0.5, 0.75, 0.999, 1.0}) {
      const Attrs attrs{{"p", p}, {"seed", 42}, {"offset", 7}};
      CheckLayouts(DropoutCall(t, {3, 5, 7}, attrs, true));
      Check(DropoutCall(t, {3, 5, 7}, attrs, false), All(Layout::kStrided, Layout::kDense));
    }
    CheckLayouts(DropoutCall(t, {3, 5, 7}, {{"training", 0}, {"p", 0.9}}, true));
    CheckLayouts(DropoutCall(t, {3, 5, 7}, {Attr("seed", INT64_C(-1)), Attr("offset", INT64_C(1) << 40)}, true));
    Check(DropoutCall(t, {6, 9}, {{"p", 0.3}}, true), {{Layout::kReversed}, {Layout::kReversed}, 0});
    Check(DropoutCall(t, {0, 3}, {}, true), All(Layout::kDense, Layout::kDense));
    Check(DropoutCall(t, {}, {}, true), All(Layout::kDense, Layout::kDense));
  }
}

// The mask is a function of the index alone: the same for one thread or four, dense or not.
TEST(Dropout, LargeInManyPieces) {
  for (Dt t : {Dt::kF32, Dt::kBF16}) {
    const Attrs attrs{{"p", 0.3}, {"seed", 123456789}};
    Check(DropoutCall(t, {Scaled(150001)}, attrs, true), All(Layout::kDense, Layout::kDense));
    Check(DropoutCall(t, {Scaled(380), 401}, attrs, true), All(Layout::kReversed, Layout::kStrided));
  }
}

TEST(Dropout, SeedAndOffsetOnTheDevice) {
  for (Dt t : {Dt::kF32, Dt::kF16}) {
    for (Layout layout : {Layout::kDense, Layout::kNegative, Layout::kStrided}) {
      Call call = DropoutCall(t, {4, 33}, {{"p", 0.25}}, true);
      call.inputs.push_back(Integers(Dt::kI64, {2}, {-77, INT64_C(1) << 35}));
      Check(call, {{Layout::kDense, layout}, {Layout::kDense}, -1});
    }
  }
}

// Keep iff word >= p * 2^32, compared as integers.
TEST(Dropout, ThresholdIsExact) {
  const uint32_t word = Philox(5, 0, 0).w[0];
  for (int above : {0, 1}) {
    const double p = (static_cast<double>(word) + above) * 0x1p-32;
    const Call call = DropoutCall(Dt::kF32, {1}, {{"p", p}, {"seed", 5}}, true);
    const auto results = Execute(Targets()[0], call, Placement{});
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[1][0], above ? 0u : 1u);
  }
}

TEST(Alibi, SlopesMasksLayouts) {
  for (Dt t : Floats()) {
    for (int64_t heads : {1, 2, 8, 12, 7}) {
      for (const Attrs& attrs : {Attrs{}, Attrs{{"causal", 1}}, Attrs{{"slopes", 1}},
                                 Attrs{{"offset", 5}, {"causal", 1}, {"slopes", 1}}, Attrs{{"offset", -3}}}) {
        Call call;
        call.row = &RowOf("alibi");
        call.attrs = attrs;
        call.outputs = {Output(t, {heads, 6, 9})};
        CheckLayouts(call);
        if (FindAttr(attrs, "slopes")) continue;
        call.inputs = {Values(Dt::kF32, {heads}, 5)};
        CheckLayouts(call);
      }
    }
  }
  Call large;
  large.row = &RowOf("alibi");
  large.outputs = {Output(Dt::kF32, {3, Scaled(150), 157})};
  Check(large, All(Layout::kDense, Layout::kDense));
  large.outputs = {Output(Dt::kF32, {3, 0, 4})};
  Check(large, All(Layout::kDense, Layout::kDense));
}

TEST(Sinusoidal, LayoutsOffsetsDtypes) {
  for (Dt t : Floats()) {
    for (const Attrs& attrs :
         {Attrs{}, Attrs{{"layout", 1}}, Attrs{{"base", 100.0}}, Attrs{{"offset", 100000}, {"layout", 1}}}) {
      Call call;
      call.row = &RowOf("sinusoidal");
      call.attrs = attrs;
      for (const Shape& shape : {Shape{5, 8}, Shape{17, 34}, Shape{1, 2}, Shape{0, 4}}) {
        call.outputs = {Output(t, shape)};
        CheckLayouts(call);
      }
    }
  }
  Call large;
  large.row = &RowOf("sinusoidal");
  large.outputs = {Output(Dt::kF32, {Scaled(1100), 64})};
  Check(large, All(Layout::kDense, Layout::kDense));
}

}  // namespace
}  // namespace optest
