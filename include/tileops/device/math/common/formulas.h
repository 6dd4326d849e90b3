// SPDX-License-Identifier: Apache-2.0
// Composed formulas, each written once over a policy P (which primitives) and a compute type T
// (float or double). They are stable forms: none of them cancels, overflows early or loses the
// tail. Maxima over all 2^32 f32 inputs with the portable policy are given in ulp.
//
// Where the textbook expression gives NaN at -inf although the function has a limit (silu, gelu,
// gelu_tanh, mish, hardswish: -inf * 0), the value is the limit, -0.
#ifndef TILEOPS_DEVICE_MATH_FORMULAS_H
#define TILEOPS_DEVICE_MATH_FORMULAS_H

#include "../../body.h"
#include "../../config.h"
#include "../f32/logistic.h"
#include "compose.h"
#include "round.h"
#include "scalar_lanes.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// ---- sigmoid and its relatives

// n / (1 + exp(-v - v_lo)). The denominator is carried in two terms, and where it is large it is
// scaled down until the end, so that a subnormal result is rounded once.
// `exact_sum` keeps what 1 + 2^k loses, which f32 can just afford to drop when v has one term.
template <class P, bool exact_sum, class T>
TILEOPS_FN T over_one_plus_exp(T n, T v, T v_lo) {
  const exp_parts_t<T> e = P::exp_parts_up(-v, -v_lo);
  const T a = e.s1 + e.s2;
  const T d = fma(e.s1, e.hi, a);
  if constexpr (approximate<P, T>) return n / d * e.s2;
  T d_lo = fma(e.s1, e.hi, a - d);
  if constexpr (same_v<T, double>) d_lo = fma(e.s1, e.lo, d_lo);  // f32 does without
  if constexpr (exact_sum) d_lo = d_lo + ((e.s1 - a) + e.s2);
  const T inv = T(1) / d;
  const T q = n * inv;
  return fma(fma(-q, d_lo, fma(-q, d, n)), inv, q) * e.s2;
}

// In f32 sigmoid and silu have forms of their own: no second term of v, and fewer operations. f32: 1.58 ulp.
template <class P, class V>
TILEOPS_FN V sigmoid(V x) {
  using T = typename scalar_of<V>::type;
  if constexpr (same_v<T, float>) {
    return f32::sigmoid<P::approximate>(x);
  } else {
    const T y = over_one_plus_exp<P, same_v<T, double>>(T(1), x, T(0));
    const T z = x < -range<T>::exp_tail ? T(0) : y;
    return x > T(range<T>::saturated) ? T(1) : z;
  }
}

// f32: 1.60 ulp.
template <class P, class V>
TILEOPS_FN V silu(V x) {
  using T = typename scalar_of<V>::type;
  if constexpr (same_v<T, float>) {
    return f32::silu<P::approximate>(x);
  } else {
    const T y = over_one_plus_exp<P, same_v<T, double>>(x, x, T(0));
    const T z = x < -range<T>::exp_tail ? -T(0) : copysign(y, x);  // copysign for -0
    return x > T(range<T>::saturated) ? x : z;
  }
}

// 2u of gelu_tanh: x (linear + cubic x^2).
template <class T>
TILEOPS_FN two_terms<T> gelu_tanh_argument(T x) {
  using k = gelu_tanh_constants<T>;
  const two_terms<T> z = two_prod(x, x);
  const T w = T(k::cubic) * z.hi;
  const T w_lo = fma(T(k::cubic), z.hi, -w) + fma(T(k::cubic), z.lo, T(k::cubic_lo) * z.hi);
  const two_terms<T> m = two_sum(T(k::linear), w);
  const two_terms<T> v = two_prod(x, m.hi);
  return {v.hi, fma(x, m.lo + (w_lo + T(k::linear_lo)), v.lo)};
}

// 0.5 x (1 + tanh(u)) = x sigmoid(2u), u = sqrt(2/pi) (x + 0.044715 x^3). 2u reaches -104 before
// the result vanishes, so it is kept in two terms. f32: 1.04 ulp.
template <class P, class T>
TILEOPS_FN T gelu_tanh(T x) {
  const two_terms<T> v = gelu_tanh_argument(x);
  // Held where the result is x anyway: beyond, scales are subnormal, which Intel takes 150 cycles for.
  const T held = v.hi < T(60) ? v.hi : T(60);
  const T y = copysign(over_one_plus_exp<P, true>(x, held, v.lo), x);
  const T s = x < -range<T>::gelu_tanh_tail ? -T(0) : y;
  return x > T(range<T>::gelu_tanh_saturated) ? x : s;
}

// x Phi(x), right in the left tail. Every policy has its own. f32: 1.91 ulp.
template <class P, class T>
TILEOPS_FN T gelu(T x) {
  return P::gelu(x);
}

// ---- exponential units

// f32: 0.83 ulp for alpha = 1, 1.35 for 1.25.
template <class P, class T>
TILEOPS_FN T elu(T x, T alpha) {
  const T y = alpha * P::expm1(x);
  return x > T(0) ? x : y;
}

// f32: 1.64 ulp.
template <class P, class T>
TILEOPS_FN T selu(T x) {
  using k = selu_constants<T>;
  const T e = P::expm1(x);
  const T y = fma(e, T(k::scale_alpha), e * T(k::scale_alpha_lo));
  const T z = fma(x, T(k::scale), x * T(k::scale_lo));
  const T p = x < limits<T>::inf() ? z : x;
  return x > T(0) ? p : (x < T(0) ? y : x);
}

// log1p(exp(y)) = max(y, 0) + log1p(exp(-|y|)), y = beta x in two terms. f32: 1.65 ulp for
// beta = 1, 1.83 for 0.7.
template <class P, class T>
TILEOPS_FN T softplus(T x, T beta, T threshold) {
  if constexpr (sizeof(T) == 4) {
    return f32::softplus(x, beta, threshold);
  } else {
    const T y = beta * x;
    const T c = min_bits(abs(y), T(range<T>::exp_tail));
    const T lo = copysign(T(1), y) * fma(beta, x, -y);  // of |y|
    const exp_parts_t<T> e = P::exp_parts(-c, abs(y) <= T(range<T>::exp_tail) ? -lo : T(0));
    // log1p(e) / beta, the scale of e applied last. Loops keep 1 / beta outside.
    const T s = e.s1 * e.s2;
    const two_terms<T> a = log1p_scaled<P>(e.hi, e.lo, s);
    const T inv = T(1) / beta;
    const T q = a.hi * inv;
    const T q_lo0 = (fma(-q, beta, a.hi) + a.lo) * inv;
    const T q_lo = q_lo0 == q_lo0 ? q_lo0 : T(0);  // NaN: beta is 0 or tiny, q infinite
    const two_terms<T> sum = two_sum(x, q * s);
    const T right = sum.hi + fma(q_lo, s, sum.lo);
    const T left = (q + q_lo) * e.s1 * e.s2;
    return ((product_beyond(x, beta, threshold) > T(0)) | (x != x)) ? x : (y > T(0) ? right : left);
  }
}

// For a function with the sign of x that, far from 0, is -0 on the left and x on the right.
template <class T>
TILEOPS_FN T beyond(T x, T limit, T y) {
  return abs(x) <= limit ? copysign(y, x) : (x < T(0) ? -T(0) : x);  // copysign for -0
}

// x tanh(softplus(x)) = x n / (n + 2), n = e (e + 2), e = exp(x). With e = exp(-|x|):
// left x e (2 + e) / (2 + e (2 + e)), right x (1 + 2e) / (1 + e (2 + 2e)). f32: 1.05 ulp.
template <class P, class T>
TILEOPS_FN T mish(T x) {
  const T c = min_bits(abs(x), T(range<T>::exp_tail));
  const auto left = sign_mask(x);
  const exp_parts_t<T> e = P::exp_parts(-c, T(0));
  const T s = e.s1 * e.s2;
  const T b = s * e.hi;
  const T b_lo = s * e.lo;
  // m = 2 + e or 2 + 2e; the denominator is 2 + e m or 1 + e m, the numerator hi m or m - 1.
  const T twice = pick(left, T(1), T(2));
  const T m = fma(twice, b, T(2));
  const T m_lo = fma(twice, b_lo, fma(twice, b, T(2) - m));
  const T base = pick(left, T(2), T(1));
  const T d = fma(b, m, base);
  const T d_lo = fma(b, m, base - d) + fma(b, m_lo, b_lo * m);
  const two_terms<T> l = two_prod(e.hi, m);
  const T f = pick(left, l.hi, m - T(1));  // exact: 2 <= m <= 4
  const T f_lo = pick(left, l.lo + fma(e.hi, m_lo, e.lo * m), m_lo);
  const two_terms<T> n = two_prod(c, f);
  const T q = divide_terms(n.hi, fma(c, f_lo, n.lo), d, d_lo);
  const T y = q * pick(left, e.s1, T(1)) * pick(left, e.s2, T(1));
  return beyond(x, T(range<T>::exp_tail), y);
}

// ---- piecewise linear

template <class P, class T>
TILEOPS_FN T relu(T x) {
  return x <= T(0) ? T(0) : x;
}

// The limit at infinity, where x / x is NaN.
template <class P, class T>
TILEOPS_FN T softsign(T x) {
  const T y = x / (T(1) + abs(x));
  return abs(x) == limits<T>::inf() ? copysign(T(1), x) : y;
}

template <class P, class T>
TILEOPS_FN T leaky_relu(T x, T slope) {
  return x > T(0) ? x : slope * x;
}

// (n + n_lo) / 6 without a division.
template <class V>
TILEOPS_FN V sixth(V n, V n_lo) {
  using T = typename scalar_of<V>::type;
  const V inv = T(1) / T(6);
  const V q = n * inv;
  return fma(fma(V(T(-6)), q, n) + n_lo, inv, q);
}

// x min(max(x + 3, 0), 6) / 6, of x held to [-3, 3] but for the factor x. f32: 0.50 ulp. 1/6 is given by two terms; the
// second one is rounded upwards, so that an error of the factor is never negative: infinity times -2^-50 is minus
// infinity, and -0 times it is +0. The rough form is the quotient of x (x + 3), which of bf16 is exact, rounded once,
// and above x/2 where that is a subnormal number; from 3 on x is less than x (x + 3) / 6.
template <class P, class V>
TILEOPS_FN V hardswish(V x) {
  using T = typename scalar_of<V>::type;
  const V three = T(3);
  const V c = at_least(x, -three);
  if constexpr (approximate<P, T>) {
    return least_magnitude(x, sixth(c * (c + three), V(T(0))) + T(0x1p-149));
  } else {
    const V inv = T(1) / T(6), inv_lo = same_v<T, float> ? T(-0x1.555554p-28) : T(0x1.5555555555556p-57);
    const V k = at_most(c, three);
    const V d = k + three, d_lo = k - (d - three);
    const V s = d * inv;
    const V s_lo = fma(d_lo, inv, fma(d, inv_lo, fma(d, inv, -s)));
    return fma(c, s, c * s_lo);
  }
}

// min(max(x + 3, 0), 6) / 6; x is held to [-3, 3] first.
template <class P, class V>
TILEOPS_FN V hardsigmoid(V x) {
  using T = typename scalar_of<V>::type;
  const V three = T(3);
  const V k = at_most(at_least(x, -three), three), d = k + three;
  return sixth(d, approximate<P, T> ? V(T(0)) : k - (d - three));
}

template <class P, class T>
TILEOPS_FN T hardtanh(T x, T lo, T hi) {
  const T y = x < lo ? lo : x;
  return y > hi ? hi : y;
}

template <class P, class T>
TILEOPS_FN T sign(T x) {
  return x > T(0) ? T(1) : (x < T(0) ? T(-1) : T(0));
}

// NaN propagates. Of two equal numbers the bits are combined, which decides between +0 and -0.
template <class P, class T>
TILEOPS_FN T maximum(T a, T b) {
  const T r = a > b ? a : b;
  const T z = a == b ? from_bits(to_bits(a) & to_bits(b)) : r;
  return a != a ? a : z;
}
template <class P, class T>
TILEOPS_FN T minimum(T a, T b) {
  const T r = a < b ? a : b;
  const T z = a == b ? from_bits(to_bits(a) | to_bits(b)) : r;
  return a != a ? a : z;
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif
