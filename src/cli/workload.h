// What `bench` and `tune` run an operator on, and how a plan's strategy is asked for.
#ifndef TILEOPS_CLI_WORKLOAD_H_
#define TILEOPS_CLI_WORKLOAD_H_

#include <string>
#include <vector>

#include "cli/common.h"
#include "cli/operation.h"

namespace CLI {
class App;
}

namespace tileops::cli {

int64_t parse_size(const std::string& text);  // "64Ki"; throws UsageError
std::string size_text(int64_t n);             // and back

// Inputs and output of about n elements in the shape in which the operator is commonly used.
struct Workload {
  std::vector<std::optional<OperandType>> inputs;
  Shape shape;
  std::vector<std::string> attrs;
};

Workload make_workload(const tileops_op_info& op, DLDataType dtype, int64_t n, bool has_attrs);

// A pattern of ordinary values, repeated: what a fast path for zeros would skip is not zero.
std::vector<unsigned char> pattern(const tileops_op_info& op, const OperandType& type);

// "f32,bf16"; "" gives float32, or int32 where the operator has no floats.
std::vector<DLDataType> workload_dtypes(const tileops_op_info& op, const std::string& names);
// Dtype of the result: `out_dtype` by name, or the operator's.
DLDataType workload_result(const tileops_op_info& op, const Workload& w, DLDataType dtype, const std::string& out_dtype,
                           const std::vector<tileops_attr>& attrs);

// What `bench` and `tune` are asked for alike; the values at first are the defaults.
struct WorkloadOptions {
  std::vector<std::string> ops, attrs;
  std::string dtypes, out_dtype, sizes, device;
  void add(CLI::App* command, const std::string& devices);  // "cuda:N": of --device
};

const char* strategy_text(tileops_strategy strategy);  // "direct"; "?" for an unknown value

// --strategy, --block-threads, --num-per-thread.
struct CutOptions {
  std::string strategy = "auto";
  int threads = 0, num_per_thread = 0;
  void add(CLI::App* command);
  void apply(tileops_plan_desc* desc) const;  // throws UsageError
};

// A tileops_plan_desc with what it refers to.
class PlanDesc {
 public:
  PlanDesc(tileops_op op, DLDevice device, const OperandTypes& inputs, DLDataType out, const Shape& shape,
           const std::vector<tileops_attr>& attrs, const CutOptions& cut);
  PlanDesc(const PlanDesc&) = delete;
  PlanDesc& operator=(const PlanDesc&) = delete;
  const tileops_plan_desc& get() const { return desc_; }

 private:
  std::vector<Shape> shapes_;
  Shape shape_;
  std::vector<tileops_attr> attrs_;
  std::vector<tileops_tensor_desc> inputs_;
  tileops_tensor_desc output_{};
  tileops_plan_desc desc_ = TILEOPS_PLAN_DESC_INIT;
};

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_WORKLOAD_H_
