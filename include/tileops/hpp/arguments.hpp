// SPDX-License-Identifier: Apache-2.0
// Argument lists of plans and calls: inputs, outputs, attributes, scalars.
#ifndef TILEOPS_HPP_ARGUMENTS_HPP
#define TILEOPS_HPP_ARGUMENTS_HPP

#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>

#include "tileops/hpp/error.hpp"
#include "tileops/hpp/tensor.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

// An operand in an argument list: any kind of tensor, or nullptr for an absent optional input.
struct Input {
  Input(std::nullptr_t) : tensor(nullptr) {}
  Input(const DLTensor* t) : tensor(t) {}
  Input(const ConstView& t) : tensor(t.get()) {}
  Input(const ManagedTensor& t) : tensor(t.get()) {}
  const DLTensor* tensor;
};
struct Output {
  Output(DLTensor* t) : tensor(t) {}
  Output(View& t) : tensor(t.get()) {}
  Output(View&& t) : tensor(t.get()) {}  // a temporary lives until the call is over
  Output(ManagedTensor& t) : tensor(t.get()) {
    if (t.read_only()) throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::Output: the tensor is read-only");
  }
  DLTensor* tensor;
};

namespace detail {
// Up to N elements in place. Longer lists are cut to N, one more than the library takes, so that it
// is the one to refuse them.
template <class T, size_t N>
class List {
 public:
  const T* data() const { return array_.data(); }
  size_t size() const { return size_; }

 protected:
  void add(const T& element) {
    if (size_ < N) array_[size_++] = element;
  }

 private:
  std::array<T, N> array_{};
  size_t size_ = 0;
};

template <class Range, class Itself>
using enable_if_range =
    std::enable_if_t<!std::is_same_v<std::decay_t<Range>, Itself>, decltype(std::begin(std::declval<Range&>()))>;
}  // namespace detail

// Argument lists: in braces, or any container of tensors when their number is known only when the
// program runs, as in Inputs(views) of a std::vector<View>. They hold pointers to the tensors.
class Inputs : public detail::List<const DLTensor*, TILEOPS_MAX_EXPR_INPUTS + 1> {
 public:
  Inputs() = default;
  Inputs(std::initializer_list<Input> list) {
    for (const Input& input : list) add(input.tensor);
  }
  template <class Range, class = detail::enable_if_range<Range, Inputs>>
  Inputs(Range&& range) {
    for (const auto& tensor : range) add(Input(tensor).tensor);
  }
};
class Outputs : public detail::List<DLTensor*, TILEOPS_MAX_EXPR_OUTPUTS + 1> {
 public:
  Outputs() = default;
  Outputs(std::initializer_list<Output> list) {
    for (const Output& output : list) add(output.tensor);
  }
  template <class Range, class = detail::enable_if_range<Range, Outputs>>
  Outputs(Range&& range) {
    for (auto& tensor : range) add(Output(tensor).tensor);
  }
};
class Attrs : public detail::List<tileops_attr, TILEOPS_MAX_ATTRS + 1> {
 public:
  Attrs() = default;
  Attrs(std::initializer_list<tileops_attr> list) {
    for (const tileops_attr& attr : list) add(attr);
  }
  template <class Range, class = detail::enable_if_range<Range, Attrs>>
  Attrs(Range&& range) {
    for (const tileops_attr& attr : range) add(attr);
  }
};

// A number of an expression: an integer, a float or a bool, as its C++ type is. None: what the expression gives.
struct Number {
  Number() : number{} {}
  Number(const tileops_number& n) : number(n) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Number(T value) {
    if constexpr (std::is_same_v<T, bool>) number = tileops_number_bool(value);
    else if constexpr (std::is_integral_v<T>) number = tileops_number_i64(static_cast<int64_t>(value));
    else number = tileops_number_f64(static_cast<double>(value));
  }
  operator tileops_number() const { return number; }
  tileops_number number;
};

// Values of scalars in the order of the expression; by name: Expr::scalars().
class Scalars : public detail::List<tileops_number, TILEOPS_MAX_EXPR_SCALARS + 1> {
 public:
  Scalars() = default;
  Scalars(std::initializer_list<Number> list) {
    for (const Number& n : list) add(n);
  }
  template <class Range, class = detail::enable_if_range<Range, Scalars>>
  Scalars(Range&& range) {
    for (const auto& n : range) add(Number(n));
  }
};

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
