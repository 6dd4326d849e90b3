// Strided storage to dense compute type and back, per ISA. Every dtype converts to every other one, so that what is
// compiled for each pair is kept small: one loop over dense elements. All other layouts move elements by their size
// alone, by way of a piece of memory in L1. See dense.h for the rules.
#pragma once

#include "cpu/kernel.h"
#include "cpu/loops/packed.h"
#include "cpu/simd/narrow.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

namespace d = device;

#define TILEOPS_NOINLINE __attribute__((noinline))

// Element at a byte offset.
template <class T>
TILEOPS_INLINE const T& at(const void* base, ptrdiff_t offset) {
  return *reinterpret_cast<const T*>(static_cast<const char*>(base) + offset);
}
template <class T>
TILEOPS_INLINE T& at(void* base, ptrdiff_t offset) {
  return *reinterpret_cast<T*>(static_cast<char*>(base) + offset);
}

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

// --- dense conversion ----------------------------------------------------------------------

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
  if constexpr (is_half_v<S> && d::same_v<D, float>) {
    widen_dense(src, n, dst);
  } else if constexpr (is_half_v<D> && d::same_v<S, float>) {
    narrow_dense(src, n, dst);
  } else if constexpr (d::same_v<S, float> && d::same_v<D, d::i32>) {
    truncate_dense(src, n, dst);
  } else if constexpr (d::same_v<S, d::e2m1fn> && d::same_v<D, float>) {
    widen_fours(src, n, dst);
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

// --- elements of one size, wherever they lie -----------------------------------------------

// Every kStep-th element: with the step known, the compiler loads whole vectors and shuffles.
template <int kStep, class W>
TILEOPS_INLINE void gather_row(const W* src, size_t n, W* dst) {
  constexpr auto step = static_cast<ptrdiff_t>(kStep);
#pragma omp simd
  for (size_t c = 0; c < n; ++c) dst[c] = src[step * static_cast<ptrdiff_t>(c)];
}

// With any stride, four elements a turn, which are all read before they are written: the compiler cannot know that
// these are different places.
template <class W>
TILEOPS_INLINE void gather_any(const void* row, size_t n, ptrdiff_t stride, W* dst) {
  const char* p = static_cast<const char*>(row);
  const auto take = [&] {
    const W value = at<W>(p, 0);
    p += stride;
    return value;
  };
  size_t c = 0;
  for (; c + 4 <= n; c += 4) {
    const W a = take(), b = take(), x = take(), y = take();
    dst[c] = a;
    dst[c + 1] = b;
    dst[c + 2] = x;
    dst[c + 3] = y;
  }
  for (; c < n; ++c) dst[c] = take();
}

template <class W>
TILEOPS_INLINE void scatter_any(const W* src, size_t n, void* dst, ptrdiff_t stride) {
  char* p = static_cast<char*>(dst);
  const auto put = [&](W value) {
    at<W>(p, 0) = value;
    p += stride;
  };
  size_t c = 0;
  for (; c + 4 <= n; c += 4) {
    const W a = src[c], b = src[c + 1], x = src[c + 2], y = src[c + 3];
    put(a);
    put(b);
    put(x);
    put(y);
  }
  for (; c < n; ++c) put(src[c]);
}

template <class W>
TILEOPS_NOINLINE void gather(const void* src, const Tile& tile, W* dst) {
  const Tile t = tile;
  constexpr ptrdiff_t size = sizeof(W);
  if (t.rows > 1 && t.row_stride == size && t.col_stride != size && t.col_stride != 0) {
    // Transposed: read along memory, write across the block, which is in L1.
    for (size_t c = 0; c < t.cols; ++c)
      scatter_any(&at<W>(src, static_cast<ptrdiff_t>(c) * t.col_stride), t.rows, dst + c,
                  static_cast<ptrdiff_t>(t.cols * sizeof(W)));
    return;
  }
  for (size_t r = 0; r < t.rows; ++r) {
    const W* row = &at<W>(src, static_cast<ptrdiff_t>(r) * t.row_stride);
    W* to = dst + r * t.cols;
    if (t.col_stride == size) gather_row<1>(row, t.cols, to);
    else if (t.col_stride == 2 * size) gather_row<2>(row, t.cols, to);
    else if (t.col_stride == -size) gather_row<-1>(row, t.cols, to);
    else if (t.col_stride == 0) gather_row<0>(row, t.cols, to);
    else gather_any(row, t.cols, t.col_stride, to);
  }
}

template <class W>
TILEOPS_NOINLINE void scatter(const W* src, const Tile& tile, void* dst) {
  const Tile t = tile;
  for (size_t r = 0; r < t.rows; ++r) {
    scatter_any(src + r * t.cols, t.cols, &at<char>(dst, static_cast<ptrdiff_t>(r) * t.row_stride), t.col_stride);
  }
}

// Calls part(tile, offset, index) for parts of at most kBlock elements that are dense in the compute type: their byte
// offset in memory and their first element there.
template <class F>
TILEOPS_INLINE void for_parts(const Tile& t, const F& part) {
  const size_t cols = t.cols < kBlock ? t.cols : kBlock, rows = cols ? kBlock / cols : 1;
  for (size_t r = 0; r < t.rows; r += rows) {
    const size_t m = t.rows - r < rows ? t.rows - r : rows;
    for (size_t c = 0; c < t.cols; c += cols)
      part(Tile{m, t.cols - c < cols ? t.cols - c : cols, t.row_stride, t.col_stride},
           static_cast<ptrdiff_t>(r) * t.row_stride + static_cast<ptrdiff_t>(c) * t.col_stride, r * t.cols + c);
  }
}

template <class W>
TILEOPS_NOINLINE void gather_and_convert(const void* src, const Tile& t, ConvertFn convert, size_t size, void* dst) {
  alignas(64) W piece[kBlock];
  for_parts(t, [&](const Tile& part, ptrdiff_t offset, size_t index) {
    gather(&at<char>(src, offset), part, piece);
    convert(piece, part.rows * part.cols, static_cast<char*>(dst) + index * size);
  });
}

template <class W>
TILEOPS_NOINLINE void convert_and_scatter(const void* src, size_t size, ConvertFn convert, const Tile& t, void* dst) {
  alignas(64) W piece[kBlock];
  for_parts(t, [&](const Tile& part, ptrdiff_t offset, size_t index) {
    convert(static_cast<const char*>(src) + index * size, part.rows * part.cols, piece);
    scatter(piece, part, &at<char>(dst, offset));
  });
}

template <class W>
TILEOPS_NOINLINE void fill(const void* value, size_t n, void* dst) {
  gather_row<0>(static_cast<const W*>(value), n, static_cast<W*>(dst));
}

// --- tiles ---------------------------------------------------------------------------------

// Calls row(first, number, elements) for pieces of rows: the place of the first element in memory, its number in the
// tile. Rows without gaps are one.
template <size_t kPiece, class F>
TILEOPS_INLINE void for_pieces_of_rows(const Tile& tile, const F& row) {
  const bool dense = tile.col_stride == 1 && tile.row_stride == static_cast<ptrdiff_t>(tile.cols);
  const size_t rows = dense ? 1 : tile.rows, cols = dense ? tile.rows * tile.cols : tile.cols;
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < cols; c += kPiece)
      row(static_cast<ptrdiff_t>(tile.first) + static_cast<ptrdiff_t>(r) * tile.row_stride +
              static_cast<ptrdiff_t>(c) * tile.col_stride,
          r * cols + c, cols - c < kPiece ? cols - c : kPiece);
}

// Of elements that share bytes, by way of codes in L1.
template <class S, class D>
TILEOPS_INLINE void load_packed(const void* src, const Tile& t, D* dst) {
  constexpr size_t kPiece = 512;
  constexpr ConvertFn convert = converter<S, D>();
  alignas(64) d::u8 codes[kPiece];
  for_pieces_of_rows<kPiece>(t, [&](ptrdiff_t first, size_t number, size_t n) {
    unpack(static_cast<const d::u8*>(src), first, t.col_stride, n, codes);
    convert(codes, n, dst + number);
  });
}
template <class S, class D>
TILEOPS_INLINE void store_packed(const S* src, const Tile& t, void* dst) {
  constexpr size_t kPiece = 512;
  constexpr ConvertFn convert = converter<S, D>();
  alignas(64) d::u8 codes[kPiece];
  for_pieces_of_rows<kPiece>(t, [&](ptrdiff_t first, size_t number, size_t n) {
    convert(src + number, n, codes);
    pack(codes, n, static_cast<d::u8*>(dst), first, t.col_stride);
  });
}

template <class S, class D>
void load_tile(const void* src, const Tile& t, void* dst_) {
  D* dst = static_cast<D*>(dst_);
  if constexpr (d::is_packed_v<S>) {
    load_packed<S>(src, t, dst);
  } else if constexpr (d::same_v<S, D>) {
    gather(src, t, static_cast<word_of<S>*>(dst_));
  } else {
    constexpr ConvertFn convert = converter<S, D>();
    if (t.col_stride == ptrdiff_t{sizeof(S)}) {
      for (size_t r = 0; r < t.rows; ++r)
        convert(&at<S>(src, static_cast<ptrdiff_t>(r) * t.row_stride), t.cols, dst + r * t.cols);
    } else if (t.col_stride == 0) {
      for (size_t r = 0; r < t.rows; ++r) {
        word_of<D> value;
        convert(&at<S>(src, static_cast<ptrdiff_t>(r) * t.row_stride), 1, &value);
        fill<word_of<D>>(&value, t.cols, dst + r * t.cols);
      }
    } else {
      gather_and_convert<word_of<S>>(src, t, convert, sizeof(D), dst);
    }
  }
}

template <class S, class D>
void store_tile(const void* src_, const Tile& t, void* dst) {
  const S* src = static_cast<const S*>(src_);
  constexpr ConvertFn convert = converter<S, D>();
  if constexpr (d::is_packed_v<D>) {
    store_packed<S, D>(src, t, dst);
  } else if (t.col_stride == ptrdiff_t{sizeof(D)}) {
    for (size_t r = 0; r < t.rows; ++r)
      convert(src + r * t.cols, t.cols, &at<D>(dst, static_cast<ptrdiff_t>(r) * t.row_stride));
  } else if constexpr (d::same_v<S, D>) {
    scatter(static_cast<const word_of<S>*>(src_), t, dst);
  } else {
    convert_and_scatter<word_of<D>>(src, sizeof(S), convert, t, dst);
  }
}

template <class D>
size_t tested_store(const float* src, const Tile& t, void* dst, int ulp, d::u16* list) {
  store_tile<float, D>(src, t, dst);
  return list_failing<D>(src, t.rows * t.cols, ulp, list);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
