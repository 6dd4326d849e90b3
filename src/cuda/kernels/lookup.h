// 8-bit operators of one operand by a table of all results. Every bank of shared memory has a copy
// of its own, so that a warp's lookups never meet: 64 words in each of 32 banks, 8 KiB.
#ifndef TILEOPS_KERNELS_LOOKUP_H
#define TILEOPS_KERNELS_LOOKUP_H

#include "cuda/kernels/arguments.h"
#include "cuda/kernels/place.h"

namespace tileops {
namespace kernels {

template <int units>
struct lookup {
  static constexpr int N = 16;  // 16 bytes an access

  template <class Arguments>
  TILEOPS_DEVICE void run(const Arguments& a) {
    __shared__ u32 words[64 * 32];
    const u32 lane = threadIdx.x & 31u;
    const bool interleaved = (a.flags & kInterleaved) != 0;
    const char* from = reinterpret_cast<const char*>(a.address[0]);
    char* to = reinterpret_cast<char*>(a.address[1]);
    wait_for_previous_kernel();
    span s[units];
    raw_pack<u8, N> x[units];
#pragma unroll
    for (int u = 0; u < units; ++u) {
      s[u] = span_of<N, units>(a.count, interleaved, u);
      if (!interleaved && s[u].count == N) {
        x[u] = load_raw<u8, N>(from + s[u].first);
      } else {
#pragma unroll
        for (int e = 0; e < N; ++e)
          if (e < s[u].count) x[u].set(e, load_one<u8>(from + s[u].first + static_cast<u64>(e) * s[u].step));
      }
    }
    const u32* table = reinterpret_cast<const u32*>(a.table);
    for (u32 w = threadIdx.x >> 5; w < 64u; w += blockDim.x >> 5) words[w * 32u + lane] = table[w];
    __syncthreads();
    const char* mine = reinterpret_cast<const char*>(words) + lane * 4u;
#pragma unroll
    for (int u = 0; u < units; ++u) {
      pack<u8, N> y;
#pragma unroll
      for (int e = 0; e < N; ++e) {
        // Byte k of word w is element 4w + k: its place is word * 128 + byte, found in three steps.
        const u32 w = x[u].w[e / 4], k = 8u * (e % 4);
        const u32 row = (k >= 5u ? w >> (k - 5u) : w << 5u) & 0x1f80u;
        y.e[e] = static_cast<u8>(mine[row | ((w >> k) & 3u)]);
      }
      if (!interleaved && s[u].count == N) {
        store_vector<u8, N>(to + s[u].first, y);
      } else {
#pragma unroll
        for (int e = 0; e < N; ++e)
          if (e < s[u].count) store_one<u8>(to + s[u].first + static_cast<u64>(e) * s[u].step, y.e[e]);
      }
    }
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
