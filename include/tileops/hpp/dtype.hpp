// SPDX-License-Identifier: Apache-2.0
// Dtypes by name and by C++ type, and devices.
#ifndef TILEOPS_HPP_DTYPE_HPP
#define TILEOPS_HPP_DTYPE_HPP

#include <cstdint>
#include <type_traits>

#include "tileops/hpp/error.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

// tileops::float16, float8_e4m3fn, int64, boolean, ...: one per row of tileops/dtypes.def. Of float4_e2m1fn shapes
// count elements; torch's dtype, of which they count pairs, has 2 lanes.
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, ...) \
  inline constexpr DLDataType constant{code, bits, 1};
#include "tileops/dtypes.def"

// The dtype of a C++ type. Specialise it (`static constexpr DLDataType value`) for a half or fp8
// type of your own; its size must be that of the dtype.
template <class T, class = void>
struct dtype_of {
  static_assert(sizeof(T) == 0, "tileops: no dtype for this type; specialise tileops::dtype_of");
};
template <>
struct dtype_of<float> {
  static constexpr DLDataType value = float32;
};
template <>
struct dtype_of<double> {
  static constexpr DLDataType value = float64;
};
template <>
struct dtype_of<bool> {
  static_assert(sizeof(bool) == 1, "tileops: bool tensors have one byte an element");
  static constexpr DLDataType value = boolean;
};
template <class T>
struct dtype_of<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
  static constexpr DLDataType value{std::is_signed_v<T> ? kDLInt : kDLUInt, sizeof(T) * 8, 1};
};

inline constexpr DLDevice cpu{kDLCPU, 0};
inline constexpr DLDevice cuda(int32_t index = 0) { return {kDLCUDA, index}; }

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
