// What a backend does that says nothing else.
#include "plan/backend.h"

#include "base/error.h"

namespace tileops {

void Executable::run_part(const Execution&, const Part&) const {
  fail(TILEOPS_STATUS_INTERNAL, "plan: this backend runs nothing in parts");
}

tileops_tune_result Backend::tune(const Request& request, const Problem&, BackendState&, const TuneProgress&) {
  unsupported("device: tuning is for CUDA devices (got type %d)", static_cast<int>(request.device.device_type));
}

void Backend::detour(DLDevice, DLDevice, void*, const std::function<void(void*)>&) {
  fail(TILEOPS_STATUS_INTERNAL, "stream: this backend has one device");
}

}  // namespace tileops
