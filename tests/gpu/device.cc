#include "device.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace gputest {
namespace {

void Must(tileops_status status) {
  if (status == TILEOPS_STATUS_OK) return;
  std::fprintf(stderr, "tests/gpu: %s\n", tileops_last_error());
  std::abort();
}

}  // namespace

const DLDataType kF16{kDLFloat, 16, 1}, kBf16{kDLBfloat, 16, 1}, kF32{kDLFloat, 32, 1}, kF64{kDLFloat, 64, 1},
    kE4m3{10, 8, 1}, kE5m2{12, 8, 1}, kI8{kDLInt, 8, 1}, kI32{kDLInt, 32, 1}, kI64{kDLInt, 64, 1}, kBool{kDLBool, 8, 1};

std::string Name(DLDataType t) {
#define TILEOPS_DTYPE(id, constant, name, label, own_code, own_bits, ...) \
  if (t.code == own_code && t.bits == own_bits) return label;
#include <tileops/dtypes.def>
  return "?";
}

int DeviceCount() {
  static const int count = [] {
    int n = 0;
    for (size_t i = 0; i < tileops_device_count(); ++i) {
      tileops_device_info info = TILEOPS_DEVICE_INFO_INIT;
      Must(tileops_device_describe(i, &info));
      n += info.device.device_type == kDLCUDA;
    }
    return n;
  }();
  return count;
}

DLDevice Gpu(int index) { return DLDevice{kDLCUDA, index}; }
DLDevice Cpu() { return DLDevice{kDLCPU, 0}; }

Tensor::Tensor(DLDevice device, DLDataType dtype, std::vector<int64_t> shape) {
  Must(tileops_tensor_alloc(nullptr, device, dtype, static_cast<int32_t>(shape.size()), shape.data(), &memory_));
}

Tensor::~Tensor() { memory_->deleter(memory_); }

size_t Tensor::bytes() const {
  const DLTensor& t = memory_->dl_tensor;
  size_t n = t.dtype.bits / 8;
  for (int d = 0; d < t.ndim; ++d) n *= static_cast<size_t>(t.shape[d]);
  return n;
}

void Tensor::Upload(const void* bytes, void* stream) {
  DLTensor host = memory_->dl_tensor;
  host.device = Cpu();
  host.data = const_cast<void*>(bytes);
  Must(tileops_tensor_copy(nullptr, &host, dl(), stream));
  // Streams of the library do not wait for the default one.
  if (!stream) Must(tileops_stream_synchronize(nullptr, dl()->device, nullptr));
}

void Tensor::Download(void* bytes, void* stream) {
  DLTensor host = memory_->dl_tensor;
  host.device = Cpu();
  host.data = bytes;
  Must(tileops_tensor_copy(nullptr, dl(), &host, stream));
}

Stream::Stream(DLDevice device) : device_(device) { Must(tileops_stream_create(nullptr, device, &stream_)); }
Stream::~Stream() { Must(tileops_stream_destroy(nullptr, device_, stream_)); }
void Stream::Wait() { Must(tileops_stream_synchronize(nullptr, device_, stream_)); }

Plan::Plan(tileops_op op, const std::vector<const DLTensor*>& inputs, const std::vector<DLTensor*>& outputs,
           const std::vector<Attr>& attrs, uint32_t flags, tileops_context* context, const Cut& cut) {
  std::vector<tileops_attr> list;
  for (const Attr& a : attrs) {
    tileops_attr attr{a.key, TILEOPS_ATTR_F64, {}};
    attr.value.f64 = a.value;
    list.push_back(attr);
  }
  std::vector<tileops_tensor_desc> in, out;
  for (const DLTensor* t : inputs)
    in.push_back(t ? tileops_tensor_desc{t->dtype, t->ndim, t->shape, t->strides} : tileops_tensor_desc{});
  for (const DLTensor* t : outputs) out.push_back({t->dtype, t->ndim, t->shape, t->strides});
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = op;
  desc.device = outputs[0]->device;
  desc.num_inputs = static_cast<int32_t>(in.size());
  desc.num_outputs = static_cast<int32_t>(out.size());
  desc.num_attrs = static_cast<int32_t>(list.size());
  desc.flags = flags;
  desc.inputs = in.data();
  desc.outputs = out.data();
  desc.attrs = list.data();
  desc.strategy = cut.strategy;
  desc.threads = cut.threads;
  desc.num_per_thread = cut.num_per_thread;
  status_ = tileops_plan_create(context, &desc, &plan_);
}

std::string Plan::Text(tileops_plan_prop prop) const {
  size_t size = 0;
  Must(tileops_plan_query(plan_, prop, nullptr, &size));
  std::string s(size, '\0');
  Must(tileops_plan_query(plan_, prop, s.data(), &size));
  s.resize(size - 1);
  return s;
}

const DriverApi& Api() {
  static const DriverApi* api = [] {
    auto* a = new DriverApi;
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto load = [&](auto* member, const char* name) {
      *member = reinterpret_cast<std::remove_pointer_t<decltype(member)>>(dlsym(library, name));
      if (!*member) {
        std::fprintf(stderr, "tests/gpu: no %s\n", name);
        std::abort();
      }
    };
    load(&a->event_create, "cuEventCreate");
    load(&a->event_record, "cuEventRecord");
    load(&a->event_synchronize, "cuEventSynchronize");
    load(&a->event_elapsed, "cuEventElapsedTime");
    load(&a->capture_begin, "cuStreamBeginCapture_v2");
    load(&a->capture_end, "cuStreamEndCapture");
    load(&a->graph_instantiate, "cuGraphInstantiateWithFlags");
    load(&a->graph_nodes, "cuGraphGetNodes");
    load(&a->graph_launch, "cuGraphLaunch");
    load(&a->graph_destroy, "cuGraphDestroy");
    load(&a->graph_executable_destroy, "cuGraphExecDestroy");
    load(&a->memset_async, "cuMemsetD8Async");
    load(&a->copy_async, "cuMemcpyAsync");
    load(&a->allocate_managed, "cuMemAllocManaged");
    load(&a->release, "cuMemFree_v2");
    load(&a->context_get, "cuCtxGetCurrent");
    load(&a->context_set, "cuCtxSetCurrent");
    load(&a->context_retain, "cuDevicePrimaryCtxRetain");
    return a;
  }();
  return *api;
}

void UseDevice(int index) {
  void* context = nullptr;
  if (Api().context_retain(&context, index) || Api().context_set(context)) std::abort();
}

}  // namespace gputest
