// SPDX-License-Identifier: Apache-2.0
// The header to include in CUDA code of one's own: operators on values in registers, with the numbers and the speed of
// the library's own kernels. For nvcc, NVRTC and Clang; no other header is needed, neither CUDA's nor the standard
// library's.
#ifndef TILEOPS_DEVICE_CUDA_H
#define TILEOPS_DEVICE_CUDA_H

#include "cuda/forms/steps.h"

#endif
