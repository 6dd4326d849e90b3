// Open plans: which extents they have, and what an execute is at given ones.
#include <algorithm>

#include "api/guard.h"
#include "api/handles.h"

using namespace tileops;
using namespace tileops::api;

tileops_status tileops_plan_extent(const tileops_plan* handle, size_t i, int32_t* input, int32_t* axis, int64_t* most) {
  return guard("tileops_plan_extent", [&] {
    const std::vector<Request::Open>& open = plan_of(handle).request().open;
    if (i >= open.size()) invalid("i: is out of range (got %zu, and the plan has %zu open extents)", i, open.size());
    if (input) *input = open[i].input;
    if (axis) *axis = open[i].axis;
    if (most) *most = open[i].most;
  });
}

tileops_status tileops_plan_at(const tileops_plan* handle, const int64_t* extents, size_t num_extents,
                               tileops_plan_facts* out) {
  return guard("tileops_plan_at", [&] {
    const Plan& plan = plan_of(handle);
    if (!out) invalid("out: is NULL");
    known_size(out, "out");
    plan.check_extents(extents, num_extents);
    tileops_plan_facts facts = TILEOPS_PLAN_FACTS_INIT;
    facts.phases = static_cast<uint32_t>(plan.executable().num_passes());
    facts.parts = static_cast<uint32_t>(std::min<size_t>(plan.executable().num_parts(extents), UINT32_MAX));
    facts.way = static_cast<uint32_t>(plan.executable().way(extents));
    facts.workspace_bytes = plan.workspace_bytes(extents);
    facts.bytes_moved = plan.bytes_moved(extents);
    write_struct(out, "out", facts);
  });
}

tileops_status tileops_plan_result(const tileops_plan* handle, const int64_t* extents, size_t num_extents,
                                   size_t output, DLDataType* dtype, int32_t* ndim, int64_t* shape) {
  return guard("tileops_plan_result", [&] {
    const Plan& plan = plan_of(handle);
    if (!dtype) invalid("dtype: is NULL");
    if (!ndim) invalid("ndim: is NULL");
    if (!shape) invalid("shape: is NULL");
    const Request& r = plan.request();
    if (output >= static_cast<size_t>(r.num_outputs))
      invalid("output: is out of range (got %zu, need less than %d)", output, r.num_outputs);
    const TensorSpec& result = r.outputs[output];
    if (!result.present) invalid("output: is absent (got %zu)", output);
    plan.check_extents(extents, num_extents);
    *dtype = dtype_to_dl(result.dtype);
    *ndim = result.ndim;
    std::transform(result.shape, result.shape + result.ndim, shape, [&](const Extent& n) { return n.at(extents); });
  });
}
