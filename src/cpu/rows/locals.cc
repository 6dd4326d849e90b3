#include "cpu/rows/locals.h"

namespace tileops::cpu {

int Locals::of(const Value& v) {
  size_t i = 0;
  while (i < list_.size() && !(list_[i].value == v)) ++i;
  if (i == list_.size()) {
    const ValueInfo& own = info_.of(v);
    list_.push_back({v, own.level, own.level == Level::element ? ctype_size(own.type) : kLocalElement});
  }
  return static_cast<int>(i);
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

}  // namespace tileops::cpu
