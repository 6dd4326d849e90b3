// 8-bit operators of two operands by a table of the results of all 65536 pairs in shared memory, for those
// that take longer to compute. As many blocks as there is room for; a block reads all its packs in turn.
#ifndef TILEOPS_KERNELS_LOOKUP_PAIRS_H
#define TILEOPS_KERNELS_LOOKUP_PAIRS_H

#include "cuda/kernels/strategies/lookup.h"
#include "cuda/kernels/strategies/lookup_halves.h"

namespace tileops {
namespace kernels {

template <int units>
struct lookup_pairs {
  static constexpr int N = 16;  // 16 bytes an access
  using codes = raw_pack<u8, N>;

  // The result of codes a and b is at a + 256 b, of which five bits that choose the bank are mixed with b's
  // lowest: numbers of similar size share their first operand's bits there.
  TILEOPS_DEVICE u32 mixed(u32 two_places) { return two_places ^ (two_places >> 6 & 0x007c007cu); }

  template <class Arguments>
  TILEOPS_DEVICE void run(const Arguments& a) {
    extern __shared__ uint4 tileops_table[];
    const char* first = bytes_at(a.address[0]);
    const char* second = bytes_at(a.address[1]);
    char* to = const_cast<char*>(bytes_at(a.address[2]));
    const u64 step = static_cast<u64>(gridDim.x) * blockDim.x;
    const u64 packs = (a.flags & kInterleaved) ? 0 : a.count / N;
    u64 at = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x;
    wait_for_previous_kernel();
    codes x[units], y[units];
    fetch_in_turn(first, at, step, packs, x);  // on their way while the table is filled
    fetch_in_turn(second, at, step, packs, y);
    u32* words = reinterpret_cast<u32*>(tileops_table);
    for (u32 w = threadIdx.x; w < 65536u / 4; w += blockDim.x)
      words[w ^ (w >> 6 & 31u)] = reinterpret_cast<const u32*>(a.table)[w];
    __syncthreads();
    const u8* results = reinterpret_cast<const u8*>(tileops_table);
    for (; at < packs; at += units * step) {
#pragma unroll
      for (int u = 0; u < units; ++u) {
        if (at + u * step >= packs) continue;
        codes z;
#pragma unroll
        for (int i = 0; i < z.words; ++i) z.w[i] = four(results, x[u].w[i], y[u].w[i]);
        store_vector<u8, N>(to + (at + u * step) * N, z);
      }
      fetch_in_turn(first, at + units * step, step, packs, x);
      fetch_in_turn(second, at + units * step, step, packs, y);
    }
    // What is left of whole packs, or everything if the addresses allow none.
    for (u64 i = packs * N + static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i < a.count; i += step)
      store_one<u8>(to + i, results[mixed(load_one<u8>(first + i) | static_cast<u32>(load_one<u8>(second + i)) << 8)]);
  }

  // Results of four pairs.
  TILEOPS_DEVICE u32 four(const u8* results, u32 a, u32 b) {
    const u32 low = mixed(permuted<0x5140>(a, b)), high = mixed(permuted<0x7362>(a, b));
    const u32 e0 = results[low & 0xffffu], e1 = results[low >> 16];
    const u32 e2 = results[high & 0xffffu], e3 = results[high >> 16];
    return permuted<0x5410>(permuted<0x0040>(e0, e1), permuted<0x0040>(e2, e3));
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
