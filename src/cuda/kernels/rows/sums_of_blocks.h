// What is added up over the blocks of a pass of rows, such as the gradient of a weight: a thread takes a chunk of
// blocks one after the other, and keeps the sums of its own elements. R is an accumulator of all such sums (written by
// src/cuda/spec/rows/stages.cc), whose states lie in the workspace as View::SumOfBlocks says: put(a, p, chunk, e, s)
// and get(a, p, chunk, e, &s).
#ifndef TILEOPS_KERNELS_ROWS_SUMS_OF_BLOCKS_H
#define TILEOPS_KERNELS_ROWS_SUMS_OF_BLOCKS_H

#include "cuda/kernels/rows/place.h"

namespace tileops {
namespace kernels {

constexpr u32 kBlocksOfChunk = 32;

// Where the state of element e of a pack lies; from chunk to chunk it is the step along the last of the dimensions that
// number blocks.
template <class S, class Spec, class Arguments>
TILEOPS_DEVICE S* sum_in_memory(const Arguments& a, const row_pack<Spec>& p, u64 chunk, int e, int view) {
  const i64 offset = static_cast<i64>(chunk) * a.stride[view][Spec::outer - 1] +
                     offset_in_row<row_pack<Spec>::block_dims>(a, p, view) + e * a.stride[view][Spec::dims - 1];
  return reinterpret_cast<S*>(const_cast<char*>(bytes_at(a.address[view])) + offset);
}
template <class S, class Spec, class Arguments>
TILEOPS_DEVICE void put_sum(const Arguments& a, const row_pack<Spec>& p, u64 chunk, int e, int view, const S& s) {
  *sum_in_memory<S>(a, p, chunk, e, view) = s;
}
template <class S, class Spec, class Arguments>
TILEOPS_DEVICE void get_sum(const Arguments& a, const row_pack<Spec>& p, u64 chunk, int e, int view, S* s) {
  *s = *sum_in_memory<S>(a, p, chunk, e, view);
}

template <class Spec, class R>
struct sums_of_blocks {
  typename R::state of[Spec::packs][Spec::vec];

  TILEOPS_DEVICE_MEMBER void begin() {
#pragma unroll
    for (int j = 0; j < Spec::packs; ++j)
#pragma unroll
      for (int e = 0; e < Spec::vec; ++e) of[j][e] = R::identity();
  }
  TILEOPS_DEVICE_MEMBER void add(int j, const typename R::values& x) {
#pragma unroll
    for (int e = 0; e < Spec::vec; ++e) of[j][e] = R::merge(of[j][e], R::of(x, e, 0));
  }
  template <class Arguments>
  TILEOPS_DEVICE_MEMBER void put(const Arguments& a, const row_pack<Spec>& p, u64 chunk, int j) {
#pragma unroll
    for (int e = 0; e < Spec::vec; ++e)
      if (Spec::no_padding || static_cast<u32>(e) < p.left) R::put(a, p, chunk, e, of[j][e]);
  }
};

// The same where no thread has all of its elements at a time: in memory.
template <class Spec, class R, class Arguments>
TILEOPS_DEVICE void add_in_memory(const Arguments& a, const row_pack<Spec>& p, u64 chunk, bool first,
                                  const typename R::values& x) {
#pragma unroll
  for (int e = 0; e < Spec::vec; ++e) {
    if (static_cast<u32>(e) >= p.left) continue;
    typename R::state s = R::identity();
    if (!first) R::get(a, p, chunk, e, &s);
    R::put(a, p, chunk, e, R::merge(s, R::of(x, e, 0)));
  }
}

}  // namespace kernels
}  // namespace tileops

#endif
