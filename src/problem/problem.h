// A canonical problem: what a request means, before a backend turns it into kernels.
//
//   request (C structs) -> Request -> lower (lower/lower.h) -> Problem {passes {loads, stores, strides}} -> backend
//
// An operator becomes one or two passes. At every point of its index space a pass loads values, takes
// them through steps, each of which applies a body (a functor) to loads and to results of steps before
// it, and stores some of the results. An operator is one step, an expression several. Each load and
// store is a strided view: of an operand, of a small constant array of the plan, of the index itself, of a
// number that comes with each execute, or of what an earlier pass has left in the workspace.
// A pass of rows has steps that make one value of all in a row, or of those up to each element; the row's other steps
// take it as any value.
// RoPE's halves, gated's packed operand, prelu's channels, dropout's element index and ALiBi's distances
// are all such views. So neither the layout engine nor the backends know an operator: all they need is in
// here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/extent.h"
#include "op/bodies.h"
#include "op/dtype.h"
#include "op/op_table.h"
#include "op/reduction.h"
#include "op/strategy.h"
#include "tileops/device/attributes.h"

namespace tileops {

using device::AttrValue;

class Formula;

struct TensorSpec {
  bool present = false;
  Dtype dtype = Dtype::f32;
  int ndim = 0;
  Extent shape[TILEOPS_MAX_NDIM];
  Extent strides[TILEOPS_MAX_NDIM];  // in elements; of size-1 dims: 0
  bool row_major = false;            // no strides were given
  Extent numel() const;
  bool is_open() const;
  TensorSpec at(const int64_t* extents) const;  // for the open extents of an execute
};

// Most operands and results of a request: an expression's.
inline constexpr int kMaxInputs = TILEOPS_MAX_EXPR_INPUTS, kMaxOutputs = TILEOPS_MAX_EXPR_OUTPUTS;

// An operator on operands, with attributes: what rules of shapes and dtypes and lowerings take.
struct Call {
  const OpSpec* op = nullptr;
  std::vector<TensorSpec> inputs, outputs;  // one for each of the operator's; absent ones are not present
  AttrValue attrs[TILEOPS_MAX_ATTRS] = {};  // in the order of op->attrs
  bool attr_given[TILEOPS_MAX_ATTRS] = {};  // by the caller; others are defaults
  int attr_place[TILEOPS_MAX_ATTRS] = {};   // in the caller's list
  // Within a formula: the number of the execute that each attribute is, or -1 (empty: none is one); and that operands
  // are values on their way, whose bits are not kept.
  std::vector<int> attr_numbers;
  bool inner = false;
  // Of a node of a formula: operands of a packed dtype are floats, which every operator of floats takes.
  bool of_node = false;

  Call() = default;
  explicit Call(const OpSpec& spec);  // without operands, all attributes by default

  bool has(tileops_attr_key key) const;           // given or defaulted
  bool given(tileops_attr_key key) const;         // by the caller
  std::string place(tileops_attr_key key) const;  // "attrs[1]: 'alpha'", for messages
  double number(tileops_attr_key key) const;
  int64_t integer(tileops_attr_key key) const;
  int number_of(tileops_attr_key key) const;  // of the execute, that the attribute is; or -1
};

// A checked copy of tileops_plan_desc. What is asked for is an operator's call, or a formula of as many operands and
// results as the caller has given.
struct Request : Call {
  std::shared_ptr<const Formula> formula;
  DLDevice device{};
  uint32_t flags = 0;
  LaunchHint hint;
  int num_inputs = 0, num_outputs = 0;  // as given; of an operator the lists may be longer
  // Open extents, by their number: which operand brings it along which axis, and the most that it may be.
  struct Open {
    int input, axis;
    int64_t most;
  };
  std::vector<Open> open;

  const char* name() const;  // for messages and logs
  std::string key() const;   // equal for equal requests
};

// A value within a pass: one of its loads, or a result of one of its steps.
struct Value {
  enum class Kind : uint8_t { load, step };
  Kind kind = Kind::load;
  int index = 0;   // which load, which step
  int result = 0;  // of a step: which of its body's
};
inline Value load_value(size_t i) { return {Value::Kind::load, static_cast<int>(i), 0}; }
inline Value step_value(size_t s, size_t r = 0) {
  return {Value::Kind::step, static_cast<int>(s), static_cast<int>(r)};
}
inline bool operator==(const Value& a, const Value& b) {
  return a.kind == b.kind && a.index == b.index && a.result == b.result;
}

enum class ViewKind : uint8_t { input, output, constant, index, number, temporary };

// Element (i0, i1, ...) of the view lies at base + offset + sum(i_d * strides[d]); for an index
// view that sum is the value itself. Of a packed dtype (op/dtype.h) offset and strides count elements. A number view is
// one element for all: f64, i64 or boolean, in 8 bytes that each execute brings. A temporary lies in the workspace,
// from its start on: one pass stores it, later ones load it.
struct View {
  ViewKind kind = ViewKind::input;
  int slot = 0;  // which input, output, constant or number
  Dtype dtype = Dtype::f32;
  int64_t offset = 0;           // bytes; for index views the value at the origin
  std::vector<Extent> strides;  // one per dim of the space; bytes; index views: units

  // What a gathered load or a scattered store adds to the address: an integer of the pass times `stride`. Of an
  // operator's load it is what another load has there, of ids; of an expression's what a step gives. Where it is
  // outside [0, extent) a load reads NaN, of integers 0, and a store writes nothing.
  struct Index {
    Value value;
    Extent stride, extent;
    bool is_mask = false;  // of a store: 0, or outside where nothing is stored; stride 0, extent 1
  };
  std::vector<Index> indices;
  bool zero_outside = false;  // reads 0 there, whatever the dtype
  bool adds = false;          // of a scattered store of 32- or 64-bit integers: adds to what is there

  Fp8Mode fp8 = Fp8Mode::saturate;  // of stores: what becomes of numbers that fp8 does not hold

  // Temporaries carry these, so that two passes are as exact as one pass would be (problem/analysis.h). A load may be
  // of a computed value, which is no number of its dtype; of a store few bits may do.
  bool computed = false, few_bits = false;

  // A store of f32 in a pass of rows may add up what blocks have, as the gradient of a norm's weight does. Blocks
  // follow each other in row-major order; kColumnGroup of them are a chunk, and have one place: the first one puts its
  // values there, each later one adds its own. From one chunk's sums to the next's it is `chunk` bytes, and strides
  // outside of blocks are 0. With low parts an element is a pair of floats, the high part first.
  struct SumOfBlocks {
    bool low_parts = false;
    int64_t chunk = 0;
  };
  std::optional<SumOfBlocks> sum_of_blocks;
};

struct Constant {
  std::vector<uint8_t> bytes;
};

// The alignment of the workspace and of what lies in it.
inline constexpr size_t kWorkspaceAlignment = 64;

// A body applied to values; or a reduction or scan of one value; or, without these, a conversion of one value to a
// dtype: rounded to it, then of its compute type. Values are of the types that operand_type() and result_type() say,
// those of loads, too: a load that is taken in two types is two loads.
struct Step {
  const BodyInfo* body = nullptr;
  Reduction reduction = Reduction::none;
  Ctype ctype = Ctype::f32;      // that the body computes in, or a conversion gives
  std::vector<AttrValue> attrs;  // what the body is built from; rounded to the compute type
  std::vector<Value> arguments;  // the body's operands; steps come before those that use them
  std::vector<int> numbers;      // empty, or one an attribute: the number that is its value, or -1

  Dtype to = Dtype::f32;  // of a conversion
  Fp8Mode fp8 = Fp8Mode::saturate;

  // How many of the innermost extents a reduction takes together. Its type is one of f32, f64, i64, u64, of any
  // and all boolean.
  size_t rank = 0;
  // Do the rounding errors of a float sum come along, as low parts that are added at the end? Its second argument, if
  // it has one, are those that its values bring: on a GPU alone.
  bool low_parts = false;
  // In which order floats are added or multiplied (docs/numerics.md): by the aligned binary tree over the elements in
  // row-major order; or, `in_columns`, 32 elements after each other and these groups by the tree.
  bool in_columns = false;
  // A scan: of each element in a block what those up to it come to, in that order; `exclusive`: those before it. It
  // takes the whole block, row by row. Where blocks are in parts (Pass::split_elements) it has a second argument: a
  // load of what the part comes to, beside which lie those of the others. Of float32 sums with low parts these are
  // words of both; of float64 a third argument has the low parts.
  bool scans = false, exclusive = false;

  bool converts() const { return !body && reduction == Reduction::none; }
  bool reduces() const { return reduction != Reduction::none && !scans; }
};

inline Ctype operand_type(const Step& step, size_t i) {
  if (step.body) return step.body->operands[i].in(step.ctype);
  return step.scans && i == 1 && step.low_parts && step.ctype == Ctype::f32 ? Ctype::u64 : step.ctype;
}
inline Ctype result_type(Reduction by, Ctype ctype) {
  switch (by) {
    case Reduction::sum_of_pairs: return Ctype::f32;
    case Reduction::sum_pair:
    case Reduction::squares_pair:
    case Reduction::log_sum_exp_pair: return Ctype::u64;
    case Reduction::argmax:
    case Reduction::argmin: return Ctype::i64;
    case Reduction::variance:
    case Reduction::sum_wide:
    case Reduction::sum_of_pairs_wide:
    case Reduction::log_sum_exp:
    case Reduction::log_sum_exp_above:
    case Reduction::log_sum_exp_of_pairs: return Ctype::f64;
    default: return ctype;
  }
}
inline Ctype result_type(const Step& step, size_t i = 0) {
  if (step.body) return step.body->results[i].in(step.ctype);
  if (step.converts()) return compute_type(step.to);
  return result_type(step.reduction, step.ctype);
}

inline size_t num_results(const Step& step) { return step.body ? step.body->results.size() : 1; }

struct Pass {
  std::vector<Extent> extents;
  // How many of the innermost extents are a block whose elements belong together, such as a row. 0: every element
  // stands alone. Steps that reduce take all of them, or some: of rows that are cut into groups the innermost one.
  size_t row_rank = 0;
  bool is_of_rows() const { return row_rank > 0; }
  // An axis that is cut into groups, of which the last one is short, is two extents: there is an element only where
  // index[group] * extents[within] + index[within] < limit.
  struct ShortGroup {
    size_t group = 0, within = 0;
    int64_t limit = 0;  // 0: there are none
  } short_group;
  // Blocks of very many elements are taken in parts, each for itself: of so many elements, row-major, a power of two.
  // The last of the extents that number blocks then numbers the parts of a block. 0: blocks are whole.
  int64_t split_elements = 0;
  std::vector<View> loads;    // last those of ids, which are there for other loads' indices and taken by no step
  std::vector<Step> steps;    // at least one
  std::vector<View> stores;   // of a value that is the same along the innermost extents, one for all: strides are 0
  std::vector<Value> stored;  // what each store takes
  bool bits_kept = false;     // operands of the compute type are read and written as raw bits
};

// Calls f for each index of a pass's views: a value that is taken beside the arguments of steps and what is stored.
template <class P, class F>
void each_index(P& pass, const F& f) {
  for (auto* views : {&pass.loads, &pass.stores})
    for (auto& view : *views)
      for (auto& index : view.indices) f(index.value);
}

// Is an operand gathered, or a result scattered?
inline bool has_indices(const Pass& pass) {
  bool any = false;
  each_index(pass, [&](const Value&) { any = true; });
  return any;
}

// The numbers of a problem, which are computed anew for each execute. Immutable.
class Numbers {
 public:
  virtual ~Numbers() = default;
  // From `count` scalars, in their order, and the plan's open extents; scalars that are not given have their default.
  // Throws Error on one that cannot be. Allocates nothing.
  virtual void compute(const tileops_number* scalars, size_t count, const int64_t* extents, AttrValue* out) const = 0;
  // Where a number comes from: a scalar as it is, several things that the host computes with, or none; and does it
  // depend on open extents?
  struct Source {
    int scalar = -1;
    bool varies = false;
    bool of_extents = false;
  };
  virtual Source source_of(size_t number) const = 0;
};

struct Problem {
  std::string name;  // the operator's, for messages and logs
  uint32_t flags = 0;
  LaunchHint hint;
  std::vector<Constant> constants;
  // What lies in the workspace, one behind the other: the bytes of each, where some are open (then views of kind
  // temporary say which by their slot); else of all, and views have offsets from its start.
  std::vector<Extent> temporaries;
  size_t workspace_bytes = 0;
  std::vector<int64_t> most_extents;  // of the open ones: what each is at most
  std::vector<Extent> not_empty;      // open ones of which the largest or smallest element is sought: never 0
  // 8 bytes each, brought by each execute: f64, i64, or a bool in the first byte.
  size_t num_numbers = 0;
  std::shared_ptr<const Numbers> numbers;
  std::vector<Pass> passes;  // one after the other
  // For a formula, by result: bit i says that it may be written over operand i, if their layouts are the same: no pass
  // loads what was stored there (problem/in_place.h).
  std::vector<uint32_t> in_place;
};

inline constexpr size_t kMostTemporaries = 32;  // where some are open
// Where temporaries of these sizes begin in the workspace, for the open extents of an execute. Returns the bytes of
// all.
size_t place_temporaries(const std::vector<Extent>& sizes, const int64_t* extents, int64_t* offsets);

// The step of a pass that has one: an operator's.
inline const Step& only_step(const Pass& pass) { return pass.steps.front(); }

// The number of the first load of ids. Steps and stores take those before it: all, where nothing is gathered.
size_t ids_begin(const Pass& pass);

// What a request asks for that is no operator: an expression (src/expr), which this is all that plans know of.
class Formula {
 public:
  virtual ~Formula() = default;
  virtual const std::string& key() const = 0;  // equal for formulas that mean the same
  virtual size_t num_results() const = 0;
  virtual Problem lower(const Request& request) const = 0;
  // Shape, dtype and row-major strides of all results.
  virtual std::vector<TensorSpec> infer(const Request& request) const = 0;
  virtual void check_counts(const Request& request) const = 0;  // of operands and results; throws Error
};

}  // namespace tileops
