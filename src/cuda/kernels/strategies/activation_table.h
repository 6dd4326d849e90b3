// Gated forms of 16-bit floats from a table of their activation in shared memory: act(gate) / gate of every gate
// below 2^7, in bf16 from 2^-24 on. Below that gate / 2 is right to a float's last bit; above, the gate itself. As
// many blocks as multiprocessors, since each fills a table; a thread takes packs until there are none left.
#ifndef TILEOPS_KERNELS_ACTIVATION_TABLE_H
#define TILEOPS_KERNELS_ACTIVATION_TABLE_H

#include "cuda/kernels/common/activation_range.h"
#include "cuda/kernels/core/fill.h"
#include "cuda/kernels/core/operator_step.h"
#include "tileops/device/cuda/kernel/put.h"

namespace tileops {
namespace kernels {
namespace activation_table {

template <class S>
TILEOPS_DEVICE constexpr activation_range range() {
  return same_v<S, bf16> ? kBf16Activations : kF16Activations;
}

// Roundings: the factor's and that of its product with gate and value, whose own product is exact in f16. In bf16,
// whose products may overflow, the gate takes the factor first, and there is 2^-25 below the table.
template <class S>
constexpr u32 bound_v = same_v<S, f16> ? 1 : 4;
template <class S>
TILEOPS_DEVICE float gated(float gate, float factor, float value) {
  return same_v<S, f16> ? gate * value * factor : gate * factor * value;
}

// Gates below these go to the table in f64: there the factor is about to underflow.
template <class Body>
inline constexpr int tail_v = 0;
template <class P>
inline constexpr int tail_v<op::silu_and_mul<P, float>> = -80;
template <class P>
inline constexpr int tail_v<op::gelu_and_mul<P, float>> = -12;
template <class P>
inline constexpr int tail_v<op::gelu_tanh_and_mul<P, float>> = -9;
// As a code: larger ones are those, -infinity and NaN.
template <class S, class Body>
TILEOPS_DEVICE u32 tail_code() {
  return narrow_one<S>(static_cast<float>(tail_v<Body>)).bits;
}

TILEOPS_DEVICE uint4* memory() {
  extern __shared__ uint4 tileops_table[];
  return tileops_table;
}
// The factors lie behind the 65536 activations in f64.
template <class S>
TILEOPS_DEVICE void fill(u64 table) {
  fill_shared(memory(), reinterpret_cast<const uint4*>(table + 65536 * sizeof(double)), range<S>().bytes() / 16);
}

template <class S, class Body, int N>
TILEOPS_DEVICE raw_pack<S, N> products(u64 doubles, const raw_pack<S, N>& gates, const raw_pack<S, N>& values) {
  constexpr activation_range w = range<S>();
  const float* const factors = reinterpret_cast<const float*>(memory()) - (w.low - 1);
  float gate[N], value[N], r[N];
  widen_all(gates, gate);
  widen_all(values, value);
  u32 most = 0;
#pragma unroll
  for (int i = 0; i < N; i += 2) {
    const u32 two = gates.w[i / 2];
    most = __vmaxu2(most, two);
    u32 magnitude = __vminu2(two & 0x7fff7fffu, w.high * 0x10001u);
    if constexpr (w.low > 1) magnitude = __vmaxu2(magnitude, (w.low - 1) * 0x10001u);
    const u32 entry = magnitude + (two >> 15 & 0x10001u) * w.entries();  // no carry between the halves
    r[i] = gated<S>(gate[i], factors[entry & 0xffffu], value[i]);
    r[i + 1] = gated<S>(gate[i + 1], factors[entry >> 16], value[i + 1]);
  }
  const u32 tail = tail_code<S, Body>();
  constexpr u32 infinity = 0x8000u | code_of<S>::infinity;  // negative
  const first_look<S, N> look = look_at<S, bound_v<S>>(r);
  raw_pack<S, N> y = look.y;
  if (look.any | ((most & 0xffffu) > tail) | (most >> 16 > tail)) {
    u32 mask = which_ones<S, bound_v<S>>(look, r);
#pragma unroll
    for (int i = 0; i < N; ++i) mask |= gates.get(i) - tail - 1 < infinity - tail ? 1u << i : 0u;  // not NaN
    for_each_bit(mask, [&](int i) {
      const S code = narrow_one<S>(pick_element(gate, i));
      replace_element(&y, i, exact_gated<S>(doubles, code.bits, pick_element(value, i)));
    });
  }
  return y;
}

template <class Spec, class Arguments>
TILEOPS_DEVICE bool exists(const Arguments& a, const pack_place<Spec>& p) {
  const u64 first = p.number - threadIdx.x;
  return (Spec::order == traversal_order::rows ? first : first * Spec::vec) < a.count;
}

template <class Spec, class Body, class L0, class L1, class A0, class Arguments>
TILEOPS_DEVICE void run(const Arguments& a) {
  using S = typename A0::storage;
  constexpr int N = Spec::vec;
  pack_place<Spec> p = place_pack<Spec>(a, 0);
  // Whole and aligned packs, of which the next is on its way. Finding out for each pack where it lies and whether it
  // is one took 10 instructions an element beside these 17.
  const bool straight = !is_interleaved<Spec>(a) && a.unaligned == 0;
  const u64 whole = !straight ? 0 : Spec::order == traversal_order::rows ? a.count : a.count / N;
  const u64 step = static_cast<u64>(gridDim.x) * blockDim.x;
  raw_pack<S, N> gates, values;
  const auto fetch = [&] {
    gates = load_raw<S, N>(bytes_at(a.address[0]) + piece_offset<S, L0::how == access_pattern::dense>(a, p, 0));
    values = load_raw<S, N>(bytes_at(a.address[1]) + piece_offset<S, L1::how == access_pattern::dense>(a, p, 1));
  };
  if (p.number < whole) fetch();
  fill<S>(a.table);
#pragma unroll
  for (int i = 1; i <= kAheadBytes / (2 * 16 * Spec::threads); ++i) {
    pack_place<Spec> later = p;
    later.number += i * step;
    if (later.number >= whole) continue;
    if constexpr (Spec::order == traversal_order::rows) locate(a, &later);
    prefetch(bytes_at(a.address[0]) + piece_offset<S, L0::how == access_pattern::dense>(a, later, 0));
    prefetch(bytes_at(a.address[1]) + piece_offset<S, L1::how == access_pattern::dense>(a, later, 1));
  }
  wait_for_fill();
#pragma unroll 1
  while (p.number < whole) {
    const raw_pack<S, N> gate = gates, value = values;
    char* const to = const_cast<char*>(bytes_at(a.address[2])) +
                     piece_offset<S, A0::how == access_pattern::dense>(a, p, 2);
    p.number += step;
    ++p.unit;
    if (p.number < whole) {
      if constexpr (Spec::order == traversal_order::rows) locate(a, &p);
      fetch();
    }
    store_vector<S, N>(to, products<S, Body>(a.table, gate, value));
  }
#pragma unroll 1
  for (p = place_pack<Spec>(a, p.unit); exists(a, p); p = place_pack<Spec>(a, p.unit + 1))
    put<A0>(a, p, 2, products<S, Body>(a.table, read_pack<L0, S>(a, p, 0), read_pack<L1, S>(a, p, 1)));
}

}  // namespace activation_table
}  // namespace kernels
}  // namespace tileops

#endif
