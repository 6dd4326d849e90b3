// Scans of dense values: of each element what those up to it come to, in the order in which a reduction of these takes
// them (reduce.h). In the order of the tree that is what the element's own pieces of 2^k come to with what is on
// their left: within a vector the right half of each piece meets the left one's node (Sklansky), piece after larger
// piece; then the nodes that are open before the vector, the smallest first.
#pragma once

#include "cpu/loops/memory/short_copy.h"
#include "cpu/loops/reductions/reduce_columns.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// What the elements before the first one come to: that of none, as a reduction has it.
template <class Acc, class T>
T scanned_none() {
  if constexpr (device::same_v<Acc, r::sum<T>> || device::same_v<Acc, r::sum_with_low_parts<T>>) return T{};
  else return Acc::finish(Acc::template identity<T>());
}

// Copies n elements, at most as many as a vector has.
template <class T>
TILEOPS_INLINE void copy_part(const T* from, size_t n, T* to) {
  copy_short<vector_of<T>::size * sizeof(T) / 2>(from, n * sizeof(T), to);
}
template <class T>
TILEOPS_INLINE void put_elements(const T* from, size_t n, T* to) {
  if (!__builtin_constant_p(n) && n <= vector_of<T>::size) copy_part(from, n, to);
  else __builtin_memcpy(to, from, n * sizeof(T));
}

// A result is that of the element before where an element is not part of its own.
template <bool Exclusive, class T>
TILEOPS_INLINE void put_scanned(const T* inclusive, size_t n, T* last, T* y) {
  if constexpr (Exclusive) {
    y[0] = *last;
    put_elements(inclusive, n - 1, y + 1);
    *last = inclusive[n - 1];
  } else {
    put_elements(inclusive, n, y);
  }
}

// Vectors of states.
template <class Acc, class T>
struct scanned_vectors {
  static constexpr size_t lanes = vector_of<T>::size, members = sizeof(state_of<Acc, T>) / sizeof(T);
  using V = typename vector_of<T>::type;
  using state = state_of<Acc, T>;
  using vector_state = typename Acc::template state<V>;
  static_assert(members == 1 || members == 2);

  static TILEOPS_INLINE vector_state in_all_lanes(const state& s) {
    T one[members];
    V all[members];
    __builtin_memcpy(one, &s, sizeof s);
    for (size_t m = 0; m < members; ++m) all[m] = one[m] - V{};
    vector_state v;
    __builtin_memcpy(&v, all, sizeof v);
    return v;
  }

  // The last lane of each left half for all lanes of the right one.
  template <size_t Half, size_t... I>
  static TILEOPS_INLINE V left_of(V v, std::index_sequence<I...>) {
    return __builtin_shufflevector(v, v, static_cast<int>(I / Half & 1 ? I / Half * Half - 1 : I)...);
  }
  template <size_t Half, size_t... I>
  static TILEOPS_INLINE V right_halves(V v, V met, std::index_sequence<I...>) {
    return __builtin_shufflevector(v, met, static_cast<int>(I / Half & 1 ? I + sizeof...(I) : I)...);
  }
  // Each lane meets those on its left.
  template <size_t Half = 1>
  static TILEOPS_INLINE vector_state met(const vector_state& s) {
    if constexpr (Half >= lanes) {
      return s;
    } else {
      using I = std::make_index_sequence<lanes>;
      const vector_state left = map_state<V>(s, s, [](V x, V) { return left_of<Half>(x, I{}); });
      const vector_state both = Half == 1 ? merge_elements<Acc, T>(left, s) : Acc::merge(left, s);
      return met<2 * Half>(map_state<V>(s, both, [](V x, V y) { return right_halves<Half>(x, y, I{}); }));
    }
  }

  // Likewise each of some vectors: of a power of two of them.
  template <size_t Count>
  static TILEOPS_INLINE void met_side_by_side(vector_state* s) {
    for (size_t half = 1; half < Count; half *= 2)
      for (size_t at = half; at < Count; at += 2 * half) {
        const vector_state left = in_all_lanes(lane_of<Acc, T>(s[at - 1], lanes - 1));
        for (size_t i = at; i < at + half; ++i) s[i] = Acc::merge(left, s[i]);
      }
  }
  // Each lane meets what is open before all, the smallest first.
  template <size_t Count>
  static TILEOPS_INLINE void behind(const open_nodes<Acc, T>& open, vector_state* s) {
    for (size_t k = open.count; k-- > 0;) {
      const vector_state left = in_all_lanes(open.nodes[k]);
      for (size_t i = 0; i < Count; ++i) s[i] = Acc::merge(left, s[i]);
    }
  }

  // As Acc::finish: the low part counts where it is a number, and -0 as +0.
  static TILEOPS_INLINE V finish(const vector_state& s) {
    if constexpr (members == 1) {
      const auto& [value] = s;
      return value;
    } else {
      const auto& [hi, lo] = s;
      return lo - lo == V{} ? hi + (lo + V{}) : hi;
    }
  }
};

// In the order of the tree.
template <class Acc, class T, bool Exclusive>
struct scan_in_tree {
  using S = scanned_vectors<Acc, T>;
  using V = typename S::V;
  static constexpr size_t lanes = S::lanes;
  struct state {
    size_t seen = 0;
    T last = scanned_none<Acc, T>();
    alignas(64) T part[lanes] = {};  // the last elements, less than a vector
    open_nodes<Acc, T> open;         // of whole vectors
  };
  static_assert(sizeof(state) <= kScanState);
  static void begin(void* s) { new (s) state; }
  static void feed(void* s_, const void* x_, size_t n, void* y_) {
    state& s = *static_cast<state*>(s_);
    const T* x = static_cast<const T*>(x_);
    T* y = static_cast<T*>(y_);
    while (n > 0) {
      size_t taken;
      if (s.seen % (kSide * lanes) == 0 && n >= kSide * lanes) {
        taken = vectors<kSide>(&s, x, 0, kSide * lanes, y);
      } else if (const size_t before = s.seen % lanes; before == 0 && n >= lanes) {
        taken = vectors<1>(&s, x, 0, lanes, y);
      } else {
        const size_t some = n < lanes - before ? n : lanes - before;
        copy_part(x, some, s.part + before);
        taken = vectors<1>(&s, s.part, before, before + some, y);
      }
      s.seen += taken;
      x += taken;
      y += taken;
      n -= taken;
    }
  }

 private:
  static constexpr size_t kSide = 4;  // vectors that are taken side by side

  // Scans Count vectors, stores their results from `begin` to `end`, and returns how many these are.
  template <size_t Count>
  static TILEOPS_INLINE size_t vectors(state* s, const T* x, size_t begin, size_t end, T* y) {
    typename S::vector_state all[Count];
    for (size_t i = 0; i < Count; ++i) {
      V v;
      __builtin_memcpy(&v, x + i * lanes, sizeof v);
      all[i] = S::met(Acc::of(v));
    }
    S::template met_side_by_side<Count>(all);
    const state_of<Acc, T> node = lane_of<Acc, T>(all[Count - 1], lanes - 1);
    S::template behind<Count>(s->open, all);
    alignas(64) T results[Count * lanes];
    for (size_t i = 0; i < Count; ++i) {
      const V scanned = S::finish(all[i]);
      __builtin_memcpy(results + i * lanes, &scanned, sizeof scanned);
    }
    put_scanned<Exclusive>(results + begin, end - begin, &s->last, y);
    if (end == Count * lanes) s->open.add(node, log2_of(Count));
    return end - begin;
  }
};

// In the order of columns: groups of 32, of which each element meets those before it one by one.
template <class Acc, class T, bool Exclusive>
struct scan_in_groups {
  using A = member_arrays<Acc, T>;
  using S = scanned_vectors<Acc, T>;
  static constexpr size_t kGroup = kColumnGroup;
  static_assert(kGroup % S::lanes == 0);
  struct state {
    size_t seen = 0;
    T last = scanned_none<Acc, T>();
    state_of<Acc, T> group;
    open_nodes<Acc, T> open;
  };
  static_assert(sizeof(state) <= kScanState);
  static void begin(void* s) { new (s) state; }
  static void feed(void* s_, const void* x_, size_t n, void* y_) {
    state& s = *static_cast<state*>(s_);
    const T* x = static_cast<const T*>(x_);
    T* y = static_cast<T*>(y_);
    alignas(64) T members[A::members * kGroup] = {}, results[kGroup];
    while (n > 0) {
      size_t size = kGroup - s.seen % kGroup;
      if (size > n) size = n;
      for (size_t i = 0; i < size; ++i) {
        s.group = (s.seen + i) % kGroup ? Acc::absorb(s.group, x[i]) : Acc::of(x[i]);
        A::put(s.group, members, kGroup, i);
      }
      for (size_t i = 0; i < size; i += S::lanes) {
        auto all = A::vectors_at(members, kGroup, i);
        S::template behind<1>(s.open, &all);
        const auto scanned = S::finish(all);
        __builtin_memcpy(results + i, &scanned, sizeof scanned);
      }
      put_scanned<Exclusive>(results, size, &s.last, y);
      s.seen += size;
      if (s.seen % kGroup == 0) s.open.add(s.group, 0);
      x += size;
      y += size;
      n -= size;
    }
  }
};

// Whose order does not matter: one after the other.
template <class Acc, class T, bool Exclusive>
struct scan_in_turn {
  using state = typename Acc::template state<T>;
  static_assert(sizeof(state) <= kScanState);
  static void begin(void* s) { new (s) state(Acc::template identity<T>()); }
  static void feed(void* s_, const void* x_, size_t n, void* y_) {
    state s = *static_cast<state*>(s_);
    const T* x = static_cast<const T*>(x_);
    T* y = static_cast<T*>(y_);
    for (size_t i = 0; i < n; ++i) {
      const state before = s;
      s = Acc::absorb(s, x[i]);
      y[i] = Acc::finish(Exclusive ? before : s);
    }
    *static_cast<state*>(s_) = s;
  }
};

// Bytes of which 0 is false.
template <bool every>
struct scan_truth {
  static void begin(void* s) { new (s) bool(every); }
  static void feed(void* s, const void* x_, size_t n, void* y_) {
    bool found = *static_cast<bool*>(s);
    const unsigned char* x = static_cast<const unsigned char*>(x_);
    unsigned char* y = static_cast<unsigned char*>(y_);
    for (size_t i = 0; i < n; ++i) {
      found = every ? found && x[i] != 0 : found || x[i] != 0;
      y[i] = found;
    }
    *static_cast<bool*>(s) = found;
  }

  static size_t bytes(size_t, size_t cols) { return cols; }
  static void begin_columns(void* s, size_t cols) { __builtin_memset(s, every, cols); }
  static void feed_columns(void* s, const void* x_, size_t rows, size_t cols, void* y_) {
    unsigned char* found = static_cast<unsigned char*>(s);
    const unsigned char* x = static_cast<const unsigned char*>(x_);
    unsigned char* y = static_cast<unsigned char*>(y_);
    for (size_t r = 0; r < rows; ++r, x += cols, y += cols)
      for (size_t c = 0; c < cols; ++c) {
        const unsigned char here = x[c] != 0;
        y[c] = found[c] = every ? found[c] & here : found[c] | here;
      }
  }
};

// Columns that lie side by side; groups as in `columns`, behind which lie the last results. What is known of columns
// lies in whole vectors.
template <class Acc, class T, size_t Group, bool Exclusive>
struct scan_columns {
  using C = columns<Acc, T, Group>;
  using A = member_arrays<Acc, T>;
  using head = typename C::head;
  static constexpr size_t lanes = vector_of<T>::size;

  static constexpr size_t padded(size_t cols) { return (cols + lanes - 1) / lanes * lanes; }
  static T* last_results(void* state) { return reinterpret_cast<T*>(static_cast<unsigned char*>(state) + C::kHead); }
  static void* nodes(void* state, size_t cols) {
    return static_cast<unsigned char*>(state) + C::kHead + (padded(cols) * sizeof(T) + 63) / 64 * 64;
  }
  static constexpr size_t bytes(size_t rows, size_t cols) {
    return C::kHead + (padded(cols) * sizeof(T) + 63) / 64 * 64 + C::bytes(rows, padded(cols));
  }
  static void begin(void* state, size_t cols) {
    C::begin(nodes(state, cols), padded(cols));
    T* last = last_results(state);
    for (size_t c = 0; c < padded(cols); ++c) last[c] = scanned_none<Acc, T>();
  }

  static void feed(void* state, const void* values, size_t rows, size_t cols, void* results) {
    constexpr size_t kFewest = 3;  // columns that are worth a vector
    void* const open = nodes(state, cols);
    const size_t all_cols = padded(cols);
    head& h = *static_cast<head*>(open);
    T* last = last_results(state);
    const T* x = static_cast<const T*>(values);
    T* y = static_cast<T*>(results);
    for (size_t r = 0; r < rows; ++r, x += cols, y += cols) {
      const bool first = h.seen % Group == 0;
      size_t in_vectors = Group == kAllRows ? 0 : cols / lanes * lanes;
      if constexpr (Group != kAllRows) {
        for (size_t c = 0; c < in_vectors; c += lanes) row_in_vectors(x + c, first, open, all_cols, c, last + c, y + c);
        if (const size_t rest = cols - in_vectors; rest >= kFewest) {
          T from[lanes] = {}, to[lanes];
          copy_part(x + in_vectors, rest, from);
          row_in_vectors(from, first, open, all_cols, in_vectors, last + in_vectors, to);
          copy_part(to, rest, y + in_vectors);
          in_vectors = cols;
        }
      }
      T* group = C::arrays(open, all_cols, h.open);
      for (size_t c = in_vectors; c < cols; ++c) {
        auto s = first ? Acc::of(x[c]) : Acc::absorb(A::get(group, all_cols, c), x[c]);
        A::put(s, group, all_cols, c);
        for (size_t k = h.open; k-- > 0;) s = Acc::merge(A::get(C::arrays(open, all_cols, k), all_cols, c), s);
        const T all = Acc::finish(s);
        y[c] = Exclusive ? last[c] : all;
        last[c] = all;
      }
      if (++h.seen % Group == 0) C::close(open, all_cols);
    }
  }

  // A row's elements of neighbouring columns.
  static TILEOPS_INLINE void row_in_vectors(const T* x, bool first, void* open, size_t cols, size_t c, T* last, T* y) {
    const head& h = *static_cast<const head*>(open);
    const auto v = A::vector(x);
    T* group = C::arrays(open, cols, h.open);
    auto s = first ? Acc::of(v) : Acc::absorb(A::vectors_at(group, cols, c), v);
    A::put_vectors(s, group, cols, c);
    for (size_t k = h.open; k-- > 0;) s = Acc::merge(A::vectors_at(C::arrays(open, cols, k), cols, c), s);
    T parts[A::members][lanes], all[lanes];
    __builtin_memcpy(parts, &s, sizeof s);
#pragma omp simd
    for (size_t i = 0; i < lanes; ++i) {
      if constexpr (A::members == 1) all[i] = parts[0][i];  // which is the value
      else all[i] = Acc::finish({parts[0][i], parts[1][i]});
    }
    __builtin_memcpy(y, Exclusive ? last : all, sizeof all);
    __builtin_memcpy(last, all, sizeof all);
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
