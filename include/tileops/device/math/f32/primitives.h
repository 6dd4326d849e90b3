// SPDX-License-Identifier: Apache-2.0
// The portable f32 primitives under one name, for formulas.h and the CPU backend.
#ifndef TILEOPS_DEVICE_MATH_F32_H
#define TILEOPS_DEVICE_MATH_F32_H

#include "div.h"
#include "erf.h"
#include "exp.h"
#include "gelu.h"
#include "log.h"
#include "tanh.h"
#include "trig.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

struct portable_f32 {
  template <class V>
  static TILEOPS_FN V exp(V x) {
    return f32::exp(x);
  }
  static TILEOPS_FN float exp2(float x) { return f32::exp2(x); }
  static TILEOPS_FN float expm1(float x) { return f32::expm1(x); }
  template <class V>
  static TILEOPS_FN V log(V x) {
    return f32::log(x);
  }
  static TILEOPS_FN float log1p(float x) { return f32::log1p(x); }
  template <class V>
  static TILEOPS_FN V sqrt(V x) {
    return f32::sqrt(x);
  }
  template <class V>
  static TILEOPS_FN V rsqrt(V x) {
    return f32::rsqrt(x);
  }
  template <class V>
  static TILEOPS_FN V rcp(V x) {
    return f32::rcp(x);
  }
  static TILEOPS_FN float erf(float x) { return f32::erf(x); }
  static TILEOPS_FN float erfc(float x) { return f32::erfc(x); }
  template <class V>
  static TILEOPS_FN V tanh(V x) {
    return f32::tanh(x);
  }
  template <class V>
  static TILEOPS_FN V pow(V x, V y) {
    return f32::pow(x, y);
  }
  static TILEOPS_FN void sincos_turn(u64 phase, float& s, float& c) { f32::sincos_turn(phase, s, c); }

  // Right wherever *_rare is false; *_slow is right everywhere.
  template <class V>
  static TILEOPS_FN V sin(V x) {
    return f32::sin(x);
  }
  static TILEOPS_FN bool sin_rare(float x) { return f32::sin_rare(x); }
  static TILEOPS_FN float sin_slow(float x) { return f32::sin_slow(x); }
  template <class V>
  static TILEOPS_FN V cos(V x) {
    return f32::cos(x);
  }
  static TILEOPS_FN bool cos_rare(float x) { return f32::cos_rare(x); }
  static TILEOPS_FN float cos_slow(float x) { return f32::cos_slow(x); }
  static TILEOPS_FN float fmod(float a, float b) { return f32::fmod(a, b); }
  static TILEOPS_FN bool fmod_rare(float a, float b) { return f32::fmod_rare(a, b); }
  static TILEOPS_FN float fmod_slow(float a, float b) { return f32::fmod_slow(a, b); }

  // What formulas.h asks a policy for beyond the functions: exp before rounding and scaling, and
  // x * Phi(x).
  static TILEOPS_FN exp_parts_t<float> exp_parts(float x, float lo) { return f32::exp_parts(x, lo); }
  template <class V>
  static TILEOPS_FN exp_parts_t<V> exp_parts_up(V x, V lo) {
    return f32::exp_parts_up(x, lo);
  }
  template <class V>
  static TILEOPS_FN V gelu(V x) {
    return f32::gelu(x);
  }
};

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif
