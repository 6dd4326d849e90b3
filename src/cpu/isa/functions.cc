// Kernels of include/tileops/functions.def.
#include "cpu/forms/functions.h"
#include "cpu/loops/loops.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

void add_functions(KernelSink sink) {
#define TILEOPS_FUNCTION(id, NAME, name, kind, slots, attrs, dtypes, compute, bodies, ulp, doc) \
  add_bodies<dtypes, Compute::compute, ulp>(sink, id, TILEOPS_BODY_LIST(bodies){});
#include <tileops/functions.def>
#undef TILEOPS_FUNCTION
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
