#include "op/scalar.h"

#include <cmath>
#include <cstring>

#include "tileops/device/convert.h"

namespace tileops {
namespace {

template <class T>
void put(double value, void* out) {
  const T v = device::convert<T>(value);
  std::memcpy(out, &v, sizeof v);
}

}  // namespace

bool integer_fits(double value, Dtype dtype) {
  if (dtype_category(dtype) != kInt) return true;
  const bool is_signed = is_signed_integer(dtype);
  const double limit = std::ldexp(1.0, static_cast<int>(8 * dtype_size(dtype)) - is_signed);
  return value >= (is_signed ? -limit : 0) && value < limit;
}

double rounded_to(double value, Dtype dtype) {
  using namespace device;
  uint64_t bits = 0;
  store_scalar(value, dtype, default_fp8_mode(dtype), &bits);
  switch (dtype) {
#define TILEOPS_DTYPE(id, constant, name, label, code, bits_, lanes, category, exponent, fraction, largest, compute, \
                      storage, saturating, npy, doc)                                                                 \
  case Dtype::id: {                                                                                                  \
    storage element;                                                                                                 \
    std::memcpy(&element, &bits, sizeof element);                                                                    \
    return convert<double>(element);                                                                                 \
  }
#include <tileops/dtypes.def>
  }
  return value;
}

void store_scalar(double value, Dtype dtype, Fp8Mode mode, void* out) {
  using namespace device;
  const bool saturate = mode == Fp8Mode::saturate;
  switch (dtype) {
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, category, exponent, fraction, largest, compute, \
                      storage, saturating, npy, doc)                                                                \
  case Dtype::id: return saturate ? put<saturating>(value, out) : put<storage>(value, out);
#include <tileops/dtypes.def>
  }
}

}  // namespace tileops
