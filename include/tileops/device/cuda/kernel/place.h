// SPDX-License-Identifier: Apache-2.0
// Where a thread's elements lie: positions in the space, coordinates, byte offsets of views.
#ifndef TILEOPS_DEVICE_CUDA_KERNEL_PLACE_H
#define TILEOPS_DEVICE_CUDA_KERNEL_PLACE_H

#include "arguments.h"
#include "traversal.h"
#include "vector.h"

namespace tileops {
namespace kernels {

template <bool Wide>
struct index_of {
  using type = u32;
  using offset = i32;
};
template <>
struct index_of<true> {
  using type = u64;
  using offset = i64;
};

TILEOPS_DEVICE u32 quotient(u32 n, const divisor& d) {
  return (__umulhi(n, static_cast<u32>(d.magic)) + n) >> static_cast<u32>(d.shift);
}
TILEOPS_DEVICE u64 quotient(u64 n, const divisor& d) {
  return (__umul64hi(n, d.magic) + n) >> static_cast<u32>(d.shift);
}

template <int Dims, bool Wide>
struct coordinates {
  using index = typename index_of<Wide>::type;
  index at[Dims];
};

// Position to coordinates: divmods from the innermost dimension outwards, none for the outermost.
template <int Dims, bool Wide, class Arguments>
TILEOPS_DEVICE coordinates<Dims, Wide> coordinates_of(const Arguments& a, u64 position) {
  using index = typename index_of<Wide>::type;
  coordinates<Dims, Wide> c;
  index rest = static_cast<index>(position);
#pragma unroll
  for (int d = Dims - 1; d > 0; --d) {
    const index q = quotient(rest, a.divide[d]);
    c.at[d] = rest - q * static_cast<index>(a.divide[d].extent);
    rest = q;
  }
  c.at[0] = rest;
  return c;
}

// Bytes from a view's origin; of index views the value added to it.
template <int Dims, bool Wide, class Arguments>
TILEOPS_DEVICE i64 offset_of(const Arguments& a, const coordinates<Dims, Wide>& c, int view) {
  using offset = typename index_of<Wide>::offset;
  offset sum = 0;
#pragma unroll
  for (int d = 0; d < Dims; ++d) sum += static_cast<offset>(c.at[d]) * static_cast<offset>(a.stride[view][d]);
  return sum;
}

// The positions of one pack: element e lies at first + e * step and exists if that is less than `left` from the first.
struct span {
  u64 first;
  u32 step, left;
  TILEOPS_DEVICE_MEMBER bool has(int e) const { return e * step < left; }
  // How far element e is from the first, but no farther than the last one that exists: reading that one instead of a
  // missing one needs no branch.
  TILEOPS_DEVICE_MEMBER u32 distance(int e) const { return ::min(e * step, ::max(left, 1u) - 1u); }
};

// Number of a block's first pack of `unit`. Of 0 units there are as many as it takes, over the whole grid.
template <int Units>
TILEOPS_DEVICE u64 first_pack(u32 block, int unit) {
  if constexpr (Units == 0) return (static_cast<u64>(unit) * gridDim.x + block) * blockDim.x;
  else return static_cast<u64>(block) * (blockDim.x * Units) + blockDim.x * unit;
}

// More than a pack's last element may be from its first.
constexpr u32 kBeyondPacks = 1 << 20;

// Pack `unit` of this thread. Whole packs one after the other, or, interleaved, a pack that is
// spread over the block so that neighbouring threads take neighbouring elements. A pack without elements begins at
// element 0.
template <int Vector, int Units, class Arguments>
TILEOPS_DEVICE span span_of(const Arguments& a, bool interleaved, int unit) {
  const u64 block = first_pack<Units>(a.block_number(), unit);
  span s;
  s.first = interleaved ? block * Vector + threadIdx.x : (block + threadIdx.x) * Vector;
  s.step = interleaved ? blockDim.x : 1;
  const u64 left = s.first < a.count ? a.count - s.first : 0;
  s.left = left < kBeyondPacks ? static_cast<u32>(left) : kBeyondPacks;
  if (left == 0) s.first = 0;
  return s;
}

}  // namespace kernels
}  // namespace tileops

#endif
