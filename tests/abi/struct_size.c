/* Programs compiled with an older or newer header. Every struct that begins with struct_size is
 * passed
 *   cut short, as by an older client: accepted; what lies behind is neither read nor written;
 *   with unknown members that are zero, as by a newer client that does not use them: accepted;
 *   with an unknown member that is set: TILEOPS_STATUS_VERSION, and nothing happens;
 *   with struct_size 0: refused.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <tileops/tileops.h>

enum { FILL = 0xa5, TAIL = 24, ROOM = 512 };

/* A call that takes the struct at `bytes`. */
typedef tileops_status (*call_fn)(void* bytes);

struct subject {
  const char* name;
  const void* init; /* valid content of the whole struct */
  size_t size;
  size_t cut; /* a size that an older header could have had: a multiple of 8 */
  int output; /* written by the library, else only read */
  call_fn call;
};

static int failures = 0;

static void expect(int ok, const struct subject* s, const char* what, tileops_status status) {
  if (ok) return;
  fprintf(stderr, "%s: %s (%s: %s)\n", s->name, what, tileops_status_name(status), tileops_last_error());
  ++failures;
}

static int all_bytes(const unsigned char* bytes, size_t from, size_t to, int value) {
  size_t i;
  for (i = from; i < to; ++i)
    if (bytes[i] != value) return 0;
  return 1;
}

/* Room that is aligned for any struct. */
static union {
  unsigned char bytes[ROOM];
  double align_d;
  void* align_p;
} room, before;

/* Fills the room with the first `size` bytes of the subject, `tail` after its known end, and
 * `fill` in everything else. */
static void prepare(const struct subject* s, uint32_t size, int tail, int fill) {
  const size_t known = size < s->size ? size : s->size;
  memset(room.bytes, fill, ROOM);
  if (size > s->size) memset(room.bytes + s->size, tail, size - s->size);
  memcpy(room.bytes, s->init, known ? known : sizeof size);
  memcpy(room.bytes, &size, sizeof size);
  before = room;
}

static int unchanged(void) { return memcmp(&room, &before, sizeof room) == 0; }

static void test(const struct subject* s) {
  tileops_status status;

  prepare(s, (uint32_t)s->cut, 0, FILL);
  status = s->call(room.bytes);
  expect(status == TILEOPS_STATUS_OK, s, "older client refused", status);
  expect(all_bytes(room.bytes, s->cut, ROOM, FILL), s, "wrote beyond struct_size", status);
  expect(memcmp(&room, &before, sizeof(uint32_t)) == 0, s, "changed struct_size", status);
  if (s->output) expect(!unchanged(), s, "older client got nothing", status);
  else expect(unchanged(), s, "changed an input", status);

  prepare(s, (uint32_t)(s->size + TAIL), 0, FILL);
  status = s->call(room.bytes);
  expect(status == TILEOPS_STATUS_OK, s, "newer client, zero tail: refused", status);
  expect(all_bytes(room.bytes, s->size, s->size + TAIL, 0), s, "wrote into the zero tail", status);
  expect(all_bytes(room.bytes, s->size + TAIL, ROOM, FILL), s, "wrote beyond the tail", status);

  prepare(s, (uint32_t)(s->size + TAIL), 0, FILL);
  room.bytes[s->size + TAIL - 1] = 1;
  before = room;
  status = s->call(room.bytes);
  expect(status == TILEOPS_STATUS_VERSION, s, "newer client, set tail: not VERSION", status);
  expect(unchanged(), s, "newer client, set tail: written", status);

  prepare(s, 0, 0, FILL);
  status = s->call(room.bytes);
  expect(status != TILEOPS_STATUS_OK, s, "struct_size 0: accepted", status);
  expect(unchanged(), s, "struct_size 0: written", status);
}

static tileops_status call_options(void* p) {
  tileops_context* context = (tileops_context*)&room;
  const tileops_status status = tileops_context_create((const tileops_context_options*)p, &context);
  if ((status == TILEOPS_STATUS_OK) != (context != NULL)) {
    fprintf(stderr, "context_create: handle and status disagree\n");
    ++failures;
  }
  if (status == TILEOPS_STATUS_OK) tileops_context_destroy(context);
  return status;
}

static tileops_status call_plan(void* p) {
  tileops_plan* plan = (tileops_plan*)&room;
  const tileops_status checked = tileops_plan_check(NULL, (const tileops_plan_desc*)p);
  const tileops_status status = tileops_plan_create(NULL, (const tileops_plan_desc*)p, &plan);
  if (checked != status || (status == TILEOPS_STATUS_OK) != (plan != NULL)) {
    fprintf(stderr, "plan_create: handle, status and plan_check disagree\n");
    ++failures;
  }
  if (status == TILEOPS_STATUS_OK) tileops_plan_destroy(plan);
  return status;
}

static tileops_status call_op(void* p) { return tileops_op_describe(TILEOPS_OP_GELU, (tileops_op_info*)p); }
static tileops_status call_device(void* p) { return tileops_device_describe(0, (tileops_device_info*)p); }
static tileops_status call_stats(void* p) { return tileops_cache_stats_get(NULL, (tileops_cache_stats*)p); }

/* An expression of one operator, and a plan of it; made once and left to the process. */
static const tileops_expr* relu(void) {
  static tileops_expr* expr;
  if (!expr) tileops_expr_parse("(x) -> relu(x)", 14, &expr);
  return expr;
}

static tileops_status call_named(void* p) { return tileops_expr_named_at(0, (tileops_named_expr_info*)p); }
static tileops_status call_expr(void* p) { return tileops_expr_describe(relu(), (tileops_expr_info*)p); }

static tileops_status call_node(void* p) { return tileops_expr_node(relu(), 1, (tileops_node_info*)p); }

static tileops_status call_execute(void* p) {
  static const int64_t shape[2] = {2, 3};
  static tileops_plan* plan;
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  tileops_tensor_desc tensor;
  memset(&tensor, 0, sizeof tensor);
  tensor.dtype.code = kDLFloat;
  tensor.dtype.bits = 32;
  tensor.dtype.lanes = 1;
  tensor.ndim = 2;
  tensor.shape = shape;
  desc.num_inputs = desc.num_outputs = 1;
  desc.inputs = desc.outputs = &tensor;
  desc.expr = relu();
  if (!plan) tileops_plan_create(NULL, &desc, &plan);
  return tileops_execute_with(plan, (const tileops_execute_args*)p);
}

int main(void) {
  const tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  const tileops_op_info op_info = TILEOPS_OP_INFO_INIT;
  const tileops_device_info device_info = TILEOPS_DEVICE_INFO_INIT;
  tileops_cache_stats stats = TILEOPS_CACHE_STATS_INIT;
  tileops_plan_desc plan = TILEOPS_PLAN_DESC_INIT;
  const int64_t shape[2] = {2, 3};
  const tileops_expr_info expr_info = TILEOPS_EXPR_INFO_INIT;
  tileops_node_info node_info = TILEOPS_NODE_INFO_INIT;
  const tileops_named_expr_info named_info = TILEOPS_NAMED_EXPR_INFO_INIT;
  tileops_execute_args execute = TILEOPS_EXECUTE_ARGS_INIT;
  float values[6] = {0};
  int64_t extents[2] = {2, 3};
  DLTensor memory;
  const DLTensor* inputs[] = {&memory};
  DLTensor* outputs[] = {&memory};
  tileops_tensor_desc tensor;
  size_t i;

  memset(&tensor, 0, sizeof tensor);
  tensor.dtype.code = kDLFloat;
  tensor.dtype.bits = 32;
  tensor.dtype.lanes = 1;
  tensor.ndim = 2;
  tensor.shape = shape;
  plan.op = TILEOPS_OP_RELU;
  plan.num_inputs = plan.num_outputs = 1;
  plan.inputs = plan.outputs = &tensor;
  memset(&memory, 0, sizeof memory);
  memory.data = values;
  memory.device.device_type = kDLCPU;
  memory.ndim = 2;
  memory.dtype = tensor.dtype;
  memory.shape = extents;
  execute.num_inputs = execute.num_outputs = 1;
  execute.inputs = inputs;
  execute.outputs = outputs;
  stats.plan_hits = ~(uint64_t)0; /* so that an answer of zeros is seen to have been written */

  {
    const struct subject subjects[] = {
        {"tileops_context_options", &options, sizeof options, offsetof(tileops_context_options, plan_capacity), 0,
         call_options},
        {"tileops_context_options before paths", &options, sizeof options, offsetof(tileops_context_options, pack_dirs),
         0, call_options},
        {"tileops_plan_desc", &plan, sizeof plan, offsetof(tileops_plan_desc, attrs), 0, call_plan},
        {"tileops_plan_desc of 0.1 before strategies", &plan, sizeof plan, offsetof(tileops_plan_desc, strategy), 0,
         call_plan},
        {"tileops_plan_desc of 0.1 before expressions", &plan, sizeof plan, offsetof(tileops_plan_desc, expr), 0,
         call_plan},
        {"tileops_named_expr_info", &named_info, sizeof named_info, offsetof(tileops_named_expr_info, text), 1,
         call_named},
        {"tileops_expr_info", &expr_info, sizeof expr_info, offsetof(tileops_expr_info, operands), 1, call_expr},
        {"tileops_node_info", &node_info, sizeof node_info, offsetof(tileops_node_info, arguments), 1, call_node},
        {"tileops_execute_args", &execute, sizeof execute, offsetof(tileops_execute_args, stream), 0, call_execute},
        {"tileops_execute_args before addresses", &execute, sizeof execute, offsetof(tileops_execute_args, input_ptrs),
         0, call_execute},
        {"tileops_op_info", &op_info, sizeof op_info, offsetof(tileops_op_info, num_attrs), 1, call_op},
        {"tileops_op_info before details", &op_info, sizeof op_info, offsetof(tileops_op_info, details), 1, call_op},
        {"tileops_device_info", &device_info, sizeof device_info, offsetof(tileops_device_info, memory_bytes), 1,
         call_device},
        {"tileops_cache_stats", &stats, sizeof stats, offsetof(tileops_cache_stats, kernel_memory_hits), 1, call_stats},
        {"tileops_cache_stats before device_bytes", &stats, sizeof stats, offsetof(tileops_cache_stats, device_bytes),
         1, call_stats},
        {"tileops_cache_stats before tables", &stats, sizeof stats, offsetof(tileops_cache_stats, tables_made), 1,
         call_stats},
    };
    for (i = 0; i < sizeof subjects / sizeof subjects[0]; ++i) test(&subjects[i]);
  }
  return failures != 0;
}
