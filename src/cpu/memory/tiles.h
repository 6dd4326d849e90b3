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
  Tiles(const Layout& layout, int row_dim, size_t room, Sizes* sizes);

  size_t count(const int64_t* sizes) const;
  // As planned, where no extent is open.
  bool is_open() const { return is_open_; }
  size_t planned_count() const { return planned_count_; }
  // Those of a tile that is not at an edge.
  size_t rows() const { return rows_; }
  size_t cols() const { return cols_; }

  Tile tile(const Binding& binding, const Operand& op, const Place& place) const {
    const int64_t* strides = binding.sizes + op.strides_at;
    return {place.rows, place.cols, row_dim_ < 0 ? 0 : strides[row_dim_], strides[op.strides.size() - 1]};
  }
  // A tile that no edge of the tensor cuts short; of open extents one as it usually is.
  Tile whole_tile(const Operand& op) const {
    return {rows_, cols_, row_dim_ < 0 ? 0 : op.strides[static_cast<size_t>(row_dim_)].typical(),
            op.strides.back().typical()};
  }
  Piece piece(const Binding& binding, const Operand& op, const Place& place) const {
    const int64_t at = op.offset + offset(binding, op, place);
    if (!op.packed) return {binding.base(op) + at, tile(binding, op, place)};
    Piece p{binding.base(op) + (at >> 1), tile(binding, op, place)};
    p.tile.first = static_cast<size_t>(at & 1);
    return p;
  }
  static int64_t offset(const Binding& binding, const Operand& op, const Place& place) {
    const int64_t* strides = binding.sizes + op.strides_at;
    int64_t offset = 0;
    for (size_t d = 0; d < op.strides.size(); ++d) offset += place.index[d] * strides[d];
    return offset;
  }
  // Bytes from a tile of several rows to the next one, along them or another dimension; false at their end.
  bool next(const Binding& binding, const Operand& op, const Place& place, ptrdiff_t* step) const {
    if (next_dim_ < 0) return false;
    *step = static_cast<ptrdiff_t>(next_dim_ == row_dim_ ? place.rows : 1) * binding.sizes[op.strides_at + next_dim_];
    return true;
  }
  // Bytes from a tile of one row to what is read so many elements later, in that row or in those behind it. It may lie
  // behind the last row: only to be prefetched.
  ptrdiff_t ahead(const Binding& binding, const Operand& op, const Place& place, int64_t elements) const {
    const Step& columns = order_.back();
    const int64_t* strides = binding.sizes + op.strides_at;
    const int64_t at = place.index[columns.dim], end = binding.sizes[columns.extent_at];
    if (row_dim_ < 0 || at + elements < end) return elements * strides[op.strides.size() - 1];
    const int64_t rows = (at + elements) / end;
    return rows * strides[row_dim_] + (elements - rows * end) * strides[op.strides.size() - 1];
  }

  // Calls f(Place) for tiles [begin, end): columns step fastest, then rows, then the other
  // dimensions.
  template <class F>
  void each(const int64_t* sizes, size_t begin, size_t end, const F& f) const {
    int64_t index[TILEOPS_MAX_NDIM + 1] = {};
    if (begin != 0) find(sizes, begin, index);
    const Step& columns = order_.back();
    const Step* rows = row_dim_ < 0 ? nullptr : &order_[order_.size() - 2];
    for (size_t i = begin; i < end; ++i) {
      f(Place{index, rows ? rows->at_most(sizes, index) : 1, columns.at_most(sizes, index)});
      for (size_t s = order_.size(); s-- > 0;) {
        int64_t& at = index[order_[s].dim];
        at += order_[s].size;
        if (at < sizes[order_[s].extent_at]) break;
        at = 0;
      }
    }
  }

 private:
  // Along one dimension, from tile to tile.
  struct Step {
    int dim;
    int64_t size;
    size_t extent_at;  // where its extent is among the sizes
    size_t at_most(const int64_t* sizes, const int64_t* index) const {
      return static_cast<size_t>(std::min(size, sizes[extent_at] - index[dim]));
    }
    size_t tiles(const int64_t* sizes) const {
      const int64_t extent = sizes[extent_at];
      return static_cast<size_t>(size == 1 ? extent : (extent + size - 1) / size);
    }
  };
  // The index of the first element of a tile.
  void find(const int64_t* sizes, size_t tile, int64_t* index) const;

  std::vector<Step> order_;  // fastest last
  int row_dim_ = -1, next_dim_ = -1;
  size_t rows_ = 1, cols_ = 1, planned_count_ = 0;
  bool is_open_ = false;
};

}  // namespace tileops::cpu
