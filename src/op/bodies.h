// The bodies of each operator, as the op table lists them.
#pragma once

#include <string>
#include <vector>

#include "op/op_table.h"
#include "tileops/device/body.h"

namespace tileops {

struct BodyInfo {
  std::string name;
  bool (*fits)(const device::Choice&);
  int num_loads, num_stores;
  bool exact, exact_bf16;  // of 16-bit floats, f32 results need no second look
  bool has_odd;  // gives f32 results rounded to odd
  bool on_bits;  // says what it does to the bits of a float of any width
};

const std::vector<BodyInfo>& bodies_of(tileops_op op);

}  // namespace tileops
