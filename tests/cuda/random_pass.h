// Random passes of several steps with their operands: the same for the same seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../common/passes.h"

namespace tileops::passes {

using Bytes = std::vector<uint8_t>;

struct RandomPass {
  struct Output {
    Dtype dtype = Dtype::f32;
    size_t bytes = 0;
    int in_place_of = -1;  // the input whose memory it is
  };

  Builder builder{{}};
  std::vector<Bytes> inputs;  // by slot; element 0 lies at the beginning
  std::vector<Output> outputs;
  std::vector<AttrValue> numbers;
  LaunchHint hint;

  Problem problem(uint32_t flags) const {
    Problem p = builder.problem(flags);
    p.hint = hint;
    return p;
  }
};

// Operators on values of all types, conversions, numbers, positions, several stores; operands that are dense,
// broadcast, strided, transposed, misaligned, or written to in place.
RandomPass random_pass(uint64_t seed);

// For messages: a line a load, step and store.
std::string describe(const Pass& pass);

// Expects the memory of results to be the same, but for which NaN a NaN is.
void expect_equal(const RandomPass& pass, const std::vector<Bytes>& got, const std::vector<Bytes>& want,
                  const std::string& what);

// A number as an element of a dtype.
void put_number(Dtype dtype, double number, uint8_t* to);

// Is this element, of so many bytes, a NaN of the dtype?
bool is_nan(Dtype dtype, const uint8_t* element);

}  // namespace tileops::passes
