// SPDX-License-Identifier: Apache-2.0
// Lists of values of plans and calls: attributes, scalars.
#ifndef TILEOPS_HPP_ARGUMENTS_HPP
#define TILEOPS_HPP_ARGUMENTS_HPP

#include <array>
#include <cstddef>
#include <initializer_list>
#include <type_traits>

#include "tileops/hpp/error.hpp"
#include "tileops/hpp/name.hpp"
#include "tileops/hpp/number.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

namespace detail {
// Up to N elements in place. Longer lists are cut to N, one more than the library takes, so that it
// is the one to refuse them.
template <class T, size_t N>
class List {
 public:
  const T* data() const& { return array_.data(); }
  const T* data() const&& = delete;
  size_t size() const { return size_; }

 protected:
  void add(const T& element) {
    if (size_ < N) array_[size_++] = element;
  }

 private:
  std::array<T, N> array_;
  size_t size_ = 0;
};

template <class Range, class T>
using enable_if_range_of = std::enable_if_t<std::is_convertible_v<element_t<const Range>, T>>;
}  // namespace detail

// In braces, or any range.
class Attrs : public detail::List<tileops_attr, TILEOPS_MAX_ATTRS + 1> {
 public:
  Attrs() = default;
  Attrs(std::initializer_list<tileops_attr> list) {
    for (const tileops_attr& attr : list) add(attr);
  }
  template <class Range, class = detail::enable_if_range_of<Range, tileops_attr>>
  Attrs(const Range& range) {
    for (const tileops_attr& attr : range) add(attr);
  }
};

// Values of scalars in the order of the expression; by name: Expr::scalars().
class Scalars : public detail::List<tileops_number, TILEOPS_MAX_EXPR_SCALARS + 1> {
 public:
  Scalars() = default;
  Scalars(std::initializer_list<Number> list) {
    for (const Number& n : list) add(n);
  }
  template <class Range, class = detail::enable_if_range_of<Range, Number>>
  Scalars(const Range& range) {
    for (const auto& n : range) add(Number(n));
  }
};

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
