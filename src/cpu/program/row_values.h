// The values of a pass that are the same along the innermost dimension, and so along each row of a tile: what loads
// have that do not change there, and what is made of such alone. They are computed once a row.
#pragma once

#include <algorithm>
#include <vector>

#include "cpu/program/program.h"

namespace tileops::cpu {

class RowValues {
 public:
  // `steps`: by step of the pass. Says of each operand with indices whether all of these are such values.
  RowValues(const Pass& pass, const std::vector<StepKernel>& steps, Program* program)
      : pass_(pass), p_(*program), loads_(pass.loads.size()), steps_(pass.steps.size()) {
    for (size_t i = 0; i < loads_.size(); ++i) loads_[i] = p_.loads[i].strides.back() == 0;
    // A gathered load comes behind the steps that its indices are.
    const auto is_of_row = [&](const Value& v) {
      if (v.kind == Value::Kind::load && !has_indices_of(p_.loads[static_cast<size_t>(v.index)])) leave_out(v.index);
      return has(v);
    };
    for (size_t s = 0; s < steps_.size(); ++s) {
      const Step& step = pass.steps[s];
      const bool is_one = !step.scans && num_results(step) == 1 && !steps[s].tested && !step.arguments.empty();
      const bool same = std::all_of(step.arguments.begin(), step.arguments.end(), is_of_row);
      steps_[s] = is_one && same;
    }
    keep_what_rows_take();
    for (Load& o : p_.loads) o.indices_once_a_row = !o.indices.empty() && has_indices_of(o);
    for (Store& o : p_.stores) o.indices_once_a_row = !o.indices.empty() && has_indices_of(o);
  }

  bool has(const Value& v) const {
    return v.kind == Value::Kind::load ? loads_[static_cast<size_t>(v.index)] : steps_[static_cast<size_t>(v.index)];
  }

 private:
  void leave_out(int load) { loads_[static_cast<size_t>(load)] = false; }
  bool has_indices_of(const Operand& o) const {
    return std::all_of(o.indices.begin(), o.indices.end(), [&](const View::Index& i) { return has(i.value); });
  }

  // Loads that only values of elements take are loaded as such at once.
  void keep_what_rows_take() {
    std::vector<bool> taken(loads_.size());
    const auto take = [&](const Value& v) {
      if (v.kind == Value::Kind::load) taken[static_cast<size_t>(v.index)] = true;
    };
    for (size_t s = 0; s < steps_.size(); ++s)
      if (steps_[s]) std::for_each(pass_.steps[s].arguments.begin(), pass_.steps[s].arguments.end(), take);
    for (size_t i = 0; i < loads_.size(); ++i) loads_[i] = loads_[i] && taken[i];
  }

  const Pass& pass_;
  Program& p_;
  std::vector<bool> loads_, steps_;
};

}  // namespace tileops::cpu
