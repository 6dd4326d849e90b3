// gelu for results that are rounded to bf16, by AVX-512: 21 operations where that for f32 takes 36.
#pragma once

#include "cpu/simd/lanes_avx512.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// 2^x for x <= 0, to 2^-18; 0 where that is below the least number.
TILEOPS_FN f32x16 approx_exp2(f32x16 x) {
  const f32x16 r = _mm512_reduce_ps(x.v, 9);  // what is above the next integer below, no exception
  f32x16 p = fma(0x1.c0d79p-7f, r, 0x1.a7732ap-5f);
  p = fma(p, r, 0x1.eedffcp-3f);
  p = fma(p, r, 0x1.62cc78p-1f);
  p = fma(p, r, 0x1.00003ep+0f);
  return _mm512_scalef_ps(p.v, x.v);  // rounds x down, too
}

// max(x, 0) - t Phi(-t), t = |x|, with Phi(-t) = 2^L(t): in each of 16 cells of 15/16, around its middle, L is a cubic
// polynomial, to 2^-15 (tools/minimax.py approx_gelu). No result of bf16 operands that is normal in f32 is a tie of
// bf16 or lies on the wrong side of one, shown by taking them all.
TILEOPS_FN f32x16 approx_gelu(f32x16 x) {
  constexpr float c0[16] = {-0x1.00002ap+0f, -0x1.42a95cp+1f, -0x1.428eecp+2f, -0x1.15634p+3f,
                            -0x1.aee3dep+3f, -0x1.376c66p+4f, -0x1.aaf17p+4f,  -0x1.1919c6p+5f,
                            -0x1.66aa0ep+5f, -0x1.be350ep+5f, -0x1.0fe182p+6f, -0x1.45ad02p+6f,
                            -0x1.807f5p+6f,  -0x1.c05a36p+6f, -0x1.029f8ep+7f, -0x1.27979p+7f};
  constexpr float c1[16] = {-0x1.26a366p+0f, -0x1.106fb6p+1f, -0x1.a1e436p+1f, -0x1.1f1946p+2f,
                            -0x1.703574p+2f, -0x1.c3060cp+2f, -0x1.0b70d4p+3f, -0x1.35b4e8p+3f,
                            -0x1.603362p+3f, -0x1.8adaf6p+3f, -0x1.b5a072p+3f, -0x1.e07c5p+3f,
                            -0x1.05b4aap+4f, -0x1.1b31e2p+4f, -0x1.30b47p+4f,  -0x1.463b4ep+4f};
  constexpr float c2[16] = {-0x1.d826c8p-2f, -0x1.247bbep-1f, -0x1.43f8f2p-1f, -0x1.54d074p-1f,
                            -0x1.5e4094p-1f, -0x1.63dd1ep-1f, -0x1.67673ep-1f, -0x1.69c0b2p-1f,
                            -0x1.6b5d52p-1f, -0x1.6c8834p-1f, -0x1.6d63b4p-1f, -0x1.6e04dp-1f,
                            -0x1.6e8a8ep-1f, -0x1.6ef35cp-1f, -0x1.6f433cp-1f, -0x1.6f88dep-1f};
  constexpr float c3[16] = {-0x1.7902c4p-5f,  -0x1.e3ade4p-6f,  -0x1.003908p-6f,  -0x1.17a7f4p-7f,
                            -0x1.4410fp-8f,   -0x1.8cf39p-9f,   -0x1.0200ep-9f,   -0x1.5e6526p-10f,
                            -0x1.ec4806p-11f, -0x1.6716eep-11f, -0x1.0dfffp-11f,  -0x1.9f4c78p-12f,
                            -0x1.466878p-12f, -0x1.ff7832p-13f, -0x1.9a6f04p-13f, -0x1.52c31ep-13f};
  constexpr float magic = 0x1.8p+23f;          // the integer that this is added to is in its last bits
  const f32x16 t = magnitude_up_to(x, 14.5f);  // 14.5 Phi(-14.5) < 2^-151
  const f32x16 u = fma(t, 16.0f / 15.0f, magic);
  const u32x16 cell = to_bits(u);  // VPERMPS takes four bits of it
  const f32x16 d = fma(u - magic, -15.0f / 16.0f, t);
  f32x16 l = fma(lookup16(c3, cell), d, lookup16(c2, cell));
  l = fma(l, d, lookup16(c1, cell));
  l = fma(l, d, lookup16(c0, cell));
  return fma(-t, approx_exp2(l), at_least(x, -0.0f));
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops
