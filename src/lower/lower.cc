// Hands a call to its operator's lowering and completes what all lowerings share.
#include "lower/lower.h"

#include "lower/common.h"
#include "problem/packed.h"

namespace tileops {
namespace {

using LowerFn = Pass (*)(const Call&, const Space&, Problem*);

LowerFn lowering_of(Lowering lowering) {
  switch (lowering) {
    case Lowering::map:
    case Lowering::round: return lower_map;
    case Lowering::cast: return lower_cast;
    case Lowering::clamp: return lower_clamp;
    case Lowering::masked_fill: return lower_masked_fill;
    case Lowering::nan_to_num: return lower_nan_to_num;
    case Lowering::prelu: return lower_prelu;
    case Lowering::gated: return lower_gated;
    case Lowering::rope: return lower_rope;
    case Lowering::dropout: return lower_dropout;
    case Lowering::dropout_mask: return lower_dropout_mask;
    case Lowering::alibi: return lower_alibi;
    case Lowering::sinusoidal: return lower_sinusoidal;
  }
  return nullptr;
}

// The one step of an operator takes all loads but ids, and every store one of its results.
void connect(const Call& r, Pass* pass) {
  Step& step = pass->steps.front();
  const size_t loads = ids_begin(*pass), stores = pass->stores.size();
  if (step.body->operands.size() != loads || step.body->results.size() < stores)
    fail(TILEOPS_STATUS_INTERNAL, "op: %s: %s takes %zu operands and gives %zu, its lowering has %zu and %zu",
         r.op->name, step.body->name.c_str(), step.body->operands.size(), step.body->results.size(), loads, stores);
  for (size_t i = 0; i < loads; ++i) step.arguments.push_back({Value::Kind::load, static_cast<int>(i), 0});
  for (size_t i = 0; i < stores; ++i) pass->stored.push_back({Value::Kind::step, 0, static_cast<int>(i)});
}

// Rounds 0-d operands of a comparison where they have to be, by a conversion before it.
void round_compared(const Call& r, Pass* pass) {
  if (!is_compared(*r.op) || r.inner) return;
  for (size_t i = 0; i < 2; ++i) {
    const TensorSpec& other = r.inputs[1 - i];
    if (!rounds_for_comparison(r.inputs[i], other)) continue;
    Step conversion;
    conversion.to = other.dtype;
    conversion.ctype = compute_type(other.dtype);
    conversion.fp8 = default_fp8_mode(other.dtype);
    conversion.arguments = {pass->steps[0].arguments[i]};
    pass->steps[0].arguments[i] = {Value::Kind::step, 0, 0};
    pass->stored[0].index = 1;
    pass->steps.insert(pass->steps.begin(), std::move(conversion));
    return;  // the other one has dimensions
  }
}

}  // namespace

bool is_compared(const OpSpec& op) { return op.bool_result && op.compute == Compute::promote && op.inputs.size() == 2; }

bool rounds_for_comparison(const TensorSpec& zero_dim, const TensorSpec& other) {
  return zero_dim.present && other.present && zero_dim.ndim == 0 && other.ndim > 0 && is_narrow_float(other.dtype) &&
         zero_dim.dtype != other.dtype;
}

Pass lower_call(const Call& r, Problem* p) {
  require_outputs(r);
  if (!r.inner) check_call(r);  // of a formula's nodes inference has asked that
  Pass pass = lowering_of(r.op->lowering)(r, check_outputs(r), p);
  connect(r, &pass);
  round_compared(r, &pass);
  return pass;
}

void add_passes_of(const Call& r, Problem* p) {
  p->passes.push_back(lower_call(r, p));
  if (r.op->lowering != Lowering::rope) return;
  std::optional<Pass> tail = lower_tail_of_rope(r, check_outputs(r));
  if (!tail) return;
  connect(r, &*tail);
  p->passes.push_back(std::move(*tail));
}

namespace {

// The open extents along which the place of the largest or smallest element is sought.
std::vector<Extent> sought_along(const std::vector<Pass>& passes) {
  std::vector<Extent> extents;
  for (const Pass& pass : passes)
    for (const Step& s : pass.steps) {
      if (!s.reduces() || (s.reduction != Reduction::argmax && s.reduction != Reduction::argmin)) continue;
      for (size_t d = pass.extents.size() - s.rank; d < pass.extents.size(); ++d)
        if (pass.extents[d].is_open()) extents.push_back(pass.extents[d]);
    }
  return extents;
}

}  // namespace

Problem lower(const Request& r) {
  Problem p;
  if (r.formula) {
    p = r.formula->lower(r);
  } else {
    p.name = r.op->name;
    add_passes_of(r, &p);
  }
  for (const Pass& pass : p.passes) require_whole_bytes(pass);
  for (const Request::Open& open : r.open) p.most_extents.push_back(open.most);
  if (!r.open.empty()) p.not_empty = sought_along(p.passes);
  p.flags = r.flags;
  p.hint = r.hint;
  return p;
}

}  // namespace tileops
