/* Open plans, and addresses: what Go calls, as in shim.c. */
#include "shim_parts.h"

tileops_go_result tileops_go_plan_extent(const tileops_plan* plan, size_t i, int32_t* input, int32_t* axis,
                                         int64_t* most) {
  return tileops_go_result_of(tileops_plan_extent(plan, i, input, axis, most), NULL);
}

tileops_go_result tileops_go_plan_at(uintptr_t plan, const int64_t* extents, size_t count, tileops_plan_facts* out) {
  const tileops_plan_facts init = TILEOPS_PLAN_FACTS_INIT;
  *out = init;
  return tileops_go_result_of(tileops_plan_at((const tileops_plan*)plan, extents, count, out), NULL);
}

tileops_go_result tileops_go_plan_result(uintptr_t plan, const int64_t* extents, size_t count, size_t output,
                                         int64_t* layout) {
  DLDataType dtype = {0, 0, 0};
  DLDevice device = {kDLCPU, 0};
  int32_t ndim = 0;
  int64_t shape[TILEOPS_MAX_NDIM];
  size_t size = sizeof device;
  tileops_status status = tileops_plan_query((const tileops_plan*)plan, TILEOPS_PLAN_DEVICE, &device, &size);
  if (status == TILEOPS_STATUS_OK)
    status = tileops_plan_result((const tileops_plan*)plan, extents, count, output, &dtype, &ndim, shape);
  if (status == TILEOPS_STATUS_OK) tileops_go_fill_layout(dtype, device, ndim, shape, layout);
  return tileops_go_result_of(status, NULL);
}

tileops_go_result tileops_go_execute_addresses(uintptr_t plan, const uintptr_t* addresses, const int64_t* extents,
                                               const tileops_number* scalars, tileops_go_counts counts,
                                               uintptr_t workspace, uint64_t workspace_bytes, uintptr_t stream) {
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = counts.num_inputs;
  args.num_outputs = counts.num_outputs;
  args.num_scalars = counts.num_scalars;
  args.num_extents = counts.num_extents;
  args.output_ptrs = (void* const*)addresses;
  args.input_ptrs = (const void* const*)addresses + counts.num_outputs;
  args.scalars = scalars;
  args.extents = counts.num_extents > 0 ? extents : NULL; /* of a plan without open ones */
  args.stream = (void*)stream;
  args.workspace = (void*)workspace;
  args.workspace_bytes = workspace_bytes;
  return tileops_go_result_of(tileops_execute_with((const tileops_plan*)plan, &args), NULL);
}
