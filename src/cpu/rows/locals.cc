#include "cpu/rows/locals.h"

namespace tileops::cpu {

int Locals::of(const Value& v) {
  size_t i = 0;
  while (i < list_.size() && !(list_[i].value == v)) ++i;
  if (i == list_.size()) {
    list_.push_back({v, info_.of(v).level, element_of(v)});
  }
  return static_cast<int>(i);
}

size_t Locals::element_of(const Value& v) const {
  const ValueInfo& own = info_.of(v);
  if (own.level == Level::element) return ctype_size(own.type);
  return own.type == Ctype::f32 ? sizeof(float) : kLocalElement;
}

View Locals::view(const Value& v, size_t dims) {
  const int number = of(v);
  const Local& local = list_[static_cast<size_t>(number)];
  const size_t outer = layout_.outer();
  View view;
  view.kind = ViewKind::temporary;
  view.slot = slot_of_local(number);
  view.dtype = ctype_dtype(info_.of(v).type);
  view.strides.assign(dims, 0);
  int64_t step = static_cast<int64_t>(local.element);
  if (local.level == Level::element)
    for (size_t d = dims; d-- > outer;) view.strides[d] = step, step *= layout_.extents[d];
  view.strides[local.level == Level::group ? outer : outer - 1] = step;
  if (joins_matrices_) view.strides[outer - 2] = step * layout_.extents[outer - 1];
  return view;
}

}  // namespace tileops::cpu
