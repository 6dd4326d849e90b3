// Operands of calls as standard.def writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "op/dtype.h"

namespace tileops::cuda {

using Shape = std::vector<int64_t>;

struct OperandWord {
  std::string name;  // "": of the operand at its place
  std::optional<Dtype> dtype;
  Shape shape;
  Shape strides;  // empty: dense
};

struct Operands {
  std::vector<OperandWord> placed, named;
  Shape result;

  // What operand `i` of that name is; NULL if nothing is said of it.
  const OperandWord* find(size_t i, std::string_view name) const;
};

// A text's words, once for each of the values of its letters. Throws Error on a text that says something else.
std::vector<Operands> read_operands(std::string_view text);

}  // namespace tileops::cuda
