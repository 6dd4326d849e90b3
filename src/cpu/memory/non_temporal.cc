#include "cpu/memory/non_temporal.h"

#include <algorithm>
#include <cstring>

namespace tileops::cpu {
namespace {

// From so many output bytes on, if each thread moves so many in all: what fits a core's own cache
// is better left there. The size of the last level does not decide; virtual machines tell a wrong
// one. Copying 16 MiB on one core of a Zen 4: 379 us past the cache, 955 through it. On a Sapphire
// Rapids (2 MiB a core) past it is quicker by 1.2 to 1.4 from 3 MiB a thread on, and slower by 1.5
// to 3 below.
constexpr size_t kOutputBytes = size_t{8} << 20, kBytesOfThread = size_t{3} << 20;

}  // namespace

size_t past_cache_from(const Pass& pass, int threads) {
  size_t out_bits = 0, in_bits = 0;  // of an element
  for (const View& v : pass.stores) out_bits += static_cast<size_t>(dtype_bits(v.dtype));
  for (const View& v : pass.loads)
    if (v.kind == ViewKind::input) in_bits += static_cast<size_t>(dtype_bits(v.dtype));
  if (out_bits == 0) return kNeverPastCache;
  const auto elements = [](size_t bytes, size_t bits) { return (bytes * 8 + bits - 1) / bits; };
  return std::max(elements(kOutputBytes, out_bits),
                  elements(kBytesOfThread * static_cast<size_t>(threads), in_bits + out_bits));
}

void copy_non_temporal(const MemoryKernels& memory, void* dst_, const void* src_, size_t n) {
  auto* dst = static_cast<uint8_t*>(dst_);
  const auto* src = static_cast<const uint8_t*>(src_);
  const size_t head = std::min(n, (64 - reinterpret_cast<uintptr_t>(dst) % 64) % 64);
  std::memcpy(dst, src, head);
  const size_t body = (n - head) / 64 * 64;
  memory.non_temporal_copy(dst + head, src + head, body);
  std::memcpy(dst + head + body, src + head + body, n - head - body);
}

void copy_rows_non_temporal(const MemoryKernels& memory, uint8_t* dst, const Tile& rows, ptrdiff_t element,
                            const uint8_t* src) {
  const size_t bytes = rows.cols * static_cast<size_t>(element);
  if (is_dense(rows, element)) return copy_non_temporal(memory, dst, src, rows.rows * bytes);
  for (size_t r = 0; r < rows.rows; ++r)
    copy_non_temporal(memory, dst + static_cast<ptrdiff_t>(r) * rows.row_stride, src + r * bytes, bytes);
}

}  // namespace tileops::cpu
