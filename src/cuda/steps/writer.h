// The lines of a kernel's text that take packs of N values through steps, by the functions of kernels/core/steps.h:
// what functions of a whole expression and of the stages of rows are made of.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "problem/analysis.h"

namespace tileops::cuda {

// Values are v0, v1 and so on by step, what was rounded to storage r0, r1; x are the loads, a the attributes.
class StepWriter {
 public:
  StepWriter(const Pass& pass, const PassInfo& info, bool reproducible);

  // The step's lines; none of a conversion that changes nothing. Not of reductions.
  void write(size_t step);
  // Does some reader take the step's results as they are? A rounding from results rounded to odd computes its own.
  bool is_needed(size_t step) const;
  // The same value under the name that it has in the text: conversions that change nothing have none.
  Value resolved(const Value& v) const;
  std::string name(const Value& v) const;
  // The name of a value in storage, which it is rounded to once. Lines before it make it.
  std::string rounded(const Value& v, Dtype to, Fp8Mode mode);
  // "float v3[N];", of a step with several results its list of them.
  std::string declaration(size_t step) const;
  void line(const std::string& text) { lines_ += "    " + text + "\n"; }
  // The lines since it was asked last.
  std::string take_lines();
  // What was rounded before is no longer there.
  void begin_function();

  int num_attrs() const { return num_attrs_; }
  bool has_rounding_test() const { return has_rounding_test_; }
  int instructions() const;  // of one element, roughly

 private:
  const Step& step_of(const Value& v) const { return pass_.steps[static_cast<size_t>(v.index)]; }
  bool is_inner(size_t step) const;
  std::string policy(size_t step) const;
  std::string body(size_t step, const std::string& policy, Ctype type) const;
  std::string arguments(size_t step, const std::string& given) const;
  void write_body(size_t step);
  void write_conversion(size_t step);

  const Pass& pass_;
  const PassInfo& info_;
  const bool reproducible_;
  bool calls_ = false;        // of long bodies
  std::vector<int> offsets_;  // of each step's attributes
  int num_attrs_ = 0, num_rounded_ = 0;
  bool has_rounding_test_ = false;
  std::string lines_;
  std::map<std::tuple<std::string, std::string, Rounding>, std::string> rounded_;  // by value and storage
};

// How many results a step has.
size_t num_results(const Step& step);
// A function that is approximated, which takes some twenty instructions.
bool is_long(const Step& step);

}  // namespace tileops::cuda
