// SPDX-License-Identifier: Apache-2.0
// What makes one value of many, written once for every backend: an accumulator has
//
//   state<V>               what is known of some elements
//   identity<V>()          of none of them
//   of(x)                  of one
//   absorb(a, x)           of those of a and, behind them, x
//   merge(a, b)            of those of a and, behind them, those of b
//   finish(a)              the value, of a state of T
//
// V is T or, of sums and products, a vector of such. The order in which elements come together is not theirs to say:
// docs/numerics.md has it. Elements that are not there may be identities; no bit changes.
#ifndef TILEOPS_DEVICE_REDUCTIONS_H
#define TILEOPS_DEVICE_REDUCTIONS_H

#include "body.h"
#include "math/common/terms.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace reductions {

TILEOPS_FN bool is_finite(float x) { return (to_bits(x) & 0x7f800000u) != 0x7f800000u; }
TILEOPS_FN bool is_finite(double x) { return (to_bits(x) & 0x7ff0000000000000ull) != 0x7ff0000000000000ull; }

template <class T>
struct sum {
  template <class V>
  struct state {
    V hi;
  };
  template <class V = T>
  static TILEOPS_FN state<V> identity() {
    return {-V{}};  // of floats -0, which leaves even -0 as it is
  }
  template <class V>
  static TILEOPS_FN state<V> of(V x) {
    return {x};
  }
  template <class V>
  static TILEOPS_FN state<V> absorb(state<V> a, V x) {
    return {a.hi + x};
  }
  template <class V>
  static TILEOPS_FN state<V> merge(state<V> a, state<V> b) {
    return {a.hi + b.hi};
  }
  static TILEOPS_FN T finish(state<T> a) { return a.hi; }
};

// A float sum that carries along what its roundings took. lo is no number where hi has overflowed, also on the way. For
// one element it is -0, since compilers leave out an addition of -0; low_part() makes it +0, as merging does.
template <class T>
struct sum_with_low_parts {
  template <class V>
  struct state {
    V hi, lo;
  };
  template <class V = T>
  static TILEOPS_FN state<V> identity() {
    return {-V{}, -V{}};
  }
  template <class V>
  static TILEOPS_FN state<V> of(V x) {
    return {x, -V{}};
  }
  template <class V>
  static TILEOPS_FN state<V> absorb(state<V> a, V x) {
    return merge(a, of(x));
  }
  template <class V>
  static TILEOPS_FN state<V> merge(state<V> a, state<V> b) {
    const two_terms<V> s = two_sum(a.hi, b.hi);
    return {s.hi, s.lo + (a.lo + b.lo)};
  }
  static TILEOPS_FN T low_part(state<T> a) { return a.lo + T{}; }
  static TILEOPS_FN T finish(state<T> a) { return is_finite(a.lo) ? a.hi + low_part(a) : a.hi; }
  // Not rounded to T.
  static TILEOPS_FN double as_double(state<T> a) {
    return is_finite(a.lo) ? static_cast<double>(a.hi) + static_cast<double>(low_part(a)) : static_cast<double>(a.hi);
  }
};

// The same as a double, which holds the sum before it is rounded.
struct sum_wide : sum_with_low_parts<float> {
  static TILEOPS_FN double finish(state<float> a) { return as_double(a); }
};

// The two parts of such a sum.
template <class T>
struct sum_high : sum_with_low_parts<T> {
  static TILEOPS_FN T finish(typename sum_with_low_parts<T>::template state<T> a) { return a.hi; }
};
template <class T>
struct sum_low : sum_with_low_parts<T> {
  static TILEOPS_FN T finish(typename sum_with_low_parts<T>::template state<T> a) {
    return sum_with_low_parts<T>::low_part(a);
  }
};

// Both parts in a word, whose low half has the high part; and the sum of such words.
struct sum_pair : sum_with_low_parts<float> {
  static TILEOPS_FN u64 finish(state<float> a) { return static_cast<u64>(to_bits(low_part(a))) << 32 | to_bits(a.hi); }
};
struct sum_of_pairs {
  using sum = sum_with_low_parts<float>;
  template <class V>
  using state = sum::state<float>;
  template <class V = u64>
  static TILEOPS_FN state<V> identity() {
    return sum::identity<float>();
  }
  static TILEOPS_FN state<u64> of(u64 pair) {
    return {from_bits(static_cast<u32>(pair)), from_bits(static_cast<u32>(pair >> 32))};
  }
  static TILEOPS_FN state<u64> absorb(state<u64> a, u64 pair) { return merge(a, of(pair)); }
  static TILEOPS_FN state<u64> merge(state<u64> a, state<u64> b) { return sum::merge(a, b); }
  static TILEOPS_FN float finish(state<u64> a) { return sum::finish(a); }
};
struct sum_of_pairs_wide : sum_of_pairs {
  static TILEOPS_FN double finish(state<u64> a) { return sum_wide::finish(a); }
};

template <class T>
struct product {
  template <class V>
  struct state {
    V value;
  };
  template <class V = T>
  static TILEOPS_FN state<V> identity() {
    return {V{} + static_cast<T>(1)};
  }
  template <class V>
  static TILEOPS_FN state<V> of(V x) {
    return {x};
  }
  template <class V>
  static TILEOPS_FN state<V> absorb(state<V> a, V x) {
    return {a.value * x};
  }
  template <class V>
  static TILEOPS_FN state<V> merge(state<V> a, state<V> b) {
    return {a.value * b.value};
  }
  static TILEOPS_FN T finish(state<T> a) { return a.value; }
};

// The sum of differences from one of the elements and that of their squares, from which finish(a, n) takes the sum of
// the squared deviations from the mean, not rounded to T. It is infinite where squares are too large for T; differences
// are added up so small that they are not, unless one is infinite itself.
template <class T>
struct variance {
  using pairs = sum_with_low_parts<T>;
  static constexpr T scale = sizeof(T) == sizeof(float) ? static_cast<T>(0x1p-32) : static_cast<T>(0x1p-64);
  template <class V>
  struct state {
    typename pairs::template state<V> sum, squares;
  };
  template <class V = T>
  static TILEOPS_FN state<V> identity() {
    return {pairs::template identity<V>(), pairs::template identity<V>()};
  }
  // The square is exact: of its two parts the second one is what rounding took from the first.
  static TILEOPS_FN state<T> of(T x) {
    const T square = x * x;
    return {pairs::of(x * scale), {square, fma(x, x, -square)}};
  }
  static TILEOPS_FN state<T> absorb(state<T> a, T x) { return merge(a, of(x)); }
  template <class V>
  static TILEOPS_FN state<V> merge(state<V> a, state<V> b) {
    return {pairs::merge(a.sum, b.sum), pairs::merge(a.squares, b.squares)};
  }
  static TILEOPS_FN double finish(state<T> a, double n) {
    const double squares = pairs::as_double(a.squares), s = pairs::as_double(a.sum) / scale,
                 least = squares - s * s / n;
    const double infinite = is_finite(a.sum.hi) ? squares : limits<double>::nan();
    return !is_finite(squares) ? infinite : least < 0 ? 0.0 : least;
  }
};

// The sum of squares alone that a variance has, both parts in a word; finish() of the variance is in steps then.
struct squares_pair {
  using pairs = sum_with_low_parts<float>;
  template <class V>
  using state = pairs::state<V>;
  template <class V = float>
  static TILEOPS_FN state<V> identity() {
    return pairs::identity<V>();
  }
  static TILEOPS_FN state<float> of(float x) { return variance<float>::of(x).squares; }
  static TILEOPS_FN state<float> absorb(state<float> a, float x) { return merge(a, of(x)); }
  template <class V>
  static TILEOPS_FN state<V> merge(state<V> a, state<V> b) {
    return pairs::merge(a, b);
  }
  static TILEOPS_FN u64 finish(state<float> a) { return sum_pair::finish(a); }
};

// Is a to be taken rather than b, of which it is another? A NaN is, before all numbers.
template <bool largest, class T>
TILEOPS_FN bool goes_before(T a, T b) {
  if constexpr (is_float_v<T>) {
    if (b != b) return false;
    if (a != a) return true;
  }
  return largest ? b < a : a < b;
}

// The largest or the smallest one: NaN if there is one; of zeros +0 is the larger one.
template <bool largest, class T>
struct extreme {
  template <class V>
  struct state {
    V value;
  };
  template <class V = T>
  static TILEOPS_FN state<T> identity() {
    if constexpr (is_float_v<T>) {
      return {largest ? -limits<T>::inf() : limits<T>::inf()};
    } else if constexpr (static_cast<T>(-1) < static_cast<T>(0)) {
      constexpr T least = static_cast<T>(static_cast<u64>(1) << (8 * sizeof(T) - 1));
      return {largest ? least : static_cast<T>(~least)};
    } else {
      return {largest ? static_cast<T>(0) : static_cast<T>(~static_cast<T>(0))};
    }
  }
  static TILEOPS_FN state<T> of(T x) {
    if constexpr (is_float_v<T>) return {x != x ? limits<T>::nan() : x};  // one NaN for all
    else return {x};
  }
  static TILEOPS_FN state<T> absorb(state<T> a, T x) { return merge(a, of(x)); }
  static TILEOPS_FN state<T> merge(state<T> a, state<T> b) {
    if (goes_before<largest>(a.value, b.value)) return a;
    if constexpr (is_float_v<T>) {
      if (a.value == b.value) {  // zeros may differ in sign
        const auto x = to_bits(a.value), y = to_bits(b.value);
        return {from_bits(largest ? x & y : x | y)};
      }
    }
    return b;
  }
  static TILEOPS_FN T finish(state<T> a) { return a.value; }
};

// The index of the first one of these, or of the first NaN. of(x, i) and absorb(a, x, i) take the element's index.
template <bool largest, class T>
struct place {
  template <class V>
  struct state {
    V value;
    i64 index;  // -1: of no element
  };
  template <class V = T>
  static TILEOPS_FN state<T> identity() {
    return {extreme<largest, T>::identity().value, -1};
  }
  static TILEOPS_FN state<T> of(T x, i64 index) { return {x, index}; }
  static TILEOPS_FN state<T> absorb(state<T> a, T x, i64 index) { return merge(a, of(x, index)); }
  // Either may hold the elements that come first.
  static TILEOPS_FN state<T> merge(state<T> a, state<T> b) {
    if (a.index < 0) return b;
    if (b.index < 0) return a;
    if (goes_before<largest>(a.value, b.value)) return a;
    if (goes_before<largest>(b.value, a.value)) return b;
    return a.index < b.index ? a : b;
  }
  static TILEOPS_FN i64 finish(state<T> a) { return a.index; }
};

template <bool every>
struct truth {
  template <class V>
  struct state {
    bool value;
  };
  template <class V = bool>
  static TILEOPS_FN state<bool> identity() {
    return {every};
  }
  static TILEOPS_FN state<bool> of(bool x) { return {x}; }
  static TILEOPS_FN state<bool> absorb(state<bool> a, bool x) { return merge(a, of(x)); }
  static TILEOPS_FN state<bool> merge(state<bool> a, state<bool> b) {
    return {every ? a.value && b.value : a.value || b.value};
  }
  static TILEOPS_FN bool finish(state<bool> a) { return a.value; }
};

}  // namespace reductions
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace device {
namespace reductions = device_detail::reductions;
}  // namespace device
}  // namespace tileops

#endif
