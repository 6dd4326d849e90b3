// SPDX-License-Identifier: Apache-2.0
// The double-precision primitives, in a form that gives the same bits on every machine: IEEE
// + - * / sqrt, fma and integer operations, no libm. Everything but the *_slow functions is
// straight-line code that g++ vectorises (AVX2 and AVX-512; sincos_turn AVX-512 only).
//
// Each function's comment gives the largest error, in ulp, that tests/accuracy/f64_sample.cc saw in
// 2^20 stratified points plus edge cases against MPFR; all special values are right. Where results
// can be subnormal, the largest error is the second rounding there: normal results are better.
#ifndef TILEOPS_DEVICE_MATH_F64_H
#define TILEOPS_DEVICE_MATH_F64_H

#include "erf.h"
#include "exp.h"
#include "log.h"
#include "pow.h"
#include "trig.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

struct portable_f64 {
  static TILEOPS_FN double exp(double x) { return f64::exp(x); }
  static TILEOPS_FN double exp2(double x) { return f64::exp2(x); }
  static TILEOPS_FN double expm1(double x) { return f64::expm1(x); }
  static TILEOPS_FN double log(double x) { return f64::log(x); }
  static TILEOPS_FN double log1p(double x) { return f64::log1p(x); }
  static TILEOPS_FN double sqrt(double x) { return f64::sqrt(x); }
  static TILEOPS_FN double rsqrt(double x) { return f64::rsqrt(x); }
  static TILEOPS_FN double rcp(double x) { return f64::rcp(x); }
  static TILEOPS_FN double tanh(double x) { return f64::tanh(x); }
  static TILEOPS_FN double erf(double x) { return f64::erf(x); }
  static TILEOPS_FN double erfc(double x) { return f64::erfc(x); }
  static TILEOPS_FN double normal_tail(double a) { return f64::normal_tail(a); }
  static TILEOPS_FN double normal_tail_times(double a, double factor) { return f64::normal_tail_times(a, factor); }
  static TILEOPS_FN double sin(double x) { return f64::sin(x); }
  static TILEOPS_FN bool sin_rare(double x) { return f64::trig_rare(x); }
  static TILEOPS_FN double sin_slow(double x) { return f64::sin_slow(x); }
  static TILEOPS_FN double cos(double x) { return f64::cos(x); }
  static TILEOPS_FN bool cos_rare(double x) { return f64::trig_rare(x); }
  static TILEOPS_FN double cos_slow(double x) { return f64::cos_slow(x); }
  static TILEOPS_FN void sincos_turn(u64 phase, double& s, double& c) { f64::sincos_turn(phase, s, c); }
  static TILEOPS_FN double pow(double x, double y) { return f64::pow(x, y); }
  static TILEOPS_FN double fmod(double a, double b) { return f64::fmod(a, b); }
  static TILEOPS_FN bool fmod_rare(double a, double b) { return f64::fmod_rare(a, b); }
  static TILEOPS_FN double fmod_slow(double a, double b) { return f64::fmod_slow(a, b); }
};

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif
