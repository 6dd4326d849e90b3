// The kernel for transposed operands. A block takes a square of two dimensions: the result's rows, and
// the dimension along which the transposed operands lie one element after the other. These are read
// along memory into shared memory, lines one element longer than the square so that reading across
// them meets few banks twice, and from there they are an operand like any other.
#ifndef TILEOPS_KERNELS_TILE_H
#define TILEOPS_KERNELS_TILE_H

#include "cuda/kernels/core/staged.h"
#include "tileops/device/cuda/kernel/put.h"

namespace tileops {
namespace kernels {

// Spec::tile_dim is the side of the square. The last two dimensions are the square's, their extents in
// `divide` counted in squares; `count` holds their extents in elements, rows in the upper half.
template <class Spec, class Steps>
struct tiled {
  using Arguments = arguments_of<Spec>;
  static constexpr int N = Spec::vec, edge = Spec::tile_dim, pitch = edge + 1;
  static constexpr int num_loads = Spec::loads::count;
  static constexpr int row_dim = Spec::dims - 2, col_dim = Spec::dims - 1;
  using coords = coordinates<Spec::dims, false>;

  template <class... A>
  using operands = operands_of<make_seq<sizeof...(A)>, N, A...>;
  using X = typename types_to<operands, typename Spec::operands>::type;

  template <int View, class S>
  TILEOPS_DEVICE chunk<sizeof(S)>* shared() {
    __shared__ chunk<sizeof(S)> memory[edge * pitch];
    return memory;
  }

  // What a thread reads of one operand's square, and puts into shared memory.
  template <int View, class Access, class A, bool exists = Access::how == access_pattern::tile>
  struct square_part {
    using S = storage_of<Spec, Access, A>;
    static constexpr int each = 16 / sizeof(S), parts = edge / each;
    static constexpr int steps = (edge * parts + Spec::threads - 1) / Spec::threads;
    raw_pack<S, each> x[steps];

    TILEOPS_DEVICE_MEMBER void read(const Arguments& a, const coords& corner, u32 rows, u32 cols) {
      const char* base = bytes_at(a.address[View]) + offset_of(a, corner, View);
      const bool aligned = !(a.unaligned >> View & 1);
#pragma unroll
      for (int step = 0; step < steps; ++step) {
        const u32 i = threadIdx.x + step * Spec::threads;
        const u32 line = i / parts, row = i % parts * each;
        if (line >= edge || corner.at[col_dim] + line >= cols) continue;
        const char* at = base + static_cast<i64>(line) * a.stride[View][col_dim] + row * sizeof(S);
        const u32 first = corner.at[row_dim] + row;
        if (aligned && first + each <= rows) {
          x[step] = load_raw<S, each>(at);
        } else {
#pragma unroll
          for (int e = 0; e < each; ++e)
            if (first + e < rows) x[step].set(e, load_one<chunk<sizeof(S)>>(at + e * sizeof(S)));
        }
      }
    }
    TILEOPS_DEVICE_MEMBER void keep() const {
      chunk<sizeof(S)>* square = shared<View, S>();
#pragma unroll
      for (int step = 0; step < steps; ++step) {
        const u32 i = threadIdx.x + step * Spec::threads;
        const u32 line = i / parts, row = i % parts * each;
        if (line >= edge) continue;
#pragma unroll
        for (int e = 0; e < each; ++e) square[line * pitch + row + e] = x[step].get(e);
      }
    }
    static TILEOPS_DEVICE_MEMBER void take(u32 row, u32 col, A (&x)[N]) {
      const chunk<sizeof(S)>* square = shared<View, S>();
#pragma unroll
      for (int e = 0; e < N; ++e) x[e] = widen_one<A>(__builtin_bit_cast(S, square[(col + e) * pitch + row]));
    }
  };
  template <int View, class Access, class A>
  struct square_part<View, Access, A, false> {
    TILEOPS_DEVICE_MEMBER void read(const Arguments&, const coords&, u32, u32) {}
    TILEOPS_DEVICE_MEMBER void keep() const {}
    static TILEOPS_DEVICE_MEMBER void take(u32, u32, A (&)[N]) {}
  };
  template <class Seq, class Loads, class... A>
  struct square_parts;
  template <int... I, class... L, class... A>
  struct square_parts<seq<I...>, types<L...>, A...> : square_part<I, L, A>... {
    TILEOPS_DEVICE_MEMBER void read(const Arguments& a, const coords& corner, u32 rows, u32 cols) {
      (square_part<I, L, A>::read(a, corner, rows, cols), ...);
    }
    TILEOPS_DEVICE_MEMBER void keep() const { (square_part<I, L, A>::keep(), ...); }
    static TILEOPS_DEVICE_MEMBER void take(u32 row, u32 col, X& x) {
      (square_part<I, L, A>::take(row, col, get<I>(x)), ...);
    }
  };
  template <class... A>
  using squares = square_parts<make_seq<num_loads>, typename Spec::loads, A...>;
  template <class... A>
  using staged = staged_operands_of<Spec, make_seq<num_loads>, typename Spec::loads, A...>;

  // Pack number i of the square, in rows. There may be none.
  static constexpr int parts = edge / N, steps = (edge * parts + Spec::threads - 1) / Spec::threads;
  TILEOPS_DEVICE pack_place<Spec> place_in(const coords& corner, u32 rows, u32 cols, u32 i) {
    pack_place<Spec> p;
    p.unit = 0;
    p.number = 0;
    p.c[0] = corner;
    p.c[0].at[row_dim] += i / parts;
    p.c[0].at[col_dim] += i % parts * N;
    const u32 left = cols > p.c[0].at[col_dim] ? cols - p.c[0].at[col_dim] : 0;
    const bool inside = i < edge * parts && p.c[0].at[row_dim] < rows;
    p.where = {0, 1, !inside ? 0 : left < N ? left : N};
    p.whole = p.where.left == N;
    return p;
  }

  // The other operands, too, are read before the barrier, where that takes few registers: x + y.T of 16 bits.
  using Staged = typename types_to<staged, typename Spec::operands>::type;
  static constexpr bool ahead = !Staged::empty && steps <= 4 && sizeof(Staged) * steps <= 256;

  // A pack through the steps, some of its elements at a time.
  template <int First = 0, int... I, class... A, int... K, class... S>
  TILEOPS_DEVICE void run_steps(const Arguments& a, const operands_of<seq<I...>, N, A...>& x,
                                stored_packs<seq<K...>, N, S...>* y) {
    constexpr int width = Spec::step_width;
    if constexpr (width == N) {
      Steps::template run<N>(a, get<I>(x)..., &pack_of<K>(*y)...);
    } else {
      stored_packs<seq<K...>, width, S...> z;
      const auto of_part = part_of<First, width>(x);
      Steps::template run<width>(a, get<I>(of_part)..., &pack_of<K>(z)...);
      (place_part<First>(pack_of<K>(z), &pack_of<K>(*y)), ...);
      if constexpr (First + width < N) run_steps<First + width>(a, x, y);
    }
  }

  template <class... S>
  using results_of_steps = stored_packs<make_seq<sizeof...(S)>, N, S...>;

  template <class... A, int... K>
  TILEOPS_DEVICE void run_with(const Arguments& a, types<A...>, seq<K...>) {
    const u32 rows = static_cast<u32>(a.count >> 32), cols = static_cast<u32>(a.count);
    coords corner = coordinates_of<Spec::dims, false>(a, a.block_number());
    corner.at[row_dim] *= edge;
    corner.at[col_dim] *= edge;
    typename types_to<squares, typename Spec::operands>::type square;
    square.read(a, corner, rows, cols);
    Staged memory[ahead ? steps : 1];
    if constexpr (ahead) {
#pragma unroll
      for (int step = 0; step < steps; ++step)
        memory[step].read(a, place_in(corner, rows, cols, threadIdx.x + step * Spec::threads));
    }
    square.keep();
    __syncthreads();
#pragma unroll(ahead ? steps : 2)
    for (int step = 0; step < steps; ++step) {
      const u32 i = threadIdx.x + step * Spec::threads;
      if (i >= edge * parts) continue;
      const pack_place<Spec> p = place_in(corner, rows, cols, i);
      if constexpr (!ahead) memory[0].read(a, p);
      X x;
      memory[ahead ? step : 0].widen(a, p, x);
      square.take(i / parts, i % parts * N, x);
      typename types_to<results_of_steps, typename Spec::results>::type y;
      run_steps(a, x, &y);
      (put<A>(a, p, num_loads + K, pack_of<K>(y)), ...);
    }
  }

  TILEOPS_DEVICE void run(const Arguments& a) {
    wait_for_previous_kernel();
    run_with(a, typename Spec::stores{}, make_seq<Spec::stores::count>{});
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
