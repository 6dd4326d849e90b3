// The function that users call, as text: from its parameters to those of its steps and back.
#pragma once

#include <string>

#include "cuda/spec/function_parameters.h"

namespace tileops::cuda {

// `name`: of the function, whose steps are the struct `name`_steps. The member `call` of that struct, from the
// function's parameters to those of the steps and back; and the function itself, which calls it.
std::string function_call_text(const Problem& problem, const PassInfo& info, const FunctionParameters& parameters,
                               const std::string& name);
std::string function_text(const Problem& problem, const PassInfo& info, const FunctionParameters& parameters,
                          const std::string& name);

// What is stored, as a pack in registers: "raw_pack<bf16, N>".
std::string pack_of_store(const Pass& pass, const FunctionParameters& parameters, size_t store);

}  // namespace tileops::cuda
