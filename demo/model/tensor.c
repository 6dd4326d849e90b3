/* A device, a stream on it, and tensors there. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../npy_io.h"
#include "model.h"

const DLDataType kFloat32 = {kDLFloat, 32, 1}, kBfloat16 = {kDLBfloat, 16, 1}, kFp8 = {kDLFloat8_e4m3fn, 8, 1},
                 kInt64 = {kDLInt, 64, 1};

double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void fail(const char* format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  fputc('\n', stderr);
  exit(1);
}

/* 77 is the exit status of what was skipped, as CTest and others count it. */
void skip_device(const char* format, ...) {
  va_list list;
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
  printf("\nskipped\n");
  exit(77);
}

void check(tileops_status status, const char* what) {
  if (status == TILEOPS_STATUS_NO_DEVICE) skip_device("%s: %s", what, tileops_last_error());
  if (status != TILEOPS_STATUS_OK) fail("%s: %s: %s", what, tileops_status_name(status), tileops_last_error());
}

float random_uniform(uint64_t* state) { /* xorshift64*, of which the upper 24 bits are taken */
  *state ^= *state >> 12, *state ^= *state << 25, *state ^= *state >> 27;
  return (float)((*state * 0x2545f4914f6cdd1dull) >> 40) * 0x1p-23f - 1;
}

void machine_open(Machine* m, const char* device) {
  const int on_gpu = strncmp(device, "cuda", 4) == 0;
  memset(m, 0, sizeof *m);
  if (!on_gpu && strcmp(device, "cpu") != 0) fail("--device: what is it (got %s, need cpu or cuda:0)", device);
  /* cuBLAS works on the device that is current for the CUDA runtime, which is the first one. */
  if (on_gpu && strcmp(device, "cuda:0") != 0)
    fail("--device: products run on cuda:0 (got %s); another card becomes it by CUDA_VISIBLE_DEVICES", device);
  m->device.device_type = on_gpu ? kDLCUDA : kDLCPU;
  m->real = on_gpu ? kBfloat16 : kFloat32;
  m->code = on_gpu ? kFp8 : kFloat32;
  check(tileops_stream_create(NULL, m->device, &m->stream), device);
}

void machine_close(Machine* m) {
  machine_wait(m);
  while (m->tensors != NULL) {
    Tensor* next = m->tensors->next;
    if (m->tensors->owner != NULL) m->tensors->owner->deleter(m->tensors->owner);
    free(m->tensors);
    m->tensors = next;
  }
  check(tileops_stream_destroy(NULL, m->device, m->stream), "stream");
}

void machine_wait(const Machine* m) { check(tileops_stream_synchronize(NULL, m->device, m->stream), "stream"); }

static Tensor* add_tensor(Machine* m, DLDataType dtype, int ndim, const int64_t* shape, const int64_t* strides) {
  Tensor* t = calloc(1, sizeof *t);
  if (t == NULL || ndim > kMostDims) fail("a tensor of %d dimensions", ndim);
  int64_t step = 1;
  for (int d = ndim - 1; d >= 0; --d) {
    t->shape[d] = shape[d];
    t->strides[d] = strides != NULL ? strides[d] : step;
    step *= shape[d];
  }
  t->dl.device = m->device;
  t->dl.dtype = dtype;
  t->dl.ndim = ndim;
  t->dl.shape = t->shape;
  t->dl.strides = t->strides;
  t->next = m->tensors;
  return m->tensors = t;
}

Tensor* tensor_new(Machine* m, const char* name, DLDataType dtype, int ndim, const int64_t* shape) {
  Tensor* t = add_tensor(m, dtype, ndim, shape, NULL);
  check(tileops_tensor_alloc(NULL, m->device, dtype, ndim, shape, &t->owner), name != NULL ? name : "a tensor");
  t->dl.data = t->owner->dl_tensor.data;
  t->name = name;
  return t;
}

Tensor* tensor_view(Machine* m, const Tensor* of, int64_t offset, int ndim, const int64_t* shape,
                    const int64_t* strides) {
  Tensor* t = add_tensor(m, of->dl.dtype, ndim, shape, strides);
  t->dl.data = of->dl.data;
  t->dl.byte_offset = of->dl.byte_offset + (uint64_t)offset * (of->dl.dtype.bits / 8u);
  return t;
}

int64_t tensor_numel(const Tensor* t) {
  int64_t n = 1;
  for (int d = 0; d < t->dl.ndim; ++d) n *= t->shape[d];
  return n;
}

/* A row-major tensor of t's shape in host memory; the library copies between the two. */
static DLTensor host_like(const Tensor* t, DLDataType dtype, void* data) {
  DLTensor host = {data, {kDLCPU, 0}, t->dl.ndim, dtype, (int64_t*)t->shape, NULL, 0};
  return host;
}

/* Converts on the host, by the operator `cast`, and copies. */
void tensor_fill(Machine* m, Tensor* t, const float* values) {
  const size_t n = (size_t)tensor_numel(t);
  void* converted = malloc(n * 4 + 1);
  if (converted == NULL) fail("out of memory");
  DLTensor from = host_like(t, kFloat32, (void*)values), to = host_like(t, t->dl.dtype, converted);
  const DLTensor* in[] = {&from};
  DLTensor* out[] = {&to};
  tileops_plan* cast = NULL;
  check(tileops_plan_create_like(NULL, TILEOPS_OP_CAST, in, 1, out, 1, NULL, 0, &cast), "cast");
  check(tileops_execute(cast, in, 1, out, 1, NULL), "cast");
  check(tileops_tensor_copy(NULL, &to, &t->dl, m->stream), "copy");
  machine_wait(m);
  tileops_plan_destroy(cast);
  free(converted);
}

void tensor_fill_i64(Machine* m, Tensor* t, const int64_t* values) {
  DLTensor from = host_like(t, kInt64, (void*)values);
  check(tileops_tensor_copy(NULL, &from, &t->dl, m->stream), "copy");
  machine_wait(m);
}

float tensor_first(Machine* m, const Tensor* t) {
  int64_t one[1] = {1};
  float value = 0;
  DLTensor from = t->dl, to = {&value, {kDLCPU, 0}, 1, kFloat32, one, NULL, 0};
  from.ndim = 1, from.shape = one, from.strides = NULL;
  check(tileops_tensor_copy(NULL, &from, &to, m->stream), "copy");
  machine_wait(m);
  return value;
}

void machine_save(Machine* m, const char* folder) {
  machine_wait(m);
  for (const Tensor* t = m->tensors; t != NULL; t = t->next) {
    if (t->name == NULL) continue;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.npy", folder, t->name);
    Array host = {0};
    host.tensor.ndim = t->dl.ndim;
    host.tensor.dtype = t->dl.dtype;
    memcpy(host.shape, t->shape, sizeof t->shape);
    array_alloc(&host);
    check(tileops_tensor_copy(NULL, &t->dl, &host.tensor, m->stream), t->name);
    machine_wait(m);
    npy_write(path, &host);
    array_free(&host);
  }
}

Tensor* machine_find(const Machine* m, const char* name) {
  for (Tensor* t = m->tensors; t != NULL; t = t->next)
    if (t->name != NULL && strcmp(t->name, name) == 0) return t;
  return NULL;
}
