// SPDX-License-Identifier: Apache-2.0
// Numbers of C++ as the library takes them: int64, float64 or bool. One that these do not hold is refused, never
// wrapped.
#ifndef TILEOPS_HPP_NUMBER_HPP
#define TILEOPS_HPP_NUMBER_HPP

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>

#include "tileops/hpp/error.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

namespace detail {
// Compilers' types of 128 bits are no numbers here, whatever the standard library says of them.
template <class T>
inline constexpr bool is_integer_v = std::is_integral_v<T> && sizeof(T) <= sizeof(int64_t);
template <class T>
inline constexpr bool is_float_v = std::is_floating_point_v<T> &&
                                   (sizeof(T) <= sizeof(double) || std::is_same_v<T, long double>);
template <class T>
inline constexpr bool is_number_v = is_integer_v<T> || is_float_v<T>;

// `what` begins the message, such as "tileops::Number".
template <class T>
int64_t to_int64(T value, const char* what) {
  static_assert(is_integer_v<T>, "tileops: integers have at most 64 bits");
  if constexpr (std::is_unsigned_v<T> && sizeof(T) == sizeof(int64_t)) {
    if (value > static_cast<T>(std::numeric_limits<int64_t>::max()))
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, std::string(what) + ": the integer is beyond int64 (got " +
                                                       std::to_string(uint64_t{value}) + ", need at most " +
                                                       std::to_string(std::numeric_limits<int64_t>::max()) + ")");
  }
  return static_cast<int64_t>(value);
}

// Rounded; infinities and NaN stay.
template <class T>
double to_double(T value, const char* what) {
  static_assert(is_float_v<T>, "tileops: floats are float, double or long double");
  if constexpr (std::numeric_limits<T>::max_exponent > std::numeric_limits<double>::max_exponent) {
    const T most = std::numeric_limits<double>::max(), infinite = std::numeric_limits<T>::infinity();
    if ((value > most && value < infinite) || (value < -most && value > -infinite)) {
      std::ostringstream got;
      got << value;
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT,
                  std::string(what) + ": the number is beyond float64 (got " + got.str() + ")");
    }
  }
  return static_cast<double>(value);
}
}  // namespace detail

// A number of an expression: an integer, a float or a bool, as its C++ type is. None: what the expression gives.
struct Number {
  Number() : number{} {}
  Number(const tileops_number& n) : number(n) {}
  template <class T, class = std::enable_if_t<detail::is_number_v<T>>>
  Number(T value) {
    if constexpr (std::is_same_v<T, bool>) number = tileops_number_bool(value);
    else if constexpr (std::is_integral_v<T>) number = tileops_number_i64(detail::to_int64(value, "tileops::Number"));
    else number = tileops_number_f64(detail::to_double(value, "tileops::Number"));
  }
  operator tileops_number() const { return number; }
  tileops_number number;
};

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
