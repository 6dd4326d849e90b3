// Elements of one size, wherever they lie, to a dense piece and back; converted there, in parts that stay in L1.
#pragma once

#include "cpu/kernel.h"
#include "cpu/loops/memory/convert.h"
#include "cpu/loops/memory/short_copy.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// Element at a byte offset.
template <class T>
TILEOPS_INLINE const T& at(const void* base, ptrdiff_t offset) {
  return *reinterpret_cast<const T*>(static_cast<const char*>(base) + offset);
}
template <class T>
TILEOPS_INLINE T& at(void* base, ptrdiff_t offset) {
  return *reinterpret_cast<T*>(static_cast<char*>(base) + offset);
}

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

// Rows that follow each other without gaps are one.
TILEOPS_INLINE Tile joined_rows(const Tile& t, ptrdiff_t element) {
  const bool joined = t.col_stride == element && t.row_stride == static_cast<ptrdiff_t>(t.cols) * element;
  return joined ? Tile{1, t.rows * t.cols, 0, element, t.first} : t;
}

// One row, so often as the tile has rows, in pieces that are twice as long each time.
template <class W>
TILEOPS_INLINE void repeat_first_row(const Tile& t, W* dst) {
  const size_t all = t.rows * t.cols;
  for (size_t there = t.cols, some; there < all; there += some) {
    some = there < all - there ? there : all - there;
    __builtin_memcpy(dst + there, dst, some * sizeof(W));
  }
}

// One value a row, so often as the row has elements; with few of these known, whole vectors are stored.
template <size_t Cols, class W>
TILEOPS_INLINE void repeat_each(const void* src, const Tile& t, W* dst) {
  for (size_t r = 0; r < t.rows; ++r) {
    const W value = at<W>(src, static_cast<ptrdiff_t>(r) * t.row_stride);
    for (size_t c = 0; c < Cols; ++c) dst[r * Cols + c] = value;
  }
}
// Rows shorter than a vector: a vector each, behind whose row the next one is written; the last rows to their end.
template <class W>
TILEOPS_INLINE void repeat_in_vectors(const void* src, const Tile& t, W* dst) {
  constexpr size_t lanes = 64 / sizeof(W);
  for (size_t r = 0; r < t.rows; ++r) {
    const W value = at<W>(src, static_cast<ptrdiff_t>(r) * t.row_stride);
    W* to = dst + r * t.cols;
    if ((t.rows - r) * t.cols >= lanes)
      for (size_t c = 0; c < lanes; ++c) to[c] = value;
    else
      for (size_t c = 0; c < t.cols; ++c) to[c] = value;
  }
}
template <class W>
TILEOPS_NOINLINE void repeat_in_rows(const void* src, const Tile& t, W* dst) {
  switch (t.cols) {
    case 2: return repeat_each<2>(src, t, dst);
    case 3: return repeat_each<3>(src, t, dst);
    case 4: return repeat_each<4>(src, t, dst);
    case 8: return repeat_each<8>(src, t, dst);
    default:
      if (t.cols < 64 / sizeof(W)) return repeat_in_vectors(src, t, dst);
      for (size_t r = 0; r < t.rows; ++r)
        gather_row<0>(&at<W>(src, static_cast<ptrdiff_t>(r) * t.row_stride), t.cols, dst + r * t.cols);
  }
}

template <class W>
TILEOPS_NOINLINE void gather(const void* src, const Tile& tile, W* dst) {
  constexpr ptrdiff_t size = sizeof(W);
  const Tile t = joined_rows(tile, size);
  if (t.col_stride == 0) return repeat_in_rows(src, t, dst);
  if (t.rows > 1 && t.row_stride == size && t.col_stride != size && t.col_stride != 0) {
    // Transposed: read along memory, write across the block, which is in L1.
    for (size_t c = 0; c < t.cols; ++c)
      scatter_any(&at<W>(src, static_cast<ptrdiff_t>(c) * t.col_stride), t.rows, dst + c,
                  static_cast<ptrdiff_t>(t.cols * sizeof(W)));
    return;
  }
  const size_t bytes = t.cols * sizeof(W);
  if (t.col_stride == size && t.rows > 1 && bytes <= kShortRow)
    return copy_short_rows(src, t.row_stride, t.rows, bytes, dst, static_cast<ptrdiff_t>(bytes));
  for (size_t r = 0; r < t.rows; ++r) {
    const W* row = &at<W>(src, static_cast<ptrdiff_t>(r) * t.row_stride);
    W* to = dst + r * t.cols;
    if (t.col_stride == size) gather_row<1>(row, t.cols, to);
    else if (t.col_stride == 2 * size) gather_row<2>(row, t.cols, to);
    else if (t.col_stride == -size) gather_row<-1>(row, t.cols, to);
    else gather_any(row, t.cols, t.col_stride, to);
  }
}

template <class W>
TILEOPS_NOINLINE void scatter(const W* src, const Tile& tile, void* dst) {
  const Tile t = tile;
  const size_t bytes = t.cols * sizeof(W);
  if (t.col_stride == ptrdiff_t{sizeof(W)} && bytes <= kShortRow)
    return copy_short_rows(src, static_cast<ptrdiff_t>(bytes), t.rows, bytes, dst, t.row_stride);
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

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
