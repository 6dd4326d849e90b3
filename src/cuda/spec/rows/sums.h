// The text of what a function of a kernel of rows reduces: all of it as one accumulator.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problem/problem.h"

namespace tileops::cuda {

// One of the values that are reduced.
struct Summed {
  Reduction by = Reduction::sum;
  Ctype ctype = Ctype::f32;
  bool low_parts = false, in_columns = false;
  bool exclusive = false;             // of a scan
  Value value;                        // of elements
  std::optional<Value> low;           // what rounding took from it, of a float sum that is given that
  size_t step = 0;                    // that gives the result
  int parts = -1, low_of_parts = -1;  // of a scan in parts: loads of what they come to
};

Summed summed_of(const Pass& pass, size_t step);
// What a store adds up over blocks.
Summed summed_of_store(const Pass& pass, size_t store);

// Bytes of the accumulator of all that these steps reduce, at most.
int64_t state_bytes(const Pass& pass, const std::vector<size_t>& steps);

// The members of a struct: state, of the members s0, s1 ...; values, of arrays r0, r1 ...; in_columns, and the
// functions identity, merge, follow and of.
std::string accumulator_text(const std::vector<Summed>& list, bool index64);

// The member finish, which gives the steps' results.
std::string finish_text(const std::vector<Summed>& list);

// The members of scans: finish, which gives what they have come to at an element, and of_part, a state of what a part
// has come to that was left in memory.
std::string scanned_text(const std::vector<Summed>& list);

}  // namespace tileops::cuda
