// Rows of a few elements each, several of them at a time: a row a lane (ReduceKernel::each).
#pragma once

#include "cpu/loops/reductions/reduce_columns.h"
#include "cpu/loops/reductions/turned_rows.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// What rows have come to, a row a lane, to where their results lie.
template <class Acc, class T>
TILEOPS_INLINE void put_finished(const vector_state_of<Acc, T>& all, size_t n, size_t rows, unsigned char* results,
                                 size_t step) {
  constexpr size_t lanes = vector_of<T>::size, members = sizeof(all) / kVectorBytes;
  using R = decltype(finished<Acc, T>({}, 0));
  T parts[members][lanes];
  __builtin_memcpy(parts, &all, sizeof parts);
  R y[lanes];
  if constexpr (device::same_v<Acc, r::sum_with_low_parts<T>> || device::same_v<Acc, r::sum_wide>) {
#pragma omp simd
    for (size_t i = 0; i < lanes; ++i) {  // Acc::finish without a branch
      const R hi = static_cast<R>(parts[0][i]), both = hi + static_cast<R>(parts[1][i] + T{});
      y[i] = r::is_finite(parts[1][i]) ? both : hi;
    }
  } else {
#pragma omp simd
    for (size_t i = 0; i < lanes; ++i) {
      T one[members];
      for (size_t m = 0; m < members; ++m) one[m] = parts[m][i];
      state_of<Acc, T> state;
      __builtin_memcpy(&state, one, sizeof state);
      y[i] = finished<Acc, T>(state, n);
    }
  }
  if (rows == lanes && step == sizeof y[0]) __builtin_memcpy(results, y, sizeof y);
  else
    for (size_t i = 0; i < rows; ++i) __builtin_memcpy(results + i * step, y + i, sizeof y[i]);
}

// So many rows' elements, with others behind them up to a row a lane.
template <class T, size_t N>
struct last_rows {
  static constexpr size_t lanes = vector_of<T>::size;
  T x[N * lanes];
  last_rows(const T* from, size_t rows) {
    for (size_t i = 0; i < N * lanes; ++i) x[i] = i < rows * N ? from[i] : T{};
  }
};

// Rows of N elements each, of which a vector has one or several: nodes come together as they do along one row.
template <class Acc, class T, size_t N>
struct rows_in_vectors {
  static constexpr size_t lanes = vector_of<T>::size, levels = log2_of(N);
  static_assert(size_t{1} << levels == N && lanes % N == 0);
  using V = typename vector_of<T>::type;
  using vector_state = vector_state_of<Acc, T>;

  // The row whose node is in that lane of vector number `vector`, `level` levels up.
  static constexpr size_t row_of(size_t level, size_t vector, size_t lane) {
    if (level == 0) return (vector * lanes + lane) / N;
    const size_t from = static_cast<size_t>(pairs_of_lanes<T>::source(lane, level - 1, false));
    return row_of(level - 1, 2 * vector + from / lanes, from % lanes);
  }
  static constexpr int lane_of_row(size_t row) {
    size_t lane = 0;
    while (row_of(levels, 0, lane) != row) ++lane;
    return static_cast<int>(lane);
  }
  template <size_t... I>
  static TILEOPS_INLINE vector_state in_order(const vector_state& all, std::index_sequence<I...>) {
    return map_state<V>(all, all, [](V v, V) { return __builtin_shufflevector(v, v, lane_of_row(I)...); });
  }

  static void run(const T* x, size_t rows, unsigned char* results, size_t step) {
    for (; rows >= lanes; rows -= lanes, x += N * lanes, results += lanes * step) some(x, lanes, results, step);
    if (rows > 0) some(last_rows<T, N>(x, rows).x, rows, results, step);
  }
  static TILEOPS_INLINE void some(const T* x, size_t rows, unsigned char* results, size_t step) {
    const vector_state all = nodes<Acc, T, levels>(leaves<Acc, T>(x, N), 0);
    put_finished<Acc, T>(in_order(all, std::make_index_sequence<lanes>{}), N, rows, results, step);
  }
};

// Rows of N elements each, so few that it pays to turn them in registers: a vector has an element of each of its rows.
template <class Acc, class T, size_t N>
struct turned_in_registers {
  static constexpr size_t lanes = vector_of<T>::size;
  using Leaves = leaves<Acc, T>;

  // The node above Count elements from number First on: what is not there is left out.
  template <size_t First, size_t Count>
  static TILEOPS_INLINE vector_state_of<Acc, T> node(const Leaves& leaf) {
    if constexpr (Count == 1) {
      return leaf(First);
    } else {
      constexpr size_t left = size_t{1} << log2_of(Count - 1);
      const auto a = node<First, left>(leaf), b = node<First + left, Count - left>(leaf);
      if constexpr (Count == 2) return merge_elements<Acc, T>(a, b);
      else return Acc::merge(a, b);
    }
  }

  static void run(const T* x, size_t rows, unsigned char* results, size_t step) {
    for (; rows >= lanes; rows -= lanes, x += N * lanes, results += lanes * step) some(x, lanes, results, step);
    if (rows > 0) some(last_rows<T, N>(x, rows).x, rows, results, step);
  }
  static TILEOPS_INLINE void some(const T* x, size_t rows, unsigned char* results, size_t step) {
    T columns[N * lanes];
    few_columns<T, N>::turn(x, columns, lanes);
    put_finished<Acc, T>(node<0, N>(Leaves(columns, N)), N, rows, results, step);
  }
};

// Rows of few elements: a row a lane.
template <class Acc, class T>
struct short_rows {
  static constexpr size_t lanes = vector_of<T>::size, turn = pairs_of_lanes<T>::turn;
  static constexpr size_t kMost = 16 * lanes - 1;  // elements of a row
  using V = typename vector_of<T>::type;
  using vector_state = vector_state_of<Acc, T>;

  // The elements `at` and so on of each of `rows` rows, as nodes by row. Of rows that end within a vector the lanes
  // behind them have elements that change nothing.
  struct column {
    const T* x;
    size_t rows, cols, at;
    const T* end;  // of all rows: nothing is read from there on
    TILEOPS_INLINE vector_state operator()(size_t row) const {
      const T* from = x + (row < rows ? row : rows - 1) * cols + at;
      V v;
      if (from + lanes <= end) {
        __builtin_memcpy(&v, from, sizeof v);
      } else {
        T some[lanes];
        for (size_t i = 0; i < lanes; ++i) some[i] = from + i < end ? from[i] : T{};
        __builtin_memcpy(&v, some, sizeof v);
      }
      if (cols - at < lanes) v = first_lanes(v, cols - at);
      return Acc::of(v);
    }
  };
  static TILEOPS_INLINE V first_lanes(V v, size_t n) {
    using Bits = std::conditional_t<sizeof(T) == 4, int, long>;
    using Mask = typename vector_of<Bits>::type;
    Mask number;
    for (size_t i = 0; i < lanes; ++i) number[i] = static_cast<Bits>(i);
    return number < static_cast<Bits>(n) ? v : V{} + no_element<Acc, T>();
  }
  template <size_t Level>
  static vector_state of_few(const column& c) {
    return raised<Level>(nodes<Acc, T, Level>(c, 0));
  }
  template <size_t Level>
  static TILEOPS_INLINE vector_state raised(const vector_state& v) {
    if constexpr (Level >= turn) return v;
    else return raised<Level + 1>(above<Acc, T, Level>(v, v));
  }
  static vector_state by_row(const column& c) {
    if (c.rows <= 1) return of_few<0>(c);
    if (c.rows <= 2) return of_few<1>(c);
    if constexpr (turn > 2)
      if (c.rows <= 4) return of_few<2>(c);
    if constexpr (turn > 3)
      if (c.rows <= 8) return of_few<3>(c);
    return of_few<turn>(c);
  }

  static void run(const T* x, size_t rows, size_t cols, unsigned char* results, size_t step) {
    for (size_t row = 0; row < rows; row += lanes) {
      const size_t some = rows - row < lanes ? rows - row : lanes;
      vector_state open[8];
      unsigned char level[8];
      size_t count = 0;
      for (size_t at = 0; at < cols; at += lanes) {
        vector_state v = by_row({x + row * cols, some, cols, at, x + rows * cols});
        unsigned char l = 0;
        for (; count > 0 && level[count - 1] == l; --count, ++l) v = Acc::merge(open[count - 1], v);
        open[count] = v;
        level[count++] = l;
      }
      vector_state all = open[--count];
      while (count-- > 0) all = Acc::merge(open[count], all);
      put_finished<Acc, T>(all, cols, some, results + row * step, step);
    }
  }
};

template <class T>
void put_results(const T* y, size_t rows, unsigned char* results, size_t step) {
  for (size_t i = 0; i < rows; ++i) __builtin_memcpy(results + i * step, y + i, sizeof(T));
}

// By the kernel C of columns, whose results are of type R; rows of at most so many elements.
constexpr size_t kMostInColumns = 64;
template <class C, class T, class R>
void each_row_in_columns(const T* x, size_t rows, size_t cols, unsigned char* results, size_t step) {
  using turned = turned_rows<T, kMostInColumns>;
  turned t;
  alignas(64) unsigned char state[C::bytes(turned::kMost, turned::kSide)];
  R y[turned::kSide];
  for (size_t row = 0; row < rows; row += turned::kSide) {
    const size_t some = rows - row < turned::kSide ? rows - row : turned::kSide;
    t.take(x + row * cols, rows - row, cols);
    C::begin(state, turned::kSide);
    C::feed(state, t.x, cols, turned::kSide);
    C::finish(state, turned::kSide, y);
    put_results(y, some, results + row * step, step);
  }
}

// What goes before all others is the largest: numbers by their order, of zeros +0 unless they are one, and any NaN.
template <bool largest, bool zeros_are_one, class T>
TILEOPS_INLINE auto key_of(T x) {
  if constexpr (device::is_float_v<T>) {
    using O = ordered<T>;
    const auto k = O::of(zeros_are_one ? x + T{} : x);
    return x != x ? O::kMagnitude : largest ? k : static_cast<typename O::key>(~k);
  } else {
    return largest ? x : static_cast<T>(~x);
  }
}
template <bool largest, class T, class Key>
TILEOPS_INLINE T of_key(Key k) {
  if constexpr (device::is_float_v<T>)
    return k == ordered<T>::kMagnitude ? device::limits<T>::nan() : ordered<T>::from(largest ? k : ~k);
  else return largest ? k : static_cast<T>(~k);
}

// Extremes, or their places.
template <bool largest, bool places, class T>
void each_short_extreme(const T* x, size_t rows, size_t cols, unsigned char* results, size_t step) {
  constexpr size_t side = turned_rows<T>::kSide;
  using Key = decltype(key_of<largest, places>(T{}));
  turned_rows<T> t;
  for (size_t row = 0; row < rows; row += side) {
    const size_t some = rows - row < side ? rows - row : side;
    t.take(x + row * cols, rows - row, cols);
    Key best[side], at[side] = {};
#pragma omp simd
    for (size_t i = 0; i < side; ++i) best[i] = key_of<largest, places>(t.x[i]);
    for (size_t c = 1; c < cols; ++c)
#pragma omp simd
      for (size_t i = 0; i < side; ++i) {
        const Key k = key_of<largest, places>(t.x[c * side + i]);
        if constexpr (places) at[i] = k > best[i] ? static_cast<Key>(c) : at[i];
        best[i] = k > best[i] ? k : best[i];
      }
    std::conditional_t<places, d::i64, T> y[side];
    for (size_t i = 0; i < side; ++i) {
      if constexpr (places) y[i] = static_cast<d::i64>(at[i]);
      else y[i] = of_key<largest, T>(best[i]);
    }
    put_results(y, some, results + row * step, step);
  }
}

template <class K>
void each_row(const void* x_, size_t rows, size_t cols, size_t element, void* results, size_t step) {
  const auto* x = static_cast<const unsigned char*>(x_);
  auto* y = static_cast<unsigned char*>(results);
  alignas(64) unsigned char state[sizeof(typename K::state)];
  for (size_t row = 0; row < rows; ++row) {
    K::begin(state);
    K::feed(state, x + row * cols * element, cols);
    K::finish(state, y + row * step);
  }
}

template <class Acc, class T, size_t N>
void few_elements(const T* x, size_t rows, unsigned char* results, size_t step) {
  if constexpr (vector_of<T>::size % N == 0) rows_in_vectors<Acc, T, N>::run(x, rows, results, step);
  else turned_in_registers<Acc, T, N>::run(x, rows, results, step);
}

template <class Acc, class T>
void each_row_in_tree(const void* x_, size_t rows, size_t cols, size_t element, void* y, size_t step) {
  const T* x = static_cast<const T*>(x_);
  auto* results = static_cast<unsigned char*>(y);
  using R = decltype(finished<Acc, T>({}, 0));
  switch (cols) {
    case 2: return few_elements<Acc, T, 2>(x, rows, results, step);
    case 3: return few_elements<Acc, T, 3>(x, rows, results, step);
    case 4: return few_elements<Acc, T, 4>(x, rows, results, step);
    case 5: return few_elements<Acc, T, 5>(x, rows, results, step);
    case 6: return few_elements<Acc, T, 6>(x, rows, results, step);
    case 7: return few_elements<Acc, T, 7>(x, rows, results, step);
    case 8: return few_elements<Acc, T, 8>(x, rows, results, step);
    default: break;
  }
  if constexpr (device::same_v<Acc, r::variance<T>> || device::same_v<Acc, r::squares_pair>) {
    if (cols > 0 && cols <= kMostInColumns)
      return each_row_in_columns<columns<Acc, T, 1>, T, R>(x, rows, cols, results, step);
  } else if (cols > 0 && cols <= short_rows<Acc, T>::kMost) {
    return short_rows<Acc, T>::run(x, rows, cols, results, step);
  }
  each_row<in_tree<Acc, T>>(x_, rows, cols, element, y, step);
}

// In the order of columns, by the kernel C of these where rows are short, else by that of a row.
template <class K, class C, class Acc, class T>
void each_row_in_groups(const void* x, size_t rows, size_t cols, size_t element, void* y, size_t step) {
  constexpr size_t kFewestRows = 4;
  if (cols == 0 || cols > kMostInColumns || rows < kFewestRows) return each_row<K>(x, rows, cols, element, y, step);
  using R = decltype(finished<Acc, T>({}, 0));
  each_row_in_columns<C, T, R>(static_cast<const T*>(x), rows, cols, static_cast<unsigned char*>(y), step);
}

template <bool largest, bool places, class T, class K>
void each_row_by_key(const void* x, size_t rows, size_t cols, size_t element, void* results, size_t step) {
  if (cols > 0 && cols <= turned_rows<T>::kMost)
    return each_short_extreme<largest, places>(static_cast<const T*>(x), rows, cols,
                                               static_cast<unsigned char*>(results), step);
  each_row<K>(x, rows, cols, element, results, step);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
