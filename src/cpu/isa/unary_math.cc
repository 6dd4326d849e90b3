// Kernels of include/tileops/ops/unary_math.def.
#include "cpu/forms/unary_math.h"
#include "cpu/loops/loops.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

void add_unary_math(KernelSink sink) {
#include <tileops/ops/unary_math.def>
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
