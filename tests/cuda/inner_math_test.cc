// The formulas of values inside expressions (device/cuda/math/within_2_20_math.h) on the host: instructions of the
// special function unit are off by as much as PTX allows, in each direction, and results compared with float64.
#define TILEOPS_DEVICE_CUDA_COMMON_APPROXIMATIONS_H  // instead of the instructions

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "tileops/device/convert.h"
#include "tileops/device/math/common/scalar_lanes.h"

#define __device__
#define __forceinline__ inline
inline float __fmul_rn(float a, float b) { return a * b; }

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace approx {

// The errors of ex2, rcp and the others, as parts of what PTX allows.
double exp2_error, rcp_error;

inline float off(double exact, double error) { return static_cast<float>(exact * (1.0 + error)); }
inline float flushed(float y) { return std::abs(y) < 0x1p-126f ? std::copysign(0.0f, y) : y; }
inline float exp2_ftz(float x) { return flushed(off(std::exp2(static_cast<double>(x)), exp2_error * 0x1p-22)); }
inline float rcp_ftz(float x) { return flushed(off(1.0 / static_cast<double>(x), rcp_error * 0x1p-23)); }
float log2_ftz(float x);  // of other forms, which are not tried here
inline float abs(float x) { return std::fabs(x); }
inline float max_nan(float a, float b) { return a != a || a > b || (a == b && !std::signbit(a)) ? a : b; }
inline float min_nan(float a, float b) { return a != a || a < b ? a : b; }
inline float if_above(float a, float b, float yes, float no) { return a > b ? yes : no; }
constexpr float kLog2e = 0x1.715476p+0f;
constexpr float kLn2 = 0x1.62e43p-1f;

}  // namespace approx
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#include "tileops/device/cuda/math/fast_math.h"
#include "tileops/device/cuda/math/within_2_20_math.h"

namespace tileops {
namespace device_detail {
namespace {

double exact_sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double exact_gelu(double x) { return x * 0.5 * std::erfc(-x * M_SQRT1_2); }
double exact_gelu_tanh(double x) { return x * exact_sigmoid(2.0 * std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x)); }

// The largest error of f at every n-th float32, finite ones and both infinities; NaN must stay NaN.
template <class F, class Exact>
void check(const char* name, F f, Exact exact) {
  double most = 0.0;
  float where = 0.0f;
  for (const double direction : {-1.0, 0.0, 1.0}) {
    for (const double other : {-1.0, 1.0}) {
      approx::exp2_error = direction;
      approx::rcp_error = other;
      const auto look = [&](u32 bits) {
        const float x = from_bits(bits);
        const double want = exact(static_cast<double>(x)), got = f(x);
        if (want != want || std::abs(want) > 0x1.fffffep+127) return;  // of infinities: below
        const double error = std::abs(got - want) / (std::abs(want) + 0x1p-98);
        if (!(error <= most)) most = error, where = x;
      };
      for (u64 bits = 0; bits < 0x100000000u; bits += 20011) look(static_cast<u32>(bits));
      // Where they matter, closer.
      for (u64 bits = 0x3c000000u; bits < 0x42e00000u; bits += 1009)
        look(static_cast<u32>(bits)), look(static_cast<u32>(bits | 0x80000000u));
    }
  }
  EXPECT_LE(most, 0x1p-20) << name << " at " << where << ", 2^" << std::log2(most);
  std::printf("%-10s 2^%.2f at %.9g\n", name, std::log2(most), static_cast<double>(where));
  approx::exp2_error = approx::rcp_error = 0.0;
  const float nan = limits<float>::nan();
  EXPECT_NE(f(nan), f(nan)) << name;
}

TEST(InnerMath, Exp) {
  check("exp", [](float x) { return within_2_20_math::exp(x); }, [](double x) { return std::exp(x); });
  EXPECT_EQ(within_2_20_math::exp(limits<float>::inf()), limits<float>::inf());
  EXPECT_EQ(within_2_20_math::exp(-limits<float>::inf()), 0.0f);
}

TEST(InnerMath, Sigmoid) {
  check("sigmoid", [](float x) { return within_2_20_math::sigmoid(x); }, exact_sigmoid);
  EXPECT_EQ(within_2_20_math::sigmoid(limits<float>::inf()), 1.0f);
  EXPECT_EQ(within_2_20_math::sigmoid(-limits<float>::inf()), 0.0f);
}

template <class F>
void goes_to_zero_and_infinity(F f) {
  EXPECT_EQ(f(limits<float>::inf()), limits<float>::inf());
  EXPECT_EQ(to_bits(f(-limits<float>::inf())), 0x80000000u);
  EXPECT_EQ(to_bits(f(-0.0f)), 0x80000000u);
  EXPECT_EQ(to_bits(f(0.0f)), 0u);
}

TEST(InnerMath, Silu) {
  check("silu", [](float x) { return within_2_20_math::silu(x); }, [](double x) { return x * exact_sigmoid(x); });
  goes_to_zero_and_infinity([](float x) { return within_2_20_math::silu(x); });
}

TEST(InnerMath, Gelu) {
  check("gelu", [](float x) { return within_2_20_math::gelu(x); }, exact_gelu);
  goes_to_zero_and_infinity([](float x) { return within_2_20_math::gelu(x); });
}

TEST(InnerMath, GeluTanh) {
  check("gelu_tanh", [](float x) { return within_2_20_math::gelu_tanh(x); }, exact_gelu_tanh);
  goes_to_zero_and_infinity([](float x) { return within_2_20_math::gelu_tanh(x); });
}

TEST(InnerMath, Tanh) {
  check("tanh", [](float x) { return within_2_20_math::tanh(x); }, [](double x) { return std::tanh(x); });
  EXPECT_EQ(within_2_20_math::tanh(limits<float>::inf()), 1.0f);
  EXPECT_EQ(to_bits(within_2_20_math::tanh(-0.0f)), 0x80000000u);
}

// Pairs: gates where the activation is one, and where it vanishes beside the largest values, and of every size;
// values of every size. Within 2^-20, or 2^-118 where that is more.
template <class F, class Exact>
void check_gated(const char* name, F f, Exact activation) {
  std::vector<float> gates, values;
  for (float g = -185.0f; g < 40.0f; g += 0.0371f) gates.push_back(g);
  for (float g = -20.0f; g < 12.0f; g += 0.00713f) gates.push_back(g);
  for (int e = -149; e < 128; ++e)
    for (const float m : {1.0f, -1.0f, 1.37f, -1.73f})
      gates.push_back(std::ldexp(m, e)), values.push_back(std::ldexp(m, e));
  for (const float v : {0.0f, -0.0f, 1.0f, 0x1.fffffep-1f, 0x1.000002p0f, 0x1.fffffep+127f, -0x1.fffffep+127f})
    values.push_back(v);
  double most = 0.0;
  float gate_of_most = 0.0f, value_of_most = 0.0f;
  for (const double direction : {-1.0, 0.0, 1.0}) {
    for (const double other : {-1.0, 1.0}) {
      approx::exp2_error = direction;
      approx::rcp_error = other;
      for (const float g : gates) {
        const double a = activation(static_cast<double>(g));
        for (const float v : values) {
          const double want = a * static_cast<double>(v), got = static_cast<double>(f(g, v));
          if (std::abs(want) > 0x1.ffffep+127) continue;  // about to be infinite
          const double error = std::abs(got - want) / std::fmax(std::abs(want), 0x1p-98);
          if (!(error <= most)) most = error, gate_of_most = g, value_of_most = v;
        }
      }
    }
  }
  EXPECT_LE(most, 0x1p-20) << name << " of " << gate_of_most << " and " << value_of_most << ", 2^" << std::log2(most);
  std::printf("%-17s 2^%.2f at %.9g, %.9g\n", name, std::log2(most), static_cast<double>(gate_of_most),
              static_cast<double>(value_of_most));
  approx::exp2_error = approx::rcp_error = 0.0;
  const float inf = limits<float>::inf(), nan = limits<float>::nan();
  const auto is_nan = [](float x) { return x != x; };
  EXPECT_TRUE(is_nan(f(nan, 1.0f)) && is_nan(f(nan, 100.0f)) && is_nan(f(1.0f, nan)) && is_nan(f(-100.0f, nan)))
      << name;
  EXPECT_TRUE(is_nan(f(0.0f, inf)) && is_nan(f(inf, 0.0f))) << name;
  for (const float g : {0x1p-149f, 0.5f, 50.0f, 0x1.fffffep+127f, inf}) {
    EXPECT_EQ(f(g, inf), inf) << name << " of " << g;
    EXPECT_EQ(f(g, -inf), -inf) << name << " of " << g;
  }
  for (const float g : {-0x1p-149f, -0.5f, -50.0f, -0x1.fffffep+127f})
    EXPECT_EQ(f(g, inf), -inf) << name << " of " << g;
  for (const float v : {0x1p-149f, 0.5f, 50.0f}) EXPECT_EQ(f(inf, v), inf) << name << " beside " << v;
  EXPECT_EQ(to_bits(f(-inf, 1.0f)), 0x80000000u) << name;
  EXPECT_EQ(to_bits(f(-0.0f, 100.0f)), 0x80000000u) << name;
  EXPECT_EQ(to_bits(f(0.0f, -0.5f)), 0x80000000u) << name;
}

TEST(InnerMath, SiluAndMul) {
  check_gated(
      "silu_and_mul", [](float g, float v) { return within_2_20_math::silu_and_mul(g, v); },
      [](double x) { return x * exact_sigmoid(x); });
}
TEST(InnerMath, GeluAndMul) {
  check_gated("gelu_and_mul", [](float g, float v) { return within_2_20_math::gelu_and_mul(g, v); }, exact_gelu);
}
TEST(InnerMath, GeluTanhAndMul) {
  check_gated(
      "gelu_tanh_and_mul", [](float g, float v) { return within_2_20_math::gelu_tanh_and_mul(g, v); }, exact_gelu_tanh);
}

// These two up to 2^17, from where on the portable forms compute them.
template <class F>
auto of_half_turns(F f) {
  return [f](float x) { return std::abs(x) <= 0x1p17f ? f(x) : limits<float>::nan(); };
}
template <class Exact>
auto up_to_half_turns(Exact exact) {
  return [exact](double x) { return std::abs(x) <= 0x1p17 ? exact(x) : static_cast<double>(limits<float>::nan()); };
}

TEST(InnerMath, Sin) {
  check("sin", of_half_turns(approx::sin_form<bf16>), up_to_half_turns([](double x) { return std::sin(x); }));
  EXPECT_EQ(to_bits(approx::sin_form<bf16>(-0.0f)), 0x80000000u);
}

TEST(InnerMath, Cos) {
  check("cos", of_half_turns(approx::cos_form<bf16>), up_to_half_turns([](double x) { return std::cos(x); }));
  EXPECT_EQ(approx::cos_form<bf16>(0.0f), 1.0f);
}

}  // namespace
}  // namespace device_detail
}  // namespace tileops
