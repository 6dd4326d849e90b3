// SPDX-License-Identifier: Apache-2.0
// Operands: those of a call, and lists of them that are kept.
#ifndef TILEOPS_HPP_OPERANDS_HPP
#define TILEOPS_HPP_OPERANDS_HPP

#include <array>
#include <cstddef>
#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tileops/hpp/error.hpp"
#include "tileops/hpp/name.hpp"
#include "tileops/hpp/tensor.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

namespace detail {
inline DLTensor* writable(ManagedTensor& t) {
  if (t.read_only()) throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::Output: the tensor is read-only");
  return t.get();
}
}  // namespace detail

// An operand that is kept: any kind of tensor, or nullptr for an absent optional input. Copies what describes the
// tensor (address, shape, strides), as a view does, so that views and DLTensors may be temporaries. A ManagedTensor may
// not: its memory would go with it.
class Input {
 public:
  Input(std::nullptr_t = nullptr) {}
  Input(const DLTensor* t) {
    if (t) view_.emplace(*t);
  }
  Input(const ConstView& t) : view_(t) {}
  Input(const ManagedTensor& t) : Input(t.get()) {}
  Input(const ManagedTensor&&) = delete;
  const DLTensor* get() const& { return view_ ? view_->get() : nullptr; }
  const DLTensor* get() const&& = delete;

 private:
  std::optional<ConstView> view_;
};
class Output {
 public:
  Output(DLTensor* t) {
    if (t) view_.emplace(*t);
  }
  Output(View& t) : view_(t) {}
  Output(View&& t) : view_(t) {}
  Output(ManagedTensor& t) : Output(detail::writable(t)) {}
  DLTensor* get() & { return view_ ? view_->get() : nullptr; }
  DLTensor* get() && = delete;

 private:
  std::optional<View> view_;
};

namespace detail {
// Operands and pointers to them, as C takes them. A list never changes, so that its copies share the operands.
template <class Operand, class Pointer>
class Kept {
 public:
  const Pointer* data() const& { return pointers_.data(); }
  const Pointer* data() const&& = delete;
  size_t size() const { return pointers_.size(); }

 protected:
  template <class Range>
  void keep(Range& range) {
    operands_ = std::make_shared<std::deque<Operand>>();
    for (auto&& tensor : range)
      pointers_.push_back(operands_->emplace_back(std::forward<decltype(tensor)>(tensor)).get());
  }

 private:
  std::shared_ptr<std::deque<Operand>> operands_;
  std::vector<Pointer> pointers_;
};

// A range of operands; of tensors with memory only one that stays.
template <class Range, class Operand>
using enable_if_keepable = std::enable_if_t<std::is_constructible_v<Operand, element_t<Range>> &&
                                            (std::is_lvalue_reference_v<Range> ||
                                             !std::is_same_v<std::decay_t<element_t<Range>>, ManagedTensor>)>;
}  // namespace detail

// Lists of operands that are kept, in braces or from any range of tensors. Made once, they are given to as many calls
// as wanted; what is in braces or a range in a call itself costs less, since nothing is copied there.
class Inputs : public detail::Kept<Input, const DLTensor*> {
 public:
  Inputs() = default;
  Inputs(std::initializer_list<Input> list) { keep(list); }
  template <class Range, class = detail::enable_if_keepable<Range, Input>>
  Inputs(Range&& range) {
    keep(range);
  }
};
class Outputs : public detail::Kept<Output, DLTensor*> {
 public:
  Outputs() = default;
  Outputs(std::initializer_list<Output> list) { keep(list); }
  template <class Range, class = detail::enable_if_keepable<Range, Output>>
  Outputs(Range&& range) {
    keep(range);
  }
};

namespace detail {

// An operand of one call: points to what the caller has, temporaries included, since those live until the call is over.
// It cannot be copied or moved, so that none is kept.
template <class Tensor>
struct CallOperand {
  CallOperand(const CallOperand&) = delete;
  CallOperand& operator=(const CallOperand&) = delete;
  Tensor* tensor;

 protected:
  explicit CallOperand(Tensor* t) : tensor(t) {}
};
struct CallInput : CallOperand<const DLTensor> {
  CallInput(std::nullptr_t) : CallOperand(nullptr) {}
  CallInput(const DLTensor* t) : CallOperand(t) {}
  CallInput(const ConstView& t) : CallOperand(t.get()) {}
  CallInput(const ManagedTensor& t) : CallOperand(t.get()) {}
  CallInput(const Input& t) : CallOperand(t.get()) {}
};
struct CallOutput : CallOperand<DLTensor> {
  CallOutput(DLTensor* t) : CallOperand(t) {}
  CallOutput(View& t) : CallOperand(t.get()) {}
  CallOutput(View&& t) : CallOutput(t) {}
  CallOutput(ManagedTensor& t) : CallOperand(writable(t)) {}
  CallOutput(Output& t) : CallOperand(t.get()) {}
};

// A range whose operands lie somewhere. One that makes them as it is read has to be kept, as Inputs(range).
template <class Range, class Operand>
using enable_if_there =
    std::enable_if_t<std::is_constructible_v<Operand, element_t<Range>> &&
                     (std::is_lvalue_reference_v<element_t<Range>> || std::is_pointer_v<element_t<Range>>)>;

// Operands of one call, as in CallOperand: in braces, any range of them, or a list that is kept. At most N, one more
// than the library takes, so that it is the one to refuse more.
template <class Operand, class Pointer, class List, size_t N>
class Call {
 public:
  Call() = default;
  Call(std::initializer_list<Operand> list) {
    for (const Operand& operand : list) add(operand.tensor);
  }
  Call(const List& kept) : kept_(kept.data()), size_(kept.size()) {}
  template <class Range, class = enable_if_there<Range, Operand>>
  Call(Range&& range) {
    for (auto&& tensor : range) add(Operand(tensor).tensor);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  const Pointer* data() const { return kept_ ? kept_ : array_.data(); }
  size_t size() const { return size_; }

 private:
  void add(Pointer tensor) {
    if (size_ < N) array_[size_++] = tensor;
  }

  const Pointer* kept_ = nullptr;
  std::array<Pointer, N> array_;
  size_t size_ = 0;
};
using CallInputs = Call<CallInput, const DLTensor*, Inputs, TILEOPS_MAX_EXPR_INPUTS + 1>;
using CallOutputs = Call<CallOutput, DLTensor*, Outputs, TILEOPS_MAX_EXPR_OUTPUTS + 1>;

}  // namespace detail
}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
