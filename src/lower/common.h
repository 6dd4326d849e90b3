// What the lowerings share: promotion, broadcasting, views, constants.
#pragma once

#include <optional>

#include "base/error.h"
#include "op/bodies.h"
#include "problem/problem.h"

namespace tileops {

// An error about an operand or an attribute of a call. A request calls it inputs[i] or attrs[i], with which the message
// begins; an expression has other names for it.
struct CallError : Error {
  enum class Kind : uint8_t { input, attribute } kind;
  int index;                     // of inputs, or of the caller's list of attributes; -1: the attribute was not given
  std::string fault;             // the message without what it is about
  bool is_of_broadcast = false;  // shapes do not go together
};
[[noreturn]] void refuse_input(tileops_status status, size_t i, const std::string& fault);
// "must be ...", of one attribute, with whose name the fault begins; or of several.
[[noreturn]] void refuse_attribute(const Call& r, tileops_attr_key key, const std::string& what);
[[noreturn]] void refuse_attributes(const std::string& fault);

// Iteration space.
struct Space {
  std::vector<Extent> extents;
  int ndim() const { return static_cast<int>(extents.size()); }
  bool empty() const {
    for (const Extent& n : extents)
      if (n == 0) return true;
    return false;
  }
};

// Promoted dtype of the operands of no fixed dtype, after checking each against the operator.
Dtype promote_inputs(const Call& r);

// Type the body computes in, given the promoted dtype.
Ctype choose_ctype(const Call& r, Dtype promoted);

// Do operands pass through as raw bits? (Compute::bits or source, no conversion, not bool, whose
// bytes are normalised.)
bool keeps_bits(const Call& r);

// NumPy broadcast of the shapes of the first `count` inputs; throws naming the input and axis.
Space broadcast_inputs(const Call& r, size_t count);

// Shape of the operator's results; throws if the operands do not go together.
Space result_space(const Call& r);

// Dtype of output 0 unless the caller asks for another.
Dtype result_dtype(const Call& r);

// What becomes of numbers that an fp8 result does not hold.
Fp8Mode fp8_mode(const Call& r);

// Views. Tensor views broadcast trailing dims to the space.
View input_view(const Call& r, int i, const Space& space);
View output_view(const Call& r, int i, const Space& space);
View index_view(int64_t origin, std::vector<Extent> strides);
View scalar_constant(Problem* p, double value, const Space& space);
View integer_constant(Problem* p, int64_t value, const Space& space);
// A number that comes with each execute.
View number_view(int number, Dtype dtype, const Space& space);
// A constant already in storage form.
View raw_constant(Problem* p, const void* bytes, Dtype dtype, const Space& space);
template <class T>
View array_constant(Problem* p, const std::vector<T>& values, Dtype dtype, std::vector<Extent> strides_in_elements) {
  Constant c;
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  c.bytes.assign(bytes, bytes + values.size() * sizeof(T));
  p->constants.push_back(std::move(c));
  View v;
  v.kind = ViewKind::constant;
  v.slot = static_cast<int>(p->constants.size()) - 1;
  v.dtype = dtype;
  for (const Extent& s : strides_in_elements) v.strides.push_back(s * int64_t{sizeof(T)});
  return v;
}

// How an integer operand takes a number attribute: all must be integral.
enum class Fit {
  exact,     // within the dtype
  wraps,     // or a negative number within the signed dtype of that size
  any,       // exponents: any 64-bit integer
  unused,    // integers have no NaN to replace
  saturates  // bounds: any number, infinities too
};
Fit fit_of(tileops_attr_key key);

// A number attribute as a constant operand of compute type `ctype`; infinities saturate.
View attr_constant(const Call& r, Problem* p, tileops_attr_key key, Ctype ctype, const Space& space);
// An integer attribute as an operand.
View integer_attr(const Call& r, Problem* p, tileops_attr_key key, const Space& space);

// A pass of one step: the operator's first body that fits, or the one of that name, with the request's attributes.
Pass make_pass(const Call& r, Ctype ctype, const Space& space, const char* body = nullptr);

// The dtype that a 0-d operand of a comparison is rounded to before it is compared: the one of the operand with
// dimensions, where that is a narrower float. So bf16 `x == t` holds where x is what t is in bf16.
bool is_compared(const OpSpec& op);
bool rounds_for_comparison(const TensorSpec& zero_dim, const TensorSpec& other);

// Elements per step of each dim of a row-major space.
std::vector<Extent> row_major_strides(const Space& space);

// Axis attribute in [0, ndim), or throws.
int normalize_axis(const Call& r, tileops_attr_key key, int64_t axis, int ndim);

// Throws if an attribute is given beside the operand that it stands in for.
void refuse_both(const Call& r, tileops_attr_key key, int input);

// What a call must be is said by these three alone, each of which throws if it is not. Inference, which lowers nothing,
// asks them, and so does lower_call() before it hands the call to a lowering, which then relies on it.
// Are the outputs there that the operator needs, none of them scales that only cast gives?
void require_outputs(const Call& r);
// Do operands and attributes go together? Expressions ask that of each node. Of outputs only the shape is looked at
// that the caller chooses (alibi, sinusoidal).
void check_call(const Call& r);
// Does a call that has been checked give results of the shapes and dtypes that it is asked for? Returns their shape.
Space check_outputs(const Call& r);

// The part of check_call() that some lowerings have a rule of their own for.
void check_prelu(const Call& r);
void check_rope(const Call& r);
void check_dropout(const Call& r);
void check_alibi(const Call& r);
void check_sinusoidal(const Call& r);

// One per value of Lowering, for calls and outputs that have been checked: the pass, whose constants become the
// problem's. `space` is that of the results.
Pass lower_map(const Call& r, const Space& space, Problem* p);
Pass lower_cast(const Call& r, const Space& space, Problem* p);
Pass lower_clamp(const Call& r, const Space& space, Problem* p);
Pass lower_masked_fill(const Call& r, const Space& space, Problem* p);
Pass lower_nan_to_num(const Call& r, const Space& space, Problem* p);
Pass lower_prelu(const Call& r, const Space& space, Problem* p);
Pass lower_gated(const Call& r, const Space& space, Problem* p);
Pass lower_rope(const Call& r, const Space& space, Problem* p);
// What rope does not turn is copied, by a pass of its own.
std::optional<Pass> lower_tail_of_rope(const Call& r, const Space& space);
Pass lower_dropout(const Call& r, const Space& space, Problem* p);
Pass lower_dropout_mask(const Call& r, const Space& space, Problem* p);
Pass lower_alibi(const Call& r, const Space& space, Problem* p);
Pass lower_sinusoidal(const Call& r, const Space& space, Problem* p);

}  // namespace tileops
