// SPDX-License-Identifier: Apache-2.0
// Bodies of ops/position.def: values that depend on where the element is.
#ifndef TILEOPS_DEVICE_OPS_POSITION_H
#define TILEOPS_DEVICE_OPS_POSITION_H

#include "../body.h"
#include "../convert.h"
#include "../math/common/formulas.h"
#include "../math/common/philox.h"
#include "../math/common/round_to_odd.h"
#include "../math/common/turns.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

// (x1, x2) turned by an angle: x*cos + rot(x)*sin, one rounding of each product-sum's last step.
template <class T>
TILEOPS_FN results<T, T> rotate(T x1, T x2, T c, T s) {
  return {fma(x1, c, -(x2 * s)), fma(x2, c, x1 * s)};
}

// Narrow results are rounded from f32, as the operator is defined: of a cancelling sum no test could tell which others
// to compute in f64.
struct turning : body {
  using body::body;
  static constexpr auto accuracy = Accuracy::exact;
};

// Frequencies as turns per position; amplitude multiplies cos and sin (YaRN, LongRoPE).
template <class P, class T>
struct rope : turning {
  using turning::turning;
  TILEOPS_FN results<T, T> early(i64 position, u64 turns, T amplitude) const {
    T s, c;
    P::sincos_turn(static_cast<u64>(position) * turns, s, c);
    return {c * amplitude, s * amplitude};
  }
  TILEOPS_FN results<T, T> late(T x1, T x2, T c, T s) const { return rotate(x1, x2, c, s); }
  TILEOPS_FN results<T, T> operator()(T x1, T x2, i64 position, u64 turns, T amplitude) const {
    const results<T, T> angle = early(position, turns, amplitude);
    return late(x1, x2, result<0>(angle), result<1>(angle));
  }
};

template <class P, class T>
struct rope_rescaled : turning {
  using turning::turning;
  TILEOPS_FN results<T, T> early(i64 position, u64 turns, T amplitude, float rescale) const {
    T s, c;
    P::sincos_turn(static_cast<u64>(position) * turns_divided(turns, rescale), s, c);
    const T a = rescale > 0.0f ? amplitude : limits<T>::nan();
    return {c * a, s * a};
  }
  TILEOPS_FN results<T, T> late(T x1, T x2, T c, T s) const { return rotate(x1, x2, c, s); }
  TILEOPS_FN results<T, T> operator()(T x1, T x2, i64 position, u64 turns, T amplitude, float rescale) const {
    const results<T, T> angle = early(position, turns, amplitude, rescale);
    return late(x1, x2, result<0>(angle), result<1>(angle));
  }
};

// cos and sin given.
template <class P, class T>
struct rope_table : turning {
  using turning::turning;
  TILEOPS_FN results<T, T> operator()(T x1, T x2, float c, float s) const {
    return rotate(x1, x2, static_cast<T>(c), static_cast<T>(s));
  }
};

// The part of a head that is not rotated.
template <class P, class T>
struct copy : body {
  using body::body;
  static constexpr bool identity = true;
  TILEOPS_FN T operator()(T x) const { return x; }
};

template <class P, class T>
struct dropout : body {
  T keep_probability;
  u32 threshold;  // keep iff word >= threshold, and not drop_all
  bool drop_all;
  TILEOPS_FN explicit dropout(const AttrValue* a) : keep_probability(T(1.0 - a[0].f64)) {
    const double scaled = a[0].f64 * 0x1p32;  // exact
    const u64 whole = static_cast<u64>(scaled);
    const u64 least = whole + (static_cast<double>(whole) < scaled ? 1 : 0);
    drop_all = least > 0xffffffffu;
    threshold = static_cast<u32>(least);
    if (a[3].i64 == 0) {  // not training: a copy
      keep_probability = 1;
      threshold = 0;
      drop_all = false;
    }
  }
  TILEOPS_FN bool keeps(u32 word) const { return (word >= threshold) & !drop_all; }
  TILEOPS_FN results<T, bool> value(T x, u32 word) const {
    const bool keep = keeps(word);
    return {keep ? x / keep_probability : T(0), keep};
  }
  TILEOPS_FN results<T, bool> operator()(T x, i64 index, i64 seed, i64 offset) const {
    const philox_words w = philox4x32_10(static_cast<u64>(seed), static_cast<u64>(index) >> 2,
                                         static_cast<u64>(offset));
    return value(x, word_of(w, static_cast<u32>(index) & 3));
  }
};

// distance = i + offset - j
template <class P, class T, class Distance>
struct alibi_bias : body {
  bool causal;
  TILEOPS_FN explicit alibi_bias(const AttrValue* a) : causal(a[0].i64 != 0) {}
  static constexpr bool has_round_to_odd = true;
  TILEOPS_FN T operator()(T slope, Distance distance) const {
    return masked(-(slope * static_cast<T>(magnitude(distance))), distance);
  }

 protected:
  TILEOPS_FN static Distance magnitude(Distance d) { return d < Distance(0) ? -d : d; }
  template <class R>
  TILEOPS_FN R masked(R bias, Distance distance) const {
    return (causal & (distance < Distance(0))) ? -limits<R>::inf() : bias;
  }
};
template <class P, class T>
struct alibi : alibi_bias<P, T, i64> {
  using alibi_bias<P, T, i64>::alibi_bias;
  TILEOPS_FN float round_to_odd(float slope, i64 distance) const {
    const double far = static_cast<double>(this->magnitude(distance));  // exact below 2^53
    return this->masked(device_detail::round_to_odd(two_prod(-static_cast<double>(slope), far)), distance);
  }
};
// Distances below 2^24.
template <class P, class T>
struct alibi_near : alibi_bias<P, T, T> {
  using alibi_bias<P, T, T>::alibi_bias;
  template <class V>
  TILEOPS_FN V round_to_odd(V slope, V distance) const {
    const V bias = mul_to_odd(-slope, abs(distance));
    return this->causal ? select(distance < 0.0f, V(-limits<float>::inf()), bias) : bias;
  }
};

template <class P, class T>
struct sinusoidal : body {
  using body::body;
  TILEOPS_FN results<T, T> operator()(i64 position, u64 turns) const {
    T s, c;
    P::sincos_turn(static_cast<u64>(position) * turns, s, c);
    return {s, c};
  }
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif
