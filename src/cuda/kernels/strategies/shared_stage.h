// The packs that a thread takes through a body's second stage one after the other, as RoPE turns heads: two operands,
// two results.
#ifndef TILEOPS_KERNELS_SHARED_STAGE_H
#define TILEOPS_KERNELS_SHARED_STAGE_H

#include "tileops/device/cuda/kernel/put.h"

namespace tileops {
namespace kernels {

// A share of a pack: where `cooperating_threads` have packs of the same pairs, each reads and computes so much of the
// angles.
template <class Spec>
struct part_spec : Spec {
  static constexpr int vec = Spec::vec / Spec::cooperating_threads;
};

// Packs of a row are a power of two where threads share, and neighbours in a block.
template <class Spec, class Arguments>
TILEOPS_DEVICE u32 log2_packs(const Arguments& a) {
  return static_cast<u32>(a.divide[Spec::dims - 1].shift);
}
// Rows of packs that this one is behind the first of those that share their angles.
template <class Spec, class Arguments>
TILEOPS_DEVICE u32 row_of_share(const Arguments& a) {
  return threadIdx.x >> log2_packs<Spec>(a) & (Spec::cooperating_threads - 1u);
}
template <class Spec, class Arguments>
TILEOPS_DEVICE pack_place<part_spec<Spec>> share_of_place(const Arguments& a, const pack_place<Spec>& p) {
  constexpr int n = part_spec<Spec>::vec;
  pack_place<part_spec<Spec>> part;
  part.number = p.number;
  part.unit = p.unit;
  part.whole = p.whole;
  part.where = {0, 1, p.whole ? n : 0};
#pragma unroll
  for (int d = 0; d < Spec::dims; ++d) part.c[0].at[d] = p.c[0].at[d];
  if constexpr (Spec::cooperating_threads > 1) part.c[0].at[Spec::dims - 1] += n * row_of_share<Spec>(a);
  return part;
}

// Are the first operands of a pack read only after the angles were computed, for which there are too few registers
// else?
template <class Spec, class Body>
inline constexpr bool late_first_v = long_early_v<Body> && Spec::cooperating_threads == 1;

// The sines and cosines of a pack, which serve one head after the other. Those of narrow results wait in shared
// memory, for which a thread has no registers, four to an access: a thread's own, or those of all threads that share
// them, which are of one warp.
template <class Spec>
struct kept_angles {
  static constexpr int N = Spec::vec, each = part_spec<Spec>::vec;
  using result = typename first_type<typename Spec::stores>::type::storage;
  static constexpr int places = Spec::threads / Spec::cooperating_threads;
  // As much as a block may have without asking for it at the launch.
  static constexpr bool shared = N % 4 == 0 && sizeof(result) <= 2 && 8 * N * places <= (48 << 10);
  static_assert(shared || Spec::cooperating_threads == 1, "threads share angles in shared memory");
  float c[shared ? 1 : N], s[shared ? 1 : N];
  u32 at;  // this pack's place

  // Where cosine (which = 0) or sine (1) number i lies in shared memory.
  TILEOPS_DEVICE_MEMBER u32 place(int i, int which) const {
    __shared__ float4 all[shared ? 2 * N / 4 * places : 1];
    return static_cast<u32>(__cvta_generic_to_shared(all)) + 16u * ((i / 4 * 2 + which) * places + at) + 4u * (i % 4);
  }
  TILEOPS_DEVICE_MEMBER void keep(int i, int which, const float (&x)[each]) const {
    if constexpr (each % 4 == 0) {
#pragma unroll
      for (int k = 0; k < each; k += 4)
        asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(place(i + k, which)), "f"(x[k]), "f"(x[k + 1]),
                     "f"(x[k + 2]), "f"(x[k + 3]));
    } else {
#pragma unroll
      for (int k = 0; k < each; ++k) asm volatile("st.shared.f32 [%0], %1;" ::"r"(place(i + k, which)), "f"(x[k]));
    }
  }
  template <class Arguments>
  TILEOPS_DEVICE_MEMBER kept_angles(const Arguments& a, const float (&cosines)[each], const float (&sines)[each])
      : at(threadIdx.x) {
    if constexpr (Spec::cooperating_threads > 1) {
      const u32 packs = log2_packs<Spec>(a), column = at & ((1u << packs) - 1u);
      at = (threadIdx.x >> packs) / Spec::cooperating_threads << packs | column;
      const int first = static_cast<int>(row_of_share<Spec>(a)) * each;
      keep(first, 0, cosines);
      keep(first, 1, sines);
      __syncwarp();
    } else if constexpr (shared) {
      keep(0, 0, cosines);
      keep(0, 1, sines);
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i) {
        c[i] = cosines[i];
        s[i] = sines[i];
      }
    }
  }
  // Volatile: not before the loop, into registers.
  TILEOPS_DEVICE_MEMBER void read(float (&cosines)[N], float (&sines)[N]) const {
    if constexpr (shared) {
      const auto get = [&](int i, int which, float* x) {
        asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(x[0]), "=f"(x[1]), "=f"(x[2]), "=f"(x[3])
                     : "r"(place(i, which)));
      };
#pragma unroll
      for (int i = 0; i < N; i += 4) {
        get(i, 0, cosines + i);
        get(i, 1, sines + i);
      }
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i) {
        cosines[i] = c[i];
        sines[i] = s[i];
      }
    }
  }
};

// Both operands of a pack as they lie in memory: few registers until they are needed.
template <class S, int N, bool pairs>
struct turned_pack {
  raw_pack<S, pairs ? 2 * N : N> first;
  raw_pack<S, N> second;
  TILEOPS_DEVICE_MEMBER void widen(float (&x1)[N], float (&x2)[N]) const {
    if constexpr (pairs) {
      widen_pairs<S, N>(first, x1, x2);
    } else {
      widen_all(first, x1);
      widen_all(second, x2);
    }
  }
};

// Where they are. `straight`: every pack is whole and aligned, which is found out once, and a thread goes along
// by addresses of its own: found anew for each pack they were a third of the loop's instructions.
// To: the first result's number.
template <class Spec, class Body, bool straight, int To, class A0, class A1, class L0, class L1, class... L>
struct turned_views {
  using S = typename L0::storage;
  using R = typename A0::storage;
  using place = pack_place<Spec>;
  using Arguments = arguments_of<Spec>;
  static constexpr int N = Spec::vec;
  static constexpr bool pairs = L0::how == access_pattern::even;
  const Arguments& a;
  const char* from;  // of the first operand; the second lies as far from it for all threads, which is not kept
  char* to;

  static TILEOPS_DEVICE_MEMBER bool possible(const Arguments& a, const place& p) {
    bool all = vector_access(a, p, 0) && vector_access(a, p, To);
    if constexpr (!pairs)
      all = all && vector_access(a, p, 1) && vector_access(a, p, To + 1) && alike<0>(a) && alike<To>(a);
    return all;
  }
  // Does the view after `View` go the same ways?
  template <int View>
  static TILEOPS_DEVICE_MEMBER bool alike(const Arguments& a) {
    bool same = true;
#pragma unroll
    for (int d = 0; d < Spec::dims; ++d) same = same && a.stride[View][d] == a.stride[View + 1][d];
    return same;
  }
  template <int View>
  TILEOPS_DEVICE_MEMBER i64 to_next_view() const {
    return static_cast<i64>(a.address[View + 1] - a.address[View]);
  }
  template <int View>
  TILEOPS_DEVICE_MEMBER const char* start(const place& p) const {
    return bytes_at(a.address[View]) + element_offset(a, p, View, span{}, 0);
  }
  template <int View>
  TILEOPS_DEVICE_MEMBER i64 stride() const {
    return step_stride<Spec>(a, View);
  }

  TILEOPS_DEVICE_MEMBER turned_views(const Arguments& arguments, const place& p) : a(arguments) {
    if constexpr (straight) {
      from = start<0>(p);
      to = const_cast<char*>(start<To>(p));
    }
  }
  // The pack of p.step, which is the one after the last that was read.
  TILEOPS_DEVICE_MEMBER turned_pack<S, N, pairs> read(const place& p) {
    turned_pack<S, N, pairs> x;
    if constexpr (straight) {
      x.first = load_raw<S, pairs ? 2 * N : N>(from);
      if constexpr (!pairs) x.second = load_raw<S, N>(from + to_next_view<0>());
      from += stride<0>();
    } else if constexpr (pairs) {
      x.first = read_pairs<S>(a, p, 0);
    } else {
      x.first = read_pack<L0, S>(a, p, 0);
      x.second = read_pack<L1, S>(a, p, 1);
    }
    return x;
  }
  // The first came with the operands of the angles and was on its way while they were computed, unless these are many.
  template <class Staged>
  TILEOPS_DEVICE_MEMBER turned_pack<S, N, pairs> first(const place& p, const Staged& memory) {
    if constexpr (late_first_v<Spec, Body>) {
      return read(p);
    } else {
      turned_pack<S, N, pairs> x;
      x.first = memory.template operand<0>().memory;
      if constexpr (!pairs) x.second = memory.template operand<1>().memory;
      if constexpr (straight) from += stride<0>();
      return x;
    }
  }
  TILEOPS_DEVICE_MEMBER void write(const place& p, const raw_pack<R, N>& y0, const raw_pack<R, N>& y1) {
    if constexpr (straight) {
      if constexpr (pairs) {
        store_vector<R, 2 * N>(to, in_turn(y0, y1));
      } else {
        store_vector<R, N>(to, y0);
        store_vector<R, N>(to + to_next_view<To>(), y1);
      }
      to += stride<To>();
    } else if constexpr (pairs) {
      put_pairs<A0>(a, p, To, y0, y1);
    } else {
      put<A0>(a, p, To, y0);
      put<A1>(a, p, To + 1, y1);
    }
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
