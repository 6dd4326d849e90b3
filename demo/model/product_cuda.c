/* Products on a GPU by cublasLtMatmul, opened at run time: $MODEL_CUBLASLT names the file, else it is looked for as any
 * library is. No header of CUDA is needed: what is used of it is declared here, from NVIDIA's documentation.
 *
 * cuBLAS counts matrices by columns. Of a row-major D its D is the transpose, which is B * A^T, so that B comes first;
 * rows in one piece are columns to it, which is the one layout that fp8 has on Hopper. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

enum { kReal32 = 0, kRealBf16 = 14, kRealE4m3 = 28 };           /* cudaDataType */
enum { kCompute32 = 68 };                                       /* cublasComputeType_t */
enum { kDescTransA = 3, kDescTransB = 4, kDescFastAccum = 25 }; /* cublasLtMatmulDescAttributes_t */
enum { kLayoutBatchCount = 5, kLayoutBatchStride = 6 };         /* cublasLtMatrixLayoutAttribute_t */
enum { kPreferenceWorkspace = 1 };                              /* cublasLtMatmulPreferenceAttributes_t */
typedef struct Algorithm {
  uint64_t data[8];
} Algorithm;
typedef struct Found { /* cublasLtMatmulHeuristicResult_t */
  Algorithm algorithm;
  size_t workspace_bytes;
  int state;
  float waves;
  int reserved[4];
} Found;

/* F(name, arguments) of each function. */
#define FUNCTIONS(F)                                                                                                   \
  F(Create, (void** handle))                                                                                           \
  F(MatmulDescCreate, (void** desc, int compute, int scale))                                                           \
  F(MatmulDescSetAttribute, (void* desc, int attribute, const void* value, size_t size))                               \
  F(MatmulDescDestroy, (void* desc))                                                                                   \
  F(MatrixLayoutCreate, (void** layout, int type, uint64_t rows, uint64_t columns, int64_t leading))                   \
  F(MatrixLayoutSetAttribute, (void* layout, int attribute, const void* value, size_t size))                           \
  F(MatrixLayoutDestroy, (void* layout))                                                                               \
  F(MatmulPreferenceCreate, (void** preference))                                                                       \
  F(MatmulPreferenceSetAttribute, (void* preference, int attribute, const void* value, size_t size))                   \
  F(MatmulPreferenceDestroy, (void* preference))                                                                       \
  F(MatmulAlgoGetHeuristic, (void* handle, void* desc, void* a, void* b, void* c, void* d, void* preference, int most, \
                             Found* found, int* count))                                                                \
  F(Matmul, (void* handle, void* desc, const void* alpha, const void* a, void* a_layout, const void* b,                \
             void* b_layout, const void* beta, const void* c, void* c_layout, void* d, void* d_layout,                 \
             const Algorithm* algorithm, void* workspace, size_t workspace_bytes, void* stream))

static struct {
  void *library, *handle;
#define MEMBER(name, arguments) int(*name) arguments;
  FUNCTIONS(MEMBER)
#undef MEMBER
  char means[512];
} lt;

/* What is kept for a product. Those of a machine share one workspace: they run one after the other. */
typedef struct CudaProduct {
  void *desc, *a, *b, *d;
  Algorithm algorithm;
  void* workspace;
} CudaProduct;

enum { kWorkspaceBytes = 32 << 20 };

static void must(int status, const char* function) {
  if (status != 0) fail("cublasLt%s: cublasStatus_t %d", function, status);
}

static void open_library(void) {
  static const char* const kFiles[] = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"};
  const char* given = getenv("MODEL_CUBLASLT");
  if (lt.library != NULL) return;
  if (given != NULL && *given) lt.library = dlopen(given, RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; i < sizeof kFiles / sizeof kFiles[0] && lt.library == NULL; ++i)
    lt.library = dlopen(given = kFiles[i], RTLD_NOW | RTLD_LOCAL);
  if (lt.library == NULL) skip_device("no cuBLAS: %s (MODEL_CUBLASLT=FILE names libcublasLt.so)", dlerror());
#define LOOK_UP(name, arguments)                                                     \
  {                                                                                  \
    void* found = dlsym(lt.library, "cublasLt" #name);                               \
    if (found == NULL) fail("%s: has no cublasLt" #name, given);                     \
    memcpy(&lt.name, &found, sizeof found); /* POSIX's way from void* to function */ \
  }
  FUNCTIONS(LOOK_UP)
#undef LOOK_UP
  must(lt.Create(&lt.handle), "Create");
  snprintf(lt.means, sizeof lt.means, "%s", given);
}

static int type_of(const Tensor* t) {
  switch (t->dl.dtype.code) {
    case kDLFloat: return kReal32;
    case kDLBfloat: return kRealBf16;
    default: return kRealE4m3;
  }
}

/* A row-major matrix, or the transpose of one, as cuBLAS sees it: by columns. */
static void* layout_of(const Tensor* t, int transposed, int64_t batch) {
  const int last = t->dl.ndim - 1;
  const int32_t count = (int32_t)batch;
  void* layout = NULL;
  const int64_t rows = t->shape[transposed ? last - 1 : last], columns = t->shape[transposed ? last : last - 1];
  int64_t leading = t->strides[transposed ? last : last - 1];
  if (leading < rows) leading = rows; /* of a single column any will do, and the least one is asked for */
  must(lt.MatrixLayoutCreate(&layout, type_of(t), (uint64_t)rows, (uint64_t)columns, leading), "MatrixLayoutCreate");
  if (batch > 1) {
    must(lt.MatrixLayoutSetAttribute(layout, kLayoutBatchCount, &count, sizeof count), "MatrixLayoutSetAttribute");
    must(lt.MatrixLayoutSetAttribute(layout, kLayoutBatchStride, &t->strides[0], sizeof t->strides[0]),
         "MatrixLayoutSetAttribute");
  }
  return layout;
}

void cuda_product_make(Product* p, Machine* m) {
  CudaProduct* made = calloc(1, sizeof *made);
  if (made == NULL) fail("out of memory");
  p->cuda = made;
  open_library();
  const int last = p->d->dl.ndim - 1, is_fp8 = p->a->dl.dtype.bits == 8;
  /* "Transposed" is what lies by rows, since cuBLAS takes them for columns. */
  const int b_by_rows = p->b->strides[last] == 1, a_by_rows = p->a->strides[last] == 1;
  const int32_t op_b = b_by_rows, op_a = !a_by_rows; /* cublasOperation_t: 0 as it is, 1 transposed */
  const int8_t fast = 1;
  must(lt.MatmulDescCreate(&made->desc, kCompute32, kReal32), "MatmulDescCreate");
  must(lt.MatmulDescSetAttribute(made->desc, kDescTransA, &op_b, sizeof op_b), "MatmulDescSetAttribute");
  must(lt.MatmulDescSetAttribute(made->desc, kDescTransB, &op_a, sizeof op_a), "MatmulDescSetAttribute");
  if (is_fp8) must(lt.MatmulDescSetAttribute(made->desc, kDescFastAccum, &fast, sizeof fast), "MatmulDescSetAttribute");
  made->b = layout_of(p->b, !b_by_rows, p->batch);
  made->a = layout_of(p->a, !a_by_rows, p->batch);
  made->d = layout_of(p->d, 0, p->batch);

  void* preference = NULL;
  const uint64_t most = kWorkspaceBytes;
  Found found;
  int count = 0;
  memset(&found, 0, sizeof found);
  must(lt.MatmulPreferenceCreate(&preference), "MatmulPreferenceCreate");
  must(lt.MatmulPreferenceSetAttribute(preference, kPreferenceWorkspace, &most, sizeof most),
       "MatmulPreferenceSetAttribute");
  const int status = lt.MatmulAlgoGetHeuristic(lt.handle, made->desc, made->b, made->a, made->d, made->d, preference, 1,
                                               &found, &count);
  if (status != 0 || count == 0)
    fail("cublasLtMatmulAlgoGetHeuristic: status %d, no algorithm for %lld x (%lld, %lld) by (%lld, %lld)%s", status,
         (long long)p->batch, (long long)p->m, (long long)p->k, (long long)p->k, (long long)p->n,
         is_fp8 ? " in fp8: extents must be multiples of 16" : "");
  must(lt.MatmulPreferenceDestroy(preference), "MatmulPreferenceDestroy");
  made->algorithm = found.algorithm;
  const int64_t bytes = kWorkspaceBytes;
  if (m->product_workspace == NULL) m->product_workspace = tensor_new(m, NULL, (DLDataType){kDLUInt, 8, 1}, 1, &bytes);
  made->workspace = m->product_workspace->dl.data;
}

static void* address(const Tensor* t) { return (char*)t->dl.data + t->dl.byte_offset; }

void cuda_product_run(const Product* p, void* stream) {
  const CudaProduct* made = p->cuda;
  const float one = 1, zero = 0;
  must(lt.Matmul(lt.handle, made->desc, &one, address(p->b), made->b, address(p->a), made->a, &zero, address(p->d),
                 made->d, address(p->d), made->d, &made->algorithm, made->workspace, kWorkspaceBytes, stream),
       "Matmul");
}

void cuda_product_free(Product* p) {
  CudaProduct* made = p->cuda;
  must(lt.MatmulDescDestroy(made->desc), "MatmulDescDestroy");
  must(lt.MatrixLayoutDestroy(made->a), "MatrixLayoutDestroy");
  must(lt.MatrixLayoutDestroy(made->b), "MatrixLayoutDestroy");
  must(lt.MatrixLayoutDestroy(made->d), "MatrixLayoutDestroy");
  free(made);
  p->cuda = NULL;
}

const char* cuda_product_means(const Machine* m) {
  (void)m;
  open_library();
  return lt.means;
}
