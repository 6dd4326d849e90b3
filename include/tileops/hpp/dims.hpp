// SPDX-License-Identifier: Apache-2.0
// Shapes and strides.
#ifndef TILEOPS_HPP_DIMS_HPP
#define TILEOPS_HPP_DIMS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <type_traits>

#include "tileops/hpp/error.hpp"
#include "tileops/hpp/name.hpp"
#include "tileops/hpp/number.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

namespace detail {
// An extent or a stride of any type of integers or of enumerators, but truth values and characters.
template <class T>
inline constexpr bool is_extent_v = is_integer_v<T> ? !std::is_same_v<T, bool> && !std::is_same_v<T, char>
                                                    : std::is_enum_v<T> && std::is_convertible_v<T, int64_t>;

struct Extent {
  template <class T, class = std::enable_if_t<is_extent_v<T>>>
  constexpr Extent(T extent) : value(0) {
    if constexpr (std::is_enum_v<T>) value = to_int64(static_cast<std::underlying_type_t<T>>(extent), "tileops::Dims");
    else value = to_int64(extent, "tileops::Dims");
  }
  int64_t value;
};
}  // namespace detail

// A list of extents or strides, of a length known when the program runs: in braces, or any range of integers. One that
// int64 does not hold is refused.
class Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<detail::Extent> list) {
    for (const detail::Extent& extent : list) add(extent);
    check_size();
  }
  template <class Range, class = std::enable_if_t<detail::is_extent_v<std::decay_t<detail::element_t<const Range>>>>>
  Dims(const Range& range) {
    for (const auto& extent : range) add(extent);
    check_size();
  }
  template <class T, class = std::enable_if_t<detail::is_extent_v<T>>>
  Dims(const T* data, size_t size) {
    for (size_t i = 0; i < size; ++i) add(data[i]);
    check_size();
  }

  const int64_t* begin() const& { return data_.data(); }
  const int64_t* end() const& { return data_.data() + size_; }
  const int64_t* begin() const&& = delete;
  const int64_t* end() const&& = delete;
  size_t size() const { return size_; }
  int64_t operator[](size_t i) const { return data_[i]; }
  friend bool operator==(const Dims& a, const Dims& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
  friend bool operator!=(const Dims& a, const Dims& b) { return !(a == b); }

 private:
  void add(detail::Extent extent) {
    if (size_ < data_.size()) data_[size_] = extent.value;
    ++size_;
  }
  void check_size() const {
    if (size_ > data_.size())
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::Dims: too many dimensions (got " + std::to_string(size_) +
                                                       ", need at most " + std::to_string(data_.size()) + ")");
  }

  std::array<int64_t, TILEOPS_MAX_NDIM> data_;
  size_t size_ = 0;
};

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
