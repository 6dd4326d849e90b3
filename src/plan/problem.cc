#include "plan/problem.h"

#include <algorithm>

namespace tileops {

size_t ids_begin(const Pass& pass) {
  size_t n = pass.loads.size();
  for (const View& v : pass.loads)
    for (const View::Index& i : v.indices) n = std::min(n, static_cast<size_t>(i.load));
  return n;
}

bool is_operator(const Pass& pass) {
  const Step& step = pass.steps.front();
  const size_t loads = ids_begin(pass);
  bool plain = pass.steps.size() == 1 && step.body && step.numbers.empty() && step.arguments.size() == loads;
  for (size_t i = 0; plain && i < loads; ++i)
    plain = step.arguments[i].of == Value::Of::load && step.arguments[i].index == static_cast<int>(i);
  for (size_t k = 0; plain && k < pass.stored.size(); ++k)
    plain = pass.stored[k].of == Value::Of::step && pass.stored[k].result == static_cast<int>(k);
  return plain;
}

Ctype load_type(const Pass& pass, int load) {
  if (static_cast<size_t>(load) >= ids_begin(pass)) return Ctype::i64;
  for (const Step& step : pass.steps)
    for (size_t i = 0; step.body && i < step.arguments.size(); ++i)
      if (step.arguments[i].of == Value::Of::load && step.arguments[i].index == load) return operand_type(step, i);
  return compute_type(pass.loads[static_cast<size_t>(load)].dtype);
}

Ctype value_type(const Pass& pass, const Value& value) {
  if (value.of == Value::Of::load) return load_type(pass, value.index);
  return result_type(pass.steps[static_cast<size_t>(value.index)], static_cast<size_t>(value.result));
}

}  // namespace tileops
