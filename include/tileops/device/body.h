// SPDX-License-Identifier: Apache-2.0
// What a body is: what an operator computes, written once for every backend. A body is a functor over a
// policy P (which elementary functions it calls) and a compute type T. It is made from the operator's
// attributes, takes one value per operand and returns the value to store, or results<...> of several:
//
//   template <class P, class T> struct gelu : body {
//     using body::body;
//     template <class V> TILEOPS_FN V operator()(V x) const { return device_detail::gelu<P>(x); }
//   };
//
// V is the kind of value: T or, where T is float and a backend has such, a vector register of floats.
// A body whose formula knows numbers only has operator()(T x), which compilers vectorise themselves.
//
// What else a body may have, each only where the operator needs it:
//   static bool fits(const BodyChoice&) the attributes that it is for; the first body that fits is taken
//   bool rare(x...), T slow(x...)       operator() is right where rare is false, slow everywhere
//   V round_to_odd(x...)                the f32 result rounded to odd: math/common/round_to_odd.h
//   static u32 on_bits(u32 x, u32 sign) the operator on the bits of a float of any width
//   early(...), late(...)               two stages: late takes the first operands and early's results,
//                                       which serve many elements
//   V activated(V gate)                 of gated bodies, see below
//
// A body says nothing of how one backend computes it faster. Such forms are keyed by the body and live with
// the backend: src/cpu/forms and include/tileops/device/cuda/forms.
#ifndef TILEOPS_DEVICE_BODY_H
#define TILEOPS_DEVICE_BODY_H

#include "attributes.h"
#include "config.h"

namespace tileops {
namespace device_detail {

inline namespace TILEOPS_DEVICE_NS {

namespace op {}  // namespace op

// Base of bodies: the constructor of those without attributes, and the traits that a body may override.
struct body {
  body() = default;
  TILEOPS_FN explicit body(const AttrValue*) {}
  static TILEOPS_FN bool fits(const BodyChoice&) { return true; }
  // It takes a few arithmetic instructions: to look results up in a table would not be faster.
  static constexpr bool cheap = false;
  static constexpr Accuracy accuracy = Accuracy::bounded;
  // The result is the operand: the load and the store do the work.
  static constexpr bool identity = false;
  // operator()(gate, value) is activated(gate) * value, so that activations may come from a table.
  static constexpr bool gated = false;
  // It has round_to_odd(...).
  static constexpr bool has_round_to_odd = false;
  // It jumps, as floor does, or turns to NaN, as sqrt does below 0: where an operand is a little off the result may be
  // quite another. So a value within an expression that it is given keeps its operator's own bound
  // (problem/analysis.h).
  static constexpr bool jumps = false;
  static constexpr Algebra algebra = Algebra::none;
};

// Base of those that jump and say nothing else.
struct jumping : body {
  using body::body;
  static constexpr bool jumps = true;
};

// What a body of several results returns; result<I>(r) is one of them. Flat, so that compilers keep them in registers.
template <class... R>
struct results;
template <class A>
struct results<A> {
  A first;
};
template <class A, class B>
struct results<A, B> {
  A first;
  B second;
};
template <class A, class B, class C>
struct results<A, B, C> {
  A first;
  B second;
  C third;
};
template <class A, class B, class C, class D>
struct results<A, B, C, D> {
  A first;
  B second;
  C third;
  D fourth;
};
template <int I, class... R>
TILEOPS_FN auto result(results<R...> r) {
  if constexpr (I == 0) return r.first;
  else if constexpr (I == 1) return r.second;
  else if constexpr (I == 2) return r.third;
  else return r.fourth;
}

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

// void, if its arguments are types at all.
template <class...>
using void_of = void;

template <class A, class B>
inline constexpr bool same_v = false;
template <class A>
inline constexpr bool same_v<A, A> = true;

// c ? yes : no. Bools are selected without a condition, for which g++ 12 does not vectorise.
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
}  // namespace device_detail

namespace device {
using device_detail::result;
using device_detail::results;
}  // namespace device
}  // namespace tileops

#endif
