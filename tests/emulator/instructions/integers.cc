// Moves, and arithmetic of integers.
#include <type_traits>

#include "instructions/handlers.h"

namespace emulator {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;
template <class T>
struct Wider;
template <>
struct Wider<uint16_t> {
  using type = uint32_t;
};
template <>
struct Wider<int16_t> {
  using type = int32_t;
};
template <>
struct Wider<uint32_t> {
  using type = uint64_t;
};
template <>
struct Wider<int32_t> {
  using type = int64_t;
};
template <>
struct Wider<uint64_t> {
  using type = unsigned __int128;
};
template <>
struct Wider<int64_t> {
  using type = __int128;
};
template <class T>
using Wide = typename Wider<T>::type;

// Sums and products wrap.
struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(uint64_t(a) + uint64_t(b));
  }
};
struct Subtract {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(uint64_t(a) - uint64_t(b));
  }
};
struct MultiplyLow {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(uint64_t(a) * uint64_t(b));
  }
};
struct MultiplyHigh {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Wide<T>(a) * Wide<T>(b) >> (8 * sizeof(T)));
  }
};
struct MultiplyWide {
  template <class T>
  Wide<T> operator()(T a, T b) const {
    return Wide<T>(a) * Wide<T>(b);
  }
};
struct MultiplyAddLow {
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add()(MultiplyLow()(a, b), c);
  }
};
struct MultiplyAddHigh {
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add()(MultiplyHigh()(a, b), c);
  }
};
// By 0 the hardware has all bits set, and nobody should ask.
struct Divide {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(-1);
    return static_cast<T>(static_cast<__int128>(a) / static_cast<__int128>(b));
  }
};
struct Remainder {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return a;
    return static_cast<T>(static_cast<__int128>(a) % static_cast<__int128>(b));
  }
};
struct Minimum {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Absolute {
  template <class T>
  T operator()(T a) const {
    return a < 0 ? Subtract()(T(0), a) : a;
  }
};
struct Negative {
  template <class T>
  T operator()(T a) const {
    return Subtract()(T(0), a);
  }
};
// Two 16-bit integers in one word.
template <class T, class F>
struct EachHalf {
  uint32_t operator()(uint32_t a, uint32_t b) const {
    const auto low = static_cast<uint16_t>(F()(static_cast<T>(a), static_cast<T>(b)));
    const auto high = static_cast<uint16_t>(F()(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return uint32_t{high} << 16 | low;
  }
};

// Sums of four products of bytes.
template <class A, class B>
struct Dot4 {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    int64_t sum = c;
    for (int k = 0; k < 32; k += 8) sum += int64_t{static_cast<A>(a >> k)} * static_cast<B>(b >> k);
    return static_cast<uint32_t>(sum);
  }
};

// One register into another of the same bits; several into one, and one into several.
void move(Warp& w, const Instruction& i, Mask lanes) {
  const size_t to = i.to.size(), from = i.from.size();
  const uint32_t width = i.bytes * 8u;
  if (to == 1 && from == 1) {
    const Register& a = w.from(i, 0);
    Register& d = w.to(i);
    const auto offset = static_cast<uint64_t>(i.from[0].offset);
    each_lane(lanes, [&](size_t l) { d[l] = a[l] + offset; });
    return;
  }
  each_lane(lanes, [&](size_t l) {
    const uint32_t part = width / static_cast<uint32_t>(std::max(to, from));
    const uint64_t mask = (uint64_t{1} << part) - 1;
    uint64_t whole = to == 1 ? 0 : w.from(i, 0)[l];
    for (size_t k = 0; k < from && to == 1; ++k) whole |= (w.from(i, k)[l] & mask) << (part * k);
    for (size_t k = 0; k < to; ++k) w.to(i, k)[l] = to == 1 ? whole : whole >> (part * k) & mask;
  });
}

// d = a * b + c, where c and d are twice as wide.
template <class T>
void multiply_add_wide(Warp& w, const Instruction& i, Mask lanes) {
  const Register &a = w.from(i, 0), &b = w.from(i, 1), &c = w.from(i, 2);
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) {
    const Wide<T> product = MultiplyWide()(get<T>(a[l]), get<T>(b[l]));
    d[l] = put(Add()(product, get<Wide<T>>(c[l])));
  });
}

Handler product_handler(const Mnemonic& m, const std::string& t) {
  if (m.has("wide")) {
    if (m.op == "mul") {
      EMULATOR_CASE(t, "u16", uint16_t, binary<Wide<T>, T, MultiplyWide>)
      EMULATOR_CASE(t, "s16", int16_t, binary<Wide<T>, T, MultiplyWide>)
      EMULATOR_CASE(t, "u32", uint32_t, binary<Wide<T>, T, MultiplyWide>)
      EMULATOR_CASE(t, "s32", int32_t, binary<Wide<T>, T, MultiplyWide>)
    } else {
      EMULATOR_CASE(t, "u16", uint16_t, multiply_add_wide<T>)
      EMULATOR_CASE(t, "s16", int16_t, multiply_add_wide<T>)
      EMULATOR_CASE(t, "u32", uint32_t, multiply_add_wide<T>)
      EMULATOR_CASE(t, "s32", int32_t, multiply_add_wide<T>)
    }
  } else if (m.has("hi")) {
    if (m.op == "mul") {
      EMULATOR_INTEGERS(t, binary<T, T, MultiplyHigh>)
    }
    EMULATOR_INTEGERS(t, ternary<T, T, MultiplyAddHigh>)
  } else if (m.has("lo")) {
    if (m.op == "mul") {
      EMULATOR_INTEGERS(t, binary<T, T, MultiplyLow>)
    }
    EMULATOR_INTEGERS(t, ternary<T, T, MultiplyAddLow>)
  }
  return nullptr;
}

Handler halves_handler(const Mnemonic& m, const std::string& t) {
  if (m.op == "add") return binary<uint32_t, uint32_t, EachHalf<uint16_t, Add>>;
  if (t == "u16x2" && m.op == "min") return binary<uint32_t, uint32_t, EachHalf<uint16_t, Minimum>>;
  if (t == "u16x2" && m.op == "max") return binary<uint32_t, uint32_t, EachHalf<uint16_t, Maximum>>;
  if (t == "s16x2" && m.op == "min") return binary<uint32_t, uint32_t, EachHalf<int16_t, Minimum>>;
  if (t == "s16x2" && m.op == "max") return binary<uint32_t, uint32_t, EachHalf<int16_t, Maximum>>;
  return nullptr;
}

}  // namespace

Handler integer_handler(const Mnemonic& m, Instruction* i) {
  const std::string &op = m.op, &t = m.type();
  if (op == "mov") {
    i->bytes = static_cast<uint8_t>(t == "pred" ? 1 : std::stoi(t.substr(1)) / 8);
    return move;
  }
  if (op == "mul" || op == "mad") return m.has("cc") ? nullptr : product_handler(m, t);
  if (t == "u16x2" || t == "s16x2") return halves_handler(m, t);
  if (op == "dp4a") {
    const bool a = t == "s32", b = m.type(1) == "s32";
    if (a)
      return b ? ternary<uint32_t, uint32_t, Dot4<int8_t, int8_t>> : ternary<uint32_t, uint32_t, Dot4<int8_t, uint8_t>>;
    return b ? ternary<uint32_t, uint32_t, Dot4<uint8_t, int8_t>> : ternary<uint32_t, uint32_t, Dot4<uint8_t, uint8_t>>;
  }
  if (op == "add" && !m.has("cc") && !m.has("sat")) {
    EMULATOR_INTEGERS(t, binary<T, T, Add>)
  }
  if (op == "sub" && !m.has("cc") && !m.has("sat")) {
    EMULATOR_INTEGERS(t, binary<T, T, Subtract>)
  }
  if (op == "div") {
    EMULATOR_INTEGERS(t, binary<T, T, Divide>)
  }
  if (op == "rem") {
    EMULATOR_INTEGERS(t, binary<T, T, Remainder>)
  }
  if (op == "min") {
    EMULATOR_INTEGERS(t, binary<T, T, Minimum>)
  }
  if (op == "max") {
    EMULATOR_INTEGERS(t, binary<T, T, Maximum>)
  }
  if (op == "abs") {
    EMULATOR_SIGNED(t, unary<T, T, Absolute>)
  }
  if (op == "neg") {
    EMULATOR_SIGNED(t, unary<T, T, Negative>)
  }
  return nullptr;
}

}  // namespace emulator
