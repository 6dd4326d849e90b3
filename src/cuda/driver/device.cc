#include "cuda/driver/device.h"

#include <algorithm>

#include "base/error.h"

namespace tileops::cuda {

CurrentContext::CurrentContext(CUcontext wanted) {
  CUcontext current = nullptr;
  check(driver().context_get(&current), "cuCtxGetCurrent");
  if (current == wanted) return;
  check(driver().context_push(wanted), "cuCtxPushCurrent");
  pushed_ = true;
}

CurrentContext::~CurrentContext() {
  CUcontext ignored;
  if (pushed_) driver().context_pop(&ignored);
}

RelaxedCapture::RelaxedCapture() : mode_(kCaptureRelaxed) { driver().capture_mode(&mode_); }
RelaxedCapture::~RelaxedCapture() { driver().capture_mode(&mode_); }

Device& Device::get(int index) {
  const Driver& d = driver();
  if (index < 0 || index >= d.count) {
    fail(TILEOPS_STATUS_NO_DEVICE, "device: no such CUDA device (got %d, %d of them%s%s)", index, d.count,
         d.failure.empty() ? "" : ": ", d.failure.c_str());
  }
  static auto* mutex = new std::mutex;
  static auto* devices = new std::map<int, std::unique_ptr<Device>>;
  std::lock_guard<std::mutex> lock(*mutex);
  auto& slot = (*devices)[index];
  if (!slot) slot.reset(new Device(index));
  return *slot;
}

Device::Device(int index) : index_(index) {
  const Driver& d = driver();
  CUdevice device;
  int major = 0, minor = 0;
  check(d.device_get(&device, index), "cuDeviceGet");
  check(d.device_attribute(&major, kAttrComputeMajor, device), "cuDeviceGetAttribute");
  check(d.device_attribute(&minor, kAttrComputeMinor, device), "cuDeviceGetAttribute");
  check(d.device_attribute(&multiprocessors_, kAttrMultiprocessorCount, device), "cuDeviceGetAttribute");
  char name[128] = "";
  check(d.device_name(name, sizeof name, device), "cuDeviceGetName");
  name_ = name;
  arch_ = 10 * major + minor;
  if (arch_ < 80) {
    unsupported("device: CUDA device %d is too old (got compute capability %d.%d, need 8.0)", index, major, minor);
  }
  check(d.context_retain(&context_, device), "cuDevicePrimaryCtxRetain");
}

std::atomic<uint64_t>& held_bytes() {
  static std::atomic<uint64_t> bytes{0};
  return bytes;
}

// It neither waits for the caller's streams nor joins their capture.
CUstream Device::own_stream() {
  if (!stream_) check(driver().stream_create(&stream_, kStreamNonBlocking), "cuStreamCreate");
  return stream_;
}

CUdeviceptr Device::reserve(size_t bytes) {
  constexpr size_t kSlab = size_t{1} << 20;
  const size_t need = (bytes + 255) / 256 * 256;
  if (need > slab_left_) {
    const size_t size = need > kSlab ? need : kSlab;
    CUdeviceptr slab = 0;
    check(driver().memory_allocate(&slab, size), "cuMemAlloc");
    held_bytes() += size;
    slab_ = slab;
    slab_left_ = size;
  }
  const CUdeviceptr address = slab_;
  slab_ += need;
  slab_left_ -= need;
  return address;
}

UploadPtr Device::upload(const std::vector<uint8_t>& bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (const auto it = uploads_.find(bytes); it != uploads_.end()) {
    it->second.last_use = ++uses_;
    return it->second.upload;
  }
  const RelaxedCapture relaxed;
  free_idle_uploads();
  const auto upload = std::make_shared<Upload>();
  check(driver().memory_allocate(&upload->address, bytes.empty() ? 1 : bytes.size()), "cuMemAlloc");
  try {
    check(driver().copy_async(upload->address, reinterpret_cast<CUdeviceptr>(bytes.data()), bytes.size(), own_stream()),
          "cuMemcpyAsync");
    check(driver().stream_synchronize(own_stream()), "cuStreamSynchronize");
    uploads_[bytes] = {upload, ++uses_};
    held_bytes() += bytes.size();
  } catch (...) {
    driver().memory_free(upload->address);
    throw;
  }
  return upload;
}

size_t Device::uploads() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return uploads_.size();
}

// Many at a time, so that few calls wait for the device. Nobody can take what is held here alone: upload() is
// the one way to it, and holds the lock.
void Device::free_idle_uploads() {
  std::vector<std::map<std::vector<uint8_t>, Kept>::iterator> idle;
  for (auto it = uploads_.begin(); it != uploads_.end(); ++it)
    if (it->second.upload.use_count() == 1 && !it->second.upload->pinned) idle.push_back(it);
  if (idle.size() <= 2 * kIdleUploads) return;
  std::sort(idle.begin(), idle.end(),
            [](const auto& a, const auto& b) { return a->second.last_use < b->second.last_use; });
  idle.resize(idle.size() - kIdleUploads);
  for (const auto& it : idle) {
    driver().memory_free(it->second.upload->address);
    held_bytes() -= it->first.size();
    uploads_.erase(it);
  }
}

CUdeviceptr Device::fill(size_t bytes, const std::function<void(CUdeviceptr, CUstream)>& work) {
  std::lock_guard<std::mutex> lock(mutex_);
  const RelaxedCapture relaxed;
  const CUdeviceptr address = reserve(bytes);
  work(address, own_stream());
  check(driver().stream_synchronize(own_stream()), "cuStreamSynchronize");
  return address;
}

}  // namespace tileops::cuda
