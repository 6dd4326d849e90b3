// Copies of a few bytes: by moves of known sizes, of which two may overlap, where a call or a loop over elements would
// take longer than the copy.
#pragma once

#include <cstddef>

#include "cpu/simd/lanes.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

template <size_t kBytes>
TILEOPS_INLINE void copy_piece(const char* src, char* dst) {
  __builtin_memcpy(dst, src, kBytes);
}
// Rows of fewer bytes than two vectors, each in one piece: few moves each, where a loop would go from element to
// element. The steps are bytes from row to row.
constexpr size_t kShortRow = 128;
// kFirst of the row's first bytes, and kLast of its last ones.
template <size_t kFirst, size_t kLast>
TILEOPS_INLINE void copy_each(const char* src, ptrdiff_t from_step, size_t rows, size_t bytes, char* dst,
                              ptrdiff_t to_step) {
  const size_t last = bytes - kLast;
  for (size_t r = 0; r < rows; ++r, src += from_step, dst += to_step) {
    copy_piece<kFirst>(src, dst);
    copy_piece<kLast>(src + last, dst + last);
  }
}
template <size_t kFirst>
TILEOPS_INLINE void copy_from(const char* src, ptrdiff_t from_step, size_t rows, size_t bytes, char* dst,
                              ptrdiff_t to_step) {
  constexpr size_t kQuarter = kFirst >= 4 ? kFirst / 4 : 1;
  if (bytes - kFirst <= kQuarter) copy_each<kFirst, kQuarter>(src, from_step, rows, bytes, dst, to_step);
  else copy_each<kFirst, kFirst>(src, from_step, rows, bytes, dst, to_step);
}
inline TILEOPS_NOINLINE void copy_short_rows(const void* from, ptrdiff_t from_step, size_t rows, size_t bytes, void* to,
                                             ptrdiff_t to_step) {
  const char* src = static_cast<const char*>(from);
  char* dst = static_cast<char*>(to);
  if (bytes >= 64) copy_from<64>(src, from_step, rows, bytes, dst, to_step);
  else if (bytes >= 32) copy_from<32>(src, from_step, rows, bytes, dst, to_step);
  else if (bytes >= 16) copy_from<16>(src, from_step, rows, bytes, dst, to_step);
  else if (bytes >= 8) copy_from<8>(src, from_step, rows, bytes, dst, to_step);
  else if (bytes >= 4) copy_from<4>(src, from_step, rows, bytes, dst, to_step);
  else if (bytes >= 2) copy_from<2>(src, from_step, rows, bytes, dst, to_step);
  else if (bytes == 1) copy_from<1>(src, from_step, rows, bytes, dst, to_step);
}

// One piece of at most 2 * kBytes.
template <size_t kBytes>
TILEOPS_INLINE void copy_short(const void* from, size_t bytes, void* to) {
  const char* src = static_cast<const char*>(from);
  char* dst = static_cast<char*>(to);
  if (bytes >= kBytes) {
    copy_each<kBytes, kBytes>(src, 0, 1, bytes, dst, 0);
  } else if constexpr (kBytes > 1) {
    copy_short<kBytes / 2>(from, bytes, to);
  }
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
