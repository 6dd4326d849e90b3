// A kernel as the compiler gets it and as people know it: written once, when it is chosen.
#pragma once

#include <string>

#include "cuda/spec/spec.h"

namespace tileops::cuda {

struct Kernel {
  std::string text;   // instantiates a template, behind the embedded sources. What the kernel is known by
  std::string name;   // "gelu<float32>(bf16 dense)->(bf16 dense)@flatx8 fast<bf16>"-like, for people
  std::string label;  // "gelu"
  int shared_bytes = 0;

  static Kernel of(const KernelSpec& spec);
};

// The name of the kernel's function.
constexpr const char* kKernelSymbol = "tileops_kernel";

// The line of a Spec that names the argument words in which items of a list differ. Empty if the kernel is no list's.
std::string own_words_text(const KernelSpec& spec);
// The kernel's function behind its `head`: it calls `run` with arguments of that type.
std::string entry_text(const KernelSpec& spec, const std::string& head, const std::string& arguments,
                       const std::string& run);

// The element type of a load or store in kernels, and both as an access of device/cuda/kernel/fetch.h.
const char* type_of(const AccessSpec& access);
std::string access_text(const AccessSpec& access);

}  // namespace tileops::cuda
