// Results of 16-bit floats rounded once from the nearest f32 and the sign of what that leaves, sixteen at a time and
// without a branch: data full of ties takes no longer. What is left need only be right where the f32 result is a tie
// of S, and so has few bits: there the difference to an operand is exact, from which fma gives it in one operation.
#pragma once

#include "cpu/simd/halves.h"
#include "cpu/simd/lanes.h"
#include "cpu/simd/round_to_odd.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

#if TILEOPS_LANES == 8

struct TwoLanes {
  f32_lanes first, second;  // of bf16 the even and the odd elements
};

TILEOPS_INLINE __m256i codes_of(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
TILEOPS_INLINE TwoLanes widened(const d::bf16* p) {
  const __m256i v = codes_of(p);
  return {_mm256_castsi256_ps(_mm256_slli_epi32(v, 16)),
          _mm256_castsi256_ps(_mm256_and_si256(v, _mm256_set1_epi32(static_cast<int>(0xffff0000))))};
}
TILEOPS_INLINE TwoLanes widened(const d::f16* p) { return {widen_lanes(p).v, widen_lanes(p + 8).v}; }

// Half a last place up, but for a tie that is above the exact value, or is it and has an even neighbour below.
TILEOPS_INLINE __m256i rounded_by(f32_lanes y, f32_lanes rest) {
  const __m256i bits = _mm256_castps_si256(y.v);
  const __m256i up = _mm256_add_epi32(bits, _mm256_set1_epi32(0x8000));
  const __m256 exact = _mm256_cmp_ps(rest.v, _mm256_setzero_ps(), _CMP_EQ_OQ);
  const __m256 less = _mm256_blendv_ps(_mm256_xor_ps(y.v, rest.v), _mm256_castsi256_ps(_mm256_slli_epi32(up, 15)),
                                       exact);
  return _mm256_sub_epi32(up, _mm256_srli_epi32(_mm256_castps_si256(less), 31));
}
// As odd_beside, of numbers: a rest that is not 0 is positive outward and negative inward once it has y's sign.
TILEOPS_INLINE __m256 odd_by(f32_lanes y, f32_lanes rest) {
  const __m256i bits = _mm256_castps_si256(y.v), outward = _mm256_sign_epi32(_mm256_castps_si256(rest.v), bits);
  const __m256i inexact = _mm256_min_epu32(outward, _mm256_set1_epi32(1));
  return _mm256_castsi256_ps(_mm256_or_si256(_mm256_add_epi32(bits, _mm256_srai_epi32(outward, 31)), inexact));
}
// No NaN (some become zeros or infinities).
TILEOPS_INLINE __m256i narrowed(TwoLanes y, TwoLanes rest, d::bf16*) {
  return _mm256_blend_epi16(_mm256_srli_epi32(rounded_by(y.first, rest.first), 16), rounded_by(y.second, rest.second),
                            0xaa);
}
// A NaN keeps leading bits.
TILEOPS_INLINE __m256i narrowed(TwoLanes y, TwoLanes rest, d::f16*) {
  return _mm256_set_m128i(_mm256_cvtps_ph(odd_by(y.second, rest.second), _MM_FROUND_TO_NEAREST_INT),
                          _mm256_cvtps_ph(odd_by(y.first, rest.first), _MM_FROUND_TO_NEAREST_INT));
}

// Is the rest of a + w(b - a) certain, by the codes of a, b and the result? That is if the exponents of those that are
// not 0 differ by so little that b - a has no more than 24 bits, and a tie less a neither; the result is not 0 (of
// which either sign is possible), infinite or NaN; and nothing underflows.
template <class S>
TILEOPS_INLINE bool certain(__m256i a, __m256i b, __m256i result) {
  constexpr bool is_bf16 = d::same_v<S, d::bf16>;
  // Codes without the sign, doubled; the result's may be of the next exponent. Of what is least the most that is
  // certain leaves room for the largest below infinity.
  constexpr int exponent = is_bf16 ? 0x100 : 0x800, most = (is_bf16 ? 14 : 10) * exponent;
  constexpr int first = is_bf16 ? 27 * exponent : 1, last = (is_bf16 ? 0xfd00 : 0xf7ff) - most;
  const auto constant = [](int x) { return _mm256_set1_epi16(static_cast<short>(x)); };
  const __m256i x = _mm256_add_epi16(a, a), y = _mm256_add_epi16(b, b), r = _mm256_add_epi16(result, result);
  // Less 1, so that 0 is the largest.
  const __m256i operands = _mm256_min_epu16(_mm256_add_epi16(x, constant(-1)), _mm256_add_epi16(y, constant(-1)));
  const __m256i small = _mm256_min_epu16(operands, r), large = _mm256_max_epu16(_mm256_max_epu16(x, y), r);
  const __m256i apart = _mm256_subs_epu16(_mm256_sub_epi16(large, small), constant(most));
  const __m256i beyond = _mm256_subs_epu16(_mm256_sub_epi16(small, constant(first)), constant(last - first));
  const __m256i any = _mm256_or_si256(apart, beyond);
  return _mm256_testz_si256(any, any) != 0;
}
// With one operand the result is certain unless it is NaN.
template <class S>
TILEOPS_INLINE bool certain(__m256i, __m256i result) {
  const __m256i infinity = _mm256_set1_epi16(static_cast<short>(d::code_of<S>::infinity));
  const __m256i r = _mm256_and_si256(result, _mm256_set1_epi16(0x7fff));
  return _mm256_movemask_epi8(_mm256_cmpgt_epi16(r, infinity)) == 0;
}

// Stores a block of results, each body.nearest(x...) rounded by the sign of body.residual(y, x...), the exact result
// less y. Returns false, with nothing stored, where that sign is not certain.
template <class Body, class S, class First, class... X>
TILEOPS_INLINE bool block_by_residual(const Body& body, S* y, bool non_temporal, const First* x, const X*... more) {
  const auto compute = [&](TwoLanes first, auto... rest_of) {
    const TwoLanes nearest = {body.nearest(first.first, rest_of.first...),
                              body.nearest(first.second, rest_of.second...)};
    const TwoLanes rest = {body.residual(nearest.first, first.first, rest_of.first...),
                           body.residual(nearest.second, first.second, rest_of.second...)};
    return narrowed(nearest, rest, static_cast<S*>(nullptr));
  };
  const __m256i result = compute(widened(x), widened(more)...);
  if constexpr (sizeof...(X) == 0) {
    if (__builtin_expect(!certain<S>(codes_of(x), result), 0)) return false;
  } else {
    // The third operand need not be looked at: an infinity or NaN of it shows in the result.
    const S* all[] = {x, more...};
    if (__builtin_expect(!certain<S>(codes_of(all[0]), codes_of(all[1]), result), 0)) return false;
  }
  if (non_temporal) _mm256_stream_si256(reinterpret_cast<__m256i*>(y), result);
  else _mm256_storeu_si256(reinterpret_cast<__m256i*>(y), result);
  return true;
}

#endif

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
