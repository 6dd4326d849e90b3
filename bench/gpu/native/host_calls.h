// What the parts of tileops_gpu_bench share.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "op/dtype.h"
#include "tileops/tileops.h"

namespace tileops::bench {

inline void must(tileops_status s) {
  if (s == TILEOPS_STATUS_OK) return;
  std::fprintf(stderr, "gpu_bench: %s\n", tileops_last_error());
  std::exit(1);
}

// A tensor on the GPU.
struct Tensor {
  DLManagedTensorVersioned* memory = nullptr;
  Tensor(Dtype t, const std::vector<int64_t>& shape) {
    must(tileops_tensor_alloc(nullptr, DLDevice{kDLCUDA, 0}, dtype_to_dl(t), static_cast<int32_t>(shape.size()),
                              shape.data(), &memory));
  }
  ~Tensor() { memory->deleter(memory); }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  DLTensor* dl() { return &memory->dl_tensor; }
};

inline std::string text_of(const tileops_plan* plan, tileops_plan_prop prop) {
  char text[512];
  size_t size = sizeof text;
  must(tileops_plan_query(plan, prop, text, &size));
  return text;
}

// Time of expressions that this process has not seen, by where their kernels come from: parsing, planning and the first
// execute until its result is there. Prints one JSON object.
void run_expressions();

}  // namespace tileops::bench
