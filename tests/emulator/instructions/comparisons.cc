// Comparisons, and choices by them.
#include "instructions/handlers.h"

namespace emulator {
namespace {

// Instruction::modifiers: how a result is taken together with a predicate.
enum : uint8_t { kAlone, kAnd, kOr, kXor };

bool joined(uint8_t how, bool a, bool b) {
  return how == kAlone ? a : how == kAnd ? a && b : how == kOr ? a || b : a != b;
}

// Unordered ones hold where an operand is NaN as well.
template <class T>
bool is_nan(T x) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(x);
  return false;
}
struct Equal {
  template <class T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};
struct Differ {
  template <class T>
  bool operator()(T a, T b) const {
    return a != b && !is_nan(a) && !is_nan(b);
  }
};
struct Less {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};
struct LessOrEqual {
  template <class T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};
struct Greater {
  template <class T>
  bool operator()(T a, T b) const {
    return a > b;
  }
};
struct GreaterOrEqual {
  template <class T>
  bool operator()(T a, T b) const {
    return a >= b;
  }
};
struct AreNumbers {
  template <class T>
  bool operator()(T a, T b) const {
    return !is_nan(a) && !is_nan(b);
  }
};
struct AreNot {
  template <class T>
  bool operator()(T a, T b) const {
    return !AreNumbers()(a, b);
  }
};
template <class F>
struct Unordered {
  template <class T>
  bool operator()(T a, T b) const {
    return AreNot()(a, b) || F()(a, b);
  }
};

template <class T>
auto number(uint64_t bits) {
  if constexpr (std::is_same_v<T, F16> || std::is_same_v<T, Bf16>) return static_cast<double>(get<T>(bits));
  else return get<T>(bits);
}

// setp: the predicate, and a second one of the opposite.
template <class T, class F>
void compare(Warp& w, const Instruction& i, Mask lanes) {
  const Register &a = w.from(i, 0), &b = w.from(i, 1);
  const Register& c = w.from(i, i.from.size() - 1);
  Register& p = w.to(i);
  Register& q = w.to(i, i.to.size() - 1);
  each_lane(lanes, [&](size_t l) {
    const bool holds = F()(number<T>(a[l]), number<T>(b[l])), other = c[l] & 1;
    q[l] = joined(i.modifiers, !holds, other);
    p[l] = joined(i.modifiers, holds, other);
  });
}

// set: all bits, or 1.0.
template <class T, class F>
void compare_to_number(Warp& w, const Instruction& i, Mask lanes) {
  const Register &a = w.from(i, 0), &b = w.from(i, 1);
  Register& d = w.to(i);
  const bool is_float = i.bytes != 0;
  each_lane(lanes, [&](size_t l) {
    const bool holds = F()(number<T>(a[l]), number<T>(b[l]));
    d[l] = !holds ? 0 : is_float ? put(1.0f) : ~uint64_t{0};
  });
}

template <class F>
Handler of_type(const std::string& op, const std::string& t) {
  if (op == "setp") {
    EMULATOR_INTEGERS(t, compare<T, F>)
    EMULATOR_FLOATS(t, compare<T, F>)
    return nullptr;
  }
  EMULATOR_INTEGERS(t, compare_to_number<T, F>)
  EMULATOR_CASE(t, "f32", float, compare_to_number<T, F>)
  EMULATOR_CASE(t, "f64", double, compare_to_number<T, F>)
  return nullptr;
}

Handler by_name(const std::string& op, const std::string& comparison, const std::string& t) {
  if (comparison == "eq") return of_type<Equal>(op, t);
  if (comparison == "ne") return of_type<Differ>(op, t);
  if (comparison == "lt" || comparison == "lo") return of_type<Less>(op, t);
  if (comparison == "le" || comparison == "ls") return of_type<LessOrEqual>(op, t);
  if (comparison == "gt" || comparison == "hi") return of_type<Greater>(op, t);
  if (comparison == "ge" || comparison == "hs") return of_type<GreaterOrEqual>(op, t);
  if (comparison == "equ") return of_type<Unordered<Equal>>(op, t);
  if (comparison == "neu") return of_type<Unordered<Differ>>(op, t);
  if (comparison == "ltu") return of_type<Unordered<Less>>(op, t);
  if (comparison == "leu") return of_type<Unordered<LessOrEqual>>(op, t);
  if (comparison == "gtu") return of_type<Unordered<Greater>>(op, t);
  if (comparison == "geu") return of_type<Unordered<GreaterOrEqual>>(op, t);
  if (comparison == "num") return of_type<AreNumbers>(op, t);
  if (comparison == "nan") return of_type<AreNot>(op, t);
  return nullptr;
}

void select(Warp& w, const Instruction& i, Mask lanes) {
  const Register &a = w.from(i, 0), &b = w.from(i, 1), &p = w.from(i, 2);
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) { d[l] = p[l] & 1 ? a[l] : b[l]; });
}

// testp: what kind of number it is.
template <class T>
void test(Warp& w, const Instruction& i, Mask lanes) {
  const Register& a = w.from(i, 0);
  Register& p = w.to(i);
  each_lane(lanes, [&](size_t l) {
    const int kind = std::fpclassify(get<T>(a[l]));
    p[l] = i.modifiers == 0 ? kind != FP_NAN && kind != FP_INFINITE : kind == i.modifiers - 1;
  });
}

}  // namespace

Handler compare_handler(const Mnemonic& m, Instruction* i) {
  if (m.op == "selp") return select;
  if (m.op == "testp") {
    const std::string& kind = m.parts.front();
    if (kind == "finite") i->modifiers = 0;
    else
      i->modifiers = static_cast<uint8_t>(1 + (kind == "infinite"     ? FP_INFINITE
                                               : kind == "notanumber" ? FP_NAN
                                               : kind == "subnormal"  ? FP_SUBNORMAL
                                                                      : FP_NORMAL));
    return m.type() == "f32" ? test<float> : test<double>;
  }
  if (m.op != "setp" && m.op != "set") return nullptr;
  i->modifiers = m.has("and") ? kAnd : m.has("or") ? kOr : m.has("xor") ? kXor : kAlone;
  if (m.op == "setp") return by_name(m.op, m.parts.front(), m.type());
  if (i->modifiers != kAlone) return nullptr;
  i->bytes = m.type() == "f32";
  return by_name(m.op, m.parts.front(), m.type(1));
}

}  // namespace emulator
