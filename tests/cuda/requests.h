// Requests for the tests of the CUDA backend that need no GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../common/descriptors.h"
#include "expr/lower/formula.h"
#include "expr/parse/parser.h"
#include "lower/lower.h"
#include "problem/request.h"

namespace tileops::cuda::requests {

struct Operand {
  Dtype dtype{};
  std::vector<int64_t> shape{}, strides{};  // strides empty: row-major
  bool given = true;                        // of an optional input
  tileops_tensor_desc desc() const {
    if (!given) return {};
    return {dtype_to_dl(dtype), static_cast<int32_t>(shape.size()), shape.data(),
            strides.empty() ? nullptr : strides.data()};
  }
};

inline Problem ProblemOf(tileops_op op, const std::vector<Operand>& inputs, const Operand& output,
                         const std::vector<tileops_attr>& attrs = {}) {
  std::vector<tileops_tensor_desc> in;
  for (const Operand& o : inputs) in.push_back(o.desc());
  const tileops_tensor_desc out = output.desc();
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = op;
  desc.device = DLDevice{kDLCUDA, 0};
  desc.num_inputs = static_cast<int32_t>(in.size());
  desc.num_outputs = 1;
  desc.num_attrs = static_cast<int32_t>(attrs.size());
  desc.inputs = in.data();
  desc.outputs = &out;
  desc.attrs = attrs.data();
  return lower(make_request(desc));
}

// An expression. Unless they are given, its results are as it gives them.
inline Problem ProblemOf(const std::string& text, const std::vector<Operand>& operands, uint32_t flags = 0,
                         const std::vector<Operand>& results = {}, const LaunchHint& hint = {}) {
  const auto formula = expr::make_formula(expr::parse(text));
  std::vector<tileops_tensor_desc> inputs, outputs;
  for (const Operand& o : operands) inputs.push_back(o.desc());
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = DLDevice{kDLCUDA, 0};
  desc.flags = flags;
  desc.num_inputs = static_cast<int32_t>(inputs.size());
  desc.inputs = inputs.data();
  std::vector<TensorSpec> inferred;
  if (results.empty()) inferred = formula->infer(make_request(desc, Outputs::optional, formula));
  Descriptors of_inferred;
  for (const TensorSpec& r : inferred) of_inferred.add(r);
  for (const Operand& o : results) outputs.push_back(o.desc());
  desc.num_outputs = results.empty() ? of_inferred.size() : static_cast<int32_t>(outputs.size());
  desc.outputs = results.empty() ? of_inferred.data() : outputs.data();
  desc.strategy = hint.strategy;
  desc.threads = hint.threads;
  desc.num_per_thread = hint.num_per_thread;
  return lower(make_request(desc, Outputs::needed, formula));
}

}  // namespace tileops::cuda::requests
