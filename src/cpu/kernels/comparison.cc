// Kernels of include/tileops/ops/comparison.def.
#include "cpu/kernels/loops.h"
#include "cpu/kernels/predicates.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

void add_comparison(KernelSink sink) {
#include <tileops/ops/comparison.def>
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
