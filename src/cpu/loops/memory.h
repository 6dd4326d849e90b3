// Strided storage to dense compute type and back: the loops, per ISA. See dense.h for the rules.
#pragma once

#include "cpu/kernel.h"
#include "cpu/simd/narrow.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

namespace d = device;

// Element at a byte offset.
template <class T>
inline __attribute__((always_inline)) const T& at(const void* base, ptrdiff_t offset) {
  return *reinterpret_cast<const T*>(static_cast<const char*>(base) + offset);
}
template <class T>
inline __attribute__((always_inline)) T& at(void* base, ptrdiff_t offset) {
  return *reinterpret_cast<T*>(static_cast<char*>(base) + offset);
}

template <class T>
inline constexpr bool is_short_v = !d::is_float_v<T> && !d::is_narrow_v<T> && !d::same_v<T, bool> &&
                                   !d::same_v<T, d::bool8> && sizeof(T) <= 2;
template <class T>
inline constexpr bool is_truth_v = d::same_v<T, bool> || d::same_v<T, d::bool8>;

// Of a bool there are two results. (g++ 12 does not vectorise d::convert of bool to a float: of 1024 in L1 a Zen 5 core
// made f32 in 0.37 ns each, so in 0.02.)
template <class S, class D>
inline __attribute__((always_inline)) void select_dense(const S* src, size_t n, D* dst) {
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

// Saturated.
template <class D>
inline __attribute__((always_inline)) void saturate_dense(const d::i32* src, size_t n, D* dst) {
  constexpr d::i32 min = d::is_signed_v<D> ? -(1 << (8 * sizeof(D) - 1)) : 0;
  constexpr d::i32 max = min + (1 << (8 * sizeof(D))) - 1;
#pragma omp simd
  for (size_t i = 0; i < n; ++i) {
    const d::i32 x = src[i] < min ? min : src[i];
    dst[i] = static_cast<D>(x > max ? max : x);
  }
}

template <class S, class D>
inline __attribute__((always_inline)) void convert_dense(const S* src, size_t n, D* dst);

// By way of M, a piece in L1 at a time, where g++ 12 finds no short form. (Of 1024 numbers in L1, f32 to i8 took a Zen 5
// core 0.19 ns each and so 0.09, u8 to f16 0.16 and 0.04, bf16 to i8 0.21 and 0.10.)
template <class M, class S, class D>
inline __attribute__((always_inline)) void convert_twice(const S* src, size_t n, D* dst) {
  constexpr size_t kPiece = 512;
  alignas(64) M piece[kPiece];
  for (size_t i = 0; i < n; i += kPiece) {
    const size_t m = n - i < kPiece ? n - i : kPiece;
    convert_dense(src + i, m, piece);
    if constexpr (d::same_v<M, d::i32>) saturate_dense(piece, m, dst + i);
    else convert_dense(piece, m, dst + i);
  }
}

template <class S, class D>
inline __attribute__((always_inline)) void convert_dense(const S* src, size_t n, D* dst) {
  if constexpr (is_half_v<S> && d::same_v<D, float>) {
    widen_dense(src, n, dst);
  } else if constexpr (is_half_v<D> && d::same_v<S, float>) {
    narrow_dense(src, n, dst);
  } else if constexpr (d::same_v<S, float> && d::same_v<D, d::i32>) {
    truncate_dense(src, n, dst);
  } else if constexpr (is_truth_v<S> && !is_truth_v<D>) {
    select_dense(src, n, dst);
  } else if constexpr (d::same_v<S, float> && is_short_v<D>) {
    convert_twice<d::i32>(src, n, dst);
  } else if constexpr ((is_half_v<S> && !d::same_v<S, D> && !is_truth_v<D>) || (d::same_v<D, d::f16> && is_short_v<S>)) {
    convert_twice<float>(src, n, dst);
  } else {
#pragma omp simd
    for (size_t i = 0; i < n; ++i) dst[i] = d::convert<D>(element(src, i));
  }
}

// Every kStep-th element: with the step known, the compiler loads whole vectors and shuffles. Converted after that, a
// piece in L1 at a time.
template <int kStep, class S, class D>
inline __attribute__((always_inline)) void gather_row(const S* src, size_t n, D* dst) {
  if constexpr (d::same_v<S, D>) {
    constexpr auto step = static_cast<ptrdiff_t>(kStep);
#pragma omp simd
    for (size_t c = 0; c < n; ++c) {
      if constexpr (d::is_narrow_v<S>) dst[c].bits = src[step * static_cast<ptrdiff_t>(c)].bits;
      else dst[c] = src[step * static_cast<ptrdiff_t>(c)];
    }
  } else {
    constexpr size_t kPiece = 512;
    alignas(64) S piece[kPiece];
    for (size_t i = 0; i < n; i += kPiece) {
      const size_t m = n - i < kPiece ? n - i : kPiece;
      gather_row<kStep>(src + kStep * static_cast<ptrdiff_t>(i), m, piece);
      convert_dense(piece, m, dst + i);
    }
  }
}

template <class S, class D>
inline __attribute__((always_inline)) void load_row(const char* row, size_t n, ptrdiff_t stride,
                                                    D* dst) {
  const S* src = reinterpret_cast<const S*>(row);
  if (stride == 2 * ptrdiff_t{sizeof(S)}) return gather_row<2>(src, n, dst);
  if (stride == -ptrdiff_t{sizeof(S)}) return gather_row<-1>(src, n, dst);
  for (size_t c = 0; c < n; ++c) dst[c] = d::convert<D>(at<S>(row, static_cast<ptrdiff_t>(c) * stride));
}

template <class S, class D>
void load_tile(const void* src, const Tile& t, void* dst_) {
  D* dst = static_cast<D*>(dst_);
  if (t.col_stride == ptrdiff_t{sizeof(S)}) {
    for (size_t r = 0; r < t.rows; ++r)
      convert_dense(&at<S>(src, static_cast<ptrdiff_t>(r) * t.row_stride), t.cols, dst + r * t.cols);
  } else if (t.col_stride == 0) {
    for (size_t r = 0; r < t.rows; ++r) {
      const D value = d::convert<D>(at<S>(src, static_cast<ptrdiff_t>(r) * t.row_stride));
      D* row = dst + r * t.cols;
      for (size_t c = 0; c < t.cols; ++c) row[c] = value;
    }
  } else if (t.rows > 1 && t.row_stride == ptrdiff_t{sizeof(S)}) {
    // Transposed: read along memory, write across the block, which is in L1.
    for (size_t c = 0; c < t.cols; ++c) {
      const S* column = &at<S>(src, static_cast<ptrdiff_t>(c) * t.col_stride);
      for (size_t r = 0; r < t.rows; ++r) dst[r * t.cols + c] = d::convert<D>(column[r]);
    }
  } else {
    for (size_t r = 0; r < t.rows; ++r)
      load_row<S>(&at<char>(src, static_cast<ptrdiff_t>(r) * t.row_stride), t.cols, t.col_stride,
                  dst + r * t.cols);
  }
}

template <class S, class D>
void store_tile(const void* src_, const Tile& t, void* dst) {
  const S* src = static_cast<const S*>(src_);
  if (t.col_stride == ptrdiff_t{sizeof(D)}) {
    for (size_t r = 0; r < t.rows; ++r)
      convert_dense(src + r * t.cols, t.cols, &at<D>(dst, static_cast<ptrdiff_t>(r) * t.row_stride));
  } else {
    for (size_t r = 0; r < t.rows; ++r) {
      char* row = &at<char>(dst, static_cast<ptrdiff_t>(r) * t.row_stride);
      for (size_t c = 0; c < t.cols; ++c)
        at<D>(row, static_cast<ptrdiff_t>(c) * t.col_stride) = d::convert<D>(src[r * t.cols + c]);
    }
  }
}

template <class D>
size_t checked_store(const float* src, const Tile& t, void* dst, int ulp, d::u16* list) {
  store_tile<float, D>(src, t, dst);
  return list_doubtful<D>(src, t.rows * t.cols, ulp, list);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
