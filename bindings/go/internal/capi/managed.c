/* DLPack's managed tensors, made and taken. */
#include <stdlib.h>
#include <string.h>

#include "shim_parts.h"

/* Defined in managed.go. */
extern void tileopsGoRelease(uintptr_t owner);

typedef struct DLManagedTensorVersioned managed_tensor;

uint32_t tileops_go_managed_major(void* managed) {
  return ((const managed_tensor*)managed)->version.major;
}

uint64_t tileops_go_managed_flags(void* managed) { return ((const managed_tensor*)managed)->flags; }

const DLTensor* tileops_go_managed_tensor(void* managed) {
  return &((const managed_tensor*)managed)->dl_tensor;
}

void tileops_go_managed_delete(void* managed) {
  managed_tensor* m = managed;
  if (m->deleter != NULL) m->deleter(m);
}

static void release(managed_tensor* managed) {
  tileopsGoRelease((uintptr_t)managed->manager_ctx);
  free(managed);
}

void* tileops_go_managed_new(tileops_go_tensor tensor, uint64_t flags, uintptr_t owner) {
  const size_t ndim = (size_t)tensor.layout[TILEOPS_GO_NDIM];
  managed_tensor* m = malloc(sizeof *m + 2 * ndim * sizeof(int64_t));
  if (m == NULL) return NULL;
  int64_t* extents = (int64_t*)(m + 1);
  memcpy(extents, tensor.layout + TILEOPS_GO_WORDS, 2 * ndim * sizeof(int64_t));
  memset(m, 0, sizeof *m);
  /* The version whose fields are filled, not that of the header at hand. */
  m->version.major = 1;
  m->version.minor = 0;
  m->manager_ctx = (void*)owner;
  m->deleter = release;
  m->flags = flags;
  DLTensor* t = &m->dl_tensor;
  t->data = tensor.data != NULL ? (void*)tensor.data
                                : (void*)(uintptr_t)tensor.layout[TILEOPS_GO_ADDRESS];
  t->device.device_type = (DLDeviceType)tensor.layout[TILEOPS_GO_DEVICE_TYPE];
  t->device.device_id = (int32_t)tensor.layout[TILEOPS_GO_DEVICE_ID];
  t->ndim = (int32_t)ndim;
  t->dtype = tileops_go_dtype_of(tensor.layout);
  t->shape = extents;
  t->strides = extents + ndim;
  return m;
}
