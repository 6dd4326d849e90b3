// SPDX-License-Identifier: Apache-2.0
// Tensors: views of memory that somebody else owns, and those that own theirs.
#ifndef TILEOPS_HPP_TENSOR_HPP
#define TILEOPS_HPP_TENSOR_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "tileops/hpp/dims.hpp"
#include "tileops/hpp/dtype.hpp"
#include "tileops/hpp/error.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

// A tensor over memory of the caller: pointer, dtype, shape and strides (in elements; none means
// row-major). The memory must outlive its use; the view itself copies shape and strides. Views of
// const memory are ConstView, which no output accepts.
//
// Here and below, what points into an object (get, data, begin) is not to be had of a temporary: it would be gone when
// the statement ends.
class ConstView {
 public:
  template <class T>
  ConstView(const T* data, const Dims& shape, const Dims& strides = {}, DLDevice device = cpu)
      : ConstView(data, dtype_of<T>::value, shape, strides, device) {}
  ConstView(const void* data, DLDataType dtype, const Dims& shape, const Dims& strides = {}, DLDevice device = cpu) {
    if (strides.size() != 0 && strides.size() != shape.size())
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::View: shape and strides differ in length");
    tensor_.data = const_cast<void*>(data);  // outputs are made of View alone
    tensor_.dtype = dtype;
    tensor_.device = device;
    tensor_.ndim = static_cast<int32_t>(shape.size());
    take(shape.begin(), strides.size() ? strides.begin() : nullptr);
  }
  // A view of a tensor's memory, with its shape and strides.
  explicit ConstView(const DLTensor& tensor) : tensor_(tensor) {
    if (tensor.ndim < 0 || tensor.ndim > TILEOPS_MAX_NDIM)
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::View: ndim: is out of range (got " +
                                                       std::to_string(tensor.ndim) + ", need 0 to " +
                                                       std::to_string(TILEOPS_MAX_NDIM) + ")");
    take(tensor.shape, tensor.strides);
  }
  ConstView(const ConstView& other) : ConstView(other.tensor_) {}
  ConstView& operator=(const ConstView& other) {
    if (this == &other) return *this;
    tensor_ = other.tensor_;
    take(other.tensor_.shape, other.tensor_.strides);
    return *this;
  }

  // Valid while this view is.
  const DLTensor* get() const& { return &tensor_; }
  const DLTensor* get() const&& = delete;

 protected:
  DLTensor tensor_{};

 private:
  // Copies ndim numbers of each; NULL stays, and is the library's to refuse where it must not be.
  void take(const int64_t* shape, const int64_t* strides) {
    if (shape) std::copy_n(shape, tensor_.ndim, shape_.begin());
    if (strides) std::copy_n(strides, tensor_.ndim, strides_.begin());
    tensor_.shape = shape ? shape_.data() : nullptr;
    tensor_.strides = strides ? strides_.data() : nullptr;
  }

  std::array<int64_t, TILEOPS_MAX_NDIM> shape_, strides_;
};

class View : public ConstView {
 public:
  template <class T, class = std::enable_if_t<!std::is_const_v<T> && !std::is_void_v<T>>>
  View(T* data, const Dims& shape, const Dims& strides = {}, DLDevice device = cpu)
      : ConstView(data, shape, strides, device) {}
  View(void* data, DLDataType dtype, const Dims& shape, const Dims& strides = {}, DLDevice device = cpu)
      : ConstView(data, dtype, shape, strides, device) {}
  explicit View(DLTensor& tensor) : ConstView(tensor) {}

  using ConstView::get;
  DLTensor* get() & { return &tensor_; }
};

// A tensor with memory: owns a DLManagedTensorVersioned, allocated here or taken from elsewhere.
class ManagedTensor {
 public:
  ManagedTensor() = default;
  // Uninitialised, row-major. See tileops_tensor_alloc.
  ManagedTensor(DLDataType dtype, const Dims& shape, DLDevice device = cpu, tileops_context* context = nullptr) {
    check(tileops_tensor_alloc(context, device, dtype, static_cast<int32_t>(shape.size()), shape.begin(), &managed_));
  }
  // Takes over `managed`, which may be null.
  explicit ManagedTensor(DLManagedTensorVersioned* managed) : managed_(managed) {}
  ManagedTensor(ManagedTensor&& other) noexcept : managed_(other.release()) {}
  ManagedTensor& operator=(ManagedTensor&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  ~ManagedTensor() { reset(); }

  explicit operator bool() const { return managed_ != nullptr; }
  // Null if this is empty.
  DLTensor* get() & { return managed_ ? &managed_->dl_tensor : nullptr; }
  const DLTensor* get() const& { return managed_ ? &managed_->dl_tensor : nullptr; }
  const DLTensor* get() const&& = delete;

  // Address of element 0. T must be the tensor's dtype; on CUDA it is a device address.
  template <class T>
  T* data() const& {
    if (!managed_) return nullptr;
    const DLTensor& t = managed_->dl_tensor;
    const DLDataType want = dtype_of<T>::value;
    if (t.dtype.code != want.code || t.dtype.bits != want.bits || t.dtype.lanes != want.lanes)
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::ManagedTensor::data: other dtype");
    return reinterpret_cast<T*>(static_cast<char*>(t.data) + t.byte_offset);
  }
  template <class T>
  T* data() const&& = delete;

  // Set by the producer of a tensor that was taken over; such a tensor is no output.
  bool read_only() const noexcept { return managed_ && (managed_->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0; }
  // Hands the tensor to somebody who will call its deleter.
  DLManagedTensorVersioned* release() noexcept { return std::exchange(managed_, nullptr); }
  void reset(DLManagedTensorVersioned* managed = nullptr) noexcept {
    DLManagedTensorVersioned* old = std::exchange(managed_, managed);
    if (old && old->deleter) old->deleter(old);
  }

 private:
  DLManagedTensorVersioned* managed_ = nullptr;
};

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
