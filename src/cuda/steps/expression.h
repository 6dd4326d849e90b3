// A pass of several steps as text: the struct whose run<N>() takes a pack of each load through all steps to what is
// stored, by the functions of tileops/device/cuda/forms/steps.h.
#pragma once

#include <string>
#include <vector>

#include "problem/problem.h"

namespace tileops::cuda {

struct Expression {
  std::string text;             // struct steps, without names of operands: equal for equal passes
  std::vector<Ctype> operands;  // what each load is taken as
  int attrs = 0;                // of all steps, one step's after the other's; behind them two words an index
  int live_words = 0;           // most 32-bit words of values that are needed at a time, of one element
  int instructions = 0;         // of one element, roughly
  bool has_long_bodies = false;
  bool has_rounding_test = false;
};

// Throws Error(UNSUPPORTED) where an operand is gathered by ids that are loads, or bits are kept: what only kernels of
// one operator can do.
void require_plain_views(const Problem& problem, const Pass& pass);

// `in_one_piece`: by view, as StepWriter has it. `reproducible`: with the CPU's bits. Throws Error(UNSUPPORTED) for
// what only kernels of one operator can do.
Expression expression_of(const Problem& problem, const Pass& pass, const std::vector<bool>& in_one_piece,
                         bool reproducible);

}  // namespace tileops::cuda
