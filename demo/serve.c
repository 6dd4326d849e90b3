/* A server's step: one plan for any batch. Requests come and go, the number of rows is another one with each step, and
 * nothing is planned or allocated then.
 * cc -std=c99 serve.c $(pkg-config --cflags --libs tileops) */
#include <stdio.h>
#include <string.h>
#include <tileops/tileops.h>

enum { kMost = 512, kColumns = 1024 };

int main(void) {
  static const char text[] = "(x[.., n], r[.., n], w[n]) -> { y = x + r;  y, rms_norm(y, w) }";
  static float x[kMost * kColumns], r[kMost * kColumns], w[kColumns], sum[kMost * kColumns], y[kMost * kColumns];
  for (int i = 0; i < kMost * kColumns; ++i) x[i] = (float)(i % 5), r[i] = 1;
  for (int i = 0; i < kColumns; ++i) w[i] = 2;

  /* Rows are open, up to as many as the memory has; that those of x, r and the results are as many, the text says. */
  const int64_t rows[] = {TILEOPS_UP_TO(kMost), kColumns}, columns[] = {kColumns};
  const DLDataType f32 = {kDLFloat, 32, 1};
  const tileops_tensor_desc in[] = {{f32, 2, rows, NULL}, {f32, 2, rows, NULL}, {f32, 1, columns, NULL}};
  const tileops_tensor_desc out[] = {{f32, 2, rows, NULL}, {f32, 2, rows, NULL}};
  tileops_expr* expr = NULL;
  tileops_plan* plan = NULL;
  tileops_status status = tileops_expr_parse(text, strlen(text), &expr);
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = expr;
  desc.num_inputs = 3;
  desc.num_outputs = 2;
  desc.inputs = in;
  desc.outputs = out;
  if (status == TILEOPS_STATUS_OK) status = tileops_plan_create(NULL, &desc, &plan);
  tileops_expr_destroy(expr);

  const void* const inputs[] = {x, r, w};
  void* const outputs[] = {sum, y};
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = 3;
  args.num_outputs = 2;
  args.input_ptrs = inputs;
  args.output_ptrs = outputs;
  args.num_extents = 1;
  uint64_t done = 0;
  int64_t batch = 1;
  for (int step = 0; step < 1000 && status == TILEOPS_STATUS_OK; ++step) {
    batch = (batch * 37 + step) % (kMost + 1); /* requests that came and went; there may be none */
    args.extents = &batch;
    status = tileops_execute_with(plan, &args);
    done += (uint64_t)batch;
  }
  tileops_plan_destroy(plan);
  if (status != TILEOPS_STATUS_OK) {
    fprintf(stderr, "%s\n", tileops_last_error());
    return 1;
  }
  printf("%llu rows by one plan: %.4f %.4f\n", (unsigned long long)done, y[0], y[1]);
  return 0;
}
