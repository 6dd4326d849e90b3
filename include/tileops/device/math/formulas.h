// Composed formulas, each written once over a policy P (which primitives) and a compute type T
// (float or double). They are stable forms: none of them cancels, overflows early or loses the
// tail. Maxima over all 2^32 f32 inputs with the portable policy are given in ulp.
//
// Where the textbook expression gives NaN at -inf although the function has a limit (silu, gelu,
// gelu_tanh, mish, hardswish: -inf * 0), the value is the limit, -0.
#ifndef TILEOPS_DEVICE_MATH_FORMULAS_H
#define TILEOPS_DEVICE_MATH_FORMULAS_H

#include "../config.h"
#include "compose.h"
#include "round.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {

// ---- sigmoid and its relatives

// x * sigmoid(v + v_lo), where v = 0 or the sign of v is that of x or x is 1.
template <class P, class T>
TILEOPS_FN T times_sigmoid(T x, T v, T v_lo) {
  const bool left = v < T(0);
  const exp_parts_t<T> e = exp_parts<P>(-abs(v), left ? v_lo : -v_lo);
  // Left: x e / (1 + e), right: x / (1 + e), e = exp(-|v|), the scale of e kept apart.
  const T s = e.s1 * e.s2;
  T q;
  if constexpr (compensated<P, T>) {
    const T b = s * e.hi;
    const T d = T(1) + b;
    const T d_lo = ((T(1) - d) + b) + s * e.lo;
    const T f = left ? e.hi : T(1);
    const T f_lo = left ? e.lo : T(0);
    const T n = x * f;
    q = divide_terms(n, fma(x, f, -n) + x * f_lo, d, d_lo);
  } else {
    q = quotient<P>(x * (left ? e.hi : T(1)), fma(s, e.hi, T(1)));
  }
  return q * (left ? e.s1 : T(1)) * (left ? e.s2 : T(1));
}

template <class P, class T>
TILEOPS_FN T sigmoid(T x) {
  return times_sigmoid<P>(T(1), clamp_nan(x, -range<T>::exp_tail, range<T>::exp_tail), T(0));
}

template <class P, class T>
TILEOPS_FN T silu(T x) {
  const T c = clamp_nan(x, -range<T>::exp_tail, range<T>::exp_tail);
  return times_sigmoid<P>(x < c ? c : x, c, T(0));
}

// 0.5 x (1 + tanh(u)) = x sigmoid(2u), u = sqrt(2/pi) (x + 0.044715 x^3). 2u reaches -104 before the
// result vanishes, so it is kept in two terms.
template <class P, class T>
TILEOPS_FN T gelu_tanh(T x) {
  const T c = clamp_nan(x, -range<T>::gelu_tanh_tail, range<T>::gelu_tanh_tail);
  using k = gelu_tanh_constants<T>;
  const two_terms<T> z = two_prod(c, c);
  const two_terms<T> w = two_prod(T(k::cubic), z.hi);
  const T w_lo = w.lo + fma(T(k::cubic), z.lo, T(k::cubic_lo) * z.hi);
  const two_terms<T> m = two_sum(T(k::linear), w.hi);
  const T m_lo = m.lo + (w_lo + T(k::linear_lo));
  const two_terms<T> v = two_prod(c, m.hi);
  return times_sigmoid<P>(x < c ? c : x, v.hi, fma(c, m_lo, v.lo));
}

// x Phi(x), right in the left tail.
template <class P, class T>
TILEOPS_FN T gelu(T x) {
  return P::gelu(x);
}

// ---- exponential units

template <class P, class T>
TILEOPS_FN T elu(T x, T alpha) {
  const T y = alpha * P::expm1(x);
  return x > T(0) ? x : y;
}

template <class P, class T>
TILEOPS_FN T selu(T x) {
  using k = selu_constants<T>;
  const T e = P::expm1(x);
  const T y = fma(e, T(k::scale_alpha), e * T(k::scale_alpha_lo));
  const T z = fma(x, T(k::scale), x * T(k::scale_lo));
  const T p = x < limits<T>::inf() ? z : x;
  return x > T(0) ? p : (x < T(0) ? y : x);
}

// log1p(exp(y)) = max(y, 0) + log1p(exp(-|y|)), y = beta x in two terms.
template <class P, class T>
TILEOPS_FN T softplus(T x, T beta, T threshold) {
  const T y = beta * x;
  const bool right = y > T(0);
  const T c = clamp_nan(y, -range<T>::exp_tail, range<T>::exp_tail);
  const T y_lo = c == y ? fma(beta, x, -y) : T(0);
  const exp_parts_t<T> e = exp_parts<P>(-abs(c), right ? -y_lo : y_lo);
  // log1p(e) / s, the scale of e kept apart.
  const T l = log1p_scaled<P>(e.hi, e.lo, e.s1 * e.s2) / beta * e.s1 * e.s2;
  const T z = right ? x + l : l;
  return y > threshold ? x : z;
}

// x tanh(softplus(x)) = x n / (n + 2), n = e (e + 2), e = exp(x). With e = exp(-|x|):
// left x e (2 + e) / (2 + e (2 + e)), right x (1 + 2e) / (1 + e (2 + 2e)).
template <class P, class T>
TILEOPS_FN T mish(T x) {
  const T c = clamp_nan(x, -range<T>::exp_tail, range<T>::exp_tail);
  const bool left = c < T(0);
  const exp_parts_t<T> e = exp_parts<P>(-abs(c), T(0));
  const T s = e.s1 * e.s2;
  const T b = s * e.hi;
  const T twice = left ? T(1) : T(2);
  // m = 2 + e or 2 + 2e; the denominator is 2 + e m or 1 + e m, the numerator hi m or m - 1.
  T q;
  if constexpr (compensated<P, T>) {
    const T b_lo = s * e.lo;
    const T be = twice * b;
    const T m = T(2) + be;
    const T m_lo = ((T(2) - m) + be) + twice * b_lo;
    const two_terms<T> p = two_prod(b, m);
    const T p_lo = p.lo + fma(b, m_lo, b_lo * m);
    const two_terms<T> d = two_sum(left ? T(2) : T(1), p.hi);
    const two_terms<T> l = two_prod(e.hi, m);
    const T f = left ? l.hi : m - T(1);  // exact: 2 <= m <= 4
    const T f_lo = left ? l.lo + fma(e.hi, m_lo, e.lo * m) : m_lo;
    const two_terms<T> n = two_prod(c, f);
    q = divide_terms(n.hi, fma(c, f_lo, n.lo), d.hi, d.lo + p_lo);
    q = x > c ? x : q;
  } else {
    const T m = fma(twice, b, T(2));
    const T d = fma(b, m, left ? T(2) : T(1));
    q = quotient<P>((x < c ? c : x) * (left ? e.hi * m : m - T(1)), d);
  }
  return q * (left ? e.s1 : T(1)) * (left ? e.s2 : T(1));
}

// ---- piecewise linear

template <class P, class T>
TILEOPS_FN T relu(T x) {
  return x <= T(0) ? T(0) : x;
}

template <class P, class T>
TILEOPS_FN T leaky_relu(T x, T slope) {
  return x > T(0) ? x : slope * x;
}

// (n + n_lo) / 6 without a division.
template <class T>
TILEOPS_FN T sixth(T n, T n_lo) {
  const T inv = T(1) / T(6);
  const T q = n * inv;
  return fma(fma(T(-6), q, n) + n_lo, inv, q);
}
template <class P, class T>
TILEOPS_FN T hardswish(T x) {
  const T d = x + T(3);
  const two_terms<T> n = two_prod(x, d);
  const T y = sixth(n.hi, fma(x, x - (d - T(3)), n.lo));
  const T z = x <= T(-3) ? -T(0) : y;
  return x >= T(3) ? x : z;
}

template <class P, class T>
TILEOPS_FN T hardsigmoid(T x) {
  const T d = x + T(3);
  const T y = sixth(d, x - (d - T(3)));
  const T z = x <= T(-3) ? T(0) : y;
  return x >= T(3) ? T(1) : z;
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

// ---- arithmetic

// Two branches, so that w = 0 gives a and w = 1 gives b exactly.
template <class P, class T>
TILEOPS_FN T lerp(T a, T b, T w) {
  const T d = b - a;
  const T near_a = fma(w, d, a);
  const T near_b = fma(w - T(1), d, b);
  return abs(w) < T(0.5) ? near_a : near_b;
}

template <class P, class T>
TILEOPS_FN T cube(T x) {
  return x * x * x;
}

// Not 1 / (x * x), which is 0 where the result is still a subnormal number.
template <class P, class T>
TILEOPS_FN T inverse_square(T x) {
  const T r = P::rcp(x);
  return r * r;
}

// Half to even after `decimals` decimal places, or before the point if negative.
template <class P, class T>
TILEOPS_FN T round_decimals(T x, int decimals) {
  const int n = decimals < 0 ? -decimals : decimals;
  T scale = T(1);
  for (int i = 0; i < n && i < 400; ++i) scale *= T(10);
  const T y = decimals < 0 ? round_(x / scale) * scale : round_(x * scale) / scale;
  // Numbers this large have no such decimals; x * scale might overflow.
  const bool whole = decimals >= 0 && !(abs(x) < range<T>::integers / scale);
  return whole ? x : y;
}

// ---- remainder and floor_divide, from fmod as in PyTorch

template <class T>
TILEOPS_FN T remainder_from(T mod, T b) {
  return ((mod != T(0)) & ((b < T(0)) != (mod < T(0)))) ? mod + b : mod;
}
template <class P, class T>
TILEOPS_FN T remainder(T a, T b) {
  return remainder_from(P::fmod(a, b), b);
}
template <class P, class T>
TILEOPS_FN bool remainder_rare(T a, T b) {
  return P::fmod_rare(a, b);
}
template <class P, class T>
TILEOPS_SLOW_FN T remainder_slow(T a, T b) {
  return remainder_from(P::fmod_slow(a, b), b);
}

template <class T>
TILEOPS_FN T floor_divide_from(T mod, T a, T b) {
  const bool down = (mod != T(0)) & ((b < T(0)) != (mod < T(0)));
  const T q = (a - mod) / b;
  const T div = down ? q - T(1) : q;
  const T f = floor_(div);
  const T r = div - f > T(0.5) ? f + T(1) : f;
  const T ab = a / b;
  const T z = div != T(0) ? r : copysign(T(0), ab);
  return b == T(0) ? ab : z;
}
template <class P, class T>
TILEOPS_FN T floor_divide(T a, T b) {
  return floor_divide_from(P::fmod(a, b), a, b);
}
template <class P, class T>
TILEOPS_FN bool floor_divide_rare(T a, T b) {
  return P::fmod_rare(a, b);
}
template <class P, class T>
TILEOPS_SLOW_FN T floor_divide_slow(T a, T b) {
  return floor_divide_from(P::fmod_slow(a, b), a, b);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif
