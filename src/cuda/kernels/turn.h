// The packs that a thread turns one after the other (RoPE's heads): two operands, two results.
#ifndef TILEOPS_KERNELS_TURN_H
#define TILEOPS_KERNELS_TURN_H

#include "cuda/kernels/fetch.h"

namespace tileops {
namespace kernels {

// The sines and cosines of a pack, which serve one head after the other. Those of narrow results wait in shared
// memory, for which a thread has no registers: each thread's own, four to an access.
template <class Spec>
struct kept_angles {
  static constexpr int N = Spec::vector;
  using result = typename first_type<typename Spec::stores>::type::storage;
  // As much as a block may have without asking for it at the launch.
  static constexpr bool shared = N % 4 == 0 && sizeof(result) <= 2 && 8 * N * Spec::threads <= (48 << 10);
  float c[shared ? 1 : N], s[shared ? 1 : N];

  // Of four cosines (which = 0) or sines (1).
  static TILEOPS_DEVICE_MEMBER u32 place(int first, int which) {
    __shared__ float4 all[shared ? 2 * N / 4 * Spec::threads : 1];
    return static_cast<u32>(__cvta_generic_to_shared(all)) +
           16u * ((first / 4 * 2 + which) * Spec::threads + threadIdx.x);
  }
  TILEOPS_DEVICE_MEMBER kept_angles(const float (&cosines)[N], const float (&sines)[N]) {
    const auto keep = [](int first, int which, const float* x) {
      asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};"
                   ::"r"(place(first, which)), "f"(x[0]), "f"(x[1]), "f"(x[2]), "f"(x[3]));
    };
    if constexpr (shared) {
#pragma unroll
      for (int i = 0; i < N; i += 4) {
        keep(i, 0, cosines + i);
        keep(i, 1, sines + i);
      }
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
    const auto get = [](int first, int which, float* x) {
      asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                   : "=f"(x[0]), "=f"(x[1]), "=f"(x[2]), "=f"(x[3]) : "r"(place(first, which)));
    };
    if constexpr (shared) {
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
      widen_all(elements_of(first), x1);
      widen_all(elements_of(second), x2);
    }
  }
};

// Where they are. `straight`: every pack is whole and aligned, which is found out once, and a thread goes along
// by addresses of its own: found anew for each pack they were a third of the loop's instructions.
// To: the first result's number.
template <class Spec, bool straight, int To, class A0, class A1, class L0, class L1, class... L>
struct turned_views {
  using S = typename L0::storage;
  using R = typename A0::storage;
  using place = pack_place<Spec>;
  using Arguments = arguments<Spec::views, Spec::dims, Spec::attrs>;
  using Body = typename Spec::template body<typename Spec::policy, typename Spec::compute>;
  static constexpr int N = Spec::vector;
  static constexpr bool pairs = L0::how == reach::even;
  const Arguments& a;
  const char* from;  // of the first operand; the second lies as far from it for all threads, which is not kept
  char* to;

  static TILEOPS_DEVICE_MEMBER bool possible(const Arguments& a, const place& p) {
    bool all = vector_access<0>(a, p) && vector_access<To>(a, p);
    if constexpr (!pairs)
      all = all && vector_access<1>(a, p) && vector_access<To + 1>(a, p) && alike<0>(a) && alike<To>(a);
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
    return bytes_at(a.address[View]) + element_offset<View>(a, p, span{}, 0);
  }
  template <int View>
  TILEOPS_DEVICE_MEMBER i64 stride() const {
    return step_stride<View, Spec>(a);
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
      x.first = read_pairs<0, S>(a, p);
    } else {
      x.first = read_pack<0, L0, S>(a, p);
      x.second = read_pack<1, L1, S>(a, p);
    }
    return x;
  }
  // The first came with the operands of the angles and was on its way while they were computed, unless these are many.
  template <class Held>
  TILEOPS_DEVICE_MEMBER turned_pack<S, N, pairs> first(const place& p, const Held& memory) {
    if constexpr (Body::long_early) {
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
      put_pairs<To, A0>(a, p, y0, y1);
    } else {
      put<To, A0>(a, p, y0);
      put<To + 1, A1>(a, p, y1);
    }
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
