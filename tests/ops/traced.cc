#include "traced.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "cases.h"

namespace optest {
namespace {

bool loose_nodes = false;

bool Same(const Num& a, const Num& b) {
  if (!a.is_float) return a.i == b.i;
  return (std::isnan(a.d) && std::isnan(b.d)) || (a.d == b.d && std::signbit(a.d) == std::signbit(b.d));
}

Range Exactly(const Num& v) { return {v, v}; }

// The functions that only expressions have and that are computed element by element.
const OpRow* FunctionRow(const std::string& name) {
  static const auto* rows = [] {
    auto* all = new std::vector<OpRow>;
    const auto add = [&](tileops_op op, const char* name, const char* compute, size_t operands, bool any, int ulp) {
      all->push_back({op, name, "function", "map", compute, {}, {}, true, any, any, false, ulp, 0, 0});
      all->back().inputs.resize(operands);
    };
    add(TILEOPS_OP_FMA, "fma", "promote", 3, false, 0);
    return all;
  }();
  for (const OpRow& row : *rows)
    if (row.name == name) return &row;
  return nullptr;
}

// One element of an operator or function in its compute type.
class Body {
 public:
  Body(const OpRow& row, const Attrs& attrs, Dt compute, Dt out) : row_(row), compute_(compute) {
    if (!FunctionRow(row.name)) scalar_ = std::make_unique<Scalar>(row, attrs, compute, out);
  }
  Want operator()(const Num* v, int count) {
    if (scalar_) return (*scalar_)(v, count);
    mpfr_t x[3];
    for (auto& m : x) mpfr_init2(m, kOraclePrecision);
    for (int k = 0; k < count; ++k) mpfr_set_d(x[k], v[k].d, MPFR_RNDN);
    mpfr_fma(x[0], x[0], x[1], x[2], MPFR_RNDN);
    const Want want = FinishFloat(x[0], compute_, compute_, Overflow::kDefault);
    for (auto& m : x) mpfr_clear(m);
    return want;
  }
  double ulp() const { return scalar_ ? scalar_->ulp() : compute_ == Dt::kF64 ? 2 : row_.ulp; }

 private:
  const OpRow& row_;
  Dt compute_;
  std::unique_ptr<Scalar> scalar_;
};

// The next number of the compute type that is not above (or below) a value.
double Outward(long double v, Dt compute, bool up) {
  const double limit = up ? HUGE_VAL : -HUGE_VAL;
  if (compute == Dt::kF32) {
    const float f = static_cast<float>(v);
    return (up ? f < v : f > v) ? std::nextafterf(f, static_cast<float>(limit)) : f;
  }
  const double d = static_cast<double>(v);
  return (up ? d < v : d > v) ? std::nextafter(d, limit) : d;
}

// All values of the compute type that a node may have where its exact value is `want`.
Range Around(const Want& want, double ulp, Dt compute) {
  const double value = Decode(compute, want.bits).d;
  if (std::isnan(value) || std::isinf(value) || want.exact == 0) return Exactly(Num::Float(value));
  if (ulp == 0 && want.slack == 0 && (!loose_nodes || value == want.exact)) return Exactly(Num::Float(value));
  long double off = ulp * std::ldexp(1.0L, UlpExponent(compute, want.exact)) + static_cast<long double>(want.slack);
  if (loose_nodes && compute == Dt::kF32) off = std::max(off, std::fabs(want.exact) * 0x1p-20L);
  return {Num::Float(Outward(want.exact - off, compute, false)), Num::Float(Outward(want.exact + off, compute, true))};
}

Range Union(const Range& a, const Range& b) {
  if (!a.lo.is_float || std::isnan(a.lo.d) || std::isnan(b.lo.d)) {
    if (!Same(a.lo, b.lo)) throw Undecided{};
    return a;
  }
  const auto less = [](const Num& x, const Num& y) {
    return x.d < y.d || (x.d == y.d && std::signbit(x.d) > std::signbit(y.d));
  };
  return {less(b.lo, a.lo) ? b.lo : a.lo, less(a.hi, b.hi) ? b.hi : a.hi};
}

// What the arguments are to the rules of promotion: tensors are themselves, a number is a 0-d tensor of their dtype, or
// of its own where that is of a higher category.
Call CallOf(const OpRow& row, const std::vector<Traced>& arguments) {
  const auto rank = [](Dt t) { return IsFloat(t) ? 2 : t == Dt::kBool ? 0 : 1; };
  Call call;
  call.row = &row;
  call.outputs.resize(1);
  bool any = false;
  for (size_t k = 0; k < arguments.size(); ++k) {
    const Traced& a = arguments[k];
    const bool scale = IsScale(a.dtype) && !row.scales;
    call.inputs.push_back({!a.number && !scale, a.dtype, a.shape, {}});
    any |= call.inputs.back().present && row.inputs[k].fixed.empty();
  }
  Dt promoted = Dt::kF32, compute;
  if (any && !ComputeDtype(call, &promoted, &compute)) std::abort();
  for (size_t k = 0; k < arguments.size(); ++k) {
    Array& a = call.inputs[k];
    if (a.present) continue;
    if (arguments[k].number) a.dtype = any && rank(arguments[k].dtype) <= rank(promoted) ? promoted : a.dtype;
    else a.dtype = any && IsFloat(promoted) ? promoted : Dt::kF32;
    a.present = true;
  }
  return call;
}

// Calls use(index) for the row-major indices of a shape.
template <class F>
void ForEachIndex(const std::vector<int64_t>& shape, const F& use) {
  std::vector<int64_t> index(shape.size(), 0);
  for (;;) {
    use(index);
    size_t d = shape.size();
    while (d > 0 && ++index[d - 1] == shape[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

const Range& At(const Traced& t, const std::vector<int64_t>& index) {
  int64_t at = 0;
  for (size_t d = 0; d < t.shape.size(); ++d) {
    const int64_t i = t.shape[d] == 1 ? 0 : index[index.size() - t.shape.size() + d];
    at = at * t.shape[d] + i;
  }
  return t.elements[static_cast<size_t>(at)];
}

// The elements of the last axis that an index of theirs is taken from.
template <class F>
Traced Taken(const Traced& x, int64_t last, const F& source) {
  Traced y = x;
  y.shape.back() = last;
  y.elements.clear();
  ForEachIndex(y.shape, [&](std::vector<int64_t> index) {
    index.back() = source(index.back());
    y.elements.push_back(At(x, index));
  });
  return y;
}

Traced Joined(const Traced& a, const Traced& b, bool in_turns) {
  if (a.dtype != b.dtype || a.shape != b.shape) std::abort();  // promotion is not done here
  const Traced* const pair[2] = {&a, &b};
  Traced y = a;
  const int64_t part = y.shape.back();
  y.shape.back() *= 2;
  y.elements.clear();
  ForEachIndex(y.shape, [&](std::vector<int64_t> index) {
    const int64_t i = index.back();
    index.back() = in_turns ? i / 2 : i % part;
    y.elements.push_back(At(*pair[in_turns ? i % 2 : i / part], index));
  });
  return y;
}

}  // namespace

void SetLoose(bool loose) { loose_nodes = loose; }

Traced Operand(const Array& array) {
  Traced t{array.dtype, false, array.shape, {}};
  for (uint64_t bits : array.bits) t.elements.push_back(Exactly(Decode(array.dtype, bits)));
  return t;
}

Traced Number(double value) { return {Dt::kF32, true, {}, {Exactly(Num::Float(value))}}; }
Traced Number(int value) { return {Dt::kI64, true, {}, {Exactly(Num::Integer(value))}}; }

Traced HostNumber(double value) {
  const Range range{Num::Float(std::nextafter(value, -HUGE_VAL)), Num::Float(std::nextafter(value, HUGE_VAL))};
  return {Dt::kF32, true, {}, {range}};
}

Traced Apply(const std::string& function, const std::vector<Traced>& arguments, const Attrs& attrs) {
  const OpRow& row = FunctionRow(function) ? *FunctionRow(function) : RowOf(function);
  Call call = CallOf(row, arguments);
  call.attrs = attrs;
  Dt promoted, compute;
  if (!ComputeDtype(call, &promoted, &compute) || !DefaultOutput(&call)) std::abort();
  Traced y;
  y.dtype = call.outputs[0].dtype;
  if (!BroadcastShape(call.inputs, &y.shape)) std::abort();
  const Dt out = row.BoolResult() ? Dt::kBool : compute;
  Body body(row, attrs, compute, out);
  const int count = static_cast<int>(arguments.size());
  ForEachIndex(y.shape, [&](const std::vector<int64_t>& index) {
    Range ends[3], all{};
    for (int k = 0; k < count; ++k) {
      const auto& fixed = row.inputs[static_cast<size_t>(k)].fixed;
      const Dt type = fixed.empty() ? compute : fixed[0];
      const Range& r = At(arguments[static_cast<size_t>(k)], index);
      ends[k] = {Convert(r.lo, type), Convert(r.hi, type)};
      if (!IsFloat(type) && !Same(ends[k].lo, ends[k].hi)) throw Undecided{};
    }
    // The functions that are used are monotonic between the ends of ranges this narrow, or have an extremum there,
    // where they are flat.
    for (int corner = 0; corner < 1 << count; ++corner) {
      Num v[3];
      bool again = false;
      for (int k = 0; k < count; ++k) {
        v[k] = corner >> k & 1 ? ends[k].hi : ends[k].lo;
        again |= (corner >> k & 1) && Same(ends[k].lo, ends[k].hi);
      }
      if (again) continue;
      const Want want = body(v, count);
      if (!want.known || std::isinf(want.slack)) throw Undecided{};
      const Range range = IsFloat(out) ? Around(want, body.ulp(), compute) : Exactly(Decode(out, want.bits));
      all = corner == 0 ? range : Union(all, range);
    }
    y.elements.push_back(all);
  });
  return y;
}

Traced Cast(const Traced& x, Dt dtype, int64_t rounding) {
  Traced y = x;
  y.dtype = dtype;
  y.number = false;
  for (Range& r : y.elements) {
    r = {Decode(dtype, Encode(r.lo, dtype, Overflow::kDefault, rounding)),
         Decode(dtype, Encode(r.hi, dtype, Overflow::kDefault, rounding))};
    if (!IsFloat(dtype) && !Same(r.lo, r.hi)) throw Undecided{};
  }
  return y;
}

Traced Index(const Traced& x, int axis) {
  Traced y{Dt::kI64, false, x.shape, {}};
  ForEachIndex(x.shape, [&](const std::vector<int64_t>& index) {
    y.elements.push_back(Exactly(Num::Integer(index[index.size() - static_cast<size_t>(-axis)])));
  });
  return y;
}

Traced Extent(const Traced& x, int axis) {
  return Number(static_cast<int>(x.shape[x.shape.size() - static_cast<size_t>(-axis)]));
}

Traced DropoutMask(const Traced& x, double p, uint64_t seed, uint64_t offset) {
  Traced y{Dt::kBool, false, x.shape, {}};
  for (size_t i = 0; i < x.elements.size(); ++i) {
    const bool keep = static_cast<double>(Philox(seed, i / 4, offset).w[i % 4]) >= p * 0x1p32;
    y.elements.push_back(Exactly(Num::Integer(keep)));
  }
  return y;
}

Traced Chunk(const Traced& x, int i, int n) {
  const int64_t part = x.shape.back() / n;
  return Taken(x, part, [&](int64_t at) { return i * part + at; });
}

Traced Every(const Traced& x, int i, int n) {
  return Taken(x, x.shape.back() / n, [&](int64_t at) { return at * n + i; });
}

Traced Concat(const Traced& a, const Traced& b) { return Joined(a, b, false); }
Traced Interleave(const Traced& a, const Traced& b) { return Joined(a, b, true); }

}  // namespace optest
