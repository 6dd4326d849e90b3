// What `bench` and `tune` run an operator or an expression on, and how a plan's strategy is asked for.
#ifndef TILEOPS_CLI_WORKLOAD_H_
#define TILEOPS_CLI_WORKLOAD_H_

#include <memory>
#include <string>
#include <vector>

#include "cli/common.h"
#include "cli/expression.h"
#include "cli/operation.h"

namespace CLI {
class App;
}

namespace tileops::cli {

int64_t parse_size(const std::string& text);  // "64Ki"; throws UsageError
std::string size_text(int64_t n);             // and back

// What `bench` and `tune` are asked for alike.
struct WorkloadOptions {
  std::string expr, sizes, device, usual_sizes;
  std::vector<std::string> ops, attrs, shapes, dtypes, out_dtypes;
  void add(CLI::App* command, const std::string& devices);  // "cuda:N": of --device
  std::vector<int64_t> parsed_sizes() const;
};

// One operator or expression on operands of given dtypes and shapes; absent operands are nullopt.
struct Case {
  tileops_op op = TILEOPS_OP_NONE;
  std::shared_ptr<const Expression> expr;
  std::string name;  // of the operator; "expr"
  DLDataType dtype;  // of the operands that have none of their own
  int64_t n = 0;     // elements of the first result, or as many as were asked for
  OperandTypes inputs;
  std::vector<OperandType> results;
  std::vector<tileops_attr> attrs;
};

// Everything that is asked for, in order. Throws UsageError and, where operands do not go together, RunError.
std::vector<Case> make_cases(const WorkloadOptions& options);
std::vector<Case> make_expression_cases(const WorkloadOptions& options);
// An expression on operands that all have a shape: `shapes` and `dtypes` say it as the options do.
Case expression_case(Expression expr, const std::vector<std::string>& shapes, const std::vector<std::string>& dtypes);

// A pattern of ordinary values, repeated: what a fast path for zeros would skip is not zero.
std::vector<unsigned char> pattern(const std::string& name, const OperandType& type);

const char* strategy_text(tileops_strategy strategy);  // "direct"; "?" for an unknown value

// --strategy, --block-threads, --num-per-thread.
struct CutOptions {
  std::string strategy = "auto";
  int threads = 0, num_per_thread = 0;
  void add(CLI::App* command);
  void apply(tileops_plan_desc* desc) const;  // throws UsageError
};

// A tileops_plan_desc of a case, which it refers to.
class PlanDesc {
 public:
  PlanDesc(const Case& c, DLDevice device, const CutOptions& cut);
  PlanDesc(const PlanDesc&) = delete;
  PlanDesc& operator=(const PlanDesc&) = delete;
  const tileops_plan_desc& get() const { return desc_; }

 private:
  std::vector<tileops_tensor_desc> inputs_, outputs_;
  tileops_plan_desc desc_ = TILEOPS_PLAN_DESC_INIT;
};

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_WORKLOAD_H_
