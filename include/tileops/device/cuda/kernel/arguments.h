// SPDX-License-Identifier: Apache-2.0
// The argument block of a kernel: one struct of 64-bit words, the same for host and device. The host
// prepares it at plan time and fills in addresses and flags at execute time.
#ifndef TILEOPS_DEVICE_CUDA_KERNEL_ARGUMENTS_H
#define TILEOPS_DEVICE_CUDA_KERNEL_ARGUMENTS_H

#include "../../body.h"

namespace tileops {
namespace kernels {

using device_detail::AttrValue;
using device_detail::i32;
using device_detail::i64;
using device_detail::u32;
using device_detail::u64;

// Division by an extent of the plan: q = (umulhi(n, magic) + n) >> shift, for n < 2^31 with 32-bit
// words or n < 2^63 with 64-bit ones.
struct divisor {
  u64 magic;
  u64 shift;
  u64 extent;
};

// Bits of `flags`.
constexpr u64 kInterleaved = 1;  // no vector access: neighbouring threads take neighbouring elements

// Views are the loads of a body's operands, then the stores, then the loads of ids. address[v] is where
// element 0 of the view lies; of an index view its value there; of a fixed operand whose bit in
// `immediate` is set the element itself. A bit in `unaligned` forbids vector access to a view.
template <int Views, int Dims, int Attrs>
struct arguments {
  u64 count;  // elements of the space, or vectors where rows are cut into vectors
  u64 flags;
  u64 immediate;
  u64 unaligned;
  u64 table;  // address of the table of all results, where a kernel uses one
  u64 address[Views];
  divisor divide[Dims ? Dims : 1];               // outermost first
  i64 stride[Views][Dims ? Dims : 1];            // bytes; of index views units
  i64 index_stride[Views], index_extent[Views];  // of gathered loads
  AttrValue attr[Attrs ? Attrs : 1];
};

}  // namespace kernels
}  // namespace tileops

#endif
