// What engines do, operation by operation in float32: which values they round to the dtype of their tensors, and
// whether they divide by a scale or multiply by the reciprocal. Not part of it: in which order an engine adds up (here
// exactly, rounded once), and its approximate instructions (here IEEE's).
#ifndef TILEOPS_TESTS_ROWS_ENGINES_H_
#define TILEOPS_TESTS_ROWS_ENGINES_H_

#include <iosfwd>
#include <vector>

#include "tensor.h"

namespace rowtest {

using Floats = std::vector<float>;

// Operands as rows of float32, and the dtype that they have in memory.
struct EngineRows {
  Dtype dtype;
  std::vector<Floats> operands;
  size_t length;  // of a row

  size_t count() const { return operands[0].size() / length; }
  Floats Row(size_t operand, size_t r) const;
  float Round(float v) const;
};

// Values of each result, in the order of its elements.
using EngineValues = std::vector<Floats>;

struct Engine {
  const char *name, *source;  // of the named expression; what was read
  EngineValues (*of)(const EngineRows&);
  bool zeros = true;  // does it take a row of zeros?
};

void PrintTo(const Engine& engine, std::ostream* out);

const std::vector<Engine>& EngineTexts();

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_ENGINES_H_
