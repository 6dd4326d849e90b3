// Results beside the middle of two numbers of the output, too near to it for a double: hypot(1.0625, 2^-90) as fp8 is
// 1.125, and the 1.0625 in between must not be taken for the exact value.
#include <gtest/gtest.h>

#include <cmath>

#include "cases.h"
#include "reference_position.h"
#include "runner.h"

namespace optest {
namespace {

// The middles of neighbours of a dtype, some hundred from the least to the largest.
std::vector<double> Middles(Dt dtype) {
  const uint64_t largest = Encode(Num::Float(MaxFinite(dtype)), dtype);
  std::vector<double> middles;
  for (uint64_t code = 0; code < largest; code += code < 16 ? 1 : 1 + largest / 200)
    middles.push_back((Decode(dtype, code).d + Decode(dtype, code + 1).d) / 2);
  return middles;
}

TEST(Ties, OfExactValuesNextToThem) {
  const double partners[] = {1, 2, 4, 0x1p-20, 0x1p-90, -0x1p-90, -200, 0x1p60, 0, -1};
  for (const OpRow& row : OpRows()) {
    if (row.rule != "map" || !row.floats || row.BoolResult() || row.inputs.size() > 2 || row.outputs.size() != 1)
      continue;
    for (const Dt operand : {Dt::kBF16, Dt::kF16})
      for (const Dt out : {Dt::kE4M3, Dt::kE5M2, Dt::kF16, Dt::kBF16}) {
        std::vector<uint64_t> a, b;
        for (const double middle : Middles(out))
          for (const double partner : partners)
            for (const double times : {1.0, -1.0, partner}) {
              a.push_back(Encode(Num::Float(middle * times), operand));
              b.push_back(Encode(Num::Float(partner), operand));
            }
        const std::vector<int64_t> shape = {static_cast<int64_t>(a.size())};
        Call call;
        call.row = &row;
        call.inputs = {Array{true, operand, shape, a}};
        if (row.inputs.size() == 2) call.inputs.push_back(Array{true, operand, shape, b});
        call.outputs = {Array{true, out, shape, {}}};
        Check(call, Placement{});
      }
  }
}

}  // namespace
}  // namespace optest
