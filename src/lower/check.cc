// What a call must be: its operands, its attributes given these, and the results that are asked for.
#include <algorithm>
#include <cmath>

#include "lower/common.h"
#include "op/scalar.h"

namespace tileops {

Fit fit_of(tileops_attr_key key) {
  switch (key) {
    case TILEOPS_ATTR_ALPHA: return Fit::wraps;
    case TILEOPS_ATTR_EXPONENT: return Fit::any;
    case TILEOPS_ATTR_NAN:
    case TILEOPS_ATTR_POSINF:
    case TILEOPS_ATTR_NEGINF: return Fit::unused;
    case TILEOPS_ATTR_MIN:
    case TILEOPS_ATTR_MAX: return Fit::saturates;
    default: return Fit::exact;
  }
}

namespace {

void require_integer(const Call& r, tileops_attr_key key, Dtype dtype) {
  if (is_float(dtype) || dtype == Dtype::boolean || !r.given(key) || r.number_of(key) >= 0) return;
  const double v = r.number(key);
  const Fit fit = fit_of(key);
  if (fit == Fit::unused || (fit == Fit::saturates && std::isinf(v))) return;
  if (std::isinf(v) || v != std::floor(v)) {
    refuse_attribute(r, key, strf("must be an integer for %s (got %.10g)", dtype_name(dtype), v));
  }
  const double least = -std::ldexp(1.0, static_cast<int>(8 * dtype_size(dtype)) - 1);
  const bool fits = fit == Fit::saturates || integer_fits(v, fit == Fit::any ? Dtype::i64 : dtype) ||
                    (fit == Fit::wraps && v < 0 && v >= least);
  if (!fits) {
    refuse_attribute(r, key, strf("is out of range for %s (got %.10g)", dtype_name(dtype), v));
  }
}

// Powers of ten that the compute type does not hold would be rounded themselves, and with them the result once more.
void require_exact_decimals(const Call& r, Ctype ctype) {
  const int64_t decimals = r.integer(TILEOPS_ATTR_DECIMALS), most = ctype == Ctype::f32 ? 10 : 22;
  if (decimals < -most || decimals > most) {
    refuse_attribute(
        r, TILEOPS_ATTR_DECIMALS,
        strf("is out of range for %s (got %lld, need %lld to %lld)",
             ctype == Ctype::f32 ? "floats of at most 32 bits" : ctype_name(ctype), static_cast<long long>(decimals),
             static_cast<long long>(-most), static_cast<long long>(most)));
  }
}

// Throws if an attribute is given beside an operand that it stands in for.
void refuse_attributes_beside_operands(const Call& r) {
  for (int i = 0; i < static_cast<int>(r.op->inputs.size()); ++i)
    refuse_both(r, r.op->inputs[static_cast<size_t>(i)].fallback, i);
}

void check_clamp(const Call& r) {
  const bool lo = r.inputs[1].present || r.has(TILEOPS_ATTR_MIN);
  const bool hi = r.inputs[2].present || r.has(TILEOPS_ATTR_MAX);
  if (!lo && !hi) refuse_attributes("clamp needs 'min', 'max' or both, as operand or attribute");
}

// The value is taken in x's dtype.
void check_masked_fill(const Call& r) {
  const TensorSpec& value = r.inputs[2];
  if (value.present && value.ndim != 0)
    refuse_input(TILEOPS_STATUS_INVALID_ARGUMENT, 2, strf("value must be 0-d (got %d dimensions)", value.ndim));
  require_integer(r, TILEOPS_ATTR_VALUE, r.inputs[0].dtype);
}

// Throws if an operand is absent and nothing stands in for it. An absent bound is none.
void require_stand_ins(const Call& r) {
  if (r.op->lowering == Lowering::clamp) return;
  for (size_t i = 0; i < r.op->inputs.size(); ++i) {
    const OperandSpec& spec = r.op->inputs[i];
    if (r.inputs[i].present || spec.fallback == TILEOPS_ATTR_NONE || r.has(spec.fallback)) continue;
    refuse_input(TILEOPS_STATUS_INVALID_ARGUMENT, i,
                 strf("%s is absent and attribute '%s' is not given", spec.name.c_str(), attr_name(spec.fallback)));
  }
}

void require_shape(const TensorSpec& t, size_t output, const Space& space) {
  if (t.ndim == space.ndim() && std::equal(t.shape, t.shape + t.ndim, space.extents.data())) return;
  invalid("outputs[%zu]: shape is wrong (got %s, need %s)", output, shape_text(t.shape, t.ndim).c_str(),
          shape_text(space.extents.data(), space.ndim()).c_str());
}

}  // namespace

void require_outputs(const Call& r) {
  for (size_t i = 0; i < r.outputs.size(); ++i) {
    if (!r.outputs[i].present && !r.op->outputs[i].optional)
      invalid("outputs[%zu]: is absent, but %s needs it", i, r.op->name);
    const uint32_t set = r.outputs[i].present && !r.of_node ? dtype_set(r.outputs[i].dtype) : 0;
    if ((set & (kScale | kPacked)) && !(r.op->dtypes & set))
      unsupported("outputs[%zu]: %s does not give this dtype (got %s; cast converts to it)", i, r.op->name,
                  dtype_name(r.outputs[i].dtype));
  }
}

void check_call(const Call& r) {
  if (r.op->lowering == Lowering::clamp) check_clamp(r);
  refuse_attributes_beside_operands(r);
  require_stand_ins(r);
  const Ctype ctype = choose_ctype(r, promote_inputs(r));
  switch (r.op->lowering) {
    case Lowering::masked_fill: check_masked_fill(r); break;
    case Lowering::round: require_exact_decimals(r, ctype); break;
    case Lowering::prelu: check_prelu(r); break;
    case Lowering::rope: check_rope(r); break;
    case Lowering::dropout: check_dropout(r); break;
    case Lowering::alibi: check_alibi(r); break;
    case Lowering::sinusoidal: check_sinusoidal(r); break;
    case Lowering::map:
    case Lowering::cast:
    case Lowering::clamp:
    case Lowering::nan_to_num:
    case Lowering::gated:
    case Lowering::dropout_mask: break;
  }
  if (r.op->compute != Compute::promote || !(r.op->dtypes & kInt)) return;
  for (const AttrSpec& attr : r.op->attrs)
    if (attr.info.kind == TILEOPS_ATTR_F64) require_integer(r, attr.info.key, ctype_dtype(ctype));
}

Space check_outputs(const Call& r) {
  Space space = result_space(r);
  const bool chosen = r.op->lowering == Lowering::alibi || r.op->lowering == Lowering::sinusoidal;  // whatever they are
  for (size_t i = 0; i < r.outputs.size(); ++i) {
    const TensorSpec& t = r.outputs[i];
    if (!t.present) continue;
    const OperandSpec& spec = r.op->outputs[i];
    if (chosen && !is_float(t.dtype))
      unsupported("outputs[%zu]: %s gives a float (got %s)", i, r.op->name, dtype_name(t.dtype));
    require_shape(t, i, space);
    if (!spec.fixed.empty() && std::find(spec.fixed.begin(), spec.fixed.end(), t.dtype) == spec.fixed.end())
      unsupported("outputs[%zu]: %s has the wrong dtype (got %s, need %s)", i, spec.name.c_str(), dtype_name(t.dtype),
                  spec.fixed_text.c_str());
  }
  if (r.op->lowering == Lowering::cast && !is_scale(r.outputs[0].dtype) && r.integer(TILEOPS_ATTR_ROUNDING) != 0)
    refuse_attribute(r, TILEOPS_ATTR_ROUNDING,
                     strf("is for results of float8_e8m0fnu (got %s)", dtype_name(r.outputs[0].dtype)));
  return space;
}

}  // namespace tileops
