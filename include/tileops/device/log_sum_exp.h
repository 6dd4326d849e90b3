// SPDX-License-Identifier: Apache-2.0
// The accumulators (reductions.h) of logsumexp.
#ifndef TILEOPS_DEVICE_LOG_SUM_EXP_H
#define TILEOPS_DEVICE_LOG_SUM_EXP_H

#include "math/f32/log.h"
#include "math/f64/log.h"
#include "math/functions/wide_exp.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace reductions {

// The logarithm of a sum of e^x. The sum is that of factors (wide_exp.h), scaled to the largest exponent: scaling by a
// power of two rounds nothing, so that the sum is rounded as if exponents had no bounds.
template <class T>
struct log_sum_exp {
  template <class V>
  struct state {
    V sum, exponent, largest;
  };
  template <class V = T>
  static TILEOPS_FN state<V> identity() {
    return {V{}, V{} - limits<T>::inf(), V{} - limits<T>::inf()};
  }
  // NaN makes the sum NaN, and is no largest element.
  static TILEOPS_FN state<T> of(T x) {
    const wide::exp_of<T> e = wide::is_near(x) ? wide::exp_near(x) : wide::exp(x);
    return {e.factor, e.exponent, x == x ? x : -limits<T>::inf()};
  }
  static TILEOPS_FN state<T> absorb(state<T> a, T x) { return merge(a, of(x)); }
  // Where both exponents are -inf their difference is NaN; the scale is 0 then, and both sums are 0 or NaN.
  template <class V>
  static TILEOPS_FN state<V> merge(state<V> a, state<V> b) {
    const V d = a.exponent - b.exponent, apart = d > V{} ? -d : d, least = V{} + wide::bounds<T>::least;
    const V scale = wide::power_of_four<V>::of(apart > least ? apart : least);
    return {d > V{} ? a.sum + b.sum * scale : b.sum + a.sum * scale, d > V{} ? a.exponent : b.exponent,
            a.largest > b.largest ? a.largest : b.largest};
  }
  // The sum is at least the largest element's own factor, so that the logarithm is not below that element.
  static TILEOPS_FN double above(state<T> a) {
    const double y = static_cast<double>(log_of(a.sum / wide::exp(a.largest).factor));
    return abs(a.largest) < limits<T>::inf() ? y : a.sum == a.sum ? 0.0 : limits<double>::nan();
  }
  static TILEOPS_FN double finish(state<T> a) { return static_cast<double>(a.largest) + above(a); }

 private:
  static TILEOPS_FN float log_of(float x) { return f32::log(x); }
  static TILEOPS_FN double log_of(double x) { return f64::log(x); }
};

// How far it is above the largest element.
template <class T>
struct log_sum_exp_above : log_sum_exp<T> {
  static TILEOPS_FN double finish(typename log_sum_exp<T>::template state<T> a) { return log_sum_exp<T>::above(a); }
};

// Sum and largest element of a part of the elements in a word, whose low half has the sum; and logsumexp of such words.
struct log_sum_exp_pair : log_sum_exp<float> {
  static TILEOPS_FN u64 finish(state<float> a) { return static_cast<u64>(to_bits(a.largest)) << 32 | to_bits(a.sum); }
};
struct log_sum_exp_of_pairs {
  using sum = log_sum_exp<float>;
  template <class V>
  struct state {
    float sum, largest;
  };
  template <class V = u64>
  static TILEOPS_FN state<u64> identity() {
    return {0.0f, -limits<float>::inf()};
  }
  static TILEOPS_FN state<u64> of(u64 pair) {
    return {from_bits(static_cast<u32>(pair)), from_bits(static_cast<u32>(pair >> 32))};
  }
  static TILEOPS_FN state<u64> absorb(state<u64> a, u64 pair) { return merge(a, of(pair)); }
  static TILEOPS_FN state<u64> merge(state<u64> a, state<u64> b) {
    const sum::state<float> s = sum::merge(with_exponent(a), with_exponent(b));
    return {s.sum, s.largest};
  }
  static TILEOPS_FN double finish(state<u64> a) { return sum::finish(with_exponent(a)); }

 private:
  static TILEOPS_FN sum::state<float> with_exponent(state<u64> a) {
    return {a.sum, wide::exp(a.largest).exponent, a.largest};
  }
};

}  // namespace reductions
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif
