// The kernel of an expression: N loads, steps in registers, M stores. A Spec says what elementwise.h's says of
// loads, stores and traversal, and beside that:
//
//   using operands = types<float, bool>;  // what each load is taken as
//   using rows = seq<-1, 0, 0>;           // by view: which of the argument block's strides are its own; -1: none
//   static constexpr int num_rows;        // how many of these there are
//   static constexpr int part;            // elements that go through the steps at a time, which bounds registers
//   static constexpr bool interleaved;    // neighbouring threads take neighbouring elements, always
//
// Steps has run<N>(attributes, operands, results), see core/steps.h.
#ifndef TILEOPS_KERNELS_COMPOSED_H
#define TILEOPS_KERNELS_COMPOSED_H

#include "cuda/kernels/core/one_by_one.h"
#include "cuda/kernels/core/staged.h"
#include "cuda/kernels/core/steps.h"
#include "cuda/kernels/strategies/tile.h"

namespace tileops {
namespace kernels {

// Strides of views, without those that are not used, and equal ones once.
template <class Rows, int Count, int Dims>
struct strides_of_rows {
  i64 row[Count ? Count : 1][Dims];
  TILEOPS_DEVICE_MEMBER const i64 (&operator[](int view) const)[Dims] { return row[row_of(Rows{}, view)]; }

 private:
  template <int... R>
  TILEOPS_DEVICE_MEMBER static constexpr int row_of(seq<R...>, int view) {
    int at = 0, row = 0;
    ((row = at++ == view ? R : row), ...);
    return row;
  }
};

// As common/arguments.h's, but without gathers.
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
  if constexpr (raw_pack<S, M>::in_words == raw_pack<S, N>::in_words) {
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
      Steps::template run<N>(a.attr, x, y);
    } else {
      stored_packs<seq<K...>, part, S...> z;
      Steps::template run<part>(a.attr, part_of<First, part>(x), &z);
      (place_elements<First>(pack_of<K>(z), &pack_of<K>(*y)), ...);
      if constexpr (First + part < N) pack_of_results<First + part>(a, x, y);
    }
  }
};

template <class Spec, class Steps>
struct composed {
  using By = by_steps<Spec, Steps>;
  using Arguments = typename By::Arguments;
  static constexpr int N = Spec::vec, units = Spec::vecs_per_thread, num_loads = Spec::loads::count;

  template <class... A>
  using operands = operands_of<make_seq<num_loads>, N, A...>;
  template <class... A>
  using staged = staged_operands_of<Spec, make_seq<num_loads>, typename Spec::loads, A...>;
  using X = typename types_to<operands, typename Spec::operands>::type;
  using Staged = typename types_to<staged, typename Spec::operands>::type;

  template <class... A, int... K>
  TILEOPS_DEVICE void run_interleaved(const Arguments& a, types<A...>, seq<K...>) {
    pack_place<Spec> p[units];
    Staged memory[units];
#pragma unroll
    for (int u = 0; u < units; ++u) {
      p[u] = place_pack<Spec>(a, u);
      memory[u].read(a, p[u]);
    }
#pragma unroll
    for (int u = 0; u < units; ++u) {
      X x;
      stored_packs<seq<K...>, N, typename A::storage...> y;
      memory[u].widen(a, p[u], x);
      By::pack_of_results(a, x, &y);
      (put<A>(a, p[u], num_loads + K, pack_of<K>(y)), ...);
    }
  }

  // Pairs are written with the first one of the two.
  template <int K, class A, class Y>
  TILEOPS_DEVICE void put_one(const Arguments& a, const pack_place<Spec>& p, const Y& y) {
    using S = typename A::storage;
    if constexpr (A::how == access_pattern::even)
      store_vector<S, 2 * N>(
          const_cast<char*>(bytes_at(a.address[num_loads + K])) + piece_offset<S, false>(a, p, num_loads + K),
          in_turn(pack_of<K>(y), pack_of<K + 1>(y)));
    else if constexpr (A::how != access_pattern::odd) put_whole<A>(a, p, num_loads + K, pack_of<K>(y));
  }

  // Packs that are all there and aligned, or else their elements one by one.
  template <int... I, class... L, class... O, class... A, int... K>
  TILEOPS_DEVICE void run_packs(const Arguments& a, seq<I...>, types<L...>, types<O...>, types<A...>, seq<K...>) {
    pack_place<Spec> p[units];
    bool straight = true;
#pragma unroll
    for (int u = 0; u < units; ++u) {
      p[u] = place_pack<Spec>(a, u);
      straight &= p[u].whole & Staged::straight(a, p[u]) & (vector_access(a, p[u], num_loads + K) & ...);
    }
    if (straight) {
      Staged memory[units];
#pragma unroll
      for (int u = 0; u < units; ++u) memory[u].read_straight(a, p[u]);
#pragma unroll
      for (int u = 0; u < units; ++u) {
        X x;
        stored_packs<seq<K...>, N, typename A::storage...> y;
        memory[u].widen(a, p[u], x);
        By::pack_of_results(a, x, &y);
        (put_one<K, A>(a, p[u], y), ...);
      }
    } else {
      const bool interleaved = is_interleaved<Spec>(a);
#pragma unroll
      for (int u = 0; u < units; ++u) {
#pragma unroll 1
        for (int e = 0; e < N; ++e) {
          element_place<Spec> at;
          if (!find_element(a, p[u], interleaved, e, &at)) break;
          operands_of<seq<I...>, 1, O...> x;
          stored_packs<seq<K...>, 1, typename A::storage...> y;
          ((get<I>(x)[0] = read_element<L, O>(a, at, I)), ...);
          Steps::template run<1>(a.attr, x, &y);
          (put_element<A>(a, at, num_loads + K, pack_of<K>(y)), ...);
        }
      }
    }
  }

  TILEOPS_DEVICE void run(const Arguments& a) {
    wait_for_previous_kernel();
    if constexpr (Spec::interleaved) run_interleaved(a, typename Spec::stores{}, make_seq<Spec::stores::count>{});
    else
      run_packs(a, make_seq<num_loads>{}, typename Spec::loads{}, typename Spec::operands{}, typename Spec::stores{},
                make_seq<Spec::stores::count>{});
  }
};

template <class Spec, class Steps>
struct composed_tiled : tiled_by<Spec, by_steps<Spec, Steps>> {};

}  // namespace kernels
}  // namespace tileops

#endif
