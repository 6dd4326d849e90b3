// Shape and dtype of an operator's result, from its operands.
#include <algorithm>

#include "lower/common.h"
#include "lower/lower.h"
#include "problem/request.h"

namespace tileops {
namespace {

// One packed operand (..., 2N) gives (..., N).
Space unpacked(const Call& r) {
  const TensorSpec& x = r.inputs[0];
  if (x.ndim < 1)
    refuse_input(TILEOPS_STATUS_INVALID_ARGUMENT, 0, "packed gate and value need at least one dimension (got 0-d)");
  const int64_t last = x.shape[x.ndim - 1];
  if (last % 2) {
    refuse_input(TILEOPS_STATUS_INVALID_ARGUMENT, 0,
                 strf("last dimension must be even to hold gate and value (got %lld)", static_cast<long long>(last)));
  }
  Space space = broadcast_inputs(r, 1);
  space.extents.back() /= 2;
  return space;
}

Dtype float_of(Dtype t) { return is_float(t) ? t : Dtype::f32; }

}  // namespace

Space result_space(const Call& r) {
  switch (r.op->lowering) {
    case Lowering::map:
    case Lowering::cast:
    case Lowering::clamp:
    case Lowering::round: return broadcast_inputs(r, r.inputs.size());
    case Lowering::masked_fill: return broadcast_inputs(r, 2);
    case Lowering::gated: return r.inputs[1].present ? broadcast_inputs(r, 2) : unpacked(r);
    case Lowering::nan_to_num:
    case Lowering::prelu:
    case Lowering::rope:
    case Lowering::dropout:
    case Lowering::dropout_mask: return broadcast_inputs(r, 1);
    case Lowering::alibi:
    case Lowering::sinusoidal: break;  // any shape may be asked for
  }
  const TensorSpec& y = r.outputs[0];
  if (!y.present) invalid("outputs[0]: is absent, but says the shape of %s's result", r.op->name);
  return {{y.shape, y.shape + y.ndim}};
}

Dtype result_dtype(const Call& r) {
  if (r.op->bool_result) return Dtype::boolean;
  if (r.op->lowering == Lowering::alibi || r.op->lowering == Lowering::sinusoidal)
    return r.outputs[0].present ? r.outputs[0].dtype : Dtype::f32;
  const Dtype promoted = promote_inputs(r);
  if (r.op->lowering == Lowering::masked_fill) return r.inputs[0].dtype;  // value takes x's
  if (r.op->compute == Compute::to_float) return float_of(promoted);
  if (r.op->compute == Compute::quotient && r.integer(TILEOPS_ATTR_ROUNDING) == 0) return float_of(promoted);
  return promoted;
}

TensorSpec infer_result(const Request& request, int output) {
  if (request.formula) {
    const std::vector<TensorSpec> results = request.formula->infer(request);
    if (output < 0 || static_cast<size_t>(output) >= results.size())
      invalid("output: the expression has no such result (got %d, need 0 to %zu)", output, results.size() - 1);
    if (!results[static_cast<size_t>(output)].present)
      invalid("output: result %d is a scatter, which has the shape of the output that it is given", output);
    return results[static_cast<size_t>(output)];
  }
  const OpSpec& op = *request.op;
  if (output < 0 || output >= static_cast<int>(op.outputs.size())) {
    invalid("output: %s has no such result (got %d, need 0 to %zu)", op.name, output, op.outputs.size() - 1);
  }
  Call r = request;
  const Space space = result_space(r);
  const int count = std::max(output + 1, op.min_outputs);
  for (int i = 0; i < count; ++i) {
    const auto& fixed = op.outputs[i].fixed;
    const Dtype dtype = fixed.empty() ? result_dtype(r) : fixed[0];
    r.outputs[i] = row_major_tensor(dtype, space.extents.data(), space.ndim(), strf("outputs[%d]", i).c_str());
  }
  // Outputs after the inferred one are left unchecked: the caller did not ask for them.
  std::fill(r.outputs.begin() + count, r.outputs.end(), TensorSpec{});
  require_outputs(r);
  check_call(r);
  check_outputs(r);
  return r.outputs[output];
}

}  // namespace tileops
