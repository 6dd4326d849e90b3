// Conversions between storage and compute types, against the oracle's rounding.
#include "tileops/device/convert.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "../accuracy/oracle.h"
#include "op/scalar.h"

namespace tileops {
namespace {

namespace dev = tileops::device;

template <class T>
struct Format;
template <>
struct Format<dev::f16> {
  static constexpr OracleFormat value = OracleFormat::kF16;
};
template <>
struct Format<dev::bf16> {
  static constexpr OracleFormat value = OracleFormat::kBF16;
};
template <>
struct Format<dev::e4m3fn> {
  static constexpr OracleFormat value = OracleFormat::kE4M3FNNonsaturating;
};
template <>
struct Format<dev::e4m3fn_sat> {
  static constexpr OracleFormat value = OracleFormat::kE4M3FN;
};
template <>
struct Format<dev::e5m2> {
  static constexpr OracleFormat value = OracleFormat::kE5M2;
};
template <>
struct Format<dev::e5m2_sat> {
  static constexpr OracleFormat value = OracleFormat::kE5M2Saturating;
};

class Exact {
 public:
  Exact() { mpfr_init2(v_, 128); }
  ~Exact() { mpfr_clear(v_); }
  template <class T>
  uint64_t Round(double v) {
    mpfr_set_d(v_, v, MPFR_RNDN);
    return oracle_encode(v_, Format<T>::value);
  }
  template <class T>
  uint64_t RoundInteger(int64_t v) {
    mpfr_set_sj(v_, v, MPFR_RNDN);
    return oracle_encode(v_, Format<T>::value);
  }
  template <class T>
  uint64_t RoundInteger(uint64_t v) {
    mpfr_set_uj(v_, v, MPFR_RNDN);
    return oracle_encode(v_, Format<T>::value);
  }

 private:
  mpfr_t v_;
};

// NaN is one value; which bits are e5m2's and e4m3fn's affair.
template <class T>
bool Same(uint64_t got, uint64_t want) {
  return got == want ||
         (std::isnan(oracle_decode(got, Format<T>::value)) && std::isnan(oracle_decode(want, Format<T>::value)));
}

template <class T>
class Narrow : public ::testing::Test {};
using NarrowTypes = ::testing::Types<dev::f16, dev::bf16, dev::e4m3fn, dev::e4m3fn_sat, dev::e5m2, dev::e5m2_sat>;
TYPED_TEST_SUITE(Narrow, NarrowTypes);

template <class T>
struct Source {  // the type that is read; saturation concerns writing only
  using type = T;
};
template <>
struct Source<dev::e4m3fn_sat> {
  using type = dev::e4m3fn;
};
template <>
struct Source<dev::e5m2_sat> {
  using type = dev::e5m2;
};

// float4_e2m1fn, whose values and ties are few: every upper half of a float with lower halves around them.
TEST(Fours, FromFloat) {
  constexpr double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  const auto code_of = [&](double x) -> unsigned {
    if (std::isnan(x)) return 0;
    unsigned code = 0;
    while (code < 7) {
      const double tie = (values[code] + values[code + 1]) / 2, a = std::fabs(x);
      if (a < tie || (a == tie && code % 2 == 0)) break;
      ++code;
    }
    return code | (std::signbit(x) ? 8u : 0u);
  };
  for (uint32_t high = 0; high < 0x10000; ++high) {
    for (uint32_t low : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      const uint32_t bits = high << 16 | low;
      float x;
      std::memcpy(&x, &bits, 4);
      ASSERT_EQ(dev::convert<dev::e2m1fn>(x).bits, code_of(x)) << std::hexfloat << x;
      ASSERT_EQ(dev::convert<dev::e2m1fn>(static_cast<double>(x)).bits, code_of(x)) << std::hexfloat << x;
    }
  }
  for (const double tie : {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 7.0})
    for (const double x : {tie, std::nextafter(tie, 0.0), std::nextafter(tie, 9.0)})
      ASSERT_EQ(dev::convert<dev::e2m1fn>(x).bits, code_of(x)) << std::hexfloat << x;
  for (unsigned code = 0; code < 16; ++code) {
    const float f = dev::widen(dev::e2m1fn{static_cast<uint8_t>(code)});
    ASSERT_EQ(f, (code & 8 ? -1 : 1) * values[code & 7]);
    ASSERT_EQ(std::signbit(f), code >= 8);
  }
}

TYPED_TEST(Narrow, EveryCodeRoundTrips) {
  using From = typename Source<TypeParam>::type;
  const uint64_t codes = uint64_t{1} << (sizeof(From) * 8);
  for (uint64_t code = 0; code < codes; ++code) {
    From x;
    x.bits = static_cast<decltype(x.bits)>(code);
    const float f = dev::widen(x);
    const double want = oracle_decode(code, Format<TypeParam>::value);
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(f)) << code;
      continue;
    }
    ASSERT_EQ(f, want) << code;
    ASSERT_EQ(std::signbit(f), std::signbit(want)) << code;
    const uint64_t back = dev::convert<TypeParam>(f).bits;
    if (std::isinf(want) && codes == 256 && back != code) {
      EXPECT_EQ(back & 0x7f, 0x7bu);  // e5m2 saturating
      continue;
    }
    ASSERT_EQ(back, code);
    ASSERT_EQ(dev::convert<TypeParam>(static_cast<double>(f)).bits, code);
  }
}

// Every upper half of a float with lower halves around its ties.
TYPED_TEST(Narrow, FromFloat) {
  Exact exact;
  for (uint32_t high = 0; high < 0x10000; ++high) {
    for (uint32_t low : {0u, 1u, 0x0fffu, 0x1000u, 0x1001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      const uint32_t bits = high << 16 | low;
      float x;
      std::memcpy(&x, &bits, 4);
      const uint64_t got = dev::convert<TypeParam>(x).bits;
      const uint64_t want = exact.template Round<TypeParam>(x);
      ASSERT_TRUE(Same<TypeParam>(got, want)) << std::hexfloat << x << " got " << got << " want " << want;
    }
  }
}

// Doubles next to the ties: a way through float would round twice.
TYPED_TEST(Narrow, FromDouble) {
  Exact exact;
  std::mt19937_64 random(1);
  const uint64_t codes = uint64_t{1} << (sizeof(TypeParam) * 8);
  const uint64_t step = codes > 256 ? 7 : 1;
  for (uint64_t code = 0; code + 1 < codes; code += step) {
    const double a = oracle_decode(code, Format<TypeParam>::value);
    const double b = oracle_decode(code + 1, Format<TypeParam>::value);
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    const double middle = a + (b - a) / 2;
    for (double x : {middle, std::nextafter(middle, HUGE_VAL), std::nextafter(middle, -HUGE_VAL),
                     middle * (1 + 0x1p-30), middle * (1 - 0x1p-30), middle * (1 + 0x1p-24)}) {
      const uint64_t got = dev::convert<TypeParam>(x).bits;
      const uint64_t want = exact.template Round<TypeParam>(x);
      ASSERT_TRUE(Same<TypeParam>(got, want)) << std::hexfloat << x;
    }
  }
  for (int i = 0; i < 200000; ++i) {
    const uint64_t exponent = 1023 - 30 + random() % 60;
    const uint64_t bits = i % 2 ? random() : (random() >> 12) | (exponent << 52);
    double x;
    std::memcpy(&x, &bits, 8);
    const uint64_t got = dev::convert<TypeParam>(x).bits;
    ASSERT_TRUE(Same<TypeParam>(got, exact.template Round<TypeParam>(x))) << std::hexfloat << x;
  }
}

TYPED_TEST(Narrow, FromIntegers) {
  Exact exact;
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    const int shift = static_cast<int>(random() % 64);
    const uint64_t u = random() >> shift;
    const int64_t s = static_cast<int64_t>(random()) >> shift;
    ASSERT_TRUE(Same<TypeParam>(dev::convert<TypeParam>(dev::u64{u}).bits, exact.template RoundInteger<TypeParam>(u)))
        << u;
    ASSERT_TRUE(Same<TypeParam>(dev::convert<TypeParam>(dev::i64{s}).bits, exact.template RoundInteger<TypeParam>(s)))
        << s;
    const int32_t s32 = static_cast<int32_t>(s);
    ASSERT_TRUE(Same<TypeParam>(dev::convert<TypeParam>(dev::i32{s32}).bits,
                                exact.template RoundInteger<TypeParam>(int64_t{s32})))
        << s32;
  }
  for (int v = -32768; v < 32768; ++v) {
    const uint64_t got = dev::convert<TypeParam>(static_cast<dev::i16>(v)).bits;
    ASSERT_TRUE(Same<TypeParam>(got, exact.template RoundInteger<TypeParam>(int64_t{v}))) << v;
  }
}

TEST(Convert, DoubleToFloatIsOneRounding) {
  EXPECT_EQ(dev::convert<float>(1.0 + 0x1p-24), 1.0f);
  EXPECT_EQ(dev::convert<float>(1.0 + 0x1p-24 + 0x1p-50), 1.0f + 0x1p-23f);
  EXPECT_EQ(dev::convert<float>(0x1p-150), 0.0f);
  EXPECT_EQ(dev::convert<float>(0x1.0001p-150), 0x1p-149f);
  EXPECT_EQ(dev::convert<float>(3.5e38), HUGE_VALF);
}

template <class To, class From>
void CheckToInteger(From x) {
  __extension__ typedef __int128 Wide;
  const bool is_signed = To(-1) < To(0);
  const int bits = sizeof(To) * 8;
  const Wide max = (Wide{1} << (bits - (is_signed ? 1 : 0))) - 1;
  const Wide min = is_signed ? -max - 1 : 0;
  Wide want = 0;
  if (x != x) want = 0;
  else if (x >= From(0x1p70)) want = max;
  else if (x <= From(-0x1p70)) want = min;
  else want = static_cast<Wide>(x);
  want = want > max ? max : want < min ? min : want;
  ASSERT_EQ(dev::convert<To>(x), static_cast<To>(want)) << std::hexfloat << x;
}

template <class From>
void CheckAllIntegers(From x) {
  CheckToInteger<dev::i8>(x);
  CheckToInteger<dev::i16>(x);
  CheckToInteger<dev::i32>(x);
  CheckToInteger<dev::i64>(x);
  CheckToInteger<dev::u8>(x);
  CheckToInteger<dev::u16>(x);
  CheckToInteger<dev::u32>(x);
  CheckToInteger<dev::u64>(x);
}

TEST(Convert, FloatsToIntegersTruncateAndSaturate) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) {
    const uint32_t bits = static_cast<uint32_t>(random());
    float f;
    std::memcpy(&f, &bits, 4);
    CheckAllIntegers(f);
    const double d = std::ldexp(static_cast<double>(static_cast<int64_t>(random())), -(i % 70));
    CheckAllIntegers(d);
  }
  for (int e = 0; e <= 64; ++e) {
    for (double base : {std::ldexp(1.0, e), -std::ldexp(1.0, e)}) {
      for (double x : {base, std::nextafter(base, 0), std::nextafter(base, 2 * base)}) CheckAllIntegers(x);
      CheckAllIntegers(static_cast<float>(base));
      CheckAllIntegers(std::nextafter(static_cast<float>(base), 0.0f));
    }
  }
  CheckAllIntegers(HUGE_VAL);
  CheckAllIntegers(-HUGE_VAL);
  CheckAllIntegers(static_cast<double>(NAN));
}

TEST(Convert, Bool) {
  EXPECT_EQ(dev::convert<dev::bool8>(0.0f).bits, 0);
  EXPECT_EQ(dev::convert<dev::bool8>(-0.0).bits, 0);
  EXPECT_EQ(dev::convert<dev::bool8>(static_cast<float>(NAN)).bits, 1);
  EXPECT_EQ(dev::convert<dev::bool8>(0x1p-149f).bits, 1);
  EXPECT_EQ(dev::convert<dev::bool8>(dev::i32{-4}).bits, 1);
  EXPECT_EQ(dev::convert<float>(dev::bool8{200}), 1.0f);
  EXPECT_EQ(dev::convert<dev::i64>(dev::bool8{2}), 1);
}

TEST(Convert, StoreScalar) {
  uint8_t out[8] = {};
  store_scalar(500.0, Dtype::e4m3fn, Fp8Mode::saturate, out);
  EXPECT_EQ(out[0], 0x7e);
  store_scalar(500.0, Dtype::e4m3fn, Fp8Mode::nonsaturating, out);
  EXPECT_EQ(out[0], 0x7f);
  store_scalar(-1.0, Dtype::i16, Fp8Mode::saturate, out);
  EXPECT_EQ(out[0], 0xff);
  EXPECT_EQ(out[1], 0xff);
  store_scalar(0.1, Dtype::f64, Fp8Mode::saturate, out);
  double d;
  std::memcpy(&d, out, 8);
  EXPECT_EQ(d, 0.1);
}

}  // namespace
}  // namespace tileops
