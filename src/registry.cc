// The one file that names the backends.
#include "plan/backend.h"

#include "base/error.h"
#include "cpu/backend.h"
#ifdef TILEOPS_HAVE_CUDA
#include "cuda/backend.h"
#endif

namespace tileops {

Backend* const* all_backends(int* count) {
  static Backend* const list[] = {
      &cpu::cpu_backend(),
#ifdef TILEOPS_HAVE_CUDA
      &cuda::cuda_backend(),
#endif
  };
  *count = sizeof list / sizeof list[0];
  return list;
}

Backend& backend_of(DLDevice asked) {
  const DLDevice device = home_of(asked);
  int count;
  Backend* const* list = all_backends(&count);
  const DLDeviceType type = is_cpu(device) ? kDLCPU : device.device_type;
  for (int i = 0; i < count; ++i) {
    if (list[i]->device_type() != type) continue;
    const int devices = list[i]->device_count();
    if (device.device_id >= 0 && device.device_id < devices) return *list[i];
    const std::string why = devices ? "" : list[i]->why_no_device();
    fail(TILEOPS_STATUS_NO_DEVICE, "device: no such device (got type %d id %d, %d of that type)%s%s",
         static_cast<int>(device.device_type), device.device_id, devices, why.empty() ? "" : ": ", why.c_str());
  }
  fail(TILEOPS_STATUS_NO_DEVICE, "device: this build has no backend for it (got type %d id %d%s)",
       static_cast<int>(device.device_type), device.device_id, device.device_type == kDLCUDA ? ", CUDA" : "");
}

}  // namespace tileops
