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

#include "../dialect.h"
#if !TILEOPS_DEVICE_CUDA && TILEOPS_DEVICE_CPLUSPLUS
#error "tileops/device/tile/operators.h is for CUDA code: compile with nvcc (a file .cu), NVRTC or clang++ -x cuda"
#endif
#if TILEOPS_DEVICE_CUDA

#include "../cuda.h"
#include "apply.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace tiles {

template <template <class, class> class Op, class Policy>
struct operator_on_arrays {
  template <class... X>
  __device__ __forceinline__ void operator()(X&&... x) const {
    device_detail::apply<Op, Policy>(x...);
  }
};

// The last of the arguments that is no number: the result.
template <class Last, class... More>
struct result_of {
  using type = Last;
};
template <class Last, class Next, class... More>
struct result_of<Last, Next, More...>
    : result_of<typename kernels::choose<argument_of<Next>::is_number, Last, Next>::type, More...> {};

template <class... X>
TILEOPS_FN constexpr bool result_is_tile() {
  using result = typename result_of<X...>::type;
  constexpr bool is_tile = is_tile_v<result>;
  static_assert(is_tile, "tileops apply: the last operand is the result and must be a tile");
  if constexpr (is_tile) {
    static_assert(is_written_v<result>, "tileops apply: the result must not be const");
    return is_written_v<result>;
  }
  return false;
}

}  // namespace tiles

template <template <class, class> class Op, class Policy, class... X, class = tiles::if_any_is_tile<X...>, class = void>
static __device__ __forceinline__ void apply(X&&... x) {
  if constexpr (tiles::result_is_tile<X...>()) apply_bundle(tiles::operator_on_arrays<Op, Policy>{}, x...);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace device {
using device_detail::apply;
}  // namespace device
}  // namespace tileops

#endif

#endif
