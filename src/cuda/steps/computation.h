// What a kernel does with values in registers: text, and what the choice of a kernel asks of it. An operator is the
// text of one step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problem/problem.h"

namespace tileops::cuda {

struct ComputeSpec {
  std::string text;                  // struct steps, without names of operands: equal for equal passes
  std::vector<Ctype> operands;       // what each load is taken as
  std::vector<std::string> results;  // what each store is given as: a type of device/convert.h, or bits
  int attrs = 0;                     // words: attributes of all steps, what is prepared of them, two for each index
  int step_width = 1;                // elements that go through the steps at a time
  // Loads that the mask is made of which leaves rows out: the text has a struct gate. None: it has no such mask.
  std::vector<size_t> gate_loads;
  bool table = false;  // results too close to a tie are in a table of all results
  // For people: "gelu", "float32" and "fast<bf16>"; "expression" or "rows" alone.
  std::string name, type, policy = "portable";
};

struct Computation {
  ComputeSpec spec;
  std::optional<Dtype> memory_as;  // of every operand and result, where the body works on their bits
  bool one_operator = false;
  bool has_activations = false;  // the table is of a gated form's activations
  bool has_rounding_test = false;
  bool has_long_bodies = false;  // of an expression, in the CPU's long forms
  int live_words = 0;            // most 32-bit words of values that are needed at a time, of one element
  int instructions = 0;          // of one element, roughly; of an operator tuning/ has what was measured
};

// Of a pass that is one operator. `tables`: may it ask for a table of results?
struct OperatorOptions {
  bool reproducible = false, tables = false;
  const char* policy = nullptr;  // where it is another one than the pass's
};
Computation operator_of(const Pass& pass, const OperatorOptions& options);

// Words of a pass's attributes and what is prepared of them, which lie before those of indices.
std::vector<uint64_t> attribute_words(const Pass& pass, const std::string& policy);

// Of a pass of several steps: its run<N>() takes a pack of each load through all steps to what is stored, by the
// functions of tileops/device/cuda/forms/steps.h. `in_one_piece`: by view, as StepWriter has it. `reproducible`: with
// the CPU's bits. `gate`: a mask that leaves rows out (problem/rows/gate.h), if it has one. Throws Error(UNSUPPORTED)
// for what only kernels of one operator can do.
Computation expression_of(const Problem& problem, const Pass& pass, const std::vector<bool>& in_one_piece,
                          bool reproducible, const std::optional<Value>& gate = std::nullopt);

// Throws Error(UNSUPPORTED) where an operand is gathered by ids that are loads, or bits are kept: what only kernels of
// one operator can do.
void require_plain_views(const Problem& problem, const Pass& pass);

}  // namespace tileops::cuda
