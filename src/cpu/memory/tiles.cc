#include "cpu/memory/tiles.h"

namespace tileops::cpu {

Tiles::Tiles(const Layout& layout, int row_dim, size_t room, Sizes* sizes) : row_dim_(row_dim) {
  const int dims = static_cast<int>(layout.extents.size()), col_dim = dims - 1;
  const size_t extents = sizes->add(layout.extents);
  const auto extent = [&](int d) { return layout.extents[static_cast<size_t>(d)]; };
  // At most so many of an extent, at least one.
  const auto some = [&](int d, size_t most) {
    return std::max<size_t>(extent(d).is_open() ? most : std::min(static_cast<size_t>(extent(d)), most), 1);
  };
  // Beside a transposed operand a block is 16 rows of 64 elements. Of f32 that takes whole cache lines of the
  // transposed operand, which run down the rows, and longer pieces of the other operands than a square tile does. (add
  // of 16 Mi f32 on two cores of a Zen 5, November 2026: 10.2 ms, with 32 rows of 32 elements 12.8.)
  cols_ = some(col_dim, layout.cls == LayoutClass::tiled ? 64 : room);
  if (row_dim >= 0) rows_ = some(row_dim, std::max<size_t>(room / cols_, 1));
  if (extent(col_dim) == cols_) {
    if (row_dim >= 0 && static_cast<int64_t>(rows_) < extent(row_dim).typical()) next_dim_ = row_dim;
    for (int d = col_dim - 1; d >= 0 && next_dim_ < 0; --d)
      if (d != row_dim && extent(d).typical() > 1) next_dim_ = d;
  }
  const auto add = [&](int d, size_t size) {
    order_.push_back({d, static_cast<int64_t>(size), extents + static_cast<size_t>(d)});
  };
  for (int d = 0; d < col_dim; ++d)
    if (d != row_dim) add(d, 1);
  if (row_dim >= 0) add(row_dim, rows_);
  add(col_dim, cols_);
  is_open_ = std::any_of(layout.extents.begin(), layout.extents.end(), [](const Extent& e) { return e.is_open(); });
  if (!is_open_) planned_count_ = count(sizes->numbers());
}

size_t Tiles::count(const int64_t* sizes) const {
  size_t count = 1;
  for (const Step& s : order_)
    if (sizes[s.extent_at] == 0) return 0;  // the product of the others may be anything
  for (const Step& s : order_) count *= s.tiles(sizes);
  return count;
}

void Tiles::find(const int64_t* sizes, size_t tile, int64_t* index) const {
  for (size_t i = order_.size(); i-- > 0;) {
    const Step& s = order_[i];
    const size_t tiles = s.tiles(sizes);
    index[s.dim] = static_cast<int64_t>(tile % tiles) * s.size;
    tile /= tiles;
  }
}

}  // namespace tileops::cpu
