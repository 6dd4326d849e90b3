//go:build cgo

package capi

/*
#include <time.h>
#include "shim.h"

// Nanoseconds of so many executes with tensors that are made once, as a C program has them; -1 if
// one fails.
static int64_t tileops_go_time(const tileops_plan* plan, DLTensor* a, DLTensor* b, DLTensor* y,
                               int64_t repeats) {
  const DLTensor* in[] = {a, b};
  DLTensor* out[] = {y};
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int64_t i = 0; i < repeats; ++i)
    if (tileops_execute(plan, in, 2, out, 1, NULL) != TILEOPS_STATUS_OK) return -1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec;
}

static int64_t tileops_go_time_add(const tileops_plan* plan, int64_t n, int64_t repeats) {
  float* memory = calloc((size_t)n * 3, sizeof(float));
  const DLDataType f32 = {kDLFloat, 32, 1};
  const DLDevice cpu = {kDLCPU, 0};
  int64_t one = 1;
  DLTensor a = {memory, cpu, 1, f32, &n, &one, 0}, b = {memory + n, cpu, 1, f32, &n, &one, 0};
  DLTensor y = {memory + 2 * n, cpu, 1, f32, &n, &one, 0};
  const int64_t ns = tileops_go_time(plan, &a, &b, &y, repeats);
  free(memory);
  return ns;
}
*/
import "C"

import "time"

// TimeAdd is the time that C alone takes for so many executes of a plan that adds n float32 values,
// for benchmarks to compare with; negative if it fails.
func TimeAdd(plan Plan, n, repeats int) time.Duration {
	return time.Duration(C.tileops_go_time_add((*C.tileops_plan)(plan), C.int64_t(n), C.int64_t(repeats)))
}
