// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC 2011).
#ifndef TILEOPS_DEVICE_MATH_PHILOX_H
#define TILEOPS_DEVICE_MATH_PHILOX_H

#include "../config.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {

struct philox_words {
  u32 w0, w1, w2, w3;
};

TILEOPS_FN philox_words philox4x32_10(u64 key, u64 counter_low, u64 counter_high) {
  u32 c0 = static_cast<u32>(counter_low), c1 = static_cast<u32>(counter_low >> 32);
  u32 c2 = static_cast<u32>(counter_high), c3 = static_cast<u32>(counter_high >> 32);
  u32 k0 = static_cast<u32>(key), k1 = static_cast<u32>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const u64 p0 = u64{0xD2511F53u} * c0, p1 = u64{0xCD9E8D57u} * c2;
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
}  // namespace device
}  // namespace tileops

#endif
