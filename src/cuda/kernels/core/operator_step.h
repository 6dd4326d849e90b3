// The step of a kernel that is one operator: a body over the elements of a pack, and the one rounding of its results to
// storage. An expression has several, device/cuda/forms/steps.h, whose roundings are told apart by who writes its text;
// here forms of the body say how good they are, tables have results, and rare elements go straight to f64. A Step says
// which operator it is (src/cuda/steps/operator.cc):
//
//   struct steps {
//     template <class P, class T> using body = op::gelu<P, T>;
//     using policy = fast<bf16>;  using compute = float;
//     static constexpr int ulp = 2;
//     static constexpr bool halves = true;  // every operand is of the result's 16-bit float dtype
//     static constexpr bool table = false;  // results too close to a tie are in a table of all results
//     using gate = bf16;  // and of gated forms the gate's activations, by its codes
//   };
#ifndef TILEOPS_KERNELS_OPERATOR_STEP_H
#define TILEOPS_KERNELS_OPERATOR_STEP_H

#include "tileops/device/cuda/forms/apply.h"
#include "tileops/device/cuda/forms/bounded.h"

namespace tileops {
namespace kernels {

template <class Step>
using body_of_step = typename Step::template body<typename Step::policy, typename Step::compute>;

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
template <class Step, class S>
__host__ __device__ constexpr rounding rounding_of() {
  using Body = body_of_step<Step>;
  constexpr bool narrowed = is_narrow_v<S> && same_v<typename Step::compute, float>;
  if (!narrowed || (Step::halves && same_v<S, bf16> && Body::accuracy >= Accuracy::exact_among_bf16))
    return rounding::plain;
  if (has_bound_v<Body> || Step::table) return rounding::tested;
  if (Body::accuracy >= Accuracy::exact) return rounding::plain;
  if (Body::has_round_to_odd) return rounding::odd;
  return Step::ulp == 0 ? rounding::plain : rounding::tested;
}

template <class Step>
__host__ __device__ constexpr u32 error_bound() {
  using Body = body_of_step<Step>;
  if constexpr (has_bound_v<Body>) return Body::ulp;
  else return Step::ulp + (Step::policy::approximate ? 1 : 0);  // approximate forms may be as much worse
}

// Result number I of several, of type R, on its way to storage S.
template <class Step, int I, class S, class R, int N>
struct finishing {
  static constexpr u32 bound = error_bound<Step>();
  static constexpr bool tested = rounding_of<Step, S>() == rounding::tested && same_v<R, float>;
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
template <int I, class Step, class S, class R, int N>
TILEOPS_DEVICE finishing<Step, I, S, R, N>& result_of(finishing<Step, I, S, R, N>& f) {
  return f;
}

// Several results of N elements in storage; exact(i) computes those of element i again.
template <class Step, int N, int... K, class... S, int... J, class... R, class F>
TILEOPS_DEVICE void finish_several(const operands_of<seq<J...>, N, R...>& r, stored_packs<seq<K...>, N, S...>* y,
                                   const F& exact) {
  using Several = finishing_several<finishing<Step, K, S, typename nth_type<K, types<R...>>::type, N>...>;
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

// May an element be one that the form is not good enough for?
template <class Body, int N, class... A>
TILEOPS_DEVICE bool may_be_rare(const Body& body, bool maybe_rare, const A (&... x)[N]) {
  if constexpr (has_left_v<Body>) {
    if constexpr (Body::left > approx::kAll) {
      float least = first_of(x...)[0];
#pragma unroll
      for (int i = 1; i < N; ++i) least = ::fminf(least, first_of(x...)[i]);
      return least < Body::left;
    }
    return false;
  } else if constexpr (has_rare_v<Body>) {
    return maybe_rare && any_rare<Body, N>(body, x...);
  } else {
    return false;
  }
}

// Element i right, from a table or computed again. With a table the operand's code is the index: operand and result are
// of one dtype. Of gated forms it holds the gate's activation in f64.
template <class Step, class S, int N, class... A>
TILEOPS_DEVICE S right_element(const AttrValue* attrs, u64 table, int i, const A (&... x)[N]) {
  if constexpr (Step::table && sizeof...(A) == 2) {
    const auto code = narrow_one<typename Step::gate>(pick_element(first_of(x...), i));
    return exact_gated<S>(table, code.bits, pick_element(second_of(x...), i));
  } else if constexpr (Step::table) {
    const S code = narrow_one<S>(pick_element(first_of(x...), i));
    return load_one<S>(reinterpret_cast<const S*>(table) + code.bits);
  } else {
    using Exact = typename Step::template body<portable_pre_round, double>;
    return convert<S>(recomputed<Exact>(attrs, widened(pick_element(x, i))...));
  }
}

// Rounded to the nearest where that is known to be right; the few other elements are made right one by one. Rare ones
// go straight to f64: a slow path rounded to f32 would be rounded twice.
template <class Step, class S, int N, class... A>
TILEOPS_DEVICE void round_tested(const AttrValue* attrs, u64 table, raw_pack<S, N>* y, const A (&... x)[N]) {
  using Body = body_of_step<Step>;
  constexpr u32 bound = error_bound<Step>();
  const Body body = body_of<Body>(attrs);
  float r[N];
  const bool maybe_rare = results_of(body, r, x...);
  first_look<S, N> look;
  if constexpr (bound != 0) look = look_at<S, bound>(r);
  else look = {narrow_all<S>(r), false, {}};
  *y = look.y;
  bool any = look.any;
  if constexpr (has_left_v<Body> || has_rare_v<Body>) any |= may_be_rare(body, maybe_rare, x...);
  if (any) {
    if constexpr (!says_which_v<S> && (!Step::table || is_fp8_v<S>)) *y = narrow_all<S>(r);
    u32 mask = 0;
    if constexpr (bound != 0) mask = which_ones<S, bound>(look, r);
    if constexpr (has_rare_v<Body>) mask |= rare_ones<Body, N>(body, x...);
    for_each_bit(mask, [&](int i) { replace_element(y, i, right_element<Step, S>(attrs, table, i, x...)); });
  }
}

// From results rounded to odd.
template <class Step, class S, int N, class... A>
TILEOPS_DEVICE void round_from_odd(const AttrValue* attrs, raw_pack<S, N>* y, const A (&... x)[N]) {
  using Body = body_of_step<Step>;
  const Body body = body_of<Body>(attrs);
  float r[N];
  if constexpr (has_odd_packs_v<Body>) {
    const bool inexact = body.odd_all(r, x...);
    for_each_bit(inexact ? (1u << N) - 1u : 0u,
                 [&](int at) { place_element(r, at, body.again(pick_element(x, at)...)); });
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) r[i] = body.round_to_odd(x[i]...);
  }
  *y = narrow_all<S>(r);
}

template <class Step, int N, int... K, class... S, class... A>
TILEOPS_DEVICE void several_results(const AttrValue* attrs, stored_packs<seq<K...>, N, S...>* y, const A (&... x)[N]) {
  using Body = body_of_step<Step>;
  using Exact = typename Step::template body<portable_pre_round, double>;
  const Body body = body_of<Body>(attrs);
  typename result_traits<typename signature_of<Body>::result>::template types<result_arrays<N>::template of> r;
  if constexpr (has_packs_v<Body>) {
    pack_results(body, &r, x...);
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) place_results(&r, i, apply(body, x[i]...));
  }
  finish_several<Step>(r, y, [&](int i) { return recomputed<Exact>(attrs, widened(pick_element(x, i))...); });
}

// N elements: y = body(x...), in storage.
template <class Step, int N, int... K, class... S, class... A>
TILEOPS_DEVICE void elements_of_step(const AttrValue* attrs, u64 table, stored_packs<seq<K...>, N, S...>* y,
                                     const A (&... x)[N]) {
  using Body = body_of_step<Step>;
  using Result = result_traits<typename signature_of<Body>::result>;
  using S0 = typename first_type<types<S...>>::type;
  constexpr rounding how = rounding_of<Step, S0>();
  if constexpr (Result::num_stores > 1) {
    several_results<Step>(attrs, y, x...);
  } else if constexpr (how == rounding::odd) {
    round_from_odd<Step>(attrs, &pack_of<0>(*y), x...);
  } else if constexpr (how == rounding::tested && same_v<typename Result::first, float>) {
    round_tested<Step>(attrs, table, &pack_of<0>(*y), x...);
  } else {
    typename Result::first r[N];
    all_results_of(body_of<Body>(attrs), r, x...);
    pack_of<0>(*y) = narrow_all<S0>(r);
  }
}

// The same, some elements after the others where branches are taken for few: the branch at the end of each part keeps
// the compiler from having the whole pack on the way at once, for which a multiprocessor's registers would allow too
// few threads (lerp of f16 tensors 56 registers).
constexpr int kStepWidth = 4;
template <class Step, int First = 0, class Arguments, int N, int... K, class... S, class... A>
TILEOPS_DEVICE void operator_step(const Arguments& a, stored_packs<seq<K...>, N, S...>* y, const A (&... x)[N]) {
  using Body = body_of_step<Step>;
  constexpr int width = (has_all_v<Body> || has_odd_packs_v<Body>) && N > kStepWidth ? kStepWidth : N;
  if constexpr (width == N) {
    elements_of_step<Step>(a.attr, a.table, y, x...);
  } else {
    stored_packs<seq<K...>, width, S...> z;
    elements_of_step<Step>(a.attr, a.table, &z, part_at<width>(x, First)...);
    (place_part<First>(pack_of<K>(z), &pack_of<K>(*y)), ...);
    if constexpr (First + width < N) operator_step<Step, First + width>(a, y, x...);
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
