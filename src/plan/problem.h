// A canonical problem: what a request means, before a backend turns it into kernels.
//
//   request (C structs) -> Request -> lower -> Problem {passes {loads, stores, strides}} -> backend
//
// An operator becomes one or two passes. A pass applies a body (a functor over N loads and M
// stores) at every point of an index space. Each load and store is a strided view: of an operand,
// of a small constant array of the plan, or of the index itself. RoPE's halves, gated's packed
// operand, prelu's channels, dropout's element index and ALiBi's distances are all such views, so
// neither the layout engine nor the backends know these operators.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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
  AttrValue attrs[TILEOPS_MAX_ATTRS] = {};     // in the order of op->attrs
  bool attr_given[TILEOPS_MAX_ATTRS] = {};     // by the caller
  int attr_place[TILEOPS_MAX_ATTRS] = {};      // in the caller's list

  bool has(tileops_attr_key key) const;    // given or defaulted
  bool given(tileops_attr_key key) const;  // by the caller
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
  int slot = 0;        // which input, output or constant
  Dtype dtype = Dtype::f32;
  int64_t offset = 0;  // bytes; for index views the value at the origin
  std::vector<int64_t> strides;  // one per dim of the space; bytes; index views: units

  // A gathered view adds index[i] * gather_stride to the address, where `index` is a view of
  // integers; an index outside [0, gather_extent) reads as NaN.
  std::shared_ptr<View> gather;
  int64_t gather_stride = 0, gather_extent = 0;
};

struct Constant {
  std::vector<uint8_t> bytes;
};

struct Pass {
  std::string body;  // name of the functor
  int body_index = 0;      // within the operator's list
  int num_body_loads = 0;
  Ctype ctype = Ctype::f32;
  std::vector<int64_t> extents;
  std::vector<View> loads, stores;
  bool bits_kept = false;  // operands of the compute type are read and written as raw bits
};

struct Problem {
  const OpSpec* op = nullptr;
  uint32_t flags = 0;
  LaunchHint hint;
  AttrValue attrs[TILEOPS_MAX_ATTRS] = {};  // what bodies see: rounded to the compute type
  Fp8Mode fp8 = Fp8Mode::saturate;
  std::vector<Constant> constants;
  std::vector<Pass> passes;
  uint64_t bytes_moved = 0;
};

// Builds the problem of a request, or throws Error.
Problem lower(const Request& request);

// What outputs[output] of a request is if the caller does not choose: shape, dtype, row-major strides.
// Outputs of the request are not needed but by operators without a shape of their own. Throws Error.
TensorSpec infer_result(Request request, int output);

}  // namespace tileops
