// Rows turned into columns that lie side by side.
#pragma once

#include "cpu/loops/reductions/reduce_tree.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

template <class V, class T>
TILEOPS_INLINE V vector_at(const T* x) {
  V v;
  __builtin_memcpy(&v, x, sizeof v);
  return v;
}
template <class V, class T>
TILEOPS_INLINE void put_vector(V v, T* x) {
  __builtin_memcpy(x, &v, sizeof v);
}

// As many vectors as each has lanes: lane i of vector k becomes lane k of vector i. First within 16 bytes, whose halves
// come together by one instruction at each level; then these 16 bytes as wholes.
template <class T>
struct turned_vectors {
  using V = typename vector_of<T>::type;
  static constexpr size_t lanes = vector_of<T>::size, in_16 = 16 / sizeof(T);

  // Pieces of `Piece` lanes of a and b in turn, from the lower or upper half of each 16 bytes.
  static constexpr int halves(size_t lane, size_t piece, bool upper) {
    const size_t at = lane / in_16 * in_16, within = lane % in_16;
    const size_t from = within / (2 * piece) * piece + within % piece + (upper ? in_16 / 2 : 0);
    return static_cast<int>((within / piece % 2 ? lanes : 0) + at + from);
  }
  // Pieces of a at even places beside those of b, or those at odd ones.
  static constexpr int pieces(size_t lane, size_t piece, bool odd) {
    const bool of_a = lane / piece % 2 == 0;
    if (of_a) return static_cast<int>(odd ? lane + piece : lane);
    return static_cast<int>(lanes + (odd ? lane : lane - piece));
  }

  template <size_t Piece, size_t... I>
  static TILEOPS_INLINE void turn_pair(V* a, V* b, std::index_sequence<I...>) {
    V x, y;
    if constexpr (Piece < in_16) {
      x = __builtin_shufflevector(*a, *b, halves(I, Piece, false)...);
      y = __builtin_shufflevector(*a, *b, halves(I, Piece, true)...);
    } else {
      x = __builtin_shufflevector(*a, *b, pieces(I, Piece, false)...);
      y = __builtin_shufflevector(*a, *b, pieces(I, Piece, true)...);
    }
    *a = x;
    *b = y;
  }
  template <size_t Piece>
  static TILEOPS_INLINE void level(V* v) {
    if constexpr (Piece < lanes) {
      TILEOPS_UNROLL
      for (size_t i = 0; i < lanes; ++i)
        if ((i & Piece) == 0) turn_pair<Piece>(v + i, v + i + Piece, std::make_index_sequence<lanes>{});
      level<2 * Piece>(v);
    }
  }
  // Within 16 bytes the order in which columns come is that of halves.
  static constexpr size_t column(size_t i) {
    size_t within = 0;
    for (size_t piece = 1, half = in_16 / 2; piece < in_16; piece *= 2, half /= 2) within += i & piece ? half : 0;
    return i / in_16 * in_16 + within;
  }
  static TILEOPS_INLINE void run(V* v) { level<1>(v); }
};

// As many rows as a vector has lanes, of N elements each, so few that it pays to do it lane by lane.
template <class T, size_t N>
struct few_columns {
  using V = typename vector_of<T>::type;
  static constexpr size_t lanes = vector_of<T>::size;

  // Where lane `i` of vector `c` comes from: element c of row i; or, back, element c * lanes + i of all rows.
  struct source {
    size_t vector, lane;
  };
  static constexpr source source_of(bool back, size_t c, size_t i) {
    return back ? source{(c * lanes + i) % N, (c * lanes + i) / N} : source{(i * N + c) / lanes, (i * N + c) % lanes};
  }
  template <bool Back, size_t C, size_t Last, size_t... I>
  static TILEOPS_INLINE V with_vector(V some, V last, std::index_sequence<I...>) {
    return __builtin_shufflevector(
        some, last,
        static_cast<int>(source_of(Back, C, I).vector == Last ? lanes + source_of(Back, C, I).lane
                         : Last == 0                          ? 0
                                                              : I)...);
  }
  // Result number C, with the lanes that come from vectors 0 to Last.
  template <bool Back, size_t C, size_t Last>
  static TILEOPS_INLINE V gathered(const V* v) {
    using I = std::make_index_sequence<lanes>;
    if constexpr (Last == 0) return with_vector<Back, C, 0>(v[0], v[0], I{});
    else return with_vector<Back, C, Last>(gathered<Back, C, Last - 1>(v), v[Last], I{});
  }
  template <bool Back, size_t... C>
  static TILEOPS_INLINE void run(const T* x, size_t from, T* y, size_t to, std::index_sequence<C...>) {
    const V v[] = {vector_at<V>(x + C * from)...};
    (put_vector(gathered<Back, C, N - 1>(v), y + C * to), ...);
  }

  // The columns lie so many elements apart.
  static TILEOPS_INLINE void turn(const T* rows, T* columns, size_t apart) {
    run<false>(rows, lanes, columns, apart, std::make_index_sequence<N>{});
  }
  static TILEOPS_INLINE void turn_back(const T* columns, size_t apart, T* rows) {
    run<true>(columns, apart, rows, lanes, std::make_index_sequence<N>{});
  }
};

// Gives few_columns of so many to the function, if there are any such.
template <class T, size_t N = 2, class F>
TILEOPS_INLINE bool with_few_columns(size_t cols, const F& f) {
  if constexpr (N > 8) return false;
  else return cols == N ? (f(few_columns<T, N>{}), true) : with_few_columns<T, N + 1>(cols, f);
}

// Some rows at a time, of at most so many elements.
template <class T, size_t Most = 32>
struct turned_rows {
  static constexpr size_t kMost = Most, kSide = 32, lanes = vector_of<T>::size;
  using V = typename vector_of<T>::type;
  using All = std::make_index_sequence<lanes>;
  alignas(64) T x[kMost * kSide];

  // The first of so many rows; others again in the place of those that are not there. Rows shorter than a vector are
  // read together with what lies behind them.
  void take(const T* from, size_t rows, size_t cols) { take(from, rows, cols, cols); }
  // The same of `cols` elements of each row, where rows are longer: from one to the next it is `step` elements.
  void take(const T* from, size_t rows, size_t cols, size_t step) {
    size_t i = 0;
    if (step == cols)
      with_few_columns<T>(cols, [&](auto few) {
        for (; i + lanes <= rows && i < kSide; i += lanes) few.turn(from + i * cols, x + i, kSide);
      });
    const size_t read = cols < lanes ? lanes : cols;
    for (; i < kSide && i < rows; i += lanes) {
      const size_t some = rows - i < lanes ? rows - i : lanes;
      if ((i + some - 1) * step + read > (rows - 1) * step + cols) break;
      size_t c = 0;
      for (; c + lanes <= cols; c += lanes) take_columns(from + i * step + c, some, step, x + c * kSide + i);
      const size_t last = read - lanes;
      if (c < cols) take_columns(from + i * step + last, some, step, x + last * kSide + i);
    }
    for (; i < kSide && i < rows; i += lanes)
      for (size_t c = 0; c < cols; ++c)
        for (size_t k = i; k < i + lanes; ++k) x[c * kSide + k] = from[(k < rows ? k : rows - 1) * step + c];
    for (; i < kSide; i += lanes)
      for (size_t c = 0; c < cols; ++c) put_vector(vector_at<V>(x + c * kSide), x + c * kSide + i);
  }

  // Results of as many columns, back to rows.
  static void give_back(const T* results, size_t rows, size_t cols, T* to) {
    size_t i = 0;
    with_few_columns<T>(cols, [&](auto few) {
      for (; i + lanes <= rows; i += lanes) few.turn_back(results + i, kSide, to + i * cols);
    });
    for (; cols >= lanes && i + lanes <= rows; i += lanes)
      for (size_t c = 0; c < cols; c = c + lanes < cols && c + 2 * lanes > cols ? cols - lanes : c + lanes)
        give_vectors(results + c * kSide + i, to + i * cols + c, cols, All{});
    for (; i < rows; ++i)
      for (size_t c = 0; c < cols; ++c) to[i * cols + c] = results[c * kSide + i];
  }

 private:
  // As many columns as a vector has lanes, of so many rows.
  static TILEOPS_INLINE void take_columns(const T* from, size_t rows, size_t step, T* to) {
    if (rows == lanes) take_vectors(from, step, to, [](size_t i) { return i; }, All{});
    else take_vectors(from, step, to, [rows](size_t i) { return i < rows ? i : rows - 1; }, All{});
  }
  template <class Row, size_t... I>
  static TILEOPS_INLINE void take_vectors(const T* from, size_t step, T* to, const Row& row,
                                          std::index_sequence<I...>) {
    using Turned = turned_vectors<T>;
    V v[] = {vector_at<V>(from + row(I) * step)...};
    Turned::run(v);
    (put_vector(v[I], to + Turned::column(I) * kSide), ...);
  }
  template <size_t... I>
  static TILEOPS_INLINE void give_vectors(const T* results, T* to, size_t cols, std::index_sequence<I...>) {
    using Turned = turned_vectors<T>;
    V v[] = {vector_at<V>(results + I * kSide)...};
    Turned::run(v);
    (put_vector(v[I], to + Turned::column(I) * cols), ...);
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
