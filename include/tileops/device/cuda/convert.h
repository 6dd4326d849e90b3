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

#include "common/narrow.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {

// N elements of type S as they lie in memory, in an array w of 32-bit words; fewer than four bytes in one of 8 or 16
// bits.
template <class S, int N>
using packed = kernels::raw_pack<S, N>;

template <class S, class T, int N>
__device__ __forceinline__ packed<S, N> narrow(const T (&x)[N]) {
  return kernels::narrow_all<S>(x);
}

template <class S, class T, int N>
__device__ __forceinline__ void widen(const packed<S, N>& p, T (&y)[N]) {
  kernels::widen_all<T>(p, y);
}

// N elements at `p`, which is aligned to their bytes or, of more than 16, to 16. The same of memory of any kind.
template <class S, int N>
__device__ __forceinline__ packed<S, N> load(const void* p) {
  return kernels::load_raw<S, N>(p);
}
template <class S, int N>
__device__ __forceinline__ void store(void* p, const packed<S, N>& x) {
  kernels::store_vector<S, N>(p, x);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif
