// Short rows of a thread each that lie one after the other in memory. Packs that threads wrote one by one would reach
// memory in pieces of a few bytes, as far apart as rows are: so a warp gathers its rows in shared memory, and writes
// them as the one piece that they are.
#ifndef TILEOPS_KERNELS_ROWS_ROW_TILES_H
#define TILEOPS_KERNELS_ROWS_ROW_TILES_H

#include "cuda/kernels/rows/transfer.h"

namespace tileops {
namespace kernels {

// Pack `y` of a row, of the store of that view. Called by all lanes of a warp, for pack after pack: of rows that are
// not there nothing is written.
template <int View, class S, class Spec, class Arguments>
TILEOPS_DEVICE void put_pack_of_tile(const Arguments& a, const row_pack<Spec>& p, const raw_pack<S, Spec::vec>& y) {
  constexpr u32 N = Spec::vec, each = 32, widest = 16;
  __shared__ __align__(16) unsigned char tiles[Spec::threads / each][each * Spec::packs * N * sizeof(S)];
  const u32 lane = threadIdx.x % each, row_bytes = static_cast<u32>(a.length) * sizeof(S);
  unsigned char* const tile = tiles[threadIdx.x / each];
  unsigned char* const to = tile + lane * row_bytes + p.first * sizeof(S);
  if (Spec::aligned && (Spec::no_padding || p.left == N)) {
    store_vector<S, N>(to, y);
  } else {
#pragma unroll
    for (u32 e = 0; e < N; ++e)
      if (Spec::no_padding || e < p.left) store_element<S>(to + e * sizeof(S), y, static_cast<int>(e));
  }
  if (p.number + 1u != Spec::packs) return;
  __syncwarp();
  const u64 first = unit_of_thread<Spec>(a) - lane;
  const u64 rows = first >= a.count ? 0u : a.count - first < each ? a.count - first : each;
  const u32 bytes = static_cast<u32>(rows) * row_bytes;
  char* const out = const_cast<char*>(bytes_at(a.address[View])) + first * row_bytes;
  const u32 in_pieces = (a.address[View] & (widest - 1)) == 0 ? bytes / widest * widest : 0u;
  for (u32 at = lane * widest; at < in_pieces; at += each * widest)
    *reinterpret_cast<uint4*>(out + at) = *reinterpret_cast<const uint4*>(tile + at);
  for (u32 at = in_pieces + lane * sizeof(S); at < bytes; at += each * sizeof(S))
    store_one<chunk<sizeof(S)>>(out + at, load_one<chunk<sizeof(S)>>(tile + at));
}

}  // namespace kernels
}  // namespace tileops

#endif
