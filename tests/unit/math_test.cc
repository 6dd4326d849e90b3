// Integer arithmetic, random words and fixed-point angles of the device headers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "tileops/device/math/common/integer.h"
#include "tileops/device/math/common/philox.h"
#include "tileops/device/math/common/turns.h"

namespace tileops {
namespace {

namespace dev = tileops::device;
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UWide;

// Known answers of Random123's kat_vectors, philox4x32 with 10 rounds.
TEST(Philox, KnownAnswers) {
  const auto check = [](dev::philox_words w, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    EXPECT_EQ(w.w0, a);
    EXPECT_EQ(w.w1, b);
    EXPECT_EQ(w.w2, c);
    EXPECT_EQ(w.w3, d);
  };
  check(dev::philox4x32_10(0, 0, 0), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
  const uint64_t ones = ~uint64_t{0};
  check(dev::philox4x32_10(ones, ones, ones), 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
  check(dev::philox4x32_10(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e), 0xd16cfe09, 0x94fdcceb,
        0x5001e420, 0x24126ea1);
}

template <class T>
class Integer : public ::testing::Test {};
using IntegerTypes = ::testing::Types<dev::i8, dev::i16, dev::i32, dev::i64, dev::u8, dev::u16, dev::u32, dev::u64>;
TYPED_TEST_SUITE(Integer, IntegerTypes);

template <class T>
std::vector<T> Samples() {
  std::vector<T> v;
  for (int i = -5; i <= 5; ++i) v.push_back(static_cast<T>(i));
  const uint64_t top = uint64_t{1} << (sizeof(T) * 8 - 1);  // both ends of the signed range
  for (uint64_t k = 0; k < 5; ++k) v.push_back(static_cast<T>(top - 2 + k));
  std::mt19937_64 random(1);
  for (int i = 0; i < 40; ++i) v.push_back(static_cast<T>(random()));
  return v;
}

TYPED_TEST(Integer, DivisionIsThatOfWiderIntegers) {
  using T = TypeParam;
  for (T a : Samples<T>()) {
    for (T b : Samples<T>()) {
      const Wide x = a, y = b;
      const Wide q = y == 0 ? 0 : x / y;
      const Wide floor = y == 0 ? 0 : x % y != 0 && ((x < 0) != (y < 0)) ? q - 1 : q;
      ASSERT_EQ(dev::int_div(a, b), static_cast<T>(q)) << +a << " " << +b;
      ASSERT_EQ(dev::int_floor_div(a, b), static_cast<T>(floor)) << +a << " " << +b;
      ASSERT_EQ(dev::int_remainder(a, b), static_cast<T>(y == 0 ? 0 : x - floor * y)) << +a << " " << +b;
      ASSERT_EQ(dev::wrap_mul(a, b), static_cast<T>(static_cast<UWide>(x) * static_cast<UWide>(y)));
      ASSERT_EQ(dev::wrap_add(a, b), static_cast<T>(x + y));
      ASSERT_EQ(dev::wrap_sub(a, b), static_cast<T>(x - y));
    }
  }
}

TYPED_TEST(Integer, PowerIsRepeatedMultiplication) {
  using T = TypeParam;
  for (T a : Samples<T>()) {
    UWide product = 1;
    for (int e = 0; e < 70; ++e) {
      if (e <= 127) {
        ASSERT_EQ(dev::int_pow(a, static_cast<T>(e)), static_cast<T>(product)) << +a << "^" << e;
      }
      product *= static_cast<UWide>(static_cast<Wide>(a));
    }
    if (T(-1) < T(0)) {
      for (int e : {-1, -2, -5}) {
        const T want = a == T(1) ? T(1) : a == T(-1) ? (e % 2 ? T(-1) : T(1)) : T(0);
        ASSERT_EQ(dev::int_pow(a, static_cast<T>(e)), want) << +a << "^" << e;
      }
    }
  }
}

// turns / r for r = m * 2^e, whole turns dropped, to two units of turns / m; those of r < 1 are
// larger by its exponent.
TEST(Turns, Divided) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t turns = random() >> (i % 40);
    const float r = std::ldexp(1.0f + static_cast<float>(random() >> 41) * 0x1p-23f, i % 60 - 20);
    int e;
    const uint64_t m = static_cast<uint64_t>(std::ldexp(std::frexp(r, &e), 24));
    e -= 24;
    UWide want;
    if (e >= 0) want = e > 63 ? 0 : (UWide{turns} / m) >> e;
    else want = (UWide{turns} << -e) / m;  // -e <= 44, turns < 2^64: fits
    const int64_t error = static_cast<int64_t>(dev::turns_divided(turns, r) - static_cast<uint64_t>(want));
    const double most = r < 1 ? std::ldexp(2.0, -std::ilogb(r)) : 2.0;
    ASSERT_LE(std::llabs(error), most) << turns << " " << r;
  }
  for (float r : {0.0f, -1.0f, HUGE_VALF, NAN}) EXPECT_EQ(dev::turns_divided(12345, r), 0u);
}

}  // namespace
}  // namespace tileops
