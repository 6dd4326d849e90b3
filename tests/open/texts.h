// Texts of many kinds with one open extent, the number of rows.
#ifndef TILEOPS_TESTS_OPEN_TEXTS_H_
#define TILEOPS_TESTS_OPEN_TEXTS_H_

#include "call.h"

namespace opentest {

// The texts, on operands whose rows have `n` elements. n is even.
std::vector<Text> TextsOfRows(int64_t n);

}  // namespace opentest

#endif  // TILEOPS_TESTS_OPEN_TEXTS_H_
