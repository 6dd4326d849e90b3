// A CUDA device: its primary context, what it is, and the small memory that plans need on it.
#pragma once

#include <tileops/tileops.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cuda/driver/driver.h"

namespace tileops::cuda {

// Makes a context current for a scope, and the caller's again after it. Costs one driver call where it
// is current already.
class CurrentContext {
 public:
  explicit CurrentContext(CUcontext wanted);
  ~CurrentContext();
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  bool pushed_ = false;
};

// Lets calls through that a stream capture of this thread would refuse (loading, allocating), for a
// scope. They do not touch the stream that is being captured.
class RelaxedCapture {
 public:
  RelaxedCapture();
  ~RelaxedCapture();
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  int mode_;
};

// Memory of all devices that the library holds: uploads, tables, machine code.
std::atomic<uint64_t>& held_bytes();

// Bytes on the device that plans share. `pinned`: a captured graph may read them, and so they stay.
struct Upload {
  CUdeviceptr address = 0;
  std::atomic<bool> pinned{false};
};
using UploadPtr = std::shared_ptr<Upload>;

class Device {
 public:
  // The device of that index, its primary context retained on first use and never released. Throws
  // Error(NO_DEVICE, DEVICE).
  static Device& get(int index);

  int index() const { return index_; }
  int arch() const { return arch_; }  // 90 for compute capability 9.0
  int multiprocessors() const { return multiprocessors_; }
  const std::string& name() const { return name_; }  // of the product
  CUcontext context() const { return context_; }

  // These bytes on the device, aligned to 16. Equal contents share one copy. What nobody holds any longer is
  // kept, as destroying a plan must not wait for the device: the latest kIdleUploads for reuse; more than twice
  // as many are freed by an upload, with cuMemFree, which waits for kernels in flight that may read them.
  // Call under CurrentContext.
  UploadPtr upload(const std::vector<uint8_t>& bytes);
  size_t uploads() const;  // on the device now
  static constexpr size_t kIdleUploads = 64;
  // New memory that `work` has filled by means of the given stream. Never freed.
  CUdeviceptr fill(size_t bytes, const std::function<void(CUdeviceptr, CUstream)>& work);

 private:
  explicit Device(int index);
  CUdeviceptr reserve(size_t bytes);
  CUstream own_stream();

  int index_, arch_, multiprocessors_;
  std::string name_;
  CUcontext context_ = nullptr;
  void free_idle_uploads();

  mutable std::mutex mutex_;
  CUstream stream_ = nullptr;
  struct Kept {
    UploadPtr upload;
    uint64_t last_use = 0;
  };
  std::map<std::vector<uint8_t>, Kept> uploads_;
  uint64_t uses_ = 0;
  CUdeviceptr slab_ = 0;
  size_t slab_left_ = 0;
};

}  // namespace tileops::cuda
