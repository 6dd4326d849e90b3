#include "lower/frequencies.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace tileops {
namespace {

// long double: 64 bits of fraction on x86-64, 113 on AArch64. A relative error of 2^-63 in a
// frequency below one radian per position is below 2^-34 turn at position 2^31.
using Real = long double;
constexpr Real kTwoPi = 6.283185307179586476925286766559005768L;

uint64_t to_turns(Real frequency) {
  Real turns = frequency / kTwoPi;
  turns -= std::floor(turns);
  const Real scaled = std::ldexp(turns, 64) + 0.5L;
  return scaled >= 0x1p64L ? 0 : static_cast<uint64_t>(scaled);
}

Real plain(Real base, int64_t i, int64_t dim) {
  return std::exp2(-2.0L * static_cast<Real>(i) / static_cast<Real>(dim) * std::log2(base));
}

// Llama 3.1: long wavelengths are scaled, short ones kept, those between interpolated.
Real llama31(const Call& r, Real f) {
  const Real scale = r.number(TILEOPS_ATTR_SCALE_FACTOR);
  const Real low = r.number(TILEOPS_ATTR_LOW_FREQ_FACTOR);
  const Real high = r.number(TILEOPS_ATTR_HIGH_FREQ_FACTOR);
  const Real original = r.number(TILEOPS_ATTR_ORIGINAL_MAX_POSITION);
  const Real wavelength = kTwoPi / f;
  if (wavelength < original / high) return f;
  if (wavelength > original / low) return f / scale;
  const Real smooth = (original / wavelength - low) / (high - low);
  return (1 - smooth) * f / scale + smooth * f;
}

// YaRN: dimensions between those of beta_fast and beta_slow rotations ramp from kept to scaled.
struct YarnRamp {
  Real low, high;
};

YarnRamp yarn_ramp(const Call& r, Real base, int64_t dim) {
  const Real original = r.number(TILEOPS_ATTR_ORIGINAL_MAX_POSITION);
  const auto dimension = [&](Real rotations) {
    return dim * std::log(original / (kTwoPi * rotations)) / (2 * std::log(base));
  };
  const Real top = static_cast<Real>(std::max<int64_t>(dim - 1, 0));
  Real low = std::floor(dimension(r.number(TILEOPS_ATTR_BETA_FAST)));
  Real high = std::ceil(dimension(r.number(TILEOPS_ATTR_BETA_SLOW)));
  low = std::clamp(low, Real(0), top);
  high = std::clamp(high, Real(0), top);
  if (low == high) high += 0.001L;  // as published: no division by zero
  return {low, high};
}

}  // namespace

void require_table_size(const char* what, int64_t extent) {
  constexpr int64_t most = int64_t{1} << 24;
  if (extent > most)
    invalid("%s is too large (got %lld, need at most %lld)", what, static_cast<long long>(extent),
            static_cast<long long>(most));
}

std::vector<uint64_t> plain_turns(double base, int64_t dim) {
  std::vector<uint64_t> turns;
  for (int64_t i = 0; i < (dim + 1) / 2; ++i) turns.push_back(to_turns(plain(base, i, dim)));
  return turns;
}

void check_frequencies(const Call& r) {
  if (r.op->op == TILEOPS_OP_ROPE_YARN) {
    const double base = r.number(TILEOPS_ATTR_BASE), factor = r.number(TILEOPS_ATTR_ATTN_FACTOR);
    if (!(base > 1)) invalid("%s must be above 1 for rope_yarn (got %.10g)", r.place(TILEOPS_ATTR_BASE).c_str(), base);
    if (!std::isfinite(factor))
      invalid("%s must be finite (got %g)", r.place(TILEOPS_ATTR_ATTN_FACTOR).c_str(), factor);
  }
  if (r.op->op == TILEOPS_OP_ROPE_LLAMA31) {
    const double low = r.number(TILEOPS_ATTR_LOW_FREQ_FACTOR);
    const double high = r.number(TILEOPS_ATTR_HIGH_FREQ_FACTOR);
    if (!(low < high)) {
      invalid("%s must be below 'high_freq_factor' (got %.10g and %.10g)",
              r.place(TILEOPS_ATTR_LOW_FREQ_FACTOR).c_str(), low, high);
    }
  }
}

Frequencies rope_frequencies(const Call& r, int64_t dim) {
  const Real base = r.number(TILEOPS_ATTR_BASE);
  Frequencies out;
  YarnRamp ramp{};
  if (r.op->op == TILEOPS_OP_ROPE_YARN) {
    ramp = yarn_ramp(r, base, dim);
    out.amplitude = r.number(TILEOPS_ATTR_ATTN_FACTOR);
  }
  if (r.op->op == TILEOPS_OP_ROPE_LONGROPE) {
    const double original = r.number(TILEOPS_ATTR_ORIGINAL_MAX_POSITION);
    const double s = r.number(TILEOPS_ATTR_MAX_POSITION) / original;
    if (s > 1 && original > 1) out.amplitude = std::sqrt(1 + std::log(s) / std::log(original));
  }
  for (int64_t i = 0; i < dim / 2; ++i) {
    Real f = plain(base, i, dim);
    if (r.op->op == TILEOPS_OP_ROPE_LLAMA31) f = llama31(r, f);
    if (r.op->op == TILEOPS_OP_ROPE_YARN) {
      const Real t = std::clamp((static_cast<Real>(i) - ramp.low) / (ramp.high - ramp.low), Real(0), Real(1));
      f = f / r.number(TILEOPS_ATTR_SCALE_FACTOR) * t + f * (1 - t);
    }
    out.turns.push_back(to_turns(f));
  }
  return out;
}

}  // namespace tileops
