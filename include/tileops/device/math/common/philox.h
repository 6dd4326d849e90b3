// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC 2011).
#ifndef TILEOPS_DEVICE_MATH_PHILOX_H
#define TILEOPS_DEVICE_MATH_PHILOX_H

#include "../../config.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

struct philox_words {
  u32 w0, w1, w2, w3;
};
// Word 0 to 3.
TILEOPS_FN u32 word_of(const philox_words& w, u32 number) {
  const u32 low = number & 1 ? w.w1 : w.w0, high = number & 1 ? w.w3 : w.w2;
  return number & 2 ? high : low;
}

// Both halves of a product. In C++ nvcc's multiplication of 64 bits stays, with an addition of 0 to the upper half.
TILEOPS_FN u64 wide_product(u32 a, u32 b) {
#if defined(__CUDA_ARCH__)
  u64 p;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(p) : "r"(a), "r"(b));
  return p;
#else
  return u64{a} * b;
#endif
}

TILEOPS_FN philox_words philox4x32_10(u64 key, u64 counter_low, u64 counter_high) {
  u32 c0 = static_cast<u32>(counter_low), c1 = static_cast<u32>(counter_low >> 32);
  u32 c2 = static_cast<u32>(counter_high), c3 = static_cast<u32>(counter_high >> 32);
  u32 k0 = static_cast<u32>(key), k1 = static_cast<u32>(key >> 32);
  TILEOPS_UNROLL  // or g++ does not vectorise the loops around it
  for (int round = 0; round < 10; ++round) {
    const u64 p0 = wide_product(0xD2511F53u, c0), p1 = wide_product(0xCD9E8D57u, c2);
    c0 = static_cast<u32>(p1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<u32>(p1);
    c2 = static_cast<u32>(p0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<u32>(p0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return philox_words{c0, c1, c2, c3};
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif
