// SPDX-License-Identifier: Apache-2.0
// Bodies of one operand that are one expression of it.
#ifndef TILEOPS_DEVICE_OPS_UNARY_H
#define TILEOPS_DEVICE_OPS_UNARY_H

#include "../body.h"

// y = value(x), without attributes.
#define TILEOPS_UNARY(name, value)                       \
  template <class P, class T>                            \
  struct name : body {                                   \
    using body::body;                                    \
    TILEOPS_FN T operator()(T x) const { return value; } \
  };

// The same, written for vector registers too.
#define TILEOPS_UNARY_V(name, value)     \
  template <class P, class T>            \
  struct name : body {                   \
    using body::body;                    \
    template <class V>                   \
    TILEOPS_FN V operator()(V x) const { \
      return value;                      \
    }                                    \
  };

#endif
