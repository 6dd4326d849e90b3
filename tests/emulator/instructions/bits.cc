// Bits of words: logic, shifts, fields and permutations.
#include <algorithm>
#include <type_traits>

#include "instructions/handlers.h"

namespace emulator {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

struct And {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};
struct Not {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(~a);
  }
  bool operator()(bool a) const { return !a; }
};
struct LogicalNot {
  template <class T>
  T operator()(T a) const {
    return a == 0;
  }
};
struct Ones {
  template <class T>
  int operator()(T a) const {
    return __builtin_popcountll(a);
  }
};
struct LeadingZeros {
  template <class T>
  int operator()(T a) const {
    return a ? __builtin_clzll(a) - (64 - 8 * static_cast<int>(sizeof(T))) : 8 * static_cast<int>(sizeof(T));
  }
};
struct Reversed {
  template <class T>
  T operator()(T a) const {
    T r = 0;
    for (size_t k = 0; k < 8 * sizeof(T); ++k) r = static_cast<T>(r << 1 | (a >> k & 1));
    return r;
  }
};
// Its place, or with kShift how far it is from the top; all bits where there is none.
template <bool kShift>
struct HighestBit {
  template <class T>
  uint32_t operator()(T a) const {
    auto u = static_cast<Unsigned<T>>(a);
    if (a < 0) u = static_cast<Unsigned<T>>(~u);
    if (u == 0) return ~0u;
    const uint32_t place = 63 - static_cast<uint32_t>(__builtin_clzll(u));
    return kShift ? 8 * sizeof(T) - 1 - place : place;
  }
};

// The number of places is 32 bits, whatever is shifted; all beyond the last is the last.
template <class T, bool kLeft>
void shift(Warp& w, const Instruction& i, Mask lanes) {
  const Register &a = w.from(i, 0), &b = w.from(i, 1);
  Register& d = w.to(i);
  constexpr uint32_t width = 8 * sizeof(T);
  each_lane(lanes, [&](size_t l) {
    const T x = get<T>(a[l]);
    const auto n = static_cast<uint32_t>(b[l]);
    if (kLeft) d[l] = put(n >= width ? T(0) : static_cast<T>(static_cast<Unsigned<T>>(x) << n));
    else d[l] = put(n >= width ? static_cast<T>(x < 0 ? -1 : 0) : static_cast<T>(x >> n));
  });
}

template <bool kLeft, bool kClamp>
struct Funnel {
  uint32_t operator()(uint32_t low, uint32_t high, uint32_t n) const {
    n = kClamp ? (n > 32 ? 32 : n) : n & 31;
    const uint64_t both = uint64_t{high} << 32 | low;
    return static_cast<uint32_t>(kLeft ? both << n >> 32 : both >> n);
  }
};

struct Permute {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t selector) const {
    const uint64_t bytes = uint64_t{b} << 32 | a;
    uint32_t r = 0;
    for (int k = 0; k < 4; ++k) {
      const uint32_t s = selector >> (4 * k) & 15;
      auto byte = static_cast<uint32_t>(bytes >> (8 * (s & 7)) & 255);
      if (s & 8) byte = byte & 128 ? 255 : 0;
      r |= byte << (8 * k);
    }
    return r;
  }
};

void lop3(Warp& w, const Instruction& i, Mask lanes) {
  const Register &a = w.from(i, 0), &b = w.from(i, 1), &c = w.from(i, 2), &table = w.from(i, 3);
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) {
    uint64_t r = 0;
    for (int k = 0; k < 8; ++k)
      if (table[l] >> k & 1) r |= (k & 4 ? a[l] : ~a[l]) & (k & 2 ? b[l] : ~b[l]) & (k & 1 ? c[l] : ~c[l]);
    d[l] = static_cast<uint32_t>(r);
  });
}

template <class T>
struct ExtractBits {
  T operator()(T a, T place, T length) const {
    const auto at = static_cast<uint32_t>(place & 255), n = static_cast<uint32_t>(length & 255);
    constexpr uint32_t width = 8 * sizeof(T);
    if (n == 0 || (at >= width && std::is_unsigned_v<T>)) return 0;
    const uint32_t top = std::min(at + n - 1, width - 1);
    const bool negative = std::is_signed_v<T> && (static_cast<Unsigned<T>>(a) >> top & 1);
    Unsigned<T> r = at >= width ? 0 : static_cast<Unsigned<T>>(a) >> at;
    if (n < width) r &= (Unsigned<T>(1) << n) - 1;
    if (negative && top - at + 1 < width) r |= ~Unsigned<T>(0) << (top - at + 1);
    return static_cast<T>(r);
  }
};

void insert_bits(Warp& w, const Instruction& i, Mask lanes) {
  const Register &a = w.from(i, 0), &b = w.from(i, 1), &at = w.from(i, 2), &n = w.from(i, 3);
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) {
    const uint64_t place = at[l] & 255, length = n[l] & 255;
    const uint64_t mask = place > 63 ? 0 : (length > 63 ? ~uint64_t{0} : (uint64_t{1} << length) - 1) << place;
    d[l] = (b[l] & ~mask) | ((place > 63 ? 0 : a[l] << place) & mask);
  });
}

Handler shift_handler(const Mnemonic& m, const std::string& t) {
  if (m.op == "shl") {
    EMULATOR_UNSIGNED(t, shift<T, true>)
  }
  if (m.op == "shr") {
    EMULATOR_INTEGERS(t, shift<T, false>)
  }
  if (m.op != "shf") return nullptr;
  if (m.has("l"))
    return m.has("clamp") ? ternary<uint32_t, uint32_t, Funnel<true, true>>
                          : ternary<uint32_t, uint32_t, Funnel<true, false>>;
  return m.has("clamp") ? ternary<uint32_t, uint32_t, Funnel<false, true>>
                        : ternary<uint32_t, uint32_t, Funnel<false, false>>;
}

Handler logic_handler(const Mnemonic& m, const std::string& t) {
  const std::string& op = m.op;
  if (op == "and" || op == "or" || op == "xor" || op == "not") {
    const std::string bits = t == "pred" ? "b16" : t;  // the lowest bit of a predicate is what counts
    if (t == "pred" && op == "not") return unary<bool, bool, Not>;
    if (op == "and") {
      EMULATOR_UNSIGNED(bits, binary<T, T, And>)
    }
    if (op == "or") {
      EMULATOR_UNSIGNED(bits, binary<T, T, Or>)
    }
    if (op == "xor") {
      EMULATOR_UNSIGNED(bits, binary<T, T, Xor>)
    }
    EMULATOR_UNSIGNED(bits, unary<T, T, Not>)
  }
  if (op == "cnot") {
    EMULATOR_UNSIGNED(t, unary<T, T, LogicalNot>)
  }
  if (op == "popc") {
    EMULATOR_UNSIGNED(t, unary<int, T, Ones>)
  }
  if (op == "clz") {
    EMULATOR_UNSIGNED(t, unary<int, T, LeadingZeros>)
  }
  if (op == "brev") {
    EMULATOR_UNSIGNED(t, unary<T, T, Reversed>)
  }
  if (op == "bfind" && m.has("shiftamt")) {
    EMULATOR_INTEGERS(t, unary<uint32_t, T, HighestBit<true>>)
  }
  if (op == "bfind") {
    EMULATOR_INTEGERS(t, unary<uint32_t, T, HighestBit<false>>)
  }
  if (op == "prmt" && m.parts.size() == 1) return ternary<uint32_t, uint32_t, Permute>;
  if (op == "lop3") return lop3;
  if (op == "bfi") return insert_bits;
  if (op == "bfe") {
    EMULATOR_CASE(t, "u32", uint32_t, ternary<T, T, ExtractBits<T>>)
    EMULATOR_CASE(t, "s32", int32_t, ternary<T, T, ExtractBits<T>>)
    EMULATOR_CASE(t, "u64", uint64_t, ternary<T, T, ExtractBits<T>>)
    EMULATOR_CASE(t, "s64", int64_t, ternary<T, T, ExtractBits<T>>)
  }
  return nullptr;
}

}  // namespace

Handler bits_handler(const Mnemonic& m, Instruction*) {
  const Handler shift = shift_handler(m, m.type());
  return shift ? shift : logic_handler(m, m.type());
}

}  // namespace emulator
