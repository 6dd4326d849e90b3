// Loops for steps of an expression: operands and result are f32, or 16-bit floats of one dtype as they lie in memory,
// which are widened and plainly rounded in registers. One loop for all combinations: a block is long enough that
// asking for each operand's form costs little.
#pragma once

#include "cpu/loops/dense.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// As many as stay in registers between the conversions and the body.
constexpr size_t kMixedBlock = 32;

// A block of floats in registers, each converted where it is needed.
template <class S>
TILEOPS_INLINE void take_block(const void* x, bool wide, size_t at, float* to) {
  const float* floats = static_cast<const float*>(x) + at;
  const S* halves = static_cast<const S*>(x) + at;
#if TILEOPS_LANES
  constexpr size_t kRegisters = kMixedBlock / TILEOPS_LANES;
  using Block = device::f32s<kRegisters>;
  const auto widened = [=](size_t i) __attribute__((always_inline)) { return widen_lanes(halves + i * TILEOPS_LANES); };
  const Block block = wide ? Block::load(floats) : device::each<Block, kRegisters>(widened);
  block.store(to);
#else
  if (wide) __builtin_memcpy(to, floats, kMixedBlock * sizeof(float));
  else widen_dense(halves, kMixedBlock, to);
#endif
}

template <class S>
TILEOPS_INLINE void narrow_mixed(const float* result, S* to) {
#if TILEOPS_LANES
  static_assert(kMixedBlock % (2 * TILEOPS_LANES) == 0);
  for (size_t i = 0; i < kMixedBlock; i += 2 * TILEOPS_LANES)
    narrow_two(f32_lanes::load(result + i), f32_lanes::load(result + i + TILEOPS_LANES), to + i);
#else
  narrow_dense(result, kMixedBlock, to);
#endif
}

template <class S>
TILEOPS_INLINE void put_mixed(const float* result, void* y, bool wide, bool non_temporal, size_t at) {
  float* floats = static_cast<float*>(y) + at;
  S* halves = static_cast<S*>(y) + at;
  if (non_temporal) {
    static_assert(kMixedBlock * sizeof(S) % kLine == 0);
    if (wide) return put_lines(floats, result, kMixedBlock * sizeof(float));
    alignas(64) S block[kMixedBlock];
    narrow_mixed(result, block);
    return put_lines(halves, block, sizeof block);
  }
  if (!wide) return narrow_mixed(result, halves);
#if TILEOPS_LANES
  for (size_t i = 0; i < kMixedBlock; i += TILEOPS_LANES) f32_lanes::load(result + i).store(floats + i);
#else
  __builtin_memcpy(floats, result, kMixedBlock * sizeof(float));
#endif
}

template <class S, class Body, size_t... I>
TILEOPS_INLINE void mixed_loop(const Body& body, const void* const* in, void* y, size_t n, How how,
                               std::index_sequence<I...>) {
  const void* const x[] = {in[I]...};
  const bool wide[] = {how.elements[I] == Elements::own..., how.elements[sizeof...(I)] == Elements::own};
  for (size_t i = 0; i < n; i += kMixedBlock) {
    alignas(64) float block[sizeof...(I)][kMixedBlock], result[kMixedBlock];
    (take_block<S>(x[I], wide[I], i, block[I]), ...);
    dense_loop(body, result, kMixedBlock, static_cast<const float*>(block[I])...);
    put_mixed<S>(result, y, wide[sizeof...(I)], how.non_temporal, i);
  }
}

// Works on whole blocks; the rest of an array is filled up with zeros to one.
template <class S, class Body, int operands>
TILEOPS_INLINE void mixed_of(const void* const* in, void* y, size_t n, const AttrValue* attrs, How how) {
  constexpr std::make_index_sequence<operands> all;
  const Body body(attrs);
  const size_t whole = n / kMixedBlock * kMixedBlock, rest = n - whole;
  mixed_loop<S>(body, in, y, whole, how, all);
  if (rest == 0) return;
  alignas(64) unsigned char padded[operands + 1][kMixedBlock * sizeof(float)] = {};
  const void* from[operands];
  const auto size = [how](int k) { return how.elements[k] == Elements::own ? sizeof(float) : sizeof(S); };
  for (int k = 0; k < operands; ++k) {
    __builtin_memcpy(padded[k], static_cast<const char*>(in[k]) + whole * size(k), rest * size(k));
    from[k] = padded[k];
  }
  mixed_loop<S>(body, from, padded[operands], kMixedBlock, {false, how.elements}, all);
  __builtin_memcpy(static_cast<char*>(y) + whole * size(operands), padded[operands], rest * size(operands));
}

template <class Body, int operands>
void run_mixed(const void* const* in, void* const* out, size_t n, const AttrValue* attrs, How how) {
  bool bf16 = false;
  for (int k = 0; k <= operands; ++k) bf16 |= how.elements[k] == Elements::bf16;
  if (bf16) mixed_of<d::bf16, Body, operands>(in, out[0], n, attrs, how);
  else mixed_of<d::f16, Body, operands>(in, out[0], n, attrs, how);
}

template <class... A>
struct all_floats {
  static constexpr bool value = all_v<float, A...>;
};

// Of bodies that take fewer instructions than to bring their operands to scratch and back.
template <class Described, int ulp>
TILEOPS_INLINE void add_mixed(Kernel* k) {
  using Body = form<Described>;
  using Signature = device::signature_of<Described>;
  constexpr bool light = ulp == 0 || Body::accuracy >= device::Accuracy::exact || Body::cheap || Body::has_round_to_odd;
  constexpr int operands = Signature::num_loads;
  if constexpr (light && !has_rare_v<Body> && !Body::identity && operands >= 1 && operands <= 4 &&
                device::same_v<typename Signature::result, float>) {
    if constexpr (Signature::template args<all_floats>::value)
      add(k, {Loop::mixed, Elements::own, true}, &run_mixed<Body, operands>);
  }
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
