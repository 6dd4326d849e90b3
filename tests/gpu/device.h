// What the GPU tests share: the device under test, memory on it, plans, and the driver's functions for
// graphs and events, which the library itself has no use for.
#ifndef TILEOPS_TESTS_GPU_DEVICE_H_
#define TILEOPS_TESTS_GPU_DEVICE_H_

#include <gtest/gtest.h>
#include <tileops/tileops.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gputest {

// CUDA devices of this machine; 0 without a driver.
int DeviceCount();
DLDevice Gpu(int index = 0);
DLDevice Cpu();

// Skips a test, saying so, where there is no GPU.
#define TILEOPS_NEEDS_GPU() \
  if (gputest::DeviceCount() == 0) GTEST_SKIP() << "no CUDA device on this machine"

#define MUST(call) ASSERT_EQ((call), TILEOPS_STATUS_OK) << tileops_last_error()

extern const DLDataType kF16, kBf16, kF32, kF64, kE4m3, kE5m2, kI8, kI32, kI64, kBool;
std::string Name(DLDataType t);

// A dense tensor that owns its memory.
class Tensor {
 public:
  Tensor(DLDevice device, DLDataType dtype, std::vector<int64_t> shape);
  ~Tensor();
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  DLTensor* dl() { return &memory_->dl_tensor; }
  void* data() { return memory_->dl_tensor.data; }
  size_t bytes() const;
  void Upload(const void* bytes, void* stream = nullptr);
  void Download(void* bytes, void* stream = nullptr);

 private:
  DLManagedTensorVersioned* memory_ = nullptr;
};

class Stream {
 public:
  explicit Stream(DLDevice device = Gpu());
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  void* get() const { return stream_; }
  void Wait();

 private:
  DLDevice device_;
  void* stream_ = nullptr;
};

struct Attr {
  tileops_attr_key key;
  double value;
};

// How a kernel cuts its work; all 0: the library's choice.
struct Cut {
  tileops_strategy strategy = TILEOPS_STRATEGY_AUTO;
  int32_t threads = 0, num_per_thread = 0;
};

// A plan of operands like the given tensors.
class Plan {
 public:
  Plan(tileops_op op, const std::vector<const DLTensor*>& inputs, const std::vector<DLTensor*>& outputs,
       const std::vector<Attr>& attrs = {}, uint32_t flags = 0, tileops_context* context = nullptr,
       const Cut& cut = {});
  ~Plan() { tileops_plan_destroy(plan_); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  const tileops_plan* get() const { return plan_; }
  tileops_status status() const { return status_; }
  std::string Text(tileops_plan_prop prop) const;

 private:
  tileops_plan* plan_ = nullptr;
  tileops_status status_;
};

// Events and graphs.
struct DriverApi {
  int (*event_create)(void** event, unsigned flags);
  int (*event_record)(void* event, void* stream);
  int (*event_synchronize)(void* event);
  int (*event_elapsed)(float* ms, void* start, void* stop);
  int (*capture_begin)(void* stream, int mode);
  int (*capture_end)(void* stream, void** graph);
  int (*graph_instantiate)(void** executable, void* graph, unsigned long long flags);
  int (*graph_nodes)(void* graph, void** nodes, size_t* count);
  int (*graph_launch)(void* executable, void* stream);
  int (*graph_destroy)(void* graph);
  int (*graph_executable_destroy)(void* executable);
  int (*memset_async)(unsigned long long address, unsigned char value, size_t bytes, void* stream);
  int (*copy_async)(unsigned long long to, unsigned long long from, size_t bytes, void* stream);
  int (*allocate_managed)(unsigned long long* address, size_t bytes, unsigned flags);
  int (*release)(unsigned long long address);
  int (*context_get)(void** context);
  int (*context_set)(void* context);
  int (*context_retain)(void** context, int device);
};
const DriverApi& Api();

// Makes the device's primary context current on this thread, as programs of the CUDA runtime do.
void UseDevice(int index = 0);

}  // namespace gputest

#endif  // TILEOPS_TESTS_GPU_DEVICE_H_
