// SPDX-License-Identifier: Apache-2.0
// Bodies of ops/special.def.
#ifndef TILEOPS_DEVICE_OPS_SPECIAL_H
#define TILEOPS_DEVICE_OPS_SPECIAL_H

#include "../body.h"
#include "../convert.h"
#include "../math/common/formulas.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

template <class P, class T>
struct where : body {
  using body::body;
  TILEOPS_FN T operator()(bool cond, T x, T y) const { return select(cond, x, y); }
};

template <class P, class T>
struct masked_fill : body {
  using body::body;
  TILEOPS_FN T operator()(T x, bool mask, T value) const { return select(mask, value, x); }
};

// min(max(x, lo), hi): hi wins if lo > hi; NaN of any operand propagates.
template <class P, class T>
struct clamp : body {
  using body::body;
  TILEOPS_FN T operator()(T x, T lo, T hi) const {
    if constexpr (is_float_v<T>) {
      const T y = x < lo ? lo : x;
      const T z = y > hi ? hi : y;
      return is_nan(lo) || is_nan(hi) ? limits<T>::nan() : z;
    } else {
      const T y = x < lo ? lo : x;
      return y > hi ? hi : y;
    }
  }
};

// Bounds that are attributes. An absent one is not given to the caller's request either.
template <class P, class T>
struct clamp_attrs : body {
  T lo, hi;
  TILEOPS_FN explicit clamp_attrs(const AttrValue* a) : lo(convert<T>(a[0].f64)), hi(convert<T>(a[1].f64)) {}
  static TILEOPS_FN bool fits(const BodyChoice& c) { return !c.input_present[1] && !c.input_present[2]; }
  TILEOPS_FN T operator()(T x) const { return clamp<P, T>()(x, lo, hi); }
};

template <class P, class T>
struct nan_to_num : jumping {
  T nan, posinf, neginf;
  TILEOPS_FN explicit nan_to_num(const AttrValue* a)
      : nan(convert<T>(a[0].f64)), posinf(convert<T>(a[1].f64)), neginf(convert<T>(a[2].f64)) {}
  TILEOPS_FN T operator()(T x) const {
    if constexpr (is_float_v<T>) {
      const T y = x == limits<T>::inf() ? posinf : x == -limits<T>::inf() ? neginf : x;
      return is_nan(x) ? nan : y;
    } else {
      return x;
    }
  }
};

// The result is bool or, of vector registers, a mask.
#define TILEOPS_CLASSIFY(name, for_float, for_other)         \
  template <class P, class T>                                \
  struct name : body {                                       \
    using body::body;                                        \
    template <class V>                                       \
    TILEOPS_FN auto operator()([[maybe_unused]] V x) const { \
      if constexpr (is_float_v<T>) return for_float;         \
      else return for_other;                                 \
    }                                                        \
  };
TILEOPS_CLASSIFY(isnan, x != x, false)
TILEOPS_CLASSIFY(isinf, device_detail::abs(x) == limits<T>::inf(), false)
TILEOPS_CLASSIFY(isfinite, device_detail::abs(x) < limits<T>::inf(), true)

template <class P, class T>
struct cast : body {
  using body::body;
  static constexpr bool identity = true;
  static TILEOPS_FN bool fits(const BodyChoice& c) { return !c.to_scale; }
  TILEOPS_FN T operator()(T x) const { return x; }
};

// To float8_e8m0fnu: the power of two, which the store then holds exactly.
template <class P, class T>
struct cast_to_scale : jumping {
  scale_rounding rounding;
  u32 over;
  TILEOPS_FN explicit cast_to_scale(const AttrValue* a)  // rounding, fp8_overflow
      : rounding(a[0].i64 == 0   ? scale_nearest()
                 : a[0].i64 == 3 ? scale_up()
                                 : scale_down()),
        over(a[1].i64 == 0 ? 0xfeu : 0xffu) {}
  static TILEOPS_FN bool fits(const BodyChoice& c) { return c.to_scale; }
  TILEOPS_FN float operator()(T x) const { return widen(narrow_e8m0fnu(sticky_float(x), rounding, over)); }
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif
