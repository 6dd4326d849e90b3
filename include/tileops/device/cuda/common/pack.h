// SPDX-License-Identifier: Apache-2.0
// Packs of elements in registers, and how they get there: one access of up to 16 bytes, or several.
#ifndef TILEOPS_DEVICE_CUDA_COMMON_PACK_H
#define TILEOPS_DEVICE_CUDA_COMMON_PACK_H

#include "../../element.h"

#define TILEOPS_DEVICE static __device__ __forceinline__
#define TILEOPS_DEVICE_MEMBER __device__ __forceinline__

namespace tileops {
namespace kernels {

using namespace device_detail;

template <bool C, class A, class B>
struct choose {
  using type = A;
};
template <class A, class B>
struct choose<false, A, B> {
  using type = B;
};

struct alignas(8) two_words {
  u32 x, y;
};
struct alignas(16) four_words {
  u32 x, y, z, w;
};

// What one instruction moves.
template <int Bytes>
struct chunk_of;
template <>
struct chunk_of<1> {
  using type = u8;
};
template <>
struct chunk_of<2> {
  using type = u16;
};
template <>
struct chunk_of<4> {
  using type = u32;
};
template <>
struct chunk_of<8> {
  using type = two_words;
};
template <>
struct chunk_of<16> {
  using type = four_words;
};
template <int Bytes>
using chunk = typename chunk_of<Bytes>::type;

// Bits of an element in memory, and elements that are written together, since they share a byte.
template <class S>
inline constexpr int bits_v = is_packed_v<S> ? 4 : 8 * sizeof(S);
template <class S>
inline constexpr int together_v = is_packed_v<S> ? 2 : 1;

// The largest power of two that divides a number of bytes, 16 at most.
TILEOPS_FN constexpr int access_of(int bytes) {
  int each = 16;
  while (bytes % each != 0) each /= 2;
  return each;
}

// A pack as it lies in memory, in 32-bit words where it has one: what is read either at once or
// element by element stays in whole registers, and is taken apart in one place. Of a last word that memory does not
// have all of, the rest is 0.
template <class S, int N>
struct raw_pack {
  static constexpr int bits = bits_v<S>, bytes = (bits * N + 7) / 8;
  static constexpr int each = access_of(bytes), count = bytes / each;
  static constexpr bool in_words = bytes >= 4 && sizeof(S) <= 4;
  using word = typename choose<in_words, u32, chunk<sizeof(S)>>::type;
  static constexpr int per_word = in_words || is_packed_v<S> ? 8 * sizeof(word) / bits : 1;
  static constexpr int words = (N + per_word - 1) / per_word;
  static constexpr u32 mask = bits < 32 ? (1u << bits % 32) - 1u : ~0u;
  word w[words] = {};

  // Sets an element of a pack that is zero so far.
  TILEOPS_DEVICE_MEMBER void set(int e, chunk<sizeof(S)> x) {
    if constexpr (per_word > 1)
      w[e / per_word] = static_cast<word>(w[e / per_word] | static_cast<u32>(x) << (bits * (e % per_word)));
    else w[e] = x;
  }
  TILEOPS_DEVICE_MEMBER void replace(int e, chunk<sizeof(S)> x) {
    if constexpr (per_word > 1)
      w[e / per_word] = static_cast<word>(w[e / per_word] & ~(mask << (bits * (e % per_word))));
    set(e, x);
  }
  TILEOPS_DEVICE_MEMBER chunk<sizeof(S)> get(int e) const {
    if constexpr (per_word > 1) return static_cast<chunk<sizeof(S)>>(w[e / per_word] >> (bits * (e % per_word)) & mask);
    else return w[e];
  }
  // Element 1 becomes element 0, and so on.
  TILEOPS_DEVICE_MEMBER void drop() {
#pragma unroll
    for (int i = 0; i < words; ++i) {
      const word next = w[i + 1 < words ? i + 1 : i];
      if constexpr (in_words && per_word > 1) w[i] = __funnelshift_r(w[i], next, bits);
      else if constexpr (per_word > 1) w[i] = static_cast<word>(w[i] >> bits | next << (8 * sizeof(word) - bits));
      else w[i] = next;
    }
  }
};

// M elements as those of a larger pack from First on.
template <int First, class S, int M, int N>
TILEOPS_DEVICE void place_part(const raw_pack<S, M>& part, raw_pack<S, N>* whole) {
  using W = raw_pack<S, N>;
  if constexpr (raw_pack<S, M>::in_words == W::in_words && M % W::per_word == 0) {
#pragma unroll
    for (int i = 0; i < raw_pack<S, M>::words; ++i) whole->w[First * W::words / N + i] = part.w[i];
  } else {
#pragma unroll
    for (int i = 0; i < M; ++i) whole->set(First + i, part.get(i));
  }
}

template <class S, int N>
struct chunks {
  chunk<raw_pack<S, N>::each> c[raw_pack<S, N>::count];
};

template <class S, int N>
TILEOPS_DEVICE raw_pack<S, N> load_raw(const void* p) {
  using R = raw_pack<S, N>;
  const auto* from = static_cast<const chunk<R::each>*>(p);
  if constexpr (sizeof(R) != R::bytes) {
    R x;
#pragma unroll
    for (int i = 0; i < R::count; ++i) x.w[i * R::each / 4] |= static_cast<u32>(from[i]) << 8 * (i * R::each % 4);
    return x;
  } else if constexpr (R::count == 1) {
    return __builtin_bit_cast(R, *from);
  } else {
    chunks<S, N> c;
#pragma unroll
    for (int i = 0; i < R::count; ++i) c.c[i] = from[i];
    return __builtin_bit_cast(R, c);
  }
}

template <class S, int N>
TILEOPS_DEVICE void store_vector(void* p, const raw_pack<S, N>& x) {
  using R = raw_pack<S, N>;
  auto* to = static_cast<chunk<R::each>*>(p);
  if constexpr (sizeof(R) != R::bytes) {
#pragma unroll
    for (int i = 0; i < R::count; ++i)
      to[i] = static_cast<chunk<R::each>>(x.w[i * R::each / 4] >> 8 * (i * R::each % 4));
  } else if constexpr (R::count == 1) {
    *to = __builtin_bit_cast(chunk<R::each>, x);
  } else {
    const auto c = __builtin_bit_cast(chunks<S, N>, x);
#pragma unroll
    for (int i = 0; i < R::count; ++i) to[i] = c.c[i];
  }
}

template <class S>
TILEOPS_DEVICE S load_one(const void* p) {
  return __builtin_bit_cast(S, *static_cast<const chunk<sizeof(S)>*>(p));
}
template <class S>
TILEOPS_DEVICE void store_one(void* p, S x) {
  *static_cast<chunk<sizeof(S)>*>(p) = __builtin_bit_cast(chunk<sizeof(S)>, x);
}

}  // namespace kernels
}  // namespace tileops

#endif
