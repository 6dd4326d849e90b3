// Reductions, scans and gathers, as texts, against references of the command's own.
#ifndef TILEOPS_CLI_SELFTEST_ROWS_H_
#define TILEOPS_CLI_SELFTEST_ROWS_H_

#include <cstddef>

#include "cli/common.h"
#include "cli/selftest/outcome.h"

namespace tileops::cli {

size_t row_text_count();
const char* row_text_name(size_t i);

// `sample`: one dtype, length of rows and layout, for devices that compile a kernel for each.
Outcome test_row_text(const Context& context, const Stream& stream, DLDevice device, size_t i, bool sample);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_SELFTEST_ROWS_H_
