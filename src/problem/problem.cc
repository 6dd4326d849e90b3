#include "problem/problem.h"

#include <algorithm>

namespace tileops {

Extent TensorSpec::numel() const {
  for (int d = 0; d < ndim; ++d)
    if (shape[d] == 0) return 0;  // first: the other extents alone may overflow
  Extent n = 1;
  for (int d = 0; d < ndim; ++d) n *= shape[d];
  return n;
}

bool TensorSpec::is_open() const {
  return std::any_of(shape, shape + ndim, [](const Extent& n) { return n.is_open(); });
}

TensorSpec TensorSpec::at(const int64_t* extents) const {
  TensorSpec t = *this;
  for (int d = 0; d < ndim; ++d) {
    t.shape[d] = shape[d].at(extents);
    t.strides[d] = strides[d].at(extents);
  }
  return t;
}

size_t ids_begin(const Pass& pass) {
  size_t n = pass.loads.size();
  for (const View& v : pass.loads)
    for (const View::Index& i : v.indices)
      if (i.value.kind == Value::Kind::load) n = std::min(n, static_cast<size_t>(i.value.index));
  return n;
}

size_t place_temporaries(const std::vector<Extent>& sizes, const int64_t* extents, int64_t* offsets) {
  int64_t end = 0;
  for (size_t k = 0; k < sizes.size(); ++k) {
    constexpr int64_t unit = static_cast<int64_t>(kWorkspaceAlignment);
    offsets[k] = end;
    end += (sizes[k].at(extents) + unit - 1) / unit * unit;
  }
  return static_cast<size_t>(end);
}

}  // namespace tileops
