// Kernels of include/tileops/ops/activation.def.
#include "cpu/forms/activation.h"
#include "cpu/loops/loops.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

void add_activation(KernelSink sink) {
#include <tileops/ops/activation.def>
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
