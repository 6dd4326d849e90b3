// Reading and writing one pack of a view.
#ifndef TILEOPS_KERNELS_FETCH_H
#define TILEOPS_KERNELS_FETCH_H

#include "cuda/kernels/narrow.h"
#include "cuda/kernels/place.h"

namespace tileops {
namespace kernels {

// A load or a store: storage type and reach. The storage of a gathered load's index view is Ids,
// that view number Gather.
template <class S, reach R, class Ids = void, int Gather = -1>
struct access {
  using storage = S;
  using ids = Ids;
  static constexpr reach how = R;
  static constexpr int gather = Gather;
};

// Where bits are kept, storage is read as the unsigned integer of its size, which the body's type is.
template <class Spec, class Access, class A>
using storage_of = typename choose<Spec::bits_kept && same_v<A, typename Spec::compute>, A,
                                   typename Access::storage>::type;

TILEOPS_DEVICE const char* bytes_at(u64 address) {
  return reinterpret_cast<const char*>(address);
}

// What the views of one pack share.
template <class Spec>
struct pack_place {
  static constexpr int dims = Spec::dims ? Spec::dims : 1;
  static constexpr bool per_element = Spec::walks == walk::elements;
  using coords = coordinates<dims, Spec::wide>;
  span where;
  bool interleaved;
  coords c[per_element ? Spec::vector : 1];
};

template <class Spec, class Arguments>
TILEOPS_DEVICE pack_place<Spec> place_pack(const Arguments& a, int unit) {
  pack_place<Spec> p;
  if constexpr (Spec::walks == walk::rows) {
    // `count` counts packs here, and every pack is whole.
    const u64 i = (static_cast<u64>(blockIdx.x) * Spec::units + unit) * blockDim.x + threadIdx.x;
    p.interleaved = false;
    p.where = {i * Spec::vector, 1, i < a.count ? Spec::vector : 0};
    p.c[0] = coordinates_of<pack_place<Spec>::dims, Spec::wide>(a, i);
    p.c[0].at[pack_place<Spec>::dims - 1] *= Spec::vector;
  } else {
    p.interleaved = (a.flags & kInterleaved) != 0;
    p.where = span_of<Spec::vector, Spec::units>(a.count, p.interleaved, unit);
    if constexpr (Spec::walks == walk::elements) {
#pragma unroll
      for (int e = 0; e < Spec::vector; ++e)
        p.c[e] = coordinates_of<pack_place<Spec>::dims, Spec::wide>(
            a, p.where.first + static_cast<u64>(e) * p.where.step);
    }
  }
  return p;
}

template <int View, class Spec, class Arguments>
TILEOPS_DEVICE i64 element_offset(const Arguments& a, const pack_place<Spec>& p, int e) {
  constexpr int last = pack_place<Spec>::dims - 1;
  if constexpr (Spec::walks == walk::elements) return offset_of<View>(a, p.c[e]);
  else if constexpr (Spec::walks == walk::rows || Spec::walks == walk::tiles)
    return offset_of<View>(a, p.c[0]) + e * a.stride[View][last];
  else
    return static_cast<i64>(p.where.first + static_cast<u64>(e) * p.where.step) * a.stride[View][0];
}

// The same in bytes from the view's first element; of a dense view of S without its strides.
template <int View, class S, bool dense, class Spec, class Arguments>
TILEOPS_DEVICE i64 byte_offset(const Arguments& a, const pack_place<Spec>& p, int e) {
  if constexpr (dense)
    return static_cast<i64>(p.where.first + static_cast<u64>(e) * p.where.step) *
           static_cast<i64>(sizeof(S));
  else
    return element_offset<View>(a, p, e);
}

// Can a pack of a view lie in one piece?
template <class Spec>
__host__ __device__ constexpr bool in_one_piece(reach how) {
  return how == reach::dense ||
         (how == reach::row && (Spec::walks == walk::rows || Spec::walks == walk::tiles));
}

// And may it be one access?
template <int View, class Spec, class Arguments>
TILEOPS_DEVICE bool vector_access(const Arguments& a, const pack_place<Spec>& p) {
  if constexpr (Spec::walks == walk::rows) return !(a.unaligned >> View & 1) && p.where.count;
  else if constexpr (Spec::walks == walk::tiles)
    return !(a.unaligned >> View & 1) && p.where.count == Spec::vector;
  else return !p.interleaved && p.where.count == Spec::vector;
}

template <int View, class Access, class A, class Spec, class Arguments>
TILEOPS_DEVICE void fetch(const Arguments& a, const pack_place<Spec>& p, A (&x)[Spec::vector]) {
  using S = storage_of<Spec, Access, A>;
  constexpr int N = Spec::vector;
  constexpr reach how = Access::how;
  if constexpr (how == reach::fixed) {
    const u64 word = a.address[View];
    const A value = widen_one<A>(a.immediate >> View & 1 ? low_bytes<S>(word)
                                                         : load_one<S>(bytes_at(word)));
#pragma unroll
    for (int e = 0; e < N; ++e) x[e] = value;
  } else if constexpr (how == reach::index) {
#pragma unroll
    for (int e = 0; e < N; ++e) {
      const i64 value = static_cast<i64>(a.address[View]) + element_offset<View>(a, p, e);
      const i32 small = static_cast<i32>(value);  // converted by one instruction
      if constexpr (is_float_v<A>) x[e] = small == value ? static_cast<A>(small) : convert<A>(value);
      else x[e] = convert<A>(value);
    }
  } else if constexpr (how == reach::gathered) {
#pragma unroll
    for (int e = 0; e < N; ++e) {
      if (e >= p.where.count) continue;
      const char* at = bytes_at(a.address[Access::gather]) + element_offset<Access::gather>(a, p, e);
      const i64 id = convert<i64>(load_one<typename Access::ids>(at));
      const bool inside = id >= 0 && id < a.gather_extent[View];
      const char* row = bytes_at(a.address[View]) + element_offset<View>(a, p, e);
      x[e] = inside ? widen_one<A>(load_one<S>(row + id * a.gather_stride[View]))
                    : convert<A>(limits<float>::nan());
    }
  } else if constexpr (how == reach::splat &&
                       (Spec::walks == walk::rows || Spec::walks == walk::tiles)) {
    if (p.where.count) {
      const char* at = bytes_at(a.address[View]) + element_offset<View>(a, p, 0);
      const A value = widen_one<A>(load_one<S>(at));
#pragma unroll
      for (int e = 0; e < N; ++e) x[e] = value;
    }
  } else {
    constexpr bool dense = how == reach::dense;
    const char* base = bytes_at(a.address[View]);
    raw_pack<S, N> raw;
    const bool vectors = in_one_piece<Spec>(how) && vector_access<View>(a, p);
    if (vectors) {
      raw = load_raw<S, N>(base + byte_offset<View, S, dense>(a, p, 0));
    } else {
#pragma unroll
      for (int e = 0; e < N; ++e) {
        if (e >= p.where.count) continue;
        raw.set(e, load_one<chunk<sizeof(S)>>(base + byte_offset<View, S, dense>(a, p, e)));
      }
    }
    widen_all(elements_of(raw), x);
  }
}

template <int View, class Access, class S, class Spec, class Arguments>
TILEOPS_DEVICE void put(const Arguments& a, const pack_place<Spec>& p,
                        const pack<S, Spec::vector>& y) {
  constexpr int N = Spec::vector;
  constexpr bool dense = Access::how == reach::dense;
  char* base = const_cast<char*>(bytes_at(a.address[View]));
  const bool vectors = in_one_piece<Spec>(Access::how) && vector_access<View>(a, p);
  if (vectors) {
    store_vector<S, N>(base + byte_offset<View, S, dense>(a, p, 0), y);
  } else {
#pragma unroll
    for (int e = 0; e < N; ++e) {
      if (e >= p.where.count) continue;
      store_one<S>(base + byte_offset<View, S, dense>(a, p, e), y.e[e]);
    }
  }
}

}  // namespace kernels
}  // namespace tileops

#endif
