/* One operator on enough elements for worker threads, called through pointers to the functions. */
#include <stdio.h>
#include <stdlib.h>

#include <tileops/tileops.h>

enum { kElements = 1 << 20 };

typedef tileops_status (*create_fn)(tileops_context*, tileops_op, const DLTensor* const*, size_t, DLTensor* const*,
                                    size_t, const tileops_attr*, size_t, tileops_plan**);
typedef tileops_status (*execute_fn)(const tileops_plan*, const DLTensor* const*, size_t, DLTensor* const*, size_t,
                                     void*);
typedef void (*destroy_fn)(tileops_plan*);

/* y = relu(x); 0 if the results are right. */
static int work(create_fn create, execute_fn execute, destroy_fn destroy) {
  float* x = malloc(kElements * sizeof *x);
  float* y = malloc(kElements * sizeof *y);
  int64_t shape[1] = {kElements};
  DLTensor tx = {NULL, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, NULL, NULL, 0}, ty;
  const DLTensor* in[1];
  DLTensor* out[1];
  tileops_plan* plan = NULL;
  int i, wrong = 0;

  if (x == NULL || y == NULL) return fprintf(stderr, "out of memory\n"), 1;
  for (i = 0; i < kElements; ++i) x[i] = (float)(i % 7 - 3);
  tx.shape = shape;
  ty = tx;
  tx.data = x;
  ty.data = y;
  in[0] = &tx;
  out[0] = &ty;
  if (create(NULL, TILEOPS_OP_RELU, in, 1, out, 1, NULL, 0, &plan) || execute(plan, in, 1, out, 1, NULL)) {
    return fprintf(stderr, "the operator failed\n"), 1;
  }
  destroy(plan);
  for (i = 0; i < kElements; ++i) wrong += y[i] != (x[i] > 0 ? x[i] : 0);
  free(x);
  free(y);
  return wrong != 0;
}
