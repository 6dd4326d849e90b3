// Which device memory belongs to.
#pragma once

#include <dlpack/dlpack.h>

namespace tileops {

// The device whose memory it is: managed memory is taken as that of its CUDA device.
inline DLDevice home_of(DLDevice device) {
  if (device.device_type == kDLCUDAManaged) device.device_type = kDLCUDA;
  return device;
}
inline bool same_home(DLDevice a, DLDevice b) {
  a = home_of(a), b = home_of(b);
  return a.device_type == b.device_type && a.device_id == b.device_id;
}

// Memory that the CPU may read and write?
inline bool is_cpu(DLDevice device) {
  return (device.device_type == kDLCPU && device.device_id == 0) || device.device_type == kDLCUDAHost;
}

}  // namespace tileops
