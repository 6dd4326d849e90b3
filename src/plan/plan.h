// A plan: a checked request, prepared by a backend. Immutable.
#pragma once

#include <memory>
#include <optional>

#include "base/error.h"
#include "plan/backend.h"
#include "plan/kept_workspace.h"
#include "plan/traffic.h"
#include "problem/overlap.h"
#include "problem/problem.h"

namespace tileops {

class Context;

// Calls f; its error names the item of a list that it is about.
template <class F>
void naming_item(size_t i, const F& f) {
  try {
    f();
  } catch (Error& e) {
    e.message = strf("items[%zu]: ", i) + e.message;
    throw;
  }
}

class Plan {
 public:
  // `problem` is what the request means (lower/lower.h).
  Plan(Request request, const Problem& problem, const Context& context);

  const Request& request() const { return request_; }
  const Executable& executable() const { return *executable_; }
  Backend& backend() const { return *backend_; }
  uint64_t bytes_moved(const int64_t* extents) const;
  bool is_open() const { return !request_.open.empty(); }
  // For the plan's open extents; NULL: it has none.
  size_t workspace_bytes(const int64_t* extents = nullptr) const { return executable_->workspace_bytes(extents); }
  // Throws Error unless there are as many extents as the plan has open ones, and each is one that it may be.
  void check_extents(const int64_t* extents, size_t count) const;
  // What it needs at most; nothing where that depends on an extent that may be any.
  std::optional<size_t> most_workspace_bytes() const;

  // Throw Error on a wrong argument, before anything is written. `kept`: the handle's own workspace, or NULL.
  // `part`: that alone; NULL: all.
  void execute_with(const tileops_execute_args& args, KeptWorkspace* kept, const Part* part = nullptr) const;
  // All of a list, of which each item is as an execute (tileops_execute_list).
  void execute_list(const std::vector<tileops_execute_args>& items) const;
  void execute_ptrs(const void* const* inputs, void* const* outputs, void* stream, KeptWorkspace* kept) const;

 private:
  class List;
  // What operands and results have in an execute: elements, and bytes from element 0 on.
  struct Shapes {
    int64_t numel_in[kMaxInputs], numel_out[kMaxOutputs];
    ByteRange range_in[kMaxInputs], range_out[kMaxOutputs];
  };
  // Where operands lie, element 0 of each.
  struct Operands {
    const void* in[kMaxInputs];
    void* out[kMaxOutputs];
    uint32_t host_inputs = 0;  // see Execution
  };
  void find_traffic(const Problem& problem);
  void find_alike();
  // What does not depend on extents.
  void check_args(const tileops_execute_args& args) const;
  void check_ranges(const int64_t* extents, size_t count) const;
  // The open extents of an execute: as they are given or, where there are tensors, as these have them.
  void find_extents(const tileops_execute_args& args, int64_t* extents) const;
  void find_shapes(const int64_t* extents, Shapes* shapes) const;
  void check_not_empty(const int64_t* extents) const;
  void execute_at(const tileops_execute_args& args, const int64_t* extents, const Shapes& shapes, KeptWorkspace* kept,
                  const Part* part) const;
  // Checks operands and the workspace. `operands` has the addresses of tensors, which the execution points to.
  Execution bind(const tileops_execute_args& args, const int64_t* extents, const Shapes& shapes,
                 Operands* operands) const;
  void check_tensors(const tileops_execute_args& args, const int64_t* extents, const Shapes& shapes,
                     Operands* operands) const;
  // Nothing but NULL is looked for. The names of the two lists are for errors.
  void check_addresses(const Shapes& shapes, const void* const* in, const char* in_name, void* const* out,
                       const char* out_name) const;
  const void* check_tensor(const DLTensor* t, const TensorSpec& spec, const int64_t* extents, const char* list,
                           size_t i, bool has_elements) const;
  [[noreturn]] void refuse_shape(const DLTensor& t, const TensorSpec& spec, const int64_t* extents, const char* list,
                                 size_t i) const;
  void check_part(const Part& part) const;
  void check_scalars(const tileops_number* scalars, size_t count) const;
  [[noreturn]] void refuse_without_workspace(size_t need) const;
  void run(Execution execution, const tileops_number* scalars, size_t num_scalars, KeptWorkspace* kept,
           const Part* part) const;
  void check_overlap(const int64_t* extents, const Shapes& shapes, size_t out, const void* const* in,
                     void* const* outs) const;
  void check_workspace(const tileops_execute_args& args, const int64_t* extents, const Shapes& shapes,
                       const void* const* in, void* const* outs) const;

  static constexpr size_t kMaxNumbers = 256;
  Request request_;
  Backend* backend_;
  std::unique_ptr<Executable> executable_;
  std::vector<Traffic> traffic_;
  std::shared_ptr<const Numbers> numbers_;
  size_t num_numbers_;
  std::vector<Extent> not_empty_;
  Shapes shapes_;                                      // of a plan without open extents
  int alike_in_[kMaxInputs], alike_out_[kMaxOutputs];  // by operand: an input before it of the same layout, or -1
  bool in_place_[kMaxOutputs][kMaxInputs] = {};        // may a result be written to an operand's place?
};

}  // namespace tileops
