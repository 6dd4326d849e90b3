#include "cpu/exec/store.h"

#include <algorithm>
#include <cstring>

namespace tileops::cpu {
namespace {

// Computes `count` elements again, those at `places` of the block.
void recompute(const Store& store, const Tile& tile, void* dst, const StepKernel& step, int which,
               const BlockOperands& operands, size_t count, const uint16_t* places) {
  constexpr size_t kGroup = 64;
  alignas(64) uint8_t args[kMaxOperands][kGroup * 8];
  alignas(64) uint8_t results[kMaxResults][kGroup * 8];
  const Kernel& kernel = *step.kernel;
  const DenseFn in_f64 = kernel.find(Loop::in_f64)->fn.dense;
  const void* ins[kMaxOperands];
  void* outs[kMaxResults];
  for (int i = 0; i < kMaxResults; ++i) outs[i] = results[i];
  for (size_t base = 0; base < count; base += kGroup) {
    const size_t m = std::min(kGroup, count - base);
    for (int k = 0; k < kernel.num_in; ++k) {
      ins[k] = args[k];
      const auto* in = static_cast<const uint8_t*>(operands.in[k]);
      const size_t element = ctype_size(step.in[k]);
      for (size_t i = 0; i < m; ++i) {
        const size_t place = places[base + i], at = k < operands.whole ? place : place % operands.cols;
        if (step.body->operands[static_cast<size_t>(k)].computed) {
          reinterpret_cast<double*>(args[k])[i] = reinterpret_cast<const float*>(in)[at];
        } else {
          std::memcpy(args[k] + i * element, in + at * element, element);
        }
      }
    }
    in_f64(ins, outs, m, operands.attrs, {});
    for (size_t i = 0; i < m; ++i) {
      const size_t place = places[base + i];
      const ptrdiff_t at = static_cast<ptrdiff_t>(tile.first) +
                           static_cast<ptrdiff_t>(place / tile.cols) * tile.row_stride +
                           static_cast<ptrdiff_t>(place % tile.cols) * tile.col_stride;
      if (store.packed) {
        uint8_t code = 0;
        store.store_f64(results[which] + i * 8, Tile{1, 1, 0, store.storage}, &code);
        put_packed(static_cast<uint8_t*>(dst), at, code);
        continue;
      }
      store.store_f64(results[which] + i * 8, Tile{1, 1, 0, store.storage}, static_cast<uint8_t*>(dst) + at);
    }
  }
}

}  // namespace

void store_tested(const Store& store, const void* results, const Tile& tile, void* dst, const StepKernel& step,
                  int which, const BlockOperands& operands) {
  uint16_t places[kBlock];
  const size_t count = store.tested(static_cast<const float*>(results), tile, dst, step.ulp, places);
  if (count) recompute(store, tile, dst, step, which, operands, count, places);
}

}  // namespace tileops::cpu
