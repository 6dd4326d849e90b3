// The operators, one row each, with their published definitions.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/selftest/reference.h"

namespace tileops::cli {
namespace {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
const Real kSqrt2 = std::sqrt(Real{2});
const Real kPi = std::acos(Real{-1});

Real sigmoid(Real x) { return 1 / (1 + std::exp(-x)); }
// 0 times infinity is a limit here, not a NaN: the factor tends to 0 faster.
Real gate(Real x, Real factor) { return std::isinf(x) && x < 0 ? -0.0L : x * factor; }
Real silu(Real x) { return gate(x, sigmoid(x)); }
Real gelu(Real x) { return gate(x, std::erfc(-x / kSqrt2) / 2); }
// 0.5 x (1 + tanh(u)) = x sigmoid(2u), which does not cancel.
Real gelu_tanh(Real x) { return gate(x, sigmoid(2 * std::sqrt(2 / kPi) * (x + 0.044715L * x * x * x))); }
Real sinc(Real x) {
  if (x == 0 || std::isinf(x)) return x == 0 ? 1 : 0;
  const Real r = std::remainder(x, 2.0L), near = std::fabs(r) > 0.5L ? std::copysign(1.0L, r) - r : r;
  return near == 0 ? 0 : std::sin(kPi * near) / (kPi * x);
}
// By Newton's method from the left, where erf is concave.
Real erfinv(Real x) {
  const Real a = std::fabs(x);
  if (!(a < 1)) return a == 1 ? x / 0.0L : kNan;
  Real y = a < 0.75L ? a * 0.886L : std::sqrt(-std::log(1 - a)) - 0.6L;
  for (int step = 0; step < 12; ++step)
    y += (a < 0.5L ? a - std::erf(y) : std::erfc(y) - (1 - a)) * std::exp(y * y) * std::sqrt(kPi) / 2;
  return std::copysign(y, x);
}
Real clamp(Real x, Real lo, Real hi) { return x < lo ? lo : x > hi ? hi : x; }

Real maximum(Real a, Real b) {
  if (std::isnan(a) || std::isnan(b)) return kNan;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
Real minimum(Real a, Real b) {
  if (std::isnan(a) || std::isnan(b)) return kNan;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

Real remainder(Real a, Real b) {
  const Real r = std::fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

// The quotient's floor is exact where PyTorch's steps are; a quotient that has more digits than
// the compute type is not compared.
Cell floor_divide(Real a, Real b, DLDataType compute) {
  if (std::isnan(a) || std::isnan(b)) return {kNan};
  if (b == 0) return {a / b};
  if (std::isinf(a)) return {kNan};
  if (std::isinf(b)) return {a == 0 || (a < 0) == (b < 0) ? std::copysign(0.0L, a / b) : -1.0L};
  const Real r = std::fmod(a, b);
  Real q = (a - r) / b;
  if (r != 0 && (r < 0) != (b < 0)) q -= 1;
  q = std::nearbyint(q);
  const Real limit = compute == kF64 ? 0x1p50L : 0x1p21L;
  return {q == 0 ? std::copysign(0.0L, a / b) : q, 0, std::fabs(q) > limit};
}

Cell div(const Element& e, const Problem& p) {
  const Real a = e.x[0], b = e.x[1], q = a / b;
  const int64_t rounding = p.attrs.integer("rounding");
  if (rounding == 0) return {q};
  if (rounding == 2) return floor_divide(a, b, p.compute);
  // a/b is rounded before it is truncated: next to an integer either is right.
  const Real near = std::fabs(q - std::nearbyint(q));
  return {std::trunc(q), 0, near != 0 && near < std::fabs(q) * 1e-6L};
}

// The low 128 bits: two unsigned 64-bit factors may exceed the signed range.
Wide wrapping_product(Wide a, Wide b) {
  __extension__ using Unsigned = unsigned __int128;
  return static_cast<Wide>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
}

Wide floor_div(Wide a, Wide b) {
  if (b == 0) return 0;
  const Wide q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

Wide int_pow(Wide a, Wide b) {
  if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
  uint64_t result = 1, base = static_cast<uint64_t>(a);
  for (auto n = static_cast<uint64_t>(b); n != 0; n >>= 1, base *= base) {
    if (n & 1) result *= base;
  }
  return static_cast<Wide>(result);
}

Cell round(const Element& e, const Problem& p) {
  const int64_t decimals = p.attrs.integer("decimals");
  if (decimals == 0 || !is_float(p.promoted) || !std::isfinite(e.x[0])) {
    return {std::nearbyint(e.x[0])};
  }
  const Real power = std::pow(Real{10}, static_cast<Real>(decimals < 0 ? -decimals : decimals));
  const Real scaled = decimals > 0 ? e.x[0] * power : e.x[0] / power;
  // The product is rounded in the compute type first, which decides near-ties.
  const Real fraction = std::fabs(scaled - std::trunc(scaled));
  const Real y = std::nearbyint(scaled);
  return {decimals > 0 ? y / power : y * power, 0, std::fabs(fraction - 0.5L) < 1e-4L || std::fabs(scaled) > 0x1p20L};
}

Cell lerp(const Element& e, const Problem& p) {
  const Real a = e.x[0], b = e.x[1], w = e.has[2] ? e.x[2] : p.attrs.num("weight");
  const Real y = std::fabs(w) < 0.5L ? a + w * (b - a) : b - (b - a) * (1 - w);
  const Real term = (b - a) * (std::fabs(w) < 0.5L ? w : 1 - w);
  return {y, std::max(std::max(std::fabs(a), std::fabs(b)), std::fabs(term)), false, true};
}

Cell clamp_op(const Element& e, const Problem& p) {
  Real y = e.x[0];
  if (e.has[1] || p.attrs.has("min")) y = maximum(y, e.has[1] ? e.x[1] : p.attrs.num("min"));
  if (e.has[2] || p.attrs.has("max")) y = minimum(y, e.has[2] ? e.x[2] : p.attrs.num("max"));
  return {y, 0, false, true};
}

// The neighbour of a in the operands' dtype.
Cell nextafter(const Element& e, const Problem& p) {
  const Real a = e.x[0], b = e.x[1];
  if (std::isnan(a) || std::isnan(b)) return {kNan};
  if (a == b) return {b};
  struct Format {
    int digits, least_exponent;
  };
  const Format f = p.promoted == kE4M3   ? Format{4, -6}
                   : p.promoted == kE5M2 ? Format{3, -14}
                   : p.promoted == kF16  ? Format{11, -14}
                   : p.promoted == kBF16 ? Format{8, -126}
                   : p.promoted == kF32  ? Format{24, -126}
                                         : Format{53, -1022};
  if (std::isinf(a)) return {0, 0, true};
  int exponent = a == 0 ? f.least_exponent : std::max(std::ilogb(a), f.least_exponent);
  const bool shrinks = (b < a) == (a > 0);
  if (shrinks && std::fabs(a) == std::ldexp(Real{1}, exponent) && exponent > f.least_exponent) --exponent;
  const Real y = a + std::copysign(std::ldexp(Real{1}, exponent - f.digits + 1), b - a);
  return {y == 0 ? std::copysign(0.0L, a) : y};
}

Cell nan_to_num(const Element& e, const Problem& p) {
  const Real x = e.x[0];
  if (!is_float(p.promoted) || std::isfinite(x)) return {x};
  if (std::isnan(x)) return {p.attrs.num("nan")};
  // The largest finite value is what comes just before overflow.
  const Real finite = p.promoted == kE4M3   ? 448
                      : p.promoted == kE5M2 ? 57344
                      : p.promoted == kF16  ? 65504
                      : p.promoted == kBF16 ? 0x1.fep127L
                      : p.promoted == kF32  ? std::numeric_limits<float>::max()
                                            : std::numeric_limits<double>::max();
  const std::string name = x > 0 ? "posinf" : "neginf";
  return {p.attrs.has(name) ? p.attrs.num(name) : std::copysign(finite, x)};
}

Cell cast(const Element& e, const Problem& p) {
  const Real x = e.x[0];
  if (is_float(p.result) || p.result == kBool) return {x};
  if (!is_float(p.inputs[0]->dtype)) return {x};  // expected() wraps
  if (std::isnan(x)) return {0};
  return {std::trunc(clamp(x, int_min(p.result), int_max(p.result)))};
}

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

Cell add_scaled(const Element& e, const Problem& p, Real sign) {
  const Real b = sign * p.attrs.num("alpha") * e.x[1];
  return {e.x[0] + b, p.attrs.num("alpha") == 1 ? 0 : std::fabs(b)};
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
      Row{"copysign", {0, -100, 100, F2(std::copysign(a, b))}},
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
      Row{"tanhshrink", {2, -10, 10, F1(std::fabs(x) < 0x1p-8L ? x * x * x * (1 / 3.0L - x * x * (2 / 15.0L - x * x * (17 / 315.0L))) : x - std::tanh(x))}},
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

const Reference* find_reference(const std::string& name) {
  const auto it = table().find(name);
  return it == table().end() ? nullptr : &it->second;
}

}  // namespace tileops::cli
