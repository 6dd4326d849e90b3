// The bodies of each operator, as the op table lists them.
#pragma once

#include <tileops/tileops.h>

#include <string>
#include <vector>

#include "tileops/device/body.h"

namespace tileops {

struct BodyInfo {
  tileops_op op;  // whose row of the table lists it, and where in the list: what kernels are found by
  int index;
  std::string name;
  int ulp;  // bound of a float32 result; 0: one rounding of an exact value
  bool (*fits)(const device::Choice&);
  int num_loads, num_stores;
  bool bool_result;
  bool gated;              // a function of the first operand times the second one
  bool staged;             // computes from the later operands what it then applies to the first ones (RoPE's angles)
  bool exact, exact_bf16;  // of 16-bit floats, f32 results need no second look
  bool has_odd;            // gives f32 results rounded to odd
  bool on_bits;            // says what it does to the bits of a float of any width
};

const std::vector<BodyInfo>& bodies_of(tileops_op op);

}  // namespace tileops
