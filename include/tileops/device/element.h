// SPDX-License-Identifier: Apache-2.0
// Elements of other headers: which of convert.h's types have their bits. Those of CUDA's headers are known, which this
// one does not include; others are named by a specialisation:
//
//   template <>
//   struct tileops::device::element_of<cutlass::half_t> {
//     using type = tileops::device::f16;
//   };
#ifndef TILEOPS_DEVICE_ELEMENT_H
#define TILEOPS_DEVICE_ELEMENT_H

#include "convert.h"

struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;
struct __nv_fp8_e8m0;

namespace tileops {
namespace device {

template <class T>
struct element_of {
  using type = T;
};

#define TILEOPS_ELEMENT(other, element) \
  template <>                           \
  struct element_of<other> {            \
    using type = element;               \
  };
TILEOPS_ELEMENT(::__half, f16)
TILEOPS_ELEMENT(::__nv_bfloat16, bf16)
TILEOPS_ELEMENT(::__nv_fp8_e4m3, e4m3fn_sat)  // as CUDA's own conversions saturate
TILEOPS_ELEMENT(::__nv_fp8_e5m2, e5m2_sat)
TILEOPS_ELEMENT(::__nv_fp8_e8m0, e8m0fnu)
TILEOPS_ELEMENT(long, device_detail::i64)
TILEOPS_ELEMENT(unsigned long, device_detail::u64)
#undef TILEOPS_ELEMENT

}  // namespace device

namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

template <class T>
using element_t = typename device::element_of<T>::type;
template <class T>
inline constexpr bool is_foreign_v = !same_v<T, element_t<T>>;

// The same bits as one of this library's elements, and back.
template <class T>
TILEOPS_FN element_t<T> to_element(const T& x) {
  if constexpr (is_foreign_v<T>) {
    static_assert(sizeof(T) == sizeof(element_t<T>), "tileops: element_of names a type of another size");
    return __builtin_bit_cast(element_t<T>, x);
  } else {
    return x;
  }
}
template <class T>
TILEOPS_FN T from_element(element_t<T> x) {
  if constexpr (is_foreign_v<T>) return __builtin_bit_cast(T, x);
  else return x;
}

// What operators have: numbers that C++ computes with, and narrower floats, which are computed as float.
template <class T>
inline constexpr bool is_element_v = is_narrow_v<element_t<T>> || is_float_v<element_t<T>> ||
                                     same_v<element_t<T>, bool> || same_v<element_t<T>, i8> ||
                                     same_v<element_t<T>, i16> || same_v<element_t<T>, i32> ||
                                     same_v<element_t<T>, i64> || same_v<element_t<T>, u8> ||
                                     same_v<element_t<T>, u16> || same_v<element_t<T>, u32> ||
                                     same_v<element_t<T>, u64>;
template <bool Narrow, class T>
struct computed_as {
  using type = T;
};
template <class T>
struct computed_as<true, T> {
  using type = float;
};
template <class T>
using computed_t = typename computed_as<is_narrow_v<element_t<T>>, element_t<T>>::type;

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif
