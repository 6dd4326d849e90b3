// Calls written as text, so that the tables of wrong calls can be read at sight:
//
//   add       f32[2,3] f32[3] -> f32[2,3]      alpha=2.5
//   op name   operands                         attributes
//
// An operand is DTYPE[SHAPE], with optional parts after it:
//   {3,1}    strides in elements            @5     ndim, whatever the shape is (no [...]: NULL)
//   +8       bytes from the start of memory that all such operands share, to element 0
//   dl(c/b/l)  as DTYPE: a DLDataType by its numbers        -    an absent operand
// Numbers may be written 2^40 and 2^62-1. An attribute is NAME=VALUE, an f64 if VALUE has a '.', is
// nan or inf; #77=1 is an attribute by its key, alpha:9=1 one whose kind is 9.
#pragma once

#include <tileops/tileops.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bad_input {

struct Operand {
  bool present = false;
  DLDataType dtype{};
  int32_t ndim = 0;
  std::vector<int64_t> shape, strides;  // without strides: row-major
  bool has_shape = false, has_strides = false;
  int64_t offset = -1;  // in shared memory; -1: memory of its own

  tileops_tensor_desc desc() const;
  DLTensor tensor() const;  // data is NULL
  // Bytes from element 0 to the lowest and to the end of the highest element.
  int64_t low() const, high() const;
};

struct Call {
  tileops_op op;
  std::vector<Operand> inputs, outputs;
  std::vector<tileops_attr> attrs;

  Call(const char* op_name, const char* operands, const char* attributes);
};

// What tileops_plan_create needs, with the arrays it points into.
struct Desc {
  explicit Desc(const Call& call);
  Desc(const Desc&) = delete;
  std::vector<tileops_tensor_desc> inputs, outputs;
  std::vector<tileops_attr> attrs;
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
};

// A call with memory and a plan: the arguments of tileops_execute, free to be changed. With a text the plan is the
// text's, on the call's operands, and has a context that keeps its workspace.
class Execution {
 public:
  explicit Execution(const Call& call, const char* text = nullptr);
  Execution(const Execution&) = delete;
  ~Execution();

  tileops_status execute() const;
  // All memory of all operands, the bytes around them included.
  std::vector<std::string> memory() const { return memory_; }
  void fill();  // small positive values in every element of the inputs, a pattern elsewhere
  std::string bytes_of_output(size_t i) const;

  tileops_plan* plan = nullptr;
  std::vector<DLTensor> in, out;
  std::vector<const DLTensor*> inputs;
  std::vector<DLTensor*> outputs;
  size_t num_inputs, num_outputs;
  void* stream = nullptr;

 private:
  const Call call_;
  tileops_context* context_ = nullptr;
  std::vector<std::string> memory_;
};

// NULL if creating and running a plain plan works, else what went wrong. Every test ends with it.
const char* still_works();

}  // namespace bad_input
