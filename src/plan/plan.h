// A plan: a checked request, prepared by a backend. Immutable.
#pragma once

#include <memory>

#include "plan/backend.h"
#include "plan/overlap.h"
#include "plan/problem.h"

namespace tileops {

class Context;

class Plan {
 public:
  Plan(Request request, const ContextOptions& options);

  const Request& request() const { return request_; }
  const Executable& executable() const { return *executable_; }
  Backend& backend() const { return *backend_; }
  uint64_t bytes_moved() const { return bytes_moved_; }

  // Throw Error on a wrong argument, before anything is written.
  void execute(const DLTensor* const* inputs, size_t num_inputs, DLTensor* const* outputs, size_t num_outputs,
               void* stream) const;
  void execute_ptrs(const void* const* inputs, void* const* outputs, void* stream) const;

 private:
  const void* check_tensor(const DLTensor* t, const TensorSpec& spec, const char* list, size_t i,
                           bool has_elements) const;
  void check_overlap(size_t out, const void* const* in, void* const* outs) const;

  Request request_;
  Backend* backend_;
  std::unique_ptr<Executable> executable_;
  uint64_t bytes_moved_;
  int64_t numel_in_[TILEOPS_MAX_INPUTS] = {}, numel_out_[TILEOPS_MAX_OUTPUTS] = {};
  ByteRange range_in_[TILEOPS_MAX_INPUTS], range_out_[TILEOPS_MAX_OUTPUTS];
  bool same_layout_[TILEOPS_MAX_OUTPUTS][TILEOPS_MAX_INPUTS] = {};
};

}  // namespace tileops
