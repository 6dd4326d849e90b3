/* Lists of items: what Go calls, as in shim.c. */
#include "shim_parts.h"

/* What all items have in common is the first one's. */
static void begin_list(tileops_go_list list, const tileops_number* scalars, uintptr_t stream,
                       tileops_execute_args* items) {
  if (list.num_items == 0) return;
  items[0].num_scalars = list.num_scalars;
  items[0].scalars = scalars;
  items[0].stream = (void*)stream;
}

/* An item without operands; its workspace of so many bytes begins where `*free` says, which is then behind it. */
static void begin_item(tileops_go_list list, uint64_t bytes, uintptr_t* free, tileops_execute_args* item) {
  const tileops_execute_args init = TILEOPS_EXECUTE_ARGS_INIT;
  *item = init;
  item->num_inputs = list.num_inputs;
  item->num_outputs = list.num_outputs;
  if (bytes == 0) return;
  item->workspace = (void*)*free;
  item->workspace_bytes = bytes;
  *free += bytes;
}

static tileops_go_result without_memory(void) {
  const tileops_go_result result = {TILEOPS_STATUS_OUT_OF_MEMORY, 0, -1, 0, NULL, NULL};
  return result;
}

tileops_go_result tileops_go_execute_list(uintptr_t plan, const int64_t* layouts, const uint64_t* spaces,
                                          const tileops_number* scalars, tileops_go_list list, uintptr_t workspace,
                                          uintptr_t stream) {
  const size_t each = (size_t)list.num_outputs + list.num_inputs, all = list.num_items * each;
  tileops_execute_args* items = malloc(list.num_items * sizeof *items + all * (sizeof(DLTensor) + sizeof(DLTensor*)) + 1);
  if (items == NULL) return without_memory();
  DLTensor* tensor = (DLTensor*)(items + list.num_items);
  DLTensor** pointers = (DLTensor**)(tensor + all);
  for (size_t i = 0; i < list.num_items; ++i) {
    begin_item(list, spaces[i], &workspace, &items[i]);
    items[i].outputs = pointers;
    items[i].inputs = (const DLTensor* const*)pointers + list.num_outputs;
    for (size_t k = 0; k < each; ++k) {
      const int64_t ndim = layouts[TILEOPS_GO_NDIM];
      const tileops_go_tensor given = {ndim == TILEOPS_GO_ABSENT ? NULL : layouts, NULL};
      *pointers++ = tileops_go_tensor_of(&given, tensor++);
      layouts += ndim == TILEOPS_GO_ABSENT ? 1 : TILEOPS_GO_WORDS + 2 * ndim;
    }
  }
  begin_list(list, scalars, stream, items);
  const tileops_status status = tileops_execute_list((const tileops_plan*)plan, items, list.num_items);
  free(items);
  return tileops_go_result_of(status, NULL);
}

tileops_go_result tileops_go_execute_list_addresses(uintptr_t plan, const uintptr_t* addresses, const int64_t* extents,
                                                    const uint64_t* spaces, const tileops_number* scalars,
                                                    tileops_go_list list, uintptr_t workspace, uintptr_t stream) {
  tileops_execute_args* items = malloc(list.num_items * sizeof *items + 1);
  if (items == NULL) return without_memory();
  for (size_t i = 0; i < list.num_items; ++i) {
    begin_item(list, spaces[i], &workspace, &items[i]);
    items[i].output_ptrs = (void* const*)addresses;
    items[i].input_ptrs = (const void* const*)addresses + list.num_outputs;
    items[i].extents = list.num_extents > 0 ? extents : NULL; /* of a plan without open ones */
    items[i].num_extents = list.num_extents;
    addresses += list.num_outputs + list.num_inputs;
    extents += list.num_extents;
  }
  begin_list(list, scalars, stream, items);
  const tileops_status status = tileops_execute_list((const tileops_plan*)plan, items, list.num_items);
  free(items);
  return tileops_go_result_of(status, NULL);
}
