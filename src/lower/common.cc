#include "lower/common.h"

#include <algorithm>
#include <cmath>

#include "op/scalar.h"

namespace tileops {
namespace {

CallError input_error(tileops_status status, size_t i, const std::string& fault) {
  return {{status, strf("inputs[%zu]: ", i) + fault}, CallError::Kind::input, static_cast<int>(i), fault};
}

// PyTorch: a 0-d operand raises the result's dtype only to a higher category.
struct Promotion {
  bool any = false;
  Dtype dtype = Dtype::f32;
};

void join(Promotion* into, Dtype t, const char* name, int index) {
  if (!into->any) {
    *into = {true, t};
    return;
  }
  Dtype out;
  if (!promote(into->dtype, t, &out)) {
    refuse_input(
        TILEOPS_STATUS_UNSUPPORTED, static_cast<size_t>(index),
        strf("%s (%s) and %s have no common dtype; cast one of them", name, dtype_name(t), dtype_name(into->dtype)));
  }
  into->dtype = out;
}

std::string dtypes_text(uint32_t set) {
  std::string s;
  const auto add = [&](uint32_t bit, const char* name) {
    if (set & bit) s += s.empty() ? name : std::string(" or ") + name;
  };
  add(kFloat, "a float");
  add(kInt, "an integer");
  add(kBool, "bool");
  add(kScale, "a scale");
  add(kPacked, "a packed float");
  return s;
}

View tensor_view(const TensorSpec& t, ViewKind kind, int slot, const Space& space) {
  View v;
  v.kind = kind;
  v.slot = slot;
  v.dtype = t.dtype;
  const int lead = space.ndim() - t.ndim;
  const int64_t size = static_cast<int64_t>(dtype_size(t.dtype));
  v.strides.reserve(space.extents.size());
  for (int d = 0; d < space.ndim(); ++d) {
    const bool broadcast = d < lead || (t.shape[d - lead] == 1 && space.extents[d] != 1);
    v.strides.push_back(broadcast ? Extent(0) : t.strides[d - lead] * size);
  }
  return v;
}

}  // namespace

void refuse_input(tileops_status status, size_t i, const std::string& fault) { throw input_error(status, i, fault); }

void refuse_attribute(const Call& r, tileops_attr_key key, const std::string& what) {
  const std::string fault = strf("'%s' ", attr_name(key)) + what;
  const int i = r.op->attr_index(key), index = r.attr_given[i] ? r.attr_place[i] : -1;
  const std::string place = index < 0 ? "attrs: " : strf("attrs[%d]: ", index);
  throw CallError{{TILEOPS_STATUS_INVALID_ARGUMENT, place + fault}, CallError::Kind::attribute, index, fault};
}

void refuse_attributes(const std::string& fault) {
  throw CallError{{TILEOPS_STATUS_INVALID_ARGUMENT, "attrs: " + fault}, CallError::Kind::attribute, -1, fault};
}

Dtype promote_inputs(const Call& r) {
  Promotion dimensioned, zero_dim;
  for (int i = 0; i < static_cast<int>(r.inputs.size()); ++i) {
    const TensorSpec& t = r.inputs[i];
    const OperandSpec& spec = r.op->inputs[i];
    if (!t.present) continue;
    if (!spec.fixed.empty()) {
      if (std::find(spec.fixed.begin(), spec.fixed.end(), t.dtype) == spec.fixed.end()) {
        refuse_input(TILEOPS_STATUS_UNSUPPORTED, static_cast<size_t>(i),
                     strf("%s has the wrong dtype (got %s, need %s)", spec.name.c_str(), dtype_name(t.dtype),
                          spec.fixed_text.c_str()));
      }
      continue;
    }
    if (!((r.of_node ? dtype_category(t.dtype) : dtype_set(t.dtype)) & r.op->dtypes)) {
      refuse_input(TILEOPS_STATUS_UNSUPPORTED, static_cast<size_t>(i),
                   strf("%s does not take this dtype (got %s, need %s)", r.op->name, dtype_name(t.dtype),
                        dtypes_text(r.op->dtypes).c_str()));
    }
    join(t.ndim == 0 ? &zero_dim : &dimensioned, t.dtype, spec.name.c_str(), i);
  }
  if (!dimensioned.any) return zero_dim.any ? zero_dim.dtype : r.outputs[0].dtype;
  if (!zero_dim.any) return dimensioned.dtype;
  // kFloat < kInt < kBool as bits, so the higher category is the smaller number.
  if (dtype_category(zero_dim.dtype) < dtype_category(dimensioned.dtype)) return zero_dim.dtype;
  return dimensioned.dtype;
}

bool keeps_bits(const Call& r) {
  if (r.inner || (r.op->compute != Compute::bits && r.op->compute != Compute::source)) return false;
  const Dtype out = r.outputs[0].dtype;
  bool kept = out != Dtype::boolean && !is_packed(out);
  for (size_t i = 0; i < r.inputs.size(); ++i)
    if (r.inputs[i].present && r.op->inputs[i].fixed.empty()) kept &= r.inputs[i].dtype == out;
  return kept;
}

Ctype choose_ctype(const Call& r, Dtype promoted) {
  Compute rule = r.op->compute;
  if (rule == Compute::quotient) {
    rule = r.integer(TILEOPS_ATTR_ROUNDING) == 0 ? Compute::to_float : Compute::promote;
    if (rule == Compute::promote && promoted == Dtype::boolean) {
      refuse_input(TILEOPS_STATUS_UNSUPPORTED, 0, "div with rounding does not take bool");
    }
  }
  switch (rule) {
    case Compute::truth: return Ctype::boolean;
    case Compute::to_float: return is_float(promoted) ? compute_type(promoted) : Ctype::f32;
    case Compute::bits:
    case Compute::source: return keeps_bits(r) ? bits_type(dtype_size(promoted)) : compute_type(promoted);
    default: return compute_type(promoted);
  }
}

Space broadcast_inputs(const Call& r, size_t count) {
  Space space;
  int ndim = 0;
  for (size_t i = 0; i < count; ++i)
    if (r.inputs[i].present) ndim = std::max(ndim, r.inputs[i].ndim);
  space.extents.assign(static_cast<size_t>(ndim), 1);
  for (size_t i = 0; i < count; ++i) {
    const TensorSpec& t = r.inputs[i];
    if (!t.present) continue;
    const int lead = space.ndim() - t.ndim;
    for (int d = 0; d < t.ndim; ++d) {
      Extent& extent = space.extents[lead + d];
      if (t.shape[d] == 1) continue;
      if (extent != 1) {
        if (must_equal(t.shape[d], extent)) continue;
        CallError e = input_error(
            TILEOPS_STATUS_INVALID_ARGUMENT, i,
            strf("shape %s does not broadcast at axis %d (got %s, need 1 or %s)", shape_text(t.shape, t.ndim).c_str(),
                 d, t.shape[d].text().c_str(), extent.text().c_str()));
        e.is_of_broadcast = true;
        throw e;
      }
      extent = t.shape[d];
    }
  }
  return space;
}

View input_view(const Call& r, int i, const Space& space) {
  return tensor_view(r.inputs[i], ViewKind::input, i, space);
}

Fp8Mode fp8_mode(const Call& r) {
  const int i = r.op->attr_index(TILEOPS_ATTR_FP8_OVERFLOW);
  if (i >= 0 && r.attr_given[i]) return r.attrs[i].i64 == 0 ? Fp8Mode::saturate : Fp8Mode::nonsaturating;
  return default_fp8_mode(r.outputs[0].dtype);
}

View output_view(const Call& r, int i, const Space& space) {
  View v = tensor_view(r.outputs[i], ViewKind::output, i, space);
  v.fp8 = fp8_mode(r);
  return v;
}

View index_view(int64_t origin, std::vector<Extent> strides) {
  View v;
  v.kind = ViewKind::index;
  v.dtype = Dtype::i64;
  v.offset = origin;
  v.strides = std::move(strides);
  return v;
}

View scalar_constant(Problem* p, double value, const Space& space) {
  return array_constant<double>(p, {value}, Dtype::f64, std::vector<Extent>(space.ndim(), 0));
}

View integer_constant(Problem* p, int64_t value, const Space& space) {
  return array_constant<int64_t>(p, {value}, Dtype::i64, std::vector<Extent>(space.ndim(), 0));
}

View number_view(int number, Dtype dtype, const Space& space) {
  View v;
  v.kind = ViewKind::number;
  v.slot = number;
  v.dtype = dtype;
  v.strides.assign(static_cast<size_t>(space.ndim()), 0);
  return v;
}

View integer_attr(const Call& r, Problem* p, tileops_attr_key key, const Space& space) {
  const int number = r.number_of(key);
  return number < 0 ? integer_constant(p, r.integer(key), space) : number_view(number, Dtype::i64, space);
}

View raw_constant(Problem* p, const void* bytes, Dtype dtype, const Space& space) {
  View v = scalar_constant(p, 0.0, space);
  std::copy_n(static_cast<const uint8_t*>(bytes), dtype_size(dtype), p->constants.back().bytes.data());
  v.dtype = dtype;
  return v;
}

View attr_constant(const Call& r, Problem* p, tileops_attr_key key, Ctype ctype, const Space& space) {
  const int number = r.number_of(key);
  const bool floating = ctype == Ctype::f32 || ctype == Ctype::f64;
  if (number >= 0) return number_view(number, floating ? Dtype::f64 : Dtype::i64, space);
  const double value = r.number(key);
  return scalar_constant(p, ctype == Ctype::f32 ? static_cast<float>(value) : value, space);
}

// f32 bodies and their f64 form for narrow results must see the same attributes.
static std::vector<AttrValue> body_attrs(const Call& r, Ctype ctype) {
  std::vector<AttrValue> attrs(r.attrs, r.attrs + r.op->attrs.size());
  for (size_t i = 0; i < attrs.size(); ++i)
    if (ctype == Ctype::f32 && r.op->attrs[i].info.kind == TILEOPS_ATTR_F64)
      attrs[i].f64 = static_cast<float>(attrs[i].f64);
  return attrs;
}

Pass make_pass(const Call& r, Ctype ctype, const Space& space, const char* body) {
  bool given[TILEOPS_MAX_ATTRS], present[TILEOPS_MAX_INPUTS] = {};
  for (size_t i = 0; i < r.op->attrs.size(); ++i) given[i] = r.attr_given[i] || r.op->attrs[i].info.has_default;
  for (size_t i = 0; i < r.inputs.size(); ++i) present[i] = r.inputs[i].present;
  const bool floating = ctype == Ctype::f32 || ctype == Ctype::f64;
  const bool to_scale = is_scale(r.outputs[0].dtype) && !keeps_bits(r);
  const Dtype promoted = promote_inputs(r);
  const int digits = is_float(promoted) ? dtype_fraction_bits(promoted) + 1 : 0;
  const device::BodyChoice choice{r.attrs, given, present, floating, to_scale, digits};
  const auto& bodies = bodies_of(r.op->op);
  for (size_t i = 0; i < bodies.size(); ++i) {
    const bool chosen = body ? bodies[i].name == body : bodies[i].fits(choice);
    if (!chosen) continue;
    Pass pass;
    pass.extents = space.extents;
    Step step;
    step.body = &bodies[i];
    step.ctype = ctype;
    step.attrs = body_attrs(r, ctype);
    step.numbers = r.attr_numbers;
    pass.steps.push_back(std::move(step));
    return pass;
  }
  fail(TILEOPS_STATUS_INTERNAL, "op: %s has no body that fits", r.op->name);
}

std::vector<Extent> row_major_strides(const Space& space) {
  std::vector<Extent> strides(space.ndim());
  if (space.empty()) return strides;
  Extent step = 1;
  for (int d = space.ndim() - 1; d >= 0; --d) {
    strides[d] = step;
    step *= space.extents[d];
  }
  return strides;
}

void refuse_both(const Call& r, tileops_attr_key key, int input) {
  if (r.inputs[input].present && r.given(key))
    refuse_attribute(r, key, strf("is given both as attribute and as inputs[%d]", input));
}

int normalize_axis(const Call& r, tileops_attr_key key, int64_t axis, int ndim) {
  if (axis < -ndim || axis >= ndim) {
    refuse_attribute(r, key, strf("is out of range for %d dimensions (got %lld)", ndim, static_cast<long long>(axis)));
  }
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

}  // namespace tileops
