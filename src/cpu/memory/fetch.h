// Operands for kernels: dense, in the type that these take.
#pragma once

#include "cpu/memory/tiles.h"

namespace tileops::cpu {

constexpr size_t kSlotBytes = kBlock * 8;

// Slots lie a line further from each other than their size, so that elements of one place do not share sets of L1
// (rope_neox of 64 Ki f32 on a core of a Zen 4: 18.3 us, 21.2 without; November 2026).
constexpr size_t kSlotGap = 64;

// What a slot of scratch holds of a load, so that later tiles that need the same find it there; of Kept{} nothing.
// Without initialisers, since scratch has hundreds, of which programs use few (Machine::begin).
struct Kept {
  const void* from;  // so many copies of the value there, or all rows of a tile the row there
  size_t copies;
  size_t rows, cols;
};

// One value n times.
const void* fetch_value(const Load& load, const void* from, size_t n, void* slot, Kept* kept);

// A piece of memory: where it lies, if kernels can take it there, or in the slot.
const void* fetch_memory(const Load& load, const Piece& from, void* slot, Kept* kept);

// Positions of an index view.
void fetch_index(const Load& load, const Binding& binding, const Tiles& tiles, const Place& place,
                 const MemoryKernels& memory, void* slot);

// The elements of `from` that lie where its indices say; `values`: where i64 of each index are, by its number. Packed
// ones are f32 in the slot, since their dtype has no NaN for what is outside.
void fetch_gathered(const Load& load, const Binding& binding, const Piece& from, const void* const* values, void* slot);

// Writes dense elements, as they lie in memory, to where the indices say, or adds them to what is there.
void store_scattered(const Store& store, const Binding& binding, const Piece& to, const void* const* values,
                     const void* elements);

// Writes an element that shares its byte with another one, which stays.
void put_packed(uint8_t* memory, ptrdiff_t place, uint8_t code);

// Asks for memory that later tiles read, into L2: what hardware does not foresee, tiles of several rows and every
// second element; with `dense` single rows without gaps, too.
void prefetch_later(const Load& load, const Binding& binding, const Piece& piece, const Tiles& tiles,
                    const Place& place, bool dense);

// One of the above: a tile of a load, for a kernel. With `ahead` what later tiles read is prefetched; `dense` as there.
// Inline: a program takes few hundred nanoseconds, of which a call with so many arguments is a part that is seen.
struct Ahead {
  bool wanted = false, dense = false;
};
inline const void* fetch(const Load& load, const Binding& binding, const Tiles& tiles, const Place& place,
                         const MemoryKernels& memory, const void* const* values, Ahead ahead, void* slot, Kept* kept) {
  if (load.kind == ViewKind::index) {
    fetch_index(load, binding, tiles, place, memory, slot);
    return slot;
  }
  const Piece piece = tiles.piece(binding, load, place);
  if (!load.indices.empty()) {
    fetch_gathered(load, binding, piece, values, slot);
    return slot;
  }
  if (ahead.wanted) prefetch_later(load, binding, piece, tiles, place, ahead.dense);
  return fetch_memory(load, piece, slot, kept);
}

}  // namespace tileops::cpu
