// What came of one operator, or of one text.
#ifndef TILEOPS_CLI_SELFTEST_OUTCOME_H_
#define TILEOPS_CLI_SELFTEST_OUTCOME_H_

#include <cstddef>
#include <string>
#include <vector>

namespace tileops::cli {

struct Outcome {
  double max_ulp = 0;
  size_t cases = 0, elements = 0;
  std::vector<std::string> dtypes, failures;  // one text for each case that failed
};

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_SELFTEST_OUTCOME_H_
