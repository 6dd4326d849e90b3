#include "move.h"

#include <limits>

namespace rowtest {
namespace {

void Copy(const Tensor& from, size_t at, Tensor* to, size_t i) {
  to->values[i] = from.values[at];
  to->errors[i] = from.errors[at];
}

// Axis d of a result of `rank` axes, counted from the end as `axes` has it.
bool Has(uint64_t axes, size_t d, size_t rank) { return axes >> (rank - 1 - d) & 1; }

// Moves an index along the axes to where the indices say; false if that is outside of `extents`, aligned at the end.
bool Follow(const std::vector<Tensor>& indices, uint64_t axes, const Shape& shape, const Shape& extents, Index* index) {
  const Index from = *index;
  const size_t rank = shape.size();
  size_t k = 0;
  for (size_t d = 0; d < rank; ++d) {
    if (!Has(axes, d, rank) || k == indices.size()) continue;
    const Real at = indices[k].values[BroadcastAt(indices[k].shape, from, rank)];
    ++k;
    const size_t missing = rank - extents.size();
    if (d < missing || at < 0 || at >= static_cast<Real>(extents[d - missing])) return false;
    (*index)[d] = static_cast<int64_t>(at);
  }
  return true;
}

}  // namespace

Tensor Spread(const Tensor& s, const Shape& shape, const RowAttrs& attrs) {
  Tensor y = Empty(s.dtype, shape);
  const std::vector<int64_t> sizes = GroupSizes(shape, attrs);
  ForEach(shape, [&](Index index, size_t i) {
    if (attrs.group != 0)
      for (size_t d = 0; d < shape.size(); ++d) index[d] /= sizes[d];
    Copy(s, BroadcastAt(s.shape, index, shape.size()), &y, i);
  });
  return y;
}

Tensor SumTo(const Tensor& x, const Shape& shape, Dtype dtype, Sum sum) {
  const size_t more = x.shape.size() - shape.size();
  RowAttrs attrs;
  attrs.axes = 0;
  for (size_t d = 0; d < x.shape.size(); ++d)
    if (d < more || (shape[d - more] == 1 && x.shape[d] != 1)) attrs.axes |= uint64_t{1} << (x.shape.size() - 1 - d);
  Tensor y = x;
  if (attrs.axes != 0) y = Reduce("sum", x, attrs, dtype, sum);
  y.shape = shape;
  y.dtype = dtype;
  return y;
}

Tensor Chunk(const Tensor& x, int64_t i, int64_t n) {
  Shape shape = x.shape;
  shape.back() /= n;
  Tensor y = Empty(x.dtype, shape);
  ForEach(shape, [&](Index index, size_t at) {
    index[shape.size() - 1] += i * shape.back();
    Copy(x, At(x.shape, index), &y, at);
  });
  return y;
}

Tensor Every(const Tensor& x, int64_t i, int64_t n) {
  Shape shape = x.shape;
  shape.back() /= n;
  Tensor y = Empty(x.dtype, shape);
  ForEach(shape, [&](Index index, size_t at) {
    index[shape.size() - 1] = index[shape.size() - 1] * n + i;
    Copy(x, At(x.shape, index), &y, at);
  });
  return y;
}

Tensor Joined(const std::vector<Tensor>& values, const Shape& shape, Dtype dtype, bool in_turns) {
  Tensor y = Empty(dtype, shape);
  const int64_t n = static_cast<int64_t>(values.size()), part = shape.back() / n;
  ForEach(shape, [&](Index index, size_t at) {
    int64_t& last = index[shape.size() - 1];
    const Tensor& from = values[static_cast<size_t>(in_turns ? last % n : last / part)];
    last = in_turns ? last / n : last % part;
    Copy(from, BroadcastAt(from.shape, index, shape.size()), &y, at);
  });
  return y;
}

Tensor Gather(const Tensor& t, const std::vector<Tensor>& indices, uint64_t axes, const Shape& shape) {
  Tensor y = Empty(t.dtype, shape);
  ForEach(shape, [&](Index index, size_t i) {
    bool unsure = false;
    for (const Tensor& k : indices) unsure |= k.errors[BroadcastAt(k.shape, index, shape.size())] > 0;
    if (!Follow(indices, axes, shape, t.shape, &index)) {
      y.values[i] = t.is_float() ? std::numeric_limits<Real>::quiet_NaN() : 0;
      if (unsure) y.errors[i] = std::numeric_limits<Real>::infinity();
      return;
    }
    int64_t at = 0;
    const size_t more = shape.size() - t.shape.size();
    for (size_t d = 0; d < t.shape.size(); ++d)  // an axis of 1 is broadcast, or the index there is 0
      at = at * t.shape[d] + (t.shape[d] == 1 ? 0 : index[d + more]);
    Copy(t, static_cast<size_t>(at), &y, i);
    if (unsure) y.errors[i] = std::numeric_limits<Real>::infinity();
  });
  return y;
}

namespace {

// Calls put(from, to) for each element that is scattered to a place inside.
template <class F>
void EachScattered(const Tensor& out, const Tensor& v, const std::vector<Tensor>& indices, uint64_t axes,
                   const Shape& shape, const F& put) {
  ForEach(shape, [&](Index index, size_t) {
    const Index from = index;
    if (!Follow(indices, axes, shape, out.shape, &index)) return;
    put(BroadcastAt(v.shape, from, shape.size()), At(out.shape, index));
  });
}

}  // namespace

void ScatterInto(Tensor* out, const Tensor& v, const std::vector<Tensor>& indices, uint64_t axes, const Shape& shape) {
  EachScattered(*out, v, indices, axes, shape, [&](size_t from, size_t to) { Copy(v, from, out, to); });
}

void AddInto(Tensor* out, const Tensor& v, const std::vector<Tensor>& indices, uint64_t axes, const Shape& shape) {
  EachScattered(*out, v, indices, axes, shape, [&](size_t from, size_t to) {
    out->values[to] = Wrapped(out->dtype, static_cast<Wide>(out->values[to]) + static_cast<Wide>(v.values[from]));
  });
}

Tensor Tiled(const Tensor& s, int64_t rows) {
  const size_t rank = s.shape.size();
  const int64_t height = s.shape[rank - 2], width = s.shape[rank - 1];
  Shape shape(s.shape.begin(), s.shape.end() - 2);
  shape.push_back((height + rows - 1) / rows);
  shape.push_back((width + 3) / 4);
  if (rows == 128) shape.insert(shape.end(), {32, 4, 4});
  else shape.insert(shape.end(), {8, 4});
  Tensor y = Empty(s.dtype, shape);
  ForEach(shape, [&](const Index& index, size_t i) {
    const size_t tile = rank - 2;  // where the tile's number stands
    const int64_t* in = &index[tile + 2];
    Index at = index;
    at[tile] = index[tile] * rows + (rows == 128 ? 32 * in[1] + in[0] : in[0]);
    at[tile + 1] = index[tile + 1] * 4 + (rows == 128 ? in[2] : in[1]);
    if (at[tile] < height && at[tile + 1] < width) Copy(s, At(s.shape, at), &y, i);
  });
  return y;
}

}  // namespace rowtest
