// Memory and streams, for programs that have no CUDA runtime of their own.
#include <memory>

#include "api/guard.h"
#include "api/handles.h"
#include "op/dtype.h"
#include "problem/packed.h"

namespace tileops::api {
namespace {

// What a managed tensor owns besides its data.
struct Owned {
  struct DLManagedTensorVersioned tensor;
  Backend* backend;
  int64_t shape[TILEOPS_MAX_NDIM], strides[TILEOPS_MAX_NDIM];
};

void delete_owned(struct DLManagedTensorVersioned* self) {
  if (!self) return;
  auto* owned = static_cast<Owned*>(self->manager_ctx);
  owned->backend->release(owned->tensor.dl_tensor.device, owned->tensor.dl_tensor.data);
  delete owned;
}

}  // namespace
}  // namespace tileops::api

using namespace tileops;
using namespace tileops::api;

tileops_status tileops_tensor_alloc(tileops_context* ctx, DLDevice device, DLDataType dtype, int32_t ndim,
                                    const int64_t* shape, struct DLManagedTensorVersioned** out) {
  return guard("tileops_tensor_alloc", [&] {
    if (!out) invalid("out: is NULL");
    *out = nullptr;
    context_of(ctx);
    if (device.device_type == kDLCUDAManaged)
      unsupported("device: managed memory is taken as an operand, but not allocated (need kDLCUDA)");
    Dtype t;
    if (!dtype_from_dl(dtype, &t)) unsupported("dtype: is not supported (got %s)", dl_dtype_name(dtype).c_str());
    if (ndim < 0 || ndim > TILEOPS_MAX_NDIM)
      invalid("ndim: is out of range (got %d, need 0 to %d)", ndim, TILEOPS_MAX_NDIM);
    if (ndim && !shape) invalid("shape: is NULL");
    auto owned = std::make_unique<Owned>();
    size_t bytes = dtype_size(t);
    int64_t step = 1;
    bool empty = false;
    for (int d = 0; d < ndim; ++d) {
      if (shape[d] < 0) invalid("shape[%d]: is negative (got %lld)", d, static_cast<long long>(shape[d]));
      empty |= shape[d] == 0;
    }
    for (int d = ndim - 1; d >= 0; --d) {
      owned->shape[d] = shape[d];
      owned->strides[d] = step;
      if (empty) continue;
      int64_t n = 0;
      if (__builtin_mul_overflow(step, shape[d], &step) || !elements_of_extent(dtype, ndim, shape, d, &n) ||
          __builtin_mul_overflow(bytes, static_cast<size_t>(n), &bytes) || bytes >> 62)
        invalid("shape: %s overflows 64-bit sizes", shape_text(shape, ndim).c_str());
    }
    if (is_packed(t) && !empty && dtype.lanes == 1 && (ndim == 0 || shape[ndim - 1] % dtype_lanes(t)))
      invalid("shape: the last dimension of %s must be even, since two elements share a byte (got %s)", dtype_name(t),
              shape_text(shape, ndim).c_str());
    if (is_packed(t) && ndim > 0) bytes /= static_cast<size_t>(dtype_lanes(t));
    owned->backend = &backend_of(device);
    DLTensor& dl = owned->tensor.dl_tensor;
    dl.data = owned->backend->allocate(device, empty ? 0 : bytes);
    dl.device = device;
    dl.ndim = ndim;
    dl.dtype = dtype;
    dl.shape = owned->shape;
    dl.strides = owned->strides;
    dl.byte_offset = 0;
    owned->tensor.version = {1, 1};  // what is implemented, whatever header is installed
    owned->tensor.flags = 0;
    owned->tensor.manager_ctx = owned.get();
    owned->tensor.deleter = delete_owned;
    *out = &owned.release()->tensor;
  });
}

tileops_status tileops_stream_create(tileops_context* ctx, DLDevice device, void** out) {
  return guard("tileops_stream_create", [&] {
    if (!out) invalid("out: is NULL");
    *out = nullptr;
    context_of(ctx);
    *out = backend_of(device).stream_create(device);
  });
}

tileops_status tileops_stream_destroy(tileops_context* ctx, DLDevice device, void* stream) {
  return guard("tileops_stream_destroy", [&] {
    context_of(ctx);
    backend_of(device).stream_destroy(device, stream);
  });
}

tileops_status tileops_stream_synchronize(tileops_context* ctx, DLDevice device, void* stream) {
  return guard("tileops_stream_synchronize", [&] {
    context_of(ctx);
    backend_of(device).stream_synchronize(device, stream);
  });
}
