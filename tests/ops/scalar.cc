// One element of an elementwise operator.
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "reference.h"
#include "reference_position.h"

namespace optest {
namespace {

using UInt128 = unsigned __int128;

bool Negative(Int128 v) { return v < 0; }

Int128 FloorDiv(Int128 a, Int128 b) {
  if (b == 0) return 0;
  const Int128 q = a / b;
  return a % b != 0 && Negative(a) != Negative(b) ? q - 1 : q;
}

// Modulo 2^128, which is right modulo every smaller power of two.
Int128 Times(Int128 a, Int128 b) { return static_cast<Int128>(static_cast<UInt128>(a) * static_cast<UInt128>(b)); }

Int128 Power(Int128 a, Int128 b) {
  if (b < 0) return a == 1 ? 1 : a != -1 ? 0 : b % 2 ? -1 : 1;
  Int128 result = 1;
  for (; b; b >>= 1, a = Times(a, a))
    if (b & 1) result = Times(result, a);
  return result;
}

// An integer or bool operator, before wrapping. False if it is none of them.
bool IntegerOp(const std::string& op, const Int128* v, Dt compute, Int128 alpha, int64_t rounding, Int128* out) {
  const bool boolean = compute == Dt::kBool;
  const int bits = 8 * static_cast<int>(Info(compute).size);
  const Int128 a = v[0], b = v[1];
  const auto is = [&](const char* name) { return op == name; };
  if (is("add")) *out = boolean ? (a || (alpha && b)) : a + Times(alpha, b);
  else if (is("sub")) *out = a - Times(alpha, b);
  else if (is("mul")) *out = Times(a, b);
  else if (is("div")) *out = rounding == 2 ? FloorDiv(a, b) : b == 0 ? 0 : a / b;
  else if (is("floor_divide")) *out = FloorDiv(a, b);
  else if (is("remainder")) *out = b == 0 ? 0 : a - FloorDiv(a, b) * b;
  else if (is("fmod")) *out = b == 0 ? 0 : a % b;
  else if (is("pow")) *out = Power(a, b);
  else if (is("maximum")) *out = a > b ? a : b;
  else if (is("minimum")) *out = a < b ? a : b;
  else if (is("bitwise_and")) *out = a & b;
  else if (is("bitwise_or")) *out = a | b;
  else if (is("bitwise_xor")) *out = a ^ b;
  else if (is("bitwise_not")) *out = boolean ? !a : ~a;
  else if (is("bitwise_left_shift")) *out = b < 0 || b >= bits ? 0 : Times(a, Int128{1} << static_cast<int>(b));
  else if (is("bitwise_right_shift"))
    *out = b < 0 || b >= bits ? Int128{0} - (a < 0) : FloorDiv(a, Int128{1} << static_cast<int>(b));
  else if (is("popcount")) {
    *out = 0;
    for (int i = 0; i < bits; ++i) *out += (a >> i) & 1;
  } else if (is("abs")) *out = a < 0 ? -a : a;
  else if (is("neg")) *out = -a;
  else if (is("sign")) *out = (a > 0) - (a < 0);
  else if (is("floor") || is("ceil") || is("trunc") || is("round") || is("nan_to_num") || is("cast")) *out = a;
  else if (is("clamp")) {
    const Int128 low = a < b ? b : a;
    *out = low > v[2] ? v[2] : low;
  } else {
    return false;
  }
  return true;
}

template <class T>
bool Compare(const std::string& op, T a, T b, bool* out) {
  if (op == "eq") *out = a == b;
  else if (op == "ne") *out = a != b;
  else if (op == "gt") *out = a > b;
  else if (op == "lt") *out = a < b;
  else if (op == "ge") *out = a >= b;
  else if (op == "le") *out = a <= b;
  else return false;
  return true;
}

bool Predicate(const std::string& op, const Num* v, bool* out) {
  if (op == "logical_and") *out = v[0].Truth() && v[1].Truth();
  else if (op == "logical_or") *out = v[0].Truth() || v[1].Truth();
  else if (op == "logical_not") *out = !v[0].Truth();
  else if (op == "isnan") *out = v[0].is_float && std::isnan(v[0].d);
  else if (op == "isinf") *out = v[0].is_float && std::isinf(v[0].d);
  else if (op == "isfinite") *out = !v[0].is_float || std::isfinite(v[0].d);
  else if (v[0].is_float) return Compare(op, v[0].d, v[1].d, out);
  else return Compare(op, v[0].i, v[1].i, out);
  return true;
}

// PyTorch's definition, in the arithmetic of T: for quotients beyond the fraction of T not the
// rounded floor.
template <class T>
T FloorDivide(T a, T b) {
  if (b == 0) return a / b;
  const T mod = std::fmod(a, b);
  T div = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0)) div -= 1;
  if (div == 0) return std::copysign(T(0), a / b);
  const T floor = std::floor(div);
  return div - floor > T(0.5) ? floor + 1 : floor;
}

// Sums of three numbers cancel: what a step loses is relative to the largest of them. The sign of
// a zero depends on the branch.
double LerpSlack(const double* in, Dt compute) {
  const double step = std::fabs(in[2] * (in[1] - in[0]));
  const double size = std::fmax(std::fmax(std::fabs(in[0]), std::fabs(in[1])), step);
  const bool inputs = std::isfinite(in[0]) && std::isfinite(in[1]) && std::isfinite(in[2]);
  const bool at_end = in[2] == 0 || in[2] == 1;
  const double most = compute == Dt::kF64 ? 0x1.fffffffffffffp1023 : 0x1.fffffep127;
  // b - a beyond the range, as in PyTorch; but the ends are exact.
  if (inputs && !at_end && std::fabs(in[1] - in[0]) > most) return HUGE_VAL;
  if (!std::isfinite(size)) return 0;
  return std::fmax(size * (compute == Dt::kF64 ? 0x1p-51 : 0x1p-22), 0x1p-1074);
}

// By the codes of a dtype, which without their sign are in the order of its numbers. Beyond the largest number the
// place that the next one would have.
// The first number of a dtype beyond x, which may be none of its numbers.
double Neighbour(double x, double towards, Dt dtype) {
  if (std::isnan(x) || std::isnan(towards)) return NAN;
  if (x == towards) return towards;
  if (x == 0) return std::copysign(Decode(dtype, 1).d, towards);
  const bool grows = (towards > x) == (x > 0);
  const double a = std::fabs(x), most = MaxFinite(dtype);
  if (a > most) return grows ? 2 * Neighbour(x / 2, towards / 2, dtype) : std::copysign(most, x);
  const uint64_t code = Encode(Num::Float(a), dtype);
  const double nearest = Decode(dtype, code).d;
  if (grows ? nearest > a : nearest < a) return std::copysign(nearest, x);
  if (grows && nearest == most) return std::copysign(2 * most - Decode(dtype, code - 1).d, x);
  return std::copysign(Decode(dtype, grows ? code + 1 : code - 1).d, x);
}

Want Unknown() {
  Want want;
  want.known = false;
  return want;
}

uint64_t KeyOf(const Num& v) {
  if (!v.is_float) return static_cast<uint64_t>(v.i);
  uint64_t bits;
  std::memcpy(&bits, &v.d, 8);
  return bits;
}

class Mpfr {
 public:
  Mpfr() { mpfr_init2(v_, kOraclePrecision); }
  ~Mpfr() { mpfr_clear(v_); }
  Mpfr(const Mpfr&) = delete;
  Mpfr& operator=(const Mpfr&) = delete;
  operator mpfr_ptr() { return v_; }

 private:
  mpfr_t v_;
};

}  // namespace

Overflow OverflowOf(const Attrs& attrs) {
  const Attr* a = FindAttr(attrs, "fp8_overflow");
  return !a ? Overflow::kDefault : a->i == 0 ? Overflow::kSaturate : Overflow::kNonsaturating;
}

// A result that is one rounding of an exact value in the compute type has exact bits in every
// output dtype. Where it is not, narrower outputs are to be rounded from the exact value all the
// same: the library promises it.
void SetTolerance(const OpRow& row, Dt compute, Dt out, double* ulp, Dt* ulp_dtype) {
  *ulp = 0;
  *ulp_dtype = compute;
  if (!IsFloat(compute) || !IsFloat(out) || row.ulp == 0) return;
  if (Info(out).size < Info(compute).size) {
    // Right unless the exact value is closer to a tie than f64 can tell (gelu of the least
    // subnormal), or, for what is not one function of one operand, than f32 can.
    const bool unary = row.category == "unary_math" || row.category == "activation";
    *ulp = 0.5 + (unary ? 0x1p-24 : IsNarrow(out) ? 0x1p-9 : 0x1p-20);
    *ulp_dtype = out;
    return;
  }
  *ulp = compute == Dt::kF64 ? 2 : row.ulp;
}

Want FinishFloat(mpfr_t exact, Dt compute, Dt out, Overflow overflow) {
  Want want;
  want.exact = mpfr_get_ld(exact, MPFR_RNDN);
  if (compute == out) {
    want.bits = oracle_encode(exact, FormatOf(out, overflow));
  } else {
    const double rounded = oracle_round(exact, Info(compute).format);
    want.bits = Encode(Num::Float(rounded), out, overflow);
  }
  return want;
}

Scalar::Scalar(const OpRow& row, const Attrs& attrs, Dt compute, Dt out)
    : row_(row), compute_(compute), out_(out), attrs_(attrs), overflow_(OverflowOf(attrs)) {
  SetTolerance(row, compute, out, &ulp_, &ulp_dtype_);
  // x * 10^n, its rounding and the way back are a rounding each.
  // Attributes are seen in the compute type.
  if (compute == Dt::kF32) oracle_.negative_slope = static_cast<float>(oracle_.negative_slope);
  for (const Attr& a : attrs) {
    if (a.name == "approximate") oracle_.Set("approximate", a.i ? "tanh" : "none");
    else if (a.name == "rounding") oracle_.Set("rounding", a.i == 0 ? "none" : a.i == 1 ? "trunc" : "floor");
    else if (a.integer) oracle_.Set(a.name.c_str(), a.d);
    else oracle_.Set(a.name.c_str(), compute == Dt::kF32 ? static_cast<float>(a.d) : a.d);
  }
}

const Want& Scalar::operator()(const Num* args, int count) {
  Key key{0, 0, 0};
  if (count > 0) key.a = KeyOf(args[0]);
  if (count > 1) key.b = KeyOf(args[1]);
  if (count > 2) key.c = KeyOf(args[2]);
  auto it = known_.find(key);
  if (it == known_.end()) it = known_.emplace(key, Evaluate(args, count)).first;
  return it->second;
}

Want Scalar::FloatResult(const double* in, int count) const {
  static Mpfr exact;
  if (!oracle_eval(row_.name.c_str(), in, count, oracle_, exact)) return Unknown();
  const bool direct = row_.ulp != 0 && IsFloat(out_) && Info(out_).size < Info(compute_).size;
  Want want = FinishFloat(exact, direct ? out_ : compute_, out_, overflow_);
  if (row_.name == "lerp") want.slack = LerpSlack(in, compute_);
  if (compute_ == Dt::kF64 && row_.name == "lgamma" && in[0] < -2) want.slack = 0x1p-52;
  if (compute_ == Dt::kF64 && row_.name == "logaddexp" && std::isfinite(in[0]) && std::isfinite(in[1]))
    want.slack = 0x1p-51 * std::fmin(std::fabs(std::fmax(in[0], in[1])), 1);
  if (row_.rule == "gated") AdjustGated(in, &want);
  return want;
}

// The activation is a value of the compute type: it may underflow before it is multiplied.
void Scalar::AdjustGated(const double* in, Want* want) const {
  static Mpfr activation;
  OracleAttrs attrs = oracle_;
  attrs.approximate_tanh = row_.name == "gelu_tanh_and_mul";
  const char* name = row_.name == "silu_and_mul" ? "silu" : "gelu";
  if (!oracle_eval(name, in, 1, attrs, activation)) std::abort();
  const double gate = oracle_round(activation, Info(compute_).format);
  if (std::isfinite(in[1])) {
    const int least = compute_ == Dt::kF64 ? -1074 : -149;
    want->slack = row_.ulp * std::fabs(std::ldexp(in[1], least));
  } else {
    want->exact = gate * in[1];
    want->bits = Encode(Num::Float(gate * in[1]), out_, overflow_);
    // An activation that is an ulp off may be zero or not, and times infinity NaN or not.
    const int least = compute_ == Dt::kF64 ? -1074 : -149;
    if (std::fabs(gate) <= std::ldexp(8.0, least) && std::isinf(in[1]) && in[0] != 0 && std::isfinite(in[0]))
      want->slack = HUGE_VAL;
  }
}

Want Scalar::Evaluate(const Num* args, int count) const {
  Want want;
  Num v[3] = {};
  for (int k = 0; k < count; ++k) v[k] = args[k];
  if (bool truth; Predicate(row_.name, v, &truth)) {
    want.bits = Encode(Num::Integer(truth), out_, overflow_);
    return want;
  }
  if (row_.name == "where" || row_.name == "masked_fill") {
    const Num& taken = row_.name == "where" ? (v[0].i ? v[1] : v[2]) : (v[1].i ? v[2] : v[0]);
    want.bits = Encode(taken, out_, overflow_);
    return want;
  }
  if (row_.name == "cast") {
    want.bits = Encode(v[0], out_, overflow_, IntegerOr(attrs_, "rounding", 0));
    return want;
  }
  if (row_.name == "nextafter") {
    const Dt dtype = static_cast<Dt>(IntegerOr(attrs_, "dtype", 0));
    want.exact = Neighbour(v[0].d, v[1].d, dtype);
    want.bits = Encode(Num::Float(static_cast<double>(want.exact)), out_, overflow_);
    return want;
  }
  const bool floors = row_.name == "floor_divide" || (row_.name == "div" && IntegerOr(attrs_, "rounding", 0) == 2);
  if (floors && IsFloat(compute_)) {
    const double quotient = compute_ == Dt::kF64 ? FloorDivide(v[0].d, v[1].d)
                                                 : FloorDivide(static_cast<float>(v[0].d), static_cast<float>(v[1].d));
    want.exact = quotient;
    want.bits = Encode(Num::Float(quotient), out_, overflow_);
    return want;
  }
  if (IsFloat(compute_)) {
    const double in[3] = {v[0].d, v[1].d, v[2].d};
    return FloatResult(in, count);
  }
  const Int128 in[3] = {v[0].i, v[1].i, v[2].i};
  const Int128 alpha = Convert(Num::Float(NumberOr(attrs_, "alpha", 1.0)), compute_).i;
  Int128 result;
  if (!IntegerOp(row_.name, in, compute_, alpha, IntegerOr(attrs_, "rounding", 0), &result)) {
    return Unknown();
  }
  want.bits = Encode(Convert(Num::Integer(result), compute_), out_, overflow_);
  return want;
}

}  // namespace optest
