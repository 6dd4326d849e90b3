// Reductions of columns that lie side by side: what is known of each column is in arrays, one an accumulator's member.
#pragma once

#include "cpu/loops/reductions/log_sum_exp.h"
#include "cpu/loops/reductions/reduce_any_order.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// Members of a state as elements of arrays.
template <class Acc, class T>
struct member_arrays {
  using state = state_of<Acc, T>;
  static constexpr size_t members = sizeof(state) / sizeof(T);
  static_assert(sizeof(state) % sizeof(T) == 0);

  static TILEOPS_INLINE state get(const T* arrays, size_t cols, size_t c) {
    T one[members];
    for (size_t m = 0; m < members; ++m) one[m] = arrays[m * cols + c];
    state s;
    __builtin_memcpy(&s, one, sizeof s);
    return s;
  }
  static TILEOPS_INLINE void put(const state& s, T* arrays, size_t cols, size_t c) {
    T one[members];
    __builtin_memcpy(one, &s, sizeof s);
    for (size_t m = 0; m < members; ++m) arrays[m * cols + c] = one[m];
  }

  // A vector of neighbours.
  using V = typename vector_of<T>::type;
  using vector_state = typename Acc::template state<V>;
  static TILEOPS_INLINE V vector(const T* at) {
    V v;
    __builtin_memcpy(&v, at, sizeof v);
    return v;
  }
  static TILEOPS_INLINE vector_state vectors_at(const T* arrays, size_t cols, size_t c) {
    static_assert(members >= 1 && members <= 4);
    const auto at = [&](size_t member) { return vector(arrays + member * cols + c); };
    if constexpr (members == 1) return {at(0)};
    else if constexpr (members == 2) return {at(0), at(1)};
    else if constexpr (members == 3) return {at(0), at(1), at(2)};
    else return {{at(0), at(1)}, {at(2), at(3)}};
  }
  static TILEOPS_INLINE void put_vectors(const vector_state& s, T* arrays, size_t cols, size_t c) {
    const auto put = [&](size_t member, const V& v) { __builtin_memcpy(arrays + member * cols + c, &v, sizeof v); };
    if constexpr (members == 1) {
      const auto& [x] = s;
      put(0, x);
    } else if constexpr (members == 2) {
      const auto& [x, y] = s;
      put(0, x), put(1, y);
    } else if constexpr (members == 3) {
      const auto& [x, y, z] = s;
      put(0, x), put(1, y), put(2, z);
    } else {
      const auto& [a, b] = s;
      const auto& [x, y] = a;
      const auto& [z, w] = b;
      put(0, x), put(1, y), put(2, z), put(3, w);
    }
  }
};

// Has Acc states of vectors that are made of vectors?
template <class Acc, class T>
constexpr bool takes_vectors = device::same_v<Acc, r::sum<T>> || device::same_v<Acc, r::product<T>> ||
                               device::same_v<Acc, r::sum_with_low_parts<T>> || device::same_v<Acc, r::sum_wide> ||
                               device::same_v<Acc, r::sum_pair> || device::same_v<Acc, r::squares_pair> ||
                               device::same_v<Acc, r::variance<T>> || is_log_sum_exp<Acc, T>;

// Groups of `Group` rows one after the other, and these by the tree; or one group of all rows, where order is nothing.
constexpr size_t kAllRows = ~size_t{0};
template <class Acc, class T, size_t Group>
struct columns {
  using A = member_arrays<Acc, T>;
  struct head {
    size_t seen, open;
    unsigned char level[64];
  };
  static constexpr size_t kHead = 128, lanes = vector_of<T>::size;
  static_assert(sizeof(head) <= kHead);

  static T* arrays(void* state, size_t cols, size_t i) {
    return reinterpret_cast<T*>(static_cast<unsigned char*>(state) + kHead) + i * A::members * cols;
  }
  static constexpr size_t bytes(size_t rows, size_t cols) {
    size_t nodes = 1;
    for (size_t groups = rows / Group; groups > 0; groups /= 2) ++nodes;
    return kHead + (nodes * A::members * cols * sizeof(T) + 63) / 64 * 64;
  }
  static void begin(void* state, size_t) { new (state) head{}; }

  // The rows of a group that are there are taken together, so that what is known of a column stays in registers.
  static void feed(void* state, const void* values, size_t rows, size_t cols) {
    head& h = *static_cast<head*>(state);
    const T* x = static_cast<const T*>(values);
    while (rows > 0) {
      const size_t here = h.seen % Group, some = rows < Group - here ? rows : Group - here;
      T* group = arrays(state, cols, h.open);
      const size_t scaled = add_scaled(x, some, here == 0, group, cols);
      if constexpr (takes_vectors<Acc, T>) {
        size_t c = scaled;
        for (; c + lanes <= cols; c += lanes) {
          auto s = here == 0 ? leaves<Acc, T>(x + c, 1)(0) : A::vectors_at(group, cols, c);
          for (size_t r = here == 0 ? 1 : 0; r < some; ++r) s = Acc::merge(s, leaves<Acc, T>(x + r * cols + c, 1)(0));
          A::put_vectors(s, group, cols, c);
        }
        if (c < cols) feed_last(x, some, rows, c, cols, here == 0, group);
      } else {
        for (size_t r = 0; r < some; ++r) row(x + r * cols, cols, here + r == 0, group);
      }
      h.seen += some;
      if (h.seen % Group == 0) close(state, cols);
      rows -= some;
      x += some * cols;
    }
  }
  // The first columns, as many as come one after the other, as sums of scaled exponentials; says how many.
  static size_t add_scaled(const T* x, size_t rows, bool first, T* group, size_t cols) {
    constexpr size_t some = 4 * lanes;
    size_t c = 0;
    if constexpr (is_log_sum_exp<Acc, T> && Group != kAllRows) {
      T *const sum = group, *const exponent = group + cols, *const largest = group + 2 * cols;
      while (c + some <= cols &&
             add_scaled_columns<T, some>(x + c, rows, cols, first, sum + c, exponent + c, largest + c))
        c += some;
      while (c + lanes <= cols &&
             add_scaled_columns<T, lanes>(x + c, rows, cols, first, sum + c, exponent + c, largest + c))
        c += lanes;
    }
    return c;
  }
  // The last columns, too few for a vector of their own: one that is read beyond the row's end, into the next row. It
  // takes `some` of the rows; `rows` of them lie in memory.
  static TILEOPS_INLINE void feed_last(const T* x, size_t some, size_t rows, size_t begin, size_t cols, bool first,
                                       T* group) {
    const size_t bytes = (cols - begin) * sizeof(T);
    T known[A::members * lanes] = {}, padded[lanes] = {};
    for (size_t m = 0; m < A::members && !first; ++m)
      __builtin_memcpy(known + m * lanes, group + m * cols + begin, bytes);
    auto s = A::vectors_at(known, lanes, 0);
    for (size_t r = 0; r < some; ++r) {
      const T* at = x + r * cols + begin;
      if ((rows - r) * cols - begin < lanes) {
        __builtin_memcpy(padded, at, bytes);
        at = padded;
      }
      const auto leaf = leaves<Acc, T>(at, 1)(0);
      s = first && r == 0 ? leaf : Acc::merge(s, leaf);
    }
    A::put_vectors(s, known, lanes, 0);
    for (size_t m = 0; m < A::members; ++m) __builtin_memcpy(group + m * cols + begin, known + m * lanes, bytes);
  }
  static TILEOPS_INLINE void row(const T* x, size_t cols, bool first, T* group) {
    if (first) {
#pragma omp simd
      for (size_t c = 0; c < cols; ++c) A::put(Acc::of(x[c]), group, cols, c);
    } else {
#pragma omp simd
      for (size_t c = 0; c < cols; ++c) A::put(Acc::absorb(A::get(group, cols, c), x[c]), group, cols, c);
    }
  }

  // The group is whole: it meets those of its size.
  static void close(void* state, size_t cols) {
    head& h = *static_cast<head*>(state);
    unsigned char level = 0;
    for (; h.open > 0 && h.level[h.open - 1] == level; --h.open, ++level) merge_last(state, cols);
    h.level[h.open++] = level;
  }
  // The last two nodes become one, in the place of the first.
  static void merge_last(void* state, size_t cols) {
    const head& h = *static_cast<const head*>(state);
    T *a = arrays(state, cols, h.open - 1), *b = arrays(state, cols, h.open);
    const size_t in_vectors = takes_vectors<Acc, T> ? cols / lanes * lanes : 0;
    if constexpr (takes_vectors<Acc, T>)
      for (size_t c = 0; c < in_vectors; c += lanes)
        A::put_vectors(Acc::merge(A::vectors_at(a, cols, c), A::vectors_at(b, cols, c)), a, cols, c);
    if (in_vectors == cols) return;
#pragma omp simd
    for (size_t c = in_vectors; c < cols; ++c) A::put(Acc::merge(A::get(a, cols, c), A::get(b, cols, c)), a, cols, c);
  }

  static void finish(void* state, size_t cols, void* results) {
    head& h = *static_cast<head*>(state);
    auto* y = static_cast<decltype(finished<Acc, T>({}, 0))*>(results);
    if (h.seen == 0) {
      const state_of<Acc, T> none = Group == kAllRows ? Acc::template identity<T>() : of_none<Acc, T>();
      for (size_t c = 0; c < cols; ++c) y[c] = finished<Acc, T>(none, 0);
      return;
    }
    // The last group, whole or not, meets those before it.
    if (h.seen % Group == 0) --h.open;
    for (; h.open > 0; --h.open) merge_last(state, cols);
    const T* a = arrays(state, cols, 0);
    if constexpr (takes_vectors<Acc, T> && A::members == 1) {  // which is the value
      __builtin_memcpy(y, a, cols * sizeof(T));
    } else if constexpr (takes_vectors<Acc, T> && A::members == 2) {
      const T* low = a + cols;
#pragma omp simd
      for (size_t c = 0; c < cols; ++c) y[c] = Acc::finish({a[c], low[c]});
    } else if constexpr (is_log_sum_exp<Acc, T>) {
      const T *exponent = a + cols, *largest = exponent + cols;
#pragma omp simd
      for (size_t c = 0; c < cols; ++c) y[c] = Acc::finish({a[c], exponent[c], largest[c]});
    } else if constexpr (device::same_v<Acc, r::variance<T>>) {
      const T *low = a + cols, *squares = low + cols, *rest = squares + cols;
      const double n = static_cast<double>(h.seen);
#pragma omp simd
      for (size_t c = 0; c < cols; ++c) y[c] = Acc::finish({{a[c], low[c]}, {squares[c], rest[c]}}, n);
    } else {
      for (size_t c = 0; c < cols; ++c) y[c] = finished<Acc, T>(A::get(a, cols, c), h.seen);
    }
  }
};

// The first element of each column.
template <class T>
struct first_row {
  static constexpr size_t kHead = 64;  // whether there was one
  static T* firsts(void* state) { return reinterpret_cast<T*>(static_cast<unsigned char*>(state) + kHead); }
  static size_t bytes(size_t, size_t cols) { return kHead + (cols * sizeof(T) + 63) / 64 * 64; }
  static void begin(void* state, size_t cols) {
    *static_cast<bool*>(state) = false;
    for (size_t c = 0; c < cols; ++c) firsts(state)[c] = T{};
  }
  static void feed(void* state, const void* values, size_t rows, size_t cols) {
    if (*static_cast<bool*>(state) || rows == 0) return;
    *static_cast<bool*>(state) = true;
    __builtin_memcpy(firsts(state), values, cols * sizeof(T));
  }
  static void finish(void* state, size_t cols, void* results) {
    __builtin_memcpy(results, firsts(state), cols * sizeof(T));
  }
};

// Sums in memory (ReduceKernel::add).
template <class Acc, class T>
void add_to_sums(void* sums, const void* values, size_t n, bool first) {
  auto* s = static_cast<state_of<Acc, T>*>(sums);
  const T* x = static_cast<const T*>(values);
  if (first) {
    for (size_t c = 0; c < n; ++c) s[c] = Acc::of(x[c]);
  } else {
#pragma omp simd
    for (size_t c = 0; c < n; ++c) s[c] = Acc::absorb(s[c], x[c]);
  }
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
