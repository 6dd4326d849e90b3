// 8-bit operators of one operand by a table of all results. Every bank of shared memory has a copy
// of its own, so that a warp's lookups never meet: 64 words in each of 32 banks, 8 KiB.
#ifndef TILEOPS_KERNELS_LOOKUP_H
#define TILEOPS_KERNELS_LOOKUP_H

#include "tileops/device/cuda/kernel/place.h"

namespace tileops {
namespace kernels {

// PRMT with selectors that __byte_perm does not pass on: 8 + k gives the sign of byte k, eight times.
template <u32 selector>
TILEOPS_DEVICE u32 permuted(u32 a, u32 b) {
  u32 y;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(y) : "r"(a), "r"(b), "n"(selector));
  return y;
}

template <int units>
struct lookup {
  static constexpr int N = 16;  // 16 bytes an access
  // Rows of 256 bytes, of which the first half is used: so the place of code c, row c & 63 and byte
  // c >> 6 of the lane's word, is two bytes next to each other, and one PRMT makes it.
  static constexpr int row_words = 64;

  template <class Arguments>
  TILEOPS_DEVICE raw_pack<u8, N> read(const Arguments& a, const char* from, u64 number, bool whole, int unit) {
    raw_pack<u8, N> x;
    if (whole) return load_raw<u8, N>(from + number * N);
    const span s = span_of<N, units>(a, (a.flags & kInterleaved) != 0, unit);
#pragma unroll
    for (int e = 0; e < N; ++e)
      if (s.has(e)) x.set(e, load_one<u8>(from + s.first + static_cast<u64>(e) * s.step));
    return x;
  }

  template <class Arguments>
  TILEOPS_DEVICE void write(const Arguments& a, char* to, u64 number, bool whole, int unit, const raw_pack<u8, N>& y) {
    if (whole) return store_vector<u8, N>(to + number * N, y);
    const span s = span_of<N, units>(a, (a.flags & kInterleaved) != 0, unit);
#pragma unroll
    for (int e = 0; e < N; ++e)
      if (s.has(e)) store_one<u8>(to + s.first + static_cast<u64>(e) * s.step, y.get(e));
  }

  template <class Arguments>
  TILEOPS_DEVICE void run(const Arguments& a) {
    __shared__ __align__(16) u32 words[64 * row_words];
    const char* from = reinterpret_cast<const char*>(a.address[0]);
    char* to = reinterpret_cast<char*>(a.address[1]);
    const bool straight = (static_cast<u32>(a.flags) & static_cast<u32>(kInterleaved)) == 0;
    wait_for_previous_kernel();
    u64 number[units];
    bool whole[units];
    raw_pack<u8, N> x[units];
#pragma unroll
    for (int u = 0; u < units; ++u) {
      number[u] = static_cast<u64>(blockIdx.x) * (blockDim.x * units) + (blockDim.x * u + threadIdx.x);
      whole[u] = straight & (number[u] < a.count / N);
      x[u] = read(a, from, number[u], whole[u], u);
    }
    const u8* table = reinterpret_cast<const u8*>(a.table);
    for (u32 i = threadIdx.x; i < 64u * 8u; i += blockDim.x) {
      const u32 row = i >> 3;
      const u32 w = table[row] | table[row + 64] << 8 | table[row + 128] << 16 |
                    static_cast<u32>(table[row + 192]) << 24;
      reinterpret_cast<uint4*>(words)[row * (row_words / 4) + (i & 7u)] = uint4{w, w, w, w};
    }
    __syncthreads();
    const char* base = reinterpret_cast<const char*>(words);
    const u32 lanes = (threadIdx.x & 31u) * 0x04040404u;
#pragma unroll
    for (int u = 0; u < units; ++u) {
      raw_pack<u8, N> y;
#pragma unroll
      for (int i = 0; i < N / 4; ++i) {
        const u32 high = x[u].w[i] & 0x3f3f3f3fu, low = ((x[u].w[i] >> 6) & 0x03030303u) | lanes;
        // The upper half is the sign of a byte that has none.
        const u32 e0 = static_cast<u8>(base[permuted<0x8840>(low, high)]);
        const u32 e1 = static_cast<u8>(base[permuted<0x9951>(low, high)]);
        const u32 e2 = static_cast<u8>(base[permuted<0xaa62>(low, high)]);
        const u32 e3 = static_cast<u8>(base[permuted<0xbb73>(low, high)]);
        y.w[i] = __byte_perm(__byte_perm(e0, e1, 0x0040), __byte_perm(e2, e3, 0x0040), 0x5410);
      }
      write(a, to, number[u], whole[u], u, y);
    }
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
