// Transposed operands: the space cut into squares, which a block turns in shared memory.
#include <algorithm>
#include <cstdint>

#include "cuda/select/stages.h"

namespace tileops::cuda {
namespace {

constexpr int64_t kLeastExtent = 8;
constexpr int kLargestTile = 64, kSmallestTile = 16;

int64_t tile_bytes(int dim, int64_t element_bytes) {
  return dim * (dim + 1) * element_bytes;  // a column more, so that columns lie in different banks
}

// `values` with that of dimension `dim` as the last but one.
std::vector<Extent> moved(std::vector<Extent> values, size_t dim) {
  const Extent x = values[dim];
  values.erase(values.begin() + static_cast<long>(dim));
  values.insert(values.end() - 1, x);
  return values;
}

}  // namespace

std::optional<Traversal> tiles_of(const Operands& operands, const Layout& layout, int vec,
                                  const std::optional<Way>& way, const Tuning& tuning) {
  if (layout.cls != LayoutClass::tiled || !operands.ids.empty() || (way && way->index64)) return std::nullopt;
  for (const Operand& o : operands.direct)
    if (o.by_steps || is_packed(o.view->dtype)) return std::nullopt;
  const size_t columns = layout.extents.size() - 1, rows = static_cast<size_t>(layout.tile_dim);
  for (const Extent& e : {layout.extents[rows], layout.extents[columns]}) {
    const bool is_product = e.is_open() && e.open_number() < 0;
    if (is_product || e.typical() < kLeastExtent) return std::nullopt;
  }
  Traversal t;
  t.order = TraversalOrder::tiles;
  t.way = way;
  t.numel = way ? way->usual : int64_t{layout.numel};
  t.extents = moved(layout.extents, rows);
  int64_t element_bytes = 0;  // of all operands that are turned
  for (Operand o : operands.direct) {
    if (o.is_store && o.strides.back() != o.size) return std::nullopt;
    if (!way && span_in_bytes(o, layout.extents) >= INT32_MAX) return std::nullopt;
    if (o.pattern == AccessPattern::dense) o.pattern = AccessPattern::row;
    if (o.pattern == AccessPattern::strided && !o.is_store && o.strides[rows] == o.size) {
      o.pattern = AccessPattern::tile;
      element_bytes += o.size;
    }
    o.strides = moved(std::move(o.strides), rows);
    t.operands.direct.push_back(std::move(o));
  }
  t.tile_dim = kLargestTile;
  while (t.tile_dim > kSmallestTile && tile_bytes(t.tile_dim, element_bytes) > tuning.tile_bytes) t.tile_dim /= 2;
  if (element_bytes == 0 || tile_bytes(t.tile_dim, element_bytes) > tuning.tile_bytes) return std::nullopt;
  t.vec = std::min(vec, t.tile_dim);
  return t;
}

}  // namespace tileops::cuda
