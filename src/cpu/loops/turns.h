// Loops that go over dense results a turn at a time, through the cache or past it.
#pragma once

#include "cpu/simd/non_temporal.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// How many of n elements from y on lie before the first whole line.
template <class R>
inline __attribute__((always_inline)) size_t before_line(const R* y, size_t n) {
  const size_t head = (kLine - reinterpret_cast<uintptr_t>(y) % kLine) % kLine / sizeof(R);
  return head < n ? head : n;
}

// y = results: `block(to, at)` computes kTurn of them, from the at-th on, into memory that is in L1, and
// `edge(to, at, count)` fewer. Through the cache up to the first whole line and from the last one on, past
// it in between.
template <size_t kTurn, class R, class Block, class Edge>
inline __attribute__((always_inline)) void non_temporal_loop(R* y, size_t n, const Block& block, const Edge& edge) {
  static_assert(kTurn * sizeof(R) % kLine == 0);
  size_t i = before_line(y, n);
  if (i) edge(y, 0, i);
  for (; i + kTurn <= n; i += kTurn) {
    alignas(64) R results[kTurn];
    block(results, i);
    put_lines(y + i, results, sizeof results);
  }
  if (i < n) edge(y + i, i, n - i);
}

// The same through the cache, unless `non_temporal`, where ahead(at) prefetches for the turn at `at`.
template <size_t kTurn, class R, class Block, class Edge, class Ahead>
inline __attribute__((always_inline)) void turn_loop(R* y, size_t n, bool non_temporal, const Block& block,
                                                     const Edge& edge, const Ahead& ahead) {
  if (non_temporal) {
    const auto both = [&](R* to, size_t at) {
      ahead(at);
      block(to, at);
    };
    return non_temporal_loop<kTurn>(y, n, both, edge);
  }
  size_t i = 0;
  for (; i + kTurn <= n; i += kTurn) block(y + i, i);
  if (i < n) edge(y + i, i, n - i);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
