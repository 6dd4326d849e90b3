// SPDX-License-Identifier: Apache-2.0
// The kernel that goes through a space element by element: N loads, what is computed in registers, M stores. The
// library's operators and expressions are such kernels, and those of ../../transform.h. A Spec says what it is an
// instance of:
//
//   struct spec {
//     using stride_slots = seq<-1, 0, 0>;     // as arguments_of has it,
//     static constexpr int views, dims, num_strides, attrs;
//     using kept_bits = void;                 // operands of this type are raw bits
//     static constexpr traversal_order order = traversal_order::flat;
//     static constexpr ragged how_ragged = ragged::read_together;
//     static constexpr int vec;               // elements of a pack
//     static constexpr int vecs_per_thread;   // packs of a thread
//     static constexpr int threads;           // most of a block
//     static constexpr int rows_per_thread, rows_dim, cooperating_threads;  // 1, 0, 1: see strategies/shared_stage.h
//     static constexpr bool index64;          // 64-bit coordinates
//     static constexpr bool interleaved;      // neighbouring threads take neighbouring elements, always
//     static constexpr u64 pieces;            // bits of the views of which a pack in rows must be aligned
//   };
//
// Transfers is what a thread reads, computes and writes; of the library's kernels text, which names each operand and
// result (src/cuda/spec/transfers.cc). Its `pack` has read(), of a pack that is all there and aligned or, always
// interleaved, any, and run(), which takes it through the steps to memory. Of packs that are not straight it has
// read_any(), of those that are kept run_any() as well; else there is run_one(), of an element.
#ifndef TILEOPS_DEVICE_CUDA_KERNEL_ELEMENTWISE_H
#define TILEOPS_DEVICE_CUDA_KERNEL_ELEMENTWISE_H

#include "one_by_one.h"

namespace tileops {
namespace kernels {

template <class Spec, class Transfers>
struct elementwise {
  static constexpr int units = Spec::vecs_per_thread;
  using pack = typename Transfers::pack;
  using place = pack_place<Spec>;

  template <class Arguments>
  TILEOPS_DEVICE bool is_straight(const Arguments& a, const place& p) {
    if constexpr (Spec::interleaved || Spec::pieces == 0) return true;
    else if constexpr (in_rows_v<Spec> || keeps_packs_v<Spec>) return p.whole & !(a.unaligned & Spec::pieces);
    else return p.whole;
  }

  // Everything that a thread reads is on its way before anything is computed.
  template <class Arguments>
  TILEOPS_DEVICE void read(const Arguments& a, const place (&p)[units], pack (&memory)[units]) {
#pragma unroll
    for (int u = 0; u < units; ++u) memory[u].read(a, p[u]);
  }
  template <class Arguments>
  TILEOPS_DEVICE void run_packs(const Arguments& a, const place (&p)[units], const pack (&memory)[units]) {
#pragma unroll
    for (int u = 0; u < units; ++u) memory[u].run(a, p[u]);
  }

  // Loops, for the compiler's time.
  template <class Arguments>
  TILEOPS_DEVICE void pack_by_pack(const Arguments& a) {
#pragma unroll 1
    for (int u = 0; u < units; ++u) {
      const place p = place_pack<Spec>(a, u);
      pack memory;
      memory.read_any(a, p);
      memory.run_any(a, p);
    }
  }
  template <class Arguments>
  TILEOPS_DEVICE void one_by_one(const Arguments& a) {
    const bool interleaved = is_interleaved<Spec>(a);
#pragma unroll 1
    for (int u = 0; u < units; ++u) {
      const place p = place_pack<Spec>(a, u);
#pragma unroll 1
      for (int e = 0; e < Spec::vec; ++e) {
        element_place<Spec> at;
        if (!find_element(a, p, interleaved, e, &at)) break;
        Transfers::run_one(a, at);
      }
    }
  }

  template <class Arguments>  // arguments_of<Spec>, or what has more
  TILEOPS_DEVICE void run(const Arguments& a) {
    static_assert(units > 0 && Spec::rows_per_thread * Spec::cooperating_threads <= 1, "another template's");
    wait_for_previous_kernel();
    place p[units];
    bool straight = true;
#pragma unroll
    for (int u = 0; u < units; ++u) {
      p[u] = place_pack<Spec>(a, u);
      straight &= is_straight(a, p[u]);
    }
    if constexpr (Spec::how_ragged == ragged::read_together) {
      pack memory[units];
      if (straight) {
        read(a, p, memory);
      } else {
#pragma unroll
        for (int u = 0; u < units; ++u) memory[u].read_any(a, p[u]);
      }
      run_packs(a, p, memory);
    } else if (straight) {
      pack memory[units];
      read(a, p, memory);
      run_packs(a, p, memory);
    } else if constexpr (keeps_packs_v<Spec>) {
      pack_by_pack(a);
    } else if constexpr (!Spec::interleaved) {
      one_by_one(a);
    }
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
