// A body's operands between their loads and their conversion. Everything that a thread reads, but for what RoPE's
// angles are made of, is asked for before anything is converted, under one branch: a conversion behind each load has
// the warp wait for one operand before it asks for the next.
#ifndef TILEOPS_KERNELS_STAGED_H
#define TILEOPS_KERNELS_STAGED_H

#include "tileops/device/cuda/common/operands.h"
#include "tileops/device/cuda/kernel/fetch.h"

namespace tileops {
namespace kernels {

struct nothing_staged {};

// An A of the body, read through access L.
template <class Spec, class L, class A>
struct staged_operand {
  static constexpr int N = Spec::vec;
  using S = storage_of<Spec, L, A>;
  static constexpr bool one = is_one_element<Spec>(L::how);
  static constexpr bool pairs = L::how == access_pattern::even;  // bring the next operand with them
  static constexpr bool found = L::how == access_pattern::index || L::how == access_pattern::gathered;
  static constexpr bool packs = !one && !pairs && !found && L::how != access_pattern::odd &&
                                L::how != access_pattern::tile;
  // Whether it can be one access.
  static constexpr bool wide = pairs || (packs && in_one_piece<Spec>(L::how));
  static constexpr bool dense = L::how == access_pattern::dense;
  using whole_pack = typename choose<packs, raw_pack<S, N>, nothing_staged>::type;
  using memory_type = typename choose<one, S, typename choose<pairs, raw_pack<S, 2 * N>, whole_pack>::type>::type;
  memory_type memory;

  template <class Arguments>
  static TILEOPS_DEVICE_MEMBER bool straight(const Arguments& a, const pack_place<Spec>& p, int view) {
    if constexpr (wide) return vector_access(a, p, view);
    else return true;
  }
  template <class Arguments>
  TILEOPS_DEVICE_MEMBER void read(const Arguments& a, const pack_place<Spec>& p, int view) {
    if constexpr (one) memory = read_one<S, L::how>(a, p, view);
    else if constexpr (pairs) memory = read_pairs<S>(a, p, view);
    else if constexpr (packs) memory = read_pack<L, S>(a, p, view);
  }
  // Where `straight` says so.
  template <class Arguments>
  TILEOPS_DEVICE_MEMBER void read_straight(const Arguments& a, const pack_place<Spec>& p, int view) {
    if constexpr (wide)
      memory = load_raw<S, pairs ? 2 * N : N>(place_of<S>(a.address[view]) + piece_offset<S, dense>(a, p, view));
    else read(a, p, view);
  }
  // Into the type of the body; pairs are this operand and the next one. What is computed or looked up by another
  // operand is found now.
  template <class Arguments, class B>
  TILEOPS_DEVICE_MEMBER void widen(const Arguments& a, const pack_place<Spec>& p, int view, A (&x)[N],
                                   [[maybe_unused]] B (&next)[N]) const {
    if constexpr (one) {
      fill(x, widen_one<A>(memory));
    } else if constexpr (packs) {
      widen_all(memory, x);
    } else if constexpr (pairs) {
      widen_pairs<S, N>(memory, x, next);
    } else if constexpr (found) {
      find<L>(a, p, view, x);
    }
  }
};

template <class Spec, class Seq, class Loads, class... A>
struct staged_operands_of;
template <int I, class Staged>
struct numbered : Staged {};
template <class Spec, int... I, class... L, class... A>
struct staged_operands_of<Spec, seq<I...>, types<L...>, A...> : numbered<I, staged_operand<Spec, L, A>>... {
  static constexpr bool empty = (same_v<typename staged_operand<Spec, L, A>::memory_type, nothing_staged> && ...);

  template <class Arguments>
  static TILEOPS_DEVICE_MEMBER bool straight(const Arguments& a, const pack_place<Spec>& p) {
    return (staged_operand<Spec, L, A>::straight(a, p, I) & ...);
  }
  template <class Arguments>
  TILEOPS_DEVICE_MEMBER void read_straight(const Arguments& a, const pack_place<Spec>& p) {
    (numbered<I, staged_operand<Spec, L, A>>::read_straight(a, p, I), ...);
  }
  template <class Arguments>
  TILEOPS_DEVICE_MEMBER void read(const Arguments& a, const pack_place<Spec>& p) {
    (numbered<I, staged_operand<Spec, L, A>>::read(a, p, I), ...);
  }
  // The first `Count` of them alone.
  template <int Count, class Arguments>
  TILEOPS_DEVICE_MEMBER void read_first(const Arguments& a, const pack_place<Spec>& p) {
    (read_if < I<Count, I, staged_operand<Spec, L, A>>(a, p), ...);
  }
  template <int J>
  TILEOPS_DEVICE_MEMBER const auto& operand() const {
    return operand_number<J>(*this);
  }
  template <class Arguments, class X>
  TILEOPS_DEVICE_MEMBER void widen(const Arguments& a, const pack_place<Spec>& p, X& x) const {
    (numbered<I, staged_operand<Spec, L, A>>::widen(a, p, I, get<I>(x), get<I + (I + 1 < sizeof...(I))>(x)), ...);
  }

  // Those from `First` on, one after the other, for which a thread has registers where all at once are too many.
  template <int First, class Arguments, class X>
  TILEOPS_DEVICE_MEMBER void read_widened(const Arguments& a, const pack_place<Spec>& p, X& x) {
    (read_one_widened<(I >= First), I, staged_operand<Spec, L, A>>(a, p, x), ...);
  }

 private:
  template <bool Wanted, int J, class Staged, class Arguments>
  TILEOPS_DEVICE_MEMBER void read_if(const Arguments& a, const pack_place<Spec>& p) {
    if constexpr (Wanted) numbered<J, Staged>::read(a, p, J);
  }
  template <bool Wanted, int J, class Staged, class Arguments, class X>
  TILEOPS_DEVICE_MEMBER void read_one_widened(const Arguments& a, const pack_place<Spec>& p, X& x) {
    if constexpr (Wanted) {
      numbered<J, Staged>::read(a, p, J);
      numbered<J, Staged>::widen(a, p, J, get<J>(x), get<J + (J + 1 < sizeof...(I))>(x));
    }
  }
  template <int J, class Staged>
  static TILEOPS_DEVICE_MEMBER const Staged& operand_number(const numbered<J, Staged>& staged) {
    return staged;
  }
};

// Everything that a thread reads of its packs.
template <class Spec, class Staged, int U, class Arguments>
TILEOPS_DEVICE void read_packs(const Arguments& a, pack_place<Spec> (&p)[U], Staged (&memory)[U]) {
  bool straight = true;
#pragma unroll
  for (int u = 0; u < U; ++u) {
    p[u] = place_pack<Spec>(a, u);
    straight &= Staged::straight(a, p[u]);
  }
  if (straight) {
#pragma unroll
    for (int u = 0; u < U; ++u) memory[u].read_straight(a, p[u]);
  } else {
#pragma unroll
    for (int u = 0; u < U; ++u) memory[u].read(a, p[u]);
  }
}

}  // namespace kernels
}  // namespace tileops

#endif
