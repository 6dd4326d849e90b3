// The part of the CUDA driver API that this library uses, declared here so that building it needs no
// toolkit. Types, values and names are those of the driver's ABI, which does not change.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tileops::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
using CUcontext = CUctx_st*;
using CUmodule = CUmod_st*;
using CUfunction = CUfunc_st*;
using CUstream = CUstream_st*;
using CUevent = CUevent_st*;

constexpr CUresult kSuccess = 0;
constexpr CUresult kErrorOutOfMemory = 2;
constexpr CUresult kErrorInvalidHandle = 400;

// CUdevice_attribute
constexpr int kAttrMultiprocessorCount = 16;
constexpr int kAttrComputeMajor = 75, kAttrComputeMinor = 76;

// CUfunction_attribute
constexpr int kFunctionMaxDynamicShared = 8;

// CUstream_flags, CUstreamCaptureMode, CUlaunchAttributeID
constexpr unsigned kStreamNonBlocking = 1, kEventDisableTiming = 2;
constexpr int kCaptureRelaxed = 2;
constexpr int kLaunchProgrammaticSerialization = 6;

struct CUlaunchAttribute {
  int id;
  char pad[4];
  union {
    char bytes[64];
    int programmatic_serialization_allowed;
  } value;
};

struct CUlaunchConfig {
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared_bytes;
  CUstream stream;
  CUlaunchAttribute* attributes;
  unsigned num_attributes;
};

static_assert(sizeof(CUlaunchAttribute) == 72 && sizeof(CUlaunchConfig) == 56, "driver ABI");

// X(member, symbol, parameters): entry points that every driver since CUDA 12 has.
#define TILEOPS_DRIVER_FUNCTIONS(X)                                                                                   \
  X(init, "cuInit", (unsigned flags))                                                                                 \
  X(driver_version, "cuDriverGetVersion", (int* version))                                                             \
  X(device_count, "cuDeviceGetCount", (int* count))                                                                   \
  X(device_get, "cuDeviceGet", (CUdevice * device, int ordinal))                                                      \
  X(device_name, "cuDeviceGetName", (char* name, int length, CUdevice device))                                        \
  X(device_memory, "cuDeviceTotalMem_v2", (size_t* bytes, CUdevice device))                                           \
  X(device_attribute, "cuDeviceGetAttribute", (int* value, int attribute, CUdevice device))                           \
  X(context_retain, "cuDevicePrimaryCtxRetain", (CUcontext * context, CUdevice device))                               \
  X(context_get, "cuCtxGetCurrent", (CUcontext * context))                                                            \
  X(context_push, "cuCtxPushCurrent_v2", (CUcontext context))                                                         \
  X(context_pop, "cuCtxPopCurrent_v2", (CUcontext * context))                                                         \
  X(module_load, "cuModuleLoadData", (CUmodule * module, const void* image))                                          \
  X(module_unload, "cuModuleUnload", (CUmodule module))                                                               \
  X(module_function, "cuModuleGetFunction", (CUfunction * function, CUmodule module, const char* name))               \
  X(function_set_attribute, "cuFuncSetAttribute", (CUfunction function, int attribute, int value))                    \
  X(launch, "cuLaunchKernelEx", (const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra)) \
  X(memory_allocate, "cuMemAlloc_v2", (CUdeviceptr * address, size_t bytes))                                          \
  X(memory_free, "cuMemFree_v2", (CUdeviceptr address))                                                               \
  X(copy_async, "cuMemcpyAsync", (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))                   \
  X(stream_create, "cuStreamCreate", (CUstream * stream, unsigned flags))                                             \
  X(stream_destroy, "cuStreamDestroy_v2", (CUstream stream))                                                          \
  X(stream_synchronize, "cuStreamSynchronize", (CUstream stream))                                                     \
  X(is_capturing, "cuStreamIsCapturing", (CUstream stream, int* status))                                              \
  X(capture_mode, "cuThreadExchangeStreamCaptureMode", (int* mode))                                                   \
  X(error_name, "cuGetErrorName", (CUresult result, const char** name))                                               \
  X(error_string, "cuGetErrorString", (CUresult result, const char** text))

// Used by tuning, and by copies between devices.
#define TILEOPS_DRIVER_TIMING_FUNCTIONS(X)                                              \
  X(event_create, "cuEventCreate", (CUevent * event, unsigned flags))                   \
  X(event_destroy, "cuEventDestroy_v2", (CUevent event))                                \
  X(event_record, "cuEventRecord", (CUevent event, CUstream stream))                    \
  X(stream_wait, "cuStreamWaitEvent", (CUstream stream, CUevent event, unsigned flags)) \
  X(event_synchronize, "cuEventSynchronize", (CUevent event))                           \
  X(event_elapsed, "cuEventElapsedTime", (float* ms, CUevent start, CUevent stop))

// Since CUDA 12.4: loads a kernel now, where the driver would at its first launch.
#define TILEOPS_DRIVER_OPTIONAL_FUNCTIONS(X) X(function_load, "cuFuncLoad", (CUfunction function))

}  // namespace tileops::cuda
