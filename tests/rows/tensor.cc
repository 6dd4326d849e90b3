#include "tensor.h"

#include <cmath>
#include <limits>

namespace rowtest {
namespace {

namespace cli = tileops::cli;

// float4_e2m1fn: 0 .5 1 1.5 2 3 4 6, ties to the even code, saturating, NaN gives 0.
constexpr Real kFours[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

bool IsFour(Dtype dtype) { return tileops::dtype_to_dl(dtype).bits == 4; }

uint64_t FourOf(Real value) {
  if (std::isnan(value)) return 0;
  const Real a = std::fabs(value);
  uint64_t code = 0;
  while (code < 7) {
    const Real middle = (kFours[code] + kFours[code + 1]) / 2;
    if (a < middle || (a == middle && code % 2 == 0)) break;
    ++code;
  }
  return code | (std::signbit(value) ? 8 : 0);
}

// The power of two below a magnitude, or above it.
Real PowerBeside(Real value, bool up) {
  if (!std::isfinite(value)) return std::numeric_limits<Real>::quiet_NaN();
  int exponent = -127;
  if (value != 0) {
    const bool power = std::frexp(std::fabs(value), &exponent) == 0.5L;
    exponent -= !up || power;
  }
  if (exponent > 127) return up ? std::numeric_limits<Real>::quiet_NaN() : 0x1p127L;
  return std::ldexp(1.0L, exponent < -127 ? -127 : exponent);
}

}  // namespace

int64_t Count(const Shape& shape) {
  int64_t n = 1;
  for (int64_t e : shape) n *= e;
  return n;
}

Tensor Empty(Dtype dtype, const Shape& shape) {
  const size_t n = static_cast<size_t>(Count(shape));
  return {dtype, shape, std::vector<Real>(n), std::vector<Real>(n)};
}

Tensor Of(Dtype dtype, const Shape& shape, const std::vector<Real>& values) {
  return {dtype, shape, values, std::vector<Real>(values.size())};
}

size_t At(const Shape& shape, const Index& index) {
  int64_t at = 0;
  for (size_t d = 0; d < shape.size(); ++d) at = at * shape[d] + index[d];
  return static_cast<size_t>(at);
}

size_t BroadcastAt(const Shape& from, const Index& index, size_t rank) {
  int64_t at = 0;
  for (size_t d = 0; d < from.size(); ++d) at = at * from[d] + (from[d] == 1 ? 0 : index[rank - from.size() + d]);
  return static_cast<size_t>(at);
}

Real Rounded(Dtype dtype, Real value, int rounding, cli::Fp8Overflow overflow) {
  if (rounding != 0) return PowerBeside(value, rounding == TILEOPS_ROUNDING_UP);
  if (IsFour(dtype)) return Decode(dtype, FourOf(value));
  return cli::rounded(tileops::dtype_to_dl(dtype), value, overflow);
}

uint64_t Code(Dtype dtype, Real value) {
  if (IsFour(dtype)) return FourOf(value);
  uint64_t bits = 0;
  cli::encode(tileops::dtype_to_dl(dtype), value, &bits);
  return bits;
}

Real Decode(Dtype dtype, uint64_t code) {
  if (IsFour(dtype)) return (code & 8 ? -1 : 1) * kFours[code & 7];
  return cli::decode(tileops::dtype_to_dl(dtype), &code);
}

Real UlpOf(Dtype dtype, Real value) {
  if (IsFour(dtype)) return std::fabs(value) < 2 ? 0.5L : std::fabs(value) < 4 ? 1 : 2;
  return cli::ulp(tileops::dtype_to_dl(dtype), value);
}

Real Wrapped(Dtype dtype, Wide value) {
  if (dtype == Dtype::boolean) return value != 0;
  const int bits = tileops::dtype_to_dl(dtype).bits;
  Wide low = value & ((Wide{1} << bits) - 1);
  if (tileops::is_signed_integer(dtype) && (low >> (bits - 1)) != 0) low -= Wide{1} << bits;
  return static_cast<Real>(low);
}

Real InRange(Dtype compute, Real value) {
  const bool wide = compute == Dtype::f64;
  const Real most = wide ? 0x1.fffffffffffff8p1023L : 0x1.ffffffp127L, least = wide ? 0x1p-1075L : 0x1p-150L;
  const Real a = std::fabs(value);
  if (a >= most) return std::copysign(std::numeric_limits<Real>::infinity(), value);
  return a <= least ? std::copysign(0.0L, value) : value;
}

}  // namespace rowtest
