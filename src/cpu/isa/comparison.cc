// Kernels of include/tileops/ops/comparison.def.
#include "cpu/forms/comparison.h"
#include "cpu/loops/half/predicates.h"
#include "cpu/loops/loops.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

void add_comparison(KernelSink sink) {
#include <tileops/ops/comparison.def>
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
