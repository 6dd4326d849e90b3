/* A program's own threads compute, as in an engine whose threads all run the same graph at once: each calls the same
 * function with its number, and they meet at a barrier between the phases.
 * cc -std=c99 pool.c $(pkg-config --cflags --libs tileops) -lpthread */
#define _POSIX_C_SOURCE 200112L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tileops/tileops.h>

enum { kThreads = 4, kRows = 256, kColumns = 1024 };

static tileops_plan* plan; /* never changes; all threads execute it */
static tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
static int32_t phases;
static pthread_barrier_t barrier;

/* A node of the graph, on thread `number`. */
static tileops_status compute(uint32_t number) {
  tileops_status status = TILEOPS_STATUS_OK;
  for (int32_t phase = 0; phase < phases; ++phase) {
    if (status == TILEOPS_STATUS_OK) status = tileops_execute_part(plan, &args, (uint32_t)phase, number, kThreads);
    pthread_barrier_wait(&barrier); /* no part of the next phase begins before all of this one have ended */
  }
  return status;
}

static void* run(void* number) {
  if (compute((uint32_t)(size_t)number) != TILEOPS_STATUS_OK) fprintf(stderr, "%s\n", tileops_last_error());
  return NULL;
}

int main(void) {
  static const char text[] = "(x, w; eps = 1e-6) -> { y = x * rsqrt(mean(x * x) + eps) * w;  y, sum(y, axis = -2) }";
  static float x[kRows * kColumns], w[kColumns], y[kRows * kColumns], sums[kColumns];
  for (int i = 0; i < kRows * kColumns; ++i) x[i] = (float)(i % 8) - 3;
  for (int i = 0; i < kColumns; ++i) w[i] = 2;

  /* Shapes when it is planned, addresses when it is executed. */
  const int64_t all[] = {kRows, kColumns}, row[] = {1, kColumns};
  const DLDataType f32 = {kDLFloat, 32, 1};
  const tileops_tensor_desc in[] = {{f32, 2, all, NULL}, {f32, 1, row + 1, NULL}};
  const tileops_tensor_desc out[] = {{f32, 2, all, NULL}, {f32, 2, row, NULL}};
  tileops_expr* expr = NULL;
  tileops_status status = tileops_expr_parse(text, strlen(text), &expr);
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = expr;
  desc.num_inputs = desc.num_outputs = 2;
  desc.inputs = in;
  desc.outputs = out;
  if (status == TILEOPS_STATUS_OK) status = tileops_plan_create(NULL, &desc, &plan);
  tileops_expr_destroy(expr);

  /* What one phase leaves for the next one lies in memory that the program gives. */
  size_t size = sizeof args.workspace_bytes;
  if (status == TILEOPS_STATUS_OK)
    status = tileops_plan_query(plan, TILEOPS_PLAN_WORKSPACE_BYTES, &args.workspace_bytes, &size);
  size = sizeof phases;
  if (status == TILEOPS_STATUS_OK) status = tileops_plan_query(plan, TILEOPS_PLAN_NUM_PASSES, &phases, &size);
  if (status != TILEOPS_STATUS_OK) {
    fprintf(stderr, "%s\n", tileops_last_error());
    return 1;
  }
  const void* const inputs[] = {x, w};
  void* const outputs[] = {y, sums};
  args.num_inputs = args.num_outputs = 2;
  args.input_ptrs = inputs;
  args.output_ptrs = outputs;
  if (posix_memalign(&args.workspace, 64, args.workspace_bytes) != 0) return 1;

  pthread_t threads[kThreads];
  pthread_barrier_init(&barrier, NULL, kThreads);
  for (size_t i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, run, (void*)i);
  for (size_t i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
  tileops_plan_destroy(plan);
  free(args.workspace);
  printf("%.4f %.4f, sums %.1f %.1f\n", y[0], y[1], sums[0], sums[1]);
  return 0;
}
