#include "cuda/backend.h"

#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "cuda/driver/device.h"
#include "cuda/launch/executable.h"
#include "cuda/tune.h"
#include "problem/rows/stages.h"

namespace tileops::cuda {
namespace {

// An event and a stream of the current context, destroyed at the end of their scope. The driver
// keeps them alive until the work that uses them is done.
class Event {
 public:
  Event() { cuda::check(driver().event_create(&event_, kEventDisableTiming), "cuEventCreate"); }
  ~Event() { driver().event_destroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  CUevent get() const { return event_; }

 private:
  CUevent event_ = nullptr;
};
class OwnStream {
 public:
  OwnStream() { cuda::check(driver().stream_create(&stream_, kStreamNonBlocking), "cuStreamCreate"); }
  ~OwnStream() { driver().stream_destroy(stream_); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  CUstream get() const { return stream_; }

 private:
  CUstream stream_ = nullptr;
};

class CudaBackend : public Backend {
 public:
  DLDeviceType device_type() const override { return kDLCUDA; }
  int device_count() const override { return driver().count; }
  std::string why_no_device() const override { return driver().failure; }

  void describe(int index, tileops_device_info* out) const override {
    const Driver& d = driver();
    CUdevice device;
    int major = 0, minor = 0, units = 0;
    size_t bytes = 0;
    check(d.device_get(&device, index), "cuDeviceGet");
    check(d.device_name(out->name, sizeof out->name, device), "cuDeviceGetName");
    check(d.device_attribute(&major, kAttrComputeMajor, device), "cuDeviceGetAttribute");
    check(d.device_attribute(&minor, kAttrComputeMinor, device), "cuDeviceGetAttribute");
    check(d.device_attribute(&units, kAttrMultiprocessorCount, device), "cuDeviceGetAttribute");
    check(d.device_memory(&bytes, device), "cuDeviceTotalMem");
    out->device = DLDevice{kDLCUDA, index};
    std::snprintf(out->arch, sizeof out->arch, "sm_%d%d", major, minor);
    out->memory_bytes = bytes;
    out->units = units;
  }

  std::unique_ptr<BackendState> make_state(const tileops_context_options& user,
                                           const ContextOptions& common) const override {
    return std::make_unique<CudaState>(common, user.num_threads == 1);
  }

  // Retains no context: asks the driver what the device is, no more.
  void check(const Problem& problem, DLDevice device, BackendState&) override {
    CUdevice handle;
    int major = 0, minor = 0;
    check(driver().device_get(&handle, device.device_id), "cuDeviceGet");
    check(driver().device_attribute(&major, kAttrComputeMajor, handle), "cuDeviceGetAttribute");
    check(driver().device_attribute(&minor, kAttrComputeMinor, handle), "cuDeviceGetAttribute");
    const int arch = 10 * major + minor;
    ChooseOptions options{arch, UseTables::no, problem.hint};
    options.argument_bytes = most_argument_bytes(arch);
    for (const ChosenPass& pass : choose_all(problem, options))
      for (const Choice& choice : pass.choices) require_arguments_fit(choice.spec, choice.arguments.words.size(), arch);
  }

  std::unique_ptr<Executable> prepare(const Problem& problem, DLDevice device, BackendState& state) override {
    return std::make_unique<CudaExecutable>(problem, Device::get(device.device_id), static_cast<CudaState&>(state));
  }

  tileops_tune_result tune(const Request& request, const Problem& problem, BackendState& state,
                           const TuneProgress& progress) override {
    return cuda::tune(request, problem, Device::get(request.device.device_id), static_cast<CudaState&>(state),
                      progress);
  }

  void check_stream(void*) const override {}  // any handle; NULL is the legacy default stream

  // 256-byte aligned by the driver. Waits for no stream; may be called during a capture.
  void* allocate(DLDevice device, size_t bytes) override {
    const CurrentContext current(Device::get(device.device_id).context());
    const RelaxedCapture relaxed;
    CUdeviceptr address = 0;
    check(driver().memory_allocate(&address, bytes ? bytes : 1), "cuMemAlloc");
    return reinterpret_cast<void*>(address);
  }

  void release(DLDevice device, void* memory) noexcept override {
    try {
      const CurrentContext current(Device::get(device.device_id).context());
      const RelaxedCapture relaxed;
      driver().memory_free(reinterpret_cast<CUdeviceptr>(memory));
    } catch (...) {  // the device is gone, and its memory with it
    }
  }

  void* stream_create(DLDevice device) override {
    const CurrentContext current(Device::get(device.device_id).context());
    CUstream stream = nullptr;
    check(driver().stream_create(&stream, kStreamNonBlocking), "cuStreamCreate");
    return stream;
  }

  void stream_destroy(DLDevice device, void* stream) override {
    if (!stream) return;
    const CurrentContext current(Device::get(device.device_id).context());
    check(driver().stream_destroy(static_cast<CUstream>(stream)), "cuStreamDestroy");
  }

  void stream_synchronize(DLDevice device, void* stream) override {
    const CurrentContext current(Device::get(device.device_id).context());
    check(driver().stream_synchronize(static_cast<CUstream>(stream)), "cuStreamSynchronize");
  }

  void detour(DLDevice device, DLDevice other, void* stream, const std::function<void(void*)>& work) override {
    const CUcontext here = Device::get(device.device_id).context();
    const CUcontext there = Device::get(other.device_id).context();
    const CUstream on = static_cast<CUstream>(stream);
    const CurrentContext in_there(there);
    const Event before;
    check(driver().event_record(before.get(), on), "cuEventRecord");
    {
      const CurrentContext in_here(here);
      const OwnStream detour;
      const Event after;
      check(driver().stream_wait(detour.get(), before.get(), 0), "cuStreamWaitEvent");
      try {
        work(detour.get());
        check(driver().event_record(after.get(), detour.get()), "cuEventRecord");
        const CurrentContext back(there);
        check(driver().stream_wait(on, after.get(), 0), "cuStreamWaitEvent");
      } catch (...) {  // nothing of it may be left behind that the caller does not know of
        driver().stream_synchronize(detour.get());
        throw;
      }
    }
  }

  void copy(DLDevice device, void* to, const void* from, size_t bytes, bool to_host, void* stream) override {
    if (bytes == 0) return;
    const CurrentContext current(Device::get(device.device_id).context());
    const CUstream on = static_cast<CUstream>(stream);
    check(driver().copy_async(reinterpret_cast<CUdeviceptr>(to), reinterpret_cast<CUdeviceptr>(from), bytes, on),
          "cuMemcpyAsync");
    if (to_host) check(driver().stream_synchronize(on), "cuStreamSynchronize");
  }

 private:
  static void check(CUresult result, const char* what) { cuda::check(result, what); }
};

}  // namespace

Backend& cuda_backend() {
  static auto* backend = new CudaBackend;
  return *backend;
}

}  // namespace tileops::cuda
