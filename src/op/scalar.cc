#include "op/scalar.h"

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
  switch (dtype) {
    case Dtype::i8: return value >= -128 && value <= 127;
    case Dtype::i16: return value >= -32768 && value <= 32767;
    case Dtype::i32: return value >= -0x1p31 && value < 0x1p31;
    case Dtype::i64: return value >= -0x1p63 && value < 0x1p63;
    case Dtype::u8: return value >= 0 && value <= 255;
    case Dtype::u16: return value >= 0 && value <= 65535;
    case Dtype::u32: return value >= 0 && value < 0x1p32;
    case Dtype::u64: return value >= 0 && value < 0x1p64;
    default: return true;
  }
}

void store_scalar(double value, Dtype dtype, Fp8Mode mode, void* out) {
  namespace d = device;
  const bool saturate = mode == Fp8Mode::saturate;
  switch (dtype) {
    case Dtype::f16: return put<d::f16>(value, out);
    case Dtype::bf16: return put<d::bf16>(value, out);
    case Dtype::f32: return put<float>(value, out);
    case Dtype::f64: return put<double>(value, out);
    case Dtype::e4m3fn: return saturate ? put<d::e4m3fn_sat>(value, out) : put<d::e4m3fn>(value, out);
    case Dtype::e5m2: return saturate ? put<d::e5m2_sat>(value, out) : put<d::e5m2>(value, out);
    case Dtype::i8: return put<d::i8>(value, out);
    case Dtype::i16: return put<d::i16>(value, out);
    case Dtype::i32: return put<d::i32>(value, out);
    case Dtype::i64: return put<d::i64>(value, out);
    case Dtype::u8: return put<d::u8>(value, out);
    case Dtype::u16: return put<d::u16>(value, out);
    case Dtype::u32: return put<d::u32>(value, out);
    case Dtype::u64: return put<d::u64>(value, out);
    case Dtype::boolean: return put<d::bool8>(value, out);
  }
}

}  // namespace tileops
