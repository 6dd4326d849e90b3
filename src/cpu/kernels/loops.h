// The loop over a block, written once for every body. Compiled per ISA, and nothing here may be
// shared between them: everything is in the ISA's namespace and no standard function is called.
#pragma once

#include <utility>

#include "cpu/kernel.h"
#include "cpu/kernels/lanes.h"
#include "cpu/kernels/narrow.h"
#include "tileops/device/bodies.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

namespace op = device::op;
using device::body_list;

template <class T>
struct ctype_of;
#define TILEOPS_CTYPE(type, name)            \
  template <>                                \
  struct ctype_of<type> {                    \
    static constexpr Ctype value = Ctype::name; \
  };
TILEOPS_CTYPE(float, f32)
TILEOPS_CTYPE(double, f64)
TILEOPS_CTYPE(device::i8, i8)
TILEOPS_CTYPE(device::i16, i16)
TILEOPS_CTYPE(device::i32, i32)
TILEOPS_CTYPE(device::i64, i64)
TILEOPS_CTYPE(device::u8, u8)
TILEOPS_CTYPE(device::u16, u16)
TILEOPS_CTYPE(device::u32, u32)
TILEOPS_CTYPE(device::u64, u64)
TILEOPS_CTYPE(bool, boolean)
#undef TILEOPS_CTYPE

template <class Body, class = void>
inline constexpr bool has_rare_v = false;
template <class Body>
inline constexpr bool has_rare_v<Body, std::void_t<decltype(&Body::rare)>> = true;

// An output may be one of the inputs, element for element, so iterations are independent: `omp
// simd` says so, where restrict would lie.
template <class Body, class R, class... A>
TILEOPS_INLINE void dense_loop(const Body body, R* y, size_t n, const A*... x) {
#if TILEOPS_F32_LANES
  if constexpr (takes_lanes<Body, R, A...>()) return lanes_loop(body, y, n, x...);
#endif
#pragma omp simd
  for (size_t i = 0; i < n; ++i) y[i] = body(element(x, i)...);
}

template <class Body, class = void>
inline constexpr bool has_chunk_v = false;
template <class Body>
inline constexpr bool has_chunk_v<Body, std::void_t<decltype(&Body::chunk)>> = true;

template <class Body, class R0, class R1, class... A>
TILEOPS_INLINE void dense_loop2(const Body body, R0* y0, R1* y1, size_t n, const A*... x) {
  if constexpr (has_chunk_v<Body>) return body.chunk(y0, y1, n, x...);
#pragma omp simd
  for (size_t i = 0; i < n; ++i) {
    const auto r = body(element(x, i)...);
    y0[i] = r.first;
    y1[i] = r.second;
  }
}

// Bodies with a rare slow path: the fast form over a chunk, then the rare elements again. Their
// inputs are set aside first, since the output may overwrite them.
template <class Body, class R, class... A>
TILEOPS_INLINE void rare_loop(const Body body, R* y, size_t n, const A*... x) {
  constexpr size_t kChunk = 256;
  for (size_t base = 0; base < n; base += kChunk) {
    const size_t m = n - base < kChunk ? n - base : kChunk;
    int any = 0;
#pragma omp simd reduction(| : any)
    for (size_t i = 0; i < m; ++i) any |= body.rare(element(x, base + i)...) ? 1 : 0;
    if (!any) {
      dense_loop(body, y + base, m, (x + base)...);
      continue;
    }
    R repaired[kChunk];
    device::u16 where[kChunk];
    size_t count = 0;
    for (size_t i = 0; i < m; ++i) {
      if (!body.rare(element(x, base + i)...)) continue;
      where[count] = static_cast<device::u16>(i);
      repaired[count++] = body.slow(element(x, base + i)...);
    }
    dense_loop(body, y + base, m, (x + base)...);
    for (size_t k = 0; k < count; ++k) y[base + where[k]] = repaired[k];
  }
}

// Bodies that say what they do to the bits of any binary float (abs, neg).
template <class Body, class = void>
inline constexpr bool has_bits_v = false;
template <class Body>
inline constexpr bool has_bits_v<Body, std::void_t<decltype(&Body::on_bits)>> = true;

template <class Body, class = void>
inline constexpr bool has_terms_v = false;
template <class Body>
inline constexpr bool has_terms_v<Body, std::void_t<decltype(&Body::terms)>> = true;

// One element in f64, for a result that is rounded to a narrower float next.
template <template <class, class> class BodyT, class... X>
__attribute__((noinline)) double repaired(const AttrValue* attrs, X... x) {
  using Body = BodyT<device::portable_sticky, double>;
  const Body body(attrs);
  if constexpr (has_rare_v<Body>) {
    if (body.rare(x...)) return body.slow(x...);
  }
  return body(x...);
}

// An f32 body on operands of one 16-bit float dtype S, chunk by chunk in L1: widen, compute, find the
// results too close to a tie of S and compute those again in f64, round once. An exact body needs no
// second look, nor does a single operation (ulp 0): rounding twice is innocent there (24 >= 2p + 2).
template <template <class, class> class BodyT, class S, int ulp, size_t... I, class... X>
TILEOPS_INLINE void fused_loop(std::index_sequence<I...>, S* y, size_t n, const AttrValue* attrs,
                               const X*... x) {
  using Body = BodyT<device::portable, float>;
  const Body body(attrs);
  if constexpr (has_bits_v<Body>) {
#pragma omp simd
    for (size_t i = 0; i < n; ++i)
      y[i].bits = static_cast<device::u16>(body.on_bits(x[i].bits..., 0x8000u));
    return;
  }
  constexpr size_t kChunk = 256;
  alignas(64) float wide[sizeof...(X)][kChunk], result[kChunk];
  for (size_t base = 0; base < n; base += kChunk) {
    const size_t m = n - base < kChunk ? n - base : kChunk;
    (widen_dense(x + base, m, wide[I]), ...);
    if constexpr (has_terms_v<Body>) {
#pragma omp simd
      for (size_t i = 0; i < m; ++i) result[i] = device::round_to_odd(body.terms(wide[I][i]...));
    } else {
      dense_loop(body, result, m, static_cast<const float*>(wide[I])...);
    }
    if constexpr (Body::representable) {
      pack_dense(result, m, y + base);
    } else if constexpr (ulp == 0 || Body::exact || has_terms_v<Body>) {
      narrow_dense(result, m, y + base);
    } else {
      device::u16 where[kChunk];
      const size_t count = list_doubtful<S>(result, m, ulp, where);
      narrow_dense(result, m, y + base);
      if (__builtin_expect(count != 0, 0)) {
        for (size_t c = 0; c < count; ++c) {
          const size_t i = where[c];
          y[base + i] = device::convert<S>(repaired<BodyT>(attrs, static_cast<double>(wide[I][i])...));
        }
      }
      if constexpr (has_rare_v<Body>) {
        int any = 0;
#pragma omp simd reduction(| : any)
        for (size_t i = 0; i < m; ++i) any |= body.rare(wide[I][i]...) ? 1 : 0;
        for (size_t i = 0; any && i < m; ++i)
          if (body.rare(wide[I][i]...))
            y[base + i] = device::convert<S>(repaired<BodyT>(attrs, static_cast<double>(wide[I][i])...));
      }
    }
  }
}

template <class T, class... A>
inline constexpr bool all_v = (device::same_v<T, A> && ...);

// Fused kernels exist for f32 bodies of one f32 result and f32 operands. Bodies with a rare path say
// that they want one (gated; sin and remainder are better off in blocks).
template <template <class, class> class BodyT, int ulp>
struct Fused {
  using Body = BodyT<device::portable, float>;
  using Signature = device::signature_of<Body>;
  template <class... A>
  struct For {
    static constexpr bool possible = all_v<float, typename Signature::result, A...> &&
                                     (!has_rare_v<Body> || Body::fuse_rare) && sizeof...(A) <= 3;
    template <class S, size_t... I>
    static TILEOPS_INLINE void call(const void* const* in, void* const* out, size_t n,
                                    const AttrValue* attrs, std::index_sequence<I...>) {
      fused_loop<BodyT, S, ulp>(std::index_sequence<I...>{}, static_cast<S*>(out[0]), n, attrs,
                                static_cast<const S*>(in[I])...);
    }
    template <class S>
    static void run(const void* const* in, void* const* out, size_t n, const AttrValue* attrs) {
      call<S>(in, out, n, attrs, std::index_sequence_for<A...>{});
    }
    static void add(Kernel* k) {
      if constexpr (possible) {
        k->fused[kFusedF16] = &run<device::f16>;
        k->fused[kFusedBf16] = &run<device::bf16>;
      }
    }
  };
};

template <class Body>
struct Entry {
  using Signature = device::signature_of<Body>;
  using Result = device::result_traits<typename Signature::result>;

  template <class... A>
  struct Loops {
    template <size_t... I>
    static TILEOPS_INLINE void dispatch(const void* const* in, void* const* out, size_t n,
                                        const AttrValue* attrs, std::index_sequence<I...>) {
      const Body body(attrs);
      using R0 = typename Result::first;
      if constexpr (Result::num_stores == 2) {
        using R1 = typename Result::second;
        dense_loop2(body, static_cast<R0*>(out[0]), static_cast<R1*>(out[1]), n,
                    static_cast<const A*>(in[I])...);
      } else if constexpr (has_rare_v<Body>) {
        rare_loop(body, static_cast<R0*>(out[0]), n, static_cast<const A*>(in[I])...);
      } else {
        dense_loop(body, static_cast<R0*>(out[0]), n, static_cast<const A*>(in[I])...);
      }
    }
    static void run(const void* const* in, void* const* out, size_t n, const AttrValue* attrs) {
      dispatch(in, out, n, attrs, std::index_sequence_for<A...>{});
    }
    static constexpr Ctype types[sizeof...(A) + 1] = {ctype_of<A>::value..., Ctype::f32};
  };

  static Kernel describe(int32_t op, int32_t index, Ctype ctype) {
    using L = typename Signature::template args<Loops>;
    Kernel k{};
    k.op = op;
    k.body = index;
    k.ctype = ctype;
    k.fn = &L::run;
    k.num_in = Signature::num_loads;
    for (int i = 0; i < k.num_in; ++i) k.in[i] = L::types[i];
    k.num_out = Result::num_stores;
    k.cheap = Body::cheap;
    k.exact = Body::exact;
    k.identity = Body::identity;
    k.out[0] = ctype_of<typename Result::first>::value;
    if constexpr (Result::num_stores == 2) k.out[1] = ctype_of<typename Result::second>::value;
    return k;
  }
};

// Which compute types an operator of these dtypes and this rule can be asked for.
enum class Rule { promote, to_float, truth, bits, quotient, source };
constexpr uint32_t F = 1, I = 2, B = 4, FI = 3, FIB = 7, IB = 6;

template <uint32_t dtypes, Rule rule, class T>
constexpr bool wanted() {
  if (rule == Rule::truth) return device::same_v<T, bool>;
  const bool floating = device::is_float_v<T>, boolean = device::same_v<T, bool>;
  if (floating) return (dtypes & F) != 0 || rule == Rule::to_float || rule == Rule::quotient;
  if (rule == Rule::to_float) return false;
  if (rule == Rule::bits || rule == Rule::source) return true;
  if (boolean) return (dtypes & B) != 0 && rule != Rule::quotient;
  return (dtypes & I) != 0;
}

template <uint32_t dtypes, Rule rule, int ulp, template <class, class> class Body, class T>
void add_one(KernelSink sink, int32_t op, int32_t index) {
  if constexpr (wanted<dtypes, rule, T>()) {
    Kernel k = Entry<Body<device::portable, T>>::describe(op, index, ctype_of<T>::value);
    if constexpr (device::same_v<T, float> && ulp > 0)
    {
      const Kernel wide =
          Entry<Body<device::portable_sticky, double>>::describe(op, index, Ctype::f64);
      k.repair = wide.fn;
      for (int i = 0; i < k.num_in; ++i) k.widened[i] = wide.in[i] != k.in[i];
    }
    if constexpr (device::same_v<T, float>) {
      using F = Fused<Body, ulp>;
      F::Signature::template args<F::template For>::add(&k);
    }
    sink.add(sink.user, k);
  }
}

template <uint32_t dtypes, Rule rule, int ulp, template <class, class> class Body>
void add_body(KernelSink sink, int32_t op, int32_t index) {
  add_one<dtypes, rule, ulp, Body, float>(sink, op, index);
  add_one<dtypes, rule, ulp, Body, double>(sink, op, index);
  add_one<dtypes, rule, ulp, Body, device::i8>(sink, op, index);
  add_one<dtypes, rule, ulp, Body, device::i16>(sink, op, index);
  add_one<dtypes, rule, ulp, Body, device::i32>(sink, op, index);
  add_one<dtypes, rule, ulp, Body, device::i64>(sink, op, index);
  add_one<dtypes, rule, ulp, Body, device::u8>(sink, op, index);
  add_one<dtypes, rule, ulp, Body, device::u16>(sink, op, index);
  add_one<dtypes, rule, ulp, Body, device::u32>(sink, op, index);
  add_one<dtypes, rule, ulp, Body, device::u64>(sink, op, index);
  add_one<dtypes, rule, ulp, Body, bool>(sink, op, index);
}

template <uint32_t dtypes, Rule rule, int ulp, template <class, class> class... Bodies>
void add_bodies(KernelSink sink, int32_t op, body_list<Bodies...>) {
  int32_t index = 0;
  (add_body<dtypes, rule, ulp, Bodies>(sink, op, index++), ...);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

// A family's translation unit defines this and includes its file of the op table.
#define TILEOPS_OP(id, NAME, name, category, rule, operands, dtypes, compute, attrs, bodies, ulp, \
                   lo, hi, doc)                                                                   \
  add_bodies<dtypes, Rule::compute, ulp>(sink, id, TILEOPS_BODY_LIST(bodies){});
