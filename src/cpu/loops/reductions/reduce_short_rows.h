// Rows of a few elements each, several of them at a time: a row a lane (ReduceKernel::each).
#pragma once

#include "cpu/loops/memory/short_copy.h"
#include "cpu/loops/reductions/reduce_few_elements.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// Nodes of rows, a row a lane, that wait for their neighbours, as the digits of a binary counter: the larger ones
// first.
template <class Acc, class T>
struct row_counter {
  using vector_state = vector_state_of<Acc, T>;
  vector_state open[8];
  unsigned char level[8];
  size_t count = 0;

  TILEOPS_INLINE void add(vector_state v, unsigned char at) {
    for (; count > 0 && level[count - 1] == at; --count, ++at) v = Acc::merge(open[count - 1], v);
    open[count] = v;
    level[count++] = at;
  }
  TILEOPS_INLINE vector_state all() {
    vector_state v = open[--count];
    while (count-- > 0) v = Acc::merge(open[count], v);
    return v;
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
      const T* from = x + (row < rows ? row : 0) * cols + at;
      V v;
      if (from + lanes <= end) {
        __builtin_memcpy(&v, from, sizeof v);
      } else {
        T some[lanes] = {};
        copy_short<sizeof(V) / 2>(from, static_cast<size_t>(end - from) * sizeof(T), some);
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
      row_counter<Acc, T> nodes;
      for (size_t at = 0; at < cols; at += lanes)
        nodes.add(by_row({x + row * cols, some, cols, at, x + rows * cols}), 0);
      put_finished<Acc, T>(nodes.all(), cols, some, results + row * step, step);
    }
  }
};

// Rows that are turned in memory, a piece after the other: a row a lane, as columns. Nodes of eight elements are found
// in registers, and wait for their neighbours.
constexpr size_t kMostInColumns = 64;
template <class Acc, class T>
struct turned_in_memory {
  static constexpr size_t lanes = vector_of<T>::size, side = turned_rows<T>::kSide, kEight = 8;
  using vector_state = vector_state_of<Acc, T>;

  template <size_t Count>
  static TILEOPS_INLINE vector_state node(const T* x) {
    if constexpr (Count == 1) return leaves<Acc, T>(x, 1)(0);
    else if constexpr (Count == 2) return merge_elements<Acc, T>(node<1>(x), node<1>(x + side));
    else return Acc::merge(node<Count / 2>(x), node<Count / 2>(x + Count / 2 * side));
  }

  // So many elements of each row at a time.
  static constexpr size_t kPiece = kMostInColumns, groups = side / lanes;
  static_assert(kPiece % kEight == 0 && side % lanes == 0);

  // Longer rows, or fewer of them, are as fast one after the other. (Milliseconds one after the other and in lanes, one
  // thread of an AMD EPYC, family 25 model 17, December 2026: var of 40,540 rows of 74 f32 9.7 and 2.6, of 23,437 rows
  // of 128 3.4 and 3.4.)
  static bool suits(size_t rows, size_t cols) {
    constexpr size_t kMost = 127, kFewestRows = 4;
    return cols > 0 && (cols <= kPiece || (cols <= kMost && rows >= kFewestRows));
  }

  static void run(const T* x, size_t rows, size_t cols, unsigned char* results, size_t step) {
    turned_rows<T, kPiece> t;
    for (size_t row = 0; row < rows; row += side, results += side * step) {
      const size_t here = rows - row < side ? rows - row : side;
      row_counter<Acc, T> nodes[groups];
      for (size_t first = 0; first < cols; first += kPiece) {
        const size_t piece = cols - first < kPiece ? cols - first : kPiece;
        t.take(x + row * cols + first, rows - row, piece, cols);
        for (size_t g = 0; g < groups && g * lanes < here; ++g) add_piece(t.x + g * lanes, piece, &nodes[g]);
      }
      for (size_t g = 0; g < groups && g * lanes < here; ++g) {
        const size_t some = here - g * lanes < lanes ? here - g * lanes : lanes;
        put_finished<Acc, T>(nodes[g].all(), cols, some, results + g * lanes * step, step);
      }
    }
  }
  static TILEOPS_INLINE void add_piece(const T* x, size_t count, row_counter<Acc, T>* nodes) {
    size_t at = 0;
    for (; at + kEight <= count; at += kEight) nodes->add(node<kEight>(x + at * side), log2_of(kEight));
    for (; at < count; ++at) nodes->add(node<1>(x + at * side), 0);
  }
};

template <class T>
void put_results(const T* y, size_t rows, unsigned char* results, size_t step) {
  for (size_t i = 0; i < rows; ++i) __builtin_memcpy(results + i * step, y + i, sizeof(T));
}

// By the kernel C of columns, whose results are of type R; rows of at most kMostInColumns elements.
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

template <class Acc, class T>
void each_row_in_tree(const void* x_, size_t rows, size_t cols, size_t element, void* y, size_t step) {
  const T* x = static_cast<const T*>(x_);
  auto* results = static_cast<unsigned char*>(y);
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
    using turned = turned_in_memory<Acc, T>;
    if (turned::suits(rows, cols)) return turned::run(x, rows, cols, results, step);
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

// Integers that wrap.
template <class K, class T>
void each_row_wrapping(const void* x, size_t rows, size_t cols, size_t element, void* y, size_t step) {
  constexpr size_t kFew = 40;
  if (cols > kFew) return each_row<K>(x, rows, cols, element, y, step);
  K::of_few(static_cast<const T*>(x), rows, cols, static_cast<unsigned char*>(y), step);
}

template <bool largest, bool places, class T, class K>
void each_row_by_key(const void* x, size_t rows, size_t cols, size_t element, void* results, size_t step) {
  if (cols > 0 && cols <= turned_rows<T>::kMost)
    return each_short_extreme<largest, places>(static_cast<const T*>(x), rows, cols,
                                               static_cast<unsigned char*>(results), step);
  each_row<K>(x, rows, cols, element, results, step);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
