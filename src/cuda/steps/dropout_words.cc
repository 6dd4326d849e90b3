// What dropout's kernels (device/cuda/forms/position_forms.h) take of its attributes, prepared, in
// words behind them.
#include "cuda/steps/forms.h"
#include "tileops/device/bodies.h"

namespace tileops::cuda {
namespace {

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
  return {bits_of(d.keep_probability) | bits_of(1.0f / d.keep_probability) << 32, threshold_and_flags(d, exact)};
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
  if (only_step(pass).ctype == Ctype::f64 && policy == "bounded") return words_in_f64(pass);
  return {};
}

}  // namespace tileops::cuda
