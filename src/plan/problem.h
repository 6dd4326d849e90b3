// A canonical problem: what a request means, before a backend turns it into kernels.
//
//   request (C structs) -> Request -> lower -> Problem {passes {loads, stores, strides}} -> backend
//
// An operator becomes one or two passes. At every point of its index space a pass loads values, takes
// them through steps, each of which applies a body (a functor) to loads and to results of steps before
// it, and stores some of the results. An operator is one step, an expression several. Each load and
// store is a strided view: of an operand, of a small constant array of the plan, or of the index itself.
// RoPE's halves, gated's packed operand, prelu's channels, dropout's element index and ALiBi's distances
// are all such views. So neither the layout engine nor the backends know an operator: all they need is in
// here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "op/bodies.h"
#include "op/dtype.h"
#include "op/op_table.h"
#include "op/strategy.h"
#include "tileops/device/body.h"

namespace tileops {

using device::AttrValue;

struct TensorSpec {
  bool present = false;
  Dtype dtype = Dtype::f32;
  int ndim = 0;
  int64_t shape[TILEOPS_MAX_NDIM];
  int64_t strides[TILEOPS_MAX_NDIM];  // in elements; of size-1 dims: 0
  int64_t numel() const;
};

// A checked copy of tileops_plan_desc, attributes completed with defaults.
struct Request {
  const OpSpec* op = nullptr;
  DLDevice device{};
  uint32_t flags = 0;
  LaunchHint hint;
  int num_inputs = 0, num_outputs = 0;
  TensorSpec inputs[TILEOPS_MAX_INPUTS];
  TensorSpec outputs[TILEOPS_MAX_OUTPUTS];
  AttrValue attrs[TILEOPS_MAX_ATTRS] = {};  // in the order of op->attrs
  bool attr_given[TILEOPS_MAX_ATTRS] = {};  // by the caller
  int attr_place[TILEOPS_MAX_ATTRS] = {};   // in the caller's list

  bool has(tileops_attr_key key) const;           // given or defaulted
  bool given(tileops_attr_key key) const;         // by the caller
  std::string place(tileops_attr_key key) const;  // "attrs[1]: 'alpha'", for messages
  double number(tileops_attr_key key) const;
  int64_t integer(tileops_attr_key key) const;
  std::string key() const;  // equal for equal requests
};

enum class ViewKind : uint8_t { input, output, constant, index };

// Element (i0, i1, ...) of the view lies at base + offset + sum(i_d * strides[d]); for an index
// view that sum is the value itself.
struct View {
  ViewKind kind = ViewKind::input;
  int slot = 0;  // which input, output or constant
  Dtype dtype = Dtype::f32;
  int64_t offset = 0;            // bytes; for index views the value at the origin
  std::vector<int64_t> strides;  // one per dim of the space; bytes; index views: units

  // A gathered view adds index[i] * gather_stride to the address, where `index` is a view of
  // integers; an index outside [0, gather_extent) reads as NaN.
  std::shared_ptr<View> gather;
  int64_t gather_stride = 0, gather_extent = 0;
};

struct Constant {
  std::vector<uint8_t> bytes;
};

// A value within a pass: one of its loads, or a result of one of its steps.
struct Value {
  enum class Of : uint8_t { load, step };
  Of of = Of::load;
  int index = 0;   // which load, which step
  int result = 0;  // of a step: which of its body's
};

struct Step {
  const BodyInfo* body = nullptr;
  std::vector<AttrValue> attrs;  // what the body is built from; rounded to the compute type
  std::vector<Value> arguments;  // the body's operands; steps come before those that use them
};

struct Pass {
  Ctype ctype = Ctype::f32;
  std::vector<int64_t> extents;
  std::vector<View> loads;
  std::vector<Step> steps;
  std::vector<View> stores;
  std::vector<Value> stored;  // what each store takes
  bool bits_kept = false;     // operands of the compute type are read and written as raw bits
};

struct Problem {
  std::string name;  // the operator's, for messages and logs
  uint32_t flags = 0;
  LaunchHint hint;
  Fp8Mode fp8 = Fp8Mode::saturate;
  std::vector<Constant> constants;
  std::vector<Pass> passes;
  uint64_t bytes_moved = 0;
};

// The step of a pass that has one: an operator's.
inline const Step& only_step(const Pass& pass) { return pass.steps.front(); }

// Builds the problem of a request, or throws Error.
Problem lower(const Request& request);

// What outputs[output] of a request is if the caller does not choose: shape, dtype, row-major strides.
// Outputs of the request are not needed but by operators without a shape of their own. Throws Error.
TensorSpec infer_result(Request request, int output);

}  // namespace tileops
