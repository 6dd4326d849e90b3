// Numbers of 8 and 16 bits, and rounding in the modes of PTX.
#ifndef TILEOPS_TESTS_EMULATOR_NUMBERS_H_
#define TILEOPS_TESTS_EMULATOR_NUMBERS_H_

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "program/program.h"

namespace emulator {

// A type that is narrower than f32, by its bits.
struct Format {
  enum class Top { infinity, one_nan, number };  // what the largest exponent holds, but for numbers
  int exponent_bits, mantissa_bits;
  Top top;
  double largest;
};
inline constexpr Format kF16{5, 10, Format::Top::infinity, 65504}, kBf16{8, 7, Format::Top::infinity, 0x1.fep127},
    kE4m3{4, 3, Format::Top::one_nan, 448}, kE5m2{5, 2, Format::Top::infinity, 57344},
    kE2m1{2, 1, Format::Top::number, 6};

double decode(const Format& f, uint32_t bits);
// Rounded by a mode of <cfenv>; what is too large is infinity, or with `finite` the largest number.
uint32_t encode(const Format& f, double x, int mode = FE_TONEAREST, bool finite = false);

// The mode of "rn", "rz", "rm" or "rp" among an instruction's parts, also of "rni" and so on.
int rounding_of(const Mnemonic& m);

class RoundingMode {
 public:
  explicit RoundingMode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingMode() { std::fesetround(before_); }

 private:
  int before_;
};

// A number that is computed where the text says so: not before a rounding mode is set, or after.
template <class T>
T opaque(T x) {
  asm volatile("" : "+x"(x) : : "memory");
  return x;
}

// a * b + c in f64, an inexact one made odd: rounded once more to a narrow type it is as if rounded once.
double odd_fma(double a, double b, double c);

// A register's bits as a number, and back.
template <class T>
T get(uint64_t bits) {
  T x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
template <class T>
uint64_t put(T x) {
  // A computed NaN is one and the same.
  if constexpr (std::is_same_v<T, float>)
    if (std::isnan(x)) return 0x7fffffff;
  uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return bits;
}

// f16 and bf16 as types of their own.
template <const Format& kFormat>
struct Narrow {
  uint16_t bits;
  Narrow() = default;
  explicit Narrow(double x) : bits(static_cast<uint16_t>(encode(kFormat, x))) {}
  explicit operator double() const { return decode(kFormat, bits); }
};
using F16 = Narrow<kF16>;
using Bf16 = Narrow<kBf16>;

}  // namespace emulator

#endif  // TILEOPS_TESTS_EMULATOR_NUMBERS_H_
