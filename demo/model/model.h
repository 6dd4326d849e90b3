/* What the programs of this folder share, written on the C API as any program could write it:
 *
 *   Machine   a device, a stream on it, and the tensors that were made there        (tensor.c)
 *   Tensor    a DLTensor with its shape and strides beside it; views of others       (tensor.c)
 *   Program   texts and matrix products in the order in which they run: plans are made once, one workspace serves
 *             them all, and it can be run, timed and described                        (program.c)
 *   Product   D = A * B^T, by a BLAS that is opened at run time                      (product.c, product_cuda.c)
 *
 * A call that fails ends the process with the library's message: these are examples. */
#ifndef TILEOPS_DEMO_MODEL_H_
#define TILEOPS_DEMO_MODEL_H_

#include <stddef.h>
#include <stdint.h>
#include <tileops/tileops.h>

/* ------------------------------------------------------------------ machine and tensors ---- */

enum { kMostDims = 4 };

typedef struct Tensor {
  DLTensor dl; /* points to the arrays below, so that a Tensor stays where it is */
  int64_t shape[kMostDims], strides[kMostDims];
  const char* name;                       /* NULL: a view, or a value in between */
  struct DLManagedTensorVersioned* owner; /* NULL: a view */
  struct Tensor* next;
} Tensor;

typedef struct Machine {
  DLDevice device;
  void* stream;    /* NULL on the CPU */
  DLDataType real; /* of activations and of products: float32 on the CPU, bfloat16 on a GPU */
  DLDataType code; /* of what is quantised to fp8 and multiplied: float8_e4m3fn on a GPU. sgemm multiplies float32, so
                      on the CPU results that a text rounds to fp8 are stored as float32, with the same values */
  Tensor* tensors; /* all of them, the newest first */
  Tensor* product_workspace; /* cuBLAS's, once there are products */
} Machine;

extern const DLDataType kFloat32, kBfloat16, kFp8, kInt64;

/* `device` is "cpu" or "cuda:0". Memory, streams and copies are the library's, so that no CUDA header is needed. */
void machine_open(Machine* m, const char* device);
void machine_close(Machine* m);
void machine_wait(const Machine* m);

/* Row-major, with undefined contents. `name`, static, says under which name it is saved; NULL: it is not. */
Tensor* tensor_new(Machine* m, const char* name, DLDataType dtype, int ndim, const int64_t* shape);
/* The same memory with another shape; strides in elements, or NULL for row-major; element 0 is `offset` further on. */
Tensor* tensor_view(Machine* m, const Tensor* of, int64_t offset, int ndim, const int64_t* shape,
                    const int64_t* strides);
/* Converts and copies host values in row-major order: float to any dtype of floats, int64_t to int64. Waits. */
void tensor_fill(Machine* m, Tensor* t, const float* values);
void tensor_fill_i64(Machine* m, Tensor* t, const int64_t* values);
/* The first element, as a number. Waits. */
float tensor_first(Machine* m, const Tensor* t);
/* Writes every named tensor to FOLDER/NAME.npy. */
void machine_save(Machine* m, const char* folder);
Tensor* machine_find(const Machine* m, const char* name);
int64_t tensor_numel(const Tensor* t);

/* Uniform in [-1, 1), the same numbers everywhere. */
float random_uniform(uint64_t* state);

double now(void); /* seconds */
void check(tileops_status status, const char* what);
/* End the process: with status 1; with 77, since the device or what it needs is not here. */
void fail(const char* format, ...);
void skip_device(const char* format, ...);

/* ------------------------------------------------------------------ products -------------- */

/* D[.., M, N] = sum over k of A[.., M, k] * B[.., N, k]: of 2 dimensions, or of 3 with a batch in front. Views say what
 * is transposed: of the last two strides of A and of B one is 1. */
typedef struct Product {
  const Tensor *d, *a, *b;
  int64_t batch, m, n, k;
  void* cuda; /* what product_cuda.c keeps */
} Product;

void product_make(Product* p, Machine* m, const Tensor* d, const Tensor* a, const Tensor* b);
void product_run(const Product* p, void* stream);
void product_free(Product* p);
/* By what products of this machine are computed, for people. */
const char* product_means(const Machine* m);

void cuda_product_make(Product* p, Machine* m);
void cuda_product_run(const Product* p, void* stream);
void cuda_product_free(Product* p);
const char* cuda_product_means(const Machine* m);

/* ------------------------------------------------------------------ programs -------------- */

enum { kMostOperands = 12, kMostResults = 8, kMostScalars = 8 };

typedef struct Call {
  const tileops_expr* expr; /* knows the names of its scalars */
  tileops_plan* plan;
  const DLTensor* in[kMostOperands];
  DLTensor* out[kMostResults];
  tileops_number scalars[kMostScalars]; /* those that stay 0 bytes have the text's value */
  uint32_t num_in, num_out, num_scalars;
} Call;

typedef struct Step {
  const char* name;
  int is_product;
  Call call;
  Product product;
} Step;

typedef struct Program {
  Machine* machine;
  int unfused; /* each function of a text becomes a plan of its own, with tensors in between (unfused.c) */
  Step* steps;
  int num_steps;
  Tensor* workspace; /* of the largest need: one after the other on one stream, plans may share it */
} Program;

/* Plans a text for these tensors and puts it behind what there is; NULL ends the operands and the results. */
void program_text(Program* p, const char* name, const char* text, Tensor* const* operands, Tensor* const* results);
void program_expr(Program* p, const char* name, const tileops_expr* expr, Tensor* const* operands,
                  Tensor* const* results);
void program_product(Program* p, const char* name, const Tensor* d, const Tensor* a, const Tensor* b);
/* A scalar of all steps of that name, for the executes that follow. */
void program_scalar(Program* p, const char* name, const char* scalar, tileops_number value);

enum { kTexts = 1, kProducts = 2 };
/* Runs the steps of these kinds, on the machine's stream; on a GPU it does not wait. */
void program_run(Program* p, int kinds);
/* The time of a run, with the waiting: the least of `rounds` that all programs take in turns. */
void program_time(Program* const* programs, int num_programs, int kinds, int rounds, double* seconds);
typedef struct Cost {
  int plans, passes, products;
  uint64_t bytes; /* that the plans move */
} Cost;
Cost program_cost(const Program* p);
/* A line for each step, or for all that follow each other with one name; its time is that of the step alone, the least
 * of `rounds`. */
void program_print(Program* p, int rounds);
void program_free(Program* p);

/* unfused.c: what program_text does where `unfused` is set. */
void unfused_text(Program* p, const char* name, const char* text, Tensor* const* operands, Tensor* const* results);

#endif
