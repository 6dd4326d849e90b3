// What the CPU's fast paths know of a body beside the body itself. form<Body> is the body with more members; the
// loops (src/cpu/loops) compute with forms. A body without a form of its own, as any new one, is right as it is:
// a form may only make it faster, and its results are the same bits.
//
// A claim on all results (`shown`) was checked by taking every operand of a 16-bit dtype; tests/accuracy does so.
#pragma once

#include "cpu/simd/halves.h"
#include "cpu/simd/lanes.h"
#include "cpu/simd/round_to_odd.h"
#include "tileops/device/body_list.h"
#include "tileops/device/math/common/policy.h"
#include "tileops/device/math/common/scalar_lanes.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

namespace op = device::op;
using device::has_bits_v;
using device::has_rare_v;
using device::same_v;
// These are for numbers; those for registers are found by their operands.
using device::at_least;
using device::at_most;
using device::fma;
using device::mul_to_odd;
using device::select;

struct default_form {
  // ---- f32 in vector registers
  // operator() is run on registers, with AVX-512 on so many at a time whose operations alternate: 2, or 4 where there
  // are enough of them; with AVX2 on half as many. 0: compilers vectorise it for numbers.
  static constexpr unsigned simd_unroll = 0;
  // V by_instruction(x...): the same bits by the divider, which works beside the units that operator() keeps busy, so
  // that loops take turns.
  static constexpr bool has_instruction = false;
  // auto maybe_rare(x...), of numbers or registers: a quick test without which no operand is rare.
  static constexpr bool has_maybe_rare = false;
  // auto test(x...), of floats or registers of them: the result, as bool or as a mask.
  static constexpr bool has_test = false;
  // void chunk(y0, y1, n, x...): a loop of its own for two results.
  static constexpr bool has_chunk = false;

  // ---- 16-bit floats: what their f32 result is good for
  // Rounded from f32, no f16 result is wrong (shown). For bf16 see body.h.
  static constexpr bool exact_f16 = false;
  // The f32 result is the exact one rounded once; round_to_odd(x...) is there for where that may matter.
  static constexpr bool rounds_once = false;
  // No bf16 result is wrong unless the f32 one is a tie, and no f16 result unless it is 2^-25 or within an ulp of a tie
  // between normal numbers (shown, with the policies portable and portable_approx).
  static constexpr bool right_if_untied = false;
  // form with_attributes_in<S>(): with attributes rounded to S, of which results are then representable in S.
  static constexpr bool selects = false;
  // auto on_codes<S>(): a function of the 16-bit codes of S.
  static constexpr bool has_codes = false;
  // Its rare operands are few, so that the half-precision loop looks for them itself.
  static constexpr bool rare_in_half_loop = false;

  // ---- round_to_odd(x...)
  // It takes registers as well as numbers.
  static constexpr bool to_odd_of_registers = true;
  // operator() first, and round_to_odd only where that is near a tie.
  static constexpr bool to_odd_if_near_tie = false;
  // V nearest(x...), the exact result rounded once to f32, and V residual(y, x...), whose sign is that of what y lacks
  // of the exact result where y is a tie of the 16-bit dtype (simd/residual_avx2.h says for which operands); for bf16,
  // f16.
  static constexpr bool has_residual = false, has_residual_f16 = false;

  // ---- approx(x...): a shorter formula in registers, close enough for results in bf16
  static constexpr bool has_approx = false;
  // It will do for f16 too; or V approx_f16(x) will.
  static constexpr bool approx_serves_f16 = false, has_approx_f16 = false;
  // Kinds of results (kNan and so on) at which it may be wrong, so that the block is computed by round_to_odd or,
  // without that, as if there were no approx.
  static constexpr int approx_unless = 0;
  // No other result of it is a tie of bf16.
  static constexpr bool approx_untied = false;
  // It holds only for attributes of which bool approx_holds() says so.
  static constexpr bool has_approx_condition = false;
  // V approx_twice(x), for bf16: close to twice the result, which is positive, below 2^96 and no tie (with AVX2 also
  // 0), or else negative, infinite or NaN, where operator() is asked.
  static constexpr bool has_approx_twice = false;

  // ---- octave table (vbmi/octave_table.h), of one operand that is not 0
  // f(4 x) = 2^octave_scale f(x) for x > 0, and whether f(-x) = -f(x).
  static constexpr int octave_scale = 0;
  static constexpr bool odd_function = false;
};

// A body as it is. Forms of their own are specialisations of `form` that derive from this.
template <class Body>
struct plain_form : Body, default_form {
  using Body::Body;
};
template <class Body>
struct form : plain_form<Body> {
  using plain_form<Body>::plain_form;
};

// The head of a form: TILEOPS_FORM(gelu) { members };
#define TILEOPS_FORM(name)    \
  template <class P, class T> \
  struct form<op::name<P, T>> : plain_form<op::name<P, T>>
#define TILEOPS_FORM_CONSTRUCTORS(name) using plain_form<op::name<P, T>>::plain_form;

// Forms that say no more than the following.
#define TILEOPS_UNTIED_FORM(name)                 \
  TILEOPS_FORM(name) {                            \
    TILEOPS_FORM_CONSTRUCTORS(name)               \
    static constexpr bool right_if_untied = true; \
  };
#define TILEOPS_SIMD_FORM(name, unroll)             \
  TILEOPS_FORM(name) {                              \
    TILEOPS_FORM_CONSTRUCTORS(name)                 \
    static constexpr unsigned simd_unroll = unroll; \
  };
#define TILEOPS_UNTIED_SIMD_FORM(name, unroll)      \
  TILEOPS_FORM(name) {                              \
    TILEOPS_FORM_CONSTRUCTORS(name)                 \
    static constexpr unsigned simd_unroll = unroll; \
    static constexpr bool right_if_untied = true;   \
  };
// Selects among the operand and the attributes lo and hi.
#define TILEOPS_BOUNDED_FORM(name)                   \
  TILEOPS_FORM(name) {                               \
    TILEOPS_FORM_CONSTRUCTORS(name)                  \
    static constexpr bool selects = true;            \
    template <class S>                               \
    TILEOPS_INLINE form with_attributes_in() const { \
      form rounded = *this;                          \
      rounded.lo = d::bound_as<S>(this->lo);         \
      rounded.hi = d::bound_as<S>(this->hi);         \
      return rounded;                                \
    }                                                \
  };
// Tests of floats that are the operator itself.
#define TILEOPS_TEST_FORM(name)                        \
  TILEOPS_FORM(name) {                                 \
    TILEOPS_FORM_CONSTRUCTORS(name)                    \
    static constexpr bool has_test = same_v<T, float>; \
    template <class... V>                              \
    static TILEOPS_INLINE auto test(V... x) {          \
      return op::name<P, T>()(x...);                   \
    }                                                  \
  };

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
