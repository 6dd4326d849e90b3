// Plans whose operands' extents are open along some axes.
#ifndef TILEOPS_TESTS_ROWS_OPEN_PLAN_H_
#define TILEOPS_TESTS_ROWS_OPEN_PLAN_H_

#include "../ops/placed.h"
#include "execute.h"
#include "open_axes.h"
#include "run.h"

namespace rowtest {

// A plan of the run's expression for dense operands whose `axes` are open. Results are open where the library infers
// it. NULL, and why, if there is none.
Plan OpenPlan(const Target& target, const TextRun& run, const optest::Placed& placed, const OpenAxes& axes,
              uint32_t flags, Outcome* outcome);

std::vector<Shape> ShapesOf(const std::vector<Tensor>& tensors);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_OPEN_PLAN_H_
