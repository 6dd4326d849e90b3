/* AdamW as one expression: a step reads four tensors and updates three of them in place, in one pass over memory.
 * Its scalars change with each step, for which nothing is planned or compiled anew. */
#include <stdio.h>
#include <string.h>
#include <tileops/tileops.h>

static const char kAdamW[] =
    "(p, g, m, v; lr = 1e-3, b1 = 0.9, b2 = 0.999, eps = 1e-8, wd = 0.01, t = 1) -> {"
    "  n = lerp(m, g, 1 - b1);"
    "  q = v * b2 + g * g * (1 - b2);"
    "  p * (1 - lr * wd) - lr / (1 - b1 ** t) * n / (sqrt(q / (1 - b2 ** t)) + eps), n, q }";

int main(void) {
  enum { kSteps = 300 };
  float p[3] = {0, 0, 0}, g[3], m[3] = {0, 0, 0}, v[3] = {0, 0, 0}, goal[3] = {1, -2, 0.5f};
  int64_t shape[1] = {3};
  float* data[4] = {p, g, m, v};
  DLTensor tensors[4];
  for (int i = 0; i < 4; ++i) {
    DLTensor t = {data[i], {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, NULL, 0};
    tensors[i] = t;
  }
  const DLTensor* in[4] = {&tensors[0], &tensors[1], &tensors[2], &tensors[3]};
  DLTensor* out[3] = {&tensors[0], &tensors[2], &tensors[3]}; /* p, m and v, where they are */

  tileops_expr* adamw = NULL;
  tileops_plan* plan = NULL;
  tileops_status status = tileops_expr_parse(kAdamW, strlen(kAdamW), &adamw);
  if (status == TILEOPS_STATUS_OK) status = tileops_plan_create_like_expr(NULL, adamw, in, 4, out, 3, &plan);
  tileops_expr_destroy(adamw); /* plans keep what they need; NULL is fine */

  tileops_number scalars[6] = {{0}}; /* in the text's order; those that are 0 bytes have the text's value */
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = 4, args.num_outputs = 3, args.num_scalars = 6;
  args.inputs = in, args.outputs = out, args.scalars = scalars;
  for (int t = 1; t <= kSteps && status == TILEOPS_STATUS_OK; ++t) {
    for (int i = 0; i < 3; ++i) g[i] = 2 * (p[i] - goal[i]); /* of the loss |p - goal|^2 */
    scalars[0] = tileops_number_f64(0.1 * (kSteps - t) / kSteps); /* lr */
    scalars[4] = tileops_number_f64(0);                           /* wd */
    scalars[5] = tileops_number_i64(t);                           /* t */
    status = tileops_execute_with(plan, &args);
  }
  tileops_plan_destroy(plan);
  if (status != TILEOPS_STATUS_OK) { /* of a wrong text: what, where, and the line with a caret */
    fprintf(stderr, "%s: %s\n", tileops_status_name(status), tileops_last_error());
    return 1;
  }
  printf("%.3f %.3f %.3f\n", p[0], p[1], p[2]);
  return 0;
}
