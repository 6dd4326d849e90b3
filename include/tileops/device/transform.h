// SPDX-License-Identifier: Apache-2.0
// A functor as a kernel: the library's own elementwise kernel with a functor in the place of its operator. For nvcc,
// and Clang with a CUDA toolkit.
//
//   transform(stream, n, y, [] __device__(float a, float b) { return a * b + 1.0f; }, x0, x1);
//   transform(stream, n, outputs(y0, y1), functor, x);   // functor returns results<float, float>{...}
//   transform<2>(stream, n, y, functor, x);              // two packs a thread, see below
//
// One to four operands and one to four results, `n` elements each, in memory of the device one after the other. The
// types of their elements are those of pointers: float, double, integers, bool, those of convert.h but for the 4-bit
// ones, or any type of 1, 2, 4, 8 or 16 bytes that is copied as bytes. Pointers are aligned to their elements, and need
// not be to more: where all are aligned to packs, packs of up to 16 bytes are read and written at once, otherwise
// neighbouring threads take neighbouring elements. A result may be an operand of elements of the same size; else
// results overlap neither operands nor each other, and cudaErrorInvalidValue says so.
//
// A functor is copied to the device as bytes. It has the first of these that it has, __device__ and const:
//   make()                       a factory: returns the functor, once for each thread. It may read memory
//   apply2(pair_of<S>...)        two neighbours as they lie in memory; returns pair_of<T>, or results of them. Then
//                                operator() or arrays(), too, for where a pack has one element only
//   packs(x..., y...)            of each operand and result what functions take that `tileops expr --device-function`
//                                writes: packed<S, N> of f16, bf16 and 8-bit floats, const S (&x)[N] and T (&y)[N] else
//   arrays(x..., y...)           const value (&x)[N] of each operand, value (&y)[N] of each result: apply of cuda.h
//                                takes these
//   operator()(x...)             one value of each operand; returns the result, or results<...> of several. Lambdas,
//                                and the bodies of tileops/device/ops
// Values are the elements; of f16, bf16 and the 8-bit floats they are floats, which are exact for operands, and results
// are rounded once, to the nearest, ties to even. __half, __nv_bfloat16 and others that element_of knows (element.h)
// are these, but for an operator() that has a parameter of such a type: it gets them as they are.
//
// Returns what the launch returns, cudaErrorInvalidValue for n below 0 or beyond what a launch has blocks for, for null
// pointers and memory that overlaps, cudaErrorMisalignedAddress for pointers not aligned to their elements; n of 0
// launches nothing. It waits for nothing: errors while the kernel runs come with a later call, as always.
//
// `transform<2>`: for functors of some thirty instructions and more. Of more than 2^20 packs a thread then takes two,
// which shares what it does once (gelu of 64 Mi floats on an H200: 94 % of a copy's speed, 90 with one).
#ifndef TILEOPS_DEVICE_TRANSFORM_H
#define TILEOPS_DEVICE_TRANSFORM_H

#include "dialect.h"
#if !TILEOPS_DEVICE_CUDA && TILEOPS_DEVICE_CPLUSPLUS
#error "tileops/device/transform.h is for CUDA code: compile with nvcc (a file .cu), NVRTC or clang++ -x cuda"
#endif
#if TILEOPS_DEVICE_CUDA

#include "transform/kernel.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

template <class... T>
struct output_pointers {
  u64 address[sizeof...(T) + (sizeof...(T) == 0)];
};
template <class... T>
TILEOPS_FN output_pointers<T...> outputs(T*... y) {
  return {{reinterpret_cast<u64>(y)...}};
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace device {
using device_detail::output_pointers;
using device_detail::outputs;
}  // namespace device

#if !defined(__CUDACC_RTC__) && !defined(TILEOPS_DEVICE_CUDA_COMMON_BARE_CLANG_H)

namespace kernels {

template <class S>
constexpr bool is_element() {
  if constexpr (same_v<S, void>) return false;
  else
    return !is_packed_v<S> && __is_trivially_copyable(S) &&
           (sizeof(S) == 1 || sizeof(S) == 2 || sizeof(S) == 4 || sizeof(S) == 8 || sizeof(S) == 16);
}
template <class T>
inline constexpr bool is_const_v = false;
template <class T>
inline constexpr bool is_const_v<const T> = true;

// Neighbouring elements are read before or after others are written: so a result lies where an operand of elements of
// the same size does, or apart from all of them, and from other results.
template <int Operands, int Views>
static bool lie_apart(const u64 (&address)[Views], const u64 (&bytes)[Views], u64 count) {
  for (int k = Operands; k < Views; ++k)
    for (int i = 0; i < k; ++i) {
      const bool apart = address[k] + count * bytes[k] <= address[i] || address[i] + count * bytes[i] <= address[k];
      const bool same = i < Operands && address[i] == address[k] && bytes[i] == bytes[k];
      if (!apart && !same) return false;
    }
  return true;
}

// These functions belong to the file that they are compiled in, as the kernel does.
template <class Spec, class F, class... S>
static cudaError_t launch_transform(cudaStream_t stream, i64 n, const F& functor, types<S...>,
                                    const u64 (&address)[Spec::views]) {
  constexpr u64 bytes[] = {sizeof(S)...}, access[] = {raw_pack<S, Spec::vec>::each...};
  if (n < 0) return cudaErrorInvalidValue;
  if (n == 0) return cudaSuccess;
  transform_arguments<Spec, F> a{{}, functor};
  a.count = static_cast<u64>(n);
  for (int view = 0; view < Spec::views; ++view) {
    if (address[view] == 0) return cudaErrorInvalidValue;
    if (address[view] % bytes[view] != 0) return cudaErrorMisalignedAddress;
    if (address[view] % access[view] != 0) a.flags |= kInterleaved;
    a.address[view] = address[view];
  }
  if (!lie_apart<Spec::loads::count>(address, bytes, a.count)) return cudaErrorInvalidValue;
  const u64 packs = (a.count + Spec::vec - 1) / Spec::vec;
  u32 threads = Spec::threads;
  while (threads > 32 && packs <= threads / 2) threads /= 2;
  const u64 each = static_cast<u64>(threads) * Spec::vecs_per_thread, blocks = (packs + each - 1) / each;
  if (blocks > 0x7fffffffu) return cudaErrorInvalidValue;
  void* arguments[] = {&a};  // not by <<<>>>, behind which an older error would look like one of this launch
  return cudaLaunchKernel(reinterpret_cast<const void*>(&transform_kernel<Spec, F>), dim3(static_cast<u32>(blocks)),
                          dim3(threads), arguments, 0, stream);
}

template <int PacksPerThread, class F, class... S, class... T>
static cudaError_t transform_to(cudaStream_t stream, i64 n, const F& functor, types<S...> in, types<T...> out,
                                const u64 (&address)[sizeof...(S) + sizeof...(T)]) {
  constexpr bool few = sizeof...(S) >= 1 && sizeof...(S) <= 4, results = sizeof...(T) >= 1 && sizeof...(T) <= 4,
                 packs = PacksPerThread >= 1 && PacksPerThread <= 8, written = !(is_const_v<T> || ...),
                 elements = (is_element<S>() && ...) && (is_element<T>() && ...), copied = __is_trivially_copyable(F);
  static_assert(few, "tileops transform: one to four operands");
  static_assert(results, "tileops transform: one to four results");
  static_assert(packs, "tileops transform: one to eight packs a thread");
  static_assert(written, "tileops transform: a result is written: its pointer must not be to const");
  static_assert(elements,
                "tileops transform: elements have 1, 2, 4, 8 or 16 bytes, are copied as such, and have no 4 bits");
  static_assert(copied, "tileops transform: a functor is copied to the device as bytes, which this one cannot be");
  if constexpr (few && results && packs && written && elements && copied) {
    using One = transform_spec<types<S...>, types<T...>, 1>;
    if constexpr (PacksPerThread > 1)
      if (n / elements_of_pack(in, out) > kFewPacks)
        return launch_transform<transform_spec<types<S...>, types<T...>, PacksPerThread>>(stream, n, functor,
                                                                                          types<S..., T...>{}, address);
    return launch_transform<One>(stream, n, functor, types<S..., T...>{}, address);
  } else {
    return cudaErrorInvalidValue;
  }
}

}  // namespace kernels

namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

template <int PacksPerThread = 1, class... T, class F, class... S>
static cudaError_t transform(cudaStream_t stream, i64 n, output_pointers<T...> out, const F& functor, const S*... in) {
  u64 address[sizeof...(S) + sizeof...(T)] = {reinterpret_cast<u64>(in)...};
  for (u64 k = 0; k < sizeof...(T); ++k) address[sizeof...(S) + k] = out.address[k];
  return kernels::transform_to<PacksPerThread>(stream, n, functor, kernels::types<S...>{}, kernels::types<T...>{},
                                               address);
}
template <int PacksPerThread = 1, class T, class F, class... S>
static cudaError_t transform(cudaStream_t stream, i64 n, T* out, const F& functor, const S*... in) {
  return transform<PacksPerThread>(stream, n, outputs(out), functor, in...);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace device {
using device_detail::transform;
}  // namespace device
#endif
}  // namespace tileops

#endif

#endif
