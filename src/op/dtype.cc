#include "op/dtype.h"

#include <iterator>

namespace tileops {
namespace {

struct Info {
  const char* name;
  uint8_t code;  // DLDataTypeCode
  uint8_t bits;
  uint32_t category;
  Ctype compute;
};

constexpr uint8_t kDLE4m3fn = 10, kDLE5m2 = 12;  // named in dlpack.h only since 1.1

constexpr Info kInfo[kNumDtypes] = {
    {"float16", kDLFloat, 16, kFloat, Ctype::f32},
    {"bfloat16", kDLBfloat, 16, kFloat, Ctype::f32},
    {"float32", kDLFloat, 32, kFloat, Ctype::f32},
    {"float64", kDLFloat, 64, kFloat, Ctype::f64},
    {"float8_e4m3fn", kDLE4m3fn, 8, kFloat, Ctype::f32},
    {"float8_e5m2", kDLE5m2, 8, kFloat, Ctype::f32},
    {"int8", kDLInt, 8, kInt, Ctype::i8},
    {"int16", kDLInt, 16, kInt, Ctype::i16},
    {"int32", kDLInt, 32, kInt, Ctype::i32},
    {"int64", kDLInt, 64, kInt, Ctype::i64},
    {"uint8", kDLUInt, 8, kInt, Ctype::u8},
    {"uint16", kDLUInt, 16, kInt, Ctype::u16},
    {"uint32", kDLUInt, 32, kInt, Ctype::u32},
    {"uint64", kDLUInt, 64, kInt, Ctype::u64},
    {"bool", kDLBool, 8, kBool, Ctype::boolean},
};

const Info& info(Dtype t) { return kInfo[static_cast<int>(t)]; }

}  // namespace

bool dtype_from_dl(DLDataType dl, Dtype* out) {
  if (dl.lanes != 1) return false;
  for (int i = 0; i < kNumDtypes; ++i) {
    if (kInfo[i].code == dl.code && kInfo[i].bits == dl.bits) {
      *out = static_cast<Dtype>(i);
      return true;
    }
  }
  return false;
}

DLDataType dtype_to_dl(Dtype t) { return DLDataType{info(t).code, info(t).bits, 1}; }
const char* dtype_name(Dtype t) { return info(t).name; }
size_t dtype_size(Dtype t) { return info(t).bits / 8; }
uint32_t dtype_category(Dtype t) { return info(t).category; }
Ctype compute_type(Dtype t) { return info(t).compute; }

bool dtype_from_name(const std::string& name, Dtype* out) {
  for (int i = 0; i < kNumDtypes; ++i) {
    if (name == kInfo[i].name) {
      *out = static_cast<Dtype>(i);
      return true;
    }
  }
  return false;
}

std::string dl_dtype_name(DLDataType dl) {
  Dtype t;
  if (dtype_from_dl(dl, &t)) return dtype_name(t);
  return "DLDataType{code=" + std::to_string(dl.code) + ", bits=" + std::to_string(dl.bits) +
         ", lanes=" + std::to_string(dl.lanes) + "}";
}

double dtype_max_finite(Dtype t) {
  switch (t) {
    case Dtype::f16: return 65504.0;
    case Dtype::bf16: return 0x1.fep127;
    case Dtype::f32: return 0x1.fffffep127;
    case Dtype::f64: return 0x1.fffffffffffffp1023;
    case Dtype::e4m3fn: return 448.0;
    case Dtype::e5m2: return 57344.0;
    default: return 0.0;
  }
}

namespace {
constexpr Dtype kCtypeDtype[kNumCtypes] = {
    Dtype::f32, Dtype::f64, Dtype::i8,  Dtype::i16, Dtype::i32,     Dtype::i64,
    Dtype::u8,  Dtype::u16, Dtype::u32, Dtype::u64, Dtype::boolean,
};
}  // namespace

Dtype ctype_dtype(Ctype t) { return kCtypeDtype[static_cast<int>(t)]; }
size_t ctype_size(Ctype t) { return dtype_size(ctype_dtype(t)); }
const char* ctype_name(Ctype t) { return dtype_name(ctype_dtype(t)); }

Ctype bits_type(size_t element_size) {
  switch (element_size) {
    case 1: return Ctype::u8;
    case 2: return Ctype::u16;
    case 4: return Ctype::u32;
    default: return Ctype::u64;
  }
}

bool promote(Dtype a, Dtype b, Dtype* out) {
  if (a == b) return *out = a, true;
  const uint32_t ca = dtype_category(a), cb = dtype_category(b);
  if (ca != cb) {  // float over integer over bool
    const bool a_wins = ca == kFloat || cb == kBool;
    return *out = a_wins ? a : b, true;
  }
  if (ca == kFloat) {
    const size_t sa = dtype_size(a), sb = dtype_size(b);
    if (sa != sb) return *out = sa > sb ? a : b, true;
    return *out = sa == 1 ? Dtype::f16 : Dtype::f32, true;  // e4m3fn with e5m2; f16 with bf16
  }
  const bool signed_a = info(a).code == kDLInt, signed_b = info(b).code == kDLInt;
  const size_t sa = dtype_size(a), sb = dtype_size(b);
  if (signed_a == signed_b) return *out = sa > sb ? a : b, true;
  const size_t s_signed = signed_a ? sa : sb, s_unsigned = signed_a ? sb : sa;
  if (s_signed > s_unsigned) return *out = signed_a ? a : b, true;
  switch (s_unsigned) {
    case 1: return *out = Dtype::i16, true;
    case 2: return *out = Dtype::i32, true;
    case 4: return *out = Dtype::i64, true;
    default: return false;
  }
}

}  // namespace tileops
