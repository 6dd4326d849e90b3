// SPDX-License-Identifier: Apache-2.0
// Packs of elements in memory: where they lie, and what a kernel waits for before it reads them.
#ifndef TILEOPS_DEVICE_CUDA_KERNEL_VECTOR_H
#define TILEOPS_DEVICE_CUDA_KERNEL_VECTOR_H

#include "../common/pack.h"

namespace tileops {
namespace kernels {

// Places of elements are addresses or, of elements that share bytes, addresses in half bytes

struct half_bytes {
  u64 at;
};
TILEOPS_DEVICE half_bytes operator+(half_bytes p, i64 offset) { return {p.at + static_cast<u64>(offset)}; }

// Where a view of S begins, of which this is the word in the argument block.
template <class S>
TILEOPS_DEVICE auto place_of(u64 word) {
  if constexpr (is_packed_v<S>) return half_bytes{word};
  else return reinterpret_cast<char*>(word);
}

template <class S>
TILEOPS_DEVICE chunk<sizeof(S)> load_code(const void* p) {
  return load_one<chunk<sizeof(S)>>(p);
}
template <class S>
TILEOPS_DEVICE u8 load_code(half_bytes p) {
  return static_cast<u8>(*reinterpret_cast<const u8*>(p.at >> 1) >> (4u * static_cast<u32>(p.at & 1u)) & 15u);
}
template <class S, class P>
TILEOPS_DEVICE S load_element(P p) {
  return __builtin_bit_cast(S, load_code<S>(p));
}
// Writes element e of a pack, and those that are written with it.
template <class S, int N>
TILEOPS_DEVICE void store_element(void* p, const raw_pack<S, N>& y, int e) {
  store_one<chunk<sizeof(S)>>(p, y.get(e));
}
template <class S, int N>
TILEOPS_DEVICE void store_element(half_bytes p, const raw_pack<S, N>& y, int e) {
  static_assert(N % 2 == 0, "two elements share a byte");
  *reinterpret_cast<u8*>(p.at >> 1) = static_cast<u8>(y.get(e) | y.get(e + 1) << 4);
}

// A pack that lies in one piece.
template <class S, int N>
TILEOPS_DEVICE raw_pack<S, N> load_raw(half_bytes p) {
  return load_raw<S, N>(reinterpret_cast<const void*>(p.at >> 1));
}
template <class S, int N>
TILEOPS_DEVICE void store_vector(half_bytes p, const raw_pack<S, N>& x) {
  store_vector<S, N>(reinterpret_cast<void*>(p.at >> 1), x);
}
template <class S, int N>
TILEOPS_DEVICE bool is_aligned_pack(const void* p) {
  return (reinterpret_cast<u64>(p) & (raw_pack<S, N>::each - 1)) == 0;
}
template <class S, int N>
TILEOPS_DEVICE bool is_aligned_pack(half_bytes p) {
  return (p.at & (2 * raw_pack<S, N>::each - 1)) == 0;
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
