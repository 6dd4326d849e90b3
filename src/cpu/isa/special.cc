// Kernels of include/tileops/ops/special.def.
#include "cpu/forms/special.h"
#include "cpu/loops/half/predicates.h"
#include "cpu/loops/loops.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

void add_special(KernelSink sink) {
#include <tileops/ops/special.def>
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
