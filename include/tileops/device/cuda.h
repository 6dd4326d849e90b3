// SPDX-License-Identifier: Apache-2.0
// The header to include in CUDA code of one's own: operators on values in registers, with the numbers and the speed of
// the library's own kernels. For nvcc, NVRTC and Clang; it includes neither CUDA's headers nor the standard library's.
// Compile with -fmad=false (Clang: -ffp-contract=off), without -use_fast_math: docs/device.md says what depends on
// that.
//
//   #include <tileops/device/cuda.h>
//   using namespace tileops::device;
//   ...
//   float acc[16];
//   apply<op::gelu, bounded>(acc);                   // cuda/apply.h, policies in cuda/policies.h
//   packed<bf16, 16> out = narrow<bf16>(acc);        // cuda/convert.h
#ifndef TILEOPS_DEVICE_CUDA_H
#define TILEOPS_DEVICE_CUDA_H

#include "dialect.h"
#if !TILEOPS_DEVICE_CUDA && TILEOPS_DEVICE_CPLUSPLUS
#error "tileops/device/cuda.h is for CUDA code: compile with nvcc (a file .cu), NVRTC or clang++ -x cuda"
#endif
#if TILEOPS_DEVICE_CUDA

#if defined(__clang__)  // a & b ? c : d is meant so
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wbitwise-conditional-parentheses"
#pragma clang diagnostic ignored "-Wbitwise-instead-of-logical"
#endif
#include "cuda/apply.h"
#include "cuda/convert.h"
#include "cuda/forms/bundles.h"
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#endif

#endif
