// Conversion of dense elements from every dtype to every other one: one loop for each pair, kept small.
#pragma once

#include "cpu/simd/narrow.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// An unsigned integer of that many bytes, for elements of any type. What is written through `type` may be anything:
// loops over it hold their bounds in values of their own, or they would be read anew at every turn.
template <size_t bytes>
struct word;
template <>
struct word<1> {
  using integer = d::u8;
  typedef integer __attribute__((may_alias)) type;
};
template <>
struct word<2> {
  using integer = d::u16;
  typedef integer __attribute__((may_alias)) type;
};
template <>
struct word<4> {
  using integer = d::u32;
  typedef integer __attribute__((may_alias)) type;
};
template <>
struct word<8> {
  using integer = d::u64;
  typedef integer __attribute__((may_alias)) type;
};
template <class T>
using word_of = typename word<sizeof(T)>::type;

template <class T>
inline constexpr bool is_truth_v = d::same_v<T, bool> || d::same_v<T, d::bool8>;
template <class T>
inline constexpr bool is_integer_v = !d::is_float_v<T> && !d::is_narrow_v<T> && !is_truth_v<T>;

// A bool converts to one of two results: g++ 12 does not vectorise d::convert of bool to a float.
template <class S, class D>
TILEOPS_INLINE void select_dense(const S* src, size_t n, D* dst) {
  const d::u8* bytes = reinterpret_cast<const d::u8*>(src);
  if constexpr (d::is_narrow_v<D>) {
    const auto one = d::convert<D>(true).bits;
#pragma omp simd
    for (size_t i = 0; i < n; ++i) dst[i].bits = bytes[i] != 0 ? one : decltype(one){0};
  } else {
#pragma omp simd
    for (size_t i = 0; i < n; ++i) dst[i] = static_cast<D>(bytes[i] != 0 ? d::u8{1} : d::u8{0});
  }
}

// To integers of at most 16 bits, saturated.
template <class D>
TILEOPS_INLINE void saturate_dense(const d::i32* src, size_t n, D* dst) {
  constexpr d::i32 min = d::is_signed_v<D> ? -(1 << (8 * sizeof(D) - 1)) : 0;
  constexpr d::i32 max = min + (1 << (8 * sizeof(D))) - 1;
#pragma omp simd
  for (size_t i = 0; i < n; ++i) {
    const d::i32 x = src[i] < min ? min : src[i];
    dst[i] = static_cast<D>(x > max ? max : x);
  }
}

// To f32 such that a later rounding to a narrower float rounds the number itself: exact, or rounded to odd.
template <class S>
TILEOPS_INLINE float odd_float(S x) {
  if constexpr (d::is_narrow_v<S>) return d::widen(x);
  else if constexpr (d::same_v<S, double>) return d::round_to_odd(x);
  else if constexpr (sizeof(S) <= 2) return static_cast<float>(x);
  else if constexpr (sizeof(S) == 4) return d::round_to_odd(static_cast<double>(x));
  else return d::round_to_odd(d::sticky_double(x));
}

// Which pairs go by way of f32, or of i32: g++ 12 finds no short form of the whole, and the two halves serve other
// pairs as well.
template <class S, class D>
constexpr bool through_f32() {
  return d::is_narrow_v<S> ? !d::same_v<D, float> && !d::same_v<S, D>
                           : d::is_narrow_v<D> && !d::same_v<S, float> && !is_truth_v<S>;
}
template <class S, class D>
inline constexpr bool through_i32_v = d::same_v<S, float> && is_integer_v<D> && sizeof(D) <= 2;

// For loops that convert in registers.
template <class S, class D>
TILEOPS_INLINE void convert_dense(const S* src, size_t n, D* dst) {
  if constexpr ((is_half_v<S> || d::same_v<S, d::e2m1fn>) && d::same_v<D, float>) {
    widen_dense(src, n, dst);
  } else if constexpr (is_half_v<D> && d::same_v<S, float>) {
    narrow_dense(src, n, dst);
  } else if constexpr (d::same_v<S, float> && d::same_v<D, d::i32>) {
    truncate_dense(src, n, dst);
  } else if constexpr (is_truth_v<S> && !is_truth_v<D>) {
    select_dense(src, n, dst);
  } else {
#pragma omp simd
    for (size_t i = 0; i < n; ++i) dst[i] = d::convert<D>(element(src, i));
  }
}

template <class S>
TILEOPS_NOINLINE void to_odd_float(const S* src, size_t n, float* dst) {
  if constexpr (is_half_v<S>) {
    widen_dense(src, n, dst);
  } else {
#pragma omp simd
    for (size_t i = 0; i < n; ++i) dst[i] = odd_float(src[i]);
  }
}

using ConvertFn = void (*)(const void* src, size_t n, void* dst);

template <class S, class D>
TILEOPS_NOINLINE void convert_all(const void* src_, size_t n, void* dst_) {
  const S* src = static_cast<const S*>(src_);
  D* dst = static_cast<D*>(dst_);
  constexpr size_t kPiece = 512;
  if constexpr (through_f32<S, D>()) {
    alignas(64) float piece[kPiece];
    for (size_t i = 0; i < n; i += kPiece) {
      const size_t m = n - i < kPiece ? n - i : kPiece;
      to_odd_float(src + i, m, piece);
      convert_all<float, D>(piece, m, dst + i);
    }
  } else if constexpr (through_i32_v<S, D>) {
    alignas(64) d::i32 piece[kPiece];
    for (size_t i = 0; i < n; i += kPiece) {
      const size_t m = n - i < kPiece ? n - i : kPiece;
      convert_all<S, d::i32>(src + i, m, piece);
      saturate_dense(piece, m, dst + i);
    }
  } else {
    convert_dense(src, n, dst);
  }
}

// The conversion of a pair. Integers are cut off, or made longer by their sign: that of the result does not matter, nor
// that of a source that is no shorter.
template <class S, class D>
constexpr ConvertFn converter() {
  if constexpr (is_integer_v<S> && is_integer_v<D>) {
    using U = typename word<sizeof(D)>::integer;
    if constexpr (sizeof(D) > sizeof(S)) return convert_all<S, U>;
    else return convert_all<typename word<sizeof(S)>::integer, U>;
  } else if constexpr (is_truth_v<S> && is_truth_v<D>) {
    return convert_all<d::bool8, bool>;  // any bytes to 0 and 1
  } else if constexpr (is_truth_v<S> && is_integer_v<D>) {
    return convert_all<d::bool8, typename word<sizeof(D)>::integer>;
  } else if constexpr (is_integer_v<S> && is_truth_v<D>) {
    return convert_all<typename word<sizeof(S)>::integer, d::bool8>;
  } else if constexpr (is_truth_v<S>) {
    return convert_all<d::bool8, D>;
  } else if constexpr (is_truth_v<D>) {
    return convert_all<S, d::bool8>;
  } else {
    return convert_all<S, D>;
  }
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
