#include "cpu/rows/columns.h"

#include <algorithm>

#include "problem/packed.h"
#include "problem/rows/stages.h"

namespace tileops::cpu {
namespace {

// Has each reduction a kernel for columns side by side (cpu/isa/reduce.cc)?
bool has_kernels(const Pass& pass) {
  return std::all_of(pass.steps.begin(), pass.steps.end(), [](const Step& step) {
    if (step.scans) return step.in_columns || !depends_on_order(step);
    switch (step.reduction) {
      case Reduction::none:
      case Reduction::first:
      case Reduction::amax:
      case Reduction::amin:
      case Reduction::sum:
      case Reduction::sum_wide:
      case Reduction::sum_pair:
      case Reduction::squares_pair:
      case Reduction::sum_of_pairs:
      case Reduction::sum_of_pairs_wide:
      case Reduction::prod:
      case Reduction::sum_high:
      case Reduction::sum_low:
      case Reduction::variance:
      case Reduction::log_sum_exp:
      case Reduction::log_sum_exp_above:
      case Reduction::log_sum_exp_pair:
      case Reduction::log_sum_exp_of_pairs: return true;
      default: return false;
    }
  });
}

// Four to seven columns pay where a tile has those of several matrices, or where sums have an order: extremes are as
// fast from row to row, and scans of few columns go element by element. (A core of a Xeon, family 6 model 167, December
// 2026: sum of the columns of 3000 x 70 x 6 bf16 0.38 ms, as rows 1.98; amax of those of 400000 x 4 bf16 2.3 ms,
// as rows 0.74.)
bool suits_few_columns(const Pass& pass, const Layout& layout) {
  const auto has_order = [](const Step& step) { return !step.reduces() || depends_on_order(step); };
  return !has_scans(pass) &&
         (joins_matrices(pass, layout) || std::all_of(pass.steps.begin(), pass.steps.end(), has_order));
}

// Are more operands and results dense along the last extent outside of the block than along the block's last one?
bool lies_in_columns(const Pass& pass, const Layout& layout) {
  constexpr int64_t kFewest = 4, kMany = 8;
  const size_t last = layout.extents.size() - 1, column = layout.outer() - 1;
  if (layout.group_rank > 0) return false;
  if (layout.short_group.limit && layout.short_group.group == column) return false;
  if (packs_blocks(pass, layout)) return true;
  const int64_t all = layout.extents[column].typical();
  if (all < kFewest || (all < kMany && !suits_few_columns(pass, layout))) return false;
  int columns = 0, rows = 0;
  const auto count = [&](const View& v, const std::vector<Extent>& strides) {
    const int64_t size = static_cast<int64_t>(dtype_size(v.dtype));
    if (v.kind == ViewKind::index || v.kind == ViewKind::number || v.kind == ViewKind::constant) return;
    const bool is_same = strides[last] == 0 || strides[column] == 0;  // for all elements of a block, or for all blocks
    if (is_same && v.indices.empty()) return;
    columns += strides[column] == size;
    rows += strides[last] == size;
  };
  for (size_t i = 0; i < pass.loads.size(); ++i) count(pass.loads[i], layout.loads[i]);
  for (size_t k = 0; k < pass.stores.size(); ++k) count(pass.stores[k], layout.stores[k]);
  return columns > rows;
}

}  // namespace

bool packs_blocks(const Pass& pass, const Layout& layout) {
  const int column = static_cast<int>(layout.outer()) - 1;
  for (size_t k = 0; k < pass.stores.size(); ++k)
    if (is_packed(pass.stores[k].dtype) && packed_dim(layout.extents, layout.stores[k]) == column) return true;
  return false;
}

bool joins_matrices(const Pass& pass, const Layout& layout) {
  constexpr int64_t kFew = 1024;
  if (layout.outer() < 2 || layout.short_group.limit || packs_blocks(pass, layout) || has_scans(pass)) return false;
  int64_t elements = 1;
  for (size_t d = layout.outer() - 1; d < layout.extents.size(); ++d) {
    const Extent& n = layout.extents[d];
    if (n.is_open() || n < 1 || int64_t{n} > kFew) return false;
    elements *= n;
    if (elements > kFew) return false;
  }
  return true;
}

bool goes_by_columns(const Pass& pass, const Layout& layout) {
  return !sums_blocks(pass) && !pass.split_elements && has_kernels(pass) && lies_in_columns(pass, layout);
}

}  // namespace tileops::cpu
