// SPDX-License-Identifier: Apache-2.0
// The portable policy: the f32 and f64 primitives under one name, overloaded.
#ifndef TILEOPS_DEVICE_MATH_POLICY_H
#define TILEOPS_DEVICE_MATH_POLICY_H

#include "../f32/primitives.h"
#include "../f64/primitives.h"
#include "terms.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

struct portable : portable_f32, portable_f64 {
  static constexpr bool pre_round = false;
  static constexpr bool approximate = false;
#define TILEOPS_BOTH(name)  \
  using portable_f32::name; \
  using portable_f64::name;
  TILEOPS_BOTH(exp)
  TILEOPS_BOTH(exp2)
  TILEOPS_BOTH(expm1)
  TILEOPS_BOTH(log)
  TILEOPS_BOTH(log1p)
  TILEOPS_BOTH(sqrt)
  TILEOPS_BOTH(rsqrt)
  TILEOPS_BOTH(rcp)
  TILEOPS_BOTH(erf)
  TILEOPS_BOTH(erfc)
  TILEOPS_BOTH(tanh)
  TILEOPS_BOTH(pow)
  TILEOPS_BOTH(sincos_turn)
  TILEOPS_BOTH(sin)
  TILEOPS_BOTH(sin_rare)
  TILEOPS_BOTH(sin_slow)
  TILEOPS_BOTH(cos)
  TILEOPS_BOTH(cos_rare)
  TILEOPS_BOTH(cos_slow)
  TILEOPS_BOTH(fmod)
  TILEOPS_BOTH(fmod_rare)
  TILEOPS_BOTH(fmod_slow)
#undef TILEOPS_BOTH

  using portable_f32::exp_parts;
  static TILEOPS_FN exp_parts_t<double> exp_parts(double x, double lo) {
    const f64::scaled_pair e = f64::exp_scaled(x, lo);
    // Unsigned shift: AVX2 has no arithmetic one for 64 bits.
    const i64 half = static_cast<i64>(static_cast<u64>(e.k + 4096) >> 1) - 2048;
    return {e.v.hi, e.v.lo, f64::power_of_two(half), f64::power_of_two(e.k - half)};
  }

  using portable_f32::exp_parts_up;
  static TILEOPS_FN exp_parts_t<double> exp_parts_up(double x, double lo) {
    const f64::scaled_pair e = f64::exp_scaled(x, lo);
    const bool high = e.k > 900;
    // hi - 1 is exact.
    return {e.v.hi - 1.0, e.v.lo, f64::power_of_two(high ? e.k - 200 : e.k), high ? 0x1p-200 : 1.0};
  }

  using portable_f32::gelu;
  static TILEOPS_FN double gelu(double x) { return f64::normal_tail_times(-x, x < -40.0 ? -40.0 : x); }
};

// For f32 results that are rounded to 16 bits after a test whether their error matters.
struct portable_approx : portable {
  static constexpr bool approximate = true;
};

// For doubles that are rounded to at most 11 bits next. Where an activation rounds to a number whose
// product is a tie there (silu(48) to 48, gelu of a subnormal to its half), these results are moved
// by 2^-45 to the side on which the exact value lies.
struct portable_pre_round : portable {
  static constexpr bool pre_round = true;
};

// y = f(x), exact value a hair below x in magnitude where y = x != 0 and x is large; above x*slope
// (towards +inf) where y is that and x is tiny.
template <class P, class T>
TILEOPS_FN T toward_exact(T y, T x, T slope) {
  if constexpr (P::pre_round) {
    const bool large = (y == x) & (abs(x) > T(1));
    const bool tiny = (y == x * slope) & (abs(x) < T(0x1p-40)) & (y != T(0));
    return large ? y - y * T(0x1p-45) : tiny ? y + abs(y) * T(0x1p-45) : y;
  } else {
    return y;
  }
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif
