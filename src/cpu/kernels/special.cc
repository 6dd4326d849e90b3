// Kernels of include/tileops/ops/special.def.
#include "cpu/kernels/loops.h"
#include "cpu/kernels/predicates.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

void add_special(KernelSink sink) {
#include <tileops/ops/special.def>
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
