// SPDX-License-Identifier: Apache-2.0
// The library's elementwise kernel of a functor: contiguous operands and results of equal lengths.
#ifndef TILEOPS_DEVICE_TRANSFORM_KERNEL_H
#define TILEOPS_DEVICE_TRANSFORM_KERNEL_H

#include "../cuda/kernel/elementwise.h"
#include "functor.h"

namespace tileops {
namespace kernels {

template <class... S>
TILEOPS_FN constexpr int smallest_of(types<S...>) {
  int least = kSmallestOperandBytes;
  ((least = static_cast<int>(sizeof(S)) < least ? static_cast<int>(sizeof(S)) : least), ...);
  return least;
}
template <class... S>
TILEOPS_FN constexpr int largest_of(types<S...>) {
  int most = 1;
  ((most = static_cast<int>(sizeof(S)) > most ? static_cast<int>(sizeof(S)) : most), ...);
  return most;
}
TILEOPS_FN constexpr int least_of(int a, int b) { return a < b ? a : b; }

// Elements of a pack: what the library takes of operands of these sizes.
template <class... S, class... T>
TILEOPS_FN constexpr int elements_of_pack(types<S...>, types<T...>) {
  const int by_operands = least_of(kSmallestOperandBytes / smallest_of(types<S..., T...>{}),
                                   kLargestOperandBytes / largest_of(types<S..., T...>{}));
  const int n = least_of(by_operands, kLargestResultBytes / largest_of(types<T...>{}));
  return n < 1 ? 1 : n;
}

// In is types<> of the operands in memory, Out of the results.
template <class In, class Out, int PacksPerThread>
struct transform_spec {
  using loads = In;
  using stores = Out;
  using stride_slots = seq<>;  // all are dense
  using kept_bits = void;
  static constexpr traversal_order order = traversal_order::flat;
  static constexpr ragged how_ragged = ragged::read_together;
  static constexpr int views = In::count + Out::count, dims = 1, num_strides = 0, attrs = 0;
  static constexpr int vec = elements_of_pack(In{}, Out{}), vecs_per_thread = PacksPerThread, threads = kThreads;
  static constexpr int rows_per_thread = 1, rows_dim = 0, cooperating_threads = 1;
  static constexpr bool index64 = false, interleaved = false;
  static constexpr u64 pieces = (u64{1} << In::count) - 1;
};

template <class Spec, class F>
struct transform_arguments : arguments_of<Spec> {
  F functor;
};

template <class Spec, class In = typename Spec::loads, class Out = typename Spec::stores,
          class InSeq = make_seq<In::count>, class OutSeq = make_seq<Out::count>>
struct transform_transfers;
template <class Spec, class... S, class... T, int... I, int... K>
struct transform_transfers<Spec, types<S...>, types<T...>, seq<I...>, seq<K...>> {
  static constexpr int N = Spec::vec;
  template <class X>
  using dense = access<X, access_pattern::dense>;

  struct pack {
    stored_packs<seq<I...>, N, S...> memory;

    template <class A, class P>
    TILEOPS_DEVICE_MEMBER void read(const A& a, const P& p) {
      ((pack_of<I>(memory) = load_raw<S, N>(place_of<S>(a.address[I]) + piece_offset<S, true>(a, p, I))), ...);
    }
    template <class A, class P>
    TILEOPS_DEVICE_MEMBER void read_any(const A& a, const P& p) {
      const span s = span_of_place(a, p);
      ((pack_of<I>(memory) = read_elements<dense<S>, S>(a, p, s, I)), ...);
    }
    template <class A, class P>
    TILEOPS_DEVICE_MEMBER void run(const A& a, const P& p) const {
      stored_packs<seq<K...>, N, T...> y;
      call_functor(a.functor, memory, &y);
      (put<dense<T>>(a, p, static_cast<int>(sizeof...(S)) + K, pack_of<K>(y)), ...);
    }
  };
};

template <class Spec, class F>
TILEOPS_DEVICE void run_transform(const transform_arguments<Spec, F>& a) {
  using Kernel = elementwise<Spec, transform_transfers<Spec>>;
  using Made = made_by<F>;
  if constexpr (Made::factory) {
    wait_for_previous_kernel();  // it may read memory
    Kernel::run(transform_arguments<Spec, typename Made::type>{a, a.functor.make()});
  } else {
    Kernel::run(a);
  }
}

#ifndef TILEOPS_DEVICE_CUDA_COMMON_BARE_CLANG_H  // Clang without a toolkit launches nothing
// Of each file its own: a file that is compiled for another architecture, in another shared library perhaps, has
// another one of this name, which this file must not launch.
template <class Spec, class F>
static __global__ void __launch_bounds__(Spec::threads)
    transform_kernel(const __grid_constant__ transform_arguments<Spec, F> a) {
  run_transform<Spec, F>(a);
}
#endif

}  // namespace kernels
}  // namespace tileops

#endif
