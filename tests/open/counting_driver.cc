// A CUDA driver and a run-time compiler that compute nothing and count their calls, so that tests see without a GPU
// what the library asks of them. Both are in one file, libcuda.so.1, which tests also name as the compiler
// (tileops_context_options.nvrtc_path). Memory of the device is the host's, and a compiled kernel is the number of its
// text. While a stream is under capture, which a test says, the driver refuses whatever allocates, loads or waits.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "counting_driver.h"
#include "cuda/driver/driver_api.h"

using namespace tileops::cuda;

namespace {

std::atomic<long> launches{0}, others{0};
bool captures = false;
int here;  // an address for what has none
opentest::Watch watch = nullptr;

// Texts of kernels, by what their programs, images, modules and functions are: their numbers, from 1 on.
std::mutex mutex;
std::vector<std::string> sources;
std::string source_of(const void* number) {
  const std::lock_guard<std::mutex> lock(mutex);
  return sources.at(reinterpret_cast<uintptr_t>(number) - 1);
}
constexpr size_t kImageBytes = sizeof(uintptr_t) + 1;
int image_of(const void* program, char* image) {
  std::snprintf(image, kImageBytes, "%8zu", reinterpret_cast<uintptr_t>(program));
  return 0;
}

constexpr CUresult kErrorCaptureUnsupported = 900;

// What may be called at any time.
CUresult asked() { return kSuccess; }
// What an execute has no need of.
CUresult done() {
  ++others;
  return captures ? kErrorCaptureUnsupported : kSuccess;
}
template <class Handle>
CUresult made(Handle* handle) {
  *handle = reinterpret_cast<Handle>(&here);
  return done();
}

}  // namespace

extern "C" {
void counting_driver_counts(long* kernels, long* other_calls, int under_capture) {
  *kernels = launches.exchange(0);
  *other_calls = others.exchange(0);
  captures = under_capture != 0;
}

void counting_driver_watch(opentest::Watch who) { watch = who; }

CUresult cuInit(unsigned) { return asked(); }
CUresult cuDriverGetVersion(int* version) { return *version = 13000, asked(); }
CUresult cuDeviceGetCount(int* count) { return *count = 1, asked(); }
CUresult cuDeviceGet(CUdevice* device, int ordinal) { return *device = ordinal, asked(); }
CUresult cuDeviceGetName(char* name, int length, CUdevice) {
  return std::snprintf(name, static_cast<size_t>(length), "none"), asked();
}
CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice) { return *bytes = size_t{1} << 30, asked(); }
CUresult cuDeviceGetAttribute(int* value, int attribute, CUdevice) {
  *value = attribute == kAttrMultiprocessorCount ? 132 : attribute == kAttrComputeMajor ? 9 : 0;
  return asked();
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) { return made(context); }
CUresult cuCtxGetCurrent(CUcontext* context) { return *context = nullptr, asked(); }
CUresult cuCtxPushCurrent_v2(CUcontext) { return asked(); }
CUresult cuCtxPopCurrent_v2(CUcontext* context) { return *context = nullptr, asked(); }
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  *module = reinterpret_cast<CUmodule>(std::strtoull(static_cast<const char*>(image), nullptr, 10));
  return done();
}
CUresult cuModuleUnload(CUmodule) { return done(); }
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char*) {
  return *function = reinterpret_cast<CUfunction>(module), done();
}
CUresult cuFuncSetAttribute(CUfunction, int, int) { return done(); }
CUresult cuFuncLoad(CUfunction) { return done(); }
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void**) {
  ++launches;
  if (watch)
    watch(config->grid_x, config->block_x, static_cast<const uint64_t*>(parameters[0]), source_of(function).c_str());
  return config->grid_x > 0 && config->block_x > 0 ? kSuccess : 1;  // CUDA_ERROR_INVALID_VALUE
}
CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) {
  *address = reinterpret_cast<CUdeviceptr>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  return done();
}
CUresult cuMemFree_v2(CUdeviceptr address) { return std::free(reinterpret_cast<void*>(address)), done(); }
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream) {
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  return done();
}
CUresult cuStreamCreate(CUstream* stream, unsigned) { return made(stream); }
CUresult cuStreamDestroy_v2(CUstream) { return done(); }
CUresult cuStreamSynchronize(CUstream) { return done(); }
CUresult cuStreamIsCapturing(CUstream, int* status) { return *status = captures, asked(); }
CUresult cuThreadExchangeStreamCaptureMode(int*) { return asked(); }
CUresult cuGetErrorName(CUresult, const char** name) { return *name = "CUDA_ERROR", asked(); }
CUresult cuGetErrorString(CUresult, const char** text) { return *text = "of the counting driver", asked(); }
CUresult cuEventCreate(CUevent* event, unsigned) { return made(event); }
CUresult cuEventDestroy_v2(CUevent) { return done(); }
CUresult cuEventRecord(CUevent, CUstream) { return done(); }
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned) { return done(); }
CUresult cuEventSynchronize(CUevent) { return done(); }
CUresult cuEventElapsedTime(float* ms, CUevent, CUevent) { return *ms = 1, done(); }

int nvrtcVersion(int* major, int* minor) { return *major = 13, *minor = 0, 0; }
int nvrtcGetNumSupportedArchs(int* count) { return *count = 1, 0; }
int nvrtcGetSupportedArchs(int* list) { return *list = 90, 0; }
int nvrtcCreateProgram(void** program, const char* text, const char*, int, const char* const*, const char* const*) {
  const std::lock_guard<std::mutex> lock(mutex);
  sources.emplace_back(text);
  *program = reinterpret_cast<void*>(sources.size());
  return done();
}
int nvrtcDestroyProgram(void**) { return 0; }
int nvrtcCompileProgram(void*, int, const char* const*) { return done(); }
int nvrtcGetProgramLogSize(void*, size_t* size) { return *size = 1, 0; }
int nvrtcGetProgramLog(void*, char* text) { return *text = 0, 0; }
int nvrtcGetCUBINSize(void*, size_t* size) { return *size = kImageBytes, 0; }
int nvrtcGetCUBIN(void* program, char* image) { return image_of(program, image); }
int nvrtcGetPTXSize(void*, size_t* size) { return *size = kImageBytes, 0; }
int nvrtcGetPTX(void* program, char* image) { return image_of(program, image); }
const char* nvrtcGetErrorString(int) { return "of the counting driver"; }
}
