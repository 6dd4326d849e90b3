// Rows of two to eight elements each, of which vectors have several; and how the results of rows in lanes are written.
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
  } else if constexpr (device::same_v<Acc, r::variance<T>>) {
    const double count = static_cast<double>(n);
#pragma omp simd
    for (size_t i = 0; i < lanes; ++i)
      y[i] = Acc::finish({{parts[0][i], parts[1][i]}, {parts[2][i], parts[3][i]}}, count);
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

template <class Acc, class T, size_t N>
void few_elements(const T* x, size_t rows, unsigned char* results, size_t step) {
  if constexpr (vector_of<T>::size % N == 0) rows_in_vectors<Acc, T, N>::run(x, rows, results, step);
  else turned_in_registers<Acc, T, N>::run(x, rows, results, step);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
