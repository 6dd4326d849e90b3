// Half-precision loops over rows of 16-bit floats in memory, of two operands of which one is one value per row, or the
// second one row for all, without copies of it.
#pragma once

#include "cpu/loops/half.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// Elements of a row that all rows share, as f32.
struct Widened {
  const float* p;
};
TILEOPS_INLINE void widen_blocks(Widened x, size_t n, float* dst) {
  for (size_t i = 0; i < n; i += 16) __builtin_memcpy(dst + i, x.p + i, 64);  // in registers: not one copy of all
}
template <size_t kTurn, size_t kAhead>
TILEOPS_INLINE void prefetch(Widened) {}

template <template <class, class> class BodyT, int ulp>
struct HalfRows {
  using Plain = BodyT<device::portable_approx, float>;
  using Body = form<Plain>;

  template <class S>
  static TILEOPS_INLINE const S* row_of(const void* first, size_t row, ptrdiff_t step) {
    return reinterpret_cast<const S*>(static_cast<const char*>(first) + static_cast<ptrdiff_t>(row) * step);
  }

  // Operand `same` - 1 is one value per row.
  template <class S, int same>
  static void run(const Rows& r, const AttrValue* attrs) {
    const HalfLoop<BodyT, S, ulp, true, S, S> loop{Body(attrs), attrs, r.non_temporal};
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
    using Loop = HalfLoop<BodyT, S, ulp, true, S, S>;
    const Loop loop{Body(attrs), attrs, r.non_temporal};
    const S* shared = static_cast<const S*>(r.in[1]);
    alignas(64) float wide[kSharedRow];
    widen_blocks(shared, r.cols, wide);
    const auto each = [&, n = r.rows](const auto& run_row) {
      for (size_t row = 0; row < n; ++row)
        run_row(const_cast<S*>(row_of<S>(r.out, row, r.out_step)), row_of<S>(r.in[0], row, r.in_step[0]));
    };
    const auto turns = [&, cols = r.cols](auto non_temporal) {
      each([&](S* y, const S* x) {
        for (size_t i = 0; i < cols; i += Loop::kChunk) loop.turn(y + i, non_temporal, x + i, Widened{wide + i});
      });
    };
    const bool lines = (reinterpret_cast<uintptr_t>(r.out) | static_cast<uintptr_t>(r.out_step)) % kLine == 0;
    if (!r.non_temporal) turns(std::false_type());
    else if (lines) turns(std::true_type());
    else each([&](S* y, const S* x) { loop.run(y, r.cols, x, shared); });
  }

  template <class S>
  static void add_loops(Kernel* k) {
    constexpr Elements elements = elements_of<S>;
    // With AVX2 f16 takes longer so, in cache.
    if constexpr (TILEOPS_LANES == 16) add(k, {Loop::rows, elements}, &run_shared<S>);
    add(k, {Loop::rows_of_first, elements}, &run<S, 1>);
    add(k, {Loop::rows_of_second, elements}, &run<S, 2>);
  }
  // Where there are vector registers to fill.
  static void add_to(Kernel* k) {
    constexpr bool floats = device::same_v<typename device::signature_of<Plain>::result, float>;
    if constexpr (TILEOPS_LANES != 0 && floats && !has_rare_v<Body>) {
      static_assert(!Body::selects && !Body::has_approx_condition);
      add_loops<device::f16>(k);
      add_loops<device::bf16>(k);
    }
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
