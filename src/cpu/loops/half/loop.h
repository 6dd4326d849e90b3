// The loop of a body over dense 16-bit floats, chunk by chunk (chunk.h). Some bodies need no f32: they work on codes.
#pragma once

#include "cpu/loops/half/chunk.h"
#include "cpu/loops/turns.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

template <template <class, class> class BodyT, class S, int ulp, bool may_approximate, class... X>
struct HalfLoop : HalfChunk<BodyT, S, ulp, may_approximate, X...> {
  using Chunk = HalfChunk<BodyT, S, ulp, may_approximate, X...>;
  using Chunk::body, Chunk::kChunk, Chunk::all;
  using typename Chunk::Body;

  const bool non_temporal;  // past the cache

  HalfLoop(const Body& b, const AttrValue* attrs, bool past) : Chunk(b, attrs), non_temporal(past) {}

  template <class... P>
  void run(S* y, size_t n, P... x) const {
    size_t i = 0;
    if (non_temporal) {
      i = before_line(y, n);
      if (i) tail(y, i, all, x...);
    }
    if constexpr (has_bits_v<Body> || Body::has_codes) {
      for (; non_temporal && i + kHalves <= n; i += kHalves) {
        alignas(64) S block[kHalves];
        prefetch_all<kHalves>(x + i...);
        on_bits(block, kHalves, (x + i)...);
        put_block(block, y + i);
      }
      constexpr size_t kTurn = 4 * kHalves;  // as in light_loop
      for (; i + kTurn <= n; i += kTurn) on_bits(y + i, kTurn, (x + i)...);
      return on_bits(y + i, n - i, (x + i)...);
    }
    const auto turns = [&](auto past) {
      for (; i + kChunk <= n; i += kChunk) turn(y + i, past, (x + i)...);
    };
    // Two loops, so that each has its constants in registers: in one, g++ 12 makes AVX-512's anew in every turn with
    // non-temporal stores.
    if (!Chunk::wide_lanes) turns(non_temporal);
    else if (non_temporal) turns(std::true_type());
    else turns(std::false_type());
    if (i < n) tail(y + i, n - i, all, (x + i)...);
  }

  // One chunk; `past` the cache to whole lines.
  template <class... P>
  TILEOPS_INLINE void turn(S* y, bool past, P... x) const {
    if (past) prefetch_all<kChunk>(x...);
    this->compute(y, kChunk, past, x...);
  }

 private:
  template <class... P>
  TILEOPS_INLINE void on_bits(S* y, size_t n, P... x) const {
    if constexpr (Body::has_codes) {
      const auto on_codes = body.template on_codes<S>();
#pragma omp simd
      for (size_t i = 0; i < n; ++i) y[i].bits = on_codes(x[i].bits...);
    } else {
#pragma omp simd
      for (size_t i = 0; i < n; ++i) y[i].bits = static_cast<device::u16>(body.on_bits(x[i].bits..., 0x8000u));
    }
  }

  // Filled up with zeros to whole blocks.
  template <size_t... I, class... P>
  TILEOPS_INLINE void tail(S* y, size_t n, std::index_sequence<I...>, P... x) const {
    S in[sizeof...(X)][kChunk] = {};
    (copy_dense(x, n, in[I]), ...);
    filled(y, n, in, all);
  }
  template <size_t... I>
  __attribute__((noinline)) void filled(S* y, size_t n, const S (*in)[kChunk], std::index_sequence<I...>) const {
    S out[kChunk];
    const S* const x[] = {in[I]...};
    this->compute(out, kChunk == kHalves ? kHalves : (n + kHalves - 1) / kHalves * kHalves, false, x[I]...);
    __builtin_memcpy(y, out, n * sizeof(S));
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
