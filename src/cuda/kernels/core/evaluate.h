// A body over the elements of a pack, and the one rounding of its results to storage.
#ifndef TILEOPS_KERNELS_EVALUATE_H
#define TILEOPS_KERNELS_EVALUATE_H

#include "cuda/kernels/forms/rounding_test.h"
#include "cuda/kernels/forms/fast_pairs.h"
#include "cuda/kernels/core/operands.h"
#include "cuda/kernels/forms/quick.h"

namespace tileops {
namespace kernels {

template <class Body, class... A>
TILEOPS_DEVICE auto apply(const Body& body, A... x) {
  if constexpr (has_rare_v<Body>) return body.rare(x...) ? body.slow(x...) : body(x...);
  else return body(x...);
}

// One element again in f64, for a result that is rounded to a narrower float next. Operands that are
// no floats stay what they are.
template <class A>
TILEOPS_DEVICE auto widened(A x) {
  if constexpr (same_v<A, float>) return static_cast<double>(x);
  else return x;
}
template <class Exact, class... A>
__device__ __noinline__ auto recomputed(const AttrValue* attrs, A... x) {
  return apply(Exact(attrs), x...);
}

// Calls f with the number of every element whose bit in `mask` is set; a warp comes through as often
// as its lane with the most of them.
template <class F>
TILEOPS_DEVICE void for_each_bit(u32 mask, const F& f) {
#pragma unroll 1
  while (mask != 0u) {
    f(__ffs(static_cast<int>(mask)) - 1);
    mask &= mask - 1u;
  }
}

// Element `at` of an array in registers, which have no variable index.
template <class A, int N>
TILEOPS_DEVICE A pick_element(const A (&x)[N], int at) {
  A y = x[0];
#pragma unroll
  for (int i = 1; i < N; ++i) y = at == i ? x[i] : y;
  return y;
}
template <class A, int N>
TILEOPS_DEVICE void place_element(A (&x)[N], int at, A value) {
#pragma unroll
  for (int i = 0; i < N; ++i) x[i] = at == i ? value : x[i];
}
template <class S, int N>
TILEOPS_DEVICE void replace_element(raw_pack<S, N>* y, int at, S value) {
#pragma unroll
  for (int i = 0; i < N; ++i)
    if (at == i) y->replace(i, __builtin_bit_cast(chunk<sizeof(S)>, value));
}

// A gated result from the table of the gates' activations in f64; NaN is that of the other results.
template <class S>
TILEOPS_DEVICE S exact_gated(u64 table, u32 code, float value) {
  const double y = load_one<double>(reinterpret_cast<const double*>(table) + code) * static_cast<double>(value);
  return y == y ? convert<S>(y) : narrow_one<S>(limits<float>::nan());
}

// How an f32 result becomes an element of storage S.
enum class rounding {
  plain,   // exact, or the one rounding of one operation: rounding twice is innocent there
  odd,     // from a result rounded to odd
  tested,  // computed again in f64 where it lies too close to a tie
};
template <class Spec, class S>
__host__ __device__ constexpr rounding rounding_of() {
  using Body = typename Spec::template body<typename Spec::policy, typename Spec::compute>;
  constexpr bool narrowed = is_narrow_v<S> && same_v<typename Spec::compute, float>;
  if (!narrowed || (Spec::halves && same_v<S, bf16> && Body::exact_bf16)) return rounding::plain;
  if (has_bound_v<Body> || Spec::table) return rounding::tested;
  if (Spec::ulp == 0 || Body::exact || Body::representable) return rounding::plain;
  if (Body::has_round_to_odd) return rounding::odd;
  return rounding::tested;
}

template <class Body, class Spec>
__host__ __device__ constexpr u32 error_bound() {
  if constexpr (has_bound_v<Body>) return Body::ulp;
  else return Spec::ulp + (Spec::policy::approximate ? 1 : 0);  // approximate forms may be as much worse
}

// Both results of N elements in storage; exact(i) computes those of element i again.
template <class Spec, class S0, class S1, int N, class R0, class R1, class F>
TILEOPS_DEVICE void finish_pairs(const R0 (&r0)[N], const R1 (&r1)[N], raw_pack<S0, N>* y0,
                                 raw_pack<S1, N>* y1, const F& exact) {
  using Body = typename Spec::template body<typename Spec::policy, typename Spec::compute>;
  constexpr u32 bound = error_bound<Body, Spec>();
  constexpr bool tested0 = rounding_of<Spec, S0>() == rounding::tested && same_v<R0, float>;
  constexpr bool tested1 = rounding_of<Spec, S1>() == rounding::tested && same_v<R1, float>;
  // One branch for all elements: it is taken by few warps.
  bool any = false;
  first_look<S0, N> look0;
  first_look<S1, N> look1;
  if constexpr (tested0) {
    look0 = look_at<S0, bound>(r0);
    *y0 = look0.y;
    any |= look0.any;
  } else {
    *y0 = narrow_all<S0>(r0);
  }
  if constexpr (tested1) {
    look1 = look_at<S1, bound>(r1);
    *y1 = look1.y;
    any |= look1.any;
  } else if constexpr (!same_v<S1, void*>) {
    *y1 = narrow_all<S1>(r1);
  }
  if constexpr (tested0 || tested1) {
    if (any) {
      u32 mask = 0;
      if constexpr (tested0) mask |= which_ones<S0, bound>(look0, r0);
      if constexpr (tested1) mask |= which_ones<S1, bound>(look1, r1);
      if constexpr (!says_which_v<S0>) *y0 = narrow_all<S0>(r0);
      if constexpr (!same_v<S1, void*> && !says_which_v<S1>) *y1 = narrow_all<S1>(r1);
      for_each_bit(mask, [&](int i) {
        const auto r = exact(i);
        if constexpr (tested0) replace_element(y0, i, convert<S0>(r.first));
        if constexpr (tested1) replace_element(y1, i, convert<S1>(r.second));
      });
    }
  }
}

// r = body(x...), where the elements are not rare. Returns whether some may be.
template <class Body, class R, int N, class... A>
TILEOPS_DEVICE bool results_of(const Body& body, R (&r)[N], const A (&...x)[N]) {
  if constexpr (has_all_v<Body>) {
    return body.all(r, x...);
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) r[i] = body(x[i]...);
    return true;
  }
}
// One test an element, where the mask takes three.
template <class Body, int N, class... A>
TILEOPS_DEVICE bool any_rare(const Body& body, const A (&...x)[N]) {
  bool any = false;
#pragma unroll
  for (int i = 0; i < N; ++i) any |= body.rare(x[i]...);
  return any;
}
// Bit i: element i is rare.
template <class Body, int N, class... A>
TILEOPS_DEVICE u32 rare_ones(const Body& body, const A (&...x)[N]) {
  u32 mask = 0;
#pragma unroll
  for (int i = 0; i < N; ++i) mask |= body.rare(x[i]...) ? 1u << i : 0u;
  return mask;
}

// N elements: y0 (and y1) = body(x...), in storage.
template <class Spec, class S0, class S1, int N, int... I, class X>
TILEOPS_DEVICE void evaluate(seq<I...>, const AttrValue* attrs, u64 table, const X& x,
                             raw_pack<S0, N>* y0, raw_pack<S1, N>* y1) {
  using Body = typename Spec::template body<typename Spec::policy, typename Spec::compute>;
  using Exact = typename Spec::template body<portable_pre_round, double>;
  const Body body(attrs);
  using Result = result_traits<typename signature_of<Body>::result>;
  constexpr rounding mode0 = rounding_of<Spec, S0>();
  constexpr bool tested0 = mode0 == rounding::tested && same_v<typename Result::first, float>;
  // Forms of this folder say how good they are.
  constexpr u32 bound = error_bound<Body, Spec>();
  typename Result::first r0[N];
  if constexpr (Result::num_stores == 2) {
    typename Result::template types<second_of>::type r1[N];
    if constexpr (has_packs_v<Body>) {
      body.pack(r0, r1, get<I>(x)...);
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i) {
        const auto r = apply(body, get<I>(x)[i]...);
        r0[i] = r.first;
        r1[i] = r.second;
      }
    }
    finish_pairs<Spec, S0, S1>(r0, r1, y0, y1, [&](int i) {
      return recomputed<Exact>(attrs, widened(pick_element(get<I>(x), i))...);
    });
  } else if constexpr (mode0 == rounding::odd) {
    if constexpr (has_odd_packs_v<Body>) {
      const bool inexact = body.odd_all(r0, get<I>(x)...);
      for_each_bit(inexact ? (1u << N) - 1u : 0u, [&](int at) {
        place_element(r0, at, body.again(pick_element(get<I>(x), at)...));
      });
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i) r0[i] = body.round_to_odd(get<I>(x)[i]...);
    }
    *y0 = narrow_all<S0>(r0);
  } else if constexpr (tested0) {
    // Rare elements go straight to f64: a slow path rounded to f32 would be rounded twice.
    const bool maybe_rare = results_of(body, r0, get<I>(x)...);
    first_look<S0, N> look;
    if constexpr (bound != 0) look = look_at<S0, bound>(r0);
    else look = {narrow_all<S0>(r0), false, {}};
    *y0 = look.y;
    bool any = look.any;
    if constexpr (has_left_v<Body>) {
      if constexpr (Body::left > approx::kAll) {
      float least = get<0>(x)[0];
#pragma unroll
      for (int i = 1; i < N; ++i) least = ::fminf(least, get<0>(x)[i]);
      any |= least < Body::left;
      }
    } else if constexpr (has_rare_v<Body>) {
      any |= maybe_rare && any_rare<Body, N>(body, get<I>(x)...);
    }
    if (any) {
      if constexpr (!says_which_v<S0> && (!Spec::table || is_fp8_v<S0>)) *y0 = narrow_all<S0>(r0);
      u32 mask = 0;
      if constexpr (bound != 0) mask = which_ones<S0, bound>(look, r0);
      if constexpr (has_rare_v<Body>) mask |= rare_ones<Body, N>(body, get<I>(x)...);
      // With a table the operand's code is the index: operand and result are of the dtype S0. Of gated
      // forms it holds the gate's activation in f64.
      for_each_bit(mask, [&](int i) {
        if constexpr (Spec::table && sizeof...(I) == 2) {
          using code_type = typename first_type<typename Spec::loads>::type::storage;
          const code_type code = narrow_one<code_type>(pick_element(get<0>(x), i));
          replace_element(y0, i, exact_gated<S0>(table, code.bits, pick_element(get<1>(x), i)));
        } else if constexpr (Spec::table) {
          const S0 code = narrow_one<S0>(pick_element(get<0>(x), i));
          replace_element(y0, i, load_one<S0>(reinterpret_cast<const S0*>(table) + code.bits));
        } else {
          replace_element(y0, i, convert<S0>(recomputed<Exact>(attrs, widened(pick_element(get<I>(x), i))...)));
        }
      });
    }
  } else {
    const bool maybe_rare = results_of(body, r0, get<I>(x)...);
    if constexpr (has_rare_v<Body>) {
      if (maybe_rare && any_rare<Body, N>(body, get<I>(x)...)) {
        for_each_bit(rare_ones<Body, N>(body, get<I>(x)...), [&](int at) {
          place_element(r0, at, body.slow(pick_element(get<I>(x), at)...));
        });
      }
    }
    *y0 = narrow_all<S0>(r0);
  }
}

// The same, some elements after the others where branches are taken for few: the branch at the end of each part keeps
// the compiler from having the whole pack on the way at once, for which a multiprocessor's registers would allow too
// few threads (lerp of f16 tensors 56 registers).
constexpr int kPart = 4;
template <class Spec, int First = 0, class S0, class S1, int N, int... I, class X>
TILEOPS_DEVICE void evaluate_in_parts(seq<I...> all, const AttrValue* attrs, u64 table, const X& x,
                                      raw_pack<S0, N>* y0, raw_pack<S1, N>* y1) {
  using Body = typename Spec::template body<typename Spec::policy, typename Spec::compute>;
  constexpr int part = (has_all_v<Body> || has_odd_packs_v<Body>) && N > kPart ? kPart : N;
  raw_pack<S0, part> z0;
  raw_pack<S1, part> z1;
  evaluate<Spec>(all, attrs, table, part_of<First, part>(x), &z0, &z1);
  place_part<First>(z0, y0);
  place_part<First>(z1, y1);
  if constexpr (First + part < N) evaluate_in_parts<Spec, First + part>(all, attrs, table, x, y0, y1);
}

// What a body does to the bits of 16-bit floats, as a body over these bits.
template <class Body>
struct on_halves : Body {
  using Body::Body;
  TILEOPS_DEVICE_MEMBER u16 operator()(u16 x) const {
    return static_cast<u16>(Body::on_bits(x, 0x8000u));
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
