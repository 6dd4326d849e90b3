// What is known of each value of a pass: its type, who takes it, how exact it must be and how it is rounded. Both
// backends go by what is said here, so that a new dtype or a new kind of step has to be thought of once. Kernels of one
// operator have the same rule of rounding in their own types: src/cuda/kernels/core/operator_step.h,
// src/cpu/loops/half/rounding.h.
//
// Rounding. A value is *rounded* if it is a number of some dtype: a load, or what a conversion gave. Else it is
// *computed*: what a body gave, in the type that it computes in. A step whose float operands are all rounded does what
// its operator does when it is called alone. So if a narrow float (16 bits or fewer) is made of its result, that has to
// be the operator's result, which is the exact one rounded once: `accuracy`, `has_odd` and `ulp` of its body say how
// that is had (Rounding). A pass with a conversion behind each step thereby gives the bits of the operators one by one.
// A step that takes a computed value is not the call of an operator; there are no bits to match, and its result is
// plainly rounded to the nearest.
//
// Few bits. Where only narrow floats are made of a value, directly or by further steps, their roundings add far more
// than 2^-20 of it, and a shorter form of its function will do, within that. It will not if
//   - a result or a conversion on the way has more bits, in which the error would be seen;
//   - a body on the way jumps (BodyInfo::jumps), or gives no float, as a comparison does: where an operand is a little
//     off, the result is quite another. All that such an operand is made of is then as exact as its operators;
//   - a narrow float is the operator's result, rounded once from it: to the nearest, as x / y of two rounded numbers
//   is,
//     or tested, which relies on the operator's bound;
//   - the plan is reproducible: its f32 values are the same on all backends, inside as well.
#pragma once

#include <array>
#include <vector>

#include "problem/problem.h"

namespace tileops {

// How a narrow float is made of a value.
enum class Rounding : uint8_t {
  none,     // none is made: a body takes the value, or it becomes something else
  nearest,  // from the value: of an operator that is exact or one operation, whose rounding twice does no harm, or of
            // no operator
  odd,      // from the result rounded to odd, for which the body has a form (BodyInfo::has_odd)
  tested,   // from the value, or from an f64 one where it is within the body's bound (ulp) of a tie
};

// Along which extents of its pass a value changes, at most: once for a whole block, once for a group in it (what the
// steps that reduce the fewest extents leave), or with each element.
enum class Level : uint8_t { block, group, element };

struct ValueInfo {
  Ctype type = Ctype::f32;        // that it is taken in
  bool operands_rounded = false;  // a result of a body whose float operands are all rounded
  bool few_bits = true;           // a form within 2^-20 will do
  bool needs_all_bits = false;    // a body takes it, or an f64: no rounding hides its last bits
  int last_reader = -1;           // the last step that takes it; -1: none, or stores alone
  int last_taken = -1;            // the last step or, numbered behind all steps, store that takes it; -1: none
  int stage = 0;                  // how many reductions and scans, one after the other, come before it
  Level level = Level::element;
  // How often steps and stores take it, by the rounding with which they do.
  std::array<int, 4> taken{};

  int readers() const { return taken[0] + taken[1] + taken[2] + taken[3]; }
  int taken_by(Rounding r) const { return taken[static_cast<size_t>(r)]; }
};

// What a backend adds to what the pass says.
struct AnalysisOptions {
  bool reproducible = false;
  // By load: is it the index of a table, so that its value is a computed one? Empty: none is.
  std::vector<bool> looked_up = {};
  // Does the backend have a form of the body that is exact enough to be rounded to the nearest? NULL: of none.
  bool (*is_exact)(const BodyInfo&, Dtype) = nullptr;
};

// The rounding with which a conversion or store to `to` takes a value.
Rounding rounding_of(const Pass& pass, const Value& value, Dtype to, const AnalysisOptions& options = {});

// The facts of all values of a pass, as it is: for a pass that was changed they are found anew.
class PassInfo {
 public:
  explicit PassInfo(const Pass& pass, const AnalysisOptions& options = {});

  const ValueInfo& of(const Value& v) const { return values_[place_of(v)]; }
  // The results of a step as one value: few bits if they will do for each, all bits if one
  // needs them.
  ValueInfo of_step(size_t step) const;
  int results_of(size_t step) const { return static_cast<int>(results_[step + 1] - results_[step]); }
  // How many stages the pass has: 1 without reductions.
  int stages() const { return stages_; }

 private:
  size_t place_of(const Value& v) const {
    const size_t index = static_cast<size_t>(v.index);
    return v.kind == Value::Kind::load ? index : results_[index] + static_cast<size_t>(v.result);
  }
  ValueInfo& at(const Value& v) { return values_[place_of(v)]; }
  void find_readers(const Pass& pass, const AnalysisOptions& options);
  void find_few_bits(const Pass& pass);
  void find_stages(const Pass& pass);
  void place_steps(const Pass& pass, const std::vector<bool>& waits);

  std::vector<ValueInfo> values_;  // loads, then the results of each step
  int stages_ = 1;
  std::vector<size_t> results_;  // by step: where its results begin; behind the last one, where all end
};

// Tells passes what others know of values that they leave each other in `count` temporaries: whatever is done in
// several passes has the bits of one.
void tell_of_temporaries(size_t count, std::vector<Pass>* passes);

// Is it an operator: one step, of the loads but ids in their order, whose results are stored in theirs and say no
// place?
bool is_operator(const Pass& pass);

}  // namespace tileops
