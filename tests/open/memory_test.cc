// What an execute at some extents touches: every number of rows from 0 on, with pages that may not be touched directly
// before and behind each operand, each result and the workspace; and extents that rise and fall.
#include <gtest/gtest.h>

#include "texts.h"

namespace opentest {
namespace {

TEST(OpenMemory, NothingBesideOperandsAndResultsIsTouched) {
  for (const int64_t n : {38, 64})
    for (const Text& text : TextsOfRows(n)) {
      const Plan open = OpenPlan(text);
      ASSERT_NE(open, nullptr) << text.text;
      for (const bool at_end : {true, false})
        for (int64_t rows = 0; rows <= 70 && !HasFailure(); ++rows)
          ExpectBitsOfClosed(text, open.get(), {rows}, at_end);
    }
}

// What an execute of many rows leaves behind is nothing to one of few.
TEST(OpenMemory, ExtentsRiseAndFall) {
  for (const Text& text : TextsOfRows(64)) {
    const Plan open = OpenPlan(text);
    ASSERT_NE(open, nullptr) << text.text;
    for (const int64_t rows : {1000, 3, 1000, 0, 1, 2500, 1, 131, 132, 528})
      ExpectBitsOfClosed(text, open.get(), {rows});
  }
}

}  // namespace
}  // namespace opentest
