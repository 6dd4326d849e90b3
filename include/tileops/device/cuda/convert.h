// SPDX-License-Identifier: Apache-2.0
// Conversions between arrays of floats in registers and the words that narrower floats lie in, by conversion
// instructions where the GPU has them (16 bits from sm_80 on, 8 bits from sm_89 on):
//
//   packed<bf16, 8> p = narrow<bf16>(v);  // p.w: 4 words of two elements each, the first one low
//   narrow<e4m3fn_sat>(v)                 // 8 bits; the largest number in place of overflows, which are NaN in e4m3fn
//   float v[8]; widen(p, v);              // exact
//
// Types are those of tileops/device/convert.h: f16, bf16, e4m3fn, e4m3fn_sat, e5m2, e5m2_sat, e8m0fnu, e2m1fn. Results
// are the floats' values rounded once, to the nearest, ties to even; subnormal numbers are kept, NaN stays NaN.
#ifndef TILEOPS_DEVICE_CUDA_CONVERT_H
#define TILEOPS_DEVICE_CUDA_CONVERT_H

#include "apply.h"
#include "common/narrow.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// N elements of type S as they lie in memory, in an array w of 32-bit words; fewer than four bytes in one of 8 or 16
// bits.
template <class S, int N>
using packed = kernels::raw_pack<element_t<S>, N>;

template <class S, class T, int N>
__device__ __forceinline__ packed<S, N> narrow(const T (&x)[N]) {
  constexpr bool known = is_element_v<S> && is_element_v<T>;
  static_assert(known,
                "tileops narrow: of a type that these headers do not know; of another library's floats specialise "
                "tileops::device::element_of");
  if constexpr (!known) {
    return {};
  } else if constexpr (same_v<T, computed_t<T>> || same_v<element_t<T>, element_t<S>>) {
    return kernels::narrow_all<element_t<S>>(array_as<element_t<T>, same_v<T, element_t<T>>, T, N>(x).v);
  } else {
    return kernels::narrow_all<element_t<S>>(computed_array<computed_t<T>, T, N>(x).v);
  }
}

// y is float or double, or any type that has all numbers of S.
template <class S, class T, int N>
__device__ __forceinline__ void widen(const kernels::raw_pack<S, N>& p, T (&y)[N]) {
  constexpr bool exact = !is_narrow_v<element_t<T>> || same_v<element_t<T>, S>;
  static_assert(exact, "tileops widen: into narrower floats, which would round: widen to float, and narrow that");
  if constexpr (exact) {
    element_t<T> v[N];
    kernels::widen_all(p, v);
    TILEOPS_UNROLL
    for (int i = 0; i < N; ++i) y[i] = from_element<T>(v[i]);
  }
}

// N elements at `p`, which is aligned to the largest power of two that divides their bytes, 16 at most. The same of
// memory of any kind.
template <class S, int N>
__device__ __forceinline__ packed<S, N> load(const void* p) {
  return kernels::load_raw<element_t<S>, N>(p);
}
template <class S, int N>
__device__ __forceinline__ void store(void* p, const kernels::raw_pack<S, N>& x) {
  kernels::store_vector<S, N>(p, x);
}
template <class S, int N, class = typename if_true<is_foreign_v<S>>::type>
__device__ __forceinline__ void store(void* p, const packed<S, N>& x) {
  kernels::store_vector<element_t<S>, N>(p, x);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace device {
using device_detail::load;
using device_detail::narrow;
using device_detail::packed;
using device_detail::store;
using device_detail::widen;
}  // namespace device
}  // namespace tileops

#endif
