// One operator on memory of its own: what the benchmarks run, through the C API alone.
#pragma once

#include <tileops/tileops.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "copy_loop.h"

namespace tileops_bench {

using Shape = std::vector<int64_t>;

constexpr DLDataType kF32{kDLFloat, 32, 1}, kF16{kDLFloat, 16, 1}, kBf16{kDLBfloat, 16, 1},
    kI32{kDLInt, 32, 1}, kBool{6, 8, 1};

const char* dtype_name(DLDataType t);
int dtype_size(DLDataType t);

// Throws std::runtime_error with the library's message.
void check(tileops_status status);

// The context of so many threads and this instruction set (nullptr: the best one); nullptr where
// this CPU lacks it. Made once.
tileops_context* context(int threads, const char* isa = nullptr);

struct Operand {
  DLDataType dtype;
  Shape shape;
  Shape strides = {};    // empty: row-major
  int64_t storage = 0;   // elements of memory behind it; 0: as many as the shape says
  int copy_bytes = -1;   // bytes the copy loop reads per output element; -1: storage / output
};

struct Workload {
  std::string op;
  std::vector<std::optional<Operand>> inputs;
  Operand output;
  std::vector<tileops_attr> attrs = {};
};

tileops_attr attr(tileops_attr_key key, double value);
tileops_attr attr(tileops_attr_key key, int64_t value);

struct Free {
  void operator()(void* p) const;
};
using Memory = std::unique_ptr<char, Free>;

// A workload with memory, tensors and a plan. Inputs are drawn from the operator's domain.
class Bound {
 public:
  Bound(const Workload& workload, tileops_context* ctx);
  ~Bound();
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;

  tileops_status execute() const {
    return tileops_execute(plan_, inputs_.data(), inputs_.size(), outputs_, 1, nullptr);
  }
  tileops_status execute_ptrs() const {
    return tileops_execute_ptrs(plan_, input_data_.data(), output_data_, nullptr);
  }
  tileops_plan* plan() const { return plan_; }
  const DLTensor* const* inputs() const { return inputs_.data(); }
  DLTensor* const* outputs() const { return outputs_; }
  size_t num_inputs() const { return inputs_.size(); }

  uint64_t bytes_moved() const;
  std::string kernel() const;
  // The same traffic on the same memory.
  tileops_copy_traffic traffic() const { return traffic_; }

 private:
  struct Tensor;
  void add_traffic(const Operand& operand, const void* data, int64_t elements);

  std::vector<std::unique_ptr<Tensor>> tensors_;
  std::vector<const DLTensor*> inputs_;
  std::vector<const void*> input_data_;
  DLTensor* outputs_[1] = {};
  void* output_data_[1] = {};
  tileops_copy_traffic traffic_{};
  tileops_plan* plan_ = nullptr;
};

}  // namespace tileops_bench
