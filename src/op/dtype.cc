#include "op/dtype.h"

#include "op/columns.h"

namespace tileops {
namespace {

struct Info {
  const char *name, *label;
  DLDataType dl;
  uint8_t lanes;
  uint32_t category;
  int exponent, fraction;
  double largest;
  Ctype compute;
};

using namespace columns;
constexpr Info kInfo[] = {
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, category, exponent, fraction, largest, compute, \
                      storage, saturating, npy, doc)                                                                \
  {name, label, {code, bits, 1}, lanes, category, exponent, fraction, largest, Ctype::compute},
#include <tileops/dtypes.def>
};

const Info& info(Dtype t) { return kInfo[static_cast<int>(t)]; }

}  // namespace

bool dtype_from_dl(DLDataType dl, Dtype* out) {
  for (int i = 0; i < kNumDtypes; ++i) {
    const DLDataType& own = kInfo[i].dl;
    if (own.code == dl.code && own.bits == dl.bits && (dl.lanes == 1 || dl.lanes == kInfo[i].lanes)) {
      *out = static_cast<Dtype>(i);
      return true;
    }
  }
  return false;
}

DLDataType dtype_to_dl(Dtype t) { return info(t).dl; }
const char* dtype_name(Dtype t) { return info(t).name; }
const char* dtype_label(Dtype t) { return info(t).label; }
size_t dtype_size(Dtype t) { return static_cast<size_t>(info(t).dl.bits * info(t).lanes / 8); }
int dtype_bits(Dtype t) { return info(t).dl.bits; }
int dtype_lanes(Dtype t) { return info(t).lanes; }
uint32_t dtype_set(Dtype t) { return info(t).category; }
uint32_t dtype_category(Dtype t) { return info(t).category == kPacked ? uint32_t{kFloat} : info(t).category; }
Ctype compute_type(Dtype t) { return info(t).compute; }
bool is_signed_integer(Dtype t) { return info(t).dl.code == kDLInt; }
double dtype_max_finite(Dtype t) { return info(t).largest; }
int dtype_exponent_bits(Dtype t) { return info(t).exponent; }
int dtype_fraction_bits(Dtype t) { return info(t).fraction; }

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

Dtype ctype_dtype(Ctype t) {
  constexpr Dtype dtypes[] = {
#define TILEOPS_CTYPE(id, type) Dtype::id,
#include <tileops/dtypes.def>
  };
  return dtypes[static_cast<int>(t)];
}
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
  const int sa = dtype_bits(a), sb = dtype_bits(b);
  const auto twice = [out](uint8_t code, int bits) {
    return dtype_from_dl({code, static_cast<uint8_t>(2 * bits), 1}, out);
  };
  if (ca == kFloat) {
    if (sa != sb) return *out = sa > sb ? a : b, true;
    return twice(kDLFloat, sa);  // two formats of one size: e4m3fn with e5m2, f16 with bf16
  }
  if (is_signed_integer(a) == is_signed_integer(b)) return *out = sa > sb ? a : b, true;
  const Dtype s = is_signed_integer(a) ? a : b, u = is_signed_integer(a) ? b : a;
  if (dtype_bits(s) > dtype_bits(u)) return *out = s, true;
  return twice(kDLInt, dtype_bits(u));
}

}  // namespace tileops
