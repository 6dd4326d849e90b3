// RoPE as a pass over pairs: two strided views of x, two of y, the position as an index view (or
// position_ids), and the frequencies as a constant of the plan in turns per position.
#include <cmath>

#include "lower/common.h"
#include "lower/frequencies.h"

namespace tileops {
namespace {

// Which inputs are what beside x; -1: the operator has no such one.
struct Slots {
  int rescale, ids, cos, sin;
};

// As the rows of the table have them: x, of longrope rescale_factors, position_ids, cos, sin.
Slots slots_of(const Call& r) {
  const int last = static_cast<int>(r.op->inputs.size()) - 1;
  return {last == 4 ? 1 : -1, last - 2, last - 1, last};
}

View half(View v, int last, int64_t step, int64_t offset_elements) {
  v.offset += offset_elements * v.strides[last];
  v.strides[last] *= step;
  return v;
}

struct Geometry {
  int seq_axis, last;
  int64_t head_dim, rotary_dim, half, positions;
};

Geometry geometry_of(const Call& r) {
  const TensorSpec& x = r.inputs[0];
  if (x.ndim < 2) invalid("inputs[0]: rope needs rank >= 2 (got %d)", x.ndim);
  Geometry g;
  g.last = x.ndim - 1;
  g.head_dim = x.shape[g.last];
  const int64_t axis = r.has(TILEOPS_ATTR_SEQ_AXIS) ? r.integer(TILEOPS_ATTR_SEQ_AXIS) : x.ndim == 2 ? -2 : -3;
  g.seq_axis = normalize_axis(r, TILEOPS_ATTR_SEQ_AXIS, axis, x.ndim);
  if (g.seq_axis == g.last)
    invalid("%s must not be the last dimension (got %lld)", r.place(TILEOPS_ATTR_SEQ_AXIS).c_str(),
            static_cast<long long>(axis));
  g.rotary_dim = r.has(TILEOPS_ATTR_ROTARY_DIM) ? r.integer(TILEOPS_ATTR_ROTARY_DIM) : g.head_dim;
  if (g.rotary_dim < 0 || g.rotary_dim > g.head_dim || g.rotary_dim % 2) {
    if (!r.has(TILEOPS_ATTR_ROTARY_DIM)) {
      invalid("inputs[0]: last dimension must be even (got %lld)", static_cast<long long>(g.head_dim));
    }
    invalid("%s must be even and at most the head dimension (got %lld of %lld)",
            r.place(TILEOPS_ATTR_ROTARY_DIM).c_str(), static_cast<long long>(g.rotary_dim),
            static_cast<long long>(g.head_dim));
  }
  g.half = g.rotary_dim / 2;
  g.positions = x.shape[g.seq_axis];
  return g;
}

void require_shape(const Call& r, int i, std::initializer_list<Extent> need) {
  const TensorSpec& t = r.inputs[i];
  if (t.ndim == static_cast<int>(need.size()) && std::equal(need.begin(), need.end(), t.shape)) return;
  invalid("inputs[%d]: %s has the wrong shape (got %s, need %s)", i, r.op->inputs[i].name.c_str(),
          shape_text(t.shape, t.ndim).c_str(), shape_text(need.begin(), static_cast<int>(need.size())).c_str());
}

// position_ids: (positions,), or (batch, positions) with batch the first dimension of x.
void check_ids(const Call& r, const Slots& s, const Geometry& g) {
  const TensorSpec& ids = r.inputs[s.ids];
  const int64_t batch = r.inputs[0].shape[0], n = g.positions;
  const bool batched = g.seq_axis > 0;
  if (ids.ndim == 1 && ids.shape[0] == n) return;
  if (batched && ids.ndim == 2 && ids.shape[0] == batch && ids.shape[1] == n) return;
  invalid("inputs[%d]: position_ids has the wrong shape (got %s, need (%lld,)%s)", s.ids,
          shape_text(ids.shape, ids.ndim).c_str(), static_cast<long long>(n),
          batched ? strf(" or (%lld, %lld)", static_cast<long long>(batch), static_cast<long long>(n)).c_str() : "");
}

// The row of cos and sin that the first position has; where position_ids say it, there is no offset.
int64_t first_row(const Call& r, const Slots& s) {
  return r.inputs[s.ids].present ? 0 : r.integer(TILEOPS_ATTR_OFFSET);
}

void check_table(const Call& r, int slot, const Slots& s, const Geometry& g) {
  const TensorSpec& t = r.inputs[slot];
  const bool gathered = r.inputs[s.ids].present;
  const int64_t offset = first_row(r, s);
  if (offset < 0) {
    invalid("%s is negative, which the rows of cos and sin cannot be (got %lld)", r.place(TILEOPS_ATTR_OFFSET).c_str(),
            static_cast<long long>(offset));
  }
  if (t.ndim == 2 && t.shape[1] == g.half && (gathered || t.shape[0] - g.positions >= offset)) return;
  const int64_t rows = gathered ? 0 : offset > INT64_MAX - g.positions ? INT64_MAX : offset + g.positions;
  invalid("inputs[%d]: %s has the wrong shape (got %s, need (positions, %lld) with positions >= "
          "%lld)",
          slot, r.op->inputs[slot].name.c_str(), shape_text(t.shape, t.ndim).c_str(), static_cast<long long>(g.half),
          static_cast<long long>(rows));
}

View position_view(const Call& r, const Slots& s, const Geometry& g, const Space& space) {
  std::vector<Extent> strides(space.ndim(), 0);
  if (!r.inputs[s.ids].present) {
    strides[g.seq_axis] = 1;
    return index_view(r.integer(TILEOPS_ATTR_OFFSET), strides);
  }
  const TensorSpec& ids = r.inputs[s.ids];
  View v;
  v.kind = ViewKind::input;
  v.slot = s.ids;
  v.dtype = ids.dtype;
  const int64_t size = static_cast<int64_t>(dtype_size(ids.dtype));
  if (ids.ndim == 2) strides[0] = ids.strides[0] * size;
  strides[g.seq_axis] = ids.strides[ids.ndim - 1] * size;
  v.strides = strides;
  return v;
}

// A row of cos or sin for each position: by index, or gathered by position_ids, which are load `ids`.
View table_view(const Call& r, int slot, const Slots& s, const Geometry& g, const Space& space, int ids) {
  const TensorSpec& t = r.inputs[slot];
  View v;
  v.kind = ViewKind::input;
  v.slot = slot;
  v.dtype = t.dtype;
  v.strides.assign(space.ndim(), 0);
  v.strides[g.last] = t.strides[1] * 4;
  if (r.inputs[s.ids].present) {
    v.indices = {{{Value::Kind::load, ids, 0}, t.strides[0] * 4, t.shape[0]}};
  } else {
    v.strides[g.seq_axis] = t.strides[0] * 4;
    v.offset = first_row(r, s) * t.strides[0] * 4;
  }
  return v;
}

View rescale_view(const Call& r, int slot, const Geometry& g, const Space& space) {
  View v;
  v.kind = ViewKind::input;
  v.slot = slot;
  v.dtype = r.inputs[slot].dtype;
  v.strides.assign(space.ndim(), 0);
  v.strides[g.last] = r.inputs[slot].strides[0] * 4;
  return v;
}

}  // namespace

void check_rope(const Call& r) {
  const Slots s = slots_of(r);
  const Geometry g = geometry_of(r);
  const bool has_cos = r.inputs[s.cos].present, has_sin = r.inputs[s.sin].present;
  refuse_both(r, TILEOPS_ATTR_OFFSET, s.ids);
  if (has_cos != has_sin) invalid("inputs[%d]: cos and sin must be given together", has_cos ? s.sin : s.cos);
  if (has_cos) {
    check_table(r, s.cos, s, g);
    check_table(r, s.sin, s, g);
  } else {
    require_table_size("inputs[0]: last dimension", g.rotary_dim);
    check_frequencies(r);
  }
  if (s.rescale > 0) require_shape(r, s.rescale, {g.half});
  if (r.inputs[s.ids].present) check_ids(r, s, g);
}

Pass lower_rope(const Call& r, const Space& space, Problem* p) {
  const Ctype ctype = choose_ctype(r, promote_inputs(r));
  const Slots s = slots_of(r);
  const Geometry g = geometry_of(r);
  const View x = input_view(r, 0, space), y = output_view(r, 0, space);

  Space pairs = space;
  pairs.extents[g.last] = g.half;
  const bool interleaved = r.integer(TILEOPS_ATTR_INTERLEAVED) != 0;
  const int64_t step = interleaved ? 2 : 1, second = interleaved ? 1 : g.half;
  const bool has_cos = r.inputs[s.cos].present;
  Pass pass = make_pass(r, ctype, pairs, has_cos ? "rope_table" : s.rescale > 0 ? "rope_rescaled" : "rope");
  pass.steps[0].attrs.clear();  // what they say is in the frequencies, so that all RoPE operators share kernels
  pass.loads = {half(x, g.last, step, 0), half(x, g.last, step, second)};
  if (has_cos) {
    constexpr int kIds = 4;  // behind the body's operands
    pass.loads.push_back(table_view(r, s.cos, s, g, pairs, kIds));
    pass.loads.push_back(table_view(r, s.sin, s, g, pairs, kIds));
    if (r.inputs[s.ids].present) pass.loads.push_back(position_view(r, s, g, pairs));
  } else {
    const Frequencies f = rope_frequencies(r, space.empty() ? 0 : g.rotary_dim);
    std::vector<Extent> along(pairs.ndim(), 0);
    along[g.last] = 1;
    pass.loads.push_back(position_view(r, s, g, pairs));
    pass.loads.push_back(array_constant(p, f.turns, Dtype::u64, along));
    pass.loads.push_back(scalar_constant(p, f.amplitude, pairs));
    if (s.rescale > 0) pass.loads.push_back(rescale_view(r, s.rescale, g, pairs));
  }
  pass.stores = {half(y, g.last, step, 0), half(y, g.last, step, second)};
  return pass;
}

std::optional<Pass> lower_tail_of_rope(const Call& r, const Space& space) {
  const Geometry g = geometry_of(r);
  if (g.rotary_dim == g.head_dim) return std::nullopt;
  Space tail = space;
  tail.extents[g.last] = g.head_dim - g.rotary_dim;
  Pass copy = make_pass(r, choose_ctype(r, promote_inputs(r)), tail, "copy");
  copy.steps[0].attrs.clear();
  copy.loads = {half(input_view(r, 0, space), g.last, 1, g.rotary_dim)};
  copy.stores = {half(output_view(r, 0, space), g.last, 1, g.rotary_dim)};
  return copy;
}

}  // namespace tileops
