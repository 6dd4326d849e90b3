// What the attributes of an operator that maps elements must be, given its operands. Inference asks for it, and so does
// every lowering of such operators.
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
    invalid("%s must be an integer for %s (got %.10g)", r.place(key).c_str(), dtype_name(dtype), v);
  }
  const double least = -std::ldexp(1.0, static_cast<int>(8 * dtype_size(dtype)) - 1);
  const bool fits = fit == Fit::saturates || integer_fits(v, fit == Fit::any ? Dtype::i64 : dtype) ||
                    (fit == Fit::wraps && v < 0 && v >= least);
  if (!fits) {
    invalid("%s is out of range for %s (got %.10g)", r.place(key).c_str(), dtype_name(dtype), v);
  }
}

// Powers of ten that the compute type does not hold would be rounded themselves, and with them the result once more.
void require_exact_decimals(const Call& r, Ctype ctype) {
  const int64_t decimals = r.integer(TILEOPS_ATTR_DECIMALS), most = ctype == Ctype::f32 ? 10 : 22;
  if (decimals < -most || decimals > most) {
    invalid("%s is out of range for %s (got %lld, need %lld to %lld)", r.place(TILEOPS_ATTR_DECIMALS).c_str(),
            ctype == Ctype::f32 ? "floats of at most 32 bits" : ctype_name(ctype), static_cast<long long>(decimals),
            static_cast<long long>(-most), static_cast<long long>(most));
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
  if (!lo && !hi) invalid("attrs: clamp needs 'min', 'max' or both, as operand or attribute");
}

// The value is taken in x's dtype.
void check_masked_fill(const Call& r) {
  const TensorSpec& value = r.inputs[2];
  if (value.present && value.ndim != 0) invalid("inputs[2]: value must be 0-d (got %d dimensions)", value.ndim);
  if (!value.present && !r.has(TILEOPS_ATTR_VALUE))
    invalid("inputs[2]: value is absent and attribute 'value' is not given");
  require_integer(r, TILEOPS_ATTR_VALUE, r.inputs[0].dtype);
}

}  // namespace

void check_call(const Call& r) {
  if (r.op->lowering == Lowering::clamp) check_clamp(r);
  refuse_attributes_beside_operands(r);
  const Ctype ctype = choose_ctype(r, promote_inputs(r));
  if (r.op->lowering == Lowering::masked_fill) check_masked_fill(r);
  if (r.op->lowering == Lowering::round) require_exact_decimals(r, ctype);
  if (r.op->compute != Compute::promote) return;
  for (const AttrSpec& attr : r.op->attrs)
    if (attr.info.kind == TILEOPS_ATTR_F64) require_integer(r, attr.info.key, ctype_dtype(ctype));
}

}  // namespace tileops
