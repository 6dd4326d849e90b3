// lower: hands a request to its operator's lowering and completes what all lowerings share.
#include <algorithm>

#include "lower/common.h"

namespace tileops {
namespace {

using LowerFn = void (*)(const Request&, Problem*);

LowerFn lowering_of(Lowering lowering) {
  switch (lowering) {
    case Lowering::map: return lower_map;
    case Lowering::masked_fill: return lower_masked_fill;
    case Lowering::nan_to_num: return lower_nan_to_num;
    case Lowering::prelu: return lower_prelu;
    case Lowering::gated: return lower_gated;
    case Lowering::rope: return lower_rope;
    case Lowering::dropout: return lower_dropout;
    case Lowering::alibi: return lower_alibi;
    case Lowering::sinusoidal: return lower_sinusoidal;
  }
  return nullptr;
}

Fp8Mode fp8_mode(const Request& r) {
  const int i = r.op->attr_index(TILEOPS_ATTR_FP8_OVERFLOW);
  if (i >= 0 && r.attr_given[i])
    return r.attrs[i].i64 == 0 ? Fp8Mode::saturate : Fp8Mode::nonsaturating;
  return r.outputs[0].dtype == Dtype::e4m3fn ? Fp8Mode::saturate : Fp8Mode::nonsaturating;
}

}  // namespace

Problem lower(const Request& r) {
  for (int i = 0; i < r.num_outputs; ++i) {
    if (!r.outputs[i].present && !r.op->outputs[i].optional)
      invalid("outputs[%d]: is absent, but %s needs it", i, r.op->name);
    if (r.outputs[i].present && is_scale(r.outputs[i].dtype) && !(r.op->dtypes & kScale))
      unsupported("outputs[%d]: %s does not give this dtype (got %s; cast converts to it)", i,
                  r.op->name, dtype_name(r.outputs[i].dtype));
  }
  Problem p;
  p.op = r.op;
  p.flags = r.flags;
  p.hint = r.hint;
  std::copy(std::begin(r.attrs), std::end(r.attrs), std::begin(p.attrs));
  p.fp8 = fp8_mode(r);
  lowering_of(r.op->lowering)(r, &p);
  for (const Pass& pass : p.passes) {
    if (pass.num_body_loads != static_cast<int>(pass.loads.size()))
      fail(TILEOPS_STATUS_INTERNAL, "op: %s: %s takes %d operands, its lowering gave %d", r.op->name,
           pass.body.c_str(), pass.num_body_loads, static_cast<int>(pass.loads.size()));
  }
  for (int i = 0; i < r.num_inputs; ++i)
    if (r.inputs[i].present) p.bytes_moved += r.inputs[i].numel() * dtype_size(r.inputs[i].dtype);
  for (int i = 0; i < r.num_outputs; ++i)
    if (r.outputs[i].present)
      p.bytes_moved += r.outputs[i].numel() * dtype_size(r.outputs[i].dtype);
  // f32 bodies and their f64 repair of narrow results must see the same attributes. Dropout's
  // probability is compared as an integer and stays as given.
  const Ctype ctype = p.passes.empty() ? Ctype::f32 : p.passes[0].ctype;
  if (ctype == Ctype::f32 && r.op->lowering != Lowering::dropout) {
    for (size_t i = 0; i < r.op->attrs.size(); ++i)
      if (r.op->attrs[i].info.kind == TILEOPS_ATTR_F64)
        p.attrs[i].f64 = static_cast<float>(p.attrs[i].f64);
  }
  return p;
}

}  // namespace tileops
