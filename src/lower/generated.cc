// Operators whose values come from the element's index: dropout, ALiBi, sinusoidal.
#include <cmath>

#include "lower/common.h"
#include "lower/frequencies.h"

namespace tileops {
namespace {

// Slopes of the ALiBi paper: 2^(-8h/H) for powers of two; other H take those of the next lower
// power, then every second one of the next higher.
std::vector<double> alibi_slopes(int64_t heads, bool geometric) {
  std::vector<double> slopes;
  const auto geometric_slope = [](int64_t h, int64_t count) {
    return static_cast<double>(std::exp2(-8.0L * static_cast<long double>(h + 1) / static_cast<long double>(count)));
  };
  int64_t power = 1;
  while (power * 2 <= heads) power *= 2;
  for (int64_t h = 0; h < heads; ++h) {
    if (geometric) slopes.push_back(geometric_slope(h, heads));
    else if (h < power) slopes.push_back(geometric_slope(h, power));
    else slopes.push_back(geometric_slope(2 * (h - power), 2 * power));
  }
  return slopes;
}

}  // namespace

void check_dropout(const Call& r) {
  const TensorSpec& state = r.inputs[1];
  refuse_both(r, TILEOPS_ATTR_SEED, 1);
  refuse_both(r, TILEOPS_ATTR_OFFSET, 1);
  if (state.present && (state.ndim != 1 || state.shape[0] != 2))
    refuse_input(TILEOPS_STATUS_INVALID_ARGUMENT, 1,
                 "seed_offset must have shape (2,) (got " + shape_text(state.shape, state.ndim) + ")");
}

Pass lower_dropout(const Call& r, const Space& space, Problem* p) {
  const Ctype ctype = choose_ctype(r, promote_inputs(r));
  Pass pass = make_pass(r, ctype, space);
  // The probability is compared as an integer, made of the number as given.
  pass.steps[0].attrs.assign(r.attrs, r.attrs + r.op->attrs.size());
  pass.loads = {input_view(r, 0, space), index_view(0, row_major_strides(space))};
  const TensorSpec& state = r.inputs[1];
  if (state.present) {
    View seed;
    seed.kind = ViewKind::input;
    seed.slot = 1;
    seed.dtype = state.dtype;
    seed.strides.assign(space.ndim(), 0);
    View offset = seed;
    offset.offset = state.strides[0] * static_cast<int64_t>(dtype_size(state.dtype));
    pass.loads.push_back(seed);
    pass.loads.push_back(offset);
  } else {
    pass.loads.push_back(integer_attr(r, p, TILEOPS_ATTR_SEED, space));
    pass.loads.push_back(integer_attr(r, p, TILEOPS_ATTR_OFFSET, space));
  }
  pass.stores.push_back(output_view(r, 0, space));
  if (r.outputs.size() > 1 && r.outputs[1].present) pass.stores.push_back(output_view(r, 1, space));
  return pass;
}

// x has the shape, and nothing else is needed of it.
Pass lower_dropout_mask(const Call& r, const Space& space, Problem* p) {
  Pass pass = make_pass(r, Ctype::boolean, space);
  pass.loads = {index_view(0, row_major_strides(space)), integer_attr(r, p, TILEOPS_ATTR_SEED, space),
                integer_attr(r, p, TILEOPS_ATTR_OFFSET, space)};
  pass.stores.push_back(output_view(r, 0, space));
  return pass;
}

void check_alibi(const Call& r) {
  const TensorSpec &y = r.outputs[0], &slopes = r.inputs[0];
  if (y.ndim != 3) invalid("outputs[0]: alibi gives (heads, queries, keys) (got %d dimensions)", y.ndim);
  refuse_both(r, TILEOPS_ATTR_SLOPES, 0);
  if (!slopes.present) require_table_size("outputs[0]: shape[0]", y.shape[0]);
  else if (slopes.ndim != 1 || slopes.shape[0] != y.shape[0])
    invalid("inputs[0]: slopes must have shape (%lld,) (got %s)", static_cast<long long>(y.shape[0]),
            shape_text(slopes.shape, slopes.ndim).c_str());
}

Pass lower_alibi(const Call& r, const Space& space, Problem* p) {
  const TensorSpec& y = r.outputs[0];
  const int64_t offset = r.integer(TILEOPS_ATTR_OFFSET);
  constexpr int64_t kFew = 1 << 22;
  const bool near = y.shape[1] < kFew && y.shape[2] < kFew && offset > -kFew && offset < kFew;
  const Ctype ctype = compute_type(y.dtype);
  Pass pass = make_pass(r, ctype, space, near && ctype == Ctype::f32 ? "alibi_near" : "alibi");
  if (r.inputs[0].present) {
    const TensorSpec& s = r.inputs[0];
    View slopes;
    slopes.kind = ViewKind::input;
    slopes.slot = 0;
    slopes.dtype = s.dtype;
    slopes.strides = {s.strides[0] * 4, 0, 0};
    pass.loads.push_back(slopes);
  } else {
    const bool geometric = r.integer(TILEOPS_ATTR_SLOPES) == 1;
    const int64_t heads = space.empty() ? 0 : int64_t{y.shape[0]};
    pass.loads.push_back(array_constant(p, alibi_slopes(heads, geometric), Dtype::f64, {1, 0, 0}));
  }
  pass.loads.push_back(index_view(offset, {0, 1, -1}));
  pass.stores.push_back(output_view(r, 0, space));
  return pass;
}

void check_sinusoidal(const Call& r) {
  const TensorSpec& y = r.outputs[0];
  if (y.ndim != 2 || y.shape[1] % 2)
    invalid("outputs[0]: sinusoidal gives (positions, D) with D even (got %s)", shape_text(y.shape, y.ndim).c_str());
  require_table_size("outputs[0]: shape[1]", y.shape[1]);
}

// sin to one half of the columns, cos to the other.
Pass lower_sinusoidal(const Call& r, const Space& space, Problem* p) {
  const TensorSpec& y = r.outputs[0];
  View sin = output_view(r, 0, space);
  View cos = sin;
  if (r.integer(TILEOPS_ATTR_LAYOUT) == 0) {
    cos.offset = sin.strides[1];
    sin.strides[1] *= 2;
    cos.strides[1] *= 2;
  } else {
    cos.offset = sin.strides[1] * (y.shape[1] / 2);
  }
  Space pairs = space;
  pairs.extents[1] /= 2;
  Pass pass = make_pass(r, compute_type(y.dtype), pairs);
  pass.loads.push_back(index_view(r.integer(TILEOPS_ATTR_OFFSET), {1, 0}));
  const int64_t columns = space.empty() ? 0 : int64_t{y.shape[1]};
  pass.loads.push_back(array_constant(p, plain_turns(r.number(TILEOPS_ATTR_BASE), columns), Dtype::u64, {0, 1}));
  pass.stores = {sin, cos};
  return pass;
}

}  // namespace tileops
