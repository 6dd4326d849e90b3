#include "cpu/memory/fetch.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "cpu/memory/non_temporal.h"

namespace tileops::cpu {
namespace {

// Adds what the indices of element i say; false if one is outside.
bool add_indices(const std::vector<View::Index>& indices, const void* const* values, size_t i, ptrdiff_t* at) {
  for (const View::Index& index : indices) {
    const int64_t id = static_cast<const int64_t*>(values[index.value.index])[i];
    if (id < 0 || id >= index.extent) return false;
    *at += id * index.stride;
  }
  return true;
}

// Does a row of n elements from element i on have the same indices throughout?
bool is_one_place(const std::vector<View::Index>& indices, const void* const* values, size_t i, size_t n) {
  return std::all_of(indices.begin(), indices.end(), [&](const View::Index& index) {
    const int64_t* ids = static_cast<const int64_t*>(values[index.value.index]) + i;
    return ids[0] == ids[n - 1] && std::memcmp(ids, ids + 1, (n - 1) * sizeof *ids) == 0;
  });
}

// A row of a tile, from element i on: one piece of memory, to where *at is moved; all of it outside; or neither.
enum class Row { piece, outside, elements };
Row find_row(const Operand& operand, const Tile& t, const void* const* values, size_t i, ptrdiff_t* at) {
  if (t.cols == 0 || t.col_stride != operand.storage || !is_one_place(operand.indices, values, i, t.cols))
    return Row::elements;
  return add_indices(operand.indices, values, i, at) ? Row::piece : Row::outside;
}

// Copies elements as words of their size, a whole row at once where it is one piece of memory.
template <class Word>
void copy_gathered(const Load& load, const Piece& from, const void* const* values, uint8_t* to) {
  const Word outside = static_cast<Word>(load.outside);
  const Tile& t = from.tile;
  size_t i = 0;
  for (size_t r = 0; r < t.rows; ++r) {
    ptrdiff_t row = static_cast<ptrdiff_t>(r) * t.row_stride;
    if (find_row(load, t, values, i, &row) == Row::piece) {
      std::memcpy(to, from.at + row, t.cols * sizeof(Word));
      i += t.cols;
      to += t.cols * sizeof(Word);
      continue;
    }
    for (size_t c = 0; c < t.cols; ++c, ++i, to += sizeof(Word)) {
      ptrdiff_t at = static_cast<ptrdiff_t>(r) * t.row_stride + static_cast<ptrdiff_t>(c) * t.col_stride;
      const bool inside = add_indices(load.indices, values, i, &at);
      std::memcpy(to, inside ? from.at + at : reinterpret_cast<const uint8_t*>(&outside), sizeof(Word));
    }
  }
}

// Calls f(element, place, inside) for the elements of a piece whose elements share bytes, in their order.
template <class F>
void each_packed(const Tile& t, const std::vector<View::Index>& indices, const void* const* values, const F& f) {
  size_t i = 0;
  for (size_t r = 0; r < t.rows; ++r) {
    for (size_t c = 0; c < t.cols; ++c, ++i) {
      ptrdiff_t at = static_cast<ptrdiff_t>(t.first) + static_cast<ptrdiff_t>(r) * t.row_stride +
                     static_cast<ptrdiff_t>(c) * t.col_stride;
      const bool inside = add_indices(indices, values, i, &at);
      f(i, at, inside);
    }
  }
}

void copy_gathered_packed(const Load& load, const Piece& from, const void* const* values, float* to) {
  if (load.type != Ctype::f32) fail(TILEOPS_STATUS_INTERNAL, "a gathered operand is not taken as f32");
  const float outside = load.outside ? __builtin_nanf("") : 0.0f;
  each_packed(from.tile, load.indices, values, [&](size_t i, ptrdiff_t at, bool inside) {
    const Tile one{1, 1, 0, 0, static_cast<size_t>(at & 1)};
    if (inside) load.load(from.at + (at >> 1), one, to + i);
    else to[i] = outside;
  });
}

// Other threads may add to the same elements.
template <class Word>
void add_scattered(const Store& store, const Piece& to, const void* const* values, const Word* from) {
  size_t i = 0;
  for (size_t r = 0; r < to.tile.rows; ++r)
    for (size_t c = 0; c < to.tile.cols; ++c, ++i) {
      ptrdiff_t at = static_cast<ptrdiff_t>(r) * to.tile.row_stride + static_cast<ptrdiff_t>(c) * to.tile.col_stride;
      if (add_indices(store.indices, values, i, &at))
        __atomic_fetch_add(reinterpret_cast<Word*>(to.at + at), from[i], __ATOMIC_RELAXED);
    }
}

}  // namespace

void put_packed(uint8_t* memory, ptrdiff_t place, uint8_t code) {
  const int shift = (place & 1) * 4;
  uint8_t& byte = memory[place >> 1];
  byte = static_cast<uint8_t>((byte & 0xf0 >> shift) | code << shift);
}

void store_scattered(const Store& store, const Piece& to, const void* const* values, const void* elements) {
  const auto* from = static_cast<const uint8_t*>(elements);
  if (store.packed)
    return each_packed(to.tile, store.indices, values, [&](size_t i, ptrdiff_t at, bool inside) {
      if (inside) put_packed(to.at, at, static_cast<uint8_t>(from[i / 2] >> i % 2 * 4 & 15));
    });
  if (store.adds && store.storage == 4) return add_scattered(store, to, values, static_cast<const uint32_t*>(elements));
  if (store.adds) return add_scattered(store, to, values, static_cast<const uint64_t*>(elements));
  const size_t size = static_cast<size_t>(store.storage);
  size_t i = 0;
  for (size_t r = 0; r < to.tile.rows; ++r) {
    ptrdiff_t row = static_cast<ptrdiff_t>(r) * to.tile.row_stride;
    if (const Row found = find_row(store, to.tile, values, i, &row); found != Row::elements) {
      if (found == Row::piece) std::memcpy(to.at + row, from, to.tile.cols * size);
      i += to.tile.cols;
      from += to.tile.cols * size;
      continue;
    }
    for (size_t c = 0; c < to.tile.cols; ++c, ++i, from += size) {
      ptrdiff_t at = static_cast<ptrdiff_t>(r) * to.tile.row_stride + static_cast<ptrdiff_t>(c) * to.tile.col_stride;
      if (add_indices(store.indices, values, i, &at)) std::memcpy(to.at + at, from, size);
    }
  }
}

const void* fetch_value(const Load& load, const void* from, size_t n, void* slot, Kept* kept) {
  if (kept->from != from || kept->copies < n) {
    load.load(from, Tile{1, n, 0, 0}, slot);
    kept->from = from;
    kept->copies = n;
  }
  return slot;
}

const void* fetch_memory(const Load& load, const Piece& from, void* slot, Kept* kept) {
  const Tile& t = from.tile;
  if (load.packed) {
    *kept = {};
    load.load(from.at, t, slot);
    return slot;
  }
  if (load.direct && is_dense(t, load.storage)) return from.at;
  if (t.col_stride == 0 && (t.row_stride == 0 || t.rows == 1))
    return fetch_value(load, from.at, t.rows * t.cols, slot, kept);
  // Rows that are all the same one stay for the next tiles (the weights of prelu).
  const bool same = t.row_stride == 0 && t.rows > 1;
  if (same && kept->from == from.at && kept->rows == t.rows && kept->cols == t.cols) return slot;
  kept->from = same ? from.at : nullptr;
  kept->rows = t.rows;
  kept->cols = t.cols;
  load.load(from.at, t, slot);
  return slot;
}

void fetch_index(const Load& load, const Tiles& tiles, const Place& place, const MemoryKernels& memory, void* slot) {
  const int64_t origin = load.offset + Tiles::offset(load, place);
  const Tile tile = tiles.tile(load, place);
  if (load.type == Ctype::f32) memory.fill_index_f32(origin, tile, static_cast<float*>(slot));
  else memory.fill_index(origin, tile, static_cast<int64_t*>(slot));
}

void fetch_gathered(const Load& load, const Piece& from, const void* const* values, void* slot) {
  if (load.packed) return copy_gathered_packed(load, from, values, static_cast<float*>(slot));
  alignas(64) uint8_t dense[kSlotBytes];
  switch (load.storage) {
    case 1: copy_gathered<uint8_t>(load, from, values, dense); break;
    case 2: copy_gathered<uint16_t>(load, from, values, dense); break;
    case 4: copy_gathered<uint32_t>(load, from, values, dense); break;
    default: copy_gathered<uint64_t>(load, from, values, dense);
  }
  load.load(dense, Tile{1, from.tile.rows * from.tile.cols, 0, load.storage}, slot);
}

// How many elements ahead: 3 KB of 16-bit floats, 6 KB of 32-bit ones. Not a multiple of 4 KB, the distance at which
// loads wait for stores to scratch. Into L2, since few lines can be on their way to L1. (Two cores of a Zen 4, November
// 2026: adamw of 16 Mi f32 takes 16.5 ms with prefetching and 24 without, luminance of 32 Mi bf16 8.7 and 16.8.)
constexpr int64_t kAhead = 1536;

void prefetch_later(const Load& load, const Piece& piece, const Tiles& tiles, const Place& place, bool dense) {
  if (load.packed) return;  // few bytes
  const Tile& tile = piece.tile;
  const bool without_gaps = tile.col_stride == load.storage;
  if (!(without_gaps ? dense || tile.rows > 1 : tile.col_stride == 2 * load.storage)) return;
  ptrdiff_t step;
  if (tile.rows == 1) step = tiles.ahead(load, place, kAhead);
  else if (tile.row_stride == 0 || !tiles.next(load, place, &step)) return;
  const uint8_t* p = piece.at + step;
  const size_t bytes = tile.cols * static_cast<size_t>(tile.col_stride);
  for (size_t r = 0; r < tile.rows; ++r, p += tile.row_stride)
    for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch(p + i, 0, 2);
}

}  // namespace tileops::cpu
