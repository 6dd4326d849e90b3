// Reductions of dense values in the order of docs/numerics.md. Pieces of 2^k values that begin at a multiple of 2^k are
// nodes of the aligned binary tree, computed in vectors; a short list of nodes stands for what has been seen.
#pragma once

#include <new>

#include "cpu/loops/dense.h"
#include "cpu/reduce.h"
#include "tileops/device/reductions.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

namespace r = device::reductions;

#if defined(__AVX512F__)
constexpr size_t kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr size_t kVectorBytes = 32;
#else
constexpr size_t kVectorBytes = 16;
#endif

template <class T>
struct vector_of {
  static constexpr size_t size = kVectorBytes / sizeof(T);
  typedef T type __attribute__((vector_size(kVectorBytes)));
};

// Elements 0, 2, 4 and so on of a and of b behind them; and 1, 3, 5 ...
template <class V, size_t... I>
TILEOPS_INLINE V evens(V a, V b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, (2 * I)...);
}
template <class V, size_t... I>
TILEOPS_INLINE V odds(V a, V b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, (2 * I + 1)...);
}

// The members of a state, as a list: what is done to vectors is done to each.
template <class V, class S, class F>
TILEOPS_INLINE S map_state(const S& a, const S& b, const F& f) {
  static_assert(sizeof(S) % sizeof(V) == 0);
  constexpr size_t n = sizeof(S) / sizeof(V);
  V x[n], y[n];
  __builtin_memcpy(x, &a, sizeof a);
  __builtin_memcpy(y, &b, sizeof b);
  for (size_t i = 0; i < n; ++i) x[i] = f(x[i], y[i]);
  S c;
  __builtin_memcpy(&c, x, sizeof c);
  return c;
}

// The nodes above those of two neighbouring vectors of them.
template <class Acc, class T>
TILEOPS_INLINE auto above(const typename Acc::template state<typename vector_of<T>::type>& a,
                          const typename Acc::template state<typename vector_of<T>::type>& b) {
  using V = typename vector_of<T>::type;
  using I = std::make_index_sequence<vector_of<T>::size>;
  return Acc::merge(map_state<V>(a, b, [](V x, V y) { return evens(x, y, I{}); }),
                    map_state<V>(a, b, [](V x, V y) { return odds(x, y, I{}); }));
}

// One vector of nodes, made of M vectors from `leaf` on.
template <class Acc, class T, size_t M, class Leaf>
TILEOPS_INLINE auto nodes(const Leaf& leaf, size_t at) {
  if constexpr (M == 1) return leaf(at);
  else return above<Acc, T>(nodes<Acc, T, M / 2>(leaf, at), nodes<Acc, T, M / 2>(leaf, at + M / 2));
}

// The node of `count` scalars, a power of two.
template <class Acc, class S>
TILEOPS_INLINE S fold(S* s, size_t count) {
  for (; count > 1; count /= 2)
    for (size_t i = 0; i < count / 2; ++i) s[i] = Acc::merge(s[2 * i], s[2 * i + 1]);
  return s[0];
}

template <class Acc, class T>
using state_of = typename Acc::template state<T>;

// Lanes of a vector of states.
template <class Acc, class T>
TILEOPS_INLINE state_of<Acc, T> fold_lanes(const state_of<Acc, typename vector_of<T>::type>& v) {
  constexpr size_t lanes = vector_of<T>::size, members = sizeof(v) / kVectorBytes;
  T x[members][lanes];
  __builtin_memcpy(x, &v, sizeof x);
  state_of<Acc, T> s[lanes];
  for (size_t i = 0; i < lanes; ++i) {
    T one[members];
    for (size_t m = 0; m < members; ++m) one[m] = x[m][i];
    __builtin_memcpy(&s[i], one, sizeof one);
  }
  return fold<Acc>(s, lanes);
}

// What vectors of leaves are made of: elements as they are, or the parts of their squares.
template <class Acc, class T>
struct leaves {
  using V = typename vector_of<T>::type;
  const T* x;
  leaves(const T* from, size_t) : x(from) {}
  TILEOPS_INLINE auto operator()(size_t vector) const {
    V v;
    __builtin_memcpy(&v, x + vector * vector_of<T>::size, sizeof v);
    return Acc::of(v);
  }
};
template <class T>
struct leaves<r::variance<T>, T> {
  using V = typename vector_of<T>::type;
  static constexpr size_t kMost = 1024;
  const T* x;
  alignas(64) T square[kMost], rest[kMost];
  leaves(const T* from, size_t n) : x(from) {
#pragma omp simd
    for (size_t i = 0; i < n; ++i) {
      square[i] = from[i] * from[i];
      rest[i] = device::fma(from[i], from[i], -square[i]);
    }
  }
  TILEOPS_INLINE auto operator()(size_t vector) const {
    const size_t at = vector * vector_of<T>::size;
    typename r::variance<T>::template state<V> s{};
    __builtin_memcpy(&s.sum.hi, x + at, sizeof(V));
    __builtin_memcpy(&s.squares.hi, square + at, sizeof(V));
    __builtin_memcpy(&s.squares.lo, rest + at, sizeof(V));
    return s;
  }
};

// The node of n elements, a power of two up to 1024.
constexpr size_t kMostInNode = 1024;
template <class Acc, class T>
state_of<Acc, T> node(const T* x, size_t n) {
  constexpr size_t lanes = vector_of<T>::size, most = kMostInNode / lanes, part = most < 16 ? most : 16;
  if (n < lanes) {
    state_of<Acc, T> s[lanes];
    for (size_t i = 0; i < n; ++i) s[i] = Acc::of(x[i]);
    return fold<Acc>(s, n);
  }
  const leaves<Acc, T> leaf(x, n);
  size_t vectors = n / lanes;
  state_of<Acc, typename vector_of<T>::type> v[most / part];
  if (vectors >= part) {
    size_t count = vectors / part;
    for (size_t i = 0; i < count; ++i) v[i] = nodes<Acc, T, part>(leaf, i * part);
    for (; count > 1; count /= 2)
      for (size_t i = 0; i < count / 2; ++i) v[i] = above<Acc, T>(v[2 * i], v[2 * i + 1]);
    return fold_lanes<Acc, T>(v[0]);
  }
  switch (vectors) {
    case 8: return fold_lanes<Acc, T>(nodes<Acc, T, 8>(leaf, 0));
    case 4: return fold_lanes<Acc, T>(nodes<Acc, T, 4>(leaf, 0));
    case 2: return fold_lanes<Acc, T>(nodes<Acc, T, 2>(leaf, 0));
    default: return fold_lanes<Acc, T>(leaf(0));
  }
}

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
    return n ? Acc::finish(a, static_cast<double>(n)) : device::limits<T>::nan();
  else return Acc::finish(a);
}

// In the order of the tree.
template <class Acc, class T>
struct in_tree {
  struct state {
    size_t seen = 0;
    open_nodes<Acc, T> open;
  };
  static_assert(sizeof(state) <= kReductionState);
  static void begin(void* s) { new (s) state; }
  static void feed(void* s_, const void* x_, size_t n) {
    state& s = *static_cast<state*>(s_);
    const T* x = static_cast<const T*>(x_);
    while (n > 0) {
      size_t size = s.seen % kMostInNode ? s.seen & (~s.seen + 1) : kMostInNode;
      while (size > n) size /= 2;
      unsigned char level = 0;
      while (size_t{1} << level < size) ++level;
      s.open.add(node<Acc, T>(x, size), level);
      s.seen += size;
      x += size;
      n -= size;
    }
  }
  static void finish(void* s_, void* result) {
    const state& s = *static_cast<const state*>(s_);
    *static_cast<T*>(result) = finished<Acc, T>(s.open.all(), s.seen);
  }
};

// Nodes of an earlier pass, one after the other: there are few.
struct pairs_in_tree {
  using Acc = r::sum_of_pairs;
  using state = open_nodes<Acc, device::u64>;
  static_assert(sizeof(state) <= kReductionState);
  static void begin(void* s) { new (s) state; }
  static void feed(void* s, const void* x, size_t n) {
    for (size_t i = 0; i < n; ++i) static_cast<state*>(s)->add(Acc::of(static_cast<const device::u64*>(x)[i]), 0);
  }
  static void finish(void* s, void* result) {
    *static_cast<float*>(result) = Acc::finish(static_cast<const state*>(s)->all());
  }
};

// In the order of columns: groups of so many, one element after the other, and these in that of the tree.
template <class Acc, class T>
struct in_groups {
  struct state {
    size_t seen = 0;
    state_of<Acc, T> group;
    open_nodes<Acc, T> open;
  };
  static_assert(sizeof(state) <= kReductionState);
  static void begin(void* s) { new (s) state; }
  static void feed(void* s_, const void* x_, size_t n) {
    state& s = *static_cast<state*>(s_);
    const T* x = static_cast<const T*>(x_);
    for (size_t i = 0; i < n; ++i) {
      s.group = s.seen % kColumnGroup ? Acc::absorb(s.group, x[i]) : Acc::of(x[i]);
      if (++s.seen % kColumnGroup == 0) s.open.add(s.group, 0);
    }
  }
  static void finish(void* s_, void* result) {
    const state& s = *static_cast<const state*>(s_);
    const bool has_part = s.seen % kColumnGroup != 0;
    *static_cast<T*>(result) = finished<Acc, T>(has_part ? s.open.up_to(s.open.count, s.group) : s.open.all(), s.seen);
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
