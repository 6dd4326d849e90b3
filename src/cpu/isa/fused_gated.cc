// Kernels of include/tileops/ops/fused_gated.def.
#include "cpu/forms/activation.h"
#include "cpu/loops/half/gated.h"
#include "cpu/loops/loops.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

void add_fused_gated(KernelSink sink) {
#include <tileops/ops/fused_gated.def>
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
