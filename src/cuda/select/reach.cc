#include "cuda/select/reach.h"

#include <algorithm>
#include <cstdlib>

namespace tileops::cuda {
namespace {

bool is_dense(const Operand& o, const std::vector<int64_t>& extents) {
  int64_t step = o.size;
  for (size_t d = extents.size(); d-- > 0;) {
    if ((*o.strides)[d] != step) return false;
    step *= extents[d];
  }
  return true;
}

}  // namespace

void find_pairs(std::vector<Operand>* operands) {
  for (size_t i = 0; i + 1 < operands->size(); ++i) {
    Operand &a = (*operands)[i], &b = (*operands)[i + 1];
    const bool alike = a.reach == Reach::strided && b.reach == Reach::strided && a.is_store == b.is_store &&
                       a.view->kind == b.view->kind && a.view->slot == b.view->slot &&
                       a.view->dtype == b.view->dtype && *a.strides == *b.strides;
    if (!alike || a.strides->back() != 2 * a.size || b.view->offset - a.view->offset != a.size) continue;
    a.reach = Reach::even;
    b.reach = Reach::odd;
  }
}

bool is_reused(const Operand& o, const std::vector<int64_t>& extents) {
  for (size_t d = 0; d + 1 < extents.size(); ++d)
    if ((*o.strides)[d] == 0 && extents[d] > 1) return true;
  return false;
}

bool is_streamed(const Operand& o, const std::vector<int64_t>& extents) {
  return !o.is_store && o.memory() && o.reach != Reach::splat && !is_reused(o, extents);
}

Reach reach_of(const Operand& o, const Layout& layout) {
  const std::vector<int64_t>& s = *o.strides;
  if (o.view->kind == ViewKind::index) return Reach::index;
  if (o.view->gather) return Reach::gathered;
  const bool same = std::all_of(s.begin(), s.end(), [](int64_t x) { return x == 0; });
  if (!o.is_store && same && layout.numel > 1) return Reach::fixed;
  if (layout.numel == 1) return o.is_store ? Reach::dense : Reach::fixed;
  if (is_dense(o, layout.extents)) return Reach::dense;
  return s.back() == o.size ? Reach::row : s.back() == 0 ? Reach::splat : Reach::strided;
}

int wanted_vector(const std::vector<Operand>& operands, const std::vector<int64_t>& extents,
                  const Tuning& tuning, bool asked) {
  int64_t least = 16, most = 1, written = 1;
  for (const Operand& o : operands) {
    if (!o.memory() || (!o.is_store && is_reused(o, extents))) continue;
    least = std::min(least, o.size);
    most = std::max(most, o.size);
    if (o.is_store && !asked) written = std::max(written, o.size);
  }
  const int64_t wanted = std::min({tuning.least_bytes / least, tuning.most_bytes / most, tuning.written_bytes / written});
  return static_cast<int>(std::max<int64_t>(1, wanted));
}

int row_vector(const std::vector<Operand>& operands, const Layout& layout, int vector) {
  const int64_t row = layout.extents.back();
  for (; vector >= 1; vector /= 2) {
    bool fits = row % vector == 0;
    int64_t widest = 0;
    for (const Operand& o : operands) {
      if (!o.consecutive() && o.reach != Reach::even) continue;
      const int64_t access = std::min<int64_t>(16, vector * o.size * (o.reach == Reach::even ? 2 : 1));
      for (size_t d = 0; d + 1 < layout.extents.size(); ++d)
        fits = fits && (*o.strides)[d] % access == 0;
      if (o.is_store || !is_reused(o, layout.extents)) widest = std::max(widest, vector * o.size);
    }
    if (fits) return widest >= 8 ? vector : 0;
  }
  return 0;
}

int64_t reach_in_bytes(const Operand& o, const std::vector<int64_t>& extents) {
  int64_t sum = 0;
  for (size_t d = 0; d < extents.size(); ++d) {
    int64_t part;
    if (__builtin_mul_overflow(std::llabs((*o.strides)[d]), extents[d], &part) ||
        __builtin_add_overflow(sum, part, &sum))
      return INT64_MAX;
  }
  return sum;
}

bool make_tiles(std::vector<Operand>* operands, Layout* layout, std::vector<std::vector<int64_t>>* strides,
                const Tuning& tuning, int* vector, int* edge) {
  const size_t dims = layout->extents.size(), last = dims - 1;
  const size_t row = static_cast<size_t>(layout->tile_dim);
  if (layout->cls != LayoutClass::tiled || layout->extents[row] < 8 || layout->extents[last] < 8)
    return false;
  const auto move_last = [&](std::vector<int64_t>* v) {
    const int64_t x = (*v)[row];
    v->erase(v->begin() + static_cast<long>(row));
    v->insert(v->end() - 1, x);
  };
  for (const Operand& o : *operands) {
    if (o.reach == Reach::gathered || (o.is_store && o.strides->back() != o.size)) return false;
    if (reach_in_bytes(o, layout->extents) >= INT32_MAX) return false;
  }
  int64_t line_bytes = 0;
  for (Operand& o : *operands) {
    const std::vector<int64_t>& s = *o.strides;
    if (o.reach == Reach::dense) o.reach = Reach::row;
    if (o.reach != Reach::strided || o.is_store || s[row] != o.size) continue;
    o.reach = Reach::tile;
    line_bytes += o.size;
  }
  *edge = 64;
  while (*edge > 16 && *edge * (*edge + 1) * line_bytes > tuning.tile_bytes) *edge /= 2;
  if (line_bytes == 0 || *edge * (*edge + 1) * line_bytes > tuning.tile_bytes) return false;
  *vector = std::min(*vector, *edge);
  strides->clear();
  for (const Operand& o : *operands) strides->push_back(*o.strides);
  for (size_t i = 0; i < operands->size(); ++i) {
    move_last(&(*strides)[i]);
    (*operands)[i].strides = &(*strides)[i];
  }
  move_last(&layout->extents);
  return true;
}

}  // namespace tileops::cuda
