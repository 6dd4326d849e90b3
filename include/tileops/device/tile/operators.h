// SPDX-License-Identifier: Apache-2.0
// The library's operators over tiles, in CUDA code: apply of cuda.h on each thread's elements.
//
//   apply<op::gelu, bounded>(x);                // in place
//   apply<op::add, bit_exact>(x, bias, x);      // of several operands the last argument is the result
//   apply<op::leaky_relu, bit_exact>(x, 0.01);  // attributes are numbers behind the operands
//
// Operands are tiles and row and column vectors, of one layout. No thread waits for another.
#ifndef TILEOPS_DEVICE_TILE_OPERATORS_H
#define TILEOPS_DEVICE_TILE_OPERATORS_H

#include "../cuda.h"
#include "apply.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace tiles {

template <template <class, class> class Op, class Policy>
struct operator_on_arrays {
  template <class... X>
  __device__ __forceinline__ void operator()(X&&... x) const {
    device::apply<Op, Policy>(x...);
  }
};

}  // namespace tiles

template <template <class, class> class Op, class Policy, class... X, class = tiles::if_any_is_tile<X...>>
static __device__ __forceinline__ void apply(X&&... x) {
  apply_bundle(tiles::operator_on_arrays<Op, Policy>{}, x...);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif
