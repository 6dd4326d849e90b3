// A CUDA driver that runs kernels on the host: the library and its tests open it as libcuda.so.1. It has two devices
// whose memory is the host's. What is launched is done when the call returns, but for what a stream under capture
// notes down (graphs.cc). Beyond the bounds of its memory a kernel ends with an error, and stderr says where.
//
// TILEOPS_EMULATOR_ARCH is the devices' compute capability (90), TILEOPS_EMULATOR_SMS how many multiprocessors they
// have (132). nvrtc.cc gives the library PTX where it asks for machine code.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cuda/driver/driver_api.h"
#include "driver/graphs.h"
#include "machine/machine.h"

using namespace tileops::cuda;

namespace {

constexpr int kDevices = 2;
constexpr CUresult kErrorInvalidValue = 1, kErrorInvalidDevice = 101, kErrorInvalidImage = 200, kErrorNotFound = 500,
                   kErrorIllegalAddress = 700;
constexpr size_t kMemory = size_t{3} << 30, kMostShared = 227 * 1024;

int of_environment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

CUresult failed(const char* what, CUresult code) {
  std::fprintf(stderr, "emulator: %s\n", what);
  return code;
}

std::atomic<size_t> allocated{0};

char contexts[kDevices];
thread_local std::vector<CUcontext> current;
CUcontext context(int device) { return reinterpret_cast<CUcontext>(&contexts[device]); }

}  // namespace

int emulator::device_of(CUcontext c) { return static_cast<int>(reinterpret_cast<char*>(c) - contexts); }
int emulator::current_device() { return current.empty() || !current.back() ? 0 : device_of(current.back()); }

extern "C" {
CUresult cuInit(unsigned) { return kSuccess; }
CUresult cuDriverGetVersion(int* version) { return *version = 13000, kSuccess; }
CUresult cuDeviceGetCount(int* count) { return *count = kDevices, kSuccess; }
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return ordinal < kDevices ? kSuccess : kErrorInvalidDevice;
}
CUresult cuDeviceGetName(char* name, int length, CUdevice) {
  return std::snprintf(name, static_cast<size_t>(length), "emulated"), kSuccess;
}
CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice) { return *bytes = kMemory, kSuccess; }
CUresult cuDeviceGetAttribute(int* value, int attribute, CUdevice) {
  const int arch = of_environment("TILEOPS_EMULATOR_ARCH", 90);
  *value = attribute == kAttrMultiprocessorCount ? of_environment("TILEOPS_EMULATOR_SMS", 132)
           : attribute == kAttrComputeMajor      ? arch / 10
           : attribute == kAttrComputeMinor      ? arch % 10
                                                 : 0;
  return kSuccess;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* c, CUdevice device) {
  if (device >= kDevices) return kErrorInvalidDevice;
  return *c = context(device), kSuccess;
}
CUresult cuCtxGetCurrent(CUcontext* c) { return *c = current.empty() ? nullptr : current.back(), kSuccess; }
CUresult cuCtxSetCurrent(CUcontext c) {
  if (current.empty()) current.push_back(c);
  return current.back() = c, kSuccess;
}
CUresult cuCtxPushCurrent_v2(CUcontext c) { return current.push_back(c), kSuccess; }
CUresult cuCtxPopCurrent_v2(CUcontext* c) {
  if (current.empty()) return 201;  // CUDA_ERROR_INVALID_CONTEXT
  *c = current.back();
  return current.pop_back(), kSuccess;
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  const char* text = static_cast<const char*>(image);
  if (std::memcmp(text,
                  "\x7f"
                  "ELF",
                  4) == 0)
    return failed("machine code, and not PTX", kErrorInvalidImage);
  try {
    *module = reinterpret_cast<CUmodule>(emulator::parse(text).release());
  } catch (const std::exception& e) {
    return failed(e.what(), kErrorInvalidImage);
  }
  return kSuccess;
}
CUresult cuModuleUnload(CUmodule module) {
  delete reinterpret_cast<emulator::Module*>(module);
  return kSuccess;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  for (const emulator::Function& f : reinterpret_cast<emulator::Module*>(module)->functions)
    if (f.name == name) return *function = reinterpret_cast<CUfunction>(const_cast<emulator::Function*>(&f)), kSuccess;
  return kErrorNotFound;
}
CUresult cuFuncSetAttribute(CUfunction, int, int value) {
  return value < 0 || static_cast<size_t>(value) > kMostShared ? kErrorInvalidValue : kSuccess;
}
CUresult cuFuncLoad(CUfunction) { return kSuccess; }

CUresult cuLaunchKernelEx(const CUlaunchConfig* c, CUfunction function, void** parameters, void**) {
  emulator::Launch launch;
  launch.function = reinterpret_cast<const emulator::Function*>(function);
  const unsigned sizes[] = {c->grid_x, c->grid_y, c->grid_z, c->block_x, c->block_y, c->block_z};
  for (int k = 0; k < 3; ++k) {
    launch.grid[k] = sizes[k];
    launch.block[k] = sizes[3 + k];
    if (sizes[k] == 0 || sizes[3 + k] == 0) return kErrorInvalidValue;
  }
  if (uint64_t{c->block_x} * c->block_y * c->block_z > 1024 || c->grid_y > 65535 || c->grid_z > 65535 ||
      c->grid_x % launch.function->cluster || launch.function->shared_bytes + c->shared_bytes > kMostShared)
    return kErrorInvalidValue;
  launch.dynamic_shared = c->shared_bytes;
  const auto* bytes = static_cast<const std::byte*>(parameters[0]);
  launch.params.assign(bytes, bytes + launch.function->param_bytes);
  return emulator::do_or_note(c->stream, [launch] {
    try {
      emulator::run(launch);
    } catch (const std::exception& e) {
      return failed(e.what(), kErrorIllegalAddress);
    }
    return kSuccess;
  });
}

CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) {
  if (bytes == 0) return kErrorInvalidValue;
  if (bytes > kMemory || allocated + bytes > kMemory) return kErrorOutOfMemory;
  void* memory = emulator::allocate(bytes);
  if (!memory) return kErrorOutOfMemory;
  allocated += bytes;
  return *address = reinterpret_cast<CUdeviceptr>(memory), kSuccess;
}
CUresult cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned) { return cuMemAlloc_v2(address, bytes); }
CUresult cuMemFree_v2(CUdeviceptr address) {
  if (!address) return kSuccess;
  size_t bytes = 0;
  if (!emulator::release(reinterpret_cast<void*>(address), &bytes)) return kErrorInvalidValue;
  allocated -= bytes;
  return kSuccess;
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return emulator::do_or_note(stream, [=] {
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
    return kSuccess;
  });
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream) {
  return emulator::do_or_note(stream, [=] {
    std::memset(reinterpret_cast<void*>(to), value, bytes);
    return kSuccess;
  });
}

// NVRTC asks for something of its own here, and does without it.
CUresult cuGetExportTable(const void** table, const void*) { return *table = nullptr, kErrorNotFound; }
CUresult cuGetErrorName(CUresult, const char** name) { return *name = "CUDA_ERROR", kSuccess; }
CUresult cuGetErrorString(CUresult, const char** text) { return *text = "of the emulator: see stderr", kSuccess; }
}
