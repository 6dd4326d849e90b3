// SPDX-License-Identifier: Apache-2.0
// What a body is. A body is a functor template over a policy P (which primitives) and a compute
// type T: built from the operator's attributes, called with one value per load, it returns the
// value to store (or pair2 for two stores). It may have a rare slow path:
//
//   template <class P, class T> struct sin : body {
//     using body::body;
//     TILEOPS_FN T operator()(T x) const;   // right wherever rare(x) is false
//     TILEOPS_FN bool rare(T x) const;
//     TILEOPS_FN T slow(T x) const;         // right everywhere
//   };
//
// may restrict itself to some attributes: static TILEOPS_FN bool fits(const Choice&), and may say what it does
// to the bits of a float of any width: static u32 on_bits(u32 x, u32 sign_bit). One that has `odd`
// gives its f32 result rounded to odd (math/common/sticky.h), from which narrower floats are rounded.
// `on_codes<S>()` returns a function of 16-bit codes of S, a float type, that gives the result's.
// `chunk` is a loop of its own for the CPU. `lanes` is operator() as a template over the kind of value.
#ifndef TILEOPS_DEVICE_BODY_H
#define TILEOPS_DEVICE_BODY_H

#include "config.h"

namespace tileops {
namespace device {

// One attribute. Bodies see number attributes as f64, rounded to the compute type beforehand.
// Not in the per-ISA namespace: it crosses between translation units of different ISAs.
union AttrValue {
  double f64;
  long long i64;
};

// What the choice of a body may depend on.
struct Choice {
  const AttrValue* attrs;      // in the order of the operator's row
  const bool* attr_given;      // given by the caller or defaulted
  const bool* input_present;
  bool floating;               // the body computes in a float type
  bool to_scale;               // the result is converted to a dtype of scales
};

inline namespace TILEOPS_DEVICE_NS {

// Base of bodies without attributes, and the default answers of the others.
struct body {
  body() = default;
  TILEOPS_FN explicit body(const AttrValue*) {}
  static TILEOPS_FN bool fits(const Choice&) { return true; }
  // A few arithmetic instructions: never worth a table of results.
  static constexpr bool cheap = false;
  // Of narrow floats, f32 results are exact, or one rounding of one operation, or what the operator is defined as: they
  // are rounded without a second look.
  static constexpr bool exact = false;
  // Of bf16, rounding the f32 result never goes wrong: no tie is so close without being met (shown by
  // taking all inputs). Of f16 the like, where the f32 result is correctly rounded, which a GPU's need not be.
  static constexpr bool exact_bf16 = false, exact_f16 = false;
  // The same for the CPU's forms (policies portable and portable_rough): of bf16 where the f32 result is no tie, of
  // f16 where it is neither 2^-25 nor within an ulp of a tie between normal numbers. Whether a body keeps to it
  // tests/accuracy finds out, with every input.
  static constexpr bool right_if_untied = false;
  // Of operands of a float dtype the result is representable in it: one of them, or an integer.
  static constexpr bool representable = false;
  // Has nearest(V...), the exact result of 16-bit operands rounded once to f32, and V rest(V y, V...), of whose sign the
  // CPU's loops for AVX2 make use: what y is less than the exact result where it is a tie of the narrow format. Of
  // several operands: where neither the first two nor the result differ too much (src/cpu/simd/rest_avx2.h). Has odd
  // or rounds_once, for the others.
  static constexpr bool has_rest = false, has_rest_of_f16 = false;
  // template <class V> V odd(V...) const: the f32 result rounded to odd, V = float or, if odd_lanes,
  // the vectors of a CPU kernel; odd_if_doubtful: operator() first, and odd where that is near a tie.
  static constexpr bool has_odd = false, odd_lanes = true, odd_if_doubtful = false;
  // Operands of late(...), which takes them and the two results of early(the other operands).
  static constexpr int num_late = 0;
  // Has a rare path that is truly rare: see src/cpu/loops/fused.h.
  static constexpr bool fuse_rare = false;
  // Has lanes(V...), operator() for numbers and for vector registers: math/common/scalar_lanes.h.
  static constexpr bool has_lanes = false;
  // Vectors of AVX-512 whose computations alternate: 2, or 4 where the registers suffice.
  static constexpr unsigned lanes_together = 2;
  // operator() is activated(first) * second; of 16-bit operands, loops may look the former up.
  static constexpr bool gated = false;
  // Has lanes_by_instruction(V...) too, of the same bits: on Intel and AMD cores the divider works beside
  // the units that lanes() keeps busy, so that loops take turns.
  static constexpr bool has_instruction = false;
  // Of one operand, not 0: f(4 x) = 2^scale_of_4 f(x) for x > 0. odd_function: f(-x) = -f(x).
  static constexpr int scale_of_4 = 0;
  static constexpr bool odd_function = false;
  // Has near(V...) too, of AVX-512 registers: close enough for results of 16-bit operands that are rounded to
  // bf16, or to f16 as well. (Of one operand: shown by taking them all.)
  static constexpr bool has_near = false, near_f16 = false;
  // Has near_of_f16(V) for them.
  static constexpr bool has_near_of_f16 = false;
  // Kinds of near(...), as VFPCLASSPS counts them, at which odd(...) or else operator() is to be asked, or if that is only
  // right_if_untied what looks for ties; is no other result a tie of bf16?
  static constexpr int near_unless = 0;
  static constexpr bool near_untied = false;
  // near(...) only where near_holds() says so.
  static constexpr bool near_if = false;
  // Has twice(V) for bf16: close to twice the result, which is positive, below 2^96 and no tie, or else infinite or NaN;
  // there operator() is to be asked.
  static constexpr bool has_twice = false;
  // The f32 result is the exact one rounded once. odd(...) then gives it rounded to odd.
  static constexpr bool rounds_once = false;
  // Has stored_as<S>(), the body with attributes rounded to S: of operands in S, results are representable in it.
  static constexpr bool selects = false;
  // Has test(V...), a result of bool from floats or registers of them: bool or a mask.
  static constexpr bool has_test = false;
  // Operands of one dtype are taken as bits, unsigned integers of its size.
  static constexpr bool of_bits = false;
  // The load and the store do everything.
  static constexpr bool identity = false;
};

constexpr int kNan = 0x81, kZero = 0x06, kInfinite = 0x18, kSubnormal = 0x20;

// A body of one operand without attributes that computes numbers and the lanes of a register. Those of the second macro
// are claimed to be right_if_untied.
#define TILEOPS_LANES_MEMBERS(value)                      \
  using body::body;                                       \
  static constexpr bool has_lanes = same_v<T, float>;     \
  TILEOPS_FN T operator()(T x) const { return lanes(x); } \
  template <class V>                                      \
  TILEOPS_FN V lanes(V x) const {                         \
    return value;                                         \
  }
#define TILEOPS_BODY_LANES(name, together, value)         \
  template <class P, class T>                             \
  struct name : body {                                    \
    static constexpr unsigned lanes_together = together;  \
    static constexpr bool right_if_untied = true;         \
    TILEOPS_LANES_MEMBERS(value)                          \
  };
// Further members of such a body.
#define TILEOPS_INSTRUCTION_MEMBER(value)        \
  static constexpr bool has_instruction = true;  \
  template <class V>                             \
  TILEOPS_FN V lanes_by_instruction(V x) const { \
    return value;                                \
  }
#define TILEOPS_NEAR_MEMBER(value)        \
  static constexpr bool has_near = true;  \
  template <class V>                      \
  TILEOPS_FN V near(V x) const {          \
    return value;                         \
  }
#define TILEOPS_TWICE_MEMBER(value)        \
  static constexpr bool has_twice = true;  \
  template <class V>                       \
  TILEOPS_FN V twice(V x) const {          \
    return value;                          \
  }

template <class A, class B>
struct pair2 {
  A first;
  B second;
};

template <class T>
struct is_float {
  static constexpr bool value = false;
};
template <>
struct is_float<float> {
  static constexpr bool value = true;
};
template <>
struct is_float<double> {
  static constexpr bool value = true;
};
template <class T>
inline constexpr bool is_float_v = is_float<T>::value;

template <class A, class B>
inline constexpr bool same_v = false;
template <class A>
inline constexpr bool same_v<A, A> = true;

// Of bools without a condition, for which g++ 12 does not vectorise.
template <class T>
TILEOPS_FN T select(bool c, T yes, T no) {
  if constexpr (same_v<T, bool>) return (c & yes) | (!c & no);
  else return c ? yes : no;
}

// Unsigned type of the same size, in which arithmetic wraps.
template <class T>
struct unsigned_of {
  using type = T;
};
template <>
struct unsigned_of<i8> {
  using type = u8;
};
template <>
struct unsigned_of<i16> {
  using type = u16;
};
template <>
struct unsigned_of<i32> {
  using type = u32;
};
template <>
struct unsigned_of<i64> {
  using type = u64;
};
template <class T>
using unsigned_t = typename unsigned_of<T>::type;
template <class T>
inline constexpr bool is_signed_v = is_float_v<T> || !same_v<T, unsigned_t<T>>;

// Wrapping integer arithmetic. u32 first: u16 * u16 would overflow int.
template <class T>
TILEOPS_FN T wrap_add(T a, T b) {
  using U = unsigned_t<T>;
  return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
}
template <class T>
TILEOPS_FN T wrap_sub(T a, T b) {
  using U = unsigned_t<T>;
  return static_cast<T>(static_cast<U>(static_cast<U>(a) - static_cast<U>(b)));
}
// On a GPU by instructions of their own: of neg.s16, and of the abs that a comparison beside a difference
// becomes, ptxas 13.0 believes that the result is never the lowest number (neg of int16 -32768 as uint32 came
// out as 32768, abs of the lowest int64 as a positive float).
template <class T>
TILEOPS_FN T wrap_neg(T x) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 8) {
    T y;
    asm("sub.s64 %0, 0, %1;" : "=l"(y) : "l"(x));
    return y;
  } else {
    int y;
    asm("sub.s32 %0, 0, %1;" : "=r"(y) : "r"(static_cast<int>(x)));
    return static_cast<T>(y);
  }
#else
  return wrap_sub(T(0), x);
#endif
}
template <class T>
TILEOPS_FN T wrap_mul(T a, T b) {
  using U = unsigned_t<T>;
  if constexpr (sizeof(T) < 4) {
    return static_cast<T>(static_cast<U>(u32{static_cast<U>(a)} * u32{static_cast<U>(b)}));
  } else {
    return static_cast<T>(static_cast<U>(static_cast<U>(a) * static_cast<U>(b)));
  }
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif
