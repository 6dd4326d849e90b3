// What loops over 16-bit floats take in the place of a pointer to them.
#pragma once

#include "cpu/loops/lanes_loop.h"
#include "cpu/simd/halves.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// Same<S>: one value for all.
template <class S>
TILEOPS_INLINE void widen_blocks(Same<S> x, size_t n, float* dst) {
  const float value = d::widen(x.value);
  for (size_t i = 0; i < n; ++i) dst[i] = value;
}
template <class S>
TILEOPS_INLINE void copy_dense(Same<S> x, size_t n, S* dst) {
  for (size_t i = 0; i < n; ++i) dst[i] = x.value;
}
template <size_t kTurn, size_t kAhead, class T>
TILEOPS_INLINE void prefetch(Same<T>) {}

// Elements of a row that all rows share, as f32.
struct Widened {
  const float* p;
};
TILEOPS_INLINE void widen_blocks(Widened x, size_t n, float* dst) {
  for (size_t i = 0; i < n; i += 16) __builtin_memcpy(dst + i, x.p + i, 64);  // in registers: not one copy of all
}
template <size_t kTurn, size_t kAhead>
TILEOPS_INLINE void prefetch(Widened) {}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
