#include "cuda/select/rows/shape.h"

#include <algorithm>

#include "base/error.h"
#include "cuda/spec/rows/sums.h"
#include "cuda/steps/computation.h"
#include "problem/rows/gate.h"

namespace tileops::cuda {
namespace {

Extent product(const std::vector<Extent>& extents, size_t first, size_t last) {
  Extent n = 1;
  for (size_t d = first; d < last; ++d) n *= extents[d];
  return n;
}

std::vector<Level> levels_of(const Pass& pass, const PassInfo& info) {
  std::vector<Level> levels;
  for (size_t i = 0; i < pass.loads.size(); ++i) levels.push_back(info.of(load_value(i)).level);
  for (size_t k = 0; k < pass.stores.size(); ++k) levels.push_back(level_of_stored(pass, info, k));
  return levels;
}

AccessPattern pattern_in_rows(const Operand& o, Level level) {
  if (o.pattern == AccessPattern::index || o.is_one_element() || o.by_steps) return o.pattern;
  if (level != Level::element) return AccessPattern::strided;
  const Extent& step = o.strides.back();
  return step == o.size ? AccessPattern::row : step == 0 ? AccessPattern::broadcast : AccessPattern::strided;
}

Operands operands_in_rows(const Pass& pass, const Layout& layout, const std::vector<Level>& levels) {
  Operands operands = operands_of(pass, layout);
  for (size_t i = 0; i < operands.direct.size(); ++i) {
    Operand& o = operands.direct[i];
    o.pattern = pattern_in_rows(o, levels[i]);
    if (!o.view->sum_of_blocks) continue;  // kernels/rows/sums_of_blocks.h
    o.pattern = AccessPattern::strided;
    o.strides[layout.outer() - 1] = o.view->sum_of_blocks->chunk;
  }
  return operands;
}

const Pass& possible(const Problem& problem, const Pass& pass) {
  require_plain_views(problem, pass);
  return pass;
}

}  // namespace

RowShape::RowShape(const Problem& of, const Pass& of_pass, const PassInfo& of_values, const std::optional<Way>& of_way)
    : problem(of),
      pass(possible(of, of_pass)),
      info(of_values),
      layout(row_layout(pass)),
      levels(levels_of(pass, info)),
      operands(operands_in_rows(pass, layout, levels)),
      way(of_way),
      blocks(way ? way->usual : int64_t{product(layout.extents, 0, outer())}),
      groups(product(layout.extents, outer(), inner_dim())),
      inner(product(layout.extents, inner_dim(), layout.extents.size())),
      stages_of_load_(stages_of_loads(pass, needs_of_elements(pass, info, scans_of(pass)))) {
  if (layout.short_group.limit && layout.short_group.within < outer())
    unsupported("op: %s has elements of a short group outside of its rows", problem.name.c_str());
}

bool RowShape::is_element(size_t i) const {
  const Operand& o = operand(i);
  if (is_sum_of_blocks(i)) return false;
  const bool is_read = o.is_store || !o.by_steps || is_gathered_in_blocks(pass, info, i);
  return levels[i] == Level::element && o.in_memory() && is_read;
}

int64_t RowShape::load_bytes(bool all) const {
  int64_t bytes = 0;
  for (size_t i = 0; i < pass.loads.size(); ++i)
    if (is_element(i) && (all || is_there_early(i))) bytes += operand(i).size;
  return bytes;
}

bool RowShape::puts_elements() const {
  const auto stores = levels.begin() + static_cast<ptrdiff_t>(pass.loads.size());
  return std::find(stores, levels.end(), Level::element) != levels.end();
}

int64_t RowShape::node_bytes() const {
  int64_t bytes = 0;
  for (int stage = 0; stage + 1 < info.stages(); ++stage)
    bytes += state_bytes(pass, reductions_behind(pass, info, stage, Level::block));
  return bytes;
}

int64_t RowShape::scanned_bytes() const {
  int64_t bytes = 0;
  for (int stage = 0; stage + 1 < info.stages(); ++stage) bytes += state_bytes(pass, scans_behind(pass, info, stage));
  return bytes;
}

bool RowShape::has_short_rows(int64_t vec, const ChooseOptions& options, const Tuning& tuning) const {
  int64_t widest = 0;
  for (size_t i = 0; i < pass.loads.size(); ++i)
    if (is_element(i)) widest = std::max(widest, operand(i).size);
  const bool are_plain = !has_open_blocks() && layout.group_rank == 0 && !pass.split_elements && !sums_blocks(pass) &&
                         !has_scans(pass) && !is_in_columns(pass);
  return are_plain && options.hint.strategy == TILEOPS_STRATEGY_AUTO && inner <= tuning.short_row &&
         (vec == 1 || inner * widest <= tuning.short_row_bytes) &&
         blocks >= int64_t{tuning.threads} * options.multiprocessors;
}

bool RowShape::has_packs_within(int64_t vec) const {
  const std::vector<Extent>& e = layout.extents;
  const bool is_long = inner.is_open() || inner >= vec;
  return is_long && (e.size() - inner_dim() == 1 || e.back().divisor() % vec == 0);
}

bool RowShape::has_aligned_packs(int64_t vec) const {
  const std::vector<Extent>& e = layout.extents;
  for (size_t i = 0; i < num_operands(); ++i) {
    const Operand& o = operand(i);
    if (!is_element(i) || o.pattern != AccessPattern::row) continue;
    const int64_t access = std::min(kWidestAccess, vec * o.size);
    for (size_t d = 0; d + 1 < e.size(); ++d)
      if (e[d].typical() > 1 && o.strides[d].divisor() % access != 0) return false;
  }
  return true;
}

bool RowShape::gathers_along(size_t d, size_t i) const {
  const Operand& o = operand(i);
  if (o.is_store || o.view->indices.empty() || levels[i] != Level::element || is_packed(o.view->dtype) ||
      o.strides[d] != o.size)
    return false;
  for (const View::Index& index : o.view->indices)
    for (const size_t load : made_of(pass, index.value).loads)
      if (layout.loads[load][d] != 0) return false;
  return true;
}

bool RowShape::lies_in_columns() const {
  const Pass::ShortGroup& cut = layout.short_group;
  for (size_t i = 0; i < num_operands(); ++i) {
    const bool is_of_block = !operand(i).is_store && levels[i] == Level::block;
    if (!operand(i).view->indices.empty() && !is_of_block && !gathers_along(outer() - 1, i)) return false;
  }
  if (sums_blocks(pass) || pass.split_elements || layout.group_rank > 0 || layout.extents[outer() - 1] == 1 ||
      (cut.limit && cut.group == outer() - 1))
    return false;
  return stores_columns_in_packs() || lies_along(outer() - 1);
}

bool RowShape::lies_along(size_t d) const {
  int64_t across = 0;
  for (size_t i = 0; i < num_operands(); ++i) {
    const Operand& o = operand(i);
    const bool reused = !o.is_store && !pass.split_elements && is_reused(o, layout.extents);
    if ((!is_element(i) && !gathers_along(d, i)) || reused) continue;
    if (o.strides[d] == o.size) across += o.size;
    if (o.pattern == AccessPattern::row) across -= o.size;
  }
  return across > 0;
}

int64_t RowShape::blocks_beside() const {
  const size_t numbers = pass.split_elements ? 2 : 1;  // the last dimension numbers parts
  if (outer() < numbers || layout.group_rank > 0 || layout.short_group.limit || sums_blocks(pass)) return 1;
  const Extent& n = layout.extents[outer() - numbers];
  return n.is_open() || !lies_along(outer() - numbers) ? 1 : int64_t{n};
}

bool RowShape::stores_columns_in_packs() const {
  return std::any_of(operands.direct.begin(), operands.direct.end(),
                     [&](const Operand& o) { return o.is_packed_store() && column_stride(o) == o.size; });
}

bool RowShape::is_wide() const {
  std::vector<Extent> extents(layout.extents);
  std::fill(extents.begin(), extents.begin() + static_cast<ptrdiff_t>(outer()), 1);
  return std::any_of(operands.direct.begin(), operands.direct.end(),
                     [&](const Operand& o) { return span_in_bytes(o, extents) >= INT32_MAX; });
}

}  // namespace tileops::cuda
