// Kernels that go through a space element by element. Most are of the template that users' kernels have as well,
// device/cuda/kernel/elementwise.h, which says what a Spec is. Those here are for what a single body has in store; they
// go through lists of their operands, which a Spec has for them:
//
//   using operands = types<float>;                             // what each load is taken as
//   using loads = types<access<bf16, access_pattern::dense>>;
//   using stores = types<access<bf16, access_pattern::dense>>;
//   using results = types<bf16>;                               // what each store is given as
//   static constexpr int tile_dim;                             // tile.h: side of a block's square
//   static constexpr int step_width;                           // tile.h: elements that go through the steps at a time
//   static constexpr int rows_per_thread, rows_dim;            // vectors a thread takes along a dimension
//   static constexpr int cooperating_threads;                  // compute together what is the same along it
//
// Steps is text: what is computed (src/cuda/steps), whose run<N>(arguments, operands..., results...) takes a pack
// through. A kernel's text names its template, for the compiler to read no other (src/cuda/spec/kernel.cc).
#ifndef TILEOPS_KERNELS_ELEMENTWISE_H
#define TILEOPS_KERNELS_ELEMENTWISE_H

#include "cuda/kernels/core/gather.h"
#include "cuda/kernels/core/list.h"
#include "cuda/kernels/core/operator_step.h"
#include "cuda/kernels/core/staged.h"
#include "cuda/kernels/strategies/activation_table.h"
#include "cuda/kernels/strategies/lookup.h"
#include "cuda/kernels/strategies/lookup_halves.h"
#include "cuda/kernels/strategies/lookup_pairs.h"
#include "cuda/kernels/strategies/packed.h"
#include "cuda/kernels/strategies/shared_stage.h"
#include "cuda/kernels/strategies/tile.h"
#include "tileops/device/cuda/forms/steps.h"
#include "tileops/device/cuda/kernel/elementwise.h"

namespace tileops {
namespace kernels {

// Rows that a mask leaves out are not read (problem/rows/gate.h): a thread goes on if one of its packs has others.
template <class Spec, class Transfers>
struct gated_elementwise {
  template <class Arguments>
  TILEOPS_DEVICE void run(const Arguments& a) {
    wait_for_previous_kernel();
    bool open = false;
#pragma unroll
    for (int u = 0; u < Spec::vecs_per_thread; ++u) {
      typename Transfers::pack mask;
      open |= mask.is_open(a, place_pack<Spec>(a, u));
    }
    if (open) elementwise<Spec, Transfers>::run(a);
  }
};

// What a thread reads of its operands, where a template goes through lists of these.
template <class Spec>
struct by_lists {
  template <class... A>
  using staged = staged_operands_of<Spec, make_seq<sizeof...(A)>, typename Spec::loads, A...>;
  using Staged = typename types_to<staged, typename Spec::operands>::type;
};

// Light bodies in words instead of elements, where strategies/packed_forms.h has a form of them.
template <class Spec, class Steps, class Transfers>
struct packed_elementwise {
  using Arguments = arguments_of<Spec>;
  using Body = body_of_step<Steps>;
  static constexpr int N = Spec::vec, units = Spec::vecs_per_thread, num_loads = Spec::loads::count;

  template <class A0, class... A>
  TILEOPS_DEVICE A0 first_of(types<A0, A...>) {
    return {};
  }

  template <class A0, int... I, class... L>
  TILEOPS_DEVICE void run_packed(const Arguments& a, seq<I...>, types<L...>, A0) {
    using S0 = typename A0::storage;
    using words = packed::operands<typename packed::use<Spec, Steps, types<L...>, types<A0>>::S, N, num_loads>;
    pack_place<Spec> p[units];
    typename by_lists<Spec>::Staged memory[units];
    read_packs(a, p, memory);
    if constexpr (packed::has_table_v<packed::form<Body, typename words::storage>>) packed::fill_gate_table(a.table);
#pragma unroll
    for (int u = 0; u < units; ++u) {
      const words x = {{packed::words_of(memory[u].template operand<I>())...}};
      put<A0, S0>(a, p[u], num_loads, packed::words_of_step<Body, S0, N>(seq<I...>{}, x));
    }
  }

  TILEOPS_DEVICE void run(const Arguments& a) {
    if constexpr (packed::use<Spec, Steps, typename Spec::loads, typename Spec::stores>::value) {
      wait_for_previous_kernel();
      run_packed(a, make_seq<num_loads>{}, typename Spec::loads{}, first_of(typename Spec::stores{}));
    } else {
      elementwise<Spec, Transfers>::run(a);
    }
  }
};

// Bodies of which a part is the same along a dimension: a thread takes `rows_per_thread` vectors along it. RoPE's
// sines and cosines, some 50 instructions a pair, serve as many heads, and `cooperating_threads` compute them
// together.
template <class Spec, class Steps>
struct repeated_elementwise {
  using Arguments = arguments_of<Spec>;
  using Body = body_of_step<Steps>;
  using Staged = typename by_lists<Spec>::Staged;
  static constexpr int N = Spec::vec, num_loads = Spec::loads::count;

  // What a thread reads of the operands that it shares with others.
  template <class... A>
  using operands_of_share = operands_of<make_seq<sizeof...(A)>, part_spec<Spec>::vec, A...>;
  template <class... A>
  using staged_of_share = staged_operands_of<part_spec<Spec>, make_seq<num_loads>, typename Spec::loads, A...>;

  template <int... Early, class... L, class A0, class A1>
  TILEOPS_DEVICE void run_repeated(const Arguments& a, seq<Early...>, types<L...> loads, types<A0, A1>) {
    static_assert(Spec::vecs_per_thread == 1, "packs along the repeated dimension are all that a thread takes");
    const Body body(a.attr);
    const pack_place<Spec> p = place_pack<Spec>(a, 0);
    Staged memory;
    if constexpr (!late_first_v<Spec, Body>) memory.template read_first<2>(a, p);
    using kept = kept_angles<Spec>;
    typename types_to<operands_of_share, typename Spec::operands>::type x;
    typename types_to<staged_of_share, typename Spec::operands>::type of_share;
    of_share.template read_widened<2>(a, share_of_place<Spec>(a, p), x);
    float c[kept::each], s[kept::each];
#pragma unroll
    for (int i = 0; i < kept::each; ++i) {
      const auto angle = body.early(get<Early + 2>(x)[i]...);
      c[i] = result<0>(angle);
      s[i] = result<1>(angle);
    }
    const kept angles(a, c, s);
    if (turned_views<Spec, Body, true, num_loads, A0, A1, L...>::possible(a, p))
      turn<true, A0, A1>(a, p, body, angles, memory, loads);
    else turn<false, A0, A1>(a, p, body, angles, memory, loads);
  }
  template <bool straight, class A0, class A1, class... L>
  TILEOPS_DEVICE void turn(const Arguments& a, pack_place<Spec> p, const Body& body, const kept_angles<Spec>& angles,
                           const Staged& memory, types<L...>) {
    using S0 = typename A0::storage;
    using S1 = typename A1::storage;
    turned_views<Spec, Body, straight, num_loads, A0, A1, L...> views(a, p);
    auto next = views.first(p, memory);
    // A loop, of which the next operands are on their way. Unrolled it would take several times the registers.
#pragma unroll 1
    for (int step = 0; step < Spec::rows_per_thread; ++step) {
      const auto raw = next;
      p.step = step + 1;
      if (p.step < Spec::rows_per_thread) next = views.read(p);
      p.step = step;
      float x1[N], x2[N], c[N], s[N], r0[N], r1[N];
      raw.widen(x1, x2);
      angles.read(c, s);
#pragma unroll
      for (int i = 0; i < N; ++i) {
        const auto r = body.late(x1[i], x2[i], c[i], s[i]);
        r0[i] = result<0>(r);
        r1[i] = result<1>(r);
      }
      views.write(p, narrow_all<S0>(r0), narrow_all<S1>(r1));
    }
  }

  TILEOPS_DEVICE void run(const Arguments& a) {
    wait_for_previous_kernel();
    run_repeated(a, make_seq<num_loads - 2>{}, typename Spec::loads{}, typename Spec::stores{});
  }
};

// Gated bodies with a table of activations in shared memory.
template <class Spec, class Steps>
struct tabled_elementwise {
  template <class L0, class L1, class A0>
  TILEOPS_DEVICE void run(const arguments_of<Spec>& a, types<L0, L1>, types<A0>) {
    activation_table::run<Spec, body_of_step<Steps>, L0, L1, A0>(a);
  }
  TILEOPS_DEVICE void run(const arguments_of<Spec>& a) {
    wait_for_previous_kernel();
    run(a, typename Spec::loads{}, typename Spec::stores{});
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
