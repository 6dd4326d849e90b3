// Casts to and from scales (float8_e8m0fnu): every code, every number of 16 bits or fewer, and of
// wider dtypes what lies at and beside each power of two and each tie, with every rounding and both
// kinds of overflow.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "runner.h"

namespace optest {
namespace {

constexpr Dt kNarrow[] = {Dt::kF16, Dt::kBF16, Dt::kE4M3, Dt::kE5M2, Dt::kI8,
                          Dt::kI16, Dt::kU8,   Dt::kU16,  Dt::kBool, Dt::kE8M0};

Call CastOf(Dt from, std::vector<uint64_t> bits, Dt to, const Attrs& attrs = {}) {
  Call call;
  call.row = &RowOf("cast");
  const std::vector<int64_t> shape{static_cast<int64_t>(bits.size())};
  call.inputs = {Array{true, from, shape, std::move(bits)}};
  call.outputs = {Array{true, to, shape, {}}};
  call.attrs = attrs;
  return call;
}

std::vector<uint64_t> AllCodes(Dt t) {
  std::vector<uint64_t> codes(size_t{1} << (8 * Info(t).size));
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = i;
  return codes;
}

void ExpectScales(Dt from, const std::vector<uint64_t>& bits) {
  std::vector<Num> numbers;
  for (uint64_t code : bits) numbers.push_back(Decode(from, code));
  std::map<std::pair<Overflow, int>, std::vector<uint64_t>> expected;
  const auto scales = [&](Overflow mode, int rounding) -> const std::vector<uint64_t>& {
    std::vector<uint64_t>& all = expected[{mode, rounding}];
    if (all.empty())
      for (const Num& number : numbers) all.push_back(Encode(number, Dt::kE8M0, mode, rounding));
    return all;
  };
  for (int rounding : {-1, 0, 1, 2, 3}) {
    for (int overflow : {-1, 0, 1}) {
      Attrs attrs;
      if (rounding >= 0) attrs.push_back({"rounding", rounding});
      if (overflow >= 0) attrs.push_back({"fp8_overflow", overflow});
      const Overflow mode = overflow == 0 ? Overflow::kSaturate : Overflow::kNonsaturating;
      const Call call = CastOf(from, bits, Dt::kE8M0, attrs);
      // A copy keeps the bits, whatever is asked for.
      const std::vector<uint64_t>& wanted = from == Dt::kE8M0 ? bits : scales(mode, std::max(rounding, 0));
      for (const Target& target : Targets()) {
        const auto got = Execute(target, call, Placement{});
        ASSERT_FALSE(got.empty());
        int wrong = 0;
        for (size_t i = 0; i < bits.size() && wrong < 5; ++i) {
          if (got[0][i] == wanted[i]) continue;
          ++wrong;
          ADD_FAILURE() << target.name << ": " << ToString(from, bits[i]) << " as " << Info(from).name << ", rounding "
                        << rounding << ", overflow " << overflow << ": got " << got[0][i] << ", want " << wanted[i];
        }
      }
    }
  }
}

TEST(Scale, FromEveryNumberOfAtMost16Bits) {
  for (Dt t : kNarrow) ExpectScales(t, AllCodes(t));
}

TEST(Scale, FromFloatsAtAndBesideEveryPowerAndTie) {
  for (Dt t : {Dt::kF32, Dt::kF64}) {
    const uint64_t sign = uint64_t{1} << (8 * Info(t).size - 1);
    std::set<uint64_t> bits{0, sign};
    const int last = t == Dt::kF64 ? 1023 : 127;
    for (int e = -last - 60; e <= last + 1; ++e) {
      for (double m : {1.0, 1.25, 1.5, 1.75}) {
        const uint64_t at = Encode(Num::Float(std::ldexp(m, e)), t);
        for (int beside = -2; beside <= 2; ++beside)
          if (at + static_cast<uint64_t>(beside) < sign) bits.insert(at + static_cast<uint64_t>(beside));
      }
    }
    std::mt19937_64 random(7);  // any bits: negative numbers, infinities, NaN
    for (int64_t i = Scaled(1 << 16); i > 0; --i) bits.insert(random() & (2 * sign - 1));
    for (double v : {double{INFINITY}, -double{INFINITY}, double{NAN}, -1.5, -3.0, 0x1p200, -0x1p200, 0x1p-200})
      bits.insert(Encode(Num::Float(v), t));
    ExpectScales(t, {bits.begin(), bits.end()});
  }
}

TEST(Scale, FromIntegersAtAndBesideEveryPowerAndTie) {
  for (Dt t : {Dt::kI32, Dt::kU32, Dt::kI64, Dt::kU64}) {
    const int width = 8 * Info(t).size;
    const uint64_t mask = ~uint64_t{0} >> (64 - width);
    std::set<uint64_t> bits;
    for (int e = 0; e < width; ++e)
      for (uint64_t at : {uint64_t{1} << e, (uint64_t{3} << e) >> 1})
        for (uint64_t beside : {~uint64_t{0}, uint64_t{0}, uint64_t{1}})
          for (uint64_t value : {at + beside, uint64_t{0} - (at + beside)}) bits.insert(value & mask);
    ExpectScales(t, {bits.begin(), bits.end()});
  }
}

TEST(Scale, EveryCodeToEveryDtype) {
  for (Dt t : AllDtypes()) {
    Check(CastOf(Dt::kE8M0, AllCodes(Dt::kE8M0), t), Placement{});
    if (!IsFp8(t)) continue;
    for (int overflow : {0, 1})
      Check(CastOf(Dt::kE8M0, AllCodes(Dt::kE8M0), t, {{"fp8_overflow", overflow}}), Placement{});
  }
}

// What the definition says, by hand: PyTorch's float8_e8m0fnu for numbers that are not subnormal,
// and the next power for the scales of block-scaled formats.
TEST(Scale, KnownValues) {
  const struct {
    float value;
    uint64_t nearest, down, up;
  } rows[] = {{1, 127, 127, 127},
              {1.4999999f, 127, 127, 128},
              {1.5f, 128, 127, 128},
              {3, 129, 128, 129},
              {2.9999998f, 128, 128, 129},
              {-3, 129, 128, 129},
              {0, 0, 0, 0},
              {-0.0f, 0, 0, 0},
              {0x1p-127f, 0, 0, 0},
              {0x1p-149f, 0, 0, 0},
              {0x1.000004p-127f, 0, 0, 1},
              {0x1.8p-127f, 1, 0, 1},
              {0x1p-126f, 1, 1, 1},
              {0x1p127f, 254, 254, 254},
              {0x1.000002p127f, 254, 254, 255},
              {0x1.8p127f, 255, 254, 255},
              {INFINITY, 255, 255, 255},
              {NAN, 255, 255, 255},
              {448 / 448.0f, 127, 127, 127},
              {449 / 448.0f, 127, 127, 128}};
  for (const auto& row : rows) {
    const std::vector<uint64_t> bits{Encode(Num::Float(row.value), Dt::kF32)};
    for (int rounding : {0, 1, 2, 3}) {
      const auto got = Execute(Targets().back(), CastOf(Dt::kF32, bits, Dt::kE8M0, {{"rounding", rounding}}),
                               Placement{});
      ASSERT_FALSE(got.empty());
      EXPECT_EQ(got[0][0], rounding == 0   ? row.nearest
                           : rounding == 3 ? row.up
                                           : row.down)
          << row.value << " " << rounding;
    }
  }
}

}  // namespace
}  // namespace optest
