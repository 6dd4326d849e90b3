// Which gates' activations activation_table.h keeps in shared memory. For the library, too, which makes the table.
#ifndef TILEOPS_KERNELS_ACTIVATION_RANGE_H
#define TILEOPS_KERNELS_ACTIVATION_RANGE_H

#include "tileops/device/config.h"

namespace tileops {
namespace kernels {

// Codes of magnitudes, and entries of a sign: one more at either end, for what is beyond.
struct activation_range {
  unsigned low, high;
  TILEOPS_FN constexpr unsigned entries() const { return high - low + 2; }
  // The code of an entry; those of negative gates come second.
  TILEOPS_FN constexpr unsigned code_of(unsigned entry) const {
    return low - 1 + (entry < entries() ? entry : entry - entries() + 0x8000u);
  }
  TILEOPS_FN constexpr unsigned bytes() const { return (2 * entries() * 4 + 15) / 16 * 16; }
};
constexpr activation_range kBf16Activations{0x3380u, 0x4300u};  // 2^-24 to 2^7: 31 KiB
constexpr activation_range kF16Activations{1u, 0x5800u};        // all below 2^7: 176 KiB

}  // namespace kernels
}  // namespace tileops

#endif
