// round to decimal places is the correctly rounded result, half to even, for all that the attribute may be; what it
// may not be is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "cases.h"
#include "runner.h"

namespace optest {
namespace {

Call RoundCall(Dt t, int decimals, Array x) {
  Call call;
  call.row = &RowOf("round");
  call.attrs = Attrs{{"decimals", decimals}};
  call.outputs = {Array{true, t, x.shape, {}}};
  call.inputs = {std::move(x)};
  return call;
}

// Next to ties and far from them, of every magnitude.
Array Operands(Dt t, int decimals, int64_t n) {
  Array x{true, t, {n}, {}};
  uint64_t state = 5;
  for (int64_t i = 0; i < n; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const uint64_t r = state >> 11;
    if (i % 3 == 0) {  // any bits
      x.bits.push_back(t == Dt::kF64 ? r << 11 | r >> 42 : state >> (64 - 8 * Info(t).size));
      continue;
    }
    const double k = static_cast<double>(r >> (20 + r % 30)) + (i % 3 == 1 ? 0.5 : 0.0);
    x.bits.push_back(Encode(Num::Float((r & 1 ? k : -k) * std::pow(10.0, -decimals)), t));
  }
  return x;
}

TEST(RoundDecimals, CorrectlyRounded) {
  for (Dt t : {Dt::kF32, Dt::kF64, Dt::kF16, Dt::kBF16}) {
    const int most = t == Dt::kF64 ? 22 : 10;
    for (int decimals = -most; decimals <= most; ++decimals) {
      const Call call = RoundCall(t, decimals, Operands(t, decimals, Scaled(3000)));
      const Expected want = Reference(call)[0];
      for (const Target& target : Targets()) {
        const auto got = Execute(target, call, Placement{});
        ASSERT_FALSE(got.empty());
        int wrong = 0;
        for (size_t i = 0; i < got[0].size(); ++i) {
          if (got[0][i] == want.elements[i].bits) continue;
          if (IsNanBits(t, got[0][i]) && IsNanBits(t, want.elements[i].bits)) continue;
          if (++wrong > 1) continue;
          ADD_FAILURE() << target.name << " " << decimals << " places of " << ToString(t, call.inputs[0].bits[i])
                        << ": " << ToString(t, got[0][i]) << ", want " << ToString(t, want.elements[i].bits);
        }
      }
    }
  }
}

TEST(RoundDecimals, RefusesPowersOfTenThatAreNotExact) {
  const int64_t shape[] = {4};
  for (Dt t : {Dt::kF32, Dt::kF64, Dt::kF16, Dt::kE5M2}) {
    const int most = t == Dt::kF64 ? 22 : 10;
    for (int decimals : {most + 1, -most - 1, most, -most}) {
      const tileops_tensor_desc tensor{Info(t).dl, 1, shape, nullptr};
      const std::vector<tileops_attr> attrs = ToC({{"decimals", decimals}});
      tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
      desc.op = TILEOPS_OP_ROUND;
      desc.device = Targets()[0].device;
      desc.inputs = desc.outputs = &tensor;
      desc.num_inputs = desc.num_outputs = 1;
      desc.attrs = attrs.data();
      desc.num_attrs = 1;
      const bool fits = std::abs(decimals) <= most;
      EXPECT_EQ(tileops_plan_check(Targets()[0].context, &desc),
                fits ? TILEOPS_STATUS_OK : TILEOPS_STATUS_INVALID_ARGUMENT)
          << Info(t).name << " " << decimals << ": " << tileops_last_error();
    }
  }
}

}  // namespace
}  // namespace optest
