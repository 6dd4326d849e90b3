// Loops of f32 bodies over 16-bit floats: widen, compute, round once, chunk by chunk. A result within
// its error of a tie is computed again in f64. No second look is needed at exact results, at those
// rounded to odd, nor at those of a single operation (ulp 0): rounding twice is innocent there
// (24 >= 2p + 2). Some bodies need no f32: they work on codes. Vector registers have short forms of others
// (approx(...), or one rounding where two might differ), wrong for few inputs, which one look at a chunk's results
// finds.
#pragma once

#include "cpu/forms/form.h"
#include "cpu/loops/dense.h"
#include "cpu/simd/halves.h"
#include "cpu/simd/residual_avx2.h"
#include "cpu/simd/round_to_odd.h"
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

// `may_approximate`: may approx(...) be used, if the body has it?
template <template <class, class> class BodyT, class S, int ulp, bool may_approximate, class... X>
struct HalfLoop {
  using Body = form<BodyT<device::portable_approx, float>>;
  static constexpr bool is_bf16 = device::same_v<S, device::bf16>;
  static constexpr bool wide_lanes = TILEOPS_LANES == 16;
  static constexpr bool twice = TILEOPS_LANES != 0 && is_bf16 && Body::has_approx_twice;
  static constexpr bool by_residual = TILEOPS_LANES == 8 && (is_bf16 ? Body::has_residual : Body::has_residual_f16);
  // With AVX2 the approximations that need no rounding of their own, nor more registers than it has.
  static constexpr bool approx_of_8 = TILEOPS_LANES == 8 && !Body::right_if_untied && !Body::has_approx_condition &&
                                      (is_bf16 || !Body::has_instruction);
  static constexpr bool approximate = twice || ((wide_lanes || approx_of_8) && may_approximate && Body::has_approx &&
                                                (is_bf16 || Body::approx_serves_f16));
  // What a chunk's results are looked at for. Subnormal numbers of f32 are 0 in f16.
  static constexpr int unless = is_bf16 ? Body::approx_unless : Body::approx_unless & ~kSubnormal;
  static constexpr bool checks_kinds = approximate && !twice && unless != 0;
  static constexpr bool checks_ties = TILEOPS_LANES != 0 && !approximate && is_bf16 && Body::rounds_once;
  // AVX2's approximations of what has round_to_odd(...) round once, to nearest.
  static constexpr bool checks_both = approx_of_8 && checks_kinds && Body::has_round_to_odd && !Body::approx_untied;
  static constexpr bool once = approximate || (ulp == 0 && !Body::has_round_to_odd) || Body::exact ||
                               Body::representable || (is_bf16 ? Body::exact_bf16 : Body::exact_f16) || checks_ties ||
                               Body::selects;
  static constexpr bool odd = !once && ((Body::has_round_to_odd && !Body::to_odd_if_near_tie) ||
                                        ((wide_lanes || by_residual) && Body::rounds_once));
  static constexpr bool single = once || odd;
  static constexpr Values values = Body::representable || Body::selects ? Values::representable : Values::any;
  // A light body's chunk stays in registers; a dear one's list of results that fail the rounding test is made for more.
  // 64 is the fastest of 32 to 256.
  static constexpr bool light = (single || Body::cheap) && !has_rare_v<Body>;
  static constexpr size_t kChunk = light ? kHalves : 64;
  static constexpr bool untied = wide_lanes && Body::right_if_untied && !single && !light;
  static_assert(!untied || !has_rare_v<Body>);
  // Takes no longer than a lookup.
  static constexpr bool quick = Body::simd_unroll != 0 && (untied || (approximate && Body::right_if_untied));
  static constexpr int error = ulp + 1;  // approximate forms of formulas may be as much worse

  const Body body;
  const AttrValue* attrs;
  const bool non_temporal;  // past the cache

  // Operands are pointers or Same.
  template <class... P>
  void run(S* y, size_t n, P... x) const {
    size_t i = 0;
    if (non_temporal) {
      i = before_line(y, n);
      if (i) tail(y, i, std::index_sequence_for<X...>{}, x...);
    }
    if constexpr (has_bits_v<Body> || Body::has_codes) {
      for (; non_temporal && i + kHalves <= n; i += kHalves) {
        alignas(64) S block[kHalves];
        prefetch_all<kHalves>(x + i...);
        bits_loop(block, kHalves, (x + i)...);
        put_block(block, y + i);
      }
      constexpr size_t kTurn = 4 * kHalves;  // as in light_loop
      for (; i + kTurn <= n; i += kTurn) bits_loop(y + i, kTurn, (x + i)...);
      return bits_loop(y + i, n - i, (x + i)...);
    }
    const auto turns = [&](auto non_temporal) {
      for (; i + kChunk <= n; i += kChunk) turn(y + i, non_temporal, (x + i)...);
    };
    // Two loops, so that each has its constants in registers: in one, g++ 12 makes AVX-512's anew in every turn with
    // non-temporal stores.
    if (!wide_lanes) turns(non_temporal);
    else if (non_temporal) turns(std::true_type());
    else turns(std::false_type());
    if (i < n) tail(y + i, n - i, std::index_sequence_for<X...>{}, (x + i)...);
  }

  // One chunk; `past` the cache to whole lines.
  template <class... P>
  TILEOPS_INLINE void turn(S* y, bool non_temporal, P... x) const {
    if (non_temporal) prefetch_all<kChunk>(x...);
    chunk(y, kChunk, non_temporal, std::index_sequence_for<X...>{}, x...);
  }

 private:
  template <class... P>
  TILEOPS_INLINE void bits_loop(S* y, size_t n, P... x) const {
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
    filled(y, n, in);
  }
  __attribute__((noinline)) void filled(S* y, size_t n, const S (*in)[kChunk]) const {
    S out[kChunk];
    within(out, kChunk == kHalves ? kHalves : (n + kHalves - 1) / kHalves * kHalves, in,
           std::index_sequence_for<X...>{});
    __builtin_memcpy(y, out, n * sizeof(S));
  }
  template <size_t... I>
  TILEOPS_INLINE void within(S* y, size_t n, const S (*in)[kChunk], std::index_sequence<I...> all) const {
    chunk(y, n, false, all, in[I]...);
  }

  template <size_t... I, class... P>
  TILEOPS_INLINE void chunk(S* y, size_t n, bool non_temporal, std::index_sequence<I...> all, P... x) const {
    if constexpr (by_residual) {
      if (__builtin_expect(block_by_residual_of(y, non_temporal, x...), 1)) return;
      return odd_chunk(y, non_temporal, all, x...);
    }
    alignas(64) float wide[sizeof...(X)][kChunk], result[kChunk];
    (widen_blocks(x, n, wide[I]), ...);
    if constexpr (twice) {
      if (__builtin_expect(twice_loop(y, non_temporal, static_cast<const float*>(wide[I])...), 1)) return;
    }
    if constexpr (approximate && !twice) approx_loop(result, n, static_cast<const float*>(wide[I])...);
    else if constexpr (odd) odd_loop(body, result, n, static_cast<const float*>(wide[I])...);
    else dense_loop(body, result, n, static_cast<const float*>(wide[I])...);
    if constexpr (checks_kinds || checks_ties) {
      static_assert(light);
      constexpr Values sure = checks_ties || checks_both || Body::approx_untied ? Values::untied : Values::numbers;
      if (__builtin_expect(!suspicious(result), 1)) return narrow_blocks<sure>(result, n, y, non_temporal);
      constexpr bool exactly = Body::has_round_to_odd || Body::rounds_once;
      if constexpr (!exactly && approximate && Body::right_if_untied) return without_approx(y, n, x...);
      // The rare case is a function of its own: AVX2 has sixteen registers, and the loop needs them all.
      if constexpr (checks_both) return odd_chunk(y, non_temporal, all, x...);
      if constexpr (exactly) odd_loop(body, result, n, static_cast<const float*>(wide[I])...);
      else dense_loop(body, result, n, static_cast<const float*>(wide[I])...);
    }
    if constexpr (untied) {
      constexpr Values sure = is_bf16 ? Values::untied : Values::any;  // f16 may have NaNs
      if (__builtin_expect(!any_tie_of(result, n), 1)) return narrow_blocks<sure>(result, n, y, non_temporal);
    }
    if constexpr (single) {
      narrow_blocks<values>(result, n, y, non_temporal);
    } else if constexpr (light) {
      const device::u32 mask = rounding_test_mask<S>(result, n, error);
      narrow_blocks<Values::any>(result, n, y, non_temporal);
      if constexpr (Body::to_odd_if_near_tie) {
        if (__builtin_expect(mask != 0, 0)) {
          odd_loop(body, result, n, static_cast<const float*>(wide[I])...);
          narrow_blocks<Values::any>(result, n, y, non_temporal);
        }
      } else {
        if (__builtin_expect(mask != 0, 0)) again_masked(y, mask, all, wide);
      }
    } else {
      device::u16 where[kChunk];
      const size_t count = list_failing<S>(result, n, error, where);
      narrow_blocks<Values::any>(result, n, y, non_temporal);
      for (size_t c = 0; __builtin_expect(c < count, 0); ++c) again(y, where[c], all, wide);
    }
    if constexpr (has_rare_v<Body>) {
      const bool any = any_rare(body, n, static_cast<const float*>(wide[I])...);
      for (size_t i = 0; any && i < n; ++i)
        if (body.rare(wide[I][i]...)) again(y, i, all, wide);
    }
  }

  template <size_t... I, class... P>
  __attribute__((noinline)) void odd_chunk(S* y, bool non_temporal, std::index_sequence<I...>, P... x) const {
    alignas(64) float wide[sizeof...(X)][kChunk], result[kChunk];
    (widen_blocks(x, kChunk, wide[I]), ...);
    odd_loop(body, result, kChunk, static_cast<const float*>(wide[I])...);
    narrow_blocks<Values::any>(result, kChunk, y, non_temporal);
  }

  // A chunk, which is one block.
  template <class... P>
  TILEOPS_INLINE bool block_by_residual_of(S* y, bool non_temporal, P... x) const {
#if TILEOPS_LANES == 8
    static_assert(kChunk == kHalves);
    return block_by_residual(body, y, non_temporal, x...);
#else
    return false;
#endif
  }

  // For a chunk without special results.
  template <class... A>
  TILEOPS_INLINE bool twice_loop([[maybe_unused]] S* y, [[maybe_unused]] bool non_temporal,
                                 [[maybe_unused]] const A*... x) const {
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

  TILEOPS_INLINE bool any_tie_of([[maybe_unused]] const float* result, [[maybe_unused]] size_t n) const {
    bool any = false;
#if TILEOPS_LANES == 16
    for (size_t i = 0; i < n; i += kHalves) any |= any_tie<S>(result + i);
#endif
    return any;
  }

  TILEOPS_INLINE bool suspicious(const float* result) const {
#if TILEOPS_LANES
    if constexpr (checks_both) return any_of_kind<unless>(result) || any_tie<S>(result);
    else if constexpr (checks_kinds) return any_of_kind<unless>(result);
    else return any_tie<S>(result);
#else
    return false;
#endif
  }

  template <class... F>
  TILEOPS_INLINE void approx_loop(float* y, size_t n, const F*... x) const {
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
    HalfLoop<BodyT, S, ulp, false, X...>{body, attrs, false}.run(y, n, x...);
  }

  template <size_t... I>
  __attribute__((noinline)) void again_masked(S* y, device::u32 mask, std::index_sequence<I...> all,
                                              const float (*wide)[kChunk]) const {
    for (; mask != 0; mask &= mask - 1) again(y, static_cast<size_t>(__builtin_ctz(mask)), all, wide);
  }

  template <size_t... I>
  TILEOPS_INLINE void again(S* y, size_t place, std::index_sequence<I...>, const float (*wide)[kChunk]) const {
    y[element_at<S>(place)] = device::convert<S>(recomputed<BodyT>(attrs, static_cast<double>(wide[I][place])...));
  }
};

// Half-precision loops exist for f32 bodies of one f32 result and f32 operands. Bodies with a rare path say
// that they want one (gated; sin and remainder are better off in blocks).
template <template <class, class> class BodyT, int ulp>
struct HalfKernels {
  using Plain = BodyT<device::portable_approx, float>;
  using Body = form<Plain>;
  using Signature = device::signature_of<Plain>;
  template <class... A>
  struct For {
    static constexpr bool possible = all_v<float, typename Signature::result, A...> &&
                                     (!has_rare_v<Body> || Body::rare_in_half_loop) && sizeof...(A) <= 3;
    template <class S, class>
    using Half = S;
    template <class S>
    static TILEOPS_INLINE Body body_of(const AttrValue* attrs) {
      if constexpr (Body::selects) return Body(attrs).template with_attributes_in<S>();
      else return Body(attrs);
    }
    template <class S, size_t... I>
    static TILEOPS_INLINE void call(const void* const* in, void* const* out, size_t n, const AttrValue* attrs,
                                    bool non_temporal, std::index_sequence<I...>) {
      const Body body = body_of<S>(attrs);
      const auto run = [&](auto may) {
        const HalfLoop<BodyT, S, ulp, decltype(may)::value, Half<S, A>...> loop{body, attrs, non_temporal};
        loop.run(static_cast<S*>(out[0]), n, static_cast<const S*>(in[I])...);
      };
      if constexpr (Body::has_approx_condition && TILEOPS_LANES == 16 && device::same_v<S, device::bf16>) {
        if (!body.approx_holds()) return run(std::false_type());
      }
      run(std::true_type());
    }
    template <class S>
    static void run(const void* const* in, void* const* out, size_t n, const AttrValue* attrs, How how) {
      call<S>(in, out, n, attrs, how.non_temporal, std::index_sequence_for<A...>{});
    }
    template <class S>
    static void add_loop(Kernel* k) {
      constexpr bool quick = HalfLoop<BodyT, S, ulp, true, Half<S, A>...>::quick;
      add(k, {Loop::dense, elements_of<S>, true, quick}, &run<S>);
    }
    static void add_to(Kernel* k) {
      if constexpr (possible) {
        add_loop<device::f16>(k);
        add_loop<device::bf16>(k);
      }
    }
  };
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
