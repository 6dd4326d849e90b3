// What dropout's kernels (kernels/forms/position_forms.h) take of its attributes, prepared, in
// words behind them.
#include <cmath>

#include "cuda/select/forms.h"
#include "tileops/device/bodies.h"

namespace tileops::cuda {
namespace {

// A factor by which the product with each number of S, rounded to S, is what the quotient is; 0 if
// there is none.
template <class S>
float factor_for(float divisor) {
  const float inverse = 1.0f / divisor;
  for (const float factor : {inverse, std::nextafter(inverse, 0.0f), std::nextafter(inverse, 2.0f * inverse)}) {
    bool right = true;
    for (unsigned code = 0; code < 1u << (8 * sizeof(S) - 1); ++code) {
      S s;
      s.bits = static_cast<decltype(s.bits)>(code);
      const float x = device::widen(s);
      right &= device::convert<S>(x * factor).bits == device::convert<S>(x / divisor).bits;
    }
    if (right) return factor;
  }
  return 0.0f;
}
template <class S>
float narrow_factor(float divisor) {
  if constexpr (device::is_narrow_v<S>) return factor_for<S>(divisor);
  else return 0.0f;
}
float search_factor(Dtype dtype, float divisor) {
  using namespace device;
  switch (dtype) {
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, category, exponent, fraction, largest, compute, \
                      storage, saturating, npy, doc)                                                                \
  case Dtype::id: return narrow_factor<storage>(divisor);
#include <tileops/dtypes.def>
  }
  return 0.0f;
}

// Plans made one after the other, each with a seed of its own, ask for the same one.
float factor_for(Dtype dtype, float divisor) {
  struct Last {
    Dtype dtype;
    float divisor, factor;
  };
  thread_local Last last{Dtype::f32, 1.0f, 0.0f};
  if (last.dtype != dtype || last.divisor != divisor) last = {dtype, divisor, search_factor(dtype, divisor)};
  return last.factor;
}

// In 64 bits also of a float.
template <class T>
uint64_t bits_of(T x) {
  return device::to_bits(x);
}

template <class Body>
uint64_t threshold_and_flags(const Body& d, bool product_is_right) {
  return d.threshold | uint64_t{d.drop_all} << 32 | uint64_t{product_is_right} << 33;
}

std::vector<uint64_t> words_in_f32(const Pass& pass) {
  const device::op::dropout<device::portable, float> d(only_step(pass).attrs.data());
  const bool exact = (bits_of(d.keep_probability) & 0x7fffff) == 0;  // a power of two
  const Dtype x = pass.loads[0].dtype, y = pass.stores[0].dtype;
  const float factor = exact || x != y ? 0.0f : factor_for(x, d.keep_probability);
  const float inverse = factor != 0.0f ? factor : 1.0f / d.keep_probability;
  return {bits_of(d.keep_probability) | bits_of(inverse) << 32, threshold_and_flags(d, exact || factor != 0.0f)};
}

std::vector<uint64_t> words_in_f64(const Pass& pass) {
  const device::op::dropout<device::portable, double> d(only_step(pass).attrs.data());
  const bool exact = (bits_of(d.keep_probability) & 0xfffffffffffff) == 0;
  const bool moderate = d.keep_probability > 0x1p-40;
  return {bits_of(d.keep_probability), bits_of(1.0 / d.keep_probability),
          threshold_and_flags(d, exact) | uint64_t{moderate} << 34};
}

}  // namespace

std::vector<uint64_t> dropout_words(const Pass& pass, const std::string& policy) {
  if (only_step(pass).ctype == Ctype::f32) return words_in_f32(pass);
  if (only_step(pass).ctype == Ctype::f64 && policy == "quick") return words_in_f64(pass);
  return {};
}

}  // namespace tileops::cuda
