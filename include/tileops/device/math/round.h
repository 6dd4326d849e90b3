// Rounding to integral values: one instruction each with SSE4.1, and vectorisable.
#ifndef TILEOPS_DEVICE_MATH_ROUND_H
#define TILEOPS_DEVICE_MATH_ROUND_H

#include "../config.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {

TILEOPS_FN float floor_(float x) { return __builtin_floorf(x); }
TILEOPS_FN double floor_(double x) { return __builtin_floor(x); }
TILEOPS_FN float ceil_(float x) { return __builtin_ceilf(x); }
TILEOPS_FN double ceil_(double x) { return __builtin_ceil(x); }
TILEOPS_FN float trunc_(float x) { return __builtin_truncf(x); }
TILEOPS_FN double trunc_(double x) { return __builtin_trunc(x); }
// rint, not nearbyint: the same value, and one instruction everywhere.
TILEOPS_FN float round_(float x) { return __builtin_rintf(x); }
TILEOPS_FN double round_(double x) { return __builtin_rint(x); }

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif
