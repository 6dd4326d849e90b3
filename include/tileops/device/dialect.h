// SPDX-License-Identifier: Apache-2.0
// Can the headers for users be compiled? One line says what is missing, and they then have nothing in them.
//
// TILEOPS_DEVICE_CPLUSPLUS: C++17, or newer. TILEOPS_DEVICE_CUDA: and CUDA code.
#ifndef TILEOPS_DEVICE_DIALECT_H
#define TILEOPS_DEVICE_DIALECT_H

#if __cplusplus < 201703L
#error "tileops/device needs C++17: compile with -std=c++17 or newer"
#define TILEOPS_DEVICE_CPLUSPLUS 0
#define TILEOPS_DEVICE_CUDA 0
#elif defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__CUDA__)
#define TILEOPS_DEVICE_CPLUSPLUS 1
#define TILEOPS_DEVICE_CUDA 1
#else
#define TILEOPS_DEVICE_CPLUSPLUS 1
#define TILEOPS_DEVICE_CUDA 0
#endif

#endif
