// 16-bit operators of one operand by a table of all 65536 results in shared memory. As many blocks as there is room
// for the table (of 16-bit results one a multiprocessor); a block reads all its packs in turn.
#ifndef TILEOPS_KERNELS_LOOKUP_HALVES_H
#define TILEOPS_KERNELS_LOOKUP_HALVES_H

#include "cuda/kernels/core/fill.h"
#include "tileops/device/cuda/kernel/fetch.h"

namespace tileops {
namespace kernels {

// Packs `first`, `first + step` and so on of `packs`.
template <class S, int N, int units>
TILEOPS_DEVICE void fetch_in_turn(const char* from, u64 first, u64 step, u64 packs, raw_pack<S, N> (&x)[units]) {
#pragma unroll
  for (int u = 0; u < units; ++u) {
    const u64 at = first + u * step;
    if (at < packs) x[u] = load_raw<S, N>(from + at * (N * sizeof(S)));
  }
}

// What comes after these, while a table is on its way.
template <int Bytes>
TILEOPS_DEVICE void prefetch_in_turn(const char* from, u64 first, u64 step, u64 packs) {
  for (u32 i = 0; i < kAheadBytes / (Bytes * blockDim.x); ++i)
    if (const u64 at = first + i * step; at < packs) prefetch(from + at * Bytes);
}

// R: type of a result, u16 or u8.
template <class R, int units>
struct lookup_halves {
  static constexpr int N = 8;  // 16 bytes an access

  template <class Arguments>
  TILEOPS_DEVICE void run(const Arguments& a) {
    extern __shared__ uint4 tileops_table[];
    const char* from = bytes_at(a.address[0]);
    char* to = const_cast<char*>(bytes_at(a.address[1]));
    const u64 step = static_cast<u64>(gridDim.x) * blockDim.x;
    const u64 packs = (a.flags & kInterleaved) ? 0 : a.count / N;
    u64 first = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x;
    wait_for_previous_kernel();
    raw_pack<u16, N> x[units];
    fetch_in_turn(from, first, step, packs, x);  // on its way while the table is filled
    fill_shared(tileops_table, reinterpret_cast<const uint4*>(a.table), 65536u * sizeof(R) / 16);
    prefetch_in_turn<16>(from, first + units * step, step, packs);
    wait_for_fill();
    const R* results = reinterpret_cast<const R*>(tileops_table);
    while (first < packs) {
#pragma unroll
      for (int u = 0; u < units; ++u) {
        const u64 at = first + u * step;
        if (at >= packs) continue;
        raw_pack<R, N> y;
#pragma unroll
        for (int e = 0; e < N; ++e) y.set(e, results[x[u].w[e / 2] >> (16 * (e % 2)) & 0xffffu]);
        store_vector<R, N>(to + at * (N * sizeof(R)), y);
      }
      first += units * step;
      fetch_in_turn(from, first, step, packs, x);
    }
    // What is left of whole packs, or everything if the addresses allow none.
    for (u64 i = packs * N + static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i < a.count; i += step)
      store_one<R>(to + i * sizeof(R), results[load_one<u16>(from + 2 * i)]);
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
