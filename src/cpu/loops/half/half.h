// Kernels over 16-bit floats: of all that f32 bodies have, what goes through HalfLoop.
#pragma once

#include "cpu/loops/half/loop.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// Of f32 bodies of one f32 result and at most three f32 operands. Bodies with a rare path say that they want one
// (gated; sin and remainder are better off in blocks).
template <template <class, class> class BodyT, int ulp>
struct HalfKernels {
  using Plain = BodyT<device::portable_approx, float>;
  using Body = form<Plain>;
  using Signature = device::signature_of<Plain>;

  template <class... A>
  struct Dense {
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
        const HalfLoop<BodyT, S, ulp, decltype(may)::value, Half<S, A>...> loop(body, attrs, non_temporal);
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
    static void add_to(Kernel* k) {
      if constexpr (possible)
        add(k, {Loop::dense, elements_of<S>, true, HalfRounding<BodyT, S, ulp, true>::quick}, &run<S>);
    }
  };

  // ---- Rows of two operands in memory, of which one is one value per row, or the second one row for all, without
  // copies of it

  template <class S>
  static TILEOPS_INLINE const S* row_of(const void* first, size_t row, ptrdiff_t step) {
    return reinterpret_cast<const S*>(static_cast<const char*>(first) + static_cast<ptrdiff_t>(row) * step);
  }

  // Operand `same` - 1 is one value per row.
  template <class S, int same>
  static void run_rows(const Rows& r, const AttrValue* attrs) {
    const HalfLoop<BodyT, S, ulp, true, S, S> loop(Body(attrs), attrs, r.non_temporal);
    for (size_t row = 0; row < r.rows; ++row) {
      const S* a = row_of<S>(r.in[0], row, r.in_step[0]);
      const S* b = row_of<S>(r.in[1], row, r.in_step[1]);
      S* y = const_cast<S*>(row_of<S>(r.out, row, r.out_step));
      if constexpr (same == 1) loop.run(y, r.cols, Same<S>{*a}, b);
      else loop.run(y, r.cols, a, Same<S>{*b});
    }
  }

  // Operand 2 is one row for all, of whole chunks and lines.
  template <class S>
  static void run_shared(const Rows& r, const AttrValue* attrs) {
    using OfTwo = HalfLoop<BodyT, S, ulp, true, S, S>;
    const OfTwo loop(Body(attrs), attrs, r.non_temporal);
    const S* shared = static_cast<const S*>(r.in[1]);
    alignas(64) float wide[kSharedRow];
    widen_blocks(shared, r.cols, wide);
    const auto each = [&, n = r.rows](const auto& run_row) {
      for (size_t row = 0; row < n; ++row)
        run_row(const_cast<S*>(row_of<S>(r.out, row, r.out_step)), row_of<S>(r.in[0], row, r.in_step[0]));
    };
    const auto turns = [&, cols = r.cols](auto non_temporal) {
      each([&](S* y, const S* x) {
        for (size_t i = 0; i < cols; i += OfTwo::kChunk) loop.turn(y + i, non_temporal, x + i, Widened{wide + i});
      });
    };
    const bool lines = (reinterpret_cast<uintptr_t>(r.out) | static_cast<uintptr_t>(r.out_step)) % kLine == 0;
    if (!r.non_temporal) turns(std::false_type());
    else if (lines) turns(std::true_type());
    else each([&](S* y, const S* x) { loop.run(y, r.cols, x, shared); });
  }

  template <class S>
  static void add_rows(Kernel* k) {
    constexpr Elements elements = elements_of<S>;
    // With AVX2 f16 takes longer so, in cache.
    if constexpr (TILEOPS_LANES == 16) add(k, {Loop::rows, elements}, &run_shared<S>);
    add(k, {Loop::rows_of_first, elements}, &run_rows<S, 1>);
    add(k, {Loop::rows_of_second, elements}, &run_rows<S, 2>);
  }

  // `light`: a few instructions.
  template <class S, bool light>
  static void add_to(Kernel* k) {
    Signature::template args<Dense>::template add_to<S>(k);
    constexpr bool floats = device::same_v<typename Signature::result, float>;
    // Rows where there are vector registers to fill.
    if constexpr (light && Signature::num_loads == 2 && TILEOPS_LANES != 0 && floats && !has_rare_v<Body>) {
      static_assert(!Body::selects && !Body::has_approx_condition);
      add_rows<S>(k);
    }
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
