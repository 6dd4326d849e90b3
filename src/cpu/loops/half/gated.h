// act(gate) * value of 16-bit floats with act(gate) looked up in a table of 65536 f32. The lookups keep the load
// and store units busy and leave those for vectors to the rest; the gates that a tensor really has fill a small
// part of the table. It takes half the time of computing gelu.
#pragma once

#include "cpu/loops/half/chunk.h"
#include "cpu/loops/turns.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

template <template <class, class> class BodyT, class S, int ulp>
struct GatedLoop {
  using Body = form<BodyT<device::portable_approx, float>>;
  // So many that the results of lookups have left the store buffer when they are read as vectors.
  static constexpr size_t kChunk = 256;
  static constexpr int error = ulp + 1;

  const AttrValue* attrs;
  const float* table;
  const bool non_temporal;  // past the cache

  void run(S* y, size_t n, const S* gate, const S* value) const {
    size_t i = 0;
    if (non_temporal) {
      i = before_line(y, n);
      if (i) tail(y, i, gate, value);
    }
    alignas(64) float looked_up[2][kChunk];
    size_t now = 0;
    if (i + kChunk <= n) look_up(gate + i, kChunk, looked_up[now]);
    for (; i + kChunk <= n; i += kChunk, now ^= 1) {
      const bool more = i + 2 * kChunk <= n;
      for (size_t b = 0; b < kChunk; b += kHalves) {
        const size_t at = i + b;
        if (non_temporal) {
          prefetch<kHalves>(gate + at + kChunk);
          prefetch<kHalves>(value + at);
        }
        if (more) look_up_block(gate + at + kChunk, looked_up[now ^ 1] + b);
        block(y + at, non_temporal, looked_up[now] + b, gate + at, value + at);
      }
    }
    if (i < n) tail(y + i, n - i, gate + i, value + i);
  }

  // NaN stands for what takes a second look. In f16 the results that need one round to 0, or come from an infinite
  // value and are NaN anyway.
  static void fill(float* table, const AttrValue* attrs) {
    const Body body(attrs);
    for (device::u32 code = 0; code < 65536; ++code) {
      const float gate = device::widen(S{static_cast<device::u16>(code)});
      const bool rare = device::same_v<S, device::bf16> && body.rare(gate, 2.0f);
      table[code] = rare ? __builtin_nanf("") : body.activated(gate);
    }
  }

 private:
  // Filled up with zeros to whole blocks.
  __attribute__((noinline)) void tail(S* y, size_t n, const S* gate, const S* value) const {
    S gates[kChunk] = {}, values[kChunk] = {}, out[kChunk];
    alignas(64) float looked_up[kChunk];
    __builtin_memcpy(gates, gate, n * sizeof(S));
    __builtin_memcpy(values, value, n * sizeof(S));
    look_up(gates, kChunk, looked_up);
    for (size_t b = 0; b < n; b += kHalves) block(out + b, false, looked_up + b, gates + b, values + b);
    __builtin_memcpy(y, out, n * sizeof(S));
  }

  TILEOPS_INLINE void look_up(const S* gate, size_t n, float* to) const {
    for (size_t b = 0; b < n; b += kHalves) look_up_block(gate + b, to + b);
  }
  // The results of a block, in the order of widen_block, two a store.
  TILEOPS_INLINE void look_up_block(const S* gate, float* to) const {
    look_up_pairs(gate, to, std::make_index_sequence<kHalves / 2>{});
  }
  template <size_t... I>
  TILEOPS_INLINE void look_up_pairs(const S* gate, float* to, std::index_sequence<I...>) const {
    (look_up_pair(gate[element_at<S>(2 * I)], gate[element_at<S>(2 * I + 1)], to + 2 * I), ...);
  }
  // The empty instruction keeps g++ 12 from building vectors out of results, or loading codes as vectors and taking
  // them apart: that takes the port for shuffles twice as long as all of this.
  TILEOPS_INLINE void look_up_pair(S first, S second, float* to) const {
    device::u64 pair = result_bits(first) | result_bits(second) << 32;
    __asm__("" : "+r"(pair));
    __builtin_memcpy(to, &pair, sizeof pair);
  }
  TILEOPS_INLINE device::u64 result_bits(S gate) const { return device::to_bits(table[gate.bits]); }

  TILEOPS_INLINE void block(S* y, bool non_temporal, const float* activated, const S* gate, const S* value) const {
    alignas(64) float result[kHalves];
    widen_block(value, result);
#pragma omp simd
    for (size_t i = 0; i < kHalves; ++i) result[i] *= activated[i];
    const device::u32 again = rounding_test_mask<S>(result, kHalves, error) | nan_mask(result, kHalves);
    if (__builtin_expect(again != 0, 0)) return recompute(y, result, again, gate, value);
    narrow_blocks<Values::any>(result, kHalves, y, non_temporal);
  }

  // All is computed before anything is stored, since y may be the memory of an operand.
  __attribute__((noinline)) void recompute(S* y, const float* result, device::u32 places, const S* gate,
                                           const S* value) const {
    alignas(64) S out[kHalves];
    narrow_blocks<Values::any>(result, kHalves, out, false);
    for (; places != 0; places &= places - 1) {
      const size_t i = element_at<S>(static_cast<size_t>(__builtin_ctz(places)));
      const double g = device::widen(gate[i]), v = device::widen(value[i]);
      if (g == g && v == v) out[i] = device::convert<S>(recomputed<BodyT>(attrs, g, v));
    }
    __builtin_memcpy(y, out, sizeof out);
  }
};

template <template <class, class> class BodyT, int ulp>
struct Gated {
  template <class S>
  static void run(const void* const* in, void* const* out, size_t n, const AttrValue* attrs, How how) {
    const GatedLoop<BodyT, S, ulp> loop{attrs, static_cast<const float*>(in[2]), how.non_temporal};
    loop.run(static_cast<S*>(out[0]), n, static_cast<const S*>(in[0]), static_cast<const S*>(in[1]));
  }
  template <class S>
  static void add_loop(Kernel* k) {
    add(k, {Loop::gated, elements_of<S>, true}, &run<S>);
    add(k, {Loop::gate_table, elements_of<S>}, &GatedLoop<BodyT, S, ulp>::fill);
  }
  static void add_to(Kernel* k) {
    add_loop<device::f16>(k);
    add_loop<device::bf16>(k);
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
