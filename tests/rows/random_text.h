// Random texts with rows, whose values stay of a moderate size.
#ifndef TILEOPS_TESTS_ROWS_RANDOM_TEXT_H_
#define TILEOPS_TESTS_ROWS_RANDOM_TEXT_H_

#include <string>
#include <vector>

#include "tensor.h"

namespace rowtest {

struct RandomText {
  std::string text;
  std::vector<Tensor> operands;
};
RandomText MakeRandomText(uint64_t seed);

// The same of f32 and bf16 alone, with results as operands are, elements of other rows, extents of 1, operands without
// dimensions, and sizes of many tiles.
RandomText MakeRandomTextInPlace(uint64_t seed);

// The text with what it is called on: "(x) -> .. on float32 (3, 4)".
std::string Described(const RandomText& made);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_RANDOM_TEXT_H_
