// What `tileops run` is asked for, and what that is: operands, results and where they go.
#ifndef TILEOPS_CLI_COMMANDS_RUN_JOB_H_
#define TILEOPS_CLI_COMMANDS_RUN_JOB_H_

#include <optional>
#include <string>
#include <vector>

#include "cli/common.h"
#include "cli/expression.h"
#include "cli/io/npy.h"
#include "cli/operation.h"
#include "cli/workload.h"

namespace tileops::cli {

struct RunOptions {
  std::string op, expr, device = "cpu";
  std::vector<std::string> inputs, outputs, attrs, scalars, input_dtypes, dtypes, shapes;
  bool reproducible = false, verbose = false;
  int threads = 0;
  CutOptions cut;
};

// One operator or one expression on arrays. Absent operands are nullopt.
struct RunJob {
  DLDevice device;
  std::vector<std::optional<NpyArray>> arrays;
  std::vector<OperandType> results;
  std::vector<std::optional<NpyArray>> before;  // by result: what a scattered one holds before
  std::vector<std::string> result_names;        // of an expression; else empty
  std::vector<std::string> files;               // one a result; "" for one that is not kept
  tileops_op op = TILEOPS_OP_NONE;
  std::vector<tileops_attr> attrs;
  std::optional<Expression> expr;
  std::vector<tileops_number> scalars;
};

// Reads the operands. Throws UsageError and RunError.
RunJob operator_job(const RunOptions& options);
RunJob expression_job(const RunOptions& options);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_COMMANDS_RUN_JOB_H_
