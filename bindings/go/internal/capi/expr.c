/* Expressions: what Go calls, as in shim.c. */
#include "shim_parts.h"

#include <string.h>

tileops_go_result tileops_go_expr_parse(const char* text, size_t length) {
  tileops_expr* expr = NULL;
  const tileops_status status = tileops_expr_parse(text, length, &expr);
  return tileops_go_result_of(status, expr);
}

tileops_go_result tileops_go_expr_named(const char* name) {
  tileops_expr* expr = NULL;
  const tileops_status status = tileops_expr_named(name, &expr);
  return tileops_go_result_of(status, expr);
}

tileops_go_result tileops_go_expr_describe(const tileops_expr* expr, tileops_expr_info* info) {
  info->struct_size = sizeof *info;
  return tileops_go_result_of(tileops_expr_describe(expr, info), NULL);
}

tileops_go_result tileops_go_expr_text(const tileops_expr* expr) {
  size_t size = 0;
  tileops_status status = tileops_expr_text(expr, NULL, &size);
  if (status != TILEOPS_STATUS_OK) return tileops_go_result_of(status, NULL);
  char* text = malloc(size);
  status = tileops_expr_text(expr, text, &size);
  return tileops_go_result_of(status, text);
}

tileops_go_result tileops_go_expr_gradient(const tileops_expr* expr, const int32_t* operands, size_t num_operands) {
  tileops_expr* out = NULL;
  const tileops_status status = tileops_expr_gradient(expr, operands, num_operands, &out);
  return tileops_go_result_of(status, out);
}

tileops_go_result tileops_go_builder_create(tileops_builder** out) {
  return tileops_go_result_of(tileops_builder_create(out), NULL);
}

tileops_go_result tileops_go_builder_finish(tileops_builder* builder) {
  tileops_expr* expr = NULL;
  const tileops_status status = tileops_builder_finish(builder, &expr);
  return tileops_go_result_of(status, expr);
}

typedef struct {
  tileops_plan_desc desc;
  tileops_tensor_desc inputs[TILEOPS_MAX_EXPR_INPUTS];
  tileops_tensor_desc outputs[TILEOPS_MAX_EXPR_OUTPUTS];
} expr_request;

static void make_request(const tileops_expr* expr, uint32_t flags, const tileops_go_many* operands,
                         const int64_t* where, expr_request* request) {
  for (int32_t i = 0; i < operands->num_inputs; ++i)
    tileops_go_describe(&operands->inputs[i], &request->inputs[i]);
  for (int32_t i = 0; i < operands->num_outputs; ++i)
    tileops_go_describe(&operands->outputs[i], &request->outputs[i]);
  const tileops_plan_desc init = TILEOPS_PLAN_DESC_INIT;
  tileops_plan_desc* desc = &request->desc;
  *desc = init;
  if (where != NULL) desc->device = tileops_go_device_of(where);
  desc->num_inputs = operands->num_inputs;
  desc->num_outputs = operands->num_outputs;
  desc->flags = flags;
  desc->inputs = request->inputs;
  desc->outputs = request->outputs;
  desc->expr = expr;
}

tileops_go_result tileops_go_expr_plan(tileops_context* ctx, const tileops_expr* expr, uint32_t flags,
                                       tileops_go_many operands, int32_t check) {
  expr_request request;
  make_request(expr, flags, &operands, operands.num_outputs > 0 ? operands.outputs[0].layout : NULL, &request);
  tileops_plan* plan = NULL;
  const tileops_status status =
      check ? tileops_plan_check(ctx, &request.desc) : tileops_plan_create(ctx, &request.desc, &plan);
  return tileops_go_result_of(status, plan);
}

void tileops_go_fill_layout(DLDataType dtype, DLDevice device, int32_t ndim, const int64_t* shape, int64_t* layout) {
  layout[TILEOPS_GO_NDIM] = ndim;
  layout[TILEOPS_GO_DTYPE_CODE] = dtype.code;
  layout[TILEOPS_GO_DTYPE_BITS] = dtype.bits;
  layout[TILEOPS_GO_DEVICE_TYPE] = (int64_t)device.device_type;
  layout[TILEOPS_GO_DEVICE_ID] = device.device_id;
  if (ndim == 0) return;
  memcpy(layout + TILEOPS_GO_WORDS, shape, (size_t)ndim * sizeof *shape);
  int64_t* last = layout + TILEOPS_GO_WORDS + ndim - 1;
  const int64_t lanes = tileops_go_lanes(dtype.bits);
  if (*last > 0) *last = (*last + lanes - 1) / lanes; /* an open extent is negative */
}

tileops_go_result tileops_go_expr_infer(const tileops_expr* expr, tileops_go_many operands, size_t output,
                                        int64_t* layout) {
  const int64_t* where = NULL;
  for (int32_t i = 0; i < operands.num_inputs && where == NULL; ++i) where = operands.inputs[i].layout;
  expr_request request;
  make_request(expr, 0, &operands, where, &request);
  DLDataType dtype = {0, 0, 0};
  int32_t ndim = 0;
  int64_t shape[TILEOPS_MAX_NDIM];
  const tileops_status status = tileops_plan_infer(&request.desc, output, &dtype, &ndim, shape);
  if (status == TILEOPS_STATUS_OK) tileops_go_fill_layout(dtype, request.desc.device, ndim, shape, layout);
  return tileops_go_result_of(status, NULL);
}

tileops_go_result tileops_go_expr_device_function(const tileops_expr* expr, uint32_t flags, tileops_go_many operands,
                                                  const char* name) {
  const int64_t* where = NULL;
  for (int32_t i = 0; i < operands.num_inputs && where == NULL; ++i) where = operands.inputs[i].layout;
  expr_request request;
  make_request(expr, flags, &operands, where, &request);
  size_t size = 0;
  tileops_status status = tileops_plan_device_function(&request.desc, name, NULL, &size);
  if (status != TILEOPS_STATUS_OK) return tileops_go_result_of(status, NULL);
  char* text = malloc(size);
  status = tileops_plan_device_function(&request.desc, name, text, &size);
  return tileops_go_result_of(status, text);
}

tileops_go_result tileops_go_plan_parts(const tileops_plan* plan, int32_t* phases, int32_t* parts) {
  size_t size = sizeof *phases;
  tileops_status status = tileops_plan_query(plan, TILEOPS_PLAN_NUM_PASSES, phases, &size);
  if (status == TILEOPS_STATUS_OK) status = tileops_plan_query(plan, TILEOPS_PLAN_NUM_PARTS, parts, &size);
  return tileops_go_result_of(status, NULL);
}

tileops_go_result tileops_go_plan_workspace(const tileops_plan* plan, uint64_t* bytes) {
  size_t size = sizeof *bytes;
  return tileops_go_result_of(tileops_plan_query(plan, TILEOPS_PLAN_WORKSPACE_BYTES, bytes, &size), NULL);
}

/* What an execute takes, made of what Go gives. */
typedef struct {
  DLTensor tensors[TILEOPS_MAX_EXPR_INPUTS + TILEOPS_MAX_EXPR_OUTPUTS];
  const DLTensor* inputs[TILEOPS_MAX_EXPR_INPUTS];
  DLTensor* outputs[TILEOPS_MAX_EXPR_OUTPUTS];
  tileops_execute_args args;
} execution;

static void make_execution(const tileops_go_many* operands, const tileops_number* scalars, uint32_t num_scalars,
                           uintptr_t workspace, uint64_t workspace_bytes, execution* e) {
  DLTensor* next = e->tensors;
  for (int32_t i = 0; i < operands->num_inputs; ++i) e->inputs[i] = tileops_go_tensor_of(&operands->inputs[i], next++);
  for (int32_t i = 0; i < operands->num_outputs; ++i)
    e->outputs[i] = tileops_go_tensor_of(&operands->outputs[i], next++);
  const tileops_execute_args init = TILEOPS_EXECUTE_ARGS_INIT;
  e->args = init;
  e->args.num_inputs = (uint32_t)operands->num_inputs;
  e->args.num_outputs = (uint32_t)operands->num_outputs;
  e->args.num_scalars = num_scalars;
  e->args.inputs = e->inputs;
  e->args.outputs = e->outputs;
  e->args.scalars = scalars;
  e->args.workspace = (void*)workspace;
  e->args.workspace_bytes = workspace_bytes;
}

tileops_go_result tileops_go_execute_with(uintptr_t plan, tileops_go_many operands, const tileops_number* scalars,
                                          uint32_t num_scalars, uintptr_t workspace, uint64_t workspace_bytes,
                                          uintptr_t stream) {
  execution e;
  make_execution(&operands, scalars, num_scalars, workspace, workspace_bytes, &e);
  e.args.stream = (void*)stream;
  return tileops_go_result_of(tileops_execute_with((const tileops_plan*)plan, &e.args), NULL);
}

tileops_go_result tileops_go_execute_part(uintptr_t plan, tileops_go_many operands, const tileops_number* scalars,
                                          uint32_t num_scalars, uintptr_t workspace, uint64_t workspace_bytes,
                                          tileops_go_part part) {
  execution e;
  make_execution(&operands, scalars, num_scalars, workspace, workspace_bytes, &e);
  const tileops_status status =
      tileops_execute_part((const tileops_plan*)plan, &e.args, part.phase, part.part, part.parts);
  return tileops_go_result_of(status, NULL);
}
