// The kernels of a family: which loops every body of its operators gets, for which compute types. Loops over elements
// of these types are in dense.h (by numbers) and lanes_loop.h (by registers), those over 16-bit floats in half; memory
// has loads and stores, reductions what passes of rows reduce and scan.
#pragma once

#include "cpu/forms/form.h"
#include "cpu/forms/inner.h"
#include "cpu/loops/dense.h"
#include "cpu/loops/half/half.h"
#include "cpu/loops/half/mixed.h"
#include "op/columns.h"
#include "tileops/device/body_list.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

using device::body_list;

template <class... T>
struct Ctypes {
  static constexpr Ctype values[] = {ctype_of<T>::value...};
};

// The two stages of a body, run apart; both have several results.
template <class Member>
struct Stage;
template <class Body, class... R, class... A>
struct Stage<device::results<R...> (Body::*)(A...) const> {
  static constexpr int num_loads = sizeof...(A), num_stores = sizeof...(R);
  template <class B, device::results<R...> (B::*member)(A...) const>
  struct Alone : B {
    using B::B;
    static constexpr bool has_chunk = false;
    TILEOPS_INLINE device::results<R...> operator()(A... x) const { return (this->*member)(x...); }
  };
  template <class Loop, size_t... I>
  static TILEOPS_INLINE void loop(const void* const* in, void* const* out, size_t n, const Loop& body,
                                  std::index_sequence<I...>) {
    dense_loop_of_several(device::results<R...>{}, body, out, n, static_cast<const A*>(in[I])...);
  }
  template <class B, device::results<R...> (B::*member)(A...) const>
  static void run(const void* const* in, void* const* out, size_t n, const AttrValue* attrs, How) {
    loop(in, out, n, Alone<B, member>(attrs), std::index_sequence_for<A...>{});
  }
};

// `light`: a few instructions, worth unrolling. `of_bits`: operands are taken as bits.
template <class Described, bool light, bool of_bits>
struct Entry {
  using Body = form<Described>;
  using Signature = device::signature_of<Described>;
  using Result = device::result_traits<typename Signature::result>;

  template <class... A>
  struct Loops {
    template <size_t... I>
    static TILEOPS_INLINE void dispatch(const void* const* in, void* const* out, size_t n, const AttrValue* attrs,
                                        std::index_sequence<I...>) {
      const Body body(attrs);
      using R0 = typename Result::first;
      if constexpr (Result::num_stores > 1) {
        dense_loop_of_several(typename Signature::result{}, body, out, n, static_cast<const A*>(in[I])...);
      } else if constexpr (has_rare_v<Body>) {
        rare_loop(body, static_cast<R0*>(out[0]), n, static_cast<const A*>(in[I])...);
      } else if constexpr (light) {
        light_loop(body, static_cast<R0*>(out[0]), n, static_cast<const A*>(in[I])...);
      } else {
        dense_loop(body, static_cast<R0*>(out[0]), n, static_cast<const A*>(in[I])...);
      }
    }
    // f32 and bool, where it is known to pay; each costs a loop more in the library. Selections are of bits.
    static constexpr bool has_non_temporal = (!of_bits && device::same_v<typename Signature::result, float>) ||
                                             (of_bits && !device::is_signed_v<typename Signature::result>) ||
                                             (device::same_v<typename Signature::result, bool> &&
                                              (all_v<float, A...> || all_v<bool, A...>));
    static void run(const void* const* in, void* const* out, size_t n, const AttrValue* attrs, How how) {
      if constexpr (has_non_temporal) {
        if (how.non_temporal) return run_non_temporal(in, out, n, attrs);
      }
      dispatch(in, out, n, attrs, std::index_sequence_for<A...>{});
    }
    template <size_t... I>
    static TILEOPS_INLINE void dispatch_non_temporal(const void* const* in, typename Result::first* y, size_t n,
                                                     const AttrValue* attrs, std::index_sequence<I...>) {
      using R0 = typename Result::first;
      constexpr size_t kTurn = has_rare_v<Body> ? kRareChunk : kNonTemporalTurn;
      const Body body(attrs);
      non_temporal_loop<kTurn>(
          y, n,
          [&](R0* to, size_t at) {
            prefetch_all<kTurn>(static_cast<const A*>(in[I]) + at...);
            if constexpr (has_rare_v<Body>) {
              rare_loop(body, to, kTurn, static_cast<const A*>(in[I]) + at...);
            } else {
              dense_loop(body, to, kTurn, static_cast<const A*>(in[I]) + at...);
            }
          },
          [&](R0* to, size_t at, size_t m) {
            const void* from[] = {static_cast<const A*>(in[I]) + at...};
            void* result = to;
            run(from, &result, m, attrs, {});
          });
    }
    [[gnu::noinline]] static void run_non_temporal(const void* const* in, void* const* out, size_t n,
                                                   const AttrValue* attrs) {
      using R0 = typename Result::first;
      dispatch_non_temporal(in, static_cast<R0*>(out[0]), n, attrs, std::index_sequence_for<A...>{});
    }
    template <size_t... I>
    static TILEOPS_INLINE void dispatch_odd(const void* const* in, float* y, size_t n, const AttrValue* attrs,
                                            std::index_sequence<I...>) {
      odd_loop(Body(attrs), y, n, static_cast<const A*>(in[I])...);
    }
    static void run_odd(const void* const* in, void* const* out, size_t n, const AttrValue* attrs, How) {
      dispatch_odd(in, static_cast<float*>(out[0]), n, attrs, std::index_sequence_for<A...>{});
    }
    static constexpr Ctype types[sizeof...(A) + 1] = {ctype_of<A>::value..., Ctype::f32};
  };

  template <int same>
  struct RowLoops {
    template <class A, class B>
    struct For {
      static void run(const Rows& rows, const AttrValue* attrs) {
        rows_loop<same, Body, typename Result::first, A, B>(Body(attrs), rows);
      }
    };
  };

  static constexpr DenseFn dense() { return &Signature::template args<Loops>::run; }

  static Kernel describe(int32_t op, int32_t index, Ctype ctype) {
    using L = typename Signature::template args<Loops>;
    Kernel k{};
    k.op = op;
    k.body = index;
    k.ctype = ctype;
    add(&k, {Loop::dense, Elements::own, L::has_non_temporal}, &L::run);
    k.num_in = Signature::num_loads;
    for (int i = 0; i < k.num_in; ++i) k.in[i] = L::types[i];
    k.num_out = Result::num_stores;
    k.identity = Body::identity;
    if constexpr (Signature::num_loads == 2 && Result::num_stores == 1 && !has_rare_v<Body> && light) {
      add(&k, {Loop::rows}, &Signature::template args<RowLoops<0>::template For>::run);
      add(&k, {Loop::rows_of_first}, &Signature::template args<RowLoops<1>::template For>::run);
      add(&k, {Loop::rows_of_second}, &Signature::template args<RowLoops<2>::template For>::run);
    }
    if constexpr (Body::has_round_to_odd && device::same_v<typename Signature::result, float>)
      add(&k, {Loop::rounded_to_odd}, &L::run_odd);
    if constexpr (device::has_stages_v<Described>) {
      using E = Stage<decltype(&Described::early)>;
      using S = Stage<decltype(&Described::late)>;
      k.num_late = S::num_loads - E::num_stores;
      add(&k, {Loop::early}, &E::template run<Described, &Described::early>);
      add(&k, {Loop::late}, &S::template run<Described, &Described::late>);
    }
    static_assert(Signature::num_loads <= kMaxOperands);
    static_assert(Result::num_stores <= kMaxResults);
    for (int i = 0; i < k.num_out; ++i) k.out[i] = Result::template types<Ctypes>::values[i];
    return k;
  }
};

// In gated.h and predicates.h, which the families that have such bodies include.
template <template <class, class> class Body, int ulp>
struct Gated;
template <class Body>
struct Predicate;

using namespace columns;

// Can an operator of these dtypes and this column be asked to compute in T?
template <uint32_t dtypes, Compute compute, class T>
constexpr bool wanted() {
  if (compute == Compute::truth) return device::same_v<T, bool>;
  const bool floating = device::is_float_v<T>, boolean = device::same_v<T, bool>;
  if (floating) return (dtypes & F) != 0 || compute == Compute::to_float || compute == Compute::quotient;
  if (compute == Compute::to_float) return false;
  if (compute == Compute::bits || compute == Compute::source) return true;
  if (boolean) return (dtypes & B) != 0 && compute != Compute::quotient;
  return (dtypes & I) != 0;
}

template <uint32_t dtypes, Compute compute, int ulp, template <class, class> class Body, class T>
void add_one(KernelSink sink, int32_t op, int32_t index) {
  if constexpr (wanted<dtypes, compute, T>()) {
    using Described = Body<device::portable, T>;
    constexpr bool light = ulp == 0 || Described::accuracy >= device::Accuracy::exact;
    Kernel k = Entry<Described, light, compute == Compute::bits>::describe(op, index, ctype_of<T>::value);
    if constexpr (device::same_v<T, float>) {
      if constexpr (ulp > 0 && Described::accuracy < device::Accuracy::exact)
        add(&k, {Loop::in_f64}, Entry<Body<device::portable_pre_round, double>, false, false>::dense());
      add_mixed<Described, ulp>(&k);
      HalfKernels<Body, ulp>::template add_to<device::f16, light>(&k);
      HalfKernels<Body, ulp>::template add_to<device::bf16, light>(&k);
      if constexpr (Described::gated) Gated<Body, ulp>::add_to(&k);
    }
    if constexpr (inner_form<Described>::exists) {
      constexpr bool quick = TILEOPS_LANES != 0 && inner_form<Described>::beats_lookup;
      add(&k, {Loop::inner, Elements::own, true, quick}, &run_mixed<inner_form<Described>, 1>);
    }
    if constexpr (form<Described>::has_test) {
      using S = device::signature_of<Described>;
      S::template args<Predicate<form<Described>>::template For>::add_to(&k);
    }
    sink.add(sink.user, k);
  }
}

template <uint32_t dtypes, Compute compute, int ulp, template <class, class> class Body>
void add_body(KernelSink sink, int32_t op, int32_t index) {
  using namespace device;
#define TILEOPS_CTYPE(id, type) add_one<dtypes, compute, ulp, Body, type>(sink, op, index);
#include <tileops/dtypes.def>
}

template <uint32_t dtypes, Compute compute, int ulp, template <class, class> class... Bodies>
void add_bodies([[maybe_unused]] KernelSink sink, [[maybe_unused]] int32_t op, body_list<Bodies...>) {
  [[maybe_unused]] int32_t index = 0;
  (add_body<dtypes, compute, ulp, Bodies>(sink, op, index++), ...);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

// A family's translation unit defines this and includes its file of the op table.
#define TILEOPS_OP(id, NAME, name, category, rule, operands, dtypes, compute, attrs, bodies, ulp, lo, hi, doc) \
  add_bodies<dtypes, Compute::compute, ulp>(sink, id, TILEOPS_BODY_LIST(bodies){});
