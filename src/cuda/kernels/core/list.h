// Kernels that the items of a list share (tileops_execute_list). What items have in common lies in the argument block
// once; of each item there are the words that are its own, and which of the grid's thread blocks is its first. All
// that is a parameter of the kernel: nothing has to lie in device memory.
#ifndef TILEOPS_KERNELS_LIST_H
#define TILEOPS_KERNELS_LIST_H

#include "tileops/device/cuda/kernel/arguments.h"

namespace tileops {
namespace kernels {

// `Own` are words of the arguments as the host numbers them, without first_block, which lies ahead of them.
template <class Arguments, class Own, int Capacity>
struct list_arguments;
template <class Arguments, int... Own, int Capacity>
struct list_arguments<Arguments, seq<Own...>, Capacity> {
  Arguments common;
  u64 count;                               // of items; none is without a block
  u64 item[Capacity][1 + sizeof...(Own)];  // its first block, and its own words
};

// The item of this thread block: the last one that begins at it or before.
template <class List>
TILEOPS_DEVICE u32 item_of_block(const List& list) {
  u32 item = 0, behind = static_cast<u32>(list.count);
  while (behind - item > 1u) {
    const u32 middle = (item + behind) / 2u;
    if (static_cast<u32>(list.item[middle][0]) <= blockIdx.x) item = middle;
    else behind = middle;
  }
  return item;
}

// The arguments of this thread block.
template <class Arguments, int... Own, int Capacity>
TILEOPS_DEVICE Arguments arguments_of_block(const list_arguments<Arguments, seq<Own...>, Capacity>& list) {
  const u64(&item)[1 + sizeof...(Own)] = list.item[item_of_block(list)];
  Arguments a = list.common;
  a.first_block = item[0];
  [[maybe_unused]] int at = 0;
  (memcpy(reinterpret_cast<char*>(&a) + sizeof(u64) * (1 + Own), &item[++at], sizeof(u64)), ...);
  // An item with an operand that is not aligned has neighbouring threads take neighbouring elements.
  if (a.unaligned & ~list.common.unaligned) a.flags |= kInterleaved;
  return a;
}

}  // namespace kernels
}  // namespace tileops

#endif
