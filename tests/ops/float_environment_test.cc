// What a program has set on its threads (rounding, traps, flushing of subnormal numbers) changes no result, raises no
// signal, and is the same after a call as before.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "cases.h"
#include "runner.h"

namespace optest {
namespace {

// Operators of many elements, so that worker threads compute some of them. Attributes that no plan had before make new
// plans, so that result tables are made and attributes are rounded in the environment under test.
struct Case {
  const char* op;
  std::vector<Dt> dtypes;
  Attrs attrs;
};
std::vector<Case> CasesWith(double change) {
  const std::vector<Dt> all = {Dt::kF32, Dt::kF64, Dt::kF16, Dt::kBF16, Dt::kE4M3, Dt::kE5M2};
  const std::vector<Dt> wide = {Dt::kF32, Dt::kF64};
  return {{"gelu", wide, {}},
          {"log", all, {}},
          {"rsqrt", all, {}},
          {"reciprocal", all, {}},
          {"div", all, {}},
          {"exp", wide, {}},
          {"add", all, {{"alpha", 0.1 + change}}},
          {"elu", all, {{"alpha", 0.3 + change}}},
          {"leaky_relu", wide, {{"negative_slope", 0.1 + change}}},
          {"round", all, {{"decimals", 1}}},
          {"lerp", all, {{"weight", 0.1 + change}}},
          {"cast", wide, {}},
          {"pow", wide, {}}};
}

using Results = std::vector<std::vector<uint64_t>>;

Results Compute(const std::vector<Call>& calls, const Target& target) {
  Results results;
  for (const Call& call : calls) {
    auto out = Execute(target, call, Placement{});
    results.push_back(out.empty() ? std::vector<uint64_t>{} : out[0]);
  }
  return results;
}

std::vector<Call> CallsWith(double change) {
  std::vector<Call> calls;
  for (const Case& c : CasesWith(change)) {
    for (Dt t : c.dtypes) {
      const OpRow& row = RowOf(c.op);
      const int64_t n = Scaled(1 << 17);
      const std::vector<bool> given = row.name == "pow" ? std::vector<bool>{true, true} : std::vector<bool>{};
      calls.push_back(MakeCall(row, {c.attrs, given}, {t}, {{n}}, 7));
      DefaultOutput(&calls.back());
      if (row.name == "cast") calls.back().outputs[0].dtype = Dt::kF16;
    }
  }
  return calls;
}

// Calls `set` after the expected results were computed. Attributes differ from one use to the next.
template <class Set, class Same>
void ExpectNothingChanges(double change, const Set& set, const Same& still_set) {
  if (Targets()[0].device.device_type != kDLCPU) GTEST_SKIP() << "is set on CPU threads";
  const std::vector<Call> calls = CallsWith(change);
  fenv_t usual;
  ASSERT_EQ(fegetenv(&usual), 0);
  for (const Target& target : Targets()) {
    set();
    const Results got = Compute(calls, target);  // first: plans and tables are made now
    const bool same = still_set();
    ASSERT_EQ(fesetenv(&usual), 0);
    EXPECT_TRUE(same) << target.name;
    // Results in the usual environment, from plans of a context of its own.
    tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
    const std::string isa = target.name.substr(target.name.find('/') + 1);
    options.cpu_isa = isa.c_str();
    Target fresh = target;
    ASSERT_EQ(tileops_context_create(&options, &fresh.context), TILEOPS_STATUS_OK) << tileops_last_error();
    const Results want = Compute(calls, fresh);
    tileops_context_destroy(fresh.context);
    for (size_t k = 0; k < calls.size(); ++k) {
      size_t wrong = 0;
      for (size_t i = 0; i < want[k].size(); ++i) wrong += got[k].size() != want[k].size() || got[k][i] != want[k][i];
      EXPECT_EQ(wrong, 0u) << target.name << " " << calls[k].row->name << " " << Info(calls[k].inputs[0].dtype).name;
    }
  }
}

TEST(FloatEnvironment, Rounding) {
  double change = 0.001;
  for (int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ExpectNothingChanges(change, [&] { ASSERT_EQ(fesetround(mode), 0); }, [&] { return fegetround() == mode; });
    change += 0.001;
  }
}

#if defined(__GLIBC__) && defined(__x86_64__)
TEST(FloatEnvironment, Traps) {
  constexpr int all = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT;
  // The tests' own arithmetic is of no consequence: it would raise the signals itself.
  if (Targets()[0].device.device_type != kDLCPU) GTEST_SKIP();
  const std::vector<Call> calls = CallsWith(0.01);
  for (const Target& target : Targets()) {
    for (const Call& call : calls) {
      std::vector<std::unique_ptr<Tensor>> tensors;
      std::vector<const DLTensor*> in;
      for (const Array& a : call.inputs) {
        tensors.push_back(std::make_unique<Tensor>(target, a, Layout::kDense));
        in.push_back(a.present ? tensors.back()->dl() : nullptr);
      }
      Tensor y(target, call.outputs[0], Layout::kDense);
      DLTensor* out[] = {y.dl()};
      const std::vector<tileops_attr> attrs = ToC(call.attrs);
      feclearexcept(FE_ALL_EXCEPT);
      feenableexcept(all);
      tileops_plan* plan = nullptr;
      tileops_status status = tileops_plan_create_like(target.context, call.row->op, in.data(), in.size(), out, 1,
                                                       attrs.data(), attrs.size(), &plan);
      if (status == TILEOPS_STATUS_OK) status = tileops_execute(plan, in.data(), in.size(), out, 1, nullptr);
      const int after = fegetexcept();
      fedisableexcept(all);
      tileops_plan_destroy(plan);
      EXPECT_EQ(status, TILEOPS_STATUS_OK) << tileops_last_error();
      EXPECT_EQ(after, all);
    }
  }
}
#endif

#if defined(__SSE2__)
TEST(FloatEnvironment, Flushing) {
  ExpectNothingChanges(
      0.02, [] { _mm_setcsr(_mm_getcsr() | 0x8040); }, [] { return (_mm_getcsr() & 0x8040) == 0x8040; });
}
#endif

}  // namespace
}  // namespace optest
