// The value of masked_fill is the same as attribute and as operand of any float dtype that holds it: taken in the type
// that x is computed in, and converted once to the output's dtype, with its overflow mode.
#include <gtest/gtest.h>

#include <cmath>

#include "cases.h"
#include "runner.h"

namespace optest {
namespace {

struct Case {
  Dt x, out;
  double value;
  uint64_t want;
  Attrs attrs = {};
};

const Case kCases[] = {
    {Dt::kF16, Dt::kF32, 0.1, 0x3dcccccd},
    {Dt::kF16, Dt::kBF16, 0.1, 0x3dcd},
    {Dt::kF16, Dt::kF16, 0.1, 0x2e66},
    {Dt::kBF16, Dt::kF64, 0.1, 0x3fb99999a0000000},  // in float32
    {Dt::kF64, Dt::kF32, 0.1, 0x3dcccccd},
    {Dt::kE4M3, Dt::kF32, 1000, 0x447a0000},
    {Dt::kE4M3, Dt::kF32, -HUGE_VAL, 0xff800000},
    {Dt::kE4M3, Dt::kF16, -HUGE_VAL, 0xfc00},
    {Dt::kE4M3, Dt::kI32, 1000, 1000},
    {Dt::kE4M3, Dt::kI32, -HUGE_VAL, 0x80000000},
    {Dt::kE4M3, Dt::kE4M3, 1000, 0x7e},
    {Dt::kE4M3, Dt::kE4M3, -HUGE_VAL, 0xfe},
    {Dt::kE4M3, Dt::kE4M3, 1000, 0x7f, {{"fp8_overflow", 1}}},
    {Dt::kE4M3, Dt::kE5M2, 1000, 0x64},
    {Dt::kE5M2, Dt::kE4M3, -HUGE_VAL, 0xfe},
    {Dt::kE5M2, Dt::kE5M2, 1e6, 0x7c},
    {Dt::kE5M2, Dt::kE5M2, 1e6, 0x7b, {{"fp8_overflow", 0}}},
    {Dt::kF16, Dt::kE4M3, 1e6, 0x7e},
    {Dt::kF16, Dt::kI8, 1e6, 0x7f},
};

void ExpectValue(const Case& c, const Call& call, const char* how) {
  for (const Target& target : Targets()) {
    const auto got = Execute(target, call, Placement{});
    ASSERT_FALSE(got.empty());
    EXPECT_EQ(got[0][0], Encode(Num::Integer(1), c.out)) << target.name << " " << how;
    EXPECT_EQ(got[0][1], c.want) << target.name << ": " << Info(c.x).name << " x, " << c.value << " as " << how
                                 << ", to " << Info(c.out).name;
  }
}

TEST(MaskedFillValue, IsTheSameAsAttributeAndAsOperand) {
  for (const Case& c : kCases) {
    Call call;
    call.row = &RowOf("masked_fill");
    const uint64_t one = Encode(Num::Integer(1), c.x);
    const Array x{true, c.x, {2}, {one, one}}, mask{true, Dt::kBool, {2}, {0, 1}};
    call.outputs = {Array{true, c.out, {2}, {}}};
    call.inputs = {x, mask};
    call.attrs = c.attrs;
    call.attrs.push_back(Attr("value", c.value));
    ExpectValue(c, call, "attribute");
    call.attrs = c.attrs;
    for (Dt t : {Dt::kF32, Dt::kF64}) {
      call.inputs = {x, mask, Array{true, t, {}, {Encode(Num::Float(c.value), t)}}};
      if (c.x == Dt::kF64 && t == Dt::kF32) continue;  // 0.1 is another number then
      ExpectValue(c, call, Info(t).name);
    }
  }
}

// Selected bits of the output's own dtype are kept; what is converted obeys fp8_overflow.
TEST(SelectedInfinity, OfE5m2) {
  const Array cond{true, Dt::kBool, {2}, {1, 0}};
  const Array infinite{true, Dt::kE5M2, {2}, {0x7c, 0x7c}};
  for (const bool mixed : {false, true}) {
    Call call;
    call.row = &RowOf("where");
    call.attrs = Attrs{{"fp8_overflow", 0}};
    call.inputs = {cond, infinite, mixed ? Array{true, Dt::kF16, {2}, {0x7c00, 0x7c00}} : infinite};
    call.outputs = {Array{true, Dt::kE5M2, {2}, {}}};
    for (const Target& target : Targets()) {
      const auto got = Execute(target, call, Placement{});
      ASSERT_FALSE(got.empty());
      EXPECT_EQ(got[0][0], mixed ? 0x7bu : 0x7cu) << target.name;
      EXPECT_EQ(got[0][1], mixed ? 0x7bu : 0x7cu) << target.name;
    }
  }
}

}  // namespace
}  // namespace optest
