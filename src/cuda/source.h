// What the run-time compiler is given: the parts of the embedded kernel templates that a kernel reaches
// and a few lines that instantiate one of them.
#pragma once

#include <string>

#include "cuda/spec.h"

namespace tileops::cuda {

// Written at build time by tools/embed_kernels.py; tools/kernel_units.py says what a unit is.
struct EmbeddedScope {
  int outer;  // a number of kEmbeddedScopes
  const char* opens;
};
struct EmbeddedUnit {
  int scope;
  unsigned uses, needs;  // where its own begin in kEmbeddedEdges; the latter end where the next one's begin
  const char* text;
};
struct EmbeddedName {
  const char* name;
  unsigned short unit;
};
extern const EmbeddedScope kEmbeddedScopes[];         // 0: none
extern const EmbeddedUnit kEmbeddedUnits[];           // in the order of the text; the last one has none
extern const unsigned short kEmbeddedEdges[];         // numbers of units
extern const EmbeddedName kEmbeddedNames[];           // sorted; what a kernel's text may mention
extern const unsigned short kEmbeddedAlways[];        // until 0xffff
extern const char kEmbeddedHash[];                    // SHA-256 of the text, in hexadecimal

// All units, for comparison; some six times of what a kernel reaches.
std::string whole_source(const KernelSpec& spec);
std::string full_source(const KernelSpec& spec);

// Everything that a compiled kernel depends on but the compiler's build: what it is known by in the
// pack and, with that build, on disk.
std::string kernel_key(const KernelSpec& spec, int arch);

}  // namespace tileops::cuda
