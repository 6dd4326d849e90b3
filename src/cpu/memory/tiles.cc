#include "cpu/memory/tiles.h"

namespace tileops::cpu {

Tiles::Tiles(const Layout& layout, int row_dim, size_t room) : row_dim_(row_dim) {
  const int dims = static_cast<int>(layout.extents.size()), col_dim = dims - 1;
  const auto extent = [&](int d) { return layout.extents[static_cast<size_t>(d)]; };
  const size_t all_cols = static_cast<size_t>(extent(col_dim));
  // Beside a transposed operand a block is 16 rows of 64 elements. Of f32 that takes whole cache lines of the
  // transposed operand, which run down the rows, and longer pieces of the other operands than a square tile does. (add
  // of 16 Mi f32 on two cores of a Zen 5, November 2026: 10.2 ms, with 32 rows of 32 elements 12.8.)
  cols_ = std::min<size_t>(all_cols, layout.cls == LayoutClass::tiled ? 64 : room);
  if (row_dim >= 0) {
    rows_ = std::min(static_cast<size_t>(extent(row_dim)), std::max<size_t>(room / std::max<size_t>(cols_, 1), 1));
  }
  if (cols_ == all_cols) {
    if (row_dim >= 0 && rows_ < static_cast<size_t>(extent(row_dim))) next_dim_ = row_dim;
    for (int d = col_dim - 1; d >= 0 && next_dim_ < 0; --d)
      if (d != row_dim && extent(d) > 1) next_dim_ = d;
  }
  for (int d = 0; d < col_dim; ++d)
    if (d != row_dim) order_.push_back({d, 1, extent(d)});
  if (row_dim >= 0) order_.push_back({row_dim, static_cast<int64_t>(rows_), extent(row_dim)});
  order_.push_back({col_dim, static_cast<int64_t>(cols_), extent(col_dim)});
  if (layout.numel == 0) return;
  count_ = 1;
  for (const Step& s : order_) count_ *= static_cast<size_t>((s.extent + s.size - 1) / s.size);
}

void Tiles::find(size_t tile, int64_t* index) const {
  for (size_t i = order_.size(); i-- > 0;) {
    const Step& s = order_[i];
    const size_t tiles = static_cast<size_t>((s.extent + s.size - 1) / s.size);
    index[s.dim] = static_cast<int64_t>(tile % tiles) * s.size;
    tile /= tiles;
  }
}

}  // namespace tileops::cpu
