// cvt: from one type to another.
#include <algorithm>
#include <limits>

#include "instructions/handlers.h"

namespace emulator {
namespace {

// Instruction::modifiers: the rounding mode in the lowest two bits.
enum : uint8_t { kSaturate = 4, kFlush = 8, kRelu = 16, kToInteger = 32, kFinite = 64 };
constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

uint8_t modifiers_of(const Mnemonic& m) {
  uint8_t bits = 0;
  while (kModes[bits] != rounding_of(m)) ++bits;
  if (m.has("sat")) bits |= kSaturate;
  if (m.has("ftz")) bits |= kFlush;
  if (m.has("relu")) bits |= kRelu;
  if (m.has("satfinite")) bits |= kFinite;
  if (m.has("rni") || m.has("rzi") || m.has("rmi") || m.has("rpi")) bits |= kToInteger;
  return bits;
}

double in_mode(int mode, double x, double (*f)(double)) {
  const RoundingMode rounding(mode);
  return opaque(f(opaque(x)));
}
double to_integer(int mode, double x) {
  return in_mode(mode, x, [](double a) { return std::nearbyint(a); });
}

template <class D, class S>
void integer_to_integer(Warp& w, const Instruction& i, Mask lanes) {
  const Register& a = w.from(i, 0);
  Register& d = w.to(i);
  const bool saturate = i.modifiers & kSaturate;
  each_lane(lanes, [&](size_t l) {
    auto x = static_cast<__int128>(get<S>(a[l]));
    if (saturate)
      x = std::clamp(x, static_cast<__int128>(std::numeric_limits<D>::min()),
                     static_cast<__int128>(std::numeric_limits<D>::max()));
    d[l] = static_cast<uint64_t>(static_cast<int64_t>(static_cast<D>(x)));  // as wide as a register may be read
  });
}

// What is too large is the nearest, and of NaN 0, but of 64 bits the upper bit.
template <class D, class S>
void float_to_integer(Warp& w, const Instruction& i, Mask lanes) {
  const Register& a = w.from(i, 0);
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) {
    const auto x = static_cast<double>(get<S>(a[l]));
    const double r = to_integer(kModes[i.modifiers & 3], x);
    D n;
    if (std::isnan(r)) n = sizeof(D) == 8 ? static_cast<D>(uint64_t{1} << 63) : 0;
    else if (r >= std::ldexp(1.0, 8 * sizeof(D) - std::is_signed_v<D>)) n = std::numeric_limits<D>::max();
    else
      n = r <= static_cast<double>(std::numeric_limits<D>::min()) ? std::numeric_limits<D>::min() : static_cast<D>(r);
    d[l] = static_cast<uint64_t>(static_cast<int64_t>(n));
  });
}

// A number in f64, of which the last bit says whether there was more.
template <class S>
double odd(S x) {
  const double near = static_cast<double>(x);
  const auto difference = static_cast<__int128>(x) - static_cast<__int128>(near);
  if (difference == 0) return near;
  const bool beyond = (difference < 0) == (near > 0);
  return get<double>((put(near) - beyond) | 1);
}

template <class D>
uint64_t narrowed(double x, int mode, uint8_t modifiers) {
  if (modifiers & kRelu && x <= 0) x = 0;
  if (modifiers & kSaturate) x = std::isnan(x) ? 0 : std::clamp(x, 0.0, 1.0);
  if constexpr (std::is_same_v<D, F16>) return encode(kF16, x, mode, modifiers & kFinite);
  else if constexpr (std::is_same_v<D, Bf16>) return encode(kBf16, x, mode, modifiers & kFinite);
  else if constexpr (std::is_same_v<D, double>) return put(x);
  const RoundingMode rounding(mode);
  auto r = opaque(static_cast<float>(opaque(x)));
  if (modifiers & kFlush && std::fpclassify(r) == FP_SUBNORMAL) r = std::copysign(0.0f, r);
  return put(r);
}

template <class D, class S>
void integer_to_float(Warp& w, const Instruction& i, Mask lanes) {
  const Register& a = w.from(i, 0);
  Register& d = w.to(i);
  const int mode = kModes[i.modifiers & 3];
  each_lane(lanes, [&](size_t l) {
    const S x = get<S>(a[l]);
    if constexpr (std::is_same_v<D, double>) {
      const RoundingMode rounding(mode);
      d[l] = put(opaque(static_cast<double>(x)));
    } else {
      d[l] = narrowed<D>(odd(x), mode, i.modifiers);
    }
  });
}

template <class D, class S>
void float_to_float(Warp& w, const Instruction& i, Mask lanes) {
  const Register& a = w.from(i, 0);
  Register& d = w.to(i);
  const int mode = kModes[i.modifiers & 3];
  if (i.modifiers == 0 && !std::is_same_v<D, F16> && !std::is_same_v<D, Bf16>) {
    each_lane(lanes, [&](size_t l) { d[l] = put(static_cast<D>(static_cast<double>(get<S>(a[l])))); });
    return;
  }
  each_lane(lanes, [&](size_t l) {
    auto x = static_cast<double>(get<S>(a[l]));
    if (i.modifiers & kFlush && std::is_same_v<S, float> && std::fabs(x) < 0x1p-126) x = std::copysign(0.0, x);
    if (i.modifiers & kToInteger) x = to_integer(mode, x);
    d[l] = narrowed<D>(x, mode, i.modifiers);
  });
}

int bits_of(const Format& f) { return 1 + f.exponent_bits + f.mantissa_bits; }

// Two numbers into one word.
template <const Format& kTo>
uint64_t packed(double low, double high, uint8_t modifiers) {
  const int mode = kModes[modifiers & 3];
  const bool finite = modifiers & kFinite;
  if (modifiers & kRelu) {
    high = high <= 0 ? 0 : high;
    low = low <= 0 ? 0 : low;
  }
  return encode(kTo, low, mode, finite) | uint64_t{encode(kTo, high, mode, finite)} << bits_of(kTo);
}
// Converts two registers into one: the first register becomes its upper half.
template <const Format& kTo>
void pack_two(Warp& w, const Instruction& i, Mask lanes) {
  const Register &a = w.from(i, 0), &b = w.from(i, 1);
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) { d[l] = packed<kTo>(get<float>(b[l]), get<float>(a[l]), i.modifiers); });
}
template <const Format& kTo, const Format& kFrom>
void pack_word(Warp& w, const Instruction& i, Mask lanes) {
  const Register& a = w.from(i, 0);
  Register& d = w.to(i);
  const uint32_t mask = (1u << bits_of(kFrom)) - 1;
  each_lane(lanes, [&](size_t l) {
    const auto word = static_cast<uint32_t>(a[l]);
    d[l] = packed<kTo>(decode(kFrom, word & mask), decode(kFrom, word >> bits_of(kFrom) & mask), i.modifiers);
  });
}

template <const Format& kTo>
Handler packed_from(const std::string& from) {
  if (from == "f32") return pack_two<kTo>;
  if (from == "f16x2") return pack_word<kTo, kF16>;
  if (from == "bf16x2") return pack_word<kTo, kBf16>;
  if (from == "e4m3x2") return pack_word<kTo, kE4m3>;
  if (from == "e5m2x2") return pack_word<kTo, kE5m2>;
  if (from == "e2m1x2") return pack_word<kTo, kE2m1>;
  return nullptr;
}

#define EMULATOR_WITH_BYTES(name, ...)              \
  EMULATOR_CASE(name, "u8", uint8_t, __VA_ARGS__)   \
  EMULATOR_CASE(name, "s8", int8_t, __VA_ARGS__)    \
  EMULATOR_CASE(name, "u16", uint16_t, __VA_ARGS__) \
  EMULATOR_CASE(name, "s16", int16_t, __VA_ARGS__)  \
  EMULATOR_CASE(name, "u32", uint32_t, __VA_ARGS__) \
  EMULATOR_CASE(name, "s32", int32_t, __VA_ARGS__)  \
  EMULATOR_CASE(name, "u64", uint64_t, __VA_ARGS__) \
  EMULATOR_CASE(name, "s64", int64_t, __VA_ARGS__)

template <class D>
Handler integer_from(const std::string& from) {
  EMULATOR_WITH_BYTES(from, integer_to_integer<D, T>)
  EMULATOR_FLOATS(from, float_to_integer<D, T>)
  return nullptr;
}

template <class D>
Handler float_from(const std::string& from) {
  EMULATOR_WITH_BYTES(from, integer_to_float<D, T>)
  EMULATOR_FLOATS(from, float_to_float<D, T>)
  return nullptr;
}

}  // namespace

Handler convert_handler(const Mnemonic& m, Instruction* i) {
  if (m.op != "cvt") return nullptr;
  const std::string &to = m.type(0), &from = m.type(1);
  i->modifiers = modifiers_of(m);
  if (to == "f16x2") return packed_from<kF16>(from);
  if (to == "bf16x2") return packed_from<kBf16>(from);
  if (to == "e4m3x2") return packed_from<kE4m3>(from);
  if (to == "e5m2x2") return packed_from<kE5m2>(from);
  if (to == "e2m1x2") return packed_from<kE2m1>(from);
  EMULATOR_WITH_BYTES(to, integer_from<T>(from))
  EMULATOR_FLOATS(to, float_from<T>(from))
  return nullptr;
}

}  // namespace emulator
