#include "problem/packed.h"

#include <algorithm>

#include "base/error.h"

namespace tileops {
namespace {

bool is_last(int ndim, int d) { return d + 1 == ndim; }

// Is the value another one along that extent?
bool changes_along(const Pass& pass, const Value& v, size_t dim) {
  const size_t i = static_cast<size_t>(v.index);
  const auto any = [&](const auto& list, const auto& value) {
    return std::any_of(list.begin(), list.end(), [&](const auto& x) { return changes_along(pass, value(x), dim); });
  };
  if (v.kind == Value::Kind::load)
    return pass.loads[i].strides[dim] != 0 || any(pass.loads[i].indices, [](const View::Index& x) { return x.value; });
  if (pass.steps[i].reduces() && dim + pass.steps[i].rank >= pass.extents.size()) return false;
  return any(pass.steps[i].arguments, [](const Value& x) { return x; });
}

// Why the elements of a byte are not written together; NULL: they are.
const char* fault_of(const Pass& pass, const View& store) {
  const int along = packed_dim(pass.extents, store.strides);
  if (along < 0) return "every element lies beside others, as in interleave";
  const size_t dim = static_cast<size_t>(along);
  if (pass.extents[dim] % 2 || store.offset % 2) return "of a concat each value must have an even last dimension";
  for (size_t d = 0; d < pass.extents.size(); ++d)
    if (d != dim && pass.extents[d] > 1 && store.strides[d] % 2)
      return "groups along the last axis must have an even number of elements";
  if (pass.short_group.limit && pass.short_group.group == dim) return "the last of its groups is short: not yet";
  for (const View::Index& index : store.indices)
    if (index.stride % 2 || changes_along(pass, index.value, dim))
      return "an index of a scatter must be along another axis than the last, and the same along that, as a mask of "
             "store_if must be";
  return nullptr;
}

}  // namespace

bool elements_of_extent(DLDataType dtype, int ndim, const int64_t* shape, int d, int64_t* extent) {
  *extent = shape[d];
  return dtype.lanes == 1 || !is_last(ndim, d) || !__builtin_mul_overflow(shape[d], int64_t{dtype.lanes}, extent);
}

bool elements_of_stride(DLDataType dtype, int ndim, const int64_t* shape, const int64_t* strides, int d,
                        int64_t* stride) {
  *stride = strides[d];
  if (dtype.lanes == 1) return true;
  if (is_last(ndim, d) && (shape[d] == 1 || strides[d] == 1)) return *stride = 1, true;
  return !__builtin_mul_overflow(strides[d], int64_t{dtype.lanes}, stride);
}

void require_whole_bytes(const TensorSpec& t, const char* what) {
  if (!is_packed(t.dtype) || t.is_open() || t.numel() == 0) return;
  const char* name = dtype_name(t.dtype);
  if (t.ndim == 0)
    invalid("%s: %s needs at least one dimension, since two elements share a byte (got 0-d)", what, name);
  const int last = t.ndim - 1;
  if (t.shape[last] % 2)
    invalid("%s: the last dimension of %s must be even, since two elements share a byte (got shape %s)", what, name,
            shape_text(t.shape, t.ndim).c_str());
  if (t.strides[last] != 1)
    invalid("%s: the last stride of %s must be 1, since two elements share a byte (got strides %s)", what, name,
            shape_text(t.strides, t.ndim).c_str());
  for (int d = 0; d < last; ++d)
    if (t.strides[d] % 2)
      invalid("%s: strides[%d] of %s must be even, since two elements share a byte (got strides %s)", what, d, name,
              shape_text(t.strides, t.ndim).c_str());
}

void require_whole_bytes(const Pass& pass) {
  if (std::count(pass.extents.begin(), pass.extents.end(), 0)) return;
  for (const View& store : pass.stores)
    if (const char* fault = is_packed(store.dtype) ? fault_of(pass, store) : nullptr)
      unsupported("outputs[%d]: two elements of %s share a byte, and are written together: %s", store.slot,
                  dtype_name(store.dtype), fault);
}

int packed_dim(const std::vector<Extent>& extents, const std::vector<Extent>& strides) {
  for (size_t d = extents.size(); d-- > 0;)
    if (extents[d] > 1 && strides[d] == 1) return static_cast<int>(d);
  return -1;
}

}  // namespace tileops
