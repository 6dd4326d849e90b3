// Reductions of dense values whose order does not matter: integers, extremes, places, truth.
#pragma once

#include <limits>
#include <type_traits>

#include "cpu/loops/reductions/reduce.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// A float's bits as a signed integer in the order of the numbers, in which +0 is above -0; and back.
template <class T>
struct ordered {
  using key = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  static constexpr key kMagnitude = std::numeric_limits<key>::max();
  static TILEOPS_INLINE key of(T x) { return turned(__builtin_bit_cast(key, x)); }
  static TILEOPS_INLINE T from(key k) { return __builtin_bit_cast(T, turned(k)); }
  // Negative ones are turned round: all bits but the sign.
  static TILEOPS_INLINE key turned(key k) { return k ^ ((k >> (8 * sizeof(key) - 1)) & kMagnitude); }
};

// There is at least one element.
template <bool largest, class T>
T extreme_by_key(const T* x, size_t n) {
  if constexpr (device::is_float_v<T>) {
    using O = ordered<T>;
    using Key = typename O::key;
    const auto key = [](T v) { return largest ? O::of(v) : static_cast<Key>(~O::of(v)); };
    Key most = key(x[0]), nan = 0;
#pragma omp simd reduction(max : most) reduction(| : nan)
    for (size_t i = 0; i < n; ++i) {
      const Key k = key(x[i]);
      most = most > k ? most : k;
      nan |= x[i] != x[i];
    }
    return nan ? device::limits<T>::nan() : O::from(largest ? most : ~most);
  } else {
    const auto key = [](T v) { return largest ? v : static_cast<T>(~v); };
    T most = key(x[0]);
#pragma omp simd reduction(max : most)
    for (size_t i = 0; i < n; ++i) {
      const T k = key(x[i]);
      most = most > k ? most : k;
    }
    return largest ? most : static_cast<T>(~most);
  }
}

template <bool largest, class V>
TILEOPS_INLINE V further(V a, V b) {
  if constexpr (largest) return a > b ? a : b;
  else return a < b ? a : b;
}
// The lanes of v turned by `Half`: lane i has what lane i + Half had.
template <class V, size_t Half, size_t... I>
TILEOPS_INLINE V lanes_away(V v, std::index_sequence<I...>) {
  return __builtin_shufflevector(v, v, ((I + Half) % sizeof...(I))...);
}
// The largest or smallest of all lanes: each is compared with the one `Half` lanes away, then with one half as far.
template <bool largest, class T, size_t Half>
TILEOPS_INLINE T furthest_lane(typename vector_of<T>::type v) {
  if constexpr (Half == 0) {
    return v[0];
  } else {
    using V = typename vector_of<T>::type;
    const V other = lanes_away<V, Half>(v, std::make_index_sequence<vector_of<T>::size>{});
    return furthest_lane<largest, T, Half / 2>(further<largest>(v, other));
  }
}

// Likewise, of float by comparisons in vectors, which take half as long. A NaN's bits without the sign are above those
// of infinity. Zeros are left to keys, since comparisons do not tell them apart.
template <bool largest, class T>
T extreme_of(const T* x, size_t n) {
  if constexpr (device::same_v<T, float>) {
    using V = vector_of<float>::type;
    using Bits = vector_of<uint32_t>::type;
    constexpr size_t lanes = vector_of<float>::size, some = 4;
    if (n >= lanes) {
      V most[some];
      Bits magnitude[some] = {};
      for (V& m : most) __builtin_memcpy(&m, x, sizeof m);
      const auto take = [&](size_t k, size_t at) __attribute__((always_inline)) {
        V v;
        __builtin_memcpy(&v, x + at, sizeof v);
        most[k] = further<largest>(most[k], v);
        magnitude[k] = further<true>(magnitude[k], reinterpret_cast<Bits>(v) << 1);
      };
      size_t i = 0;
      for (; i + some * lanes <= n; i += some * lanes)
        for (size_t k = 0; k < some; ++k) take(k, i + k * lanes);
      for (; i + lanes <= n; i += lanes) take(0, i);
      if (i < n) take(0, n - lanes);
      for (size_t k = 1; k < some; ++k) {
        most[0] = further<largest>(most[0], most[k]);
        magnitude[0] = further<true>(magnitude[0], magnitude[k]);
      }
      const float best = furthest_lane<largest, float, lanes / 2>(most[0]);
      const uint32_t above = furthest_lane<true, uint32_t, lanes / 2>(magnitude[0]);
      constexpr uint32_t kInfinity = 0xff000000u;
      if (above > kInfinity) return device::limits<float>::nan();
      if (best != 0) return best;
    }
  }
  return extreme_by_key<largest>(x, n);
}

template <bool largest, class T>
struct extremes {
  using Acc = r::extreme<largest, T>;
  using state = typename Acc::template state<T>;
  static void begin(void* s) { new (s) state(Acc::identity()); }
  static void feed(void* s_, const void* x, size_t n) {
    state& s = *static_cast<state*>(s_);
    if (n > 0) s = Acc::absorb(s, extreme_of<largest>(static_cast<const T*>(x), n));
  }
  static void finish(void* s, void* result) { *static_cast<T*>(result) = Acc::finish(*static_cast<state*>(s)); }
};

template <bool largest, class T>
struct places {
  using Acc = r::place<largest, T>;
  struct state {
    typename Acc::template state<T> best = Acc::identity();
    d::i64 seen = 0;
  };
  static void begin(void* s) { new (s) state; }
  static void feed(void* s_, const void* x_, size_t n) {
    state& s = *static_cast<state*>(s_);
    const T* x = static_cast<const T*>(x_);
    if (n == 0) return;
    const T most = extreme_of<largest>(x, n);
    if (s.best.index < 0 || r::goes_before<largest>(most, s.best.value)) {
      size_t i = 0;
      while (!(x[i] == most || (x[i] != x[i] && most != most))) ++i;
      s.best = Acc::of(x[i], s.seen + static_cast<d::i64>(i));
    }
    s.seen += static_cast<d::i64>(n);
  }
  static void finish(void* s, void* result) {
    *static_cast<d::i64*>(result) = Acc::finish(static_cast<state*>(s)->best);
  }
};

// Bytes of which 0 is false.
template <bool every>
struct truths {
  using state = bool;
  static void begin(void* s) { new (s) state(every); }
  static void feed(void* s_, const void* x_, size_t n) {
    state& s = *static_cast<state*>(s_);
    const unsigned char* x = static_cast<const unsigned char*>(x_);
    unsigned char found = 0;
#pragma omp simd reduction(| : found)
    for (size_t i = 0; i < n; ++i) found |= static_cast<unsigned char>(every ? x[i] == 0 : x[i] != 0);
    if (found) s = !every;
  }
  static void finish(void* s, void* result) { *static_cast<bool*>(result) = *static_cast<state*>(s); }
};

template <class T>
struct firsts {
  struct state {
    T value;
    bool seen = false;
  };
  static void begin(void* s) { new (s) state{}; }
  static void feed(void* s_, const void* x, size_t n) {
    state& s = *static_cast<state*>(s_);
    if (!s.seen && n > 0) s = {*static_cast<const T*>(x), true};
  }
  static void finish(void* s, void* result) { *static_cast<T*>(result) = static_cast<state*>(s)->value; }
};

// Sums and products of integers, which wrap.
template <class T, bool product>
struct wrapping {
  using state = T;
  static void begin(void* s) { new (s) state(product ? 1 : 0); }
  static void feed(void* s_, const void* x_, size_t n) {
    state& s = *static_cast<state*>(s_);
    const T* x = static_cast<const T*>(x_);
    T all = product ? 1 : 0;
    if constexpr (product) {
      for (size_t i = 0; i < n; ++i) all *= x[i];
      s *= all;
    } else {
#pragma omp simd reduction(+ : all)
      for (size_t i = 0; i < n; ++i) all += x[i];
      s += all;
    }
  }
  static void finish(void* s, void* result) { *static_cast<T*>(result) = *static_cast<state*>(s); }

  // Rows of a few elements each, one after the other without a loop of vectors.
  static void of_few(const T* x, size_t rows, size_t cols, unsigned char* results, size_t step) {
    const auto both = [](T a, T b) { return product ? a * b : a + b; };
    for (size_t row = 0; row < rows; ++row, x += cols, results += step) {
      T even = product ? 1 : 0, odd = even;
      size_t c = 0;
      for (; c + 1 < cols; c += 2) even = both(even, x[c]), odd = both(odd, x[c + 1]);
      if (c < cols) even = both(even, x[c]);
      even = both(even, odd);
      __builtin_memcpy(results, &even, sizeof even);
    }
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
