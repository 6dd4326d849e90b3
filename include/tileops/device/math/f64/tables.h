// SPDX-License-Identifier: Apache-2.0
// The bits of 2/pi for the reduction of large arguments of sin and cos.
#ifndef TILEOPS_DEVICE_MATH_F64_TABLES_H
#define TILEOPS_DEVICE_MATH_F64_TABLES_H

#include "base.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f64 {

// Word i of: a zero word, then 2/pi after the binary point, most significant word first. The
// largest double is below 2^1024 and its lowest mantissa bit has weight 2^971, so the last window
// read starts at bit 64 + 969 and ends before bit 1280. tools/minimax_f64.py constants.
//
// The table is local to a function because that is the one form that host and device code share:
// device code cannot read a constexpr array of namespace scope through a variable index.
TILEOPS_SLOW_FN u64 two_over_pi_word(int i) {
  const u64 words[20] = {
      0x0000000000000000ull, 0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull,
      0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull, 0xe99c7026b45f7e41ull,
      0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, 0x1ff897ffde05980full, 0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull,
      0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull, 0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull,
  };
  return words[i];
}

}  // namespace f64
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif
