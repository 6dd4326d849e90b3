// Expressions as functions for CUDA code (tileops_plan_device_function): what the text has, and what is refused. That
// it compiles, and what it gives, is seen by tests/device.
#include <gtest/gtest.h>
#include <tileops/tileops.h>

#include <cstring>
#include <string>
#include <vector>

namespace tileops {
namespace {

constexpr DLDataType kF32{kDLFloat, 32, 1}, kBf16{kDLBfloat, 16, 1};

struct FunctionAsked {
  tileops_status status;
  std::string text;  // or the message
};

FunctionAsked ask_function(const char* text, const std::vector<DLDataType>& dtypes, std::vector<int64_t> shape,
                           const char* name = "f", uint32_t flags = 0) {
  tileops_expr* expr = nullptr;
  EXPECT_EQ(tileops_expr_parse(text, std::strlen(text), &expr), TILEOPS_STATUS_OK) << tileops_last_error();
  std::vector<tileops_tensor_desc> inputs;
  for (const DLDataType dtype : dtypes)
    inputs.push_back({dtype, static_cast<int32_t>(shape.size()), shape.data(), nullptr});
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = {kDLCUDA, 0};
  desc.expr = expr;
  desc.flags = flags;
  desc.num_inputs = static_cast<int32_t>(inputs.size());
  desc.inputs = inputs.data();
  size_t size = 0;
  FunctionAsked asked{tileops_plan_device_function(&desc, name, nullptr, &size), ""};
  if (asked.status == TILEOPS_STATUS_OK) {
    asked.text.resize(size);
    EXPECT_EQ(tileops_plan_device_function(&desc, name, asked.text.data(), &size), TILEOPS_STATUS_OK);
    asked.text.pop_back();
    size_t less = size - 1;
    EXPECT_EQ(tileops_plan_device_function(&desc, name, asked.text.data(), &less), TILEOPS_STATUS_BUFFER_TOO_SMALL);
  } else {
    asked.text = tileops_last_error();
  }
  tileops_expr_destroy(expr);
  return asked;
}

bool has(const FunctionAsked& asked, const char* part) { return asked.text.find(part) != std::string::npos; }

TEST(DeviceFunction, HasTheStepsOfThePlan) {
  const FunctionAsked epilogue = ask_function("(acc, bias) -> cast(gelu(acc + bias), e4m3fn)", {kF32, kF32}, {64},
                                              "epilogue");
  ASSERT_EQ(epilogue.status, TILEOPS_STATUS_OK) << epilogue.text;
  EXPECT_TRUE(has(epilogue, "__device__ __forceinline__ void epilogue(const float (&x0)[N], const float (&x1)[N], "
                            "tileops::device::packed<tileops::device::e4m3fn_sat, N>& y0) {"))
      << epilogue.text;
  EXPECT_TRUE(has(epilogue, "apply_body<op::gelu<within_2_20, float>>")) << epilogue.text;
  EXPECT_TRUE(has(epilogue, "#include <tileops/device/cuda.h>"));
  const FunctionAsked exact = ask_function("(x) -> gelu(x)", {kF32}, {64}, "f", TILEOPS_PLAN_REPRODUCIBLE);
  EXPECT_TRUE(has(exact, "op::gelu<bit_exact, float>")) << exact.text;
}

TEST(DeviceFunction, RowsAreOfLanes) {
  const FunctionAsked rms = ask_function("(x) -> x * rsqrt(mean(x * x) + 1e-6)", {kBf16}, {8, 256});
  ASSERT_EQ(rms.status, TILEOPS_STATUS_OK) << rms.text;
  EXPECT_TRUE(has(rms, "template <int N, int Lanes = 1, int Pack = N>")) << rms.text;
  EXPECT_TRUE(has(rms, "f: a row has 256 elements, which N Lanes must reach")) << rms.text;
}

TEST(DeviceFunction, RefusesWhatTakesMoreThanRegisters) {
  for (const char* text : {"(x) -> x + index(x, axis=-1)", "(x) -> cumsum(x)", "(x) -> sum(x, axis=-2)",
                           "(x) -> chunk(x, i=0, n=2) * chunk(x, i=1, n=2)", "(x; t = 2.0) -> x * exp(t)",
                           "(x) -> sum(x) * amax(x, axis=-2)"}) {
    const FunctionAsked asked = ask_function(text, {kF32}, {64, 64});
    EXPECT_EQ(asked.status, TILEOPS_STATUS_UNSUPPORTED) << text << ": " << asked.text;
    EXPECT_TRUE(has(asked, "expr")) << asked.text;
  }
  const FunctionAsked gathers = ask_function("(x) -> gather(x, index(x, -1), axis = -1)", {kF32}, {64, 64});
  EXPECT_EQ(gathers.status, TILEOPS_STATUS_UNSUPPORTED);
  EXPECT_TRUE(has(gathers, "gathers or scatters")) << gathers.text;
  const FunctionAsked masked = ask_function("(x) -> store_if(x * 2, x > 0)", {kF32}, {64, 64});
  EXPECT_EQ(masked.status, TILEOPS_STATUS_UNSUPPORTED);
  EXPECT_TRUE(has(masked, "under a mask, as store_if does")) << masked.text;
}

TEST(DeviceFunction, NamesWhatIsWrong) {
  for (const char* name : {"", "1f", "a b", "a-b"}) {
    const FunctionAsked asked = ask_function("(x) -> x + 1", {kF32}, {4}, name);
    EXPECT_EQ(asked.status, TILEOPS_STATUS_INVALID_ARGUMENT);
    EXPECT_TRUE(has(asked, "name")) << asked.text;
  }
  EXPECT_TRUE(has(ask_function("(x) -> x + 1", {kF32, kF32}, {4}), "num_inputs"));
  size_t size = 0;
  EXPECT_EQ(tileops_plan_device_function(nullptr, "f", nullptr, &size), TILEOPS_STATUS_INVALID_ARGUMENT);
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  EXPECT_EQ(tileops_plan_device_function(&desc, "f", nullptr, &size), TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_NE(std::string(tileops_last_error()).find("desc.expr"), std::string::npos);
  EXPECT_EQ(tileops_plan_device_function(&desc, nullptr, nullptr, &size), TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(tileops_plan_device_function(&desc, "f", nullptr, nullptr), TILEOPS_STATUS_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace tileops
