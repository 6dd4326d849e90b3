// A plan: a checked request, prepared by a backend. Immutable.
#pragma once

#include <memory>

#include "plan/backend.h"
#include "plan/kept_workspace.h"
#include "problem/overlap.h"
#include "problem/problem.h"

namespace tileops {

class Context;

class Plan {
 public:
  // `problem` is what the request means (lower/lower.h).
  Plan(Request request, const Problem& problem, const Context& context);

  const Request& request() const { return request_; }
  const Executable& executable() const { return *executable_; }
  Backend& backend() const { return *backend_; }
  uint64_t bytes_moved() const { return bytes_moved_; }
  size_t workspace_bytes() const { return executable_->workspace_bytes(); }

  // Throw Error on a wrong argument, before anything is written. `kept`: the handle's own workspace, or NULL.
  // `part`: that alone; NULL: all.
  void execute_with(const tileops_execute_args& args, KeptWorkspace* kept, const Part* part = nullptr) const;
  void execute_ptrs(const void* const* inputs, void* const* outputs, void* stream, KeptWorkspace* kept) const;

 private:
  // Where operands lie, element 0 of each.
  struct Operands {
    const void* in[kMaxInputs];
    void* out[kMaxOutputs];
    uint32_t host_inputs = 0;  // see Execution
  };
  void check_counts(const tileops_execute_args& args) const;
  void check_tensors(const tileops_execute_args& args, Operands* operands) const;
  // Nothing but NULL is looked for. The names of the two lists are for errors.
  void check_addresses(const void* const* in, const char* in_name, void* const* out, const char* out_name) const;
  const void* check_tensor(const DLTensor* t, const TensorSpec& spec, const char* list, size_t i,
                           bool has_elements) const;
  void check_part(const Part& part) const;
  void run(Execution execution, const tileops_number* scalars, size_t num_scalars, KeptWorkspace* kept,
           const Part* part) const;
  void check_overlap(size_t out, const void* const* in, void* const* outs) const;
  void check_workspace(const tileops_execute_args& args, const void* const* in, void* const* outs) const;

  Request request_;
  Backend* backend_;
  std::unique_ptr<Executable> executable_;
  uint64_t bytes_moved_;
  std::shared_ptr<const Numbers> numbers_;
  int64_t numel_in_[kMaxInputs] = {}, numel_out_[kMaxOutputs] = {};
  ByteRange range_in_[kMaxInputs], range_out_[kMaxOutputs];
  bool in_place_[kMaxOutputs][kMaxInputs] = {};  // may a result be written to an operand's place?
};

}  // namespace tileops
