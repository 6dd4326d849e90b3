// What the run-time compiler is given: the parts of the embedded kernel templates that a kernel reaches
// and a few lines that instantiate one of them.
#pragma once

#include <cstddef>
#include <string>

#include "cuda/spec/kernel.h"

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
extern const EmbeddedScope kEmbeddedScopes[];  // 0: none
extern const size_t kNumEmbeddedUnits, kNumEmbeddedNames;
extern const EmbeddedUnit kEmbeddedUnits[];    // in the order of the text, and one more, which ends the last
extern const unsigned short kEmbeddedEdges[];  // numbers of units
extern const EmbeddedName kEmbeddedNames[];    // sorted; what a kernel's text may mention; "*": all do
extern const char kEmbeddedHash[];             // SHA-256 of all this, in hexadecimal

// All units, for comparison; some six times of what a kernel reaches.
std::string whole_source(const Kernel& kernel);
std::string full_source(const Kernel& kernel);

// Everything that a compiled kernel depends on but the compiler's build: what it is known by in the
// pack and, with that build, on disk.
std::string kernel_key(const Kernel& kernel, int arch);

}  // namespace tileops::cuda
