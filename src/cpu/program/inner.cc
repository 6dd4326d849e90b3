#include "cpu/program/inner.h"

#include "cpu/program/source.h"
#include "plan/reach.h"

namespace tileops::cpu {

std::vector<bool> inner_steps(const Problem& problem, const Pass& pass) {
  const size_t count = pass.steps.size();
  if (problem.flags & TILEOPS_PLAN_REPRODUCIBLE) return std::vector<bool>(count);
  std::vector<bool> inner = reaches_few_bits_alone(pass), rounded(count);
  const auto mark_rounded = [&](const Value& v, Dtype to) {
    if (v.of == Value::Of::step && is_narrow_float(to)) rounded[static_cast<size_t>(v.index)] = true;
  };
  for (size_t k = 0; k < pass.stored.size(); ++k) mark_rounded(pass.stored[k], pass.stores[k].dtype);
  for (const Step& step : pass.steps)
    if (!step.body) mark_rounded(step.arguments[0], step.to);
  const std::vector<Table> no_tables(pass.loads.size());
  for (size_t s = 0; s < count; ++s)
    if (!pass.steps[s].body || (rounded[s] && takes_rounded(pass, pass.steps[s], no_tables))) inner[s] = false;
  return inner;
}

}  // namespace tileops::cpu
