// What came of one operator, or of one text: what it gave, beside what the reference says.
#ifndef TILEOPS_CLI_SELFTEST_OUTCOME_H_
#define TILEOPS_CLI_SELFTEST_OUTCOME_H_

#include <cstddef>
#include <string>
#include <vector>

#include "cli/selftest/cases.h"
#include "cli/selftest/reference.h"

namespace tileops::cli {

struct Outcome {
  double max_ulp = 0;
  size_t cases = 0, elements = 0;
  std::vector<std::string> dtypes, failures;  // one text for each case that failed
};

// Notes in `outcome` how far the elements in `bytes` are from those wanted; `what` names the case in its failure.
void compare(const Problem& p, const Reference& reference, const Cells& want, const std::vector<unsigned char>& bytes,
             DLDataType dtype, const std::string& what, Outcome* outcome);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_SELFTEST_OUTCOME_H_
