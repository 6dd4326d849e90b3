// The loop over a block, written once for every body. Compiled per ISA, and nothing here may be
// shared between them: everything is in the ISA's namespace and no standard function is called.
#pragma once

#include <utility>

#include "cpu/forms/form.h"
#include "cpu/kernel.h"
#include "cpu/loops/lanes_loop.h"
#include "cpu/loops/turns.h"
#include "cpu/simd/narrow.h"
#include "cpu/simd/round_to_odd.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

template <class T, class... A>
inline constexpr bool all_v = (device::same_v<T, A> && ...);

template <class S>
inline constexpr Elements elements_of = d::same_v<S, float>    ? Elements::f32
                                        : d::same_v<S, d::f16> ? Elements::f16
                                                               : Elements::bf16;

// Adds a loop to a kernel; cpu/backend.cc says so if there are more than fit.
TILEOPS_INLINE Variant* add_variant(Kernel* k, const Variant& v) {
  Variant& to = k->variants[k->num_variants < kMaxVariants ? k->num_variants : kMaxVariants - 1];
  ++k->num_variants;
  to = v;
  return &to;
}
TILEOPS_INLINE void add(Kernel* k, const Variant& v, DenseFn fn) { add_variant(k, v)->fn.dense = fn; }
TILEOPS_INLINE void add(Kernel* k, const Variant& v, RowsFn fn) { add_variant(k, v)->fn.rows = fn; }
TILEOPS_INLINE void add(Kernel* k, const Variant& v, FillFn fn) { add_variant(k, v)->fn.fill = fn; }

// Is one of them rare? Forms may have a quicker test that tells most blocks apart.
template <class Body, class... A>
TILEOPS_INLINE bool any_rare(const Body& body, size_t n, const A*... x) {
  int any = 0;
  if constexpr (Body::has_maybe_rare) {
#pragma omp simd reduction(| : any)
    for (size_t i = 0; i < n; ++i) any |= body.maybe_rare(element(x, i)...) ? 1 : 0;
    if (__builtin_expect(!any, 1)) return false;
    any = 0;
  }
#pragma omp simd reduction(| : any)
  for (size_t i = 0; i < n; ++i) any |= body.rare(element(x, i)...) ? 1 : 0;
  return any != 0;
}

// An output may be one of the inputs, element for element, so iterations are independent: `omp
// simd` says so, where restrict would lie.
template <class Body, class R, class... A>
TILEOPS_INLINE void dense_loop(const Body body, R* y, size_t n, const A*... x) {
#if TILEOPS_LANES
  if constexpr (takes_lanes<Body, R, A...>()) return lanes_loop(body, y, n, x...);
#endif
#pragma omp simd
  for (size_t i = 0; i < n; ++i) y[i] = body(element(x, i)...);
}

// The same for bodies that take fewer instructions than the loop itself: four vectors a turn.
template <class Body, class R, class... A>
TILEOPS_INLINE void light_loop(const Body body, R* y, size_t n, const A*... x) {
  constexpr size_t kTurn = 64;
#if TILEOPS_LANES
  if constexpr (takes_lanes<Body, R, A...>()) return lanes_loop(body, y, n, x...);  // has turns of its own
#endif
  size_t i = 0;
  for (; i + kTurn <= n; i += kTurn) dense_loop(body, y + i, kTurn, (x + i)...);
  dense_loop(body, y + i, n - i, (x + i)...);
}

// Elements of a light body computed between stores past the cache.
constexpr size_t kNonTemporalTurn = 64;

// With one value for all.
template <class Body, class R, class A, class B>
TILEOPS_INLINE void dense_loop(const Body body, R* y, size_t n, Same<A> a, const B* b) {
#if TILEOPS_LANES
  if constexpr (takes_lanes<Body, R, A, B>()) return lanes_loop(body, y, n, a, b);
#endif
#pragma omp simd
  for (size_t i = 0; i < n; ++i) y[i] = body(a.value, element(b, i));
}
template <class Body, class R, class A, class B>
TILEOPS_INLINE void dense_loop(const Body body, R* y, size_t n, const A* a, Same<B> b) {
#if TILEOPS_LANES
  if constexpr (takes_lanes<Body, R, A, B>()) return lanes_loop(body, y, n, a, b);
#endif
#pragma omp simd
  for (size_t i = 0; i < n; ++i) y[i] = body(element(a, i), b.value);
}

// Elements of a row; operand `same` - 1 is one value.
template <int same, class Body, class R, class A, class B>
TILEOPS_INLINE void part_of_row(const Body body, R* y, size_t n, const A* a, const B* b) {
  if constexpr (same == 1) dense_loop(body, y, n, Same<A>{element(a, 0)}, b);
  else if constexpr (same == 2) dense_loop(body, y, n, a, Same<B>{element(b, 0)});
  else dense_loop(body, y, n, a, b);
}
// Out of line: a row past the cache calls it in several places, each of which would have a loop of its own.
template <int same, class Body, class R, class A, class B>
[[gnu::noinline]] void non_temporal_part(const Body body, R* y, size_t n, const A* a, const B* b) {
  part_of_row<same>(body, y, n, a, b);
}

// Rows of memory; operand `same` - 1 is one value per row.
template <int same, class Body, class R, class A, class B>
TILEOPS_INLINE void rows_loop(const Body body, const Rows& r) {
  for (size_t row = 0; row < r.rows; ++row) {
    const auto at = static_cast<ptrdiff_t>(row);
    const A* a = reinterpret_cast<const A*>(static_cast<const char*>(r.in[0]) + at * r.in_step[0]);
    const B* b = reinterpret_cast<const B*>(static_cast<const char*>(r.in[1]) + at * r.in_step[1]);
    R* y = reinterpret_cast<R*>(static_cast<char*>(r.out) + at * r.out_step);
    if (!r.non_temporal) {
      size_t i = 0;  // in turns, as light_loop
      const auto part = [=](size_t begin, size_t n) {
        part_of_row<same>(body, y + begin, n, same == 1 ? a : a + begin, same == 2 ? b : b + begin);
      };
      for (; i + kNonTemporalTurn <= r.cols; i += kNonTemporalTurn) part(i, kNonTemporalTurn);
      if (i < r.cols) part(i, r.cols - i);
      continue;
    }
    const auto part = [=](R* to, size_t begin, size_t n = kNonTemporalTurn) {
      non_temporal_part<same>(body, to, n, same == 1 ? a : a + begin, same == 2 ? b : b + begin);
    };
    // Only operands that go from row to row are prefetched: a row that is repeated is in the cache.
    const auto ahead = [=](R* to, size_t begin) {
      if (same != 1 && r.in_step[0] != 0) prefetch<kNonTemporalTurn, 4096>(a + begin);
      if (same != 2 && r.in_step[1] != 0) prefetch<kNonTemporalTurn, 4096>(b + begin);
      part(to, begin);
    };
    non_temporal_loop<kNonTemporalTurn>(y, r.cols, ahead, part);
  }
}

// Where the I-th of several results R... goes, if there are so many.
template <int I, class... R>
TILEOPS_INLINE auto store_at(void* const* out) {
  if constexpr (I < sizeof...(R)) return static_cast<decltype(device::result<I>(device::results<R*...>{}))>(out[I]);
  else return nullptr;
}
// Spelt out: g++ 12 vectorises no loop in which a structure's address is taken.
template <class... R, class Body, class... A>
TILEOPS_INLINE void dense_loop_of_several(device::results<R...>, const Body body, void* const* out, size_t n,
                                          const A*... x) {
  constexpr size_t count = sizeof...(R);
  const auto y0 = store_at<0, R...>(out);
  const auto y1 = store_at<1, R...>(out);
  [[maybe_unused]] const auto y2 = store_at<2, R...>(out);
  [[maybe_unused]] const auto y3 = store_at<3, R...>(out);
  static_assert(count >= 2 && count <= 4);
  if constexpr (Body::has_chunk) return body.chunk(y0, y1, n, x...);
#pragma omp simd
  for (size_t i = 0; i < n; ++i) {
    const auto r = body(element(x, i)...);
    y0[i] = r.first;
    y1[i] = r.second;
    if constexpr (count > 2) y2[i] = r.third;
    if constexpr (count > 3) y3[i] = r.fourth;
  }
}

// y[i] = body.round_to_odd(x[i]...), for any n and operands of any type.
template <class Body, class... X>
TILEOPS_INLINE void odd_loop(const Body body, float* y, size_t n, const X*... x) {
  size_t i = 0;
#if TILEOPS_LANES
  if constexpr (Body::to_odd_of_registers && (device::same_v<X, float> && ...))
    for (; i + TILEOPS_LANES <= n; i += TILEOPS_LANES) body.round_to_odd(f32_lanes::load(x + i)...).store(y + i);
#endif
#pragma omp simd
  for (size_t k = i; k < n; ++k) y[k] = body.round_to_odd(x[k]...);
}

// Bodies with a rare slow path: the fast form over a chunk, then the rare elements again. Their
// inputs are set aside first, since the output may overwrite them.
constexpr size_t kRareChunk = 256;
template <class Body, class R, class... A>
TILEOPS_INLINE void rare_chunk(const Body body, R* y, size_t n, const A*... x) {
  if (!any_rare(body, n, x...)) return dense_loop(body, y, n, x...);
  R exact[kRareChunk];
  device::u16 where[kRareChunk];
  size_t count = 0;
  for (size_t i = 0; i < n; ++i) {
    if (!body.rare(element(x, i)...)) continue;
    where[count] = static_cast<device::u16>(i);
    exact[count++] = body.slow(element(x, i)...);
  }
  dense_loop(body, y, n, x...);
  for (size_t k = 0; k < count; ++k) y[where[k]] = exact[k];
}
template <class Body, class R, class... A>
TILEOPS_INLINE void rare_loop(const Body body, R* y, size_t n, const A*... x) {
  size_t i = 0;
#if TILEOPS_LANES
  // Rare operands are looked for in passing, instead of in a loop of its own.
  if constexpr (takes_lanes<Body, R, A...>() && Body::has_maybe_rare) {
    using V = lanes_of<Body>;
    for (; i + V::size <= n; i += V::size) {
      const bool none = !any(body.maybe_rare(load<V>(x + i)...));
      if (__builtin_expect(none, 1)) body(load<V>(x + i)...).store(y + i);
      else rare_chunk(body, y + i, V::size, (x + i)...);
    }
  }
#endif
  for (; i < n; i += kRareChunk) rare_chunk(body, y + i, n - i < kRareChunk ? n - i : kRareChunk, (x + i)...);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
