#include "cpu/rows/locals.h"

namespace tileops::cpu {

int Locals::of(const Value& v) {
  const auto [at, is_new] = numbers_.emplace(std::make_pair(v.index, v.result), static_cast<int>(list_.size()));
  if (is_new) {
    const ValueInfo& own = info_.of(v);
    list_.push_back({own.level, own.level == Level::element ? ctype_size(own.type) : kLocalElement});
  }
  return at->second;
}

View Locals::view(const Value& v, size_t dims) {
  const int number = of(v);
  const Local& local = list_[static_cast<size_t>(number)];
  const size_t outer = layout_.outer();
  View view;
  view.kind = ViewKind::temporary;
  view.slot = number + 1;
  view.dtype = ctype_dtype(info_.of(v).type);
  view.strides.assign(dims, 0);
  int64_t step = static_cast<int64_t>(local.element);
  if (local.level == Level::element)
    for (size_t d = dims; d-- > outer;) view.strides[d] = step, step *= layout_.extents[d];
  view.strides[local.level == Level::group ? outer : outer - 1] = step;
  return view;
}

std::vector<Value> Locals::of(Level level, int stage) const {
  std::vector<Value> list;
  for (const auto& [key, number] : numbers_) {
    const Value v = step_value(static_cast<size_t>(key.first), static_cast<size_t>(key.second));
    if (info_.of(v).level == level && info_.of(v).stage == stage) list.push_back(v);
  }
  return list;
}

}  // namespace tileops::cpu
