// The kernel of a pass of rows whose blocks lie side by side in memory: element e of neighbouring blocks is one access,
// where elements of one block are far apart, as in sums over the rows of a matrix. A thread has `columns` blocks, and
// of their elements runs of 32, or of as many as a shorter axis has, which it adds up one after the
// other or by the tree, as the pass says; `sharing_threads` share a block's runs. Of a short axis it keeps the
// elements, in registers or, of a longer one, in shared memory. A Spec is as rows/place.h says, where lanes are of the
// threads of neighbouring columns, columns and vec both the blocks of a thread, and packs the elements that are read at
// a time: they divide a run.
//
// Steps is the same text as of rows: what there is once a block is there for each of the columns.
#ifndef TILEOPS_KERNELS_COLUMNS_H
#define TILEOPS_KERNELS_COLUMNS_H

#include "cuda/kernels/rows/cluster.h"
#include "cuda/kernels/rows/column_nodes.h"
#include "cuda/kernels/rows/columns.h"
#include "tileops/device/cuda/forms/steps.h"

namespace tileops {
namespace kernels {

template <class Spec, class Steps>
struct columns_kernel {
  using Arguments = row_arguments<Spec>;
  using Columns = column_place<Spec>;
  using Block = typename Steps::block_values;
  using Memory = typename Steps::memory;
  using index = typename row_pack<Spec>::index;
  static constexpr int V = Spec::columns, U = Spec::packs, stages = Steps::stages::count;
  static constexpr index run = Spec::run, pieces = run / U;
  static constexpr u32 kLevels = 6;  // of a tree over a run, with its root
  static constexpr __device__ u32 digits_of(u32 n) { return n < 2u ? 1u : 1u + digits_of(n / 2u); }
  template <int K>
  using stage = typename nth_type<K, typename Steps::stages>::type;
  template <class R>
  using all_of = of_columns<R, V>;
  template <class R>
  using states = typename all_of<R>::state;

  // How many elements of a column stage K is about: it may be one that takes the first alone.
  template <int K>
  TILEOPS_DEVICE index length(const Arguments& a) {
    if constexpr (stage<K>::reduces_block)
      if (stage<K>::takes_first) return a.length < 1u ? 0u : 1u;
    return static_cast<index>(a.length);
  }

  // Elements `first` to first + N of the columns, read for a stage. AreThere: none of them is beyond the columns'
  // length.
  template <int K, bool AreThere, int N>
  TILEOPS_DEVICE void read(const Arguments& a, const Columns& c, bool straight, const Block& b, index first,
                           column_pack<Spec> (&p)[N], Memory (&m)[N]) {
#pragma unroll
    for (int j = 0; j < N; ++j) {
      p[j] = place_column_pack<AreThere>(a, c, first + j, length<K>(a));
      p[j].number = j;
      p[j].first_of_piece = first;
    }
    // The last group of a column may be short: its length counts elements that are missing.
#pragma unroll
    for (int j = 0; j < N; ++j) p[j].piece_is_whole = AreThere && N == U && p[N - 1].left != 0u;
    if constexpr (Spec::staged > 0) {
#pragma unroll
      for (int j = 0; j < N; ++j) Steps::read_staged(staged_memory(), slot_of_element(c, first + j), &m[j]);
    }
    if (V > 1 && straight) {
#pragma unroll
      for (int j = 0; j < N; ++j) stage<K>::read(a, p[j], true, b, &m[j]);
    } else {
#pragma unroll
      for (int j = 0; j < N; ++j) stage<K>::read(a, p[j], false, b, &m[j]);
    }
    // Keeps all loads ahead of what computes with them. Elsewhere the branches above do that; here the compiler would
    // have one or two loads under way at a time.
    if constexpr (V == 1) __syncwarp(__activemask());
  }

  // The node of N elements from `first` on, of each column; or, in the order of columns, what they and `before` come
  // to. Elements beyond the end are identities.
  template <int K, class R, bool AreThere, int N>
  TILEOPS_DEVICE states<R> over_elements(const Arguments& a, const Columns& c, bool straight, const Block& b,
                                         index first, const states<R>& before) {
    column_pack<Spec> p[N];
    Memory m[N];
    read<K, AreThere>(a, c, straight, b, first, p, m);
    return over_packs<K, R>(a, b, p, m, first, before);
  }
  template <int K, class R, int N>
  TILEOPS_DEVICE states<R> over_packs(const Arguments& a, const Block& b, const column_pack<Spec> (&p)[N],
                                      Memory (&m)[N], index first, const states<R>& before) {
    const typename Steps::group_values none{};
    if constexpr (R::scales_packs) {
      typename R::values x[N];
#pragma unroll
      for (u32 j = 0; j < N; ++j) R::take(a, p[j], m[j], b, none, &x[j]);
      return scaled_over_packs<R, V, N>(p, x, before);
    }
    states<R> all = before, open[kLevels];
#pragma unroll
    for (u32 j = 0; j < N; ++j) {
      typename R::values x;
      R::take(a, p[j], m[j], b, none, &x);
      const bool there = p[j].left && (!stage<K>::takes_first || first + j == 0u);
      states<R> leaf;
#pragma unroll
      for (int v = 0; v < V; ++v) leaf.of[v] = there ? R::of(x, v, first + j) : R::identity();
      all = R::in_columns ? all_of<R>::merge(all, leaf) : met<R>(j, leaf, open);
    }
    return R::in_columns ? all : last_met<R>(N, open, all);
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

  // What came last, of so many, has nothing behind it: it meets what is open, the smallest first. `all` is its node.
  template <class R, int N>
  TILEOPS_DEVICE states<R> last_met(u32 count, const states<R> (&open)[N], states<R> all) {
    bool any = false;
#pragma unroll
    for (u32 digit = 0; digit < N; ++digit) {
      if ((count >> digit & 1u) == 0u) continue;
      all = any ? all_of<R>::merge(open[digit], all) : open[digit];
      any = true;
    }
    return all;
  }

  // A binary counter whose digits are not known when it is compiled. Every node is written, its old value or a new one,
  // so that the counter stays in registers.
  template <class R, int N>
  TILEOPS_DEVICE void add(u32 at, states<R> all, states<R> (&open)[N]) {
    bool carries = true;
#pragma unroll
    for (u32 digit = 0; digit < N; ++digit) {
      const bool meets = carries && (at >> digit & 1u) != 0u;
      open[digit] = trees::either(carries && !meets, all, open[digit]);
      if (meets) all = all_of<R>::merge(open[digit], all);
      carries = meets;
    }
  }

  // The node of the run of elements that begins at `first`, of each column: pieces of U of them, one after the other,
  // of which the last one may be short.
  template <int K, class R>
  TILEOPS_DEVICE states<R> over_run(const Arguments& a, const Columns& c, bool straight, const Block& b, index first) {
    const index end = length<K>(a) - first < run ? length<K>(a) : first + run;
    const states<R> none = all_of<R>::identity();
    if constexpr (stage<K>::takes_first) {
      return over_pieces<K, R, false, 1>(a, c, straight, b, first, end, none);
    } else if constexpr (R::in_columns) {
      const index whole = end - (end - first) % U;
      const states<R> s = over_pieces<K, R, true, U>(a, c, straight, b, first, whole, none);
      return over_pieces<K, R, false, part_of_piece<R>>(a, c, straight, b, whole, end, s);
    } else {
      states<R> open[digits_of(pieces)];
      u32 seen = 0;
#pragma unroll 1
      for (; end - first >= U; first += U)
        add<R>(seen++, over_elements<K, R, true, U>(a, c, straight, b, first, none), open);
      if (first < end)
        add<R>(seen++, over_pieces<K, R, false, part_of_piece<R>>(a, c, straight, b, first, end, none), open);
      return last_met<R>(seen, open, none);
    }
  }
  // How many elements of a short piece are read at a time: fewer where states are large, since their code is long.
  template <class R>
  static constexpr int part_of_piece = sizeof(typename R::state) > 8u && U > 2 ? U / 4
                                       : U > 1                                 ? U / 2
                                                                               : 1;
  // The node of less than a piece by N elements at a time or, in the order of columns, what as many as there are and
  // `before` come to.
  template <int K, class R, bool AreThere, int N>
  TILEOPS_DEVICE states<R> over_pieces(const Arguments& a, const Columns& c, bool straight, const Block& b, index first,
                                       index end, const states<R>& before) {
    states<R> all = before, open[digits_of(U / N)];
    u32 seen = 0;
#pragma unroll 1
    for (; first < end; first += N) {
      const states<R> s = over_elements<K, R, AreThere, N>(a, c, straight, b, first, all);
      if constexpr (R::in_columns) all = s;
      else add<R>(seen++, s, open);
    }
    return R::in_columns ? all : last_met<R>(seen, open, all);
  }

  // The node of all runs of a thread, which are a power of two but for those beyond the end.
  template <int K, class R>
  TILEOPS_DEVICE states<R> over_part(const Arguments& a, const Columns& c, bool straight, const Block& b, index runs) {
    open_nodes<all_of<R>, 32> open;
    const index begin = c.part * runs * run, end = begin + runs * run;
#pragma unroll 1
    for (index first = begin; first < end && first < length<K>(a); first += run) {
      const states<R> s = over_run<K, R>(a, c, straight, b, first);
      if (runs == 1u) return s;
      open.add(s);
    }
    return open.all();
  }

  // The node of all threads that share the columns, a power of two of them, in a thread block or a cluster.
  template <class R>
  TILEOPS_DEVICE states<R> over_parts(const Columns& c, const states<R>& mine) {
    if constexpr (Spec::cluster > 1) return over_blocks<R>(c, over_threads<R>(c, mine));
    else return over_threads<R>(c, mine);
  }
  template <class R>
  TILEOPS_DEVICE states<R> over_threads(const Columns& c, const states<R>& mine) {
    if constexpr (Spec::sharing_threads == 1) {
      return mine;
    } else {
      __shared__ states<R> nodes[Spec::sharing_threads][Spec::lanes];
      const u32 part = c.part % Spec::sharing_threads;
      states<R> all = mine;
      nodes[part][c.lane] = all;
#pragma unroll
      for (u32 step = 1; step < Spec::sharing_threads; step *= 2) {
        __syncthreads();
        if (part % (2 * step) != 0u) continue;
        all = all_of<R>::merge(all, nodes[part + step][c.lane]);
        nodes[part][c.lane] = all;
      }
      __syncthreads();
      return nodes[0][c.lane];
    }
  }
  template <class R>
  TILEOPS_DEVICE states<R> over_blocks(const Columns& c, const states<R>& mine) {
    __shared__ states<R> nodes[Spec::cluster][Spec::lanes];
    for (u32 to = c.part % Spec::sharing_threads; to < Spec::cluster; to += Spec::sharing_threads)
      put_in_block(&nodes[blockIdx.x % Spec::cluster][c.lane], to, mine);
    arrive_at_cluster();
    wait_for_cluster();
    states<R> of_block[Spec::cluster];
#pragma unroll
    for (int i = 0; i < Spec::cluster; ++i) of_block[i] = nodes[i][c.lane];
    return trees::over_array<all_of<R>, Spec::cluster>(of_block);
  }

  template <int K>
  TILEOPS_DEVICE void run_from(const Arguments& a, const Columns& c, bool straight, Block* b) {
    stage<K>::block(a, c, b);
    if constexpr (stage<K>::reduces_block) {
      using R = typename stage<K>::block_sums;
      index runs = 1;
      while (runs * (run * Spec::sharing_threads * Spec::cluster) < length<K>(a)) runs *= 2;
      const states<R> s = over_parts<R>(c, over_part<K, R>(a, c, straight, *b, runs));
#pragma unroll
      for (int v = 0; v < V; ++v) R::finish(s.of[v], count_of_columns(a, c), b, v);
    }
    if constexpr (K + 1 < stages) run_from<K + 1>(a, c, straight, b);
    else if constexpr (Steps::puts_elements) put_elements<K>(a, c, straight, *b);
  }

  // How many elements of each of its columns a thread has in shared memory: those that it reduces.
  static constexpr index own = static_cast<index>(Spec::staged) * U;
  TILEOPS_DEVICE u32 slot_of_element(const Columns& c, index number) {
    return static_cast<u32>(number - c.part * own) * Spec::threads + threadIdx.x;
  }
  TILEOPS_DEVICE void stage_elements(const Arguments& a, const Columns& c, bool straight) {
    const index begin = c.part * own, all = static_cast<index>(a.length);
#pragma unroll 1
    for (index first = begin; first < begin + own && first < all; first += U)
#pragma unroll
      for (u32 j = 0; j < U; ++j)
        Steps::stage_packs(a, place_column_pack<false>(a, c, first + j, all), straight, staged_memory(),
                           slot_of_element(c, first + j));
    commit_copies();
    wait_for_copies_but(0u);
  }

  template <int K>
  TILEOPS_DEVICE void put_elements(const Arguments& a, const Columns& c, bool straight, const Block& b) {
    if (!c.exists) return;
    const index begin = Spec::staged > 0 ? c.part * own : c.part * U,
                step = Spec::staged > 0 ? U : Spec::sharing_threads * Spec::cluster * U;
#pragma unroll 1
    for (index first = begin; first < length<K>(a) && (Spec::staged == 0 || first < begin + own); first += step) {
      column_pack<Spec> p[U];
      Memory m[U];
      const typename Steps::group_values none{};
      read<K, false>(a, c, straight, b, first, p, m);
#pragma unroll
      for (int j = 0; j < U; ++j)
        if (p[j].left) Steps::put(a, p[j], straight, m[j], b, none);
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
    if constexpr (Spec::cluster > 1) arrive_at_cluster();
    const Columns c = place_columns<Spec>(a);
    const bool straight = rows_are_aligned<Spec>(a);
    Block b;
    Steps::read_block(a, c, &b);
    if constexpr (Spec::kept) {
      column_pack<Spec> p[U];
      Memory m[U];
#pragma unroll
      for (int j = 0; j < U; ++j) p[j] = place_column_pack<Spec::no_padding>(a, c, j, length<stages - 1>(a));
#pragma unroll
      for (int j = 0; j < U; ++j) Steps::read_kept(a, p[j], straight, &m[j]);
      run_kept<0>(a, c, straight, p, m, &b);
    } else {
      if constexpr (Spec::cluster > 1) wait_for_cluster();
      if constexpr (Spec::staged > 0) stage_elements(a, c, straight);
      run_from<0>(a, c, straight, &b);
    }
    if (c.exists && c.part == 0u) Steps::put_block(a, c, b);
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
