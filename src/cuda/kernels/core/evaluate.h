// A body over the elements of a pack, and the one rounding of its results to storage.
#ifndef TILEOPS_KERNELS_EVALUATE_H
#define TILEOPS_KERNELS_EVALUATE_H

#include "tileops/device/cuda/forms/apply.h"
#include "tileops/device/cuda/forms/bounded.h"

namespace tileops {
namespace kernels {

// A gated result from the table of the gates' activations in f64; NaN is that of the other results.
template <class S>
TILEOPS_DEVICE S exact_gated(u64 table, u32 code, float value) {
  const double y = load_one<double>(reinterpret_cast<const double*>(table) + code) * static_cast<double>(value);
  return y == y ? convert<S>(y) : narrow_one<S>(limits<float>::nan());
}

// How an f32 result becomes an element of storage S: the rule of problem/analysis.h, by what a kernel's form of the
// body says of itself.
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
  if (Body::exact || Body::representable) return rounding::plain;
  if (Body::has_round_to_odd) return rounding::odd;
  return Spec::ulp == 0 ? rounding::plain : rounding::tested;
}

template <class Body, class Spec>
__host__ __device__ constexpr u32 error_bound() {
  if constexpr (has_bound_v<Body>) return Body::ulp;
  else return Spec::ulp + (Spec::policy::approximate ? 1 : 0);  // approximate forms may be as much worse
}

// Result number I of several, of type R, on its way to storage S.
template <class Spec, int I, class S, class R, int N>
struct finishing {
  using Body = typename Spec::template body<typename Spec::policy, typename Spec::compute>;
  static constexpr u32 bound = error_bound<Body, Spec>();
  static constexpr bool tested = rounding_of<Spec, S>() == rounding::tested && same_v<R, float>;
  first_look<S, N> look;

  // Returns whether some elements must be computed again.
  TILEOPS_DEVICE_MEMBER bool start(const R (&r)[N], raw_pack<S, N>* y) {
    if constexpr (tested) {
      look = look_at<S, bound>(r);
      *y = look.y;
      return look.any;
    } else {
      *y = narrow_all<S>(r);
      return false;
    }
  }
  // Which, as bits of a mask. The others are put in storage where the first look may have left them wrong.
  TILEOPS_DEVICE_MEMBER u32 which(const R (&r)[N]) const {
    if constexpr (tested) return which_ones<S, bound>(look, r);
    else return 0;
  }
  TILEOPS_DEVICE_MEMBER void store_others(const R (&r)[N], raw_pack<S, N>* y) const {
    if constexpr (!says_which_v<S>) *y = narrow_all<S>(r);
  }
  template <class Exact>
  TILEOPS_DEVICE_MEMBER void replace(int at, Exact exact, raw_pack<S, N>* y) const {
    if constexpr (tested) replace_element(y, at, convert<S>(exact));
  }
};
template <class... F>
struct finishing_several : F... {
  static constexpr bool tested = (F::tested || ...);
};
template <int I, class Spec, class S, class R, int N>
TILEOPS_DEVICE finishing<Spec, I, S, R, N>& result_of(finishing<Spec, I, S, R, N>& f) {
  return f;
}

// Several results of N elements in storage; exact(i) computes those of element i again.
template <class Spec, int N, int... K, class... S, int... J, class... R, class F>
TILEOPS_DEVICE void finish_several(const operands_of<seq<J...>, N, R...>& r, stored_packs<seq<K...>, N, S...>* y,
                                   const F& exact) {
  using Several = finishing_several<finishing<Spec, K, S, typename nth_type<K, types<R...>>::type, N>...>;
  Several all;
  // One branch for all elements: it is taken by few warps.
  const bool any = (result_of<K>(all).start(get<K>(r), &pack_of<K>(*y)) | ...);
  if constexpr (Several::tested) {
    if (any) {
      const u32 mask = (result_of<K>(all).which(get<K>(r)) | ...);
      (result_of<K>(all).store_others(get<K>(r), &pack_of<K>(*y)), ...);
      for_each_bit(mask, [&](int i) {
        const auto again = exact(i);
        (result_of<K>(all).replace(i, result<K>(again), &pack_of<K>(*y)), ...);
      });
    }
  }
}

template <class A0, class... A>
TILEOPS_DEVICE const A0& first_of(const A0& x, const A&...) {
  return x;
}
template <class A0, class A1, class... A>
TILEOPS_DEVICE const A1& second_of(const A0&, const A1& x, const A&...) {
  return x;
}

// N elements: y = body(x...), in storage.
template <class Spec, int N, int... K, class... S, class... A>
TILEOPS_DEVICE void evaluate(const AttrValue* attrs, u64 table, stored_packs<seq<K...>, N, S...>* y,
                             const A (&... x)[N]) {
  using Body = typename Spec::template body<typename Spec::policy, typename Spec::compute>;
  using Exact = typename Spec::template body<portable_pre_round, double>;
  const Body body = body_of<Body>(attrs);
  using Result = result_traits<typename signature_of<Body>::result>;
  using S0 = typename first_type<types<S...>>::type;
  raw_pack<S0, N>* y0 = &pack_of<0>(*y);
  constexpr rounding mode0 = rounding_of<Spec, S0>();
  constexpr bool tested0 = mode0 == rounding::tested && same_v<typename Result::first, float>;
  // Forms of this folder say how good they are.
  constexpr u32 bound = error_bound<Body, Spec>();
  typename Result::first r0[N];
  if constexpr (Result::num_stores > 1) {
    typename Result::template types<result_arrays<N>::template of> r;
    if constexpr (has_packs_v<Body>) {
      pack_results(body, &r, x...);
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i) place_results(&r, i, apply(body, x[i]...));
    }
    finish_several<Spec>(r, y, [&](int i) { return recomputed<Exact>(attrs, widened(pick_element(x, i))...); });
  } else if constexpr (mode0 == rounding::odd) {
    if constexpr (has_odd_packs_v<Body>) {
      const bool inexact = body.odd_all(r0, x...);
      for_each_bit(inexact ? (1u << N) - 1u : 0u,
                   [&](int at) { place_element(r0, at, body.again(pick_element(x, at)...)); });
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i) r0[i] = body.round_to_odd(x[i]...);
    }
    *y0 = narrow_all<S0>(r0);
  } else if constexpr (tested0) {
    // Rare elements go straight to f64: a slow path rounded to f32 would be rounded twice.
    const bool maybe_rare = results_of(body, r0, x...);
    first_look<S0, N> look;
    if constexpr (bound != 0) look = look_at<S0, bound>(r0);
    else look = {narrow_all<S0>(r0), false, {}};
    *y0 = look.y;
    bool any = look.any;
    if constexpr (has_left_v<Body>) {
      if constexpr (Body::left > approx::kAll) {
        float least = first_of(x...)[0];
#pragma unroll
        for (int i = 1; i < N; ++i) least = ::fminf(least, first_of(x...)[i]);
        any |= least < Body::left;
      }
    } else if constexpr (has_rare_v<Body>) {
      any |= maybe_rare && any_rare<Body, N>(body, x...);
    }
    if (any) {
      if constexpr (!says_which_v<S0> && (!Spec::table || is_fp8_v<S0>)) *y0 = narrow_all<S0>(r0);
      u32 mask = 0;
      if constexpr (bound != 0) mask = which_ones<S0, bound>(look, r0);
      if constexpr (has_rare_v<Body>) mask |= rare_ones<Body, N>(body, x...);
      // With a table the operand's code is the index: operand and result are of the dtype S0. Of gated
      // forms it holds the gate's activation in f64.
      for_each_bit(mask, [&](int i) {
        if constexpr (Spec::table && sizeof...(A) == 2) {
          using code_type = typename first_type<typename Spec::loads>::type::storage;
          const code_type code = narrow_one<code_type>(pick_element(first_of(x...), i));
          replace_element(y0, i, exact_gated<S0>(table, code.bits, pick_element(second_of(x...), i)));
        } else if constexpr (Spec::table) {
          const S0 code = narrow_one<S0>(pick_element(first_of(x...), i));
          replace_element(y0, i, load_one<S0>(reinterpret_cast<const S0*>(table) + code.bits));
        } else {
          replace_element(y0, i, convert<S0>(recomputed<Exact>(attrs, widened(pick_element(x, i))...)));
        }
      });
    }
  } else {
    all_results_of(body, r0, x...);
    *y0 = narrow_all<S0>(r0);
  }
}

// The same, some elements after the others where branches are taken for few: the branch at the end of each part keeps
// the compiler from having the whole pack on the way at once, for which a multiprocessor's registers would allow too
// few threads (lerp of f16 tensors 56 registers).
constexpr int kPart = 4;
template <class Spec, int First = 0, int N, int... K, class... S, class... A>
TILEOPS_DEVICE void evaluate_in_parts(const AttrValue* attrs, u64 table, stored_packs<seq<K...>, N, S...>* y,
                                      const A (&... x)[N]) {
  using Body = typename Spec::template body<typename Spec::policy, typename Spec::compute>;
  constexpr int part = (has_all_v<Body> || has_odd_packs_v<Body>) && N > kPart ? kPart : N;
  if constexpr (part == N) {
    evaluate<Spec>(attrs, table, y, x...);
  } else {
    stored_packs<seq<K...>, part, S...> z;
    evaluate<Spec>(attrs, table, &z, part_at<part>(x, First)...);
    (place_part<First>(pack_of<K>(z), &pack_of<K>(*y)), ...);
    if constexpr (First + part < N) evaluate_in_parts<Spec, First + part>(attrs, table, y, x...);
  }
}

// What a body does to the bits of 16-bit floats, as a body over these bits.
template <class Body>
struct on_halves : Body {
  using Body::Body;
  TILEOPS_DEVICE_MEMBER u16 operator()(u16 x) const { return static_cast<u16>(Body::on_bits(x, 0x8000u)); }
};

}  // namespace kernels
}  // namespace tileops

#endif
