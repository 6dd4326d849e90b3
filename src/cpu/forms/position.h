// The CPU's forms of device/ops/position.h.
#pragma once

#include "cpu/forms/form.h"
#include "cpu/simd/philox.h"
#include "tileops/device/ops/position.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

TILEOPS_FORM(dropout) {
  TILEOPS_FORM_CONSTRUCTORS(dropout)
  static constexpr bool has_chunk = true;
  // One Philox block serves four neighbours.
  TILEOPS_INLINE void chunk(T * y, bool* mask, size_t n, const T* x, const d::i64* index, const d::i64* seed,
                            const d::i64* offset) const {
    constexpr size_t kRun = 256;
    for (size_t base = 0; base < n; base += kRun) {
      const size_t m = n - base < kRun ? n - base : kRun;
      d::i64 other = (m % 4) | (index[base] % 4);  // 0: m neighbours, by fours
#pragma omp simd reduction(| : other)
      for (size_t i = 0; i < m; ++i) {
        other |= index[base + i] ^ (index[base] + static_cast<d::i64>(i));
        other |= (seed[base + i] ^ seed[base]) | (offset[base + i] ^ offset[base]);
      }
      d::u32 words[kRun];
      if (other == 0) {
        const d::u64 key = static_cast<d::u64>(seed[base]), high = static_cast<d::u64>(offset[base]);
        const d::u64 first = static_cast<d::u64>(index[base]) >> 2;
        philox_run<kRun / 4>(key, first, high, words);
        // A loop for each result: one for both is not vectorised by g++ 12, which makes branches of it.
#pragma omp simd
        for (size_t i = 0; i < m; ++i) y[base + i] = this->value(x[base + i], words[i]).first;
#pragma omp simd
        for (size_t i = 0; i < m; ++i) mask[base + i] = this->keeps(words[i]);
      } else {
        for (size_t i = base; i < base + m; ++i) {
          const d::results<T, bool> r = (*this)(x[i], index[i], seed[i], offset[i]);
          y[i] = r.first;
          mask[i] = r.second;
        }
      }
    }
  }
};

TILEOPS_FORM(alibi) {
  TILEOPS_FORM_CONSTRUCTORS(alibi)
  static constexpr bool to_odd_of_registers = false;
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
