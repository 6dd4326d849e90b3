// SPDX-License-Identifier: Apache-2.0
// Bodies of one operand that are one expression of it.
#ifndef TILEOPS_DEVICE_OPS_UNARY_H
#define TILEOPS_DEVICE_OPS_UNARY_H

#include "../body.h"

// y = value(x), without attributes. `base` says more of it: body, or jumping.
#define TILEOPS_UNARY_OF(base, name, value)              \
  template <class P, class T>                            \
  struct name : base {                                   \
    using base::base;                                    \
    TILEOPS_FN T operator()(T x) const { return value; } \
  };
#define TILEOPS_UNARY(name, value) TILEOPS_UNARY_OF(body, name, value)

// The same, written for vector registers too.
#define TILEOPS_UNARY_V_OF(base, name, value) \
  template <class P, class T>                 \
  struct name : base {                        \
    using base::base;                         \
    template <class V>                        \
    TILEOPS_FN V operator()(V x) const {      \
      return value;                           \
    }                                         \
  };
#define TILEOPS_UNARY_V(name, value) TILEOPS_UNARY_V_OF(body, name, value)

#endif
