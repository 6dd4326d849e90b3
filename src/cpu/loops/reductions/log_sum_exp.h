// What logsumexp needs beside the tree: its leaves, and blocks of them that are sums once they have one exponent.
#pragma once

#include <type_traits>

#include "cpu/loops/reductions/reduce_tree.h"

namespace tileops::device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace wide {

template <class V, class Bits, int mantissa>
struct power_of_four_in_lanes {
  static TILEOPS_FN V of(V d) {
    using T = decltype(V{}[0] + 0);
    return __builtin_bit_cast(V, __builtin_bit_cast(Bits, d + d + bounds<T>::bias) << mantissa);
  }
};
template <class T>
using lanes_of = typename tileops::cpu::TILEOPS_DEVICE_NS::vector_of<T>::type;
template <>
struct power_of_four<lanes_of<float>> : power_of_four_in_lanes<lanes_of<float>, lanes_of<u32>, 23> {};
template <>
struct power_of_four<lanes_of<double>> : power_of_four_in_lanes<lanes_of<double>, lanes_of<u64>, 52> {};

}  // namespace wide
}  // namespace TILEOPS_DEVICE_NS
}  // namespace tileops::device_detail

namespace tileops::cpu::TILEOPS_DEVICE_NS {

namespace wide = device_detail::wide;

// Leaves one by one, of any elements.
template <class T>
struct leaves_of_exponentials {
  using V = typename vector_of<T>::type;
  static constexpr size_t lanes = vector_of<T>::size;
  alignas(64) T factor[kLeafVectors * lanes], exponent[kLeafVectors * lanes], largest[kLeafVectors * lanes];

  leaves_of_exponentials(const T* x, size_t vectors) {
    const T none = -device::limits<T>::inf();
#pragma omp simd
    for (size_t i = 0; i < vectors * lanes; ++i) {
      const wide::exp_of<T> e = wide::exp(x[i]);
      factor[i] = e.factor;
      exponent[i] = e.exponent;
      largest[i] = x[i] == x[i] ? x[i] : none;
    }
  }
  TILEOPS_INLINE typename r::log_sum_exp<T>::template state<V> operator()(size_t vector) const {
    return {at(factor, vector), at(exponent, vector), at(largest, vector)};
  }
  static TILEOPS_INLINE V at(const T* x, size_t vector) {
    V v;
    __builtin_memcpy(&v, x + vector * lanes, sizeof v);
    return v;
  }
};

// Most elements need no exponent each: their factors are scaled to the largest one's exponent at once, and no more than
// added up. That is so of elements near 0 and of -inf, as under a mask, that are no further from the largest than this:
// no digit is lost then.
template <class T>
inline constexpr T kApart = sizeof(T) == sizeof(float) ? T(68) : T(600);
template <class T>
TILEOPS_INLINE bool may_be_scaled(T x) {
  const bool near = wide::is_near(x);
  return near | (x == -device::limits<T>::inf());
}
template <class T>
TILEOPS_INLINE T exponent_of(T largest) {  // of one that may be scaled
  return largest == -device::limits<T>::inf() ? largest : wide::exp_near(largest).exponent;
}
template <class T>
TILEOPS_INLINE bool keeps_digits(T x, T largest) {
  return (x >= largest - kApart<T>) | (x == -device::limits<T>::inf());
}
template <class T>
TILEOPS_INLINE T scaled_to(T x, T exponent) {
  const bool none = x == -device::limits<T>::inf();
  const wide::exp_of<T> e = wide::exp_near(none ? T{} : x);
  const T d = none ? wide::bounds<T>::least : e.exponent - exponent;
  return e.factor * wide::power_of_four<T>::of(d);
}

template <class T>
struct leaves<r::log_sum_exp<T>, T> : leaves_of_exponentials<T> {
  using leaves_of_exponentials<T>::leaves_of_exponentials;
};
template <class T>
struct leaves<r::log_sum_exp_above<T>, T> : leaves_of_exponentials<T> {
  using leaves_of_exponentials<T>::leaves_of_exponentials;
};
template <>
struct leaves<r::log_sum_exp_pair, float> : leaves_of_exponentials<float> {
  using leaves_of_exponentials<float>::leaves_of_exponentials;
};

// Scales elements to the largest one's exponent; false where they cannot be.
template <class T>
TILEOPS_INLINE bool scale_row(const T* x, size_t n, T* y, T* largest, T* exponent) {
  T most = -device::limits<T>::inf();
  int fits = 1;
#pragma omp simd reduction(max : most) reduction(& : fits)
  for (size_t i = 0; i < n; ++i) {
    most = x[i] > most ? x[i] : most;
    fits &= may_be_scaled(x[i]) ? 1 : 0;
  }
  if (!fits) return false;
  const T to = exponent_of(most);
#pragma omp simd reduction(& : fits)
  for (size_t i = 0; i < n; ++i) {
    y[i] = scaled_to(x[i], to);
    fits &= keeps_digits(x[i], most) ? 1 : 0;
  }
  *largest = most;
  *exponent = to;
  return fits != 0;
}

// Nodes of the tree above 2^Level vectors.
template <class Acc, class T, size_t Level>
struct block_of_exponentials {
  static constexpr size_t n = (size_t{1} << Level) * vector_of<T>::size;
  static vector_state_of<Acc, T> of(const T* x) {
    using V = typename vector_of<T>::type;
    using L = leaves_of_exponentials<T>;
    alignas(64) T y[n];
    T largest, exponent;
    if (!scale_row(x, n, y, &largest, &exponent)) return nodes<Acc, T, Level>(L(x, n / vector_of<T>::size), 0);
    const auto leaf = [&](size_t vector) { return typename r::sum<T>::template state<V>{L::at(y, vector)}; };
    return {nodes<r::sum<T>, T, Level>(leaf, 0).hi, V{} + exponent, V{} + largest};
  }
};
template <class T, size_t Level>
struct block<r::log_sum_exp<T>, T, Level> : block_of_exponentials<r::log_sum_exp<T>, T, Level> {};
template <class T, size_t Level>
struct block<r::log_sum_exp_above<T>, T, Level> : block_of_exponentials<r::log_sum_exp_above<T>, T, Level> {};
template <size_t Level>
struct block<r::log_sum_exp_pair, float, Level> : block_of_exponentials<r::log_sum_exp_pair, float, Level> {};

// A flag for each of N columns, as wide as an element, so that a loop over both takes vectors of one length.
template <class T, size_t N>
struct found_of_columns {
  using I = std::conditional_t<sizeof(T) == sizeof(int), int, long>;
  I lanes[N] = {};
  bool any() const {
    I all = 0;
    for (size_t c = 0; c < N; ++c) all |= lanes[c];
    return all != 0;
  }
};

// N columns side by side, whose elements are `stride` apart: `most` becomes the largest element of each, what it had
// included. False where an element is neither near 0 nor -inf.
template <class T, size_t N>
TILEOPS_INLINE bool largest_of_columns(const T* x, size_t rows, size_t stride, T* most, T* exponent) {
  found_of_columns<T, N> misfits;
  for (size_t row = 0; row < rows; ++row)
#pragma omp simd
    for (size_t c = 0; c < N; ++c) {
      const T v = x[row * stride + c];
      most[c] = v > most[c] ? v : most[c];
      misfits.lanes[c] |= may_be_scaled(v) ? 0 : 1;
    }
  if (misfits.any()) return false;
#pragma omp simd
  for (size_t c = 0; c < N; ++c) exponent[c] = exponent_of(most[c]);
  return true;
}
// Gives each element, scaled to its column's largest, to put(row, column, value). False where one loses digits.
template <class T, size_t N, class Put>
TILEOPS_INLINE bool scale_columns(const T* x, size_t rows, size_t stride, const T* most, const T* to, const Put& put) {
  found_of_columns<T, N> lost;
  for (size_t row = 0; row < rows; ++row)
#pragma omp simd
    for (size_t c = 0; c < N; ++c) {
      const T v = x[row * stride + c];
      put(row, c, scaled_to(v, to[c]));
      lost.lanes[c] |= keeps_digits(v, most[c]) ? 0 : 1;
    }
  return !lost.any();
}

// Some elements of each are added one after the other to what is known of them. False, and nothing is changed, where
// they cannot be scaled.
template <class T, size_t N>
bool add_scaled_columns(const T* x, size_t rows, size_t stride, bool first, T* sum, T* exponent, T* largest) {
  const T none = -device::limits<T>::inf();
  alignas(64) T most[N], to[N], all[N];
  for (size_t c = 0; c < N; ++c) most[c] = first ? none : largest[c];
  if (!largest_of_columns<T, N>(x, rows, stride, most, to)) return false;
  for (size_t c = 0; c < N; ++c) all[c] = T{};
  if (!first) {
    found_of_columns<T, N> lost;
#pragma omp simd
    for (size_t c = 0; c < N; ++c) {
      const T d = largest[c] == none ? wide::bounds<T>::least : exponent[c] - to[c];
      all[c] = sum[c] * wide::power_of_four<T>::of(d > wide::bounds<T>::least ? d : wide::bounds<T>::least);
      lost.lanes[c] |= keeps_digits(largest[c], most[c]) ? 0 : 1;
      lost.lanes[c] |= may_be_scaled(largest[c]) ? 0 : 1;
      lost.lanes[c] |= sum[c] == sum[c] ? 0 : 1;
    }
    if (lost.any()) return false;
  }
  if (!scale_columns<T, N>(x, rows, stride, most, to, [&](size_t, size_t c, T v) { all[c] += v; })) return false;
  __builtin_memcpy(sum, all, sizeof all);
  __builtin_memcpy(exponent, to, sizeof to);
  __builtin_memcpy(largest, most, sizeof most);
  return true;
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
