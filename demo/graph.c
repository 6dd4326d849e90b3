/* One captured CUDA graph for every batch: how many rows there are lies on the device, and rows beyond are neither read
 * nor written.
 * cc -std=c99 graph.c $(pkg-config --cflags --libs tileops) -I$CUDA_HOME/include -L$CUDA_HOME/lib64 -lcudart */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>
#include <tileops/tileops.h>

enum { kRows = 512, kColumns = 1024 };

static int failed(cudaError_t error) {
  if (error != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

static tileops_status plan_of(const char* text, tileops_plan** plan) {
  const int64_t all[] = {kRows, kColumns}, one[] = {1};
  const DLDataType f32 = {kDLFloat, 32, 1}, i64 = {kDLInt, 64, 1};
  const tileops_tensor_desc in[] = {{f32, 2, all, NULL}, {f32, 2, all, NULL}, {i64, 1, one, NULL}};
  tileops_expr* expr = NULL;
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  tileops_status status = tileops_expr_parse(text, strlen(text), &expr);
  desc.device.device_type = kDLCUDA;
  desc.expr = expr;
  desc.num_inputs = 3;
  desc.num_outputs = 1;
  desc.inputs = desc.outputs = in;
  if (status == TILEOPS_STATUS_OK) status = tileops_plan_create(NULL, &desc, plan);
  tileops_expr_destroy(expr);
  return status;
}

int main(void) {
  static float gate[kRows * kColumns], up[kRows * kColumns], result[kRows * kColumns];
  for (int i = 0; i < kRows * kColumns; ++i) gate[i] = 1, up[i] = (float)(i / kColumns);
  void *d_gate = NULL, *d_up = NULL, *d_rows = NULL, *d_result = NULL;
  cudaStream_t stream;
  if (failed(cudaMalloc(&d_gate, sizeof gate)) || failed(cudaMalloc(&d_up, sizeof up)) ||
      failed(cudaMalloc(&d_rows, sizeof(int64_t))) || failed(cudaMalloc(&d_result, sizeof result)) ||
      failed(cudaMemcpy(d_gate, gate, sizeof gate, cudaMemcpyHostToDevice)) ||
      failed(cudaMemcpy(d_up, up, sizeof up, cudaMemcpyHostToDevice)) ||
      failed(cudaMemset(d_result, 0, sizeof result)) || failed(cudaStreamCreate(&stream)))
    return 1;

  /* The plan is made, and its kernel compiled, before anything is captured. */
  tileops_plan* plan = NULL;
  if (plan_of("(gate, up, n) -> store_if(silu(gate) * up, index(up, -2) < n)", &plan) != TILEOPS_STATUS_OK) {
    fprintf(stderr, "%s\n", tileops_last_error());
    return 1;
  }
  const void* const inputs[] = {d_gate, d_up, d_rows};
  void* const outputs[] = {d_result};
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  if (failed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal))) return 1;
  if (tileops_execute_ptrs(plan, inputs, outputs, stream) != TILEOPS_STATUS_OK)
    fprintf(stderr, "%s\n", tileops_last_error());
  if (failed(cudaStreamEndCapture(stream, &graph)) || failed(cudaGraphInstantiate(&executable, graph, 0))) return 1;

  const int64_t batches[] = {3, 0, 7}; /* a batch of so many rows is a number and a replay */
  for (int b = 0; b < 3; ++b) {
    if (failed(cudaMemcpyAsync(d_rows, &batches[b], sizeof batches[b], cudaMemcpyHostToDevice, stream)) ||
        failed(cudaGraphLaunch(executable, stream)) ||
        failed(cudaMemcpyAsync(result, d_result, sizeof result, cudaMemcpyDeviceToHost, stream)) ||
        failed(cudaStreamSynchronize(stream)))
      return 1;
    printf("%d rows: %.3f %.3f %.3f\n", (int)batches[b], result[2 * kColumns], result[6 * kColumns], result[7 * kColumns]);
  }
  tileops_plan_destroy(plan);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(d_gate), cudaFree(d_up), cudaFree(d_rows), cudaFree(d_result);
  return 0;
}
