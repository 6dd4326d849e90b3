#include "cpu/memory/fetch.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "cpu/memory/non_temporal.h"

namespace tileops::cpu {
namespace {

bool are_equal(const int64_t* ids, size_t n) {
  return ids[0] == ids[n - 1] && std::memcmp(ids, ids + 1, (n - 1) * sizeof *ids) == 0;
}

// The indices of an operand in one execute.
struct Indices {
  const std::vector<View::Index>& list;
  const int64_t* sizes;       // stride and extent of each
  const void* const* values;  // i64 of each, by its number
  const bool once_a_row;      // a value for each row of the tile, not for each element

  Indices(const Operand& operand, const Binding& binding, const void* const* values_of)
      : list(operand.indices),
        sizes(binding.sizes + operand.indices_at),
        values(values_of),
        once_a_row(operand.indices_once_a_row) {}

  const int64_t* of(const View::Index& index) const { return static_cast<const int64_t*>(values[index.value.index]); }
  // Adds what the indices say, value i of each; false if one is outside.
  bool add(size_t i, ptrdiff_t* at) const {
    const int64_t* size = sizes;
    for (const View::Index& index : list) {
      const int64_t id = of(index)[i], stride = *size++, extent = *size++;
      if (id < 0 || id >= extent) return false;
      *at += id * stride;
    }
    return true;
  }
  // Does a row of n elements from element i on have the same indices throughout?
  bool are_one_place(size_t i, size_t n) const {
    return std::all_of(list.begin(), list.end(), [&](const View::Index& index) { return are_equal(of(index) + i, n); });
  }
};

// The same of an operand with one index, in numbers that stay in registers.
struct OneIndex {
  const int64_t* ids;
  int64_t stride, extent;
  bool once_a_row;

  explicit OneIndex(const Indices& all)
      : ids(all.of(all.list[0])), stride(all.sizes[0]), extent(all.sizes[1]), once_a_row(all.once_a_row) {}
  bool add(size_t i, ptrdiff_t* at) const {
    const int64_t id = ids[i];
    if (static_cast<uint64_t>(id) >= static_cast<uint64_t>(extent)) return false;
    *at += id * stride;
    return true;
  }
  bool are_one_place(size_t i, size_t n) const { return are_equal(ids + i, n); }
};

// Goes through the places of a tile. A row that is one piece of memory is one call of row(at); any other row is a call
// of element(at) for each element. `at` points to the distance from the tile's first element, in bytes or, where two
// elements share a byte, in elements; outside of the operand it is NULL.
template <class I, class OfRow, class OfElement>
void each_place(const Operand& operand, const Tile t, const I indices, const OfRow& row, const OfElement& element) {
  const bool is_dense = t.cols > 0 && t.col_stride == operand.storage && !operand.packed;
  for (size_t r = 0; r < t.rows; ++r) {
    const size_t first = indices.once_a_row ? r : r * t.cols;
    const ptrdiff_t start = static_cast<ptrdiff_t>(t.first) + static_cast<ptrdiff_t>(r) * t.row_stride;
    ptrdiff_t at = start;
    if (is_dense && (indices.once_a_row || indices.are_one_place(first, t.cols))) {
      row(indices.add(first, &at) ? &at : nullptr);
      continue;
    }
    for (size_t c = 0; c < t.cols; ++c) {
      at = start + static_cast<ptrdiff_t>(c) * t.col_stride;
      element(indices.add(indices.once_a_row ? r : first + c, &at) ? &at : nullptr);
    }
  }
}

// Rows of a few bytes are copied as words, without a call.
void copy_row(uint8_t* to, const uint8_t* from, size_t bytes) {
  switch (bytes) {
    case 4: std::memcpy(to, from, 4); break;
    case 8: std::memcpy(to, from, 8); break;
    case 16: std::memcpy(to, from, 16); break;
    default: std::memcpy(to, from, bytes);
  }
}

// Copies elements as words of their size, a whole row at once where it is one piece of memory.
template <class Word, class I>
void copy_words(const Load& load, const Piece& from, const I& indices, uint8_t* to) {
  const Word outside = static_cast<Word>(load.outside);
  const uint8_t* const first = from.at;
  const size_t row_bytes = from.tile.cols * sizeof(Word);
  const auto element = [&](const ptrdiff_t* at) {
    std::memcpy(to, at ? first + *at : reinterpret_cast<const uint8_t*>(&outside), sizeof(Word));
    to += sizeof(Word);
  };
  const auto row = [&](const ptrdiff_t* at) {
    if (at) copy_row(to, first + *at, row_bytes);
    else
      for (size_t b = 0; b < row_bytes; b += sizeof(Word)) std::memcpy(to + b, &outside, sizeof(Word));
    to += row_bytes;
  };
  each_place(load, from.tile, indices, row, element);
}

// Asks for the rows of a tile that are gathered from more memory than is near: their places are known before the first
// one is read, and the hardware does not foresee them. Of longer rows it finds the rest itself.
void prefetch_rows(const Piece& from, const OneIndex& indices, size_t row_bytes) {
  constexpr int64_t kNear = 128 << 10;
  constexpr size_t kMost = 512;
  if (!indices.once_a_row || std::abs(indices.stride) < 1 || indices.extent <= kNear / std::abs(indices.stride)) return;
  for (size_t r = 0; r < from.tile.rows; ++r) {
    ptrdiff_t at = static_cast<ptrdiff_t>(r) * from.tile.row_stride;
    if (!indices.add(r, &at)) continue;
    for (size_t b = 0; b < std::min(row_bytes, kMost); b += 64) __builtin_prefetch(from.at + at + b);
  }
}

template <class Word>
void copy_gathered(const Load& load, const Piece& from, const Indices& indices, uint8_t* to) {
  if (load.indices.size() > 1) return copy_words<Word>(load, from, indices, to);
  const OneIndex one(indices);
  prefetch_rows(from, one, from.tile.cols * sizeof(Word));
  copy_words<Word>(load, from, one, to);
}

void copy_gathered_packed(const Load& load, const Piece& from, const Indices& indices, float* to) {
  if (load.type != Ctype::f32) fail(TILEOPS_STATUS_INTERNAL, "a gathered operand is not taken as f32");
  const float outside = load.outside ? __builtin_nanf("") : 0.0f;
  const auto element = [&](const ptrdiff_t* at) {
    if (!at) {
      *to++ = outside;
      return;
    }
    const Tile one{1, 1, 0, 0, static_cast<size_t>(*at & 1)};
    load.load(from.at + (*at >> 1), one, to++);
  };
  each_place(load, from.tile, indices, [](const ptrdiff_t*) {}, element);
}

// Other threads may add to the same element.
void add_word(uint8_t* to, const uint8_t* from, size_t size) {
  if (size == 4) {
    uint32_t value;
    std::memcpy(&value, from, 4);
    __atomic_fetch_add(reinterpret_cast<uint32_t*>(to), value, __ATOMIC_RELAXED);
  } else {
    uint64_t value;
    std::memcpy(&value, from, 8);
    __atomic_fetch_add(reinterpret_cast<uint64_t*>(to), value, __ATOMIC_RELAXED);
  }
}

}  // namespace

void put_packed(uint8_t* memory, ptrdiff_t place, uint8_t code) {
  const int shift = (place & 1) * 4;
  uint8_t& byte = memory[place >> 1];
  byte = static_cast<uint8_t>((byte & 0xf0 >> shift) | code << shift);
}

void store_scattered(const Store& store, const Binding& binding, const Piece& to, const void* const* values,
                     const void* elements) {
  const Indices indices(store, binding, values);
  const auto* from = static_cast<const uint8_t*>(elements);
  const size_t size = static_cast<size_t>(store.storage), row_bytes = to.tile.cols * size;
  size_t i = 0;
  if (store.packed) {
    const auto element = [&](const ptrdiff_t* at) {
      if (at) put_packed(to.at, *at, static_cast<uint8_t>(from[i / 2] >> i % 2 * 4 & 15));
      ++i;
    };
    return each_place(store, to.tile, indices, [](const ptrdiff_t*) {}, element);
  }
  const auto put = [&](const ptrdiff_t* at) {
    if (at && store.adds) add_word(to.at + *at, from, size);
    else if (at) std::memcpy(to.at + *at, from, size);
    from += size;
  };
  const auto row = [&](const ptrdiff_t* at) {
    if (store.adds) {
      for (size_t c = 0; c < to.tile.cols; ++c) {
        const ptrdiff_t place = at ? *at + static_cast<ptrdiff_t>(c * size) : 0;
        put(at ? &place : nullptr);
      }
      return;
    }
    if (at) copy_row(to.at + *at, from, row_bytes);
    from += row_bytes;
  };
  each_place(store, to.tile, indices, row, put);
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
  if (load.packed) {
    *kept = {};
    load.load(from.at, from.tile, slot);
    return slot;
  }
  const Tile& t = from.tile;
  // Rows of one element each are one row, which may be dense.
  if (t.cols == 1 && t.rows > 1 && t.row_stride != 0)
    return fetch_memory(load, {from.at, {1, t.rows, 0, t.row_stride}}, slot, kept);
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

void fetch_index(const Load& load, const Binding& binding, const Tiles& tiles, const Place& place,
                 const MemoryKernels& memory, void* slot) {
  const int64_t origin = load.offset + Tiles::offset(binding, load, place);
  const Tile tile = tiles.tile(binding, load, place);
  if (load.type == Ctype::f32) memory.fill_index_f32(origin, tile, static_cast<float*>(slot));
  else memory.fill_index(origin, tile, static_cast<int64_t*>(slot));
}

void fetch_gathered(const Load& load, const Binding& binding, const Piece& from, const void* const* values,
                    void* slot) {
  const Indices indices(load, binding, values);
  if (load.packed) return copy_gathered_packed(load, from, indices, static_cast<float*>(slot));
  alignas(64) uint8_t dense[kSlotBytes];
  uint8_t* const to = load.gathered_as_is ? static_cast<uint8_t*>(slot) : dense;
  switch (load.storage) {
    case 1: copy_gathered<uint8_t>(load, from, indices, to); break;
    case 2: copy_gathered<uint16_t>(load, from, indices, to); break;
    case 4: copy_gathered<uint32_t>(load, from, indices, to); break;
    default: copy_gathered<uint64_t>(load, from, indices, to);
  }
  if (load.gathered_as_is) return;
  load.load(dense, Tile{1, from.tile.rows * from.tile.cols, 0, load.storage}, slot);
}

// How many elements ahead: 3 KB of 16-bit floats, 6 KB of 32-bit ones. Not a multiple of 4 KB, the distance at which
// loads wait for stores to scratch. Into L2, since few lines can be on their way to L1. (Two cores of a Zen 4, November
// 2026: adamw of 16 Mi f32 takes 16.5 ms with prefetching and 24 without, luminance of 32 Mi bf16 8.7 and 16.8.)
constexpr int64_t kAhead = 1536;

void prefetch_later(const Load& load, const Binding& binding, const Piece& piece, const Tiles& tiles,
                    const Place& place, bool dense) {
  if (load.packed) return;  // few bytes
  const Tile& tile = piece.tile;
  if (tile.cols == 1 && tile.row_stride == load.storage) return;  // rows of one element each are one without gaps
  const bool without_gaps = tile.col_stride == load.storage;
  if (!(without_gaps ? dense || tile.rows > 1 : tile.col_stride == 2 * load.storage)) return;
  ptrdiff_t step;
  if (tile.rows == 1) step = tiles.ahead(binding, load, place, kAhead);
  else if (tile.row_stride == 0 || !tiles.next(binding, load, place, &step)) return;
  const uint8_t* p = piece.at + step;
  const size_t bytes = tile.cols * static_cast<size_t>(tile.col_stride);
  for (size_t r = 0; r < tile.rows; ++r, p += tile.row_stride)
    for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch(p + i, 0, 2);
}

}  // namespace tileops::cpu
