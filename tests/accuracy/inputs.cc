#include "inputs.h"

namespace {

uint64_t hash(uint64_t z) {  // splitmix64
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

Inputs::Inputs(const Format& format, int arity, uint64_t count, uint64_t stride, uint64_t seed, bool complete)
    : format_(&format),
      arity_(arity),
      count_(count),
      stride_(stride),
      seed_(seed),
      complete_(complete),
      all_(stride != 0) {}

Inputs Inputs::all(const Format& format, int arity, uint64_t stride) {
  const uint64_t codes = uint64_t{1} << (8 * format.size * static_cast<size_t>(arity));
  return Inputs(format, arity, (codes + stride - 1) / stride, stride, 0, stride == 1);
}

Inputs Inputs::sample(const Format& format, int arity, uint64_t count, uint64_t seed) {
  return Inputs(format, arity, count, 0, seed, false);
}

// Exponent and sign by the low bits of i, the mantissa's high bits by its high ones. The first
// stratum begins with mantissa 0, the last ends with all ones.
uint64_t Inputs::one(uint64_t i, uint64_t strata, uint64_t random) const {
  const Format& f = *format_;
  const int m = f.mantissa_bits;
  const uint64_t exponents = uint64_t{1} << (f.exponent_bits + 1);
  const uint64_t mask = (uint64_t{1} << m) - 1;
  const uint64_t stratum = i / exponents;
  uint64_t mantissa = random & mask;
  if (stratum == 0) {
    mantissa = 0;
  } else if (stratum + 1 >= strata) {
    mantissa = mask;
  } else if (stratum == 1) {
    mantissa = 1;
  }
  return ((i % exponents) << m) | mantissa;
}

void Inputs::get(uint64_t i, uint64_t* codes) const {
  const Format& f = *format_;
  const uint64_t r = hash(i + (seed_ << 40)), s = hash(r);
  const uint64_t exponents = uint64_t{1} << (f.exponent_bits + 1);
  const uint64_t half = count_ / 2;
  // Half from all exponents, half from 2^-12 to 2^8, where functions bend.
  const bool ordinary = i >= half;
  if (ordinary) {
    const uint64_t low = f.bias() > 12 ? static_cast<uint64_t>(f.bias()) - 12 : 1;
    const uint64_t high = f.bias() > 8 ? static_cast<uint64_t>(f.bias()) + 8 : low + 10;
    for (int k = 0; k < arity_; ++k) {
      const uint64_t t = k == 0 ? r : s;
      const uint64_t e = low + (t >> 48) % (high - low + 1);
      codes[k] = ((t >> 47) & 1 ? f.sign_bit() : 0) | (e << f.mantissa_bits) |
                 (t & ((uint64_t{1} << f.mantissa_bits) - 1) & 0x7fffffffffff);
      if (f.size == 8) codes[k] ^= hash(t) & ((uint64_t{1} << f.mantissa_bits) - 1);
    }
    return;
  }
  if (arity_ == 1) {
    codes[0] = one(i, half / exponents, r);
    return;
  }
  if (half >= exponents * exponents) {  // every pair of exponents
    codes[0] = one(i % exponents + exponents * (r >> 60), 16, r);
    codes[1] = one(i / exponents % exponents + exponents * (s >> 60), 16, s);
  } else {
    codes[0] = one((r >> 40) % exponents + exponents * (r >> 60), 16, r);
    codes[1] = one((s >> 40) % exponents + exponents * (s >> 60), 16, s);
  }
}

void Inputs::fill(uint64_t first, size_t n, uint64_t* const* codes) const {
  if (!all_) {
    for (size_t i = 0; i < n; ++i) {
      uint64_t code[2];
      get(first + i, code);
      for (int k = 0; k < arity_; ++k) codes[k][i] = code[k];
    }
  } else if (arity_ == 1) {
    for (size_t i = 0; i < n; ++i) codes[0][i] = (first + i) * stride_;
  } else {
    const size_t bits = 8 * format_->size;
    for (size_t i = 0; i < n; ++i) {
      codes[0][i] = (first + i) >> bits;
      codes[1][i] = (first + i) & ((uint64_t{1} << bits) - 1);
    }
  }
}
