/* Three steps of a language model on arrays that NumPy wrote: a gated activation, a bias and a
 * rotary embedding; and a chain of three operators, one after the other and as one expression. Each result is
 * written back as .npy; each line that is printed says
 *   name  seconds  bytes  seconds of a memcpy of the same traffic
 */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tileops/tileops.h>
#include <time.h>

#include "npy_io.h"

static const char* dir;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(tileops_status status) {
  if (status == TILEOPS_STATUS_OK) return;
  fprintf(stderr, "demo: %s: %s\n", tileops_status_name(status), tileops_last_error());
  exit(1);
}

static const char* path(const char* op, const char* name) {
  static char text[4096];
  snprintf(text, sizeof text, "%s/%s_%s.npy", dir, op, name);
  return text;
}

/* Fastest of many copies of half as many bytes: a copy reads and writes each byte. */
static double time_memcpy(size_t bytes) {
  double best = 1e30;
  char *src = malloc(bytes / 2 + 1), *dst = malloc(bytes / 2 + 1);
  if (src == NULL || dst == NULL) exit(1);
  memset(src, 1, bytes / 2);
  memset(dst, 2, bytes / 2);
  for (int i = 0; i < 20; ++i) {
    double begin = now();
    memcpy(dst, src, bytes / 2);
    double seconds = now() - begin;
    if (seconds < best) best = seconds;
    src[i] = dst[i + 1]; /* so that no copy is left out as dead */
  }
  free(src);
  free(dst);
  return best;
}

/* A plan and what it is executed on. */
typedef struct Call {
  tileops_plan* plan;
  const DLTensor* in[3];
  size_t num_inputs;
  DLTensor* out[1];
} Call;

/* One way to come to a result: calls one after the other. */
typedef struct Way {
  char name[32];
  Call calls[3];
  int count;
  double best; /* seconds */
} Way;

static Call plan_op(const char* op, const DLTensor* a, const DLTensor* b, DLTensor* y) {
  Call call = {NULL, {a, b}, b != NULL ? 2 : 1, {y}};
  check(tileops_plan_create_like(NULL, tileops_op_from_name(op), call.in, call.num_inputs, call.out, 1, NULL, 0,
                                 &call.plan));
  return call;
}

static Call plan_text(const char* text, const DLTensor* const* in, size_t num_inputs, DLTensor* y) {
  Call call = {NULL, {NULL}, num_inputs, {y}};
  tileops_expr* expr = NULL;
  for (size_t i = 0; i < num_inputs; ++i) call.in[i] = in[i];
  check(tileops_expr_parse(text, strlen(text), &expr));
  check(tileops_plan_create_like_expr(NULL, expr, call.in, num_inputs, call.out, 1, &call.plan));
  tileops_expr_destroy(expr);
  return call;
}

static void execute(const Way* way) {
  for (int k = 0; k < way->count; ++k)
    check(tileops_execute(way->calls[k].plan, way->calls[k].in, way->calls[k].num_inputs, way->calls[k].out, 1, NULL));
}

/* Runs all ways in turns, so that what else the machine does meets all of them, and keeps the fastest time of each. */
static void time_ways(Way* ways, int num_ways, int repeats) {
  for (int i = 0; i < repeats; ++i) {
    for (int w = 0; w < num_ways; ++w) {
      double begin = now();
      execute(&ways[w]);
      double seconds = now() - begin;
      if (i == 0 || seconds < ways[w].best) ways[w].best = seconds;
    }
  }
}

/* Writes the result of a way and prints its line; its plans are destroyed. */
static void finish(Way* way, const Array* y) {
  uint64_t bytes = 0;
  execute(way); /* another way may have written to y since */
  npy_write(path(way->name, "y"), y);
  for (int k = 0; k < way->count; ++k) {
    uint64_t moved = 0;
    size_t size = sizeof moved;
    check(tileops_plan_query(way->calls[k].plan, TILEOPS_PLAN_BYTES_MOVED, &moved, &size));
    tileops_plan_destroy(way->calls[k].plan);
    bytes += moved;
  }
  printf("%s %.9f %llu %.9f\n", way->name, way->best, (unsigned long long)bytes, time_memcpy(bytes));
}

/* One operator on these arrays. */
static void run(const char* op, Array* inputs, size_t num_inputs, int halves_last_dim) {
  Array y = inputs[0];
  if (halves_last_dim) y.shape[y.tensor.ndim - 1] /= 2;
  array_alloc(&y);
  Way way = {.count = 1};
  snprintf(way.name, sizeof way.name, "%s", op);
  way.calls[0] = plan_op(op, &inputs[0].tensor, num_inputs > 1 ? &inputs[1].tensor : NULL, &y.tensor);
  time_ways(&way, 1, 20);
  finish(&way, &y);
  array_free(&y);
}

/* silu(g) * u + r: as three operators, the second of which works in place, and as one expression. */
static void run_chain(const char* dtype) {
  static const char* const kNames[3] = {"g", "u", "r"};
  char name[32];
  Array in[3];
  snprintf(name, sizeof name, "chain_%s", dtype);
  for (int i = 0; i < 3; ++i) npy_read(path(name, kNames[i]), &in[i]);
  const DLTensor *g = &in[0].tensor, *u = &in[1].tensor, *r = &in[2].tensor;
  Array t = in[0], y = in[0];
  array_alloc(&t);
  array_alloc(&y);

  Way ways[2] = {{.count = 3}, {.count = 1}};
  snprintf(ways[0].name, sizeof ways[0].name, "three_%s", dtype);
  ways[0].calls[0] = plan_op("silu", g, NULL, &t.tensor);
  ways[0].calls[1] = plan_op("mul", &t.tensor, u, &t.tensor);
  ways[0].calls[2] = plan_op("add", &t.tensor, r, &y.tensor);
  snprintf(ways[1].name, sizeof ways[1].name, "fused_%s", dtype);
  const DLTensor* operands[3] = {g, u, r};
  ways[1].calls[0] = plan_text("(g, u, r) -> silu(g) * u + r", operands, 3, &y.tensor);
  time_ways(ways, 2, 60);
  finish(&ways[0], &y);
  finish(&ways[1], &y);
  array_free(&t);
  array_free(&y);
  for (int i = 0; i < 3; ++i) array_free(&in[i]);
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: demo DIR\n");
    return 2;
  }
  dir = argv[1];

  Array inputs[2];
  npy_read(path("silu_and_mul", "x"), &inputs[0]); /* (tokens, 2 * hidden), float16 */
  run("silu_and_mul", inputs, 1, 1);
  array_free(&inputs[0]);

  npy_read(path("add", "x"), &inputs[0]); /* (tokens, hidden) and (hidden,), float32 */
  npy_read(path("add", "bias"), &inputs[1]);
  run("add", inputs, 2, 0);
  array_free(&inputs[0]);
  array_free(&inputs[1]);

  npy_read(path("rope_neox", "x"), &inputs[0]); /* (batch, positions, heads, dim), bfloat16 */
  run("rope_neox", inputs, 1, 0);
  array_free(&inputs[0]);

  run_chain("float32"); /* (tokens, hidden) each */
  run_chain("bfloat16");
  return 0;
}
