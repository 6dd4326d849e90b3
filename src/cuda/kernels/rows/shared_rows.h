// Rows, or columns, that lie in shared memory until all stages have read them. Each operand that is kept has slots, of
// a pack each; a thread reads the slots that it has filled itself. Copies into them are asynchronous: of the thread
// blocks of a multiprocessor some wait for their rows while others compute.
#ifndef TILEOPS_KERNELS_ROWS_SHARED_ROWS_H
#define TILEOPS_KERNELS_ROWS_SHARED_ROWS_H

#include "cuda/kernels/rows/transfer.h"

namespace tileops {
namespace kernels {

// Slots of an operand in a thread block, and the one of pack j of the thread's chunk number `turn`.
template <class Spec>
inline constexpr u32 slots_v = static_cast<u32>(Spec::staged * Spec::packs * Spec::threads);
template <class Spec>
TILEOPS_DEVICE u32 slot_of(u64 turn, int j) {
  return (static_cast<u32>(turn) * Spec::packs + static_cast<u32>(j)) * Spec::threads + threadIdx.x;
}
TILEOPS_DEVICE char* staged_memory() {
  extern __shared__ uint4 tileops_rows[];
  return reinterpret_cast<char*>(tileops_rows);
}

template <int Bytes>
TILEOPS_DEVICE void copy_async(char* to_shared, const void* from) {
#if __CUDA_ARCH__ >= 800
  const u32 to = static_cast<u32>(__cvta_generic_to_shared(to_shared));
  if constexpr (Bytes == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(Bytes) : "memory");
#endif
}
// The copies since the last call are committed as one batch.
TILEOPS_DEVICE void commit_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Waits until at most so many of the latest batches are on their way, or fewer.
TILEOPS_DEVICE void wait_for_copies_but(u32 later) {
#if __CUDA_ARCH__ >= 800
  switch (later) {
    case 0: asm volatile("cp.async.wait_group 0;" ::: "memory"); break;
    case 1: asm volatile("cp.async.wait_group 1;" ::: "memory"); break;
    case 2: asm volatile("cp.async.wait_group 2;" ::: "memory"); break;
    default: asm volatile("cp.async.wait_group 3;" ::: "memory"); break;
  }
#endif
}

// Fills a slot of an operand whose slots begin at `slots`; the next operand's begin at what is returned. A pack that is
// whole and lies in one piece is copied from where `from` says, another one is what `read` gives.
template <access_pattern How, class S, class Spec, class From, class Read>
TILEOPS_DEVICE char* stage_whole_pack(char* slots, u32 slot, bool whole, const From& from, const Read& read) {
  using R = raw_pack<S, Spec::vec>;
  constexpr bool in_one_piece = How == access_pattern::row && !is_packed_v<S> && R::each >= 4;
  char* const to = slots + slot * R::bytes;
  if (in_one_piece && whole) {
    if constexpr (in_one_piece) {
      const char* const first = from();
#pragma unroll
      for (int i = 0; i < R::count; ++i) copy_async<R::each>(to + i * R::each, first + i * R::each);
    }
  } else {
    store_vector<S, Spec::vec>(to, read());
  }
  return slots + slots_v<Spec> * R::bytes;
}
template <access_pattern How, class S, class Spec, class Arguments>
TILEOPS_DEVICE char* stage_pack(const Arguments& a, const row_pack<Spec>& p, bool straight, int view, char* slots,
                                u32 slot) {
  return stage_whole_pack<How, S, Spec>(
      slots, slot, straight && (Spec::no_padding || p.left == Spec::vec),
      [&] { return bytes_at(a.address[view]) + pack_offset<How, S>(a, p, view); },
      [&] { return read_pack_of_row<How, S>(a, p, straight, view); });
}

template <class Spec, class S, int N>
TILEOPS_DEVICE const char* read_staged_pack(const char* slots, u32 slot, raw_pack<S, N>* m) {
  constexpr u32 bytes = raw_pack<S, N>::bytes;
  *m = load_raw<S, N>(slots + slot * bytes);
  return slots + slots_v<Spec> * bytes;
}

}  // namespace kernels
}  // namespace tileops

#endif
