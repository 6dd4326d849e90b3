// Expressions as operators of torch's dispatcher, by the C functions that libtorch exports for all versions from 2.10
// on. No header of torch is needed, and nothing is loaded: they are looked up in a process that has imported torch.
#ifndef TILEOPS_PYTHON_TORCH_H
#define TILEOPS_PYTHON_TORCH_H

#include <memory>
#include <string>

#include "program.h"

namespace tileops_python {

// Defines libtileops::NAME with that schema: the operands, then the scalars by keyword, and a tensor for each result.
// Throws a Failure where torch is not there, is too old, or refuses the schema.
void define_torch_operator(const std::string& name, const std::string& schema, std::shared_ptr<const Program> program);

}  // namespace tileops_python

#endif
