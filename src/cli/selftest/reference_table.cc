// The operators, one row each, with their published definitions.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/selftest/reference_functions.h"

namespace tileops::cli {
namespace reference {
namespace {

#define F1(expression)                           \
  [](const Element& e, const Problem&) -> Cell { \
    const Real x = e.x[0];                       \
    return {static_cast<Real>(expression)};      \
  }
#define F2(expression)                           \
  [](const Element& e, const Problem&) -> Cell { \
    const Real a = e.x[0], b = e.x[1];           \
    return {static_cast<Real>(expression)};      \
  }
#define I2(expression)                                       \
  [](const std::array<Wide, 4>& x, const Problem&) -> Wide { \
    const Wide a = x[0], b = x[1];                           \
    return expression;                                       \
  }
#define ROPE(variant) [](const Problem& p) { return rope_reference(p, variant); }
#define GATED(f)                                                                                     \
  [](const Problem& p) {                                                                             \
    return gated_reference(p, [](const Element& e, const Problem&) -> Cell { return {f(e.x[0])}; }); \
  }

using Row = std::pair<const char* const, Reference>;
const std::map<std::string, Reference>& table() {
  static const std::map<std::string, Reference> table = {
      // unary_math
      Row{"exp", {1, -10, 10, F1(std::exp(x))}},
      Row{"log", {1, 0, 100, F1(x < 0 ? kNan : std::log(x))}},
      Row{"sqrt", {0, 0, 100, F1(x < 0 ? kNan : std::sqrt(x))}},
      Row{"rsqrt", {1, 0, 100, F1(x < 0 ? kNan : 1 / std::sqrt(x))}},
      Row{"reciprocal", {0, -10, 10, F1(1 / x)}},
      Row{"sin", {1, -10, 10, F1(std::sin(x))}},
      Row{"cos", {1, -10, 10, F1(std::cos(x))}},
      Row{"erf", {1, -4, 4, F1(std::erf(x))}},
      Row{"log1p", {1, -1, 100, F1(x < -1 ? kNan : std::log1p(x))}},
      Row{"expm1", {1, -10, 10, F1(std::expm1(x))}},
      Row{"abs", {0, -100, 100, F1(std::fabs(x))}},
      Row{"neg", {0, -100, 100, F1(-x)}},
      Row{"sign", {0, -2, 2, F1(x > 0 ? 1 : x < 0 ? -1 : 0)}},
      Row{"floor", {0, -100, 100, F1(std::floor(x))}},
      Row{"ceil", {0, -100, 100, F1(std::ceil(x))}},
      Row{"trunc", {0, -100, 100, F1(std::trunc(x))}},
      Row{"round", {1, -100, 100, round}},
      Row{"tan", {1, -10, 10, F1(std::tan(x))}},
      Row{"asin", {1, -1, 1, F1(std::fabs(x) > 1 ? kNan : std::asin(x))}},
      Row{"acos", {1, -1, 1, F1(std::fabs(x) > 1 ? kNan : std::acos(x))}},
      Row{"atan", {1, -10, 10, F1(std::atan(x))}},
      Row{"sinh", {1, -10, 10, F1(std::sinh(x))}},
      Row{"cosh", {1, -10, 10, F1(std::cosh(x))}},
      Row{"asinh", {1, -100, 100, F1(std::asinh(x))}},
      Row{"acosh", {1, 1, 100, F1(x < 1 ? kNan : std::acosh(x))}},
      Row{"atanh", {1, -1, 1, F1(std::fabs(x) > 1 ? kNan : std::atanh(x))}},
      Row{"exp2", {1, -10, 10, F1(std::exp2(x))}},
      Row{"log2", {1, 0, 100, F1(x < 0 ? kNan : std::log2(x))}},
      Row{"log10", {1, 0, 100, F1(x < 0 ? kNan : std::log10(x))}},
      Row{"cbrt", {1, -100, 100, F1(std::cbrt(x))}},
      Row{"sinc", {2, -10, 10, F1(sinc(x))}},
      Row{"erfc", {1, -4, 4, F1(std::erfc(x))}},
      Row{"erfinv", {2, -1, 1, F1(erfinv(x))}},
      Row{"lgamma", {3, 0, 10, F1(std::lgamma(x))}},
      // binary_arith
      Row{"add", {0, -100, 100,
                  [](const Element& e, const Problem& p) { return add_scaled(e, p, 1); },
                  [](const std::array<Wide, 4>& x, const Problem& p) -> Wide {
                    return x[0] + wrapping_product(static_cast<Wide>(p.attrs.num("alpha")), x[1]);
                  }}},
      Row{"sub", {0, -100, 100,
                  [](const Element& e, const Problem& p) { return add_scaled(e, p, -1); },
                  [](const std::array<Wide, 4>& x, const Problem& p) -> Wide {
                    return x[0] - wrapping_product(static_cast<Wide>(p.attrs.num("alpha")), x[1]);
                  }}},
      Row{"mul", {0, -100, 100, F2(a * b), I2(wrapping_product(a, b))}},
      Row{"div", {0, -100, 100, div,
                  [](const std::array<Wide, 4>& x, const Problem& p) -> Wide {
                    if (p.attrs.integer("rounding") == 2) return floor_div(x[0], x[1]);
                    return x[1] == 0 ? 0 : x[0] / x[1];
                  }}},
      Row{"remainder", {0, -100, 100, F2(remainder(a, b)),
                        I2(b == 0 ? 0 : a - floor_div(a, b) * b)}},
      Row{"floor_divide", {0, -100, 100,
                           [](const Element& e, const Problem& p) {
                             return floor_divide(e.x[0], e.x[1], p.compute);
                           }, I2(floor_div(a, b))}},
      Row{"pow", {2, 0, 10,
                  [](const Element& e, const Problem& p) -> Cell {
                    return {std::pow(e.x[0], e.has[1] ? e.x[1] : p.attrs.num("exponent"))};
                  },
                  [](const std::array<Wide, 4>& x, const Problem& p) -> Wide {
                    const bool attr = p.attrs.has("exponent");
                    return int_pow(x[0], attr ? static_cast<Wide>(p.attrs.num("exponent")) : x[1]);
                  }}},
      Row{"lerp", {2, -10, 10, lerp}},
      Row{"atan2", {1, -10, 10, F2(std::atan2(a, b))}},
      Row{"hypot", {1, -100, 100, F2(std::hypot(a, b))}},
      Row{"fmod", {0, -100, 100, F2(std::fmod(a, b)), I2(b == 0 ? 0 : a % b)}},
      Row{"copysign", {0, -100, 100, F2(std::copysign(a, std::isnan(b) ? 0 : b))}},
      Row{"nextafter", {0, -100, 100, nextafter}},
      Row{"logaddexp", {2, -10, 10, F2(a == b ? a + std::log(Real{2}) : maximum(a, b) + std::log1p(std::exp(-std::fabs(a - b))))}},
      Row{"maximum", {0, -100, 100, F2(maximum(a, b))}},
      Row{"minimum", {0, -100, 100, F2(minimum(a, b))}},
      // activation
      Row{"relu", {0, -10, 10, F1(std::isnan(x) ? x : x > 0 ? x : 0)}},
      Row{"gelu", {2, -10, 10,
                   [](const Element& e, const Problem& p) -> Cell {
                     return {p.attrs.integer("approximate") == 1 ? gelu_tanh(e.x[0]) : gelu(e.x[0])};
                   }}},
      Row{"silu", {2, -10, 10, F1(silu(x))}},
      Row{"sigmoid", {2, -10, 10, F1(sigmoid(x))}},
      Row{"tanh", {2, -10, 10, F1(std::tanh(x))}},
      Row{"leaky_relu", {1, -10, 10,
                         [](const Element& e, const Problem& p) -> Cell {
                           return {e.x[0] > 0 ? e.x[0] : p.attrs.num("negative_slope") * e.x[0]};
                         }}},
      Row{"elu", {2, -10, 10,
                  [](const Element& e, const Problem& p) -> Cell {
                    return {e.x[0] > 0 ? e.x[0] : p.attrs.num("alpha") * std::expm1(e.x[0])};
                  }}},
      Row{"selu", {2, -10, 10,
                   F1(1.0507009873554804934193349852946L *
                      (x > 0 ? x : 1.6732632423543772848170429916717L * std::expm1(x))),
                   nullptr}},
      Row{"hardswish", {2, -5, 5, F1(gate(x, clamp(x + 3, 0, 6) / 6))}},
      Row{"hardsigmoid", {2, -5, 5, F1(clamp(x + 3, 0, 6) / 6)}},
      Row{"hardtanh", {0, -2, 2,
                       [](const Element& e, const Problem& p) -> Cell {
                         return {clamp(e.x[0], p.attrs.num("min_val"), p.attrs.num("max_val"))};
                       }}},
      Row{"softplus", {2, -10, 10,
                       [](const Element& e, const Problem& p) -> Cell {
                         const Real bx = p.attrs.num("beta") * e.x[0];
                         if (bx > p.attrs.num("threshold")) return {e.x[0]};
                         return {std::log1p(std::exp(bx)) / p.attrs.num("beta")};
                       }}},
      Row{"mish", {2, -10, 10, F1(gate(x, std::tanh(std::log1p(std::exp(x)))))}},
      Row{"logsigmoid", {2, -10, 10, F1(x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x)))}},
      Row{"softsign", {2, -10, 10, F1(std::isinf(x) ? std::copysign(1.0L, x) : x / (1 + std::fabs(x)))}},
      Row{"celu", {2, -10, 10,
                   [](const Element& e, const Problem& p) -> Cell {
                     const Real alpha = p.attrs.num("alpha");
                     return {e.x[0] > 0 ? e.x[0] : alpha * std::expm1(e.x[0] / alpha)};
                   }}},
      Row{"tanhshrink", {2, -10, 10, F1(tanhshrink(x))}},
      Row{"prelu", {0, -10, 10, nullptr, nullptr, prelu_reference}},
      // fused_gated
      Row{"silu_and_mul", {3, -5, 5, nullptr, nullptr, GATED(silu)}},
      Row{"gelu_and_mul", {3, -5, 5, nullptr, nullptr, GATED(gelu)}},
      Row{"gelu_tanh_and_mul", {3, -5, 5, nullptr, nullptr, GATED(gelu_tanh)}},
      // comparison
      Row{"eq", {0, -3, 3, F2(a == b)}},
      Row{"ne", {0, -3, 3, F2(a != b)}},
      Row{"gt", {0, -3, 3, F2(a > b)}},
      Row{"lt", {0, -3, 3, F2(a < b)}},
      Row{"ge", {0, -3, 3, F2(a >= b)}},
      Row{"le", {0, -3, 3, F2(a <= b)}},
      // bitwise, logical
      Row{"bitwise_and", {0, -100, 100, nullptr, I2(a & b)}},
      Row{"bitwise_or", {0, -100, 100, nullptr, I2(a | b)}},
      Row{"bitwise_xor", {0, -100, 100, nullptr, I2(a ^ b)}},
      Row{"bitwise_not", {0, -100, 100, nullptr,
                          [](const std::array<Wide, 4>& x, const Problem& p) -> Wide {
                            return p.compute == kBool ? Wide{x[0] == 0} : ~x[0];
                          }}},
      Row{"bitwise_left_shift", {0, 0, 10, nullptr,
                                 [](const std::array<Wide, 4>& x, const Problem& p) -> Wide {
                                   return x[1] < 0 || x[1] >= p.compute.bits ? 0 : wrapping_product(x[0], Wide{1} << static_cast<int>(x[1]));
                                 }}},
      Row{"bitwise_right_shift", {0, 0, 10, nullptr,
                                  [](const std::array<Wide, 4>& x, const Problem& p) -> Wide {
                                    return x[0] >> (x[1] < 0 || x[1] >= p.compute.bits ? 100 : static_cast<int>(x[1]));
                                  }}},
      Row{"popcount", {0, -100, 100, nullptr,
                       [](const std::array<Wide, 4>& x, const Problem& p) -> Wide {
                         Wide bits = 0;
                         for (int i = 0; i < p.compute.bits; ++i) bits += (x[0] >> i) & 1;
                         return bits;
                       }}},
      Row{"logical_and", {0, -2, 2, F2(a != 0 && b != 0)}},
      Row{"logical_or", {0, -2, 2, F2(a != 0 || b != 0)}},
      Row{"logical_not", {0, -2, 2, F1(x == 0)}},
      // special
      Row{"where", {0, -100, 100,
                    [](const Element& e, const Problem&) -> Cell {
                      return {e.x[0] != 0 ? e.x[1] : e.x[2]};
                    }}},
      Row{"clamp", {0, -100, 100, clamp_op}},
      Row{"masked_fill", {0, -100, 100,
                          [](const Element& e, const Problem& p) -> Cell {
                            const Real value = e.has[2] ? e.x[2] : p.attrs.num("value");
                            return {e.x[1] != 0 ? value : e.x[0]};
                          }}},
      Row{"nan_to_num", {0, -100, 100, nan_to_num}},
      Row{"isnan", {0, -100, 100, F1(std::isnan(x))}},
      Row{"isinf", {0, -100, 100, F1(std::isinf(x))}},
      Row{"isfinite", {0, -100, 100, F1(std::isfinite(x))}},
      Row{"cast", {0, -100, 100, cast}},
      // values that depend on the position
      Row{"rope_neox", {3, -3, 3, nullptr, nullptr, ROPE("neox")}},
      Row{"rope_non_neox", {3, -3, 3, nullptr, nullptr, ROPE("non_neox")}},
      Row{"rope_llama31", {3, -3, 3, nullptr, nullptr, ROPE("llama31")}},
      Row{"rope_yarn", {3, -3, 3, nullptr, nullptr, ROPE("yarn")}},
      Row{"rope_longrope", {3, -3, 3, nullptr, nullptr, ROPE("longrope")}},
      Row{"dropout", {1, -10, 10, nullptr, nullptr, dropout_reference}},
      Row{"alibi", {2, -1, 1, nullptr, nullptr, alibi_reference}},
      Row{"sinusoidal", {1, -1, 1, nullptr, nullptr, sinusoidal_reference}},
  };
  return table;
}

}  // namespace
}  // namespace reference

const Reference* find_reference(const std::string& name) {
  const auto it = reference::table().find(name);
  return it == reference::table().end() ? nullptr : &it->second;
}

}  // namespace tileops::cli
