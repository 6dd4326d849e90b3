#include "reference.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

#include "reference_position.h"

namespace optest {
namespace {

// A 0-d operand raises the dtype only to a higher category.
bool PromoteInputs(const Call& call, Dt* out) {
  bool any[2] = {};
  Dt joined[2] = {};
  for (size_t k = 0; k < call.inputs.size(); ++k) {
    const Array& a = call.inputs[k];
    if (!a.present || !call.row->inputs[k].fixed.empty()) continue;
    if (call.row->rule == "masked_fill" && k == 2) continue;
    if (!call.row->Accepts(a.dtype)) return false;
    const int group = a.shape.empty();
    if (any[group] && !Promote(joined[group], a.dtype, &joined[group])) return false;
    if (!any[group]) joined[group] = a.dtype;
    any[group] = true;
  }
  if (!any[0] && !any[1]) return *out = call.outputs[0].dtype, true;
  if (!any[0] || !any[1]) return *out = joined[any[1]], true;
  const auto rank = [](Dt t) { return IsFloat(t) ? 2 : t == Dt::kBool ? 0 : 1; };
  *out = rank(joined[1]) > rank(joined[0]) ? joined[1] : joined[0];
  return true;
}

// Steps of an input through the row-major elements of a broadcast shape.
class Walker {
 public:
  Walker(const Array& a, const std::vector<int64_t>& shape) : steps_(shape.size(), 0) {
    int64_t step = 1;
    for (size_t d = 0; d < a.shape.size(); ++d) {
      const int64_t extent = a.shape[a.shape.size() - 1 - d];
      if (extent != 1) steps_[shape.size() - 1 - d] = step;
      step *= extent;
    }
  }
  int64_t At(const std::vector<int64_t>& index) const {
    int64_t at = 0;
    for (size_t d = 0; d < index.size(); ++d) at += index[d] * steps_[d];
    return at;
  }

 private:
  std::vector<int64_t> steps_;
};

// Prepared scalars, until the operator changes: their results are worth keeping.
Scalar& ScalarFor(const Call& call, const Attrs& attrs, Dt compute, Dt out) {
  static std::string op;
  static auto* known = new std::map<std::string, std::unique_ptr<Scalar>>;
  if (op != call.row->name) known->clear();
  op = call.row->name;
  std::string key = std::string(Info(compute).name) + Info(out).name;
  for (const Attr& a : attrs) {
    char text[96];
    std::snprintf(text, sizeof text, " %s=%a", a.name.c_str(), a.d);
    key += text;
  }
  auto& slot = (*known)[key];
  if (!slot) slot = std::make_unique<Scalar>(*call.row, attrs, compute, out);
  return *slot;
}

// The dtype that a 0-d operand of a comparison is rounded to: that of the operand with dimensions, if it is narrower.
const Dt* RoundedForComparison(const Call& call, size_t k) {
  if (call.row->category != "comparison" || call.inputs.size() != 2) return nullptr;
  const Array &mine = call.inputs[k], &other = call.inputs[1 - k];
  const bool rounds = mine.shape.empty() && !other.shape.empty() && IsNarrow(other.dtype) && mine.dtype != other.dtype;
  return rounds ? &other.dtype : nullptr;
}

Expected Elementwise(const Call& call) {
  const Array& out = call.outputs[0];
  Dt promoted, compute;
  if (!ComputeDtype(call, &promoted, &compute)) std::abort();
  Attrs attrs = call.attrs;
  if (call.row->name == "nan_to_num" && IsFloat(promoted)) {
    const double extreme = MaxFinite(promoted);
    if (!FindAttr(attrs, "posinf")) attrs.push_back(Attr("posinf", extreme));
    if (!FindAttr(attrs, "neginf")) attrs.push_back(Attr("neginf", -extreme));
  }
  if (call.row->name == "nextafter") attrs.push_back(Attr("dtype", static_cast<int>(promoted)));
  Scalar& scalar = ScalarFor(call, attrs, compute, out.dtype);
  Expected expected;
  expected.ulp = scalar.ulp();
  expected.ulp_dtype = scalar.ulp_dtype();

  // Bits are kept where nothing needs conversion.
  const bool selects = call.row->compute == "bits" || call.row->compute == "source";
  expected.nan_bits = selects && out.dtype != Dt::kBool;
  for (size_t k = 0; k < call.inputs.size(); ++k)
    if (call.inputs[k].present && call.row->inputs[k].fixed.empty())
      expected.nan_bits &= call.inputs[k].dtype == out.dtype;

  const size_t operands = call.row->inputs.size();
  struct Source {
    const Array* array;  // NULL: a constant
    Walker walker;
    Num constant;
    Dt type;            // converted to
    const Dt* rounded;  // before that; or NULL
  };
  std::vector<Source> sources;
  for (size_t k = 0; k < operands; ++k) {
    const OperandRow& spec = call.row->inputs[k];
    const Array* a = k < call.inputs.size() && call.inputs[k].present ? &call.inputs[k] : nullptr;
    Dt type = compute;
    if (!spec.fixed.empty()) type = spec.fixed[0];
    Num constant{};
    if (!a) {
      double value;
      if (call.row->name == "clamp") {
        value = NumberOr(attrs, spec.fallback, spec.fallback == "min" ? -HUGE_VAL : HUGE_VAL);
      } else {
        value = NumberOr(attrs, spec.fallback, 0.5);  // lerp's weight has that default
      }
      constant = Decode(type, Encode(Num::Float(value), type, OverflowOf(attrs)));
    }
    sources.push_back(
        {a, a ? Walker(*a, out.shape) : Walker(Array{}, {}), constant, type, RoundedForComparison(call, k)});
  }

  const int64_t n = out.NumElements();
  expected.elements.reserve(static_cast<size_t>(n));
  std::vector<int64_t> index(out.shape.size(), 0);
  Num args[3];
  for (int64_t e = 0; e < n; ++e) {
    uint64_t raw[3] = {};
    for (size_t k = 0; k < operands; ++k) {
      const Source& s = sources[k];
      if (!s.array) {
        args[k] = s.constant;
        continue;
      }
      raw[k] = s.array->bits[static_cast<size_t>(s.walker.At(index))];
      args[k] = Decode(s.array->dtype, raw[k]);
      if (s.rounded) args[k] = Decode(*s.rounded, Encode(args[k], *s.rounded));
      if (s.array->dtype != s.type) args[k] = Convert(args[k], s.type);
    }
    if (expected.nan_bits) {
      Want want;
      if (call.row->name == "where") want.bits = args[0].i ? raw[1] : raw[2];
      else if (call.row->name == "cast") want.bits = raw[0];
      else want.bits = !args[1].i ? raw[0] : sources[2].array ? raw[2] : Encode(args[2], out.dtype, OverflowOf(attrs));
      expected.elements.push_back(want);
    } else {
      expected.elements.push_back(scalar(args, static_cast<int>(operands)));
    }
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < out.shape[d]) break;
      index[d] = 0;
    }
  }
  return expected;
}

// Operators whose operands are other views than a broadcast, brought into that form.
Call AsBroadcast(const Call& call) {
  Call plain = call;
  Array& x = plain.inputs[0];
  if (call.row->rule == "prelu" && plain.inputs[1].shape.size() == 1 && plain.inputs[1].shape[0] != 1) {
    Array& w = plain.inputs[1];
    const int64_t rank = static_cast<int64_t>(x.shape.size());
    int64_t axis = IntegerOr(call.attrs, "axis", 1);
    if (axis < 0) axis += rank;
    std::vector<int64_t> shape(static_cast<size_t>(rank - axis), 1);
    shape[0] = w.shape[0];
    w.shape = shape;
  }
  if (call.row->rule == "gated" && (plain.inputs.size() < 2 || !plain.inputs[1].present)) {
    Array gate = x, value = x;
    const int64_t row = x.shape.back(), half = row / 2;
    gate.shape.back() = value.shape.back() = half;
    gate.bits.clear();
    value.bits.clear();
    for (size_t i = 0; i < x.bits.size(); ++i)
      (static_cast<int64_t>(i) % row < half ? gate : value).bits.push_back(x.bits[i]);
    plain.inputs = {gate, value};
  }
  return plain;
}

}  // namespace

double MaxFinite(Dt t) {
  switch (t) {
    case Dt::kF16: return 65504;
    case Dt::kBF16: return 0x1.fep127;
    case Dt::kF32: return 0x1.fffffep127;
    case Dt::kE4M3: return 448;
    case Dt::kE5M2: return 57344;
    default: return 0x1.fffffffffffffp1023;
  }
}

bool ComputeDtype(const Call& call, Dt* promoted, Dt* compute) {
  if (!PromoteInputs(call, promoted)) return false;
  const Dt own = ComputeType(*promoted), as_float = IsFloat(*promoted) ? own : Dt::kF32;
  const std::string& rule = call.row->compute;
  if (rule == "truth") *compute = Dt::kBool;
  else if (rule == "to_float") *compute = as_float;
  else if (rule == "quotient") *compute = IntegerOr(call.attrs, "rounding", 0) == 0 ? as_float : own;
  else *compute = own;
  return true;
}

bool BroadcastShape(const std::vector<Array>& inputs, std::vector<int64_t>* shape) {
  shape->clear();
  for (const Array& a : inputs) {
    if (!a.present) continue;
    if (a.shape.size() > shape->size()) shape->insert(shape->begin(), a.shape.size() - shape->size(), 1);
    const size_t lead = shape->size() - a.shape.size();
    for (size_t d = 0; d < a.shape.size(); ++d) {
      int64_t& extent = (*shape)[lead + d];
      if (a.shape[d] == extent || a.shape[d] == 1) continue;
      if (extent != 1) return false;
      extent = a.shape[d];
    }
  }
  return true;
}

std::vector<Expected> Reference(const Call& call) {
  const std::string& rule = call.row->rule;
  if (rule == "rope") return {Rope(call)};
  if (rule == "dropout") return Dropout(call);
  if (rule == "alibi") return {Alibi(call)};
  if (rule == "sinusoidal") return {Sinusoidal(call)};
  return {Elementwise(AsBroadcast(call))};
}

}  // namespace optest
