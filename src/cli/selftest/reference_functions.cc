#include "cli/selftest/reference_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tileops::cli::reference {
namespace {

const Real kSqrt2 = std::sqrt(Real{2});
const Real kPi = std::acos(Real{-1});

}  // namespace

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
// (x cosh(x) - sinh(x)) / cosh(x), whose terms 2k x^(2k+1) / (2k+1)! have one sign: nothing cancels near 0.
Real tanhshrink(Real x) {
  if (!(std::fabs(x) < 1)) return x - std::tanh(x);
  Real term = x, sum = 0;
  for (int k = 1; k < 12; ++k) {
    term *= x * x / (2 * k * (2 * k + 1));
    sum += 2 * k * term;
  }
  return x == 0 ? x : sum / std::cosh(x);
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

Cell add_scaled(const Element& e, const Problem& p, Real sign) {
  const Real b = sign * p.attrs.num("alpha") * e.x[1];
  return {e.x[0] + b, p.attrs.num("alpha") == 1 ? 0 : std::fabs(b)};
}

}  // namespace tileops::cli::reference
