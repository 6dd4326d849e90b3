// SPDX-License-Identifier: Apache-2.0
// Rounding to integral values: one instruction each with SSE4.1, and vectorisable.
#ifndef TILEOPS_DEVICE_MATH_ROUND_H
#define TILEOPS_DEVICE_MATH_ROUND_H

#include "../../config.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
#define TILEOPS_ROUND(name) ::name
#define TILEOPS_ROUNDF(name) ::name##f
#else
#define TILEOPS_ROUND(name) __builtin_##name
#define TILEOPS_ROUNDF(name) __builtin_##name##f
#endif
TILEOPS_FN float floor_(float x) { return TILEOPS_ROUNDF(floor)(x); }
TILEOPS_FN double floor_(double x) { return TILEOPS_ROUND(floor)(x); }
TILEOPS_FN float ceil_(float x) { return TILEOPS_ROUNDF(ceil)(x); }
TILEOPS_FN double ceil_(double x) { return TILEOPS_ROUND(ceil)(x); }
TILEOPS_FN float trunc_(float x) { return TILEOPS_ROUNDF(trunc)(x); }
TILEOPS_FN double trunc_(double x) { return TILEOPS_ROUND(trunc)(x); }
// rint, not nearbyint: the same value, and one instruction everywhere.
TILEOPS_FN float round_(float x) { return TILEOPS_ROUNDF(rint)(x); }
TILEOPS_FN double round_(double x) { return TILEOPS_ROUND(rint)(x); }
#undef TILEOPS_ROUND
#undef TILEOPS_ROUNDF

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif
