// Angles as 64-bit fixed-point fractions of a turn. position * frequency wraps exactly where the
// angle does, so that it is right to 2^-33 turn at any position up to 2^31, without f64.
#ifndef TILEOPS_DEVICE_MATH_TURNS_H
#define TILEOPS_DEVICE_MATH_TURNS_H

#include "../config.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {

// Frequency in turns per position, divided by a rescale factor r > 0: long division of 64 by 24
// bits, extended by the bits that r's exponent asks for. 0 for r that no angle can be had from.
TILEOPS_FN u64 turns_divided(u64 turns, float r) {
  const u32 b = to_bits(r);
  const int exponent = static_cast<int>(b >> 23) - 150;  // r = m * 2^exponent
  if (b - 0x00800000u >= 0x7f000000u) return 0;         // not a positive normal number
  const u64 m = (b & 0x007fffffu) | 0x00800000u;
  u64 q = turns / m, rem = turns % m;
  if (exponent >= 0) return exponent > 63 ? 0 : q >> exponent;
  // Bits beyond the top are whole turns.
  int shift = -exponent;
  while (shift > 0) {
    const int step = shift < 40 ? shift : 40;
    rem <<= step;
    q = (step < 64 ? q << step : 0) + rem / m;
    rem %= m;
    shift -= step;
  }
  return q;
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif
