// How a layout is cut into tiles, the pieces that executors work on.
#pragma once

#include <algorithm>
#include <vector>

#include "cpu/memory/operand.h"

namespace tileops::cpu {

// Elements of a tile for which nothing lies in scratch: it may be larger than a block.
constexpr size_t kTileWithoutScratch = 16 * kBlock;

// A tile of a layout.
struct Place {
  const int64_t* index;  // of its first element, by dimension
  size_t rows, cols;
};

// What it is of an operand.
struct Piece {
  uint8_t* at;
  Tile tile;
};

class Tiles {
 public:
  Tiles() = default;
  // Tiles of at most `room` elements. `row_dim`: the dimension along which a tile has rows; -1: it has
  // one. Its columns are the innermost dimension.
  Tiles(const Layout& layout, int row_dim, size_t room);

  size_t count() const { return count_; }
  // Those of a tile that is not at an edge.
  size_t rows() const { return rows_; }
  size_t cols() const { return cols_; }

  Tile tile(const Operand& op, const Place& place) const {
    return {place.rows, place.cols, row_dim_ < 0 ? 0 : op.strides[static_cast<size_t>(row_dim_)], op.strides.back()};
  }
  // A tile that no edge of the tensor cuts short.
  Tile whole_tile(const Operand& op) const { return tile(op, Place{nullptr, rows_, cols_}); }
  Piece piece(const Binding& binding, const Operand& op, const Place& place) const {
    const int64_t at = op.offset + offset(op, place);
    if (!op.packed) return {binding.base(op) + at, tile(op, place)};
    Piece p{binding.base(op) + (at >> 1), tile(op, place)};
    p.tile.first = static_cast<size_t>(at & 1);
    return p;
  }
  static int64_t offset(const Operand& op, const Place& place) {
    int64_t offset = 0;
    for (size_t d = 0; d < op.strides.size(); ++d) offset += place.index[d] * op.strides[d];
    return offset;
  }
  // Bytes from a tile of several rows to the next one, along them or another dimension; false at their end.
  bool next(const Operand& op, const Place& place, ptrdiff_t* step) const {
    if (next_dim_ < 0) return false;
    *step = static_cast<ptrdiff_t>(next_dim_ == row_dim_ ? place.rows : 1) * op.strides[static_cast<size_t>(next_dim_)];
    return true;
  }
  // Bytes from a tile of one row to what is read so many elements later, in that row or in those behind it. It may lie
  // behind the last row: only to be prefetched.
  ptrdiff_t ahead(const Operand& op, const Place& place, int64_t elements) const {
    const Step& columns = order_.back();
    const int64_t at = place.index[columns.dim], end = columns.extent;
    if (row_dim_ < 0 || at + elements < end) return elements * op.strides.back();
    const int64_t rows = (at + elements) / end;
    return rows * op.strides[static_cast<size_t>(row_dim_)] + (elements - rows * end) * op.strides.back();
  }

  // Calls f(Place) for tiles [begin, end): columns step fastest, then rows, then the other
  // dimensions.
  template <class F>
  void each(size_t begin, size_t end, const F& f) const {
    int64_t index[TILEOPS_MAX_NDIM + 1] = {};
    if (begin != 0) find(begin, index);
    const Step& columns = order_.back();
    const Step* rows = row_dim_ < 0 ? nullptr : &order_[order_.size() - 2];
    for (size_t i = begin; i < end; ++i) {
      f(Place{index, rows ? rows->at_most(index) : 1, columns.at_most(index)});
      for (size_t s = order_.size(); s-- > 0;) {
        int64_t& at = index[order_[s].dim];
        at += order_[s].size;
        if (at < order_[s].extent) break;
        at = 0;
      }
    }
  }

 private:
  // Along one dimension, from tile to tile.
  struct Step {
    int dim;
    int64_t size, extent;
    size_t at_most(const int64_t* index) const { return static_cast<size_t>(std::min(size, extent - index[dim])); }
  };
  // The index of the first element of a tile.
  void find(size_t tile, int64_t* index) const;

  std::vector<Step> order_;  // fastest last
  int row_dim_ = -1, next_dim_ = -1;
  size_t rows_ = 1, cols_ = 1, count_ = 0;
};

}  // namespace tileops::cpu
