// N registers of floats as one value, with the operations of device/math/common/scalar_lanes.h on each in turn. Each
// operation of a formula waits for those before it; a scheduler (97 places on Golden Cove) does not reach far past such
// a chain of 12 to 40 into the next one, and compilers do not mix them. A formula that asks whether all numbers are
// ordinary asks once for all registers.
#pragma once

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include "cpu/simd/lanes_avx512.h"
#else
#include "cpu/simd/lanes_avx2.h"
#endif

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

template <size_t N>
struct f32s;

// R of one result per register. N is 2 or 4.
template <class R, size_t N, class F>
TILEOPS_FN R each(const F& f) {
  if constexpr (N == 2) return {f(0), f(1)};
  else return {f(0), f(1), f(2), f(3)};
}
#define TILEOPS_EACH(R, value) return each<R, N>([&](size_t i) __attribute__((always_inline)) { return value; })
// Friends, so that numbers become registers when one operand is some.
#define TILEOPS_EACH_1(R, name, A) \
  friend TILEOPS_FN R name(A a) { TILEOPS_EACH(R, name(a.v[i])); }
#define TILEOPS_EACH_2(R, name, A, B) \
  friend TILEOPS_FN R name(A a, B b) { TILEOPS_EACH(R, name(a.v[i], b.v[i])); }
#define TILEOPS_EACH_OPERATOR(R, A, op) \
  friend TILEOPS_FN R operator op(A a, A b) { TILEOPS_EACH(R, a.v[i] op b.v[i]); }

template <size_t N>
struct masks {
  mask_register v[N];
  TILEOPS_EACH_OPERATOR(masks, masks, &)
  TILEOPS_EACH_OPERATOR(masks, masks, |)
  friend TILEOPS_FN bool any(masks m) {
    if constexpr (N == 2) return any_of_two(m.v[0], m.v[1]);
    else return any((m.v[0] | m.v[1]) | (m.v[2] | m.v[3]));
  }
};

template <size_t N>
struct u32s {
  u32_register v[N];
  template <class... A>
  TILEOPS_FN u32s(u32_register a, u32_register b, A... rest) : v{a, b, rest...} {}
  TILEOPS_FN u32s(u32 x) : u32s(each<u32s, N>([=](size_t) { return u32_register(x); })) {}
  TILEOPS_EACH_OPERATOR(u32s, u32s, +)
  TILEOPS_EACH_OPERATOR(u32s, u32s, -)
  TILEOPS_EACH_OPERATOR(u32s, u32s, &)
  TILEOPS_EACH_OPERATOR(u32s, u32s, ^)
  TILEOPS_EACH_OPERATOR(masks<N>, u32s, !=)
  friend TILEOPS_FN u32s operator<<(u32s a, unsigned n) { TILEOPS_EACH(u32s, a.v[i] << n); }
  friend TILEOPS_FN u32s operator>>(u32s a, unsigned n) { TILEOPS_EACH(u32s, a.v[i] >> n); }
  TILEOPS_EACH_1(f32s<N>, from_bits, u32s)
  friend TILEOPS_FN masks<N> outside(u32s a, u32 lo, u32 hi) { TILEOPS_EACH(masks<N>, outside(a.v[i], lo, hi)); }
  friend TILEOPS_FN f32s<N> lookup16(const float (&t)[16], u32s index) {
    TILEOPS_EACH(f32s<N>, lookup16(t, index.v[i]));
  }
};

template <size_t N>
struct f32s {
  static constexpr size_t size = N * f32_register::size;
  f32_register v[N];
  template <class... A>
  TILEOPS_FN f32s(f32_register a, f32_register b, A... rest) : v{a, b, rest...} {}
  TILEOPS_FN f32s(float x) : f32s(each<f32s, N>([=](size_t) { return f32_register(x); })) {}
  static TILEOPS_FN f32s load(const float* p) { TILEOPS_EACH(f32s, f32_register::load(p + i * f32_register::size)); }
  TILEOPS_FN void store(float* p) const {
    for (size_t i = 0; i < N; ++i) v[i].store(p + i * f32_register::size);
  }

  TILEOPS_EACH_OPERATOR(f32s, f32s, +)
  TILEOPS_EACH_OPERATOR(f32s, f32s, -)
  TILEOPS_EACH_OPERATOR(f32s, f32s, *)
  TILEOPS_EACH_OPERATOR(f32s, f32s, /)
  TILEOPS_EACH_OPERATOR(masks<N>, f32s, <)
  TILEOPS_EACH_OPERATOR(masks<N>, f32s, <=)
  TILEOPS_EACH_OPERATOR(masks<N>, f32s, >)
  TILEOPS_EACH_OPERATOR(masks<N>, f32s, >=)
  TILEOPS_EACH_OPERATOR(masks<N>, f32s, ==)
  TILEOPS_EACH_OPERATOR(masks<N>, f32s, !=)
  friend TILEOPS_FN f32s operator-(f32s a) { TILEOPS_EACH(f32s, -a.v[i]); }

  TILEOPS_EACH_1(u32s<N>, to_bits, f32s)
  TILEOPS_EACH_1(f32s, abs, f32s)
  TILEOPS_EACH_1(f32s, exponent_held, f32s)
  TILEOPS_EACH_1(f32s, remainder_held, f32s)
  TILEOPS_EACH_1(f32s, rsqrt_operand, f32s)
  TILEOPS_EACH_1(f32s, approx_rsqrt, f32s)
  friend TILEOPS_FN bool all_positive_normal(f32s x) {
    if constexpr (N == 2) return all_positive_normal(x.v[0], x.v[1]);
    else return all_positive_normal(x.v[0], x.v[1]) && all_positive_normal(x.v[2], x.v[3]);
  }
  friend TILEOPS_FN bool all_below(f32s x, float limit) {
    return !any(each<masks<N>, N>([&](size_t i) { return not_below(x.v[i], limit); }));
  }
  friend TILEOPS_FN bool all_numbers(f32s x) {
    if constexpr (N == 2) return !any(either_nan(x.v[0], x.v[1]));
    else return !any(masks<2>{either_nan(x.v[0], x.v[1]), either_nan(x.v[2], x.v[3])});
  }
  friend TILEOPS_FN bool all_scales_normal([[maybe_unused]] f32s t) {
    if constexpr (!kAsksAboutNumbers) return false;
    else return __builtin_expect(!any(each<masks<N>, N>([&](size_t i) { return scale_not_normal(t.v[i]); })), 1);
  }
  friend TILEOPS_FN bool all_split_as_normal(f32s x) { return kAsksAboutNumbers && all_positive_normal(x); }
  TILEOPS_EACH_1(f32s, rsqrt14, f32s)
  TILEOPS_EACH_1(f32s, rcp14, f32s)
  TILEOPS_EACH_1(f32s, hardware_root, f32s)
  TILEOPS_EACH_1(f32s, hardware_power_half, f32s)
  friend TILEOPS_FN f32s fma_up(f32s a, f32s b, f32s c) { TILEOPS_EACH(f32s, fma_up(a.v[i], b.v[i], c.v[i])); }
  TILEOPS_EACH_2(f32s, copysign, f32s, f32s)
  TILEOPS_EACH_2(f32s, flip_sign, f32s, u32s<N>)
  TILEOPS_EACH_2(f32s, at_most, f32s, f32s)
  TILEOPS_EACH_2(f32s, at_least, f32s, f32s)
  TILEOPS_EACH_2(f32s, larger, f32s, f32s)
  TILEOPS_EACH_2(f32s, smaller, f32s, f32s)
  TILEOPS_EACH_2(f32s, least_magnitude, f32s, f32s)
  TILEOPS_EACH_2(f32s, with_log_specials, f32s, f32s)

  friend TILEOPS_FN f32s fma(f32s a, f32s b, f32s c) { TILEOPS_EACH(f32s, fma(a.v[i], b.v[i], c.v[i])); }
  friend TILEOPS_FN f32s select(masks<N> m, f32s yes, f32s no) {
    TILEOPS_EACH(f32s, select(m.v[i], yes.v[i], no.v[i]));
  }
  friend TILEOPS_FN f32s select_by_last_bit(u32s<N> b, f32s yes, f32s no) {
    TILEOPS_EACH(f32s, select_by_last_bit(b.v[i], yes.v[i], no.v[i]));
  }
  friend TILEOPS_FN f32s scaled_exp(f32s p, f32s t, f32s n, f32s x, float limit) {
    TILEOPS_EACH(f32s, scaled_exp(p.v[i], t.v[i], n.v[i], x.v[i], limit));
  }
  friend TILEOPS_FN f32s magnitude_up_to(f32s x, float limit) { TILEOPS_EACH(f32s, magnitude_up_to(x.v[i], limit)); }
  friend TILEOPS_FN f32s only_where(masks<N> m, f32s x) { TILEOPS_EACH(f32s, only_where(m.v[i], x.v[i])); }
  friend TILEOPS_FN f32s rsqrt_result(f32s z, f32s y, f32s x) {
    TILEOPS_EACH(f32s, rsqrt_result(z.v[i], y.v[i], x.v[i]));
  }
  friend TILEOPS_FN mantissa_exponent<f32s> split_around_1(f32s x) {
    return {each<f32s, N>([&](size_t i) { return split_around_1(x.v[i]).m; }),
            each<f32s, N>([&](size_t i) { return split_around_1(x.v[i]).e; })};
  }
  friend TILEOPS_FN mantissa_exponent<f32s> split_normal_around_1(f32s x) {
    return {each<f32s, N>([&](size_t i) { return split_normal_around_1(x.v[i]).m; }),
            each<f32s, N>([&](size_t i) { return split_normal_around_1(x.v[i]).e; })};
  }
};
// Found by name only, not by their operand.
template <size_t N>
TILEOPS_FN f32s<N> sqrt(f32s<N> x) {
  return sqrt_of_any(x);
}
template <size_t N>
TILEOPS_FN f32s<N> power_half(f32s<N> x) {
  return power_half_of_any(x);
}
template <size_t N>
TILEOPS_FN f32s<N> reciprocal(f32s<N> x) {
  return reciprocal_of_any(x);
}
#undef TILEOPS_EACH_OPERATOR
#undef TILEOPS_EACH_2
#undef TILEOPS_EACH_1
#undef TILEOPS_EACH

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops
