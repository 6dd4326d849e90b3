// Arithmetic of f32, f64, f16 and bf16.
#include <algorithm>

#include "instructions/handlers.h"

namespace emulator {
namespace {

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return a + b;
  }
};
struct Subtract {
  template <class T>
  T operator()(T a, T b) const {
    return a - b;
  }
};
struct Multiply {
  template <class T>
  T operator()(T a, T b) const {
    return a * b;
  }
};
struct Divide {
  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
};
struct Fma {
  float operator()(float a, float b, float c) const { return std::fma(a, b, c); }
  double operator()(double a, double b, double c) const { return std::fma(a, b, c); }
};
struct Root {
  template <class T>
  T operator()(T a) const {
    return std::sqrt(a);
  }
};
struct Reciprocal {
  template <class T>
  T operator()(T a) const {
    return T(1) / a;
  }
};
// What the hardware approximates is here next to right, so that nothing may rely on more.
struct RootReciprocal {
  double operator()(double a) const { return 1 / std::sqrt(a); }
};
struct Exp2 {
  double operator()(double a) const { return std::exp2(a); }
};
struct Log2 {
  double operator()(double a) const { return std::log2(a); }
};
struct Sine {
  double operator()(double a) const { return std::sin(a); }
};
struct Cosine {
  double operator()(double a) const { return std::cos(a); }
};
struct Tanh {
  double operator()(double a) const { return std::tanh(a); }
};
// Twenty bits of the mantissa; the lower word is 0.
struct RoughReciprocal {
  double operator()(double a) const {
    if (std::fpclassify(a) == FP_SUBNORMAL) a = std::copysign(0.0, a);
    double r = 1 / a;
    if (std::fpclassify(r) == FP_SUBNORMAL) r = std::copysign(0.0, r);
    return std::isnan(r) ? r : get<double>(put(r) & ~uint64_t{0xffffffff});
  }
};
// NaN where both are, or with kNan where one is. -0 is below 0.
template <bool kLarger, bool kNan>
struct Extreme {
  template <class T>
  T operator()(T a, T b) const {
    if (std::isnan(a) || std::isnan(b)) return kNan ? static_cast<T>(NAN) : std::isnan(a) ? b : a;
    const bool a_first = a == b ? std::signbit(a) : a < b;
    return a_first == kLarger ? b : a;
  }
};

// An f32 operation with the modifiers of PTX: .ftz makes subnormal numbers 0, .sat keeps the result within 0 and 1, and
// there may be a rounding mode.
template <class F, bool kFlush, bool kUnit, int kMode>
struct Modified {
  static float flushed(float x) { return kFlush && std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }
  template <class... A>
  float operator()(A... a) const {
    const RoundingMode rounding(kMode);
    const float x = flushed(opaque(static_cast<float>(F()(opaque(flushed(a))...))));
    return !kUnit ? x : std::isnan(x) ? 0 : std::min(std::max(x, 0.0f), 1.0f);
  }
};
template <class F, int kMode>
struct Rounded {
  template <class... A>
  double operator()(A... a) const {
    const RoundingMode rounding(kMode);
    return opaque(F()(opaque(a)...));
  }
};

template <class F, int kArguments, class T>
Handler with_arguments() {
  if constexpr (kArguments == 1) return unary<T, T, F>;
  else if constexpr (kArguments == 2) return binary<T, T, F>;
  else return ternary<T, T, F>;
}

template <class F, int kArguments, int kMode>
Handler of_f32(const Mnemonic& m) {
  const bool flush = m.has("ftz"), unit = m.has("sat");
  if (flush)
    return unit ? with_arguments<Modified<F, true, true, kMode>, kArguments, float>()
                : with_arguments<Modified<F, true, false, kMode>, kArguments, float>();
  if (unit) return with_arguments<Modified<F, false, true, kMode>, kArguments, float>();
  return with_arguments<Modified<F, false, false, kMode>, kArguments, float>();
}

template <class F, int kArguments>
Handler of_single_or_double(const Mnemonic& m) {
  const int mode = rounding_of(m);
  if (m.type() == "f32") {
    if (mode == FE_TOWARDZERO) return of_f32<F, kArguments, FE_TOWARDZERO>(m);
    if (mode == FE_DOWNWARD) return of_f32<F, kArguments, FE_DOWNWARD>(m);
    if (mode == FE_UPWARD) return of_f32<F, kArguments, FE_UPWARD>(m);
    if (!m.has("ftz") && !m.has("sat")) return with_arguments<F, kArguments, float>();
    return of_f32<F, kArguments, FE_TONEAREST>(m);
  }
  if (m.type() != "f64") return nullptr;
  if (mode == FE_TOWARDZERO) return with_arguments<Rounded<F, FE_TOWARDZERO>, kArguments, double>();
  if (mode == FE_DOWNWARD) return with_arguments<Rounded<F, FE_DOWNWARD>, kArguments, double>();
  if (mode == FE_UPWARD) return with_arguments<Rounded<F, FE_UPWARD>, kArguments, double>();
  return with_arguments<F, kArguments, double>();
}

// f16 and bf16, computed in f64: sums and products of two are exact there or rounded harmlessly.
template <class F>
struct InDouble {
  template <class N>
  N operator()(N a) const {
    return N(F()(double(a)));
  }
  template <class N>
  N operator()(N a, N b) const {
    return N(F()(double(a), double(b)));
  }
  template <class N>
  N operator()(N a, N b, N c) const {
    return N(F()(double(a), double(b), double(c)));
  }
};
struct OddAdd {
  double operator()(double a, double b) const { return odd_fma(a, 1, b); }
};
struct OddSubtract {
  double operator()(double a, double b) const { return odd_fma(-b, 1, a); }
};
struct OddFma {
  double operator()(double a, double b, double c) const { return odd_fma(a, b, c); }
};
template <class F>
struct Relu {
  template <class... A>
  double operator()(A... a) const {
    const double x = F()(a...);
    return x > 0 || std::isnan(x) ? x : 0;
  }
};

// Two of them in a word.
template <class N, class F>
struct Pair {
  template <class... A>
  uint32_t operator()(A... a) const {
    const auto low = put(InDouble<F>()(get<N>(a)...)), high = put(InDouble<F>()(get<N>(a >> 16)...));
    return static_cast<uint32_t>(high << 16 | low);
  }
};

template <class F, int kArguments>
Handler of_narrow(const Mnemonic& m) {
  const std::string& t = m.type();
  if (t == "f16") return with_arguments<InDouble<F>, kArguments, F16>();
  if (t == "bf16") return with_arguments<InDouble<F>, kArguments, Bf16>();
  if (t == "f16x2") return with_arguments<Pair<F16, F>, kArguments, uint32_t>();
  if (t == "bf16x2") return with_arguments<Pair<Bf16, F>, kArguments, uint32_t>();
  return nullptr;
}

template <class F, class Narrowed, int kArguments>
Handler of_all(const Mnemonic& m) {
  const std::string& t = m.type();
  if (t == "f32" || t == "f64") return of_single_or_double<F, kArguments>(m);
  if (m.has("sat")) return nullptr;
  if (m.has("relu")) return of_narrow<Relu<Narrowed>, kArguments>(m);
  return of_narrow<Narrowed, kArguments>(m);
}

// The sign alone changes, of a NaN as well.
template <uint64_t kSigns, bool kClear>
struct Sign {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(kClear ? a & ~static_cast<T>(kSigns) : a ^ static_cast<T>(kSigns));
  }
};
template <bool kClear>
Handler sign_handler(const std::string& t) {
  if (t == "f32") return unary<uint32_t, uint32_t, Sign<0x80000000, kClear>>;
  if (t == "f64") return unary<uint64_t, uint64_t, Sign<uint64_t{1} << 63, kClear>>;
  if (t == "f16" || t == "bf16") return unary<uint16_t, uint16_t, Sign<0x8000, kClear>>;
  if (t == "f16x2" || t == "bf16x2") return unary<uint32_t, uint32_t, Sign<0x80008000, kClear>>;
  return nullptr;
}

struct CopySign {
  template <class T>
  T operator()(T a, T b) const {
    return std::copysign(b, a);
  }
};

template <bool kLarger>
Handler extreme_handler(const Mnemonic& m) {
  if (m.has("xorsign")) return nullptr;
  if (m.has("NaN")) return of_all<Extreme<kLarger, true>, Extreme<kLarger, true>, 2>(m);
  return of_all<Extreme<kLarger, false>, Extreme<kLarger, false>, 2>(m);
}

Handler approximation_handler(const Mnemonic& m) {
  const std::string &op = m.op, &t = m.type();
  if (op == "rcp" && t == "f64") return unary<double, double, RoughReciprocal>;
  if (op == "rcp") return of_f32<Reciprocal, 1, FE_TONEAREST>(m);
  if (op == "rsqrt")
    return t == "f64" ? unary<double, double, RootReciprocal> : of_f32<RootReciprocal, 1, FE_TONEAREST>(m);
  if (op == "sqrt") return of_f32<Root, 1, FE_TONEAREST>(m);
  if (op == "div") return of_f32<Divide, 2, FE_TONEAREST>(m);
  if (op == "ex2") return t == "f32" ? of_f32<Exp2, 1, FE_TONEAREST>(m) : of_narrow<Exp2, 1>(m);
  if (op == "lg2") return of_f32<Log2, 1, FE_TONEAREST>(m);
  if (op == "sin") return of_f32<Sine, 1, FE_TONEAREST>(m);
  if (op == "cos") return of_f32<Cosine, 1, FE_TONEAREST>(m);
  if (op == "tanh") return t == "f32" ? of_f32<Tanh, 1, FE_TONEAREST>(m) : of_narrow<Tanh, 1>(m);
  return nullptr;
}

}  // namespace

Handler float_handler(const Mnemonic& m, Instruction*) {
  const std::string &op = m.op, &t = m.type();
  if (m.has("approx") || m.has("full")) return approximation_handler(m);
  if (op == "add") return of_all<Add, OddAdd, 2>(m);
  if (op == "sub") return of_all<Subtract, OddSubtract, 2>(m);
  if (op == "mul") return of_all<Multiply, Multiply, 2>(m);
  if (op == "fma" || op == "mad") return of_all<Fma, OddFma, 3>(m);
  if (op == "div") return of_single_or_double<Divide, 2>(m);
  if (op == "rcp") return of_single_or_double<Reciprocal, 1>(m);
  if (op == "sqrt") return of_single_or_double<Root, 1>(m);
  if (op == "min") return extreme_handler<false>(m);
  if (op == "max") return extreme_handler<true>(m);
  if (op == "neg") return sign_handler<false>(t);
  if (op == "abs") return sign_handler<true>(t);
  if (op == "copysign")
    return t == "f32" ? binary<float, float, CopySign> : t == "f64" ? binary<double, double, CopySign> : nullptr;
  return nullptr;
}

}  // namespace emulator
