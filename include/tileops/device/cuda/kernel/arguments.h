// SPDX-License-Identifier: Apache-2.0
// The argument block of a kernel: one struct of 64-bit words, the same for host and device. The host
// prepares it at plan time and fills in addresses and flags at execute time.
#ifndef TILEOPS_DEVICE_CUDA_KERNEL_ARGUMENTS_H
#define TILEOPS_DEVICE_CUDA_KERNEL_ARGUMENTS_H

#include "../common/operands.h"

namespace tileops {
namespace kernels {

// Division by an extent of the plan: q = (umulhi(n, magic) + n) >> shift, for n < 2^31 with 32-bit
// words or n < 2^63 with 64-bit ones.
struct divisor {
  u64 magic;
  u64 shift;
  u64 extent;
};

// Bits of `flags`.
constexpr u64 kInterleaved = 1;  // no vector access: neighbouring threads take neighbouring elements

// Strides of views, without those that are not used, and perhaps equal ones once.
template <class Slots, int Count, int Dims>
struct strides_in_slots {
  i64 slot[Count ? Count : 1][Dims];
  TILEOPS_DEVICE_MEMBER const i64 (&operator[](int view) const)[Dims] { return slot[slot_of(Slots{}, view)]; }

 private:
  template <int... S>
  TILEOPS_DEVICE_MEMBER static constexpr int slot_of(seq<S...>, [[maybe_unused]] int view) {
    [[maybe_unused]] int at = 0;
    int slot = 0;
    ((slot = at++ == view ? S : slot), ...);
    return slot;
  }
};

// The number of a thread block among those that have these arguments: all of the grid or, in a kernel that a list of
// items shares, those of the block's item (src/cuda/kernels/core/list.h).
template <bool OfList>
struct block_numbers {
  TILEOPS_DEVICE_MEMBER static u32 block_number() { return blockIdx.x; }
};
template <>
struct block_numbers<true> {
  u64 first_block;
  TILEOPS_DEVICE_MEMBER u32 block_number() const { return blockIdx.x - static_cast<u32>(first_block); }
};

// A Spec of a list says which words of the arguments are an item's own: using own_words = seq<0, 3, 5>.
template <class>
using void_of = void;
template <class Spec, class = void>
inline constexpr bool is_of_list_v = false;
template <class Spec>
inline constexpr bool is_of_list_v<Spec, void_of<typename Spec::own_words>> = true;

// Views are the loads of operands, then the stores, then the loads of ids. address[v] is where element 0 of the view
// lies; of an index view its value there; of a fixed operand whose bit in `immediate` is set the element itself. A bit
// in `unaligned` forbids vector access to a view. A Spec says how many views, dims and attrs there are, and
//
//   using stride_slots = seq<0, -1, 1>;  // by view: which of the strides are its own; -1: it needs none
//   static constexpr int num_strides;    // how many of these there are
template <class Spec>
struct arguments_of : block_numbers<is_of_list_v<Spec>> {
  u64 count;  // elements of the space, or vectors where rows are cut into vectors
  u64 flags;
  u64 immediate;
  u64 unaligned;
  u64 table;  // address of the table of all results, where a kernel uses one
  u64 address[Spec::views];
  divisor divide[Spec::dims];                                                           // outermost first
  strides_in_slots<typename Spec::stride_slots, Spec::num_strides, Spec::dims> stride;  // bytes; of index views units
  // Those of all steps, what is prepared of them, and of each index its stride and its extent.
  AttrValue attr[Spec::attrs ? Spec::attrs : 1];
};

}  // namespace kernels
}  // namespace tileops

#endif
