// Nodes of several columns, which a thread has side by side (columns.h).
#ifndef TILEOPS_KERNELS_ROWS_COLUMN_NODES_H
#define TILEOPS_KERNELS_ROWS_COLUMN_NODES_H

#include "cuda/kernels/rows/reduce.h"
#include "tileops/device/cuda/forms/leaves.h"

namespace tileops {
namespace kernels {

// R of each of V columns: a thread's.
template <class R, int V>
struct of_columns {
  struct state {
    typename R::state of[V];
  };
  TILEOPS_DEVICE state identity() {
    state s;
#pragma unroll
    for (int v = 0; v < V; ++v) s.of[v] = R::identity();
    return s;
  }
  TILEOPS_DEVICE state merge(const state& a, const state& b) {
    state s;
#pragma unroll
    for (int v = 0; v < V; ++v) s.of[v] = R::merge(a.of[v], b.of[v]);
    return s;
  }
};

// logsumexp of U elements of each column, which are scaled to one exponent: their node; or, where a column is added up
// one by one, the node of `before` and them.
template <class R, int V, int U, class Pack>
TILEOPS_DEVICE typename of_columns<R, V>::state scaled_over_packs(const Pack (&p)[U], const typename R::values (&x)[U],
                                                                  const typename of_columns<R, V>::state& before) {
  using A = typename R::A0;
  typename A::scale scales[V];
  typename of_columns<R, V>::state all;
  bool fit = true;
#pragma unroll
  for (int v = 0; v < V; ++v) {
    float largest = R::in_columns ? before.of[v].s0.largest : -limits<float>::inf();
#pragma unroll
    for (int j = 0; j < U; ++j)
      if (p[j].left) largest = approx::max_nan(largest, x[j].r0[v]);
    scales[v] = A::scale_of(largest);
    fit = fit && scales[v].fits;
  }
  if (fit) {
#pragma unroll
    for (int v = 0; v < V; ++v) {
      float s[U];
#pragma unroll
      for (int j = 0; j < U; ++j) s[j] = A::scaled(x[j].r0[v], scales[v], A::bits_if(p[j].left != 0u));
      float sum;
      if constexpr (R::in_columns) {
        sum = A::rescaled(before.of[v].s0, scales[v]);
#pragma unroll
        for (int j = 0; j < U; ++j) sum += s[j];
      } else {
        sum = trees::over_array<scaled_sum, U>(s);
      }
      all.of[v] = {A::node(sum, scales[v])};
    }
    return all;
  }
  // Rare: by loops, in copies that lie in memory.
  typename R::values again[U];
  typename of_columns<R, V>::state found[U];
  bool there[U];
#pragma unroll
  for (int j = 0; j < U; ++j) again[j] = x[j], there[j] = p[j].left != 0u;
  all = before;
#pragma unroll 1
  for (int j = 0; j < U; ++j) {
#pragma unroll 1
    for (int v = 0; v < V; ++v) found[j].of[v] = there[j] ? R::of(again[j], v, 0u) : R::identity();
    if constexpr (R::in_columns) all = of_columns<R, V>::merge(all, found[j]);
  }
  return R::in_columns ? all : trees::over_array<of_columns<R, V>, U>(found);
}

}  // namespace kernels
}  // namespace tileops

#endif
