// The packs that a thread turns one after the other (RoPE's heads): two operands, two results.
#ifndef TILEOPS_KERNELS_TURN_H
#define TILEOPS_KERNELS_TURN_H

#include "cuda/kernels/fetch.h"

namespace tileops {
namespace kernels {

// Both operands of a pack as they lie in memory: few registers until they are needed.
template <class S, int N, bool pairs>
struct turned_pack {
  raw_pack<S, pairs ? 2 * N : N> first;
  raw_pack<S, N> second;
  TILEOPS_DEVICE_MEMBER void widen(float (&x1)[N], float (&x2)[N]) const {
    if constexpr (pairs) {
      widen_pairs<S, N>(first, x1, x2);
    } else {
      widen_all(elements_of(first), x1);
      widen_all(elements_of(second), x2);
    }
  }
};

// Where they are. `straight`: every pack is whole and aligned, which is found out once, and a thread goes along
// by addresses of its own: found anew for each pack they were a third of the loop's instructions.
// To: the first result's number.
template <class Spec, bool straight, int To, class A0, class A1, class L0, class L1, class... L>
struct turned_views {
  using S = typename L0::storage;
  using R = typename A0::storage;
  using place = pack_place<Spec>;
  using Arguments = arguments<Spec::views, Spec::dims, Spec::attrs>;
  static constexpr int N = Spec::vector;
  static constexpr bool pairs = L0::how == reach::even;
  const Arguments& a;
  const char* from;  // of the first operand; the second lies as far from it for all threads, which is not kept
  char* to;

  static TILEOPS_DEVICE_MEMBER bool possible(const Arguments& a, const place& p) {
    bool all = vector_access<0>(a, p) && vector_access<To>(a, p);
    if constexpr (!pairs)
      all = all && vector_access<1>(a, p) && vector_access<To + 1>(a, p) && alike<0>(a) && alike<To>(a);
    return all;
  }
  // Does the view after `View` go the same ways?
  template <int View>
  static TILEOPS_DEVICE_MEMBER bool alike(const Arguments& a) {
    bool same = true;
#pragma unroll
    for (int d = 0; d < Spec::dims; ++d) same = same && a.stride[View][d] == a.stride[View + 1][d];
    return same;
  }
  template <int View>
  TILEOPS_DEVICE_MEMBER i64 to_next_view() const {
    return static_cast<i64>(a.address[View + 1] - a.address[View]);
  }
  template <int View>
  TILEOPS_DEVICE_MEMBER const char* start(const place& p) const {
    return bytes_at(a.address[View]) + element_offset<View>(a, p, span{}, 0);
  }
  template <int View>
  TILEOPS_DEVICE_MEMBER i64 stride() const {
    return step_stride<View, Spec>(a);
  }

  TILEOPS_DEVICE_MEMBER turned_views(const Arguments& arguments, const place& p) : a(arguments) {
    if constexpr (straight) {
      from = start<0>(p);
      to = const_cast<char*>(start<To>(p));
    }
  }
  // The pack of p.step, which is the one after the last that was read.
  TILEOPS_DEVICE_MEMBER turned_pack<S, N, pairs> read(const place& p) {
    turned_pack<S, N, pairs> x;
    if constexpr (straight) {
      x.first = load_raw<S, pairs ? 2 * N : N>(from);
      if constexpr (!pairs) x.second = load_raw<S, N>(from + to_next_view<0>());
      from += stride<0>();
    } else if constexpr (pairs) {
      x.first = read_pairs<0, S>(a, p);
    } else {
      x.first = read_pack<0, L0, S>(a, p);
      x.second = read_pack<1, L1, S>(a, p);
    }
    return x;
  }
  TILEOPS_DEVICE_MEMBER void write(const place& p, const raw_pack<R, N>& y0, const raw_pack<R, N>& y1) {
    if constexpr (straight) {
      if constexpr (pairs) {
        store_vector<R, 2 * N>(to, in_turn(y0, y1));
      } else {
        store_vector<R, N>(to, y0);
        store_vector<R, N>(to + to_next_view<To>(), y1);
      }
      to += stride<To>();
    } else if constexpr (pairs) {
      put_pairs<To, A0>(a, p, y0, y1);
    } else {
      put<To, A0>(a, p, y0);
      put<To + 1, A1>(a, p, y1);
    }
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
