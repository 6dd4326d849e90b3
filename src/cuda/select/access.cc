// The operands of a pass and how each is reached.
#include <algorithm>
#include <cstdlib>

#include "cuda/select/stages.h"

namespace tileops::cuda {
namespace {

bool is_dense(const Operand& o, const std::vector<Extent>& extents) {
  Extent step = o.size;
  for (size_t d = extents.size(); d-- > 0;) {
    if (o.strides[d] != step) return false;
    if (d > 0) step *= extents[d];
  }
  return true;
}

// Is it the same along the innermost dimension?
bool is_same_in_rows(const Pass& pass, const Layout& layout, const Value& v) {
  const size_t i = static_cast<size_t>(v.index);
  const auto all_same = [&](const auto& list, const auto& value) {
    return std::all_of(list.begin(), list.end(),
                       [&](const auto& x) { return is_same_in_rows(pass, layout, value(x)); });
  };
  if (v.kind == Value::Kind::load)
    return layout.loads[i].back() == 0 && all_same(pass.loads[i].indices, [](const View::Index& x) { return x.value; });
  const Step& step = pass.steps[i];
  if (step.scans) return false;
  return step.reduces() || all_same(step.arguments, [](const Value& x) { return x; });
}

AccessPattern pattern_of(const Operand& o, const Layout& layout, bool same_index) {
  const std::vector<Extent>& s = o.strides;
  if (o.view->kind == ViewKind::index) return AccessPattern::index;
  if (o.by_steps) return s.back() == o.size && same_index ? AccessPattern::gathered_row : AccessPattern::gathered;
  if (!o.view->indices.empty()) return AccessPattern::gathered;
  const bool same = std::all_of(s.begin(), s.end(), [](const Extent& x) { return x == 0; });
  const bool brought = o.view->kind == ViewKind::number || o.view->kind == ViewKind::constant;
  if (!o.is_store && (same || layout.numel == 1)) return brought ? AccessPattern::immediate : AccessPattern::uniform;
  if (layout.numel == 1 || is_dense(o, layout.extents)) return AccessPattern::dense;
  return s.back() == o.size ? AccessPattern::row : s.back() == 0 ? AccessPattern::broadcast : AccessPattern::strided;
}

}  // namespace

Operands operands_of(const Pass& pass, const Layout& layout) {
  Operands operands;
  const auto operand = [&](const View& v, bool is_store, const std::vector<Extent>& strides) {
    return Operand{&v, is_store, static_cast<int64_t>(dtype_size(v.dtype)), strides, AccessPattern::strided};
  };
  const auto add = [&](Operand o) {
    bool same_index = true;
    for (const View::Index& index : o.view->indices) {
      o.by_steps = index.value.kind == Value::Kind::step;
      same_index = same_index && is_same_in_rows(pass, layout, index.value);
    }
    o.pattern = pattern_of(o, layout, same_index);
    operands.direct.push_back(std::move(o));
  };
  const size_t ids = ids_begin(pass);
  for (size_t i = 0; i < ids; ++i) {
    Operand o = operand(pass.loads[i], false, layout.loads[i]);
    for (const View::Index& index : pass.loads[i].indices)
      if (index.value.kind == Value::Kind::load) o.ids = index.value.index - static_cast<int>(ids);
    add(std::move(o));
  }
  for (size_t k = 0; k < pass.stores.size(); ++k) add(operand(pass.stores[k], true, layout.stores[k]));
  for (size_t i = ids; i < pass.loads.size(); ++i)
    operands.ids.push_back(operand(pass.loads[i], false, layout.loads[i]));
  return operands;
}

bool stores_packed(const std::vector<Operand>& operands) {
  return std::any_of(operands.begin(), operands.end(), [](const Operand& o) { return o.is_packed_store(); });
}

std::vector<Operand> with_pairs(std::vector<Operand> operands) {
  for (size_t i = 0; i + 1 < operands.size(); ++i) {
    Operand &a = operands[i], &b = operands[i + 1];
    const bool alike = a.pattern == AccessPattern::strided && b.pattern == AccessPattern::strided &&
                       a.is_store == b.is_store && a.view->kind == b.view->kind && a.view->slot == b.view->slot &&
                       a.view->dtype == b.view->dtype && a.view->fp8 == b.view->fp8 && a.strides == b.strides;
    if (!alike || a.strides.back() != 2 * a.size || b.view->offset - a.view->offset != a.size) continue;
    a.pattern = AccessPattern::even;
    b.pattern = AccessPattern::odd;
  }
  return operands;
}

std::vector<bool> in_one_piece(const Operands& operands) {
  std::vector<bool> list;
  for (const Operand& o : operands.direct) list.push_back(o.pattern == AccessPattern::gathered_row);
  return list;
}

bool is_reused(const Operand& o, const std::vector<Extent>& extents) {
  if (o.by_steps) return false;
  for (size_t d = 0; d + 1 < extents.size(); ++d)
    if (o.strides[d] == 0 && extents[d].typical() > 1) return true;
  return false;
}

bool is_streamed(const Operand& o, const std::vector<Extent>& extents) {
  return !o.is_store && o.in_memory() && o.pattern != AccessPattern::broadcast && !is_reused(o, extents);
}

int64_t span_in_bytes(const Operand& o, const std::vector<Extent>& extents) {
  int64_t sum = 0;
  for (size_t d = 0; d < extents.size(); ++d) {
    int64_t part;
    if (__builtin_mul_overflow(std::llabs(o.strides[d]), int64_t{extents[d]}, &part) ||
        __builtin_add_overflow(sum, part, &sum))
      return INT64_MAX;
  }
  return sum;
}

}  // namespace tileops::cuda
