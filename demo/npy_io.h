/* Just enough of the .npy format for the demo: row-major, little-endian, version 1. */
#ifndef TILEOPS_DEMO_NPY_IO_H_
#define TILEOPS_DEMO_NPY_IO_H_

#include <dlpack/dlpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A tensor that owns its memory and its shape. */
typedef struct Array {
  DLTensor tensor;
  int64_t shape[8];
  size_t bytes;
} Array;

static const struct {
  const char* descr; /* NumPy has no bfloat16 and no float8: such files hold raw elements of two bytes, or one */
  DLDataType dtype;
} kNpyDtypes[] = {{"<f2", {kDLFloat, 16, 1}},
                  {"<f4", {kDLFloat, 32, 1}},
                  {"V2", {kDLBfloat, 16, 1}},
                  {"V1", {kDLFloat8_e4m3fn, 8, 1}},
                  {"<i8", {kDLInt, 64, 1}}};

static inline void array_alloc(Array* array) {
  array->bytes = array->tensor.dtype.bits / 8u;
  for (int i = 0; i < array->tensor.ndim; ++i) array->bytes *= (size_t)array->shape[i];
  array->tensor.shape = array->shape;
  array->tensor.device = (DLDevice){kDLCPU, 0};
  /* Written once, so that timing does not include the first touch of the pages. */
  array->tensor.data = malloc(array->bytes + 1);
  if (array->tensor.data == NULL) {
    fprintf(stderr, "demo: out of memory\n");
    exit(1);
  }
  memset(array->tensor.data, 0, array->bytes);
}

static inline void array_free(Array* array) { free(array->tensor.data); }

static inline void npy_fail(const char* path, const char* what) {
  fprintf(stderr, "demo: %s: %s\n", path, what);
  exit(1);
}

/* Fills *array, which must stay where it is: the tensor points to its shape. */
static inline void npy_read(const char* path, Array* array) {
  unsigned char prefix[10];
  char header[4096];
  memset(array, 0, sizeof *array);
  FILE* file = fopen(path, "rb");
  if (file == NULL) npy_fail(path, "cannot open");
  if (fread(prefix, 1, 10, file) != 10 || memcmp(prefix, "\x93NUMPY\x01", 7) != 0)
    npy_fail(path, "not a .npy file of version 1");
  size_t length = prefix[8] | (size_t)prefix[9] << 8;
  if (length >= sizeof header || fread(header, 1, length, file) != length)
    npy_fail(path, "bad header");
  header[length] = '\0';
  for (size_t i = 0; i < sizeof kNpyDtypes / sizeof kNpyDtypes[0]; ++i)
    if (strstr(header, kNpyDtypes[i].descr) != NULL) array->tensor.dtype = kNpyDtypes[i].dtype;
  char* at = strstr(header, "'shape': (");
  if (array->tensor.dtype.bits == 0 || at == NULL || strstr(header, "'fortran_order': True"))
    npy_fail(path, "a dtype or layout that the demo does not use");
  for (at += 10; *at != ')' && array->tensor.ndim < 8;) {
    array->shape[array->tensor.ndim++] = strtoll(at, &at, 10);
    while (*at == ',' || *at == ' ') ++at;
  }
  array_alloc(array);
  if (fread(array->tensor.data, 1, array->bytes, file) != array->bytes) npy_fail(path, "truncated");
  fclose(file);
}

static inline void npy_write(const char* path, const Array* array) {
  char header[128];
  const char* descr = "";
  FILE* file = fopen(path, "wb");
  if (file == NULL) npy_fail(path, "cannot write");
  for (size_t i = 0; i < sizeof kNpyDtypes / sizeof kNpyDtypes[0]; ++i)
    if (memcmp(&kNpyDtypes[i].dtype, &array->tensor.dtype, sizeof(DLDataType)) == 0)
      descr = kNpyDtypes[i].descr;
  int used = snprintf(header, sizeof header, "{'descr': '%s%s', 'fortran_order': False, 'shape': (",
                      descr[0] == 'V' ? "<" : "", descr);
  for (int i = 0; i < array->tensor.ndim; ++i)
    used +=
        snprintf(header + used, sizeof header - (size_t)used, "%lld,", (long long)array->shape[i]);
  used += snprintf(header + used, sizeof header - (size_t)used, "), }");
  /* The data begins at a multiple of 64: 10 bytes of prefix and 118 of header. */
  memset(header + used, ' ', 118 - (size_t)used);
  header[117] = '\n';
  int ok = fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file) == 10 &&
           fwrite(header, 1, 118, file) == 118 &&
           fwrite(array->tensor.data, 1, array->bytes, file) == array->bytes;
  if (fclose(file) != 0 || !ok) npy_fail(path, "cannot write");
}

#endif
