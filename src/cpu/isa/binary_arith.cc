// Kernels of include/tileops/ops/binary_arith.def.
#include "cpu/forms/binary_arith.h"
#include "cpu/loops/loops.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

void add_binary_arith(KernelSink sink) {
#include <tileops/ops/binary_arith.def>
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
