// Packs of elements in registers, and how they get there: one access of up to 16 bytes, or several.
#ifndef TILEOPS_KERNELS_VECTOR_H
#define TILEOPS_KERNELS_VECTOR_H

#include "tileops/device/convert.h"

#define TILEOPS_DEVICE static __device__ __forceinline__
#define TILEOPS_DEVICE_MEMBER __device__ __forceinline__

namespace tileops {
namespace kernels {

using namespace device;

template <bool C, class A, class B>
struct choose {
  using type = A;
};
template <class A, class B>
struct choose<false, A, B> {
  using type = B;
};

template <class S, int N>
struct pack {
  S e[N];
};

// What one instruction moves.
template <int Bytes>
using chunk = typename choose<
    Bytes == 16, uint4,
    typename choose<Bytes == 8, uint2,
                    typename choose<Bytes == 4, u32, typename choose<Bytes == 2, u16, u8>::type>::
                        type>::type>::type;

template <class S, int N>
struct chunks {
  static constexpr int bytes = sizeof(S) * N;
  static constexpr int each = bytes < 16 ? bytes : 16, count = bytes / each;
  chunk<each> c[count];
};

template <class S, int N>
TILEOPS_DEVICE pack<S, N> load_vector(const void* p) {
  using C = chunks<S, N>;
  C raw;
#pragma unroll
  for (int i = 0; i < C::count; ++i)
    raw.c[i] = static_cast<const chunk<C::each>*>(p)[i];
  return __builtin_bit_cast(pack<S, N>, raw);
}

template <class S, int N>
TILEOPS_DEVICE void store_vector(void* p, const pack<S, N>& x) {
  using C = chunks<S, N>;
  const C raw = __builtin_bit_cast(C, x);
#pragma unroll
  for (int i = 0; i < C::count; ++i) static_cast<chunk<C::each>*>(p)[i] = raw.c[i];
}

template <class S>
TILEOPS_DEVICE S load_one(const void* p) {
  return __builtin_bit_cast(S, *static_cast<const chunk<sizeof(S)>*>(p));
}
template <class S>
TILEOPS_DEVICE void store_one(void* p, S x) {
  *static_cast<chunk<sizeof(S)>*>(p) = __builtin_bit_cast(chunk<sizeof(S)>, x);
}

// The element that an argument word holds in its low bytes.
template <class S>
TILEOPS_DEVICE S low_bytes(u64 word) {
  if constexpr (sizeof(S) == 8) return __builtin_bit_cast(S, word);
  else return __builtin_bit_cast(S, static_cast<chunk<sizeof(S)>>(word));
}

// In a chain of dependent kernels this one may have been started before the last one has ended
// (programmatic stream serialization): nothing global is read or written before this.
TILEOPS_DEVICE void wait_for_previous_kernel() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

}  // namespace kernels
}  // namespace tileops

#endif
