#include "plan/reach.h"

namespace tileops {

std::vector<bool> reaches_few_bits_alone(const Pass& pass) {
  std::vector<bool> alone(pass.steps.size(), true);
  const auto exclude = [&](const Value& v) {
    if (v.of == Value::Of::step) alone[static_cast<size_t>(v.index)] = false;
  };
  for (size_t k = 0; k < pass.stored.size(); ++k)
    if (!is_narrow_float(pass.stores[k].dtype)) exclude(pass.stored[k]);
  // Steps come after those whose results they take.
  for (size_t s = pass.steps.size(); s-- > 0;) {
    const Step& step = pass.steps[s];
    const bool passes_errors_on = step.body ? is_floating(result_type(step)) && !step.body->jumps
                                            : is_narrow_float(step.to);
    if (alone[s] && passes_errors_on) continue;
    for (const Value& v : step.arguments) exclude(v);
  }
  return alone;
}

}  // namespace tileops
