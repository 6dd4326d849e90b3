// Elements of 4 bits, two in a byte, the first of them in its low bits: from memory to codes, a byte each, and back.
// Elsewhere kernels have codes alone. Places count elements.
#pragma once

#include "cpu/kernel.h"
#include "cpu/simd/narrow.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

TILEOPS_INLINE d::u8 code_at(const d::u8* memory, ptrdiff_t place) {
  return static_cast<d::u8>(memory[place >> 1] >> (place & 1) * 4 & 15);
}
// Leaves the other half of the byte as it is.
TILEOPS_INLINE void put_code(d::u8* memory, ptrdiff_t place, d::u8 code) {
  const int shift = (place & 1) * 4;
  d::u8& byte = memory[place >> 1];
  byte = static_cast<d::u8>((byte & 0xf0 >> shift) | code << shift);
}

// n codes, `stride` places from each other.
TILEOPS_INLINE void unpack(const d::u8* memory, ptrdiff_t place, ptrdiff_t stride, size_t n, d::u8* codes) {
  size_t i = 0;
  if (stride == 1 && (place & 1) == 0) {
    const d::u8* bytes = memory + (place >> 1);
    const size_t pairs = n / 2;
#pragma omp simd
    for (size_t k = 0; k < pairs; ++k) {
      codes[2 * k] = static_cast<d::u8>(bytes[k] & 15);
      codes[2 * k + 1] = static_cast<d::u8>(bytes[k] >> 4);
    }
    i = 2 * pairs;
  }
  for (; i < n; ++i) codes[i] = code_at(memory, place + static_cast<ptrdiff_t>(i) * stride);
}

TILEOPS_INLINE void pack(const d::u8* codes, size_t n, d::u8* memory, ptrdiff_t place, ptrdiff_t stride) {
  size_t i = 0;
  if (stride == 1 && (place & 1) == 0) {
    d::u8* bytes = memory + (place >> 1);
    const size_t pairs = n / 2;
#pragma omp simd
    for (size_t k = 0; k < pairs; ++k) bytes[k] = static_cast<d::u8>(codes[2 * k] | codes[2 * k + 1] << 4);
    i = 2 * pairs;
  }
  for (; i < n; ++i) put_code(memory, place + static_cast<ptrdiff_t>(i) * stride, codes[i]);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
