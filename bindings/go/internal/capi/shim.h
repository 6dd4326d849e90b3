/* What Go calls instead of the C library: flat arguments in, status and message out of one call.
 *
 * A DLTensor in Go memory would hold Go pointers, which cgo forbids; here it is built on the C
 * stack and is gone when the call returns. The message of a failure belongs to the thread, and a
 * goroutine may be on another thread by its next call, so that it is copied before this one
 * returns. */
#ifndef TILEOPS_GO_SHIM_H
#define TILEOPS_GO_SHIM_H

#include <stdlib.h>
#include <tileops/tileops.h>

/* `layout`: the words of tileops_go_word, then the extents, then the strides in elements, which of a
 * description with open extents may all be TILEOPS_GO_ROW_MAJOR; NULL for an absent operand. The memory is at `data` if it is Go's, else at the address in the layout. The
 * pointers are typed, and to no pointers, so that cgo has nothing to check in what they point to. */
typedef struct tileops_go_tensor {
  const int64_t* layout;
  uint8_t* data;
} tileops_go_tensor;

#define TILEOPS_GO_ROW_MAJOR INT64_MIN

enum tileops_go_word {
  TILEOPS_GO_NDIM,
  TILEOPS_GO_DTYPE_CODE,
  TILEOPS_GO_DTYPE_BITS,
  TILEOPS_GO_DEVICE_TYPE,
  TILEOPS_GO_DEVICE_ID,
  TILEOPS_GO_ADDRESS,
  TILEOPS_GO_WORDS
};

/* Passed by value: the one way to hand several Go pointers to C in one argument. */
typedef struct tileops_go_operands {
  tileops_go_tensor inputs[TILEOPS_MAX_INPUTS];
  tileops_go_tensor outputs[TILEOPS_MAX_OUTPUTS];
  int32_t num_inputs, num_outputs;
} tileops_go_operands;

/* The operands of most calls: outputs, then inputs. */
#define TILEOPS_GO_FEW 4
typedef struct tileops_go_few {
  tileops_go_tensor tensors[TILEOPS_GO_FEW];
  int32_t num_outputs, num_inputs;
} tileops_go_few;

/* The operands of an expression. */
typedef struct tileops_go_many {
  tileops_go_tensor inputs[TILEOPS_MAX_EXPR_INPUTS];
  tileops_go_tensor outputs[TILEOPS_MAX_EXPR_OUTPUTS];
  int32_t num_inputs, num_outputs;
} tileops_go_many;

/* `message` is allocated if status is not 0, and freed by the caller; `value` is what was made. */
typedef struct tileops_go_result {
  tileops_status status;
  int32_t driver_error;
  int32_t offset; /* tileops_last_error_offset() */
  int32_t unused;
  char* message;
  void* value;
} tileops_go_result;

uint32_t tileops_go_header_version(void);

/* Strings, of which each may be NULL. */
typedef struct {
  const char *cache_dir, *cpu_isa, *pack_dirs, *nvrtc_path;
} tileops_go_context_strings;
tileops_go_result tileops_go_context_create(const tileops_context_options* options, tileops_go_context_strings strings);
tileops_go_result tileops_go_cache_stats(tileops_context* ctx, tileops_cache_stats* out);
tileops_go_result tileops_go_cache_clear(tileops_context* ctx, uint32_t which);
tileops_go_result tileops_go_cache_dir(tileops_context* ctx);

/* The log as a pipe, so that no thread of the library ever enters Go. `open` gives the end to read
 * from, or -1; records are a tileops_go_log_record and then the text. What does not fit in is
 * dropped. */
typedef struct tileops_go_log_record {
  int32_t level, size;
} tileops_go_log_record;
int tileops_go_log_open(void);
void tileops_go_log_write(void* unused, tileops_log_level level, const char* message);
tileops_go_result tileops_go_log_set(tileops_log_level level, int piped);

tileops_go_result tileops_go_op_describe(tileops_op op, tileops_op_info* out);
tileops_go_result tileops_go_function_describe(tileops_op function, tileops_op_info* out);
tileops_go_result tileops_go_device_describe(size_t i, tileops_device_info* out);

tileops_go_result tileops_go_plan_check(tileops_context* ctx, tileops_op op, uint32_t flags,
                                        tileops_go_operands operands, const tileops_attr* attrs,
                                        int32_t num_attrs);
tileops_go_result tileops_go_plan_create(tileops_context* ctx, tileops_op op, uint32_t flags,
                                         tileops_go_operands operands, const tileops_attr* attrs,
                                         int32_t num_attrs);
/* `progress` is a handle of what tune.go calls after each candidate. */
tileops_go_result tileops_go_tune(tileops_context* ctx, tileops_op op, uint32_t flags,
                                  tileops_go_operands operands, const tileops_attr* attrs,
                                  int32_t num_attrs, uintptr_t progress, tileops_tune_result* out);
tileops_go_result tileops_go_plan_query(const tileops_plan* plan, tileops_plan_prop prop,
                                        size_t* size);
/* Handles as integers: of a pointer to an opaque type cgo would check, at each call, what is behind
 * it. */
tileops_go_result tileops_go_execute(uintptr_t plan, tileops_go_operands operands,
                                     uintptr_t stream);
tileops_go_result tileops_go_execute_few(uintptr_t plan, tileops_go_few few, uintptr_t stream);
tileops_go_result tileops_go_execute_unchecked(uintptr_t plan, tileops_go_operands operands,
                                               uintptr_t stream);
/* Plans, which is a look-up for a plan that the context knows, and executes. */
tileops_go_result tileops_go_call(uintptr_t ctx, tileops_op op, uint32_t flags,
                                  tileops_go_operands operands, const tileops_attr* attrs,
                                  int32_t num_attrs, uintptr_t stream);

tileops_go_result tileops_go_tensor_alloc(tileops_context* ctx, const int64_t* layout);
tileops_go_result tileops_go_tensor_copy(tileops_context* ctx, tileops_go_tensor src,
                                         tileops_go_tensor dst, uintptr_t stream);
tileops_go_result tileops_go_stream_create(tileops_context* ctx, int32_t device_type,
                                           int32_t device_id);
tileops_go_result tileops_go_stream_destroy(tileops_context* ctx, int32_t device_type,
                                            int32_t device_id, uintptr_t stream);
tileops_go_result tileops_go_stream_synchronize(tileops_context* ctx, int32_t device_type,
                                                int32_t device_id, uintptr_t stream);

/* Expressions; see expr.c. */
tileops_go_result tileops_go_expr_parse(const char* text, size_t length);
tileops_go_result tileops_go_expr_named(const char* name);
tileops_go_result tileops_go_expr_describe(const tileops_expr* expr, tileops_expr_info* info);
tileops_go_result tileops_go_expr_text(const tileops_expr* expr);
tileops_go_result tileops_go_expr_gradient(const tileops_expr* expr, const int32_t* operands, size_t num_operands);
/* Makes a plan, or only asks whether that would succeed. */
tileops_go_result tileops_go_expr_plan(tileops_context* ctx, const tileops_expr* expr, uint32_t flags,
                                       tileops_go_many operands, int32_t check);
/* Fills a layout, with row-major strides, for result `output`; the device is that of the first input. */
tileops_go_result tileops_go_expr_infer(const tileops_expr* expr, tileops_go_many operands, size_t output,
                                        int64_t* layout);
/* The text of a header with a function of this name. */
tileops_go_result tileops_go_expr_device_function(const tileops_expr* expr, uint32_t flags, tileops_go_many operands,
                                                  const char* name);
tileops_go_result tileops_go_plan_workspace(const tileops_plan* plan, uint64_t* bytes);
/* `workspace` is no memory of Go; 0 where the plan needs none. */
tileops_go_result tileops_go_execute_with(uintptr_t plan, tileops_go_many operands, const tileops_number* scalars,
                                          uint32_t num_scalars, uintptr_t workspace, uint64_t workspace_bytes,
                                          uintptr_t stream);
/* A part of a phase, and how many there are of each. */
typedef struct {
  uint32_t phase, part, parts;
} tileops_go_part;
tileops_go_result tileops_go_plan_parts(const tileops_plan* plan, int32_t* phases, int32_t* parts);
tileops_go_result tileops_go_execute_part(uintptr_t plan, tileops_go_many operands, const tileops_number* scalars,
                                          uint32_t num_scalars, uintptr_t workspace, uint64_t workspace_bytes,
                                          tileops_go_part part);

/* Open plans; see open.c. Extents are `count` of them, in the plan's order. */
tileops_go_result tileops_go_plan_extent(const tileops_plan* plan, size_t i, int32_t* input, int32_t* axis,
                                         int64_t* most);
tileops_go_result tileops_go_plan_at(uintptr_t plan, const int64_t* extents, size_t count, tileops_plan_facts* out);
/* Fills a layout, less its strides, for result `output`. */
tileops_go_result tileops_go_plan_result(uintptr_t plan, const int64_t* extents, size_t count, size_t output,
                                         int64_t* layout);
/* Addresses of memory that is not Go's. `addresses` has those of the outputs, then those of the inputs. */
typedef struct {
  uint32_t num_outputs, num_inputs, num_extents, num_scalars;
} tileops_go_counts;
tileops_go_result tileops_go_execute_addresses(uintptr_t plan, const uintptr_t* addresses, const int64_t* extents,
                                               const tileops_number* scalars, tileops_go_counts counts,
                                               uintptr_t workspace, uint64_t workspace_bytes, uintptr_t stream);

/* Many sets of operands by one call; see list.c. `spaces` has the bytes of each item's workspace, which lie one behind
 * the other from `workspace` on, in memory that is not Go's. */
typedef struct {
  size_t num_items;
  uint32_t num_outputs, num_inputs, num_extents, num_scalars;
} tileops_go_list;
/* `layouts` has those of the outputs and then of the inputs of each item, one behind the other, with the address of the
 * memory, which Go has pinned if it is its own; TILEOPS_GO_ABSENT stands for an absent operand. */
#define TILEOPS_GO_ABSENT (-1)
tileops_go_result tileops_go_execute_list(uintptr_t plan, const int64_t* layouts, const uint64_t* spaces,
                                          const tileops_number* scalars, tileops_go_list list, uintptr_t workspace,
                                          uintptr_t stream);
/* `addresses` and `extents` as tileops_go_execute_addresses has them, of one item behind the other. */
tileops_go_result tileops_go_execute_list_addresses(uintptr_t plan, const uintptr_t* addresses, const int64_t* extents,
                                                    const uint64_t* spaces, const tileops_number* scalars,
                                                    tileops_go_list list, uintptr_t workspace, uintptr_t stream);

tileops_go_result tileops_go_builder_create(tileops_builder** out);
tileops_go_result tileops_go_builder_finish(tileops_builder* builder);

/* DLPack. `managed` is a struct DLManagedTensorVersioned*. */
uint32_t tileops_go_managed_major(void* managed);
uint64_t tileops_go_managed_flags(void* managed);
const DLTensor* tileops_go_managed_tensor(void* managed);
void tileops_go_managed_delete(void* managed);
/* A managed tensor of C memory about `tensor`, whose deleter calls Go with `owner`; NULL if there is
 * no memory. Go has pinned the tensor's memory until then. */
void* tileops_go_managed_new(tileops_go_tensor tensor, uint64_t flags, uintptr_t owner);

#endif
