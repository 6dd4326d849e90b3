#include "cuda/source.h"

#include "cuda/nvrtc.h"

namespace tileops::cuda {

const std::string& embedded_source() {
  static const auto* text = [] {
    auto* s = new std::string;
    for (const char* const* piece = kEmbeddedPieces; *piece; ++piece) *s += *piece;
    return s;
  }();
  return *text;
}

std::string full_source(const KernelSpec& spec) { return embedded_source() + spec.text(); }

std::string kernel_key(const KernelSpec& spec, int arch) {
  std::string key = "tileops kernel, key version 1\nsources " + std::string(kEmbeddedHash) + "\narch " +
                    std::to_string(arch) + "\n";
  for (const std::string& option : Nvrtc::options()) key += option + " ";
  return key + "\n" + spec.text();
}

}  // namespace tileops::cuda
