// What an operator gave, beside what the reference says.
#ifndef TILEOPS_CLI_SELFTEST_COMPARE_H_
#define TILEOPS_CLI_SELFTEST_COMPARE_H_

#include <string>
#include <vector>

#include "cli/selftest/cases.h"
#include "cli/selftest/outcome.h"
#include "cli/selftest/reference.h"

namespace tileops::cli {

// Notes in `outcome` how far the elements in `bytes` are from those wanted; `what` names the case in its failure.
void compare(const Problem& p, const Reference& reference, const Cells& want, const std::vector<unsigned char>& bytes,
             DLDataType dtype, const std::string& what, Outcome* outcome);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_SELFTEST_COMPARE_H_
