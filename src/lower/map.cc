// Elementwise maps with broadcasting, and the three operators that differ from them in a detail.
#include <cmath>
#include <map>

#include "lower/common.h"
#include "op/scalar.h"

namespace tileops {

namespace {

// What stands for attributes that were not given and have no default in the table.
using Absent = std::map<tileops_attr_key, double>;

// Views of all operands in order; absent ones become constants from their attribute.
Pass map_pass(const Call& r, Problem* p, Ctype ctype, const Space& space, const Absent& absent = {}) {
  Pass pass = make_pass(r, ctype, space);
  for (const auto& [key, value] : absent)
    if (!r.has(key)) pass.steps[0].attrs[static_cast<size_t>(r.op->attr_index(key))].f64 = value;
  pass.bits_kept = keeps_bits(r);
  const int count = static_cast<int>(r.op->inputs.size());
  pass.loads.reserve(r.op->inputs.size());
  for (int i = 0; i < count; ++i) {
    const OperandSpec& spec = r.op->inputs[i];
    if (r.inputs[i].present) {
      pass.loads.push_back(input_view(r, i, space));
    } else if (pass.loads.size() == pass.steps[0].body->operands.size()) {
      continue;  // a body of fewer operands has the attribute built in
    } else if (r.has(spec.fallback)) {
      pass.loads.push_back(attr_constant(r, p, spec.fallback, ctype, space));
    } else {
      pass.loads.push_back(scalar_constant(p, absent.at(spec.fallback), space));
    }
  }
  pass.stores.push_back(output_view(r, 0, space));
  return pass;
}

}  // namespace

Pass lower_map(const Call& r, const Space& space, Problem* p) {
  return map_pass(r, p, choose_ctype(r, promote_inputs(r)), space);
}

// A scale is rounded as asked for. What becomes of numbers too large for one is settled here, because without
// fp8_overflow it depends on the dtype.
Pass lower_cast(const Call& r, const Space& space, Problem* p) {
  Pass pass = map_pass(r, p, choose_ctype(r, promote_inputs(r)), space);
  if (is_scale(r.outputs[0].dtype)) {
    const auto overflow = static_cast<size_t>(r.op->attr_index(TILEOPS_ATTR_FP8_OVERFLOW));
    pass.steps[0].attrs[overflow].i64 = fp8_mode(r) == Fp8Mode::saturate ? 0 : 1;
  }
  return pass;
}

// An absent bound is none.
Pass lower_clamp(const Call& r, const Space& space, Problem* p) {
  return map_pass(r, p, choose_ctype(r, promote_inputs(r)), space,
                  {{TILEOPS_ATTR_MIN, -HUGE_VAL}, {TILEOPS_ATTR_MAX, HUGE_VAL}});
}

// value does not take part in promotion: it is taken in the type that x is computed in, as attribute and as operand,
// and from there converted once.
Pass lower_masked_fill(const Call& r, const Space& space, Problem* p) {
  const Dtype dtype = r.inputs[0].dtype;
  const TensorSpec& value = r.inputs[2];
  const bool kept = keeps_bits(r);
  const Ctype ctype = kept ? bits_type(dtype_size(dtype)) : compute_type(dtype);
  Pass pass = make_pass(r, ctype, space);
  pass.bits_kept = kept;
  pass.loads = {input_view(r, 0, space), input_view(r, 1, space)};
  if (value.present) {
    pass.loads.push_back(input_view(r, 2, space));
  } else if (r.number_of(TILEOPS_ATTR_VALUE) >= 0) {
    pass.loads.push_back(attr_constant(r, p, TILEOPS_ATTR_VALUE, ctype, space));
  } else {
    const double v = r.number(TILEOPS_ATTR_VALUE);
    const Dtype computed = ctype_dtype(compute_type(dtype));
    uint8_t bytes[8];
    store_scalar(computed == Dtype::f32 ? static_cast<float>(v) : v, kept ? dtype : computed, fp8_mode(r), bytes);
    pass.loads.push_back(raw_constant(p, bytes, kept ? dtype : computed, space));
  }
  pass.stores.push_back(output_view(r, 0, space));
  return pass;
}

// Absent replacements of infinities are the finite extremes of the input's dtype.
Pass lower_nan_to_num(const Call& r, const Space& space, Problem* p) {
  const Dtype dtype = promote_inputs(r);
  const double extreme = dtype_max_finite(dtype);
  return map_pass(r, p, compute_type(dtype), space, {{TILEOPS_ATTR_POSINF, extreme}, {TILEOPS_ATTR_NEGINF, -extreme}});
}

namespace {

// The axis of x along which the weights of prelu lie; -1: there is one for all.
int prelu_axis(const Call& r) {
  const TensorSpec &x = r.inputs[0], &w = r.inputs[1];
  if (w.ndim == 0 || w.shape[0] == 1) return -1;
  return normalize_axis(r, TILEOPS_ATTR_AXIS, r.integer(TILEOPS_ATTR_AXIS), x.ndim);
}

}  // namespace

void check_prelu(const Call& r) {
  const TensorSpec &x = r.inputs[0], &w = r.inputs[1];
  if (w.ndim > 1)
    refuse_input(TILEOPS_STATUS_INVALID_ARGUMENT, 1, strf("weight must be 0-d or 1-d (got %d dimensions)", w.ndim));
  const int axis = prelu_axis(r);
  if (axis >= 0 && w.shape[0] != x.shape[axis])
    refuse_input(TILEOPS_STATUS_INVALID_ARGUMENT, 1,
                 strf("weight's length differs from axis %d of inputs[0] (got %lld, need %lld)", axis,
                      static_cast<long long>(w.shape[0]), static_cast<long long>(x.shape[axis])));
}

Pass lower_prelu(const Call& r, const Space& space, Problem*) {
  const Ctype ctype = choose_ctype(r, promote_inputs(r));
  const TensorSpec& w = r.inputs[1];
  Pass pass = make_pass(r, ctype, space);
  View weight;
  weight.kind = ViewKind::input;
  weight.slot = 1;
  weight.dtype = w.dtype;
  weight.strides.assign(space.ndim(), 0);
  if (const int axis = prelu_axis(r); axis >= 0)
    weight.strides[axis] = w.strides[0] * static_cast<int64_t>(dtype_size(w.dtype));
  pass.loads = {input_view(r, 0, space), weight};
  pass.stores.push_back(output_view(r, 0, space));
  return pass;
}

// One packed operand is two views of it, half a row apart.
Pass lower_gated(const Call& r, const Space& space, Problem*) {
  const Ctype ctype = choose_ctype(r, promote_inputs(r));
  Pass pass = make_pass(r, ctype, space);
  View gate = input_view(r, 0, space);
  if (r.inputs[1].present) {
    pass.loads = {gate, input_view(r, 1, space)};
  } else {
    const TensorSpec& x = r.inputs[0];
    const int last = x.ndim - 1;
    gate.strides[last] = x.strides[last] * static_cast<int64_t>(dtype_size(x.dtype));
    View value = gate;
    value.offset = gate.strides[last] * space.extents[last];
    pass.loads = {gate, value};
  }
  pass.stores.push_back(output_view(r, 0, space));
  return pass;
}

}  // namespace tileops
