#include "range.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "../ops/reference_position.h"

namespace exprtest {
namespace {

Range Any() {
  Range r;
  r.any = true;
  return r;
}

Range Nan() {
  Range r;
  r.nan = true;
  return r;
}

bool IsPoint(const Range& r) {
  return r.integer || r.nan || (r.lo == r.hi && std::signbit(r.lo) == std::signbit(r.hi));
}

bool Less(double a, double b) { return a < b || (a == b && std::signbit(a) > std::signbit(b)); }

// The number of the compute type next to a bound, on the inside. Beyond the largest: infinity, which overflow gives.
double Inside(long double x, Dt compute, bool up) {
  if (std::isnan(x) || std::isinf(x)) return static_cast<double>(x);
  const double nearest = compute == Dt::kF64 ? static_cast<double>(x) : static_cast<float>(x);
  if (std::isinf(nearest)) return nearest;
  const auto next = [&](double toward) {
    return compute == Dt::kF64 ? std::nextafter(nearest, toward)
                               : std::nextafter(static_cast<float>(nearest), static_cast<float>(toward));
  };
  if (up && nearest < x) return next(HUGE_VAL);
  if (!up && nearest > x) return next(-HUGE_VAL);
  return nearest;
}

// What a range becomes in a dtype. To narrow floats an operator's own rounding is of the exact value.
Range Rounded(const Range& from, Dt dtype, Overflow overflow) {
  if (from.any) return from;
  const auto rounded = [&](double v) { return Decode(dtype, Encode(Num::Float(v), dtype, overflow)); };
  if (from.integer) return RangeOf(Decode(dtype, Encode(Num::Integer(from.i), dtype, overflow)));
  if (from.nan) return RangeOf(rounded(NAN));
  const bool once = IsNarrow(dtype);
  const double ends[] = {once ? std::min(from.lo, static_cast<double>(from.exact_lo)) : from.lo,
                         once ? std::max(from.hi, static_cast<double>(from.exact_hi)) : from.hi};
  if (dtype == Dt::kBool && ends[0] <= 0 && ends[1] >= 0 && !(ends[0] == 0 && ends[1] == 0)) return Any();
  const Num lo = rounded(ends[0]), hi = rounded(ends[1]);
  if (!lo.is_float) return lo.i == hi.i ? RangeOf(lo) : Any();
  if (std::isnan(lo.d) || std::isnan(hi.d))
    return std::isnan(lo.d) && std::isnan(hi.d) && IsPoint(from) ? Nan() : Any();
  Range r = RangeOf(lo);
  r.hi = hi.d;
  r.exact_hi = hi.d;
  return r;
}

// Where functions of one operand turn.
std::vector<double> Turns(const std::string& name, const Attrs& attrs) {
  if (name == "gelu") return {IntegerOr(attrs, "approximate", 0) ? -0.75246142 : -0.75179152};
  if (name == "silu") return {-1.27846454};
  if (name == "mish") return {-1.19240950};
  if (name == "hardswish") return {-1.5};
  if (name == "cosh" || name == "sinc") return {0};
  if (name == "lgamma") return {1.46163214};
  return {};
}

// Operators that step, or are open, somewhere within a range: what their corners say is not all.
bool StepsInside(const std::string& name, const std::vector<Range>& in) {
  bool points = true;
  for (const Range& r : in) points = points && IsPoint(r);
  if (points) return false;
  const auto has_zero = [](const Range& r) { return !r.integer && !r.nan && r.lo <= 0 && r.hi >= 0; };
  if (name == "eq" || name == "ne") return in[0].hi >= in[1].lo && in[1].hi >= in[0].lo;
  if (name == "remainder" || name == "floor_divide") {
    if (has_zero(in[1])) return true;
    long double lo = HUGE_VALL, hi = -HUGE_VALL;
    for (const double a : {in[0].lo, in[0].hi})
      for (const double b : {in[1].lo, in[1].hi}) {
        const long double q = static_cast<long double>(a) / b;
        lo = std::min(lo, q - std::fabs(q) * 0x1p-20L);
        hi = std::max(hi, q + std::fabs(q) * 0x1p-20L);
      }
    return !(std::floor(lo) == std::floor(hi));
  }
  if (name == "div") return has_zero(in[1]);
  if (name == "lerp") return std::isinf(in[0].lo) || std::isinf(in[1].lo);  // NaN at weights 0 and 1
  if (name == "pow") return in[0].lo <= 0 || (in.size() > 1 && !std::isfinite(in[1].lo + in[1].hi));
  if (name == "reciprocal" || name == "rsqrt") return has_zero(in[0]);
  if (name == "logical_and" || name == "logical_or" || name == "logical_not") {
    for (const Range& r : in)
      if (!IsPoint(r) && has_zero(r)) return true;
    return false;
  }
  if (name == "fmod") {
    if (has_zero(in[0]) || has_zero(in[1])) return true;
    const double lo = std::fabs(in[0].lo / in[1].lo), hi = std::fabs(in[0].hi / in[1].hi);
    return !(std::floor(std::min(lo, hi) * (1 - 0x1p-20)) == std::floor(std::max(lo, hi) * (1 + 0x1p-20)));
  }
  if (name == "nextafter") return true;
  if (name == "copysign") return has_zero(in[1]);
  if (name == "atan2" || name == "hypot") return has_zero(in[0]) || has_zero(in[1]);
  if (name == "lgamma") return in[0].lo <= 0;
  if (name == "tan") {
    const auto branch = [](double x) { return std::floor(x / 3.14159265358979 + 0.5); };
    return branch(in[0].lo) != branch(in[0].hi) || std::fabs(in[0].hi) > 1e6;
  }
  if (name == "sin" || name == "cos" || name == "sinc") return in[0].hi - in[0].lo > 0.1 || std::fabs(in[0].hi) > 1e6;
  if (name == "sign" || name == "nan_to_num") return !std::isfinite(in[0].lo + in[0].hi);
  return false;
}

// What jumps, or is NaN beyond an edge, is given operands that are as good as their operators promise.
bool IsJump(const OpRow& row) {
  static const std::set<std::string> names = {
      "floor", "ceil",  "trunc", "round", "sign",       "remainder", "floor_divide", "pow",    "sqrt",
      "rsqrt", "log",   "log1p", "log2",  "nan_to_num", "softplus",  "tan",          "asin",   "acos",
      "acosh", "atanh", "log10", "fmod",  "atan2",      "copysign",  "nextafter",    "erfinv", "lgamma"};
  return row.BoolResult() || names.count(row.name);
}

// The functions that are no operators.
Want Function(const OpRow& row, const Num* args, Dt compute) {
  static mpfr_t* v = [] {
    auto* all = new mpfr_t[3];
    for (int k = 0; k < 3; ++k) mpfr_init2(all[k], kOraclePrecision);
    return all;
  }();
  for (size_t k = 0; k < row.inputs.size(); ++k) mpfr_set_d(v[k], args[k].d, MPFR_RNDN);
  mpfr_fma(v[0], v[0], v[1], v[2], MPFR_RNDN);
  Want want = FinishFloat(v[0], compute, compute, Overflow::kDefault);
  // A sum may have more digits than float64, and lie beside a tie on which that does: rounded to odd instead.
  if (row.name == "fma" && std::isfinite(want.exact)) {
    double odd = mpfr_get_d(v[0], MPFR_RNDZ);
    const int below = mpfr_cmp_d(v[0], odd);
    const double place = below ? std::ldexp(std::fabs(odd), 51 - std::ilogb(odd)) : 0;
    if (below && place == std::floor(place)) odd = std::nextafter(odd, below > 0 ? HUGE_VAL : -HUGE_VAL);
    want.exact = odd;
  }
  return want;
}

}  // namespace

Range RangeOf(const Num& value) {
  Range r;
  if (!value.is_float) {
    r.integer = true;
    r.i = value.i;
  } else if (std::isnan(value.d)) {
    r.nan = true;
  } else {
    r.lo = r.hi = value.d;
    r.exact_lo = r.exact_hi = value.d;
  }
  return r;
}

bool MayBe(const Range& range, Dt dtype, uint64_t bits, Overflow overflow) {
  const Range r = Rounded(range, dtype, overflow);
  const Num got = Decode(dtype, bits);
  if (r.any) return true;
  if (r.integer || !got.is_float) return r.integer && !got.is_float && got.i == r.i;
  if (std::isnan(got.d)) return r.nan;
  return !r.nan && got.d >= r.lo && got.d <= r.hi && !(IsPoint(r) && std::signbit(got.d) != std::signbit(r.lo));
}

Ranges::Ranges(const Program& program, double loose, double least)
    : p_(program),
      loose_(loose),
      least_(least),
      known_(program.nodes.size()),
      there_(program.nodes.size()),
      scalars_(program.nodes.size()) {
  for (size_t i = 0; i < p_.nodes.size(); ++i) {
    Array shape;
    shape.shape = p_.nodes[i].shape;
    known_[i].resize(static_cast<size_t>(shape.NumElements()));
    there_[i].resize(known_[i].size());
  }
  FindInner();
}

void Ranges::FindInner() {
  inner_.assign(p_.nodes.size(), true);
  const auto is_rounded = [&](const Argument& a) {
    if (a.of != Argument::Of::node) return true;
    const Node& from = p_.nodes[static_cast<size_t>(a.node)];
    return from.operand >= 0 || !from.row;
  };
  const auto forbid = [&](int node,
                          bool rounds) {  // `rounds`: it is rounded here, maybe by the operator's own rounding
    const Node& n = p_.nodes[static_cast<size_t>(node)];
    if (!rounds || std::all_of(n.arguments.begin(), n.arguments.end(), is_rounded))
      inner_[static_cast<size_t>(node)] = false;
  };
  for (size_t k = 0; k < p_.results.size(); ++k) forbid(p_.results[k], IsNarrow(p_.result_dtypes[k]));
  std::vector<bool> wide(p_.nodes.size());
  for (size_t k = 0; k < p_.results.size(); ++k)
    if (!IsNarrow(p_.result_dtypes[k])) wide[static_cast<size_t>(p_.results[k])] = true;
  for (size_t i = p_.nodes.size(); i-- > 0;) {
    const Node& node = p_.nodes[i];
    if (wide[i]) inner_[i] = false;
    const bool jumps = node.row ? IsJump(*node.row) || !IsFloat(node.compute) ||
                                      (node.row->name == "div" && IntegerOr(node.attrs, "rounding", 0) != 0)
                                : node.operand < 0 && !IsNarrow(node.dtype);
    for (const Argument& a : node.arguments) {
      if (a.of != Argument::Of::node) continue;
      if (wide[i] || jumps) wide[static_cast<size_t>(a.node)] = true;
      if (!node.row && IsNarrow(node.dtype)) forbid(a.node, true);
    }
  }
}

Range Ranges::Of(int index, int64_t element) {
  const size_t i = static_cast<size_t>(index), e = static_cast<size_t>(element);
  if (!there_[i][e]) {
    const Node& node = p_.nodes[i];
    if (node.operand >= 0) {
      const Array& a = p_.operands[static_cast<size_t>(node.operand)];
      known_[i][e] = RangeOf(Decode(a.dtype, a.bits[e]));
    } else if (!node.row) {
      known_[i][e] = Cast(node, Of(node.arguments[0].node, element));
    } else {
      known_[i][e] = Apply(node, index, element);
    }
    there_[i][e] = true;
  }
  return known_[i][e];
}

Range Ranges::Cast(const Node& node, const Range& from) const {
  const Overflow overflow = node.overflow < 0    ? Overflow::kDefault
                            : node.overflow == 0 ? Overflow::kSaturate
                                                 : Overflow::kNonsaturating;
  return Rounded(from, node.dtype, overflow);
}

// The arguments of an element, in the types that the operator takes them in.
Range Ranges::Apply(const Node& node, int index, int64_t element) {
  std::vector<Range> in;
  for (size_t k = 0; k < node.arguments.size(); ++k) {
    const Argument& a = node.arguments[k];
    const OperandRow& slot = node.row->inputs[k];
    const Dt type = !slot.fixed.empty() ? slot.fixed[0] : node.compute;
    Range r;
    if (a.of == Argument::Of::node) {
      const Shape& own = p_.nodes[static_cast<size_t>(a.node)].shape;
      int64_t at = 0, step = 1, rest = element;
      for (size_t d = 0; d < node.shape.size(); ++d) {
        const int64_t extent = node.shape[node.shape.size() - 1 - d], i = rest % extent;
        rest /= extent;
        if (d >= own.size()) continue;
        const int64_t mine = own[own.size() - 1 - d];
        if (mine != 1) at += i * step;
        step *= mine;
      }
      r = Of(a.node, at);
    } else if (a.of == Argument::Of::number) {
      r = RangeOf(a.number.integer ? Num::Integer(static_cast<Int128>(a.number.value)) : Num::Float(a.number.value));
    } else {
      const double otherwise = slot.fallback == "min" ? -HUGE_VAL : slot.fallback == "max" ? HUGE_VAL : 0.5;
      double value = NumberOr(node.attrs, slot.fallback, otherwise);
      for (const auto& [name, number] : node.scalars)
        if (name == slot.fallback) value = number.value;
      r = RangeOf(Convert(Num::Float(value), type));
    }
    in.push_back(Rounded(Compared(node, k, r), type, Overflow::kDefault));
  }
  return Compute(node, index, in);
}

Range Ranges::Compared(const Node& node, size_t k, const Range& argument) const {
  if (node.row->category != "comparison" || node.row->inputs.size() != 2) return argument;
  const auto tensor = [&](const Argument& a) -> const Node* {
    const Node* n = a.of == Argument::Of::node ? &p_.nodes[static_cast<size_t>(a.node)] : nullptr;
    return n && (n->operand >= 0 || !n->row) ? n : nullptr;
  };
  const Node *with = tensor(node.arguments[1 - k]), *mine = tensor(node.arguments[k]);
  const bool zero_dim = mine && with && mine->shape.empty() && !with->shape.empty() && mine->dtype != with->dtype;
  if (!with || !IsNarrow(with->dtype) || !(zero_dim || node.arguments[k].of == Argument::Of::number)) return argument;
  return Rounded(argument, with->dtype, Overflow::kDefault);
}

Range Ranges::Compute(const Node& node, int index, const std::vector<Range>& in) {
  const std::string& name = node.row->name;
  if (name == "where" || name == "masked_fill") {
    const size_t cond = name == "where" ? 0 : 1;
    const Range &yes = name == "where" ? in[1] : in[2], &no = name == "where" ? in[2] : in[0];
    return in[cond].any ? Any() : in[cond].i ? yes : no;
  }
  for (const Range& r : in)
    if (r.any || (!r.integer && !r.nan && r.lo != r.hi && std::isinf(r.lo) + std::isinf(r.hi) > 0)) return Any();
  if (StepsInside(name, in)) return Any();
  if (name == "softplus" && !IsPoint(in[0])) {  // jumps where it goes over to x
    double beta = NumberOr(node.attrs, "beta", 1);
    for (const auto& [attr, number] : node.scalars)
      if (attr == "beta") beta = number.value;
    const double at = NumberOr(node.attrs, "threshold", 20) / beta, slack = std::fabs(at) * 0x1p-20;
    if (in[0].lo <= at + slack && in[0].hi >= at - slack) return Any();
  }
  const bool function = node.row->name == "fma";  // which is no operator
  auto& scalar = scalars_[static_cast<size_t>(index)];
  double ulp = 0;
  Dt ulp_dtype;  // the compute type
  SetTolerance(*node.row, node.compute, node.compute, &ulp, &ulp_dtype);
  if (!scalar && !function) {
    Attrs attrs = node.attrs;
    for (const auto& [attr, number] : node.scalars) attrs.push_back(Attr(attr.c_str(), number.value));
    if (name == "nextafter") attrs.push_back(Attr("dtype", static_cast<int>(node.dtype)));  // which neighbour
    if (name == "nan_to_num" && IsFloat(node.dtype)) {
      if (!FindAttr(attrs, "posinf")) attrs.push_back(Attr("posinf", MaxFinite(node.dtype)));
      if (!FindAttr(attrs, "neginf")) attrs.push_back(Attr("neginf", -MaxFinite(node.dtype)));
    }
    // The result is looked at in the compute type, where no narrow rounding has been.
    const Dt out = node.row->BoolResult() ? Dt::kBool : node.compute;
    scalar = std::make_unique<Scalar>(*node.row, attrs, node.compute, out);
  }
  // The corners, and places between them where a function turns.
  std::vector<std::vector<double>> points(in.size());
  for (size_t k = 0; k < in.size(); ++k) {
    if (in[k].integer || in[k].nan) {
      points[k] = {0};
      continue;
    }
    points[k] = {in[k].lo};
    if (!IsPoint(in[k])) points[k].push_back(in[k].hi);
    if (in[k].lo <= 0 && in[k].hi >= 0 && !IsPoint(in[k])) points[k].insert(points[k].end(), {0.0, -0.0});
    for (const double t : Turns(name, node.attrs))
      if (in[k].lo < t && t < in[k].hi) points[k].push_back(node.compute == Dt::kF64 ? t : static_cast<float>(t));
    if ((name == "sin" || name == "cos") && !IsPoint(in[k])) {
      const double quarter = 1.5707963267948966, q = std::round(in[k].hi / quarter) * quarter;
      if (in[k].lo < q && q < in[k].hi) points[k].push_back(node.compute == Dt::kF64 ? q : static_cast<float>(q));
    }
  }
  Range out;
  bool first = true, nans = false, numbers = false;
  std::vector<size_t> at(in.size());
  for (;;) {
    Num args[3] = {};
    for (size_t k = 0; k < in.size(); ++k)
      args[k] = in[k].integer ? Num::Integer(in[k].i) : Num::Float(in[k].nan ? NAN : points[k][at[k]]);
    const Want want = function ? Function(*node.row, args, node.compute) : (*scalar)(args, static_cast<int>(in.size()));
    if (!want.known || std::isinf(want.slack)) return Any();
    const Dt type = node.row->BoolResult() ? Dt::kBool : node.compute;
    const Num value = Decode(type, want.bits);
    if (!value.is_float) {
      const Range r = RangeOf(value);
      if (!first && r.i != out.i) return Any();
      out = r;
    } else if (std::isnan(value.d)) {
      nans = true;
    } else {
      numbers = true;
      Range r = RangeOf(value);
      const bool exact = ulp == 0 && want.slack == 0;
      if (want.exact != 0 || value.d == 0) r.exact_lo = r.exact_hi = std::isnan(want.exact) ? value.d : want.exact;
      if (std::isfinite(value.d) && !exact) {
        const long double unit = std::ldexp(1.0L, UlpExponent(node.compute, r.exact_lo));
        const bool inner = loose_ > 0 && inner_[static_cast<size_t>(index)];
        const long double loose = inner ? std::fabs(r.exact_lo) * loose_ + least_ : 0;
        const long double error = std::max(ulp * unit + want.slack, loose);
        r.exact_lo -= error;
        r.exact_hi += error;
        r.lo = std::min(r.lo, Inside(r.exact_lo, node.compute, true));
        r.hi = std::max(r.hi, Inside(r.exact_hi, node.compute, false));
      }
      const bool join = numbers && !first && !out.nan;
      if (join) {
        if (Less(r.lo, out.lo)) out.lo = r.lo;
        if (Less(out.hi, r.hi)) out.hi = r.hi;
        out.exact_lo = std::min(out.exact_lo, r.exact_lo);
        out.exact_hi = std::max(out.exact_hi, r.exact_hi);
      } else {
        out = r;
      }
    }
    first = false;
    size_t k = 0;
    for (; k < at.size(); ++k) {
      if (++at[k] < points[k].size()) break;
      at[k] = 0;
    }
    if (k == at.size()) break;
  }
  if (nans && numbers) return Any();
  return nans ? Nan() : out;
}

}  // namespace exprtest
