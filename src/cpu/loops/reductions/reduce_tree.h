// Sums of dense values by the aligned binary tree (docs/numerics.md), in vectors: of two vectors of neighbouring nodes
// one vector of the nodes above them is made. Which lanes come together where is free as long as the nodes are
// neighbours; so each level takes the pairs that one instruction finds.
#pragma once

#include "cpu/loops/reductions/reduce.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

constexpr size_t log2_of(size_t n) { return n > 1 ? 1 + log2_of(n / 2) : 0; }

// Pairs of lanes as a level takes them from vectors a and b. First within 16 bytes, of which a's come first, then 16
// bytes with the next 16. A turn of log2(lanes) levels makes of as many vectors as a vector has lanes one that has in
// lane i the node of vector i; and so on from there.
template <class T>
struct pairs_of_lanes {
  using V = typename vector_of<T>::type;
  static constexpr size_t lanes = vector_of<T>::size, turn = log2_of(lanes);
  static constexpr size_t in_16 = 16 / sizeof(T), sixteens = lanes / in_16;

  static constexpr int source(size_t i, size_t level, bool second) {
    const size_t at = i / in_16, within = i % in_16, odd = second ? 1 : 0;
    if (level < log2_of(in_16)) {
      const size_t half = in_16 / 2;
      return static_cast<int>((within < half ? 0 : lanes) + at * in_16 + 2 * (within % half) + odd);
    }
    const size_t half = sixteens > 1 ? sixteens / 2 : 1;
    return static_cast<int>((at < half ? 0 : lanes) + (2 * (at % half) + odd) * in_16 + within);
  }
  template <size_t Level, bool Second, size_t... I>
  static TILEOPS_INLINE V pick(V a, V b, std::index_sequence<I...>) {
    return __builtin_shufflevector(a, b, source(I, Level % turn, Second)...);
  }
  template <size_t Level, bool Second>
  static TILEOPS_INLINE V pick(V a, V b) {
    return pick<Level, Second>(a, b, std::make_index_sequence<lanes>{});
  }
};

template <class Acc, class T>
using vector_state_of = typename Acc::template state<typename vector_of<T>::type>;

// Nodes of single elements meet: no low parts come along.
template <class Acc, class T, class S>
TILEOPS_INLINE S merge_elements(const S& a, const S& b) {
  using V = typename vector_of<T>::type;
  using pairs = r::sum_with_low_parts<T>;
  if constexpr (device::same_v<Acc, r::squares_pair>) {
    return Acc::merge(a, b);
  } else if constexpr (device::same_v<S, typename pairs::template state<V>>) {
    const auto s = device::two_sum(a.hi, b.hi);
    return {s.hi, s.lo};
  } else if constexpr (device::same_v<Acc, r::variance<T>>) {
    return {merge_elements<pairs, T>(a.sum, b.sum), pairs::merge(a.squares, b.squares)};
  } else {
    return Acc::merge(a, b);
  }
}

// The nodes of `Level` + 1 above those of `Level`; level 0 has elements.
template <class Acc, class T, size_t Level, class S>
TILEOPS_INLINE S above(const S& a, const S& b) {
  using P = pairs_of_lanes<T>;
  using V = typename P::V;
  const S first = map_state<V>(a, b, [](V x, V y) { return P::template pick<Level, false>(x, y); });
  const S second = map_state<V>(a, b, [](V x, V y) { return P::template pick<Level, true>(x, y); });
  if constexpr (Level == 0) return merge_elements<Acc, T>(first, second);
  else return Acc::merge(first, second);
}

// The nodes above 2^Level vectors of elements from number `at` on; leaf(i) is the state of vector i.
template <class Acc, class T, size_t Level, class Leaf>
TILEOPS_INLINE vector_state_of<Acc, T> nodes(const Leaf& leaf, size_t at) {
  if constexpr (Level == 0) {
    return leaf(at);
  } else {
    const auto a = nodes<Acc, T, Level - 1>(leaf, at);
    return above<Acc, T, Level - 1>(a, nodes<Acc, T, Level - 1>(leaf, at + (size_t{1} << (Level - 1))));
  }
}

// The same for a level that is known at run time only.
template <class Acc, class T, class S>
S above_at(size_t level, const S& a, const S& b) {
  constexpr size_t turn = pairs_of_lanes<T>::turn;
  switch (level % turn) {
    case 0: return above<Acc, T, turn>(a, b);
    case 1: return above<Acc, T, turn + 1>(a, b);
    case 2: return above<Acc, T, turn + 2>(a, b);
    default: return above<Acc, T, turn + 3>(a, b);
  }
}

template <class Acc, class T>
TILEOPS_INLINE state_of<Acc, T> lane_of(const vector_state_of<Acc, T>& v, size_t lane) {
  constexpr size_t lanes = vector_of<T>::size, members = sizeof(v) / kVectorBytes;
  T x[members * lanes], one[members];
  __builtin_memcpy(x, &v, sizeof x);
  for (size_t m = 0; m < members; ++m) one[m] = x[m * lanes + lane];
  state_of<Acc, T> s;
  __builtin_memcpy(&s, one, sizeof s);
  return s;
}

// The node above all lanes.
template <class Acc, class T>
state_of<Acc, T> folded(vector_state_of<Acc, T> v, size_t level) {
  for (size_t i = 0; i < pairs_of_lanes<T>::turn; ++i) v = above_at<Acc, T>(level + i, v, v);
  return lane_of<Acc, T>(v, 0);
}

// Vectors of leaves: elements as they are, or with the parts of their squares. Of at most 16 vectors.
constexpr size_t kLeafVectors = 16;
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
struct leaves_of_squares {
  using V = typename vector_of<T>::type;
  alignas(64) T square[kLeafVectors * vector_of<T>::size], rest[kLeafVectors * vector_of<T>::size];
  leaves_of_squares(const T* x, size_t vectors) {
#pragma omp simd
    for (size_t i = 0; i < vectors * vector_of<T>::size; ++i) {
      square[i] = x[i] * x[i];
      rest[i] = device::fma(x[i], x[i], -square[i]);
    }
  }
  TILEOPS_INLINE typename r::sum_with_low_parts<T>::template state<V> operator()(size_t vector) const {
    const size_t at = vector * vector_of<T>::size;
    typename r::sum_with_low_parts<T>::template state<V> s;
    __builtin_memcpy(&s.hi, square + at, sizeof(V));
    __builtin_memcpy(&s.lo, rest + at, sizeof(V));
    return s;
  }
};
template <class T>
struct leaves<r::squares_pair, T> : leaves_of_squares<T> {
  using leaves_of_squares<T>::leaves_of_squares;
};
template <class T>
struct leaves<r::variance<T>, T> {
  using V = typename vector_of<T>::type;
  const T* x;
  const leaves_of_squares<T> squares;
  leaves(const T* from, size_t vectors) : x(from), squares(from, vectors) {}
  TILEOPS_INLINE auto operator()(size_t vector) const {
    typename r::variance<T>::template state<V> s{};
    __builtin_memcpy(&s.sum.hi, x + vector * vector_of<T>::size, sizeof(V));
    s.sum.hi *= r::variance<T>::scale;
    s.squares = squares(vector);
    return s;
  }
};

// The nodes above 2^Level vectors of elements.
template <class Acc, class T, size_t Level>
struct block {
  static TILEOPS_INLINE vector_state_of<Acc, T> of(const T* x) {
    return nodes<Acc, T, Level>(leaves<Acc, T>(x, size_t{1} << Level), 0);
  }
};

// An element that changes nothing: a square of it is +0, and squares are never -0.
template <class Acc, class T>
TILEOPS_INLINE T no_element() {
  if constexpr (device::same_v<Acc, r::product<T>>) return 1;
  else if constexpr (is_log_sum_exp<Acc, T>) return -device::limits<T>::inf();
  else return -T{};
}

template <class Acc, class T>
struct in_tree {
  static constexpr size_t lanes = vector_of<T>::size;
  static constexpr size_t kLevels = 8;  // above them nodes are single values
  using vector_state = vector_state_of<Acc, T>;
  using Leaves = leaves<Acc, T>;

  struct state {
    size_t seen = 0, count = 0;  // elements; vectors that have not met their neighbour, the larger nodes first
    unsigned char level[kLevels];
    alignas(64) vector_state vectors[kLevels];
    alignas(64) T part[lanes];  // the last elements, less than a vector
    open_nodes<Acc, T> open;

    void add(vector_state v, unsigned char at) {
      for (; count > 0 && level[count - 1] == at; --count, ++at) v = above_at<Acc, T>(at, vectors[count - 1], v);
      if (at >= kLevels) return open.add(folded<Acc, T>(v, at), 0);
      vectors[count] = v;
      level[count++] = at;
    }
    // Vectors that are smaller than the one before them get neighbours that change nothing.
    state_of<Acc, T> all() {
      if (const size_t some = seen % lanes) {
        for (size_t i = some; i < lanes; ++i) part[i] = no_element<Acc, T>();
        add(Leaves(part, 1)(0), 0);
      }
      if (count == 0) return open.all();
      const auto none = Acc::template identity<typename vector_of<T>::type>();
      vector_state last = vectors[--count];
      size_t at = level[count];
      while (count > 0) {
        --count;
        for (; at < level[count]; ++at) last = above_at<Acc, T>(at, last, none);
        last = above_at<Acc, T>(at++, vectors[count], last);
      }
      return open.up_to(open.count, folded<Acc, T>(last, at));
    }
  };

  static void begin(void* s) { new (s) state; }
  static void feed(void* s_, const void* x_, size_t n) {
    state& s = *static_cast<state*>(s_);
    const T* x = static_cast<const T*>(x_);
    if (const size_t some = s.seen % lanes) {
      const size_t more = n < lanes - some ? n : lanes - some;
      __builtin_memcpy(s.part + some, x, more * sizeof(T));
      s.seen += more;
      if (some + more < lanes) return;
      s.add(Leaves(s.part, 1)(0), 0);
      x += more;
      n -= more;
    }
    while (n >= lanes) {
      const size_t before = s.seen / lanes, vectors = n / lanes;
      size_t done = 1;
      if (before % kLeafVectors == 0 && vectors >= kLeafVectors) {
        s.add(block<Acc, T, log2_of(kLeafVectors)>::of(x), log2_of(kLeafVectors));
        done = kLeafVectors;
      } else if (before % 4 == 0 && vectors >= 4) {
        s.add(block<Acc, T, 2>::of(x), 2);
        done = 4;
      } else {
        s.add(block<Acc, T, 0>::of(x), 0);
      }
      s.seen += done * lanes;
      x += done * lanes;
      n -= done * lanes;
    }
    __builtin_memcpy(s.part, x, n * sizeof(T));
    s.seen += n;
  }
  static void finish(void* s_, void* result) {
    state& s = *static_cast<state*>(s_);
    const size_t n = s.seen;
    put_result(result, finished<Acc, T>(s.all(), n));
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
