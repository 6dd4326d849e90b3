// Expressions within programs of XLA: one function that XLA calls, with the text as an attribute.
#ifndef TILEOPS_PYTHON_JAX_H
#define TILEOPS_PYTHON_JAX_H

#include <memory>
#include <string>

#include "program.h"
#include "python.h"

namespace tileops_python {

// Makes an expression known to that function by its canonical text, with plans of its own.
void define_for_xla(const std::string& text, std::shared_ptr<const Program> program);

// The function as a capsule, as jax.ffi.register_ffi_target takes it: for GPUs of CUDA, or for the CPU.
Owned xla_target(bool gpu);

}  // namespace tileops_python

#endif
