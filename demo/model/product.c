/* Matrix products: on the CPU by a BLAS that is opened at run time, so that neither the library nor these programs need
 * one to be built. Which one is the first of
 *
 *   $MODEL_BLAS                    a file, such as the OpenBLAS of NumPy's wheel (find_blas.py)
 *   libopenblas, libcblas, libblas of the system
 *
 * and where there is none a loop of this file. On a GPU they are cuBLAS's (product_cuda.c). */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

enum { kRowMajor = 101, kNoTrans = 111, kTrans = 112 }; /* as every CBLAS numbers them */
/* Sizes are int, and int64_t in libraries whose names end with 64_. */
typedef void Sgemm(int order, int ta, int tb, int m, int n, int k, float alpha, const float* a, int lda, const float* b,
                   int ldb, float beta, float* c, int ldc);
typedef void Sgemm64(int order, int ta, int tb, int64_t m, int64_t n, int64_t k, float alpha, const float* a,
                     int64_t lda, const float* b, int64_t ldb, float beta, float* c, int64_t ldc);

static struct {
  int looked_for;
  Sgemm* sgemm;
  Sgemm64* sgemm64;
  char means[512];
} blas;

static void look_for_blas(void) {
  static const char* const kFiles[] = {"libopenblas.so.0", "libopenblas.so", "libcblas.so.3", "libblas.so.3"};
  static const char* const kNames64[] = {"scipy_cblas_sgemm64_", "cblas_sgemm64_", NULL};
  const char* given = getenv("MODEL_BLAS");
  if (blas.looked_for) return;
  blas.looked_for = 1;
  for (int i = given != NULL && *given ? -1 : 0; i < (int)(sizeof kFiles / sizeof kFiles[0]); ++i) {
    const char* file = i < 0 ? given : kFiles[i];
    void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      if (i < 0) fail("MODEL_BLAS: %s", dlerror());
      continue;
    }
    /* C has no cast from what dlsym returns to a function; POSIX has the bytes. */
    void* found = NULL;
    for (const char* const* name = kNames64; *name != NULL && found == NULL; ++name) found = dlsym(library, *name);
    if (found != NULL) memcpy(&blas.sgemm64, &found, sizeof found);
    if (found == NULL && (found = dlsym(library, "cblas_sgemm")) != NULL) memcpy(&blas.sgemm, &found, sizeof found);
    if (found != NULL) {
      snprintf(blas.means, sizeof blas.means, "sgemm of %s", file);
      return;
    }
    if (i < 0) fail("MODEL_BLAS: %s has no cblas_sgemm", file);
  }
  snprintf(blas.means, sizeof blas.means, "a plain loop in C, since no OpenBLAS was found (MODEL_BLAS=FILE names one)");
}

/* Sums of 8 columns of k each, so that they need not wait for each other. */
static float dot(const float* a, int64_t step_a, const float* b, int64_t step_b, int64_t k) {
  float sums[8] = {0};
  int64_t i = 0;
  if (step_a == 1 && step_b == 1)
    for (; i + 8 <= k; i += 8)
      for (int j = 0; j < 8; ++j) sums[j] += a[i + j] * b[i + j];
  for (; i < k; ++i) sums[0] += a[i * step_a] * b[i * step_b];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

/* The last dimension of those before it: 0 is the last. */
static int64_t extent(const Tensor* t, int from_last) { return t->shape[t->dl.ndim - 1 - from_last]; }
static int64_t stride(const Tensor* t, int from_last) { return t->strides[t->dl.ndim - 1 - from_last]; }
static float* matrix(const Tensor* t, int64_t batch) {
  float* first = (float*)((char*)t->dl.data + t->dl.byte_offset);
  return first + (t->dl.ndim == 3 ? batch * t->strides[0] : 0);
}

static void cpu_product_run(const Product* p) {
  const Tensor *a = p->a, *b = p->b, *d = p->d;
  /* B^T is what is multiplied: rows of B that lie in one piece are columns of it. */
  const int ta = stride(a, 0) == 1 ? kNoTrans : kTrans, tb = stride(b, 0) == 1 ? kTrans : kNoTrans;
  const int64_t lda = stride(a, ta == kNoTrans), ldb = stride(b, tb == kTrans), ldd = stride(d, 1);
  for (int64_t i = 0; i < p->batch; ++i) {
    const float *x = matrix(a, i), *y = matrix(b, i);
    float* z = matrix(d, i);
    if (blas.sgemm64 != NULL) {
      blas.sgemm64(kRowMajor, ta, tb, p->m, p->n, p->k, 1, x, lda, y, ldb, 0, z, ldd);
    } else if (blas.sgemm != NULL) {
      blas.sgemm(kRowMajor, ta, tb, (int)p->m, (int)p->n, (int)p->k, 1, x, (int)lda, y, (int)ldb, 0, z, (int)ldd);
    } else {
      for (int64_t m = 0; m < p->m; ++m)
        for (int64_t n = 0; n < p->n; ++n)
          z[m * ldd + n] = dot(x + m * stride(a, 1), stride(a, 0), y + n * stride(b, 1), stride(b, 0), p->k);
    }
  }
}

void product_make(Product* p, Machine* m, const Tensor* d, const Tensor* a, const Tensor* b) {
  const int ndim = d->dl.ndim;
  const Product made = {d, a, b, ndim == 3 ? d->shape[0] : 1, extent(d, 1), extent(d, 0), extent(a, 0), NULL};
  *p = made;
  if (ndim < 2 || ndim > 3 || a->dl.ndim != ndim || b->dl.ndim != ndim || extent(a, 1) != p->m ||
      extent(b, 1) != p->n || extent(b, 0) != p->k ||
      (ndim == 3 && (a->shape[0] != p->batch || b->shape[0] != p->batch)))
    fail("product: shapes do not go together");
  if (stride(d, 0) != 1 || (stride(a, 0) != 1 && stride(a, 1) != 1) || (stride(b, 0) != 1 && stride(b, 1) != 1))
    fail("product: strides that no BLAS takes");
  if (m->device.device_type == kDLCUDA) {
    cuda_product_make(p, m);
    return;
  }
  if (a->dl.dtype.bits != 32 || b->dl.dtype.bits != 32 || d->dl.dtype.bits != 32)
    fail("product: on the CPU it is of float32");
  look_for_blas();
}

void product_run(const Product* p, void* stream) {
  if (p->cuda != NULL) cuda_product_run(p, stream);
  else cpu_product_run(p);
}

void product_free(Product* p) {
  if (p->cuda != NULL) cuda_product_free(p);
}

const char* product_means(const Machine* m) {
  if (m->device.device_type == kDLCUDA) return cuda_product_means(m);
  look_for_blas();
  return blas.means;
}
