// Kernels of include/tileops/ops/position.def.
#include "cpu/forms/position.h"
#include "cpu/loops/loops.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

void add_position(KernelSink sink) {
#include <tileops/ops/position.def>
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
