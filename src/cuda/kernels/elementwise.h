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
//     static constexpr bool wide;    // 64-bit coordinates
//     static constexpr bool halves;  // every operand is of the result's 16-bit float dtype
//     static constexpr bool bits_kept;  // operands of the compute type are raw bits
//     static constexpr bool table;  // results too close to a tie are in a table of all results
//   };
#ifndef TILEOPS_KERNELS_ELEMENTWISE_H
#define TILEOPS_KERNELS_ELEMENTWISE_H

#include "cuda/kernels/evaluate.h"
#include "cuda/kernels/fetch.h"
#include "cuda/kernels/lookup.h"
#include "cuda/kernels/lookup_halves.h"
#include "cuda/kernels/tile.h"

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

  template <class... A>
  using operands = operands_of<make_seq<sizeof...(A)>, N, A...>;
  using X = typename signature_of<Body>::template args<operands>;

  template <int... I, class... L>
  TILEOPS_DEVICE void fetch_all(const Arguments& a, const pack_place<Spec>& p, X& x, seq<I...>,
                                types<L...>) {
    (fetch<I, L>(a, p, get<I>(x)), ...);
  }

  template <class A0, class A1>
  TILEOPS_DEVICE void run_stores(const Arguments& a, A0, A1) {
    using Result = result_traits<typename signature_of<Body>::result>;
    using S0 = storage_of<Spec, A0, typename Result::first>;
    using S1 = typename A1::storage;
    pack_place<Spec> p[units];
    X x[units];
#pragma unroll
    for (int u = 0; u < units; ++u) {
      p[u] = place_pack<Spec>(a, u);
      fetch_all(a, p[u], x[u], make_seq<num_loads>{}, typename Spec::loads{});
    }
#pragma unroll
    for (int u = 0; u < units; ++u) {
      pack<S0, N> y0;
      pack<S1, N> y1;
      evaluate<Spec>(make_seq<num_loads>{}, a.attr, a.table, x[u], &y0, &y1);
      put<num_loads, A0>(a, p[u], y0);
      if constexpr (!same_v<S1, void*>) put<num_loads + 1, A1>(a, p[u], y1);
    }
  }

  // A result that nobody asked for has the storage void*.
  using none = access<void*, reach::fixed>;
  template <class S0>
  TILEOPS_DEVICE void choose_stores(const Arguments& a, types<S0>) {
    run_stores(a, S0{}, none{});
  }
  template <class S0, class S1>
  TILEOPS_DEVICE void choose_stores(const Arguments& a, types<S0, S1>) {
    run_stores(a, S0{}, S1{});
  }

  TILEOPS_DEVICE void run(const Arguments& a) {
    wait_for_previous_kernel();
    choose_stores(a, typename Spec::stores{});
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
