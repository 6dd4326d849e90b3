/* Adds a row to each row of a matrix, through the installed library. */
#include <stdio.h>

#include <tileops/tileops.h>

static int failed(const char* what) {
  fprintf(stderr, "%s: %s\n", what, tileops_last_error());
  return 1;
}

static DLTensor tensor(float* data, int32_t ndim, int64_t* shape) {
  DLTensor t = {0};
  t.data = data;
  t.device.device_type = kDLCPU;
  t.ndim = ndim;
  t.dtype.code = kDLFloat;
  t.dtype.bits = 32;
  t.dtype.lanes = 1;
  t.shape = shape;
  return t;
}

int main(void) {
  float a[6] = {1, 2, 3, 4, 5, 6}, row[3] = {10, 20, 30}, y[6] = {0};
  int64_t shape[2] = {2, 3};
  const float want[6] = {11, 22, 33, 14, 25, 36};
  const DLTensor ta = tensor(a, 2, shape), tb = tensor(row, 1, shape + 1);
  DLTensor ty = tensor(y, 2, shape);
  const DLTensor* inputs[2];
  DLTensor* outputs[1];
  tileops_plan* plan;
  int i;

  inputs[0] = &ta;
  inputs[1] = &tb;
  outputs[0] = &ty;
  if (tileops_version() != TILEOPS_VERSION) return fprintf(stderr, "another library\n"), 1;
  if (tileops_plan_create_like(NULL, TILEOPS_OP_ADD, inputs, 2, outputs, 1, NULL, 0, &plan)) return failed("plan");
  if (tileops_execute(plan, inputs, 2, outputs, 1, NULL)) return failed("execute");
  tileops_plan_destroy(plan);
  for (i = 0; i < 6; ++i)
    if (y[i] != want[i]) return fprintf(stderr, "y[%d] = %g, need %g\n", i, y[i], want[i]), 1;
  printf("tileops %s: ok from C\n", tileops_version_string());
  return 0;
}
