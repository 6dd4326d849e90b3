/* Three steps of a language model on arrays that NumPy wrote: a gated activation, a bias and a
 * rotary embedding. Each result is written back as .npy; each line that is printed says
 *   op  seconds  bytes  seconds of a memcpy of the same traffic
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

/* Plans op for these arrays, runs it, times it, writes the result. */
static void run(const char* op, Array* inputs, size_t num_inputs, int halves_last_dim) {
  const DLTensor* in[2] = {&inputs[0].tensor, num_inputs > 1 ? &inputs[1].tensor : NULL};
  Array y = inputs[0];
  if (halves_last_dim) y.shape[y.tensor.ndim - 1] /= 2;
  array_alloc(&y);
  DLTensor* out[1] = {&y.tensor};

  tileops_plan* plan = NULL;
  check(tileops_plan_create_like(NULL, tileops_op_from_name(op), in, num_inputs, out, 1, NULL, 0,
                                 &plan));
  double best = 1e30;
  for (int i = 0; i < 20; ++i) {
    double begin = now();
    check(tileops_execute(plan, in, num_inputs, out, 1, NULL));
    double seconds = now() - begin;
    if (seconds < best) best = seconds;
  }
  uint64_t bytes = 0;
  size_t size = sizeof bytes;
  check(tileops_plan_query(plan, TILEOPS_PLAN_BYTES_MOVED, &bytes, &size));
  tileops_plan_destroy(plan);
  npy_write(path(op, "y"), &y);
  array_free(&y);
  printf("%s %.9f %llu %.9f\n", op, best, (unsigned long long)bytes, time_memcpy(bytes));
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
  return 0;
}
