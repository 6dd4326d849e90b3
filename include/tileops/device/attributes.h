// SPDX-License-Identifier: Apache-2.0
// An operator's attributes as bodies take them, what the choice of a body may depend on, and what bodies say of
// themselves that is no yes or no.
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
  int digits;     // of the significand of the dtype that float operands have together; else 0
};

// What is known of an f32 result, so that a narrower one needs no test; each kind has what those before it have.
enum class Accuracy {
  bounded,           // it is within the operator's bound
  exact_among_bf16,  // of bf16 operands, rounded to bf16, it is right: shown by taking all of them
  exact,             // it is the exact one rounded once, or what the operator is defined as
  representable,     // it is one of the operands or an integer, and is not rounded
};

// What a body of two operands is in algebra, where backends make use of that.
enum class Algebra {
  none,
  sum,    // their sum or difference: of numbers exact in every type that holds them and it
  order,  // how they are ordered, and nothing else of them
};

}  // namespace device_detail
}  // namespace tileops

#endif
