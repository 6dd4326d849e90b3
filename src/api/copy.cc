// tileops_tensor_copy: by the cast operator on one device, by the driver between devices.
#include <string>
#include <utility>

#include "api/guard.h"
#include "api/handles.h"
#include "op/dtype.h"
#include "problem/packed.h"

namespace tileops::api {
namespace {

// "tileops_execute: outputs[0]: overlaps inputs[0]..." to "dst: overlaps src...".
std::string in_terms_of_copy(std::string text) {
  if (const size_t colon = text.find(": "); colon != std::string::npos) text.erase(0, colon + 2);
  const std::pair<const char*, const char*> names[] = {{"inputs[0]", "src"}, {"outputs[0]", "dst"}};
  for (const auto& [from, to] : names)
    for (size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, std::string(from).size(), to);
  return text;
}

void require(tileops_status status) {
  if (status != TILEOPS_STATUS_OK) fail(status, "%s", in_terms_of_copy(last_error_text()).c_str());
}

void copy_on_one_device(tileops_context* ctx, const DLTensor* src, DLTensor* dst, void* stream) {
  tileops_plan* plan = nullptr;
  DLTensor* outs[] = {dst};
  const DLTensor* ins[] = {src};
  tileops_status status = tileops_plan_create_like(ctx, TILEOPS_OP_CAST, ins, 1, outs, 1, nullptr, 0, &plan);
  if (status == TILEOPS_STATUS_OK) status = tileops_execute(plan, ins, 1, outs, 1, stream);
  tileops_plan_destroy(plan);
  require(status);
}

bool is_dense(const DLTensor& t) {
  int64_t step = 1;
  for (int d = t.ndim - 1; d >= 0; --d) {
    if (t.strides && t.shape[d] != 1 && t.strides[d] != step) return false;
    step *= t.shape[d];
  }
  return true;
}

// What the cast plan checks on one device.
void check_operand(const DLTensor& t, const char* name) {
  Dtype dtype;
  if (!dtype_from_dl(t.dtype, &dtype))
    unsupported("%s: dtype is not supported (got %s)", name, dl_dtype_name(t.dtype).c_str());
  if (t.ndim < 0 || t.ndim > TILEOPS_MAX_NDIM)
    invalid("%s: ndim is out of range (got %d, need 0 to %d)", name, t.ndim, TILEOPS_MAX_NDIM);
  if (t.ndim && !t.shape) invalid("%s: shape is NULL", name);
  bool empty = false;
  for (int d = 0; d < t.ndim; ++d) {
    if (t.shape[d] < 0) invalid("%s: shape[%d] is negative (got %lld)", name, d, static_cast<long long>(t.shape[d]));
    empty |= t.shape[d] == 0;
  }
  if (!t.data && !empty) invalid("%s: data is NULL", name);
  uintptr_t address;
  if (__builtin_add_overflow(reinterpret_cast<uintptr_t>(t.data), t.byte_offset, &address))
    invalid("%s: data + byte_offset overflows 64-bit addresses (got byte_offset %llu)", name,
            static_cast<unsigned long long>(t.byte_offset));
}

// A dense tensor of the same shape on the same device. At the end of its scope it waits for what uses it on
// the stream of `user`, and is freed.
class Temporary {
 public:
  Temporary(tileops_context* ctx, const DLTensor& like, DLDevice user, void* stream)
      : ctx_(ctx), user_(user), stream_(stream) {
    require(tileops_tensor_alloc(ctx, home_of(like.device), like.dtype, like.ndim, like.shape, &tensor_));
  }
  ~Temporary() {
    if (!waited_) tileops_stream_synchronize(ctx_, user_, stream_);
    tensor_->deleter(tensor_);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  DLTensor* get() { return &tensor_->dl_tensor; }
  void wait() {
    waited_ = true;
    require(tileops_stream_synchronize(ctx_, user_, stream_));
  }

 private:
  tileops_context* ctx_;
  DLDevice user_;
  void* stream_;
  bool waited_ = false;
  DLManagedTensorVersioned* tensor_ = nullptr;
};

void* address_of(const DLTensor& t) { return static_cast<char*>(t.data) + t.byte_offset; }

// Dense on both sides.
void copy_bytes(const DLTensor& src, const DLTensor& dst, void* stream) {
  Dtype dtype = Dtype::f32;
  dtype_from_dl(dst.dtype, &dtype);
  size_t bytes = dtype_size(dtype);
  for (int d = 0; d < dst.ndim; ++d) bytes *= static_cast<size_t>(dst.shape[d]);
  if (dst.dtype.lanes == 1) bytes /= static_cast<size_t>(dtype_lanes(dtype));
  const bool to_host = is_cpu(dst.device);
  const DLDevice device = home_of(to_host ? src.device : dst.device);
  backend_of(device).copy(device, address_of(dst), address_of(src), bytes, to_host, stream);
}

// Strided sides are packed and unpacked on their own device. `stream` is dst's, or src's where dst is in host
// memory: what runs on another GPU is fitted into it by events.
void copy_between(tileops_context* ctx, const DLTensor* src, DLTensor* dst, void* stream) {
  check_operand(*src, "src");
  check_operand(*dst, "dst");
  const bool from_host = is_cpu(src->device), to_host = is_cpu(dst->device);
  const DLDevice streams_device = to_host ? src->device : dst->device;
  if (!is_dense(*src)) {
    Temporary packed(ctx, *src, streams_device, stream);
    const auto pack = [&](void* on) { copy_on_one_device(ctx, src, packed.get(), on); };
    if (from_host) pack(nullptr);
    else if (to_host) pack(stream);
    else backend_of(src->device).detour(home_of(src->device), home_of(dst->device), stream, pack);
    copy_between(ctx, packed.get(), dst, stream);
    packed.wait();
  } else if (!is_dense(*dst)) {
    Temporary packed(ctx, *dst, streams_device, stream);
    copy_bytes(*src, *packed.get(), stream);
    copy_on_one_device(ctx, packed.get(), dst, to_host ? nullptr : stream);
    packed.wait();
  } else {
    copy_bytes(*src, *dst, stream);
  }
}

}  // namespace
}  // namespace tileops::api

using namespace tileops;
using namespace tileops::api;

tileops_status tileops_tensor_copy(tileops_context* ctx, const DLTensor* src, DLTensor* dst, void* stream) {
  return guard("tileops_tensor_copy", [&] {
    if (!src) invalid("src: is NULL");
    if (!dst) invalid("dst: is NULL");
    if (src->dtype.code != dst->dtype.code || src->dtype.bits != dst->dtype.bits ||
        src->dtype.lanes != dst->dtype.lanes)
      invalid("dst: dtype differs from src (got %s, need %s); use the cast operator to convert",
              dl_dtype_name(dst->dtype).c_str(), dl_dtype_name(src->dtype).c_str());
    if (src->ndim != dst->ndim)
      invalid("dst: has another number of dimensions than src (got %d, need %d)", dst->ndim, src->ndim);
    for (int d = 0; d < src->ndim && src->shape && dst->shape; ++d) {
      if (src->shape[d] != dst->shape[d])
        invalid("dst: shape[%d] differs from src (got %lld, need %lld)", d, static_cast<long long>(dst->shape[d]),
                static_cast<long long>(src->shape[d]));
    }
    backend_of(src->device);
    backend_of(dst->device);
    const bool same = (is_cpu(src->device) && is_cpu(dst->device)) || same_home(src->device, dst->device);
    if (same) copy_on_one_device(ctx, src, dst, stream);
    else copy_between(ctx, src, dst, stream);
  });
}
