// The loop over vector registers for the bodies whose operator() takes them: compilers vectorise the formulas of
// numbers too, but do not find VPERMPS, VSCALEFPS and their like. Same bits either way (tests/accuracy/lanes_check.cc).
// `Body` is a form (forms/form.h).
#pragma once

#include "cpu/simd/lanes.h"
#include "tileops/device/body.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// One value that stands for a row of them, as a pointer does.
template <class T>
struct Same {
  T value;
  TILEOPS_INLINE Same operator+(size_t) const { return *this; }
  TILEOPS_INLINE T operator[](size_t) const { return value; }
};

#if TILEOPS_LANES
// Registers whose operations alternate: as many as the form says where there are 32 of them, half as many of 16.
template <unsigned n>
struct lanes_in_turn {
  using type = device::f32s<n>;
};
template <>
struct lanes_in_turn<1> {
  using type = f32_lanes;
};
template <class Body>
using lanes_of = typename lanes_in_turn<Body::simd_unroll / (TILEOPS_LANES == 16 ? 1 : 2)>::type;

template <class V>
TILEOPS_INLINE V load(const float* x) {
  return V::load(x);
}
template <class V>
TILEOPS_INLINE V load(Same<float> x) {
  return V(x.value);
}

// y = body(x...), of pointers or Same. The output may be one of the inputs. Several vectors a turn, their operations in
// alternation, so that one's waits are filled by the others' work.
template <class Body, class... X>
TILEOPS_INLINE void lanes_loop(const Body body, float* y, size_t n, X... x) {
  using V = f32_lanes;
  constexpr bool in_turn = Body::has_instruction;
  const auto part = [&](size_t at) { return body(load<V>(x + at)...); };
  const auto other = [&](size_t at) {
    if constexpr (in_turn) return body.by_instruction(load<V>(x + at)...);
    else return part(at);
  };
  size_t i = 0;
  using Several = lanes_of<Body>;
  if constexpr (!Body::has_instruction && Several::size > V::size) {
    for (; i + Several::size <= n; i += Several::size) body(load<Several>(x + i)...).store(y + i);
  }
  if constexpr (in_turn) {
#if TILEOPS_LANES == 16
    // A pair beside one by the instruction.
    for (; i + 3 * V::size <= n; i += 3 * V::size) {
      using Pair = device::f32s<2>;
      const V c = other(i + 2 * V::size);
      const Pair ab = body(load<Pair>(x + i)...);
      ab.store(y + i);
      c.store(y + i + 2 * V::size);
    }
#endif
  }
  for (; i + 2 * V::size <= n; i += 2 * V::size) {
    const V a = part(i), b = other(i + V::size);
    a.store(y + i);
    b.store(y + i + V::size);
  }
  for (; i + V::size <= n; i += V::size) part(i).store(y + i);
  if (i == n) return;
  const size_t rest = n - i;
  float padded[V::size], result[V::size];
  const auto load_rest = [&](auto p) {
    for (size_t k = 0; k < V::size; ++k) padded[k] = k < rest ? p[k] : 1.0f;
    return V::load(padded);
  };
  body(load_rest(x + i)...).store(result);
  for (size_t k = 0; k < rest; ++k) y[i + k] = result[k];
}
#endif

// Is this a loop for lanes_loop?
template <class Body, class R, class... X>
constexpr bool takes_lanes() {
#if TILEOPS_LANES
  return Body::simd_unroll != 0 && device::same_v<R, float> && (device::same_v<X, float> && ...);
#else
  return false;
#endif
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
