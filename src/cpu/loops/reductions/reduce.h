// Reductions of dense values in the order of docs/numerics.md: what those by the tree (reduce_tree.h) and by columns
// have in common. Pieces of 2^k values that begin at a multiple of 2^k are nodes of the aligned binary tree; a short
// list of nodes stands for what has been seen.
#pragma once

#include <new>

#include "cpu/loops/dense.h"
#include "cpu/reduce.h"
#include "tileops/device/log_sum_exp.h"
#include "tileops/device/reductions.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

namespace r = device::reductions;

// What is done to vectors is done to each member of a state. (One by one: GCC takes an array of them through memory.)
template <class V, class S, class F>
TILEOPS_INLINE S map_state(const S& a, const S& b, const F& f) {
  if constexpr (sizeof(S) == sizeof(V)) {
    const auto& [x] = a;
    const auto& [y] = b;
    return {f(x, y)};
  } else if constexpr (sizeof(S) == 3 * sizeof(V)) {
    const auto& [x0, x1, x2] = a;
    const auto& [y0, y1, y2] = b;
    return {f(x0, y0), f(x1, y1), f(x2, y2)};
  } else {
    const auto& [x0, x1] = a;
    const auto& [y0, y1] = b;
    if constexpr (sizeof(S) == 2 * sizeof(V)) return {f(x0, y0), f(x1, y1)};
    else return {map_state<V>(x0, y0, f), map_state<V>(x1, y1, f)};
  }
}

template <class Acc, class T>
using state_of = typename Acc::template state<T>;

template <class Acc, class T>
inline constexpr bool is_log_sum_exp = __is_base_of(r::log_sum_exp<T>, Acc);

// What is known of no elements, of a sum or a product: the sum of nothing is +0, where the identity is -0.
template <class Acc, class T>
state_of<Acc, T> of_none() {
  if constexpr (device::same_v<Acc, r::product<T>>) return Acc::template identity<T>();
  else return {};
}

// Nodes of the tree that have not met their neighbour yet, the larger ones first.
template <class Acc, class T>
struct open_nodes {
  size_t count = 0;
  unsigned char level[64];
  state_of<Acc, T> nodes[64];

  void add(state_of<Acc, T> node, unsigned char at) {
    for (; count > 0 && level[count - 1] == at; --count, ++at) node = Acc::merge(nodes[count - 1], node);
    nodes[count] = node;
    level[count++] = at;
  }
  // Of the first `some` nodes and `last`, which has nothing behind it: it meets those before it, the smallest first.
  state_of<Acc, T> up_to(size_t some, state_of<Acc, T> last) const {
    while (some-- > 0) last = Acc::merge(nodes[some], last);
    return last;
  }
  state_of<Acc, T> all() const { return count ? up_to(count - 1, nodes[count - 1]) : of_none<Acc, T>(); }
};

template <class Acc, class T>
auto finished(const state_of<Acc, T>& a, size_t n) {
  if constexpr (device::same_v<Acc, r::variance<T>>)
    return n ? Acc::finish(a, static_cast<double>(n)) : device::limits<double>::nan();
  else return Acc::finish(a);
}

// A result may be of another type than the elements.
template <class R>
TILEOPS_INLINE void put_result(void* result, R value) {
  *static_cast<R*>(result) = value;
}

// Nodes of an earlier pass, one after the other: there are few.
template <class Acc>
struct pairs_in_tree {
  using state = open_nodes<Acc, device::u64>;
  static void begin(void* s) { new (s) state; }
  static void feed(void* s, const void* x, size_t n) {
    for (size_t i = 0; i < n; ++i) static_cast<state*>(s)->add(Acc::of(static_cast<const device::u64*>(x)[i]), 0);
  }
  static void finish(void* s, void* result) { put_result(result, Acc::finish(static_cast<const state*>(s)->all())); }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
