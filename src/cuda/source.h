// What the run-time compiler is given: the embedded kernel templates and a few lines that instantiate
// one of them.
#pragma once

#include <string>

#include "cuda/spec.h"

namespace tileops::cuda {

// Written at build time by tools/embed_kernels.py.
extern const char* const kEmbeddedPieces[];
extern const char kEmbeddedHash[];  // SHA-256 of the text, in hexadecimal

const std::string& embedded_source();
std::string full_source(const KernelSpec& spec);

// Everything that a compiled kernel depends on but the compiler's build: what it is known by in the
// pack and, with that build, on disk.
std::string kernel_key(const KernelSpec& spec, int arch);

}  // namespace tileops::cuda
