// The kernel of a pass of rows whose blocks lie side by side in memory: element e of neighbouring blocks is one access,
// where elements of one block are far apart, as in sums over the rows of a matrix. A thread has `columns` blocks, and
// of their elements runs of 32, or of the power of two that has all of a shorter axis, which it adds up one after the
// other or by the tree, as the pass says; `sharing_threads` share a block's runs. Of a short axis it keeps the
// elements. A Spec is as rows/place.h says, where lanes are of the threads of neighbouring columns, columns and vec
// both the blocks of a thread, and packs the elements that are read at a time: they divide a run.
//
// Steps is the same text as of rows: what there is once a block is there for each of the columns.
#ifndef TILEOPS_KERNELS_COLUMNS_H
#define TILEOPS_KERNELS_COLUMNS_H

#include "cuda/kernels/rows/columns.h"
#include "cuda/kernels/rows/reduce.h"
#include "tileops/device/cuda/forms/leaves.h"
#include "tileops/device/cuda/forms/steps.h"

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

template <class Spec, class Steps>
struct columns_kernel {
  using Arguments = row_arguments<Spec>;
  using Columns = column_place<Spec>;
  using Block = typename Steps::block_values;
  using Memory = typename Steps::memory;
  static constexpr int V = Spec::columns, U = Spec::packs, stages = Steps::stages::count;
  static constexpr u32 run = Spec::run, kLevels = 6;  // of a tree over a run, with its root
  template <int K>
  using stage = typename nth_type<K, typename Steps::stages>::type;
  template <class R>
  using all_of = of_columns<R, V>;
  template <class R>
  using states = typename all_of<R>::state;

  // How many elements of a column stage K is about: it may be one that takes the first alone.
  template <int K>
  TILEOPS_DEVICE u64 length(const Arguments& a) {
    if constexpr (stage<K>::reduces_block)
      if (stage<K>::takes_first) return a.length < 1u ? a.length : 1u;
    return a.length;
  }

  // Elements `first` to first + U of the columns, read for a stage.
  template <int K>
  TILEOPS_DEVICE void read(const Arguments& a, const Columns& c, bool straight, const Block& b, u64 first,
                           column_pack<Spec> (&p)[U], Memory (&m)[U]) {
#pragma unroll
    for (int j = 0; j < U; ++j) p[j] = place_column_pack<Spec>(a, c, first + j, length<K>(a));
#pragma unroll
    for (int j = 0; j < U; ++j) stage<K>::read(a, p[j], straight, b, &m[j]);
  }

  // The node of U elements from `first` on, of each column; or, in the order of columns, what they and `before` come
  // to. Elements beyond the end are identities.
  template <int K, class R>
  TILEOPS_DEVICE states<R> over_piece(const Arguments& a, const Columns& c, bool straight, const Block& b, u64 first,
                                      const states<R>& before) {
    column_pack<Spec> p[U];
    Memory m[U];
    read<K>(a, c, straight, b, first, p, m);
    return over_packs<K, R>(a, b, p, m, first, before);
  }
  template <int K, class R>
  TILEOPS_DEVICE states<R> over_packs(const Arguments& a, const Block& b, const column_pack<Spec> (&p)[U],
                                      Memory (&m)[U], u64 first, const states<R>& before) {
    const typename Steps::group_values none{};
    states<R> all = before, open[kLevels];
#pragma unroll
    for (u32 j = 0; j < U; ++j) {
      typename R::values x;
      R::take(a, p[j], m[j], b, none, &x);
      const bool there = p[j].left && (!stage<K>::takes_first || first + j == 0u);
      states<R> leaf;
#pragma unroll
      for (int v = 0; v < V; ++v) leaf.of[v] = there ? R::of(x, v, first + j) : R::identity();
      all = R::in_columns ? all_of<R>::merge(all, leaf) : met<R>(j, leaf, open);
    }
    return all;
  }

  // A binary counter of nodes, all of whose digits are known: node number `at` meets what waits for it.
  template <class R, int N>
  TILEOPS_DEVICE states<R> met(u32 at, states<R> all, states<R> (&open)[N]) {
#pragma unroll
    for (u32 digit = 0; digit < N; ++digit) {
      if ((at >> digit & 1u) == 0u) {
        open[digit] = all;
        break;
      }
      all = all_of<R>::merge(open[digit], all);
    }
    return all;
  }

  // The node of the run of elements that begins at `first`, of each column, a piece of U of them after the other: as
  // many as there are.
  template <int K, class R>
  TILEOPS_DEVICE states<R> over_run(const Arguments& a, const Columns& c, bool straight, const Block& b, u64 first) {
    constexpr u32 pieces = run / U;
    states<R> all = all_of<R>::identity();
    if constexpr (pieces == 1 || R::in_columns) {
#pragma unroll 1
      for (u32 i = 0; i < pieces && first + i * U < length<K>(a); ++i)
        all = over_piece<K, R>(a, c, straight, b, first + i * U, all);
    } else {
      states<R> open[kLevels];
      u32 seen = 0;
#pragma unroll 1
      for (; seen < pieces && first + seen * U < length<K>(a); ++seen)
        met<R>(seen, over_piece<K, R>(a, c, straight, b, first + seen * U, all), open);
      // What came last has nothing behind it: it meets what is open, the smallest first.
      bool any = false;
#pragma unroll
      for (u32 digit = 0; digit < kLevels; ++digit) {
        if ((seen >> digit & 1u) == 0u) continue;
        all = any ? all_of<R>::merge(open[digit], all) : open[digit];
        any = true;
      }
    }
    return all;
  }

  // The node of all runs of a thread, which are a power of two but for those beyond the end.
  template <int K, class R>
  TILEOPS_DEVICE states<R> over_part(const Arguments& a, const Columns& c, bool straight, const Block& b, u64 runs) {
    open_nodes<all_of<R>, 32> open;
    const u64 begin = c.part * runs;
#pragma unroll 1
    while (open.seen < runs && (begin + open.seen) * run < length<K>(a)) {
      const states<R> s = over_run<K, R>(a, c, straight, b, (begin + open.seen) * run);
      if (runs == 1u) return s;
      open.add(s);
    }
    return open.all();
  }

  // The node of all threads that share the columns, a power of two of them.
  template <class R>
  TILEOPS_DEVICE states<R> over_parts(const Columns& c, const states<R>& mine) {
    if constexpr (Spec::sharing_threads == 1) {
      return mine;
    } else {
      __shared__ states<R> nodes[Spec::sharing_threads][Spec::lanes];
      states<R> all = mine;
      nodes[c.part][c.lane] = all;
#pragma unroll
      for (u32 step = 1; step < Spec::sharing_threads; step *= 2) {
        __syncthreads();
        if (c.part % (2 * step) != 0u) continue;
        all = all_of<R>::merge(all, nodes[c.part + step][c.lane]);
        nodes[c.part][c.lane] = all;
      }
      __syncthreads();
      return nodes[0][c.lane];
    }
  }

  template <int K>
  TILEOPS_DEVICE void run_from(const Arguments& a, const Columns& c, bool straight, Block* b) {
    stage<K>::block(a, c, b);
    if constexpr (stage<K>::reduces_block) {
      using R = typename stage<K>::block_sums;
      u64 runs = 1;
      while (runs * (run * Spec::sharing_threads) < length<K>(a)) runs *= 2;
      const states<R> s = over_parts<R>(c, over_part<K, R>(a, c, straight, *b, runs));
#pragma unroll
      for (int v = 0; v < V; ++v) R::finish(s.of[v], count_of_columns(a, c), b, v);
    }
    if constexpr (K + 1 < stages) run_from<K + 1>(a, c, straight, b);
    else if constexpr (Steps::puts_elements) put_elements<K>(a, c, straight, *b);
  }

  template <int K>
  TILEOPS_DEVICE void put_elements(const Arguments& a, const Columns& c, bool straight, const Block& b) {
#pragma unroll 1
    for (u64 first = static_cast<u64>(c.part) * U; first < a.length; first += Spec::sharing_threads * U) {
      column_pack<Spec> p[U];
      Memory m[U];
      const typename Steps::group_values none{};
      read<K>(a, c, straight, b, first, p, m);
#pragma unroll
      for (int j = 0; j < U; ++j)
        if (p[j].left && c.exists) Steps::put(a, p[j], straight, m[j], b, none);
    }
  }

  // Columns whose elements a thread keeps, all of them, from stage K on.
  template <int K>
  TILEOPS_DEVICE void run_kept(const Arguments& a, const Columns& c, bool straight, const column_pack<Spec> (&p)[U],
                               Memory (&m)[U], Block* b) {
    stage<K>::block(a, c, b);
#pragma unroll
    for (int j = 0; j < U; ++j) stage<K>::read(a, p[j], straight, *b, &m[j]);
    if constexpr (stage<K>::reduces_block) {
      using R = typename stage<K>::block_sums;
      const states<R> s = over_packs<K, R>(a, *b, p, m, 0, all_of<R>::identity());
#pragma unroll
      for (int v = 0; v < V; ++v) R::finish(s.of[v], count_of_columns(a, c), b, v);
    }
    if constexpr (K + 1 < stages) {
      run_kept<K + 1>(a, c, straight, p, m, b);
    } else if constexpr (Steps::puts_elements) {
      const typename Steps::group_values none{};
#pragma unroll
      for (int j = 0; j < U; ++j)
        if (p[j].left && c.exists) Steps::put(a, p[j], straight, m[j], *b, none);
    }
  }

  TILEOPS_DEVICE void run_all(const Arguments& a) {
    wait_for_previous_kernel();
    const Columns c = place_columns<Spec>(a);
    const bool straight = rows_are_aligned<Spec>(a);
    Block b;
    Steps::read_block(a, c, &b);
    if constexpr (Spec::kept) {
      column_pack<Spec> p[U];
      Memory m[U];
#pragma unroll
      for (int j = 0; j < U; ++j) p[j] = place_column_pack<Spec>(a, c, j, a.length);
#pragma unroll
      for (int j = 0; j < U; ++j) Steps::read_kept(a, p[j], straight, &m[j]);
      run_kept<0>(a, c, straight, p, m, &b);
    } else {
      run_from<0>(a, c, straight, &b);
    }
    if (c.exists && c.part == 0u) Steps::put_block(a, c, b);
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
