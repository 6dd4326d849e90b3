// SPDX-License-Identifier: Apache-2.0
// An operator's attributes as bodies take them, and what the choice of a body may depend on.
#ifndef TILEOPS_DEVICE_ATTRIBUTES_H
#define TILEOPS_DEVICE_ATTRIBUTES_H

#include "config.h"

namespace tileops {
namespace device_detail {

// One attribute. Bodies see number attributes as f64, rounded to the compute type beforehand.
// Not in the per-ISA namespace: it crosses between translation units of different ISAs.
union AttrValue {
  double f64;
  long long i64;
};

// What the choice of a body may depend on.
struct BodyChoice {
  const AttrValue* attrs;  // in the order of the operator's row
  const bool* attr_given;  // given by the caller or defaulted
  const bool* input_present;
  bool floating;  // the body computes in a float type
  bool to_scale;  // the result is converted to a dtype of scales
};

}  // namespace device_detail
}  // namespace tileops

#endif
