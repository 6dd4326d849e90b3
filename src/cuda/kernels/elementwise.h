// The kernel: loads of all packs of a thread first, then the body, then the stores. A Spec says what
// it is an instance of:
//
//   struct spec {
//     template <class P, class T> using body = op::gelu<P, T>;
//     using policy = portable;  using compute = float;
//     using loads = types<access<bf16, reach::dense>>;
//     using stores = types<access<bf16, reach::dense>>;
//     static constexpr walk walks = walk::flat;
//     static constexpr int views, dims, attrs, vector, units, threads, edge, ulp;
//     static constexpr int repeat, repeat_dim;  // packs that a thread takes along a dimension
//     static constexpr int share;  // threads that compute together what is the same along that dimension
//     static constexpr bool wide;    // 64-bit coordinates
//     static constexpr bool halves;  // every operand is of the result's 16-bit float dtype
//     static constexpr bool bits_kept;  // operands of the compute type are raw bits
//     static constexpr bool table;  // results too close to a tie are in a table of all results
//   };
#ifndef TILEOPS_KERNELS_ELEMENTWISE_H
#define TILEOPS_KERNELS_ELEMENTWISE_H

#include "cuda/kernels/core/evaluate.h"
#include "cuda/kernels/core/held.h"
#include "cuda/kernels/strategies/lookup.h"
#include "cuda/kernels/strategies/lookup_halves.h"
#include "cuda/kernels/strategies/lookup_pairs.h"
#include "cuda/kernels/strategies/packed.h"
#include "cuda/kernels/strategies/gate_window.h"
#include "cuda/kernels/strategies/tile.h"
#include "cuda/kernels/strategies/rope_reuse.h"

namespace tileops {
namespace kernels {

template <class Spec>
using arguments_of = arguments<Spec::views, Spec::dims, Spec::attrs>;

template <class Spec>
struct elementwise {
  using Arguments = arguments_of<Spec>;
  using Body = typename Spec::template body<typename Spec::policy, typename Spec::compute>;
  static constexpr int N = Spec::vector, units = Spec::units;
  static constexpr int num_loads = signature_of<Body>::num_loads;

  template <class A0, class... A>
  TILEOPS_DEVICE A0 first_of(types<A0, A...>) {
    return {};
  }

  template <class... A>
  using operands = operands_of<make_seq<sizeof...(A)>, N, A...>;
  using X = typename signature_of<Body>::template args<operands>;

  template <class... A>
  using held = held_operands_of<Spec, make_seq<num_loads>, typename Spec::loads, A...>;
  using Held = typename signature_of<Body>::template args<held>;
  // What a thread reads of the operands that it shares with others.
  template <class... A>
  using operands_of_share = operands_of<make_seq<sizeof...(A)>, part_spec<Spec>::vector, A...>;
  template <class... A>
  using held_of_share = held_operands_of<part_spec<Spec>, make_seq<num_loads>, typename Spec::loads, A...>;

  template <int U>
  TILEOPS_DEVICE void read_all(const Arguments& a, pack_place<Spec> (&p)[U], Held (&memory)[U]) {
    bool straight = true;
#pragma unroll
    for (int u = 0; u < U; ++u) {
      p[u] = place_pack<Spec>(a, u);
      straight &= Held::straight(a, p[u]);
    }
    if (straight) {
#pragma unroll
      for (int u = 0; u < U; ++u) memory[u].read_straight(a, p[u]);
    } else {
#pragma unroll
      for (int u = 0; u < U; ++u) memory[u].read(a, p[u]);
    }
  }

  template <class A0, class A1, class S0, class S1>
  TILEOPS_DEVICE void put_all(const Arguments& a, const pack_place<Spec>& p, const raw_pack<S0, N>& y0,
                              const raw_pack<S1, N>& y1) {
    if constexpr (A0::how == reach::even) {
      put_pairs<num_loads, A0>(a, p, y0, y1);
    } else {
      put<num_loads, A0>(a, p, y0);
      if constexpr (!same_v<S1, void*>) put<num_loads + 1, A1>(a, p, y1);
    }
  }

  // Bodies of which a part is the same along a dimension: a thread takes `repeat` packs along it. RoPE's
  // sines and cosines, some 50 instructions a pair, serve as many heads, and `share` threads compute them together.
  template <class A0, class A1, int... Early, class... L>
  TILEOPS_DEVICE void run_repeated(const Arguments& a, A0, A1, seq<Early...>, types<L...> loads) {
    static_assert(units == 1, "packs along the repeated dimension are all that a thread takes");
    const Body body(a.attr);
    const pack_place<Spec> p = place_pack<Spec>(a, 0);
    Held memory;
    if constexpr (!late_first_v<Spec, Body>) memory.template read_first<2>(a, p);
    using kept = kept_angles<Spec>;
    typename signature_of<Body>::template args<operands_of_share> x;
    typename signature_of<Body>::template args<held_of_share> of_share;
    of_share.template read_widened<2>(a, share_of_place<Spec>(a, p), x);
    float c[kept::each], s[kept::each];
#pragma unroll
    for (int i = 0; i < kept::each; ++i) {
      const auto angle = body.early(get<Early + 2>(x)[i]...);
      c[i] = angle.first;
      s[i] = angle.second;
    }
    const kept angles(a, c, s);
    if (turned_views<Spec, true, num_loads, A0, A1, L...>::possible(a, p))
      turn<true, A0, A1>(a, p, body, angles, memory, loads);
    else turn<false, A0, A1>(a, p, body, angles, memory, loads);
  }
  template <bool straight, class A0, class A1, class... L>
  TILEOPS_DEVICE void turn(const Arguments& a, pack_place<Spec> p, const Body& body, const kept_angles<Spec>& angles,
                           const Held& memory, types<L...>) {
    using S0 = typename A0::storage;
    using S1 = typename A1::storage;
    turned_views<Spec, straight, num_loads, A0, A1, L...> views(a, p);
    auto next = views.first(p, memory);
    // A loop, of which the next operands are on their way. Unrolled it would take several times the registers.
#pragma unroll 1
    for (int step = 0; step < Spec::repeat; ++step) {
      const auto raw = next;
      p.step = step + 1;
      if (p.step < Spec::repeat) next = views.read(p);
      p.step = step;
      float x1[N], x2[N], c[N], s[N], r0[N], r1[N];
      raw.widen(x1, x2);
      angles.read(c, s);
#pragma unroll
      for (int i = 0; i < N; ++i) {
        const auto r = body.late(x1[i], x2[i], c[i], s[i]);
        r0[i] = r.first;
        r1[i] = r.second;
      }
      views.write(p, narrow_all<S0>(r0), narrow_all<S1>(r1));
    }
  }

  // Light bodies of 8-bit floats: words instead of elements.
  template <class A0, int... I, class... L>
  TILEOPS_DEVICE void run_packed(const Arguments& a, seq<I...>, types<L...>, A0) {
    using S0 = typename A0::storage;
    using words = packed::operands<typename packed::use<Spec, types<L...>, types<A0>>::S, N, num_loads>;
    pack_place<Spec> p[units];
    Held memory[units];
    read_all(a, p, memory);
    if constexpr (packed::has_table_v<packed::form<Body, typename words::storage>>)
      packed::fill_gate_table(a.table);
#pragma unroll
    for (int u = 0; u < units; ++u) {
      const words x = {{packed::words_of(memory[u].template operand<I>())...}};
      put<num_loads, A0, S0>(a, p[u], packed::evaluate_words<Spec, S0>(seq<I...>{}, x));
    }
  }

  template <class A0, class A1>
  TILEOPS_DEVICE void run_stores(const Arguments& a, A0, A1) {
    using Result = result_traits<typename signature_of<Body>::result>;
    using S0 = storage_of<Spec, A0, typename Result::first>;
    using S1 = typename A1::storage;
    pack_place<Spec> p[units];
    Held memory[units];
    read_all(a, p, memory);
#pragma unroll
    for (int u = 0; u < units; ++u) {
      raw_pack<S0, N> y0;
      raw_pack<S1, N> y1;
      X x;
      memory[u].widen(a, p[u], x);
      evaluate_in_parts<Spec>(make_seq<num_loads>{}, a.attr, a.table, x, &y0, &y1);
      put_all<A0, A1>(a, p[u], y0, y1);
    }
  }

  template <class L0, class L1, class A0>
  TILEOPS_DEVICE void run_window(const Arguments& a, types<L0, L1>, types<A0>) {
    window::run<Spec, L0, L1, A0>(a);
  }

  // A result that nobody asked for has the storage void*.
  using none = access<void*, reach::fixed>;
  template <class S0>
  TILEOPS_DEVICE void choose_stores(const Arguments& a, types<S0>) {
    run_stores(a, S0{}, none{});
  }
  template <class S0, class S1>
  TILEOPS_DEVICE void choose_stores(const Arguments& a, types<S0, S1>) {
    if constexpr (Spec::repeat * Spec::share > 1) run_repeated(a, S0{}, S1{}, make_seq<num_loads - 2>{}, typename Spec::loads{});
    else run_stores(a, S0{}, S1{});
  }

  TILEOPS_DEVICE void run(const Arguments& a) {
    wait_for_previous_kernel();
    if constexpr (units == 0) run_window(a, typename Spec::loads{}, typename Spec::stores{});
    else if constexpr (packed::use<Spec, typename Spec::loads, typename Spec::stores>::value)
      run_packed(a, make_seq<num_loads>{}, typename Spec::loads{}, first_of(typename Spec::stores{}));
    else choose_stores(a, typename Spec::stores{});
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
