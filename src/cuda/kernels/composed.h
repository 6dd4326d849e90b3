// The kernel of an expression: N loads, steps in registers, M stores. A Spec says what elementwise.h's says of
// traversal (and, where blocks take tiles, of loads and stores, with `operands`, what each load is taken as), and
// beside that:
//
//   using rows = seq<-1, 0, 0>;           // by view: which of the argument block's strides are its own; -1: none
//   static constexpr int num_rows;        // how many of these there are
//   static constexpr int part;            // elements that go through the steps at a time, which bounds registers
//   static constexpr bool interleaved;    // neighbouring threads take neighbouring elements, always
//   static constexpr u64 pieces;          // bits of the views of which a pack in rows must be aligned
//   static constexpr bool keeps_packs;    // results share bytes: packs stay whole where they are not aligned, too
//
// Steps has run<N>(attributes, operands..., results...), see tileops/device/cuda/forms/steps.h; where operands are
// gathered or results scattered run<N>(arguments, place, operands..., results...), see core/gather.h.
#ifndef TILEOPS_KERNELS_COMPOSED_H
#define TILEOPS_KERNELS_COMPOSED_H

#include "cuda/kernels/core/gather.h"
#include "cuda/kernels/core/one_by_one.h"
#include "cuda/kernels/core/staged.h"
#include "cuda/kernels/core/strides.h"
#include "cuda/kernels/strategies/tile.h"
#include "tileops/device/cuda/forms/steps.h"

namespace tileops {
namespace kernels {

// As device/cuda/kernel/arguments.h's, but without ids.
template <class Spec>
struct composed_arguments {
  u64 count, flags, immediate, unaligned, table;
  u64 address[Spec::views];
  divisor divide[Spec::dims];
  strides_of_rows<typename Spec::rows, Spec::num_rows, Spec::dims> stride;
  AttrValue attr[Spec::attrs ? Spec::attrs : 1];
};

// Elements of a part as those of a whole pack from First on.
template <int First, class S, int M, int N>
TILEOPS_DEVICE void place_elements(const raw_pack<S, M>& part, raw_pack<S, N>* whole) {
  if constexpr (raw_pack<S, M>::in_words == raw_pack<S, N>::in_words && M % raw_pack<S, N>::per_word == 0) {
    place_part<First>(part, whole);
  } else {
#pragma unroll
    for (int i = 0; i < M; ++i) whole->set(First + i, part.get(i));
  }
}

template <class Spec, class Steps>
struct by_steps {
  using Arguments = composed_arguments<Spec>;
  using operand_types = typename Spec::operands;
  template <class Access, int K>
  using stored_as = typename Access::storage;

  template <int First = 0, int... I, int N, class... A, int... K, class... S>
  TILEOPS_DEVICE void pack_of_results(const Arguments& a, const operands_of<seq<I...>, N, A...>& x,
                                      stored_packs<seq<K...>, N, S...>* y) {
    constexpr int part = Spec::part;
    if constexpr (part == N) {
      Steps::template run<N>(a.attr, get<I>(x)..., &pack_of<K>(*y)...);
    } else {
      stored_packs<seq<K...>, part, S...> z;
      const auto of_part = part_of<First, part>(x);
      Steps::template run<part>(a.attr, get<I>(of_part)..., &pack_of<K>(z)...);
      (place_elements<First>(pack_of<K>(z), &pack_of<K>(*y)), ...);
      if constexpr (First + part < N) pack_of_results<First + part>(a, x, y);
    }
  }
};

// Transfers is text (src/cuda/spec/transfers.cc): of its operands and results it names each. `pack` reads a pack that
// is all there and aligned or, always interleaved, any; its run() takes it through the steps to memory, run_one() an
// element. Where packs are kept, read_any() and run_any() are for those that are not.
template <class Spec, class Transfers>
struct composed {
  using Arguments = composed_arguments<Spec>;
  static constexpr int N = Spec::vec, units = Spec::vecs_per_thread;

  TILEOPS_DEVICE bool is_straight(const Arguments& a, const pack_place<Spec>& p) {
    if constexpr (Spec::interleaved) return true;
    else if constexpr (in_rows_v<Spec> || keeps_packs_v<Spec>) return p.whole & !(a.unaligned & Spec::pieces);
    else return p.whole;
  }

  TILEOPS_DEVICE void run(const Arguments& a) {
    wait_for_previous_kernel();
    pack_place<Spec> p[units];
    bool straight = true;
#pragma unroll
    for (int u = 0; u < units; ++u) {
      p[u] = place_pack<Spec>(a, u);
      straight &= is_straight(a, p[u]);
    }
    if (straight) {
      typename Transfers::pack memory[units];
#pragma unroll
      for (int u = 0; u < units; ++u) memory[u].read(a, p[u]);
#pragma unroll
      for (int u = 0; u < units; ++u) memory[u].run(a, p[u]);
    } else if constexpr (keeps_packs_v<Spec>) {
#pragma unroll 1
      for (int u = 0; u < units; ++u) {
        const pack_place<Spec> place = place_pack<Spec>(a, u);
        typename Transfers::pack memory;
        memory.read_any(a, place);
        memory.run_any(a, place);
      }
    } else if constexpr (!Spec::interleaved) {
      // Loops, for the compiler's time.
      const bool interleaved = is_interleaved<Spec>(a);
#pragma unroll 1
      for (int u = 0; u < units; ++u) {
        const pack_place<Spec> place = place_pack<Spec>(a, u);
#pragma unroll 1
        for (int e = 0; e < N; ++e) {
          element_place<Spec> at;
          if (!find_element(a, place, interleaved, e, &at)) break;
          Transfers::run_one(a, at);
        }
      }
    }
  }
};

template <class Spec, class Steps>
struct composed_tiled : tiled_by<Spec, by_steps<Spec, Steps>> {};

}  // namespace kernels
}  // namespace tileops

#endif
