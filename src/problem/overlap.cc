#include "problem/overlap.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace tileops {
namespace {

struct Dim {
  int64_t stride, extent;  // stride > 0
};

// Dims that matter, by falling stride.
int sorted_dims(const TensorSpec& t, int64_t unit, Dim* dims) {
  int n = 0;
  for (int d = 0; d < t.ndim; ++d)
    if (t.shape[d] > 1) dims[n++] = {std::llabs(t.strides[d]) * unit, t.shape[d]};
  std::sort(dims, dims + n, [](const Dim& a, const Dim& b) { return a.stride > b.stride; });
  return n;
}

}  // namespace

bool self_overlaps(const TensorSpec& t) {
  const int64_t numel = t.numel();
  if (numel <= 1) return false;
  Dim dims[TILEOPS_MAX_NDIM];
  const int n = sorted_dims(t, 1, dims);
  int64_t reach = 0;  // highest offset of the dims inside the current one
  bool nested = true;
  for (int d = n - 1; d >= 0; --d) {
    if (dims[d].stride == 0) return true;
    nested = nested && dims[d].stride > reach;
    reach += dims[d].stride * (dims[d].extent - 1);
  }
  if (nested) return false;
  constexpr int64_t kExact = 1 << 16;
  if (numel > kExact || reach >= numel * 64) return true;
  std::vector<bool> seen(reach + 1);
  std::vector<int64_t> index(n, 0);
  for (int64_t i = 0, offset = 0; i < numel; ++i) {
    if (seen[offset]) return true;
    seen[offset] = true;
    for (int d = n - 1; d >= 0; --d) {
      offset += dims[d].stride;
      if (++index[d] < dims[d].extent) break;
      offset -= dims[d].stride * dims[d].extent;
      index[d] = 0;
    }
  }
  return false;
}

bool shape_at(const TensorSpec& t, const int64_t* extents, int64_t* numel, ByteRange* bytes) {
  // The bound for open extents is one that no machine's memory reaches, and below which sums over all operands and
  // temporaries do not overflow 64 bits. Planning has checked extents that are numbers.
  const int64_t most = int64_t{1} << (extents ? 56 : 62);
  const int64_t size = static_cast<int64_t>(dtype_size(t.dtype));
  bool fits = true, empty = false;
  int64_t count = 1, begin = 0, end = 0;
  for (int d = 0; d < t.ndim; ++d) {
    const int64_t n = t.shape[d].at(extents);
    empty = empty || n == 0;  // the product of the others may be anything
    fits = fits && !__builtin_mul_overflow(count, n, &count);
  }
  *numel = empty ? 0 : count;
  *bytes = {};
  if (empty) return true;
  if (!fits || __builtin_mul_overflow(count, size, &end) || end > most) return false;
  if (!t.row_major) end = size;  // strides are products of extents, which count in 64 bits
  for (int d = 0; d < t.ndim && !t.row_major; ++d) {
    const int64_t n = t.shape[d].at(extents);
    int64_t span;
    if (n == 1) continue;
    if (__builtin_mul_overflow(n - 1, t.strides[d].at(extents), &span) || __builtin_mul_overflow(span, size, &span) ||
        __builtin_add_overflow(span < 0 ? begin : end, span, span < 0 ? &begin : &end) || end > most || begin < -most)
      return false;
  }
  const int64_t lanes = dtype_lanes(t.dtype);  // which rows begin and end with
  *bytes = {begin / lanes, end / lanes};
  return true;
}

ByteRange byte_range(const TensorSpec& t) {
  int64_t numel;
  ByteRange bytes;
  shape_at(t, nullptr, &numel, &bytes);
  return bytes;
}

bool same_layout(const TensorSpec& a, const TensorSpec& b) {
  if (a.ndim != b.ndim || dtype_bits(a.dtype) != dtype_bits(b.dtype)) return false;
  return std::equal(a.shape, a.shape + a.ndim, b.shape) && std::equal(a.strides, a.strides + a.ndim, b.strides);
}

void ByteSet::add(int64_t stride, int64_t count) {
  empty_ = empty_ || count == 0;
  if (empty_ || stride == 0 || count == 1) return;
  const int64_t span = stride * (count - 1);
  if (stride < 0) lowest_ += span;
  reach_ += std::llabs(span);
  size_t at = static_cast<size_t>(num_steps_++);
  for (; at > 0 && steps_[at - 1].stride < std::llabs(stride); --at) steps_[at] = steps_[at - 1];
  steps_[at] = {std::llabs(stride), count};
}

bool overlaps(const ByteSet& a, const ByteSet& b) {
  if (a.empty_ || b.empty_ || a.end() <= b.lowest() || b.end() <= a.lowest()) return false;
  // Take the k largest strides of both as outer. Every address is then lowest + multiple of their
  // greatest common divisor g + something inside the inner steps' window; if the two windows miss
  // each other modulo g, the sets are disjoint.
  int64_t window_a = a.end() - a.lowest(), window_b = b.end() - b.lowest(), g = 0;
  for (int ia = 0, ib = 0; ia < a.num_steps_ || ib < b.num_steps_;) {
    const ByteSet::Step &of_a = a.steps_[ia], &of_b = b.steps_[ib];
    const bool from_a = ib == b.num_steps_ || (ia < a.num_steps_ && of_a.stride >= of_b.stride);
    const ByteSet::Step& step = from_a ? of_a : of_b;
    ++(from_a ? ia : ib);
    (from_a ? window_a : window_b) -= step.stride * (step.count - 1);
    g = std::gcd(g, step.stride);
    const int64_t shift = ((b.lowest() - a.lowest()) % g + g) % g;
    if (window_a <= shift && shift + window_b <= g) return false;
  }
  return true;
}

bool overlaps(const TensorSpec& a, uintptr_t a_address, const TensorSpec& b, uintptr_t b_address) {
  const ByteRange ra = byte_range(a), rb = byte_range(b);
  if (ra.begin == ra.end || rb.begin == rb.end) return false;
  const int64_t a0 = static_cast<int64_t>(a_address), b0 = static_cast<int64_t>(b_address);
  if (a0 + ra.end <= b0 + rb.begin || b0 + rb.end <= a0 + ra.begin) return false;
  // Numbers from here on are of what divides the elements of both: half bytes, if one has such elements; and from a's
  // first element on, since addresses are too large for them.
  const int64_t lanes = std::max(dtype_lanes(a.dtype), dtype_lanes(b.dtype));
  const auto set_of = [lanes](const TensorSpec& t, int64_t first) {
    const int64_t unit = static_cast<int64_t>(dtype_size(t.dtype)) * lanes / dtype_lanes(t.dtype);
    ByteSet set(first * lanes, unit);
    for (int d = 0; d < t.ndim; ++d) set.add(t.strides[d] * unit, t.shape[d]);
    return set;
  };
  return overlaps(set_of(a, 0), set_of(b, b0 - a0));
}

}  // namespace tileops
