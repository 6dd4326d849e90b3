// build_problem: hands a request to its operator's rule and completes what all rules share.
#include <algorithm>

#include "core/rules/common.h"

namespace tileops {
namespace {

using RuleFn = void (*)(const Request&, Problem*);

RuleFn rule_fn(Rule rule) {
  switch (rule) {
    case Rule::map: return rule_map;
    case Rule::masked_fill: return rule_masked_fill;
    case Rule::nan_to_num: return rule_nan_to_num;
    case Rule::prelu: return rule_prelu;
    case Rule::gated: return rule_gated;
    case Rule::rope: return rule_rope;
    case Rule::dropout: return rule_dropout;
    case Rule::alibi: return rule_alibi;
    case Rule::sinusoidal: return rule_sinusoidal;
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

Problem build_problem(const Request& r) {
  for (int i = 0; i < r.num_outputs; ++i) {
    if (!r.outputs[i].present && !r.op->outputs[i].optional)
      invalid("outputs[%d]: is absent, but %s needs it", i, r.op->name);
  }
  Problem p;
  p.op = r.op;
  p.flags = r.flags;
  p.wish = r.wish;
  std::copy(std::begin(r.attrs), std::end(r.attrs), std::begin(p.attrs));
  p.fp8 = fp8_mode(r);
  rule_fn(r.op->rule)(r, &p);
  for (const Pass& pass : p.passes) {
    if (pass.num_body_loads != static_cast<int>(pass.loads.size()))
      fail(TILEOPS_STATUS_INTERNAL, "op: %s: %s takes %d operands, the rule gave %d", r.op->name,
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
  if (ctype == Ctype::f32 && r.op->rule != Rule::dropout) {
    for (size_t i = 0; i < r.op->attrs.size(); ++i)
      if (r.op->attrs[i].info.kind == TILEOPS_ATTR_F64)
        p.attrs[i].f64 = static_cast<float>(p.attrs[i].f64);
  }
  return p;
}

}  // namespace tileops
