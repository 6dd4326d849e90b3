// Requests for the tests of the CUDA backend that need no GPU.
#pragma once

#include <cstdint>
#include <vector>

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

}  // namespace tileops::cuda::requests
