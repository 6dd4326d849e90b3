#include "shim_parts.h"

#include <string.h>

tileops_go_result tileops_go_result_of(tileops_status status, void* value) {
  tileops_go_result r = {status, 0, -1, 0, NULL, value};
  if (status != TILEOPS_STATUS_OK) {
    r.driver_error = tileops_last_driver_error();
    r.offset = tileops_last_error_offset();
    r.message = strdup(tileops_last_error());
  }
  return r;
}

/* ------------------------------------------------------------------ operands -------------- */

DLDataType tileops_go_dtype_of(const int64_t* layout) {
  const int64_t bits = layout[TILEOPS_GO_DTYPE_BITS];
  DLDataType dtype = {(uint8_t)layout[TILEOPS_GO_DTYPE_CODE], (uint8_t)bits, tileops_go_lanes(bits)};
  return dtype;
}

DLDevice tileops_go_device_of(const int64_t* layout) {
  DLDevice device = {(DLDeviceType)layout[TILEOPS_GO_DEVICE_TYPE],
                     (int32_t)layout[TILEOPS_GO_DEVICE_ID]};
  return device;
}

static void* memory_of(const tileops_go_tensor* t) {
  if (t->layout == NULL) return NULL;
  return t->data != NULL ? (void*)t->data : (void*)(uintptr_t)t->layout[TILEOPS_GO_ADDRESS];
}

DLTensor* tileops_go_tensor_of(const tileops_go_tensor* t, DLTensor* out) {
  const int64_t* layout = t->layout;
  if (layout == NULL) return NULL;
  const int32_t ndim = (int32_t)layout[TILEOPS_GO_NDIM];
  out->data = memory_of(t);
  out->device = tileops_go_device_of(layout);
  out->ndim = ndim;
  out->dtype = tileops_go_dtype_of(layout);
  out->shape = (int64_t*)layout + TILEOPS_GO_WORDS;
  out->strides = out->shape + ndim;
  out->byte_offset = 0;
  return out;
}

typedef struct {
  DLTensor tensors[TILEOPS_MAX_INPUTS + TILEOPS_MAX_OUTPUTS];
  const DLTensor* inputs[TILEOPS_MAX_INPUTS];
  DLTensor* outputs[TILEOPS_MAX_OUTPUTS];
} tensor_lists;

static void make_tensors(const tileops_go_operands* operands, tensor_lists* lists) {
  DLTensor* next = lists->tensors;
  for (int32_t i = 0; i < operands->num_inputs; ++i)
    lists->inputs[i] = tileops_go_tensor_of(&operands->inputs[i], next++);
  for (int32_t i = 0; i < operands->num_outputs; ++i)
    lists->outputs[i] = tileops_go_tensor_of(&operands->outputs[i], next++);
}

/* ------------------------------------------------------------------ context --------------- */

uint32_t tileops_go_header_version(void) { return TILEOPS_VERSION; }

tileops_go_result tileops_go_context_create(const tileops_context_options* options, tileops_go_context_strings strings) {
  tileops_context_options o = *options;
  o.struct_size = sizeof o;
  o.cache_dir = strings.cache_dir;
  o.cpu_isa = strings.cpu_isa;
  o.pack_dirs = strings.pack_dirs;
  o.nvrtc_path = strings.nvrtc_path;
  tileops_context* ctx = NULL;
  const tileops_status status = tileops_context_create(&o, &ctx);
  return tileops_go_result_of(status, ctx);
}

tileops_go_result tileops_go_cache_stats(tileops_context* ctx, tileops_cache_stats* out) {
  out->struct_size = sizeof *out;
  return tileops_go_result_of(tileops_cache_stats_get(ctx, out), NULL);
}

tileops_go_result tileops_go_cache_clear(tileops_context* ctx, uint32_t which) {
  return tileops_go_result_of(tileops_cache_clear(ctx, which), NULL);
}

tileops_go_result tileops_go_cache_dir(tileops_context* ctx) {
  size_t size = 0;
  tileops_status status = tileops_cache_dir(ctx, NULL, &size);
  if (status != TILEOPS_STATUS_OK) return tileops_go_result_of(status, NULL);
  char* text = malloc(size);
  status = tileops_cache_dir(ctx, text, &size);
  return tileops_go_result_of(status, text);
}

tileops_go_result tileops_go_log_set(tileops_log_level level, int piped) {
  return tileops_go_result_of(tileops_log_set(piped ? tileops_go_log_write : NULL, NULL, level), NULL);
}

tileops_go_result tileops_go_op_describe(tileops_op op, tileops_op_info* out) {
  out->struct_size = sizeof *out;
  return tileops_go_result_of(tileops_op_describe(op, out), NULL);
}

tileops_go_result tileops_go_function_describe(tileops_op function, tileops_op_info* out) {
  out->struct_size = sizeof *out;
  return tileops_go_result_of(tileops_function_describe(function, out), NULL);
}

tileops_go_result tileops_go_device_describe(size_t i, tileops_device_info* out) {
  out->struct_size = sizeof *out;
  return tileops_go_result_of(tileops_device_describe(i, out), NULL);
}

/* ------------------------------------------------------------------ plans ----------------- */

typedef struct {
  tileops_plan_desc desc;
  tileops_tensor_desc inputs[TILEOPS_MAX_INPUTS];
  tileops_tensor_desc outputs[TILEOPS_MAX_OUTPUTS];
} plan_request;

void tileops_go_describe(const tileops_go_tensor* t, tileops_tensor_desc* out) {
  memset(out, 0, sizeof *out);
  if (t->layout == NULL) return; /* dtype.bits == 0: absent */
  out->dtype = tileops_go_dtype_of(t->layout);
  out->ndim = (int32_t)t->layout[TILEOPS_GO_NDIM];
  out->shape = t->layout + TILEOPS_GO_WORDS;
  out->strides = out->shape + out->ndim;
  if (out->ndim > 0 && out->strides[0] == TILEOPS_GO_ROW_MAJOR) out->strides = NULL;
}

static void make_request(tileops_op op, uint32_t flags, const tileops_go_operands* operands,
                         const tileops_attr* attrs, int32_t num_attrs, plan_request* request) {
  for (int32_t i = 0; i < operands->num_inputs; ++i)
    tileops_go_describe(&operands->inputs[i], &request->inputs[i]);
  for (int32_t i = 0; i < operands->num_outputs; ++i)
    tileops_go_describe(&operands->outputs[i], &request->outputs[i]);
  const tileops_plan_desc init = TILEOPS_PLAN_DESC_INIT;
  tileops_plan_desc* desc = &request->desc;
  *desc = init;
  desc->op = op;
  /* The outputs say where the operator runs: inputs of no dimensions may lie in host memory. */
  if (operands->num_outputs > 0 && operands->outputs[0].layout != NULL)
    desc->device = tileops_go_device_of(operands->outputs[0].layout);
  desc->num_inputs = operands->num_inputs;
  desc->num_outputs = operands->num_outputs;
  desc->num_attrs = num_attrs;
  desc->flags = flags;
  desc->inputs = request->inputs;
  desc->outputs = request->outputs;
  desc->attrs = attrs;
}

tileops_go_result tileops_go_plan_check(tileops_context* ctx, tileops_op op, uint32_t flags,
                                        tileops_go_operands operands, const tileops_attr* attrs,
                                        int32_t num_attrs) {
  plan_request request;
  make_request(op, flags, &operands, attrs, num_attrs, &request);
  return tileops_go_result_of(tileops_plan_check(ctx, &request.desc), NULL);
}

tileops_go_result tileops_go_plan_create(tileops_context* ctx, tileops_op op, uint32_t flags,
                                         tileops_go_operands operands, const tileops_attr* attrs,
                                         int32_t num_attrs) {
  plan_request request;
  make_request(op, flags, &operands, attrs, num_attrs, &request);
  tileops_plan* plan = NULL;
  const tileops_status status = tileops_plan_create(ctx, &request.desc, &plan);
  return tileops_go_result_of(status, plan);
}

/* Defined in tune.go. */
extern int32_t tileopsGoTuneProgress(uintptr_t progress, tileops_tune_progress* candidate);

static int32_t report(void* progress, const tileops_tune_progress* candidate) {
  tileops_tune_progress copy = *candidate;
  return tileopsGoTuneProgress((uintptr_t)progress, &copy);
}

tileops_go_result tileops_go_tune(tileops_context* ctx, tileops_op op, uint32_t flags,
                                  tileops_go_operands operands, const tileops_attr* attrs,
                                  int32_t num_attrs, uintptr_t progress, tileops_tune_result* out) {
  plan_request request;
  make_request(op, flags, &operands, attrs, num_attrs, &request);
  out->struct_size = sizeof *out;
  return tileops_go_result_of(tileops_tune(ctx, &request.desc, report, (void*)progress, out), NULL);
}

tileops_go_result tileops_go_plan_query(const tileops_plan* plan, tileops_plan_prop prop,
                                        size_t* size) {
  tileops_status status = tileops_plan_query(plan, prop, NULL, size);
  if (status != TILEOPS_STATUS_OK) return tileops_go_result_of(status, NULL);
  void* value = malloc(*size);
  status = tileops_plan_query(plan, prop, value, size);
  if (value == NULL) *size = 0; /* out of memory: an empty property */
  return tileops_go_result_of(status, value);
}

/* ------------------------------------------------------------------ execution ------------- */

static tileops_status execute(const tileops_plan* plan, const tileops_go_operands* operands,
                              uintptr_t stream) {
  tensor_lists lists;
  make_tensors(operands, &lists);
  return tileops_execute(plan, lists.inputs, (size_t)operands->num_inputs, lists.outputs,
                         (size_t)operands->num_outputs, (void*)stream);
}

tileops_go_result tileops_go_execute(uintptr_t plan, tileops_go_operands operands,
                                     uintptr_t stream) {
  return tileops_go_result_of(execute((const tileops_plan*)plan, &operands, stream), NULL);
}

tileops_go_result tileops_go_execute_few(uintptr_t plan, tileops_go_few few, uintptr_t stream) {
  DLTensor tensors[TILEOPS_GO_FEW];
  DLTensor* list[TILEOPS_GO_FEW];
  for (int32_t i = 0; i < TILEOPS_GO_FEW; ++i) list[i] = tileops_go_tensor_of(&few.tensors[i], &tensors[i]);
  return tileops_go_result_of(tileops_execute((const tileops_plan*)plan,
                                (const DLTensor* const*)list + few.num_outputs,
                                (size_t)few.num_inputs, list, (size_t)few.num_outputs,
                                (void*)stream), NULL);
}

tileops_go_result tileops_go_execute_unchecked(uintptr_t plan, tileops_go_operands operands,
                                               uintptr_t stream) {
  const void* inputs[TILEOPS_MAX_INPUTS];
  void* outputs[TILEOPS_MAX_OUTPUTS];
  /* All of them: the library reads as many as the plan has. */
  for (int32_t i = 0; i < TILEOPS_MAX_INPUTS; ++i) inputs[i] = memory_of(&operands.inputs[i]);
  for (int32_t i = 0; i < TILEOPS_MAX_OUTPUTS; ++i) outputs[i] = memory_of(&operands.outputs[i]);
  return tileops_go_result_of(tileops_execute_ptrs((const tileops_plan*)plan, inputs, outputs,
                                     (void*)stream), NULL);
}

tileops_go_result tileops_go_call(uintptr_t ctx, tileops_op op, uint32_t flags,
                                  tileops_go_operands operands, const tileops_attr* attrs,
                                  int32_t num_attrs, uintptr_t stream) {
  plan_request request;
  make_request(op, flags, &operands, attrs, num_attrs, &request);
  tileops_plan* plan = NULL;
  tileops_status status = tileops_plan_create((tileops_context*)ctx, &request.desc, &plan);
  if (status == TILEOPS_STATUS_OK) status = execute(plan, &operands, stream);
  const tileops_go_result r = tileops_go_result_of(status, NULL);
  tileops_plan_destroy(plan);
  return r;
}

/* ------------------------------------------------------------------ memory, streams ------- */

tileops_go_result tileops_go_tensor_alloc(tileops_context* ctx, const int64_t* layout) {
  struct DLManagedTensorVersioned* managed = NULL;
  const tileops_status status = tileops_tensor_alloc(
      ctx, tileops_go_device_of(layout), tileops_go_dtype_of(layout), (int32_t)layout[TILEOPS_GO_NDIM],
      layout + TILEOPS_GO_WORDS, &managed);
  return tileops_go_result_of(status, managed);
}

tileops_go_result tileops_go_tensor_copy(tileops_context* ctx, tileops_go_tensor src,
                                         tileops_go_tensor dst, uintptr_t stream) {
  DLTensor from, to;
  return tileops_go_result_of(tileops_tensor_copy(ctx, tileops_go_tensor_of(&src, &from), tileops_go_tensor_of(&dst, &to),
                                    (void*)stream), NULL);
}

static DLDevice device(int32_t type, int32_t id) {
  DLDevice d = {(DLDeviceType)type, id};
  return d;
}

tileops_go_result tileops_go_stream_create(tileops_context* ctx, int32_t device_type,
                                           int32_t device_id) {
  void* stream = NULL;
  const tileops_status status = tileops_stream_create(ctx, device(device_type, device_id), &stream);
  return tileops_go_result_of(status, stream);
}

tileops_go_result tileops_go_stream_destroy(tileops_context* ctx, int32_t device_type,
                                            int32_t device_id, uintptr_t stream) {
  return tileops_go_result_of(tileops_stream_destroy(ctx, device(device_type, device_id), (void*)stream), NULL);
}

tileops_go_result tileops_go_stream_synchronize(tileops_context* ctx, int32_t device_type,
                                                int32_t device_id, uintptr_t stream) {
  return tileops_go_result_of(tileops_stream_synchronize(ctx, device(device_type, device_id), (void*)stream),
                NULL);
}
