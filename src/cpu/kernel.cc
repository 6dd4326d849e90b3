#include "cpu/kernel.h"

namespace tileops::cpu {

const Variant* Kernel::find(Loop loop, Elements elements) const {
  for (int i = 0; i < num_variants; ++i)
    if (variants[i].loop == loop && variants[i].elements == elements) return &variants[i];
  return nullptr;
}

}  // namespace tileops::cpu
