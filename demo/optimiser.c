/* Steps of AdamW over all parameters of a model, with gradients clipped by their norm: a call for the sums of squares,
 * one for the norm, one for the step, however many parameters there are.
 * cc -std=c99 optimiser.c $(pkg-config --cflags --libs tileops) */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <tileops/tileops.h>

enum { kParameters = 6, kMost = 4096 };
static const int64_t sizes[kParameters] = {4096, 64, 4096, 64, 640, 10}; /* two layers and a head, with their biases */

/* Operands and results have one dimension: as long as each item says, or of one element. */
static tileops_status make(const char* text, const char* lengths, int inputs, int outputs, tileops_plan** plan) {
  static const int64_t any = TILEOPS_OPEN, one = 1;
  tileops_tensor_desc tensors[8];
  for (int i = 0; i < inputs + outputs; ++i) {
    const tileops_tensor_desc tensor = {{kDLFloat, 32, 1}, 1, lengths[i] == 'n' ? &any : &one, NULL};
    tensors[i] = tensor;
  }
  tileops_expr* expr = NULL;
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  tileops_status status = tileops_expr_parse(text, strlen(text), &expr);
  desc.expr = expr;
  desc.flags = TILEOPS_PLAN_LIST;
  desc.num_inputs = inputs;
  desc.num_outputs = outputs;
  desc.inputs = tensors;
  desc.outputs = tensors + inputs;
  if (status == TILEOPS_STATUS_OK) status = tileops_plan_create(NULL, &desc, plan);
  tileops_expr_destroy(expr);
  return status;
}

static tileops_execute_args item(const void* const* in, uint32_t inputs, void* const* out, uint32_t outputs,
                                 const int64_t* size) {
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = inputs;
  args.num_outputs = outputs;
  args.input_ptrs = in;
  args.output_ptrs = out;
  args.extents = size;
  args.num_extents = 1;
  return args;
}

/* What a plan leaves between its passes, such as the sums of parts of a long tensor, lies in memory of the program's.
 * Each item has its own, from `*from` on. */
static tileops_status give_workspace(const tileops_plan* plan, tileops_execute_args* args, char** from) {
  tileops_plan_facts facts = TILEOPS_PLAN_FACTS_INIT;
  const tileops_status status = tileops_plan_at(plan, args->extents, args->num_extents, &facts);
  args->workspace = facts.workspace_bytes ? *from : NULL;
  args->workspace_bytes = facts.workspace_bytes;
  *from += (facts.workspace_bytes + 63) / 64 * 64;
  return status;
}

int main(void) {
  static const char squares_text[] = "(g) -> sum(g * g, axis = all)";
  static const char norm_text[] = "(squares) -> sqrt(sum(squares, axis = all))";
  static const char step_text[] = "(p, g, m, v, norm; t = 1, most = 1) -> adamw(p, g * minimum(1, most / norm), m, v, t = t)";
  static float p[kParameters][kMost], g[kParameters][kMost], m[kParameters][kMost], v[kParameters][kMost];
  static float squares[kParameters], norm;
  static char memory[64 * (kParameters + 2)]; /* of a part of 4096 elements there is a sum of 8 bytes */
  for (int i = 0; i < kParameters; ++i)
    for (int k = 0; k < sizes[i]; ++k) p[i][k] = (float)(k % 7 - 3) / 4;

  tileops_plan *sum = NULL, *root = NULL, *step = NULL;
  tileops_status status = make(squares_text, "n1", 1, 1, &sum);
  if (status == TILEOPS_STATUS_OK) status = make(norm_text, "n1", 1, 1, &root);
  if (status == TILEOPS_STATUS_OK) status = make(step_text, "nnnn1nnn", 5, 3, &step);

  for (int t = 1; t <= 10 && status == TILEOPS_STATUS_OK; ++t) {
    for (int i = 0; i < kParameters; ++i) /* of the loss sum(p^2) / 2 */
      memcpy(g[i], p[i], sizeof p[i]);
    const void *gradient[kParameters][1], *operands[kParameters][5], *all[1] = {squares};
    void *square[kParameters][1], *results[kParameters][3], *total[1] = {&norm};
    tileops_execute_args sums[kParameters], steps[kParameters];
    const int64_t count = kParameters;
    char* from = memory + (64 - (uintptr_t)memory % 64) % 64;
    for (int i = 0; i < kParameters; ++i) {
      gradient[i][0] = g[i], square[i][0] = &squares[i];
      operands[i][0] = p[i], operands[i][1] = g[i], operands[i][2] = m[i], operands[i][3] = v[i], operands[i][4] = &norm;
      results[i][0] = p[i], results[i][1] = m[i], results[i][2] = v[i]; /* in place */
      sums[i] = item(gradient[i], 1, square[i], 1, &sizes[i]);
      if (status == TILEOPS_STATUS_OK) status = give_workspace(sum, &sums[i], &from);
      steps[i] = item(operands[i], 5, results[i], 3, &sizes[i]);
    }
    const tileops_number scalars[] = {tileops_number_i64(t)}; /* of all items */
    steps[0].scalars = scalars;
    steps[0].num_scalars = 1;
    tileops_execute_args one = item(all, 1, total, 1, &count);
    if (status == TILEOPS_STATUS_OK) status = give_workspace(root, &one, &from);
    if (status == TILEOPS_STATUS_OK) status = tileops_execute_list(sum, sums, kParameters);
    if (status == TILEOPS_STATUS_OK) status = tileops_execute_list(root, &one, 1);
    if (status == TILEOPS_STATUS_OK) status = tileops_execute_list(step, steps, kParameters);
  }
  tileops_plan_destroy(sum);
  tileops_plan_destroy(root);
  tileops_plan_destroy(step);
  if (status != TILEOPS_STATUS_OK) {
    fprintf(stderr, "%s\n", tileops_last_error());
    return 1;
  }
  printf("norm %.4f, parameters %.6f %.6f %.6f\n", norm, p[0][0], p[3][63], p[5][9]);
  return 0;
}
