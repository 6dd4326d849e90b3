// The bodies of each operator, as the op table lists them.
#pragma once

#include <tileops/tileops.h>

#include <string>
#include <vector>

#include "op/dtype.h"
#include "tileops/device/attributes.h"

namespace tileops {

// What a body takes or gives a value as: in the type that it computes in, or always in the same one.
struct BodyType {
  bool computed = true;
  Ctype fixed = Ctype::f32;
  Ctype in(Ctype ctype) const { return computed ? ctype : fixed; }
};

struct BodyInfo {
  tileops_op op;  // whose row of the table lists it, and where in the list: what kernels are found by
  int index;
  std::string name;
  int ulp;  // bound of a float32 result; 0: one rounding of an exact value
  bool (*fits)(const device::BodyChoice&);
  std::vector<BodyType> operands, results;
  bool bool_result;
  bool gated;   // a function of the first operand times the second one
  bool staged;  // computes from the later operands what it then applies to the first ones (RoPE's angles)
  bool cheap;   // a few instructions
  device::Accuracy accuracy;
  bool has_odd;  // gives f32 results rounded to odd
  bool jumps;    // where an operand is a little off, the result may be quite another
  device::Algebra algebra;
  bool on_bits;  // says what it does to the bits of a float of any width
};

const std::vector<BodyInfo>& bodies_of(tileops_op op);

}  // namespace tileops
