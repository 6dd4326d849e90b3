// Strided storage to dense compute type and back, per ISA. Every dtype converts to every other one, so that what is
// compiled for each pair is kept small: one loop over dense elements (convert.h). All other layouts move elements by
// their size alone (strided.h), by way of a piece of memory in L1. See dense.h for the rules.
#pragma once

#include "cpu/loops/memory/packed.h"
#include "cpu/loops/memory/strided.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

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

// Is a conversion a copy?
template <class S, class D>
inline constexpr bool keeps_bits_v = d::same_v<S, D> || (is_integer_v<S> && is_integer_v<D> && sizeof(S) == sizeof(D));

// Is each row long enough for a call of its own, or of whole vectors? Several others are converted together.
TILEOPS_INLINE bool converts_by_row(const Tile& t) { return t.rows == 1 || t.cols >= 64 || t.cols % 16 == 0; }

template <class S, class D>
void load_tile(const void* src, const Tile& tile, void* dst_) {
  D* dst = static_cast<D*>(dst_);
  if constexpr (d::is_packed_v<S>) {
    load_packed<S>(src, tile, dst);
  } else if (tile.row_stride == 0 && tile.rows > 1 && tile.col_stride != 0) {
    load_tile<S, D>(src, Tile{1, tile.cols, 0, tile.col_stride}, dst_);
    repeat_first_row(tile, static_cast<word_of<D>*>(dst_));
  } else if constexpr (keeps_bits_v<S, D>) {
    gather(src, tile, static_cast<word_of<S>*>(dst_));
  } else {
    constexpr ConvertFn convert = converter<S, D>();
    const Tile t = joined_rows(tile, sizeof(S));
    if (t.col_stride == ptrdiff_t{sizeof(S)} && converts_by_row(t)) {
      for (size_t r = 0; r < t.rows; ++r)
        convert(&at<S>(src, static_cast<ptrdiff_t>(r) * t.row_stride), t.cols, dst + r * t.cols);
    } else if (t.col_stride == 0) {  // one value a row, converted once
      constexpr size_t kPiece = 256;
      alignas(64) word_of<S> piece[kPiece];
      alignas(64) word_of<D> values[kPiece];
      for (size_t r = 0; r < t.rows; r += kPiece) {
        const size_t some = t.rows - r < kPiece ? t.rows - r : kPiece;
        gather(&at<char>(src, static_cast<ptrdiff_t>(r) * t.row_stride), Tile{1, some, 0, t.row_stride}, piece);
        convert(piece, some, values);
        repeat_in_rows(values, Tile{some, t.cols, sizeof(D), 0}, static_cast<word_of<D>*>(dst_) + r * t.cols);
      }
    } else {
      gather_and_convert<word_of<S>>(src, t, convert, sizeof(D), dst);
    }
  }
}

template <class S, class D>
void store_tile(const void* src_, const Tile& tile, void* dst) {
  const S* src = static_cast<const S*>(src_);
  const Tile t = d::is_packed_v<D> ? tile : joined_rows(tile, sizeof(D));
  constexpr ConvertFn convert = converter<S, D>();
  if constexpr (d::is_packed_v<D>) {
    store_packed<S, D>(src, t, dst);
  } else if (keeps_bits_v<S, D> && t.col_stride == ptrdiff_t{sizeof(D)} && t.rows > 1 &&
             t.cols * sizeof(D) <= kShortRow) {
    const size_t bytes = t.cols * sizeof(D);
    copy_short_rows(src, static_cast<ptrdiff_t>(bytes), t.rows, bytes, dst, t.row_stride);
  } else if (t.col_stride == ptrdiff_t{sizeof(D)} && (keeps_bits_v<S, D> || converts_by_row(t))) {
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
