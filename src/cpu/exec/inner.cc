#include "cpu/exec/inner.h"

#include "cpu/exec/program.h"

namespace tileops::cpu {

std::vector<bool> inner_steps(const Problem& problem, const Pass& pass) {
  const size_t count = pass.steps.size();
  if (problem.flags & TILEOPS_PLAN_REPRODUCIBLE) return std::vector<bool>(count);
  std::vector<bool> inner(count, true), rounded(count);
  const auto mark = [](std::vector<bool>* list, const Value& v, bool value) {
    if (v.of == Value::Of::step) (*list)[static_cast<size_t>(v.index)] = value;
  };
  for (size_t k = 0; k < pass.stored.size(); ++k) {
    const bool narrow = is_narrow_float(pass.stores[k].dtype);
    if (narrow) mark(&rounded, pass.stored[k], true);
    else mark(&inner, pass.stored[k], false);
  }
  // What another step decides by a comparison or counts as an integer stays as exact as it is.
  const auto is_floating = [](Ctype t) { return t == Ctype::f32 || t == Ctype::f64; };
  for (size_t s = count; s-- > 0;) {
    const Step& step = pass.steps[s];
    const bool passes = inner[s] && is_floating(result_type(step)) && (step.body || is_float(step.to));
    for (const Value& v : step.arguments) {
      if (!passes) mark(&inner, v, false);
      if (!step.body && is_narrow_float(step.to)) mark(&rounded, v, true);
    }
  }
  const std::vector<Table> no_tables(pass.loads.size());
  for (size_t s = 0; s < count; ++s)
    if (!pass.steps[s].body || (rounded[s] && takes_rounded(pass, pass.steps[s], no_tables))) inner[s] = false;
  return inner;
}

}  // namespace tileops::cpu
