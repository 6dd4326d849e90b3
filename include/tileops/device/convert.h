// SPDX-License-Identifier: Apache-2.0
// Conversions between storage and compute types. Every narrowing rounds once, to nearest even;
// subnormals are kept; NaN becomes the positive quiet NaN, or 0 where there is none. Branch-free, so that loops
// vectorise.
#ifndef TILEOPS_DEVICE_CONVERT_H
#define TILEOPS_DEVICE_CONVERT_H

#include "body.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// Storage types that C++ does not have.
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
// Codes of some numbers.
template <class S>
struct code_of;
template <>
struct code_of<f16> {
  static constexpr u16 one = 0x3c00, infinity = 0x7c00;
};
template <>
struct code_of<bf16> {
  static constexpr u16 one = 0x3f80, infinity = 0x7f80;
};
struct e4m3fn {
  u8 bits;
};
struct e5m2 {
  u8 bits;
};
struct bool8 {
  u8 bits;
};
struct e8m0fnu {
  u8 bits;
};
// In its low four bits; in memory two share a byte.
struct e2m1fn {
  u8 bits;
};

// Elements that share a byte, which memory has no address for.
template <class T>
inline constexpr bool is_packed_v = same_v<T, e2m1fn>;

// --- to float: exact -----------------------------------------------------------------------

TILEOPS_FN float widen(bf16 x) { return from_bits(static_cast<u32>(x.bits) << 16); }

// Shift the exponent and fraction into place and let a multiplication by a power of two rebias
// them: it also normalises subnormals.
TILEOPS_FN float widen(f16 x) {
  const u32 h = x.bits, sign = (h & 0x8000u) << 16, mag = (h & 0x7fffu) << 13;
  const float scaled = from_bits(mag) * 0x1p112f;
  const u32 finite = to_bits(scaled), special = mag | 0x7f800000u;
  return from_bits(sign | ((h & 0x7c00u) == 0x7c00u ? special : finite));
}

TILEOPS_FN float widen(e5m2 x) { return widen(f16{static_cast<u16>(x.bits << 8)}); }

TILEOPS_FN float widen(e4m3fn x) {
  const u32 h = x.bits, sign = (h & 0x80u) << 24, mag = (h & 0x7fu) << 20;
  const u32 finite = to_bits(from_bits(mag) * 0x1p120f);
  return from_bits(sign | ((h & 0x7fu) == 0x7fu ? 0x7fc00000u : finite));
}

TILEOPS_FN float widen(e2m1fn x) {
  const u32 h = x.bits, sign = (h & 8u) << 28, mag = (h & 7u) << 22;
  return from_bits(sign | to_bits(from_bits(mag) * 0x1p126f));
}

TILEOPS_FN float widen(e8m0fnu x) {
  // 2^-127 is subnormal.
  const u32 number = x.bits == 0 ? 0x00400000u : static_cast<u32>(x.bits) << 23;
  return from_bits(x.bits == 0xffu ? 0x7fc00000u : number);
}

// --- from float: one rounding --------------------------------------------------------------

// Magnitude bits of |x| rounded to a format with M fraction bits and exponent bias B, before its
// overflow is dealt with. Below the smallest normal, adding a power of two whose ulp is the
// format's smallest subnormal rounds there.
template <int M, int B>
TILEOPS_FN u32 round_magnitude(u32 mag) {
  constexpr int shift = 23 - M;
  constexpr u32 rebias = static_cast<u32>(127 - B) << 23;
  constexpr u32 min_normal = static_cast<u32>(127 - B + 1) << 23;
  const u32 normal = (mag - rebias + ((1u << (shift - 1)) - 1) + ((mag >> shift) & 1)) >> shift;
  constexpr u32 magic = static_cast<u32>(127 - B + 1 - M + 23) << 23;
  const u32 tiny = to_bits(from_bits(mag) + from_bits(magic)) - magic;
  return mag < min_normal ? tiny : normal;
}

TILEOPS_FN bf16 narrow_bf16(float x) {
  const u32 b = to_bits(x);
  const u32 rounded = (b + 0x7fffu + ((b >> 16) & 1)) >> 16;
  return bf16{static_cast<u16>((b & 0x7fffffffu) > 0x7f800000u ? 0x7fc0u : rounded)};
}

TILEOPS_FN f16 narrow_f16(float x) {
  const u32 b = to_bits(x), sign = (b >> 16) & 0x8000u, mag = b & 0x7fffffffu;
  const u32 r = round_magnitude<10, 15>(mag);
  const u32 finite = sign | (mag >= 0x477ff000u ? 0x7c00u : r);  // 65520 and above: infinity
  return f16{static_cast<u16>(mag > 0x7f800000u ? 0x7e00u : finite)};
}

template <bool Saturate>
TILEOPS_FN e5m2 narrow_e5m2(float x) {
  const u32 b = to_bits(x), sign = (b >> 24) & 0x80u, mag = b & 0x7fffffffu;
  const u32 r = round_magnitude<2, 15>(mag);
  const u32 over = Saturate ? 0x7bu : 0x7cu;
  const u32 finite = sign | (mag >= 0x47700000u ? over : r);  // 61440, the tie above 57344
  return e5m2{static_cast<u8>(mag > 0x7f800000u ? 0x7fu : finite)};
}

template <bool Saturate>
TILEOPS_FN e4m3fn narrow_e4m3fn(float x) {
  const u32 b = to_bits(x), sign = (b >> 24) & 0x80u, mag = b & 0x7fffffffu;
  const u32 r = round_magnitude<3, 7>(mag);
  const u32 over = Saturate ? sign | 0x7eu : 0x7fu;
  const u32 finite = mag > 0x43e80000u ? over : sign | r;  // 464 ties to 448
  return e4m3fn{static_cast<u8>(mag > 0x7f800000u ? 0x7fu : finite)};
}

// Always saturates; it has no NaN, which becomes 0.
TILEOPS_FN e2m1fn narrow_e2m1fn(float x) {
  const u32 b = to_bits(x), sign = (b >> 28) & 8u, mag = b & 0x7fffffffu;
  const u32 r = round_magnitude<1, 1>(mag);
  const u32 finite = sign | (mag >= 0x40c00000u ? 7u : r);  // 6
  return e2m1fn{static_cast<u8>(mag > 0x7f800000u ? 0u : finite)};
}

// How a magnitude becomes the code of a power of two: its bits plus `add` in the exponent's place,
// or code 0, which is 2^-127, below `least`.
struct scale_rounding {
  u32 least, add;
};
TILEOPS_FN scale_rounding scale_nearest() { return {0x00600000u, 0x00400000u}; }  // ties up
TILEOPS_FN scale_rounding scale_down() { return {0x00800000u, 0}; }
TILEOPS_FN scale_rounding scale_up() { return {0x00400001u, 0x007fffffu}; }

// `over`: the code of what is too large. The sign is dropped.
TILEOPS_FN e8m0fnu narrow_e8m0fnu(float x, scale_rounding rounding, u32 over) {
  const u32 mag = to_bits(x) & 0x7fffffffu;
  const u32 code = mag < rounding.least ? 0 : (mag + rounding.add) >> 23;
  const u32 number = code > 0xfeu ? over : code;
  return e8m0fnu{static_cast<u8>(mag > 0x7f800000u ? 0xffu : number)};
}

// Double to float, rounded to odd: what a later rounding to a narrower format may start from
// without rounding twice.
TILEOPS_FN float round_to_odd(double x) {
  const float f = static_cast<float>(x);
  const double back = f;
  const u32 b = to_bits(f);
  const u32 truncated = device_detail::abs(back) > device_detail::abs(x) ? b - 1 : b;
  return from_bits(back == x || x != x ? b : truncated | 1u);
}

// 64-bit integers to double without losing that something was there below bit 11: exact for the
// purpose of a later rounding to at most 24 bits.
TILEOPS_FN double sticky_double(u64 x) {
  const u64 low = x & 0x7ff;
  const u64 odd = (x & ~u64{0x7ff}) | (low ? u64{0x800} : 0);
  return static_cast<double>(x < (u64{1} << 53) ? x : odd);
}
TILEOPS_FN double sticky_double(i64 x) {
  const double m = sticky_double(x < 0 ? u64{0} - static_cast<u64>(x) : static_cast<u64>(x));
  return x < 0 ? -m : m;
}

// To float such that a later rounding to a narrower format rounds the number itself.
template <class From>
TILEOPS_FN float sticky_float(From x) {
  if constexpr (same_v<From, float>) return x;
  else if constexpr (same_v<From, double>) return round_to_odd(x);
  else if constexpr (sizeof(From) <= 2) return static_cast<float>(x);
  else if constexpr (sizeof(From) == 4) return round_to_odd(static_cast<double>(x));
  else return round_to_odd(sticky_double(x));
}

// --- convert<To>(from) ---------------------------------------------------------------------

// Storage with an fp8 overflow mode, as a destination.
struct e4m3fn_sat {
  u8 bits;
};
struct e5m2_sat {
  u8 bits;
};

template <class T>
inline constexpr bool is_narrow_v = same_v<T, f16> || same_v<T, bf16> || same_v<T, e4m3fn> || same_v<T, e5m2> ||
                                    same_v<T, e4m3fn_sat> || same_v<T, e5m2_sat> || same_v<T, e8m0fnu> ||
                                    same_v<T, e2m1fn>;

template <class To>
TILEOPS_FN To narrow(float x) {
  if constexpr (same_v<To, f16>) return narrow_f16(x);
  else if constexpr (same_v<To, bf16>) return narrow_bf16(x);
  else if constexpr (same_v<To, e4m3fn>) return narrow_e4m3fn<false>(x);
  else if constexpr (same_v<To, e4m3fn_sat>) return To{narrow_e4m3fn<true>(x).bits};
  else if constexpr (same_v<To, e5m2>) return narrow_e5m2<false>(x);
  else if constexpr (same_v<To, e8m0fnu>) return narrow_e8m0fnu(x, scale_nearest(), 0xffu);
  else if constexpr (same_v<To, e2m1fn>) return narrow_e2m1fn(x);
  else return To{narrow_e5m2<true>(x).bits};
}

// Float to integer: truncated, saturated, NaN to 0.
template <class To, class From>
TILEOPS_FN To to_integer(From x) {
  constexpr int bits = sizeof(To) * 8 - (is_signed_v<To> ? 1 : 0);
  const From limit = bits == 64 ? From(0x1p64) : From(u64{1} << bits);
  constexpr To max = static_cast<To>(~u64{0} >> (64 - bits));
  constexpr To min = static_cast<To>(is_signed_v<To> ? To(-1) - max : 0);
  const bool low = is_signed_v<To> ? x < -limit : x <= From(-1);
  const bool fits = !low && x < limit;  // false for NaN
  const To inside = static_cast<To>(fits ? x : From(0));
  return fits ? inside : low ? min : x != x ? To(0) : max;
}

template <class To, class From>
TILEOPS_FN To convert(From x) {
  if constexpr (same_v<To, From>) return x;
  else if constexpr (same_v<From, bool8>) return convert<To>(x.bits != 0);
  else if constexpr (same_v<To, bool8>) return bool8{static_cast<u8>(convert<bool>(x))};
  else if constexpr (is_narrow_v<From>) return convert<To>(widen(x));
  else if constexpr (same_v<To, bool>) return x != From(0);
  else if constexpr (is_narrow_v<To>) return narrow<To>(sticky_float(x));
  else if constexpr (is_float_v<From> && !is_float_v<To>) return to_integer<To>(x);
  else return static_cast<To>(x);
}

// A bound of numbers in S, rounded to S; not to 0, which would not be on the same side of -0 or +0.
template <class S, class T>
TILEOPS_FN T bound_as(T bound) {
  const T rounded = convert<T>(convert<S>(bound));
  return rounded == T(0) ? bound : rounded;
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace device {
using device_detail::bf16;
using device_detail::bool8;
using device_detail::e2m1fn;
using device_detail::e4m3fn;
using device_detail::e4m3fn_sat;
using device_detail::e5m2;
using device_detail::e5m2_sat;
using device_detail::e8m0fnu;
using device_detail::f16;
using device_detail::narrow;
using device_detail::widen;
}  // namespace device
}  // namespace tileops

#endif
