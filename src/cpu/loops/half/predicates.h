// Loops of bodies whose result is a bool: of 16-bit floats, and of f32 where operands count as true or false. The
// masks that comparisons give become bytes at once, 64 a turn. With non-temporal stores two operands are not
// prefetched, which is faster.
#pragma once

#include "cpu/loops/dense.h"
#include "cpu/simd/halves.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

#if TILEOPS_LANES == 16

template <class Body, class S, class... X>
struct PredicateLoop {
  static constexpr size_t kTurn = 64;
  using V = f32_lanes;

  static void run(device::u8* y, size_t n, bool non_temporal, const X*... x) {
    const auto block = [=](device::u8* to, size_t at) {
      _mm512_storeu_si512(to, results(static_cast<const S*>(nullptr), (x + at)...));
    };
    const auto some = [=](device::u8* to, size_t at, size_t m) {
      for (size_t i = 0; i < m; ++i) to[i] = Body::test(device::convert<float>(x[at + i])...) ? 1 : 0;
    };
    turn_loop<kTurn>(y, n, non_temporal, block, some, [=](size_t at) {
      if constexpr (sizeof...(X) == 1) prefetch_all<kTurn>(x + at...);
    });
  }

 private:
  template <class T, class... A>
  static TILEOPS_INLINE __m512i results(const T*, const A*... x) {
    const auto mask = [&](size_t at) { return Body::test(load_or_widen(x + at)...).k; };
    const __mmask32 low = _mm512_kunpackw(mask(16), mask(0)), high = _mm512_kunpackw(mask(48), mask(32));
    return _mm512_maskz_set1_epi8(_mm512_kunpackd(high, low), 1);
  }
  // Even and odd elements apart, each in the upper half of 32 bits.
  template <class... A>
  static TILEOPS_INLINE __m512i results(const d::bf16*, const A*... x) {
    const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xffff0000));
    const auto test = [](auto... bits) { return Body::test(V(_mm512_castsi512_ps(bits))...).k; };
    const auto words = [&](size_t at) {
      const __mmask16 even = test(_mm512_slli_epi32(_mm512_loadu_si512(x + at), 16)...);
      const __mmask16 odd = test(_mm512_and_si512(_mm512_loadu_si512(x + at), upper)...);
      const __m512i low = _mm512_maskz_set1_epi32(even, 1);
      return _mm512_mask_or_epi32(low, odd, low, _mm512_set1_epi32(0x10000));
    };
    return in_order(_mm512_packus_epi16(words(0), words(32)));
  }
  static TILEOPS_INLINE f32_lanes load_or_widen(const float* p) { return f32_lanes::load(p); }
  static TILEOPS_INLINE f32_lanes load_or_widen(const d::f16* p) { return widen_lanes(p); }
};

template <class Body>
struct Predicate {
  template <class S, class... A>
  struct Of {
    template <class>
    using Operand = S;
    template <size_t... I>
    static TILEOPS_INLINE void call(const void* const* in, void* out, size_t n, bool non_temporal,
                                    std::index_sequence<I...>) {
      PredicateLoop<Body, S, Operand<A>...>::run(static_cast<device::u8*>(out), n, non_temporal,
                                                 static_cast<const S*>(in[I])...);
    }
    static void run(const void* const* in, void* const* out, size_t n, const AttrValue*, How how) {
      call(in, out[0], n, how.non_temporal, std::index_sequence_for<A...>{});
    }
    static void add_to(Kernel* k) { add(k, {Loop::dense, elements_of<S>, true}, &run); }
  };
  template <class... A>
  struct For {
    static void add_to(Kernel* k) {
      Of<d::f16, A...>::add_to(k);
      Of<d::bf16, A...>::add_to(k);
      // Comparisons of f32 have loops of their own, also for rows.
      if constexpr (all_v<bool, A...>) Of<float, A...>::add_to(k);
    }
  };
};

#else

template <class Body>
struct Predicate {
  template <class... A>
  struct For {
    static void add_to(Kernel*) {}
  };
};

#endif

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
