// The kernel that an operator gets, for the tests of that choice.
#pragma once

#include "cuda/select/choose.h"
#include "problem/layout.h"
#include "requests.h"

namespace tileops::cuda::requests {

inline Choice Choose(tileops_op op, const std::vector<Operand>& inputs, const Operand& output,
                     UseTables tables = UseTables::yes, LaunchHint hint = {}) {
  const Problem problem = ProblemOf(op, inputs, output);
  return choose(problem, problem.passes[0], make_layout(problem.passes[0]), {90, tables, hint});
}

}  // namespace tileops::cuda::requests
