/* y = a + b, with b broadcast along the rows: cc example.c $(pkg-config --cflags --libs tileops) */
#include <stdio.h>
#include <tileops/tileops.h>

int main(void) {
  float a[2][3] = {{1, 2, 3}, {4, 5, 6}}, b[3] = {10, 20, 30}, y[2][3];
  int64_t shape[2] = {2, 3};
  DLDataType f32 = {kDLFloat, 32, 1};
  DLDevice cpu = {kDLCPU, 0};
  DLTensor ta = {a, cpu, 2, f32, shape, NULL, 0};
  DLTensor tb = {b, cpu, 1, f32, shape + 1, NULL, 0};
  DLTensor ty = {y, cpu, 2, f32, shape, NULL, 0};
  const DLTensor* in[] = {&ta, &tb};
  DLTensor* out[] = {&ty};

  tileops_plan* plan = NULL;
  tileops_status status =
      tileops_plan_create_like(NULL, TILEOPS_OP_ADD, in, 2, out, 1, NULL, 0, &plan);
  if (status == TILEOPS_STATUS_OK) status = tileops_execute(plan, in, 2, out, 1, NULL);
  tileops_plan_destroy(plan); /* plans are made once and executed often; NULL is fine */
  if (status != TILEOPS_STATUS_OK) {
    fprintf(stderr, "%s: %s\n", tileops_status_name(status), tileops_last_error());
    return 1;
  }
  for (int i = 0; i < 2; ++i) printf("%g %g %g\n", y[i][0], y[i][1], y[i][2]);
  return 0;
}
