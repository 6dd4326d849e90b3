// The layout engine: the fewest dimensions that describe a pass, in the best order, and its class.
#pragma once

#include <vector>

#include "problem/problem.h"

namespace tileops {

enum class LayoutClass : uint8_t {
  contiguous,  // one dimension, every operand dense
  broadcast,   // every operand's inner stride is one element or 0
  tiled,       // some operand's unit stride is another dimension than the output's
  strided,     // anything else
};
const char* layout_class_name(LayoutClass c);

struct Layout {
  LayoutClass cls = LayoutClass::contiguous;
  Extent numel = 1;                                // elements, once also where they are reduced in parts
  std::vector<Extent> extents;                     // outermost first; at least one
  std::vector<std::vector<Extent>> loads, stores;  // strides of the pass's along them: [load][dim]
  size_t row_rank = 0;    // how many of the innermost extents are the pass's block; 0 if it is one element
  size_t group_rank = 0;  // how many of those, the outer ones, number the groups that rows are cut into

  size_t outer() const { return extents.size() - row_rank; }  // how many number blocks
  Pass::ShortGroup short_group;
  int tile_dim = -1;  // tiled: the dimension along which the transposed operand is dense
};

// Drops size-1 dims, orders the rest by the first store's strides (then by the loads'), merges
// neighbours that every view steps through as one, and classifies. The extents of a block stay behind the
// others and in their order, and are not merged with them; nor are those of groups with those within a group. Where
// blocks are added up all extents keep their order, and what numbers parts of blocks stays behind the other blocks.
Layout make_layout(const Pass& pass);

// That of a pass of rows, which always has extents outside of blocks, of groups within a block if some reduction is of
// groups, and within a group or a block: of one element where there is no other.
Layout row_layout(const Pass& pass);

// Adds an extent of one element, outside of the block.
void insert_extent(size_t at, Layout* layout);

// The pass's own dimensions, as they are. Its elements are not counted (numel).
Layout plain_layout(const Pass& pass);

}  // namespace tileops
