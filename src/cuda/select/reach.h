// The operands of a pass: how each is reached, and how many elements a pack may have for their sake.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/layout.h"
#include "cuda/select/spec.h"
#include "cuda/tuning/tuning.h"

namespace tileops::cuda {

// A view of the pass with its strides in the layout's dimensions.
struct Operand {
  const View* view;
  const std::vector<int64_t>* strides;
  int64_t size;
  Reach reach = Reach::strided;
  bool is_store = false;

  bool memory() const { return reach != Reach::index && reach != Reach::fixed; }
  bool consecutive() const { return reach == Reach::dense || reach == Reach::row; }
};

Reach reach_of(const Operand& o, const Layout& layout);

// Rows of pairs: two views of one array, one of every second element and one of those between. RoPE's and
// sinusoidal's interleaved forms; as strided views they would be read and written element by element.
void find_pairs(std::vector<Operand>* operands);

// Is the same memory read again further out? Then it is small, or at least soon in a cache.
bool is_reused(const Operand& o, const std::vector<int64_t>& extents);
// Does a load bring from memory as many elements as there are results?
bool is_streamed(const Operand& o, const std::vector<int64_t>& extents);

// Elements of a pack as the sizes of the streamed operands want it; `asked`: for a thread whose number of elements is
// given.
int wanted_vector(const std::vector<Operand>& operands, const std::vector<int64_t>& extents,
                  const Tuning& tuning, bool asked);

// The largest pack of at most `vector` that divides rows and keeps every row view aligned within
// them; 0 if coordinates must be found element by element.
int row_vector(const std::vector<Operand>& operands, const Layout& layout, int vector);

// Largest distance of an element from its view's origin, in bytes.
int64_t reach_in_bytes(const Operand& o, const std::vector<int64_t>& extents);

// The pass cut into squares of its last dimension and `layout.tile_dim`, which becomes the last but
// one; false if that does not fit it. Changes the operands' reach, and the layout's order of dims;
// `strides` holds what the operands point to from then on.
bool make_tiles(std::vector<Operand>* operands, Layout* layout,
                std::vector<std::vector<int64_t>>* strides, const Tuning& tuning, int* vector,
                int* edge);

}  // namespace tileops::cuda
