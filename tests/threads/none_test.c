/* A library without threads of its own: an execute of much runs on the calling thread, whatever number of threads the
 * context is for, makes none, and has the bits of its parts. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tileops/tileops.h>

enum { kRows = 600, kColumns = 1000 };

static int failed;

static void expect(int right, const char* what) {
  if (right) return;
  fprintf(stderr, "failed: %s (%s)\n", what, tileops_last_error());
  failed = 1;
}

static int threads(void) {
  int n = 0;
  DIR* tasks = opendir("/proc/self/task");
  for (struct dirent* e; tasks && (e = readdir(tasks));) n += e->d_name[0] != '.';
  if (tasks) closedir(tasks);
  return n;
}

static int is_loaded(const char* name) {
  char line[512];
  int found = 0;
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) found |= strstr(line, name) != NULL;
  if (maps) fclose(maps);
  return found;
}

static int32_t number(const tileops_plan* plan, tileops_plan_prop prop) {
  int32_t value = 0;
  size_t size = sizeof value;
  expect(tileops_plan_query(plan, prop, &value, &size) == TILEOPS_STATUS_OK, "query");
  return value;
}

static void run(tileops_context* context, const char* text, const float* x, float* whole, float* parts) {
  const int64_t shape[] = {kRows, kColumns};
  const tileops_tensor_desc tensor = {{kDLFloat, 32, 1}, 2, shape, NULL};
  tileops_expr* expr = NULL;
  tileops_plan* plan = NULL;
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  expect(tileops_expr_parse(text, strlen(text), &expr) == TILEOPS_STATUS_OK, text);
  desc.expr = expr;
  desc.num_inputs = desc.num_outputs = 1;
  desc.inputs = desc.outputs = &tensor;
  expect(tileops_plan_create(context, &desc, &plan) == TILEOPS_STATUS_OK, text);
  tileops_expr_destroy(expr);
  if (!plan) return;

  const void* const inputs[] = {x};
  void *outputs[] = {whole}, *outputs_of_parts[] = {parts};
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = args.num_outputs = 1;
  args.input_ptrs = inputs;
  args.output_ptrs = outputs;
  expect(tileops_execute_with(plan, &args) == TILEOPS_STATUS_OK, text);
  args.output_ptrs = outputs_of_parts;
  const uint32_t phases = (uint32_t)number(plan, TILEOPS_PLAN_NUM_PASSES),
                 count = (uint32_t)number(plan, TILEOPS_PLAN_NUM_PARTS);
  expect(count > 8, "parts are worth it");
  for (uint32_t phase = 0; phase < phases; ++phase)
    for (uint32_t part = count; part-- > 0;)
      expect(tileops_execute_part(plan, &args, phase, part, count) == TILEOPS_STATUS_OK, text);
  expect(memcmp(whole, parts, sizeof(float) * kRows * kColumns) == 0, text);
  tileops_plan_destroy(plan);
}

int main(void) {
  const size_t n = (size_t)kRows * kColumns;
  float *x = malloc(n * sizeof *x), *whole = calloc(n, sizeof *x), *parts = calloc(n, sizeof *x);
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  tileops_context *context = NULL, *usual = NULL;
  options.num_threads = 8;
  options.keep_workspace = 1;
  expect(tileops_context_create(&options, &context) == TILEOPS_STATUS_OK, "a context");
  expect(tileops_context_create(NULL, &usual) == TILEOPS_STATUS_OK, "a usual context");
  for (size_t i = 0; i < n; ++i) x[i] = (float)(i % 97) / 16 + 1;
  run(context, "(x) -> silu(x) * x + 1", x, whole, parts);
  run(context, "(x) -> { e = exp(x - amax(x)); e / sum(e) }", x, whole, parts);
  run(context, "(x) -> x / sum(x) / sum(x, axis = -2)", x, whole, parts);
  run(usual, "(x) -> cumsum(x)", x, whole, parts);
  expect(whole[0] == x[0] && whole[2] == x[0] + x[1] + x[2], "sums");
  expect(threads() == 1, "one thread");
  expect(!is_loaded("libtbb"), "oneTBB is not loaded");
  tileops_context_destroy(context);
  tileops_context_destroy(usual);
  free(x);
  free(whole);
  free(parts);
  return failed;
}
