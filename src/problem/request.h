// Checks what the caller asked for, and copies it into a Request.
#pragma once

#include "problem/problem.h"

namespace tileops {

// Reads one operand descriptor; throws Error. `what` is its name in messages: "inputs[1]".
void read_tensor(const tileops_tensor_desc& desc, const char* what, TensorSpec* out);

// A dense one of that shape.
TensorSpec row_major_tensor(Dtype dtype, const Extent* shape, int ndim, const char* what);

// The value of an attribute, in the kind that the operator has it in; throws Error. Numbers may come as
// either kind if the value survives. `place` begins messages: "attrs[1]: ".
AttrValue read_attr(const tileops_attr& attr, const tileops_attr_info& info, const std::string& place);

enum class Outputs { needed, optional };

// From tileops_plan_desc (already copied to this library's version of the struct); of its expr, `formula` is what
// plans know. Throws Error.
Request make_request(const tileops_plan_desc& desc, Outputs outputs = Outputs::needed,
                     std::shared_ptr<const Formula> formula = nullptr);

}  // namespace tileops
