// What is not yet there. A test of it passes while the library says so and not_yet.def lists it, and fails where one of
// the two is not so: nothing is skipped that nobody has listed, and nothing stays listed that runs.
#ifndef TILEOPS_TESTS_ROWS_NOT_YET_H_
#define TILEOPS_TESTS_ROWS_NOT_YET_H_

#include <set>
#include <string>

#include "run.h"

namespace rowtest {

// The list for the device that is tested.
const std::set<std::string>& NotYet();

// The name of the test that runs, "Bits.Rows", or of one of its cases, "Invariance.Layouts/3".
std::string Here();
std::string Here(size_t index);

// Does it run? Fails the test where the list of NOT_YET says something else.
bool Runs(const TextRun& run, const std::string& name);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_NOT_YET_H_
