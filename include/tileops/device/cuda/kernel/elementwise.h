// SPDX-License-Identifier: Apache-2.0
// The kernel of elementwise operators, the library's and those of ../../transform.h. A Spec says what it is an instance
// of: src/cuda/kernels/elementwise.h.
#ifndef TILEOPS_DEVICE_CUDA_KERNEL_ELEMENTWISE_H
#define TILEOPS_DEVICE_CUDA_KERNEL_ELEMENTWISE_H

#include "fetch.h"

namespace tileops {
namespace kernels {

template <class Spec>
using arguments_of = arguments<Spec::views, Spec::dims, Spec::attrs>;

// Transfers is what a thread reads and writes: of an operator text (src/cuda/spec/transfers.cc). `read` loads packs
// that are whole and aligned, `read_any` others, all elements of a pack at once, since a whole operand may be
// misaligned. `run` computes and stores either.
template <class Spec, class Transfers>
struct elementwise {
  static constexpr int units = Spec::vecs_per_thread;

  template <class Arguments>
  TILEOPS_DEVICE bool is_straight(const Arguments& a, const pack_place<Spec>& p) {
    if constexpr (Spec::pieces == 0) return true;
    else if constexpr (in_rows_v<Spec>) return p.whole & !(a.unaligned & Spec::pieces);
    else return p.whole;
  }

  template <class Arguments>  // arguments_of<Spec>, or what has more
  TILEOPS_DEVICE void run(const Arguments& a) {
    static_assert(units > 0 && Spec::rows_per_thread * Spec::cooperating_threads <= 1, "another template's");
    wait_for_previous_kernel();
    pack_place<Spec> p[units];
    typename Transfers::pack memory[units];
    bool straight = true;
#pragma unroll
    for (int u = 0; u < units; ++u) {
      p[u] = place_pack<Spec>(a, u);
      straight &= is_straight(a, p[u]);
    }
    if (straight) {
#pragma unroll
      for (int u = 0; u < units; ++u) memory[u].read(a, p[u]);
    } else {
#pragma unroll
      for (int u = 0; u < units; ++u) memory[u].read_any(a, p[u]);
    }
#pragma unroll
    for (int u = 0; u < units; ++u) memory[u].run(a, p[u]);
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
