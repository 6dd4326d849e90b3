// Gated operators in registers, for gates and values of every size, with results in float64: under within_2_20 within
// 2^-20 or 2^-118, under bounded within 3 ulp.
#pragma once

#include <tileops/device/transform.h>

#include "gpu_test.h"

namespace examples {

template <template <class, class> class Op, class Policy>
struct gated {
  template <int N>
  __device__ void arrays(const float (&gate)[N], const float (&value)[N], float (&y)[N]) const {
    apply<Op, Policy>(gate, value, y);
  }
};

// The largest error of |got - want| over `unit(want)`.
template <class Unit>
void expect_within(const char* name, double most, const Float& gates, const Float& values,
                   const std::vector<float>& got, const std::vector<double>& activations, const Unit& unit) {
  double worst = 0;
  size_t at = 0;
  for (size_t i = 0; i < gates.size(); ++i)
    for (size_t j = 0; j < values.size(); ++j) {
      const double want = activations[i] * static_cast<double>(values[j]);
      if (!(std::fabs(want) < 0x1.fffffcp+127)) continue;  // about to be infinite
      const double error = std::fabs(static_cast<double>(got[i * values.size() + j]) - want) / unit(want);
      if (!(error <= worst)) worst = error, at = i * values.size() + j;
    }
  const bool ok = worst <= most;
  failures += !ok;
  std::printf("%s %s: %.3f of %g, most at a gate of %a and a value of %a\n", ok ? "ok" : "FAILED", name, worst, most,
              gates[at / values.size()], values[at % values.size()]);
}

template <template <class, class> class Op, class Activation>
void gated_operator(const std::string& name, const Activation& activation) {
  Float gates, values = {0.0f, -0.0f, 0x1.fffffep-1f, 1.0f, 0x1.000002p+0f, 0x1.fffffep+127f, -0x1.fffffep+127f};
  for (int e = -149; e < 128; ++e)
    for (const float m : {1.0f, -1.0f, 1.37f, -1.73f})
      gates.push_back(std::ldexp(m, e)), values.push_back(std::ldexp(m, e));
  for (float g = -185.0f; g < 40.0f; g += 0.11f) gates.push_back(g);
  for (float g = -20.0f; g < 12.0f; g += 0.0173f) gates.push_back(g);
  std::vector<double> activations;
  Float gate, value;
  for (const float g : gates) {
    activations.push_back(activation(static_cast<double>(g)));
    for (const float v : values) gate.push_back(g), value.push_back(v);
  }
  const Device<float> dgate(gate), dvalue(value), out(gate.size());
  const auto n = static_cast<long long>(gate.size());
  MUST(transform(nullptr, n, out.get(), gated<Op, within_2_20>{}, dgate.get(), dvalue.get()));
  expect_within((name + " under within_2_20, parts of 2^-20").c_str(), 1.0, gates, values, out.read(), activations,
                [](double want) { return std::fmax(std::fabs(want) * 0x1p-20, 0x1p-118); });
  MUST(transform(nullptr, n, out.get(), gated<Op, bounded>{}, dgate.get(), dvalue.get()));
  expect_within((name + " under bounded, ulp").c_str(), 3.0, gates, values, out.read(), activations, [](double want) {
    return std::ldexp(1.0, want == 0.0 ? -149 : std::max(std::ilogb(want) - 23, -149));
  });
}

inline void gated_operators() {
  const auto sigmoid = [](double x) { return 1.0 / (1.0 + std::exp(-x)); };
  gated_operator<op::silu_and_mul>("silu_and_mul", [=](double x) { return x * sigmoid(x); });
  gated_operator<op::gelu_and_mul>("gelu_and_mul", [](double x) { return 0.5 * x * std::erfc(-x * std::sqrt(0.5)); });
  gated_operator<op::gelu_tanh_and_mul>("gelu_tanh_and_mul", [=](double x) {
    return x * sigmoid(2.0 * std::sqrt(2.0 / 3.14159265358979323846) * (x + 0.044715 * x * x * x));
  });
}

}  // namespace examples
