// A chunk of 16-bit floats through an f32 body: widened, computed, rounded once, in one of the ways of rounding.h.
#pragma once

#include "cpu/loops/dense.h"
#include "cpu/loops/half/operands.h"
#include "cpu/loops/half/rounding.h"
#include "cpu/simd/residual_avx2.h"
#include "tileops/device/body_list.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// One element in f64, for a result that is rounded to a narrower float next.
template <template <class, class> class BodyT, class... X>
__attribute__((noinline)) double recomputed(const AttrValue* attrs, X... x) {
  using Body = BodyT<device::portable_pre_round, double>;
  const Body body(attrs);
  if constexpr (has_rare_v<Body>) {
    if (body.rare(x...)) return body.slow(x...);
  }
  return body(x...);
}

template <template <class, class> class BodyT, class S, int ulp, bool may_approximate, class... X>
struct HalfLoop;  // loop.h

template <template <class, class> class BodyT, class S, int ulp, bool may_approximate, class... X>
struct HalfChunk : HalfRounding<BodyT, S, ulp, may_approximate> {
  using R = HalfRounding<BodyT, S, ulp, may_approximate>;
  using R::is_bf16, R::kChunk, R::way;
  using typename R::Body;
  static constexpr std::index_sequence_for<X...> all{};

  const Body body;
  const AttrValue* attrs;

  HalfChunk(const Body& b, const AttrValue* a) : body(b), attrs(a) {}

  // n results, whole blocks of at most kChunk. Operands are as operands.h says.
  template <class... P>
  TILEOPS_INLINE void compute(S* y, size_t n, bool non_temporal, P... x) const {
    compute(y, n, non_temporal, all, x...);
  }

 private:
  template <size_t... I, class... P>
  TILEOPS_INLINE void compute(S* y, size_t n, bool non_temporal, std::index_sequence<I...>, P... x) const {
    if constexpr (way == Way::residual) {
      if (__builtin_expect(by_residual(y, non_temporal, x...), 1)) return;
      return to_odd_apart(y, non_temporal, all, x...);
    }
    alignas(64) float wide[sizeof...(X)][kChunk], result[kChunk];
    (widen_blocks(x, n, wide[I]), ...);
    if constexpr (way == Way::twice) {
      if (__builtin_expect(by_twice(y, non_temporal, static_cast<const float*>(wide[I])...), 1)) return;
    }
    if constexpr (way == Way::approximate) approximate(result, n, static_cast<const float*>(wide[I])...);
    else if constexpr (way == Way::to_odd) odd_loop(body, result, n, static_cast<const float*>(wide[I])...);
    else dense_loop(body, result, n, static_cast<const float*>(wide[I])...);

    if constexpr (way == Way::unless_tie || (way == Way::approximate && R::unless != 0)) {
      static_assert(R::light);
      constexpr bool untied = way == Way::unless_tie || R::unless_tie_too || Body::approx_untied;
      if (__builtin_expect(!suspicious(result), 1))
        return narrow_blocks<untied ? Values::untied : Values::numbers>(result, n, y, non_temporal);
      constexpr bool exactly = Body::has_round_to_odd || Body::rounds_once;
      if constexpr (!exactly && Body::right_if_untied) return without_approx(y, n, x...);
      // The rare case is a function of its own: AVX2 has sixteen registers, and the loop needs them all.
      if constexpr (R::unless_tie_too) return to_odd_apart(y, non_temporal, all, x...);
      if constexpr (exactly) odd_loop(body, result, n, static_cast<const float*>(wide[I])...);
      else dense_loop(body, result, n, static_cast<const float*>(wide[I])...);
    }
    if constexpr (way == Way::tested) tested(y, n, non_temporal, wide, result, static_cast<const float*>(wide[I])...);
    else narrow_blocks<R::values>(result, n, y, non_temporal);
    if constexpr (has_rare_v<Body>) {
      const bool any = any_rare(body, n, static_cast<const float*>(wide[I])...);
      for (size_t i = 0; any && i < n; ++i)
        if (body.rare(wide[I][i]...)) again(y, i, all, wide);
    }
  }

  template <class... F>
  TILEOPS_INLINE void tested(S* y, size_t n, bool non_temporal, const float (*wide)[kChunk], float* result,
                             const F*... x) const {
    if constexpr (R::untied) {
      constexpr Values sure = is_bf16 ? Values::untied : Values::any;  // f16 may have NaNs
      if (__builtin_expect(!any_tie_of(result, n), 1)) return narrow_blocks<sure>(result, n, y, non_temporal);
    }
    if constexpr (R::light) {
      const device::u32 mask = rounding_test_mask<S>(result, n, R::error);
      narrow_blocks<Values::any>(result, n, y, non_temporal);
      if (__builtin_expect(mask == 0, 1)) return;
      if constexpr (Body::to_odd_if_near_tie) {
        odd_loop(body, result, n, x...);
        narrow_blocks<Values::any>(result, n, y, non_temporal);
      } else {
        again_masked(y, mask, all, wide);
      }
    } else {
      device::u16 where[kChunk];
      const size_t count = list_failing<S>(result, n, R::error, where);
      narrow_blocks<Values::any>(result, n, y, non_temporal);
      for (size_t c = 0; __builtin_expect(c < count, 0); ++c) again(y, where[c], all, wide);
    }
  }

  template <size_t... I, class... P>
  __attribute__((noinline)) void to_odd_apart(S* y, bool non_temporal, std::index_sequence<I...>, P... x) const {
    alignas(64) float wide[sizeof...(X)][kChunk], result[kChunk];
    (widen_blocks(x, kChunk, wide[I]), ...);
    odd_loop(body, result, kChunk, static_cast<const float*>(wide[I])...);
    narrow_blocks<Values::any>(result, kChunk, y, non_temporal);
  }

  // A chunk, which is one block.
  template <class... P>
  TILEOPS_INLINE bool by_residual(S* y, bool non_temporal, P... x) const {
#if TILEOPS_LANES == 8
    static_assert(kChunk == kHalves);
    return block_by_residual(body, y, non_temporal, x...);
#else
    return false;
#endif
  }

  // For a chunk without special results.
  template <class... F>
  TILEOPS_INLINE bool by_twice([[maybe_unused]] S* y, [[maybe_unused]] bool non_temporal,
                               [[maybe_unused]] const F*... x) const {
#if TILEOPS_LANES
    alignas(64) float result[kHalves];
    alignas(64) S block[kHalves];
    for (size_t i = 0; i < kHalves; i += TILEOPS_LANES) body.approx_twice(f32_lanes::load(x + i)...).store(result + i);
    narrow_untied_halves(result, block);
    if (any_negative_or_huge(block)) return false;
    store_block(block, y, non_temporal);
#endif
    return true;
  }

  template <class... F>
  TILEOPS_INLINE void approximate(float* y, size_t n, const F*... x) const {
#if TILEOPS_LANES
    const auto approx_of = [this](auto... v) {
      if constexpr (Body::has_approx_f16 && !is_bf16) return body.approx_f16(v...);
      else return body.approx(v...);
    };
    for (size_t i = 0; i < n; i += TILEOPS_LANES) approx_of(f32_lanes::load(x + i)...).store(y + i);
#endif
  }
  template <class... P>
  __attribute__((noinline)) void without_approx(S* y, size_t n, P... x) const {
    static_assert(sizeof...(X) == 1, "of one operand, which is a pointer");
    HalfLoop<BodyT, S, ulp, false, X...>(body, attrs, false).run(y, n, x...);
  }

  TILEOPS_INLINE bool suspicious(const float* result) const {
#if TILEOPS_LANES
    if constexpr (way == Way::unless_tie) return any_tie<S>(result);
    else if constexpr (R::unless_tie_too) return any_of_kind<R::unless>(result) || any_tie<S>(result);
    else return any_of_kind<R::unless>(result);
#else
    return false;
#endif
  }
  TILEOPS_INLINE bool any_tie_of([[maybe_unused]] const float* result, [[maybe_unused]] size_t n) const {
    bool any = false;
#if TILEOPS_LANES == 16
    for (size_t i = 0; i < n; i += kHalves) any |= any_tie<S>(result + i);
#endif
    return any;
  }

  template <size_t... I>
  __attribute__((noinline)) void again_masked(S* y, device::u32 mask, std::index_sequence<I...>,
                                              const float (*wide)[kChunk]) const {
    for (; mask != 0; mask &= mask - 1) again(y, static_cast<size_t>(__builtin_ctz(mask)), all, wide);
  }
  template <size_t... I>
  TILEOPS_INLINE void again(S* y, size_t place, std::index_sequence<I...>, const float (*wide)[kChunk]) const {
    y[element_at<S>(place)] = device::convert<S>(recomputed<BodyT>(attrs, static_cast<double>(wide[I][place])...));
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
