#include "cases.h"

#include <cmath>
#include <map>
#include <random>
#include <tuple>

namespace optest {
namespace {

std::vector<uint64_t> MakePool(Dt t, double lo, double hi) {
  std::mt19937_64 random(static_cast<uint64_t>(t) * 7919 + 17);
  std::vector<uint64_t> pool;
  if (t == Dt::kBool) return {0, 1, 1, 0, 2, 0, 255, 1};  // any byte but 0 is true
  const int bits = Info(t).size * 8;
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  std::uniform_real_distribution<double> uniform(lo, hi);
  for (int i = 0; i < 48; ++i) {
    const double v = uniform(random);
    pool.push_back(Encode(Num::Float(IsFloat(t) ? v : std::round(v)), t));
  }
  if (IsInt(t)) {
    for (int64_t v : {0, 1, 2, 3, -1, -2, 7, 63, 64}) pool.push_back(static_cast<uint64_t>(v) & mask);
    const uint64_t top = uint64_t{1} << (bits - 1);
    for (uint64_t v : {top, top - 1, top + 1, mask}) pool.push_back(v & mask);
    for (int i = 0; i < 12; ++i) pool.push_back(random() & mask);
    return pool;
  }
  for (double v : {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, 1e-3, -1e-3, 1e30, -1e30, 20.5, -20.5, 88.7, -103.5,
                   double{INFINITY}, -double{INFINITY}, double{NAN}})
    pool.push_back(Encode(Num::Float(v), t));
  const uint64_t sign = uint64_t{1} << (bits - 1);
  uint64_t largest = Encode(Num::Float(INFINITY), t, Overflow::kSaturate);
  if (t != Dt::kE4M3 && t != Dt::kE5M2) largest = Encode(Num::Float(INFINITY), t) - 1;
  for (uint64_t v : {uint64_t{1}, uint64_t{3}, sign | 1, largest, sign | largest}) pool.push_back(v);
  for (int i = 0; i < 16; ++i) pool.push_back(random() & mask);  // any bits
  return pool;
}

uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

}  // namespace

std::vector<Variant> VariantsOf(const OpRow& row, Dt t) {
  const std::string& n = row.name;
  const bool f = IsFloat(t), signs = f || Info(t).kind == 'i';
  std::vector<Variant> all;
  const auto add = [&](Attrs attrs, std::vector<bool> given = {}) {
    all.push_back({std::move(attrs), std::move(given)});
  };
  if (n == "pow") {
    add({}, {true, true});
    for (double e : {2.0, 3.0, 0.0, 1.0, 5.0}) add({{"exponent", e}});
    if (signs)  // others cannot hold them
      for (double e : {-1.0, -2.0, -3.0}) add({{"exponent", e}});
    if (f)
      for (double e : {0.5, -0.5, 2.5, 0.3}) add({{"exponent", e}});
  } else if (n == "lerp") {
    add({}, {true, true, true});
    add({});
    for (double w : {0.0, 1.0, 0.3, -0.7, 1.5}) add({{"weight", w}});
  } else if (n == "clamp") {
    add({}, {true, true, true});
    add({{"min", signs ? -1.0 : 1.0}, {"max", 2.0}});
    add({{"min", 0.0}});
    add({{"max", 1.0}});
    add({{"min", 5.0}, {"max", 3.0}});  // max wins
    add({{"max", 50.0}}, {true, true, false});
    add({}, {true, false, true});
    if (f) add({{"min", -0.3}, {"max", 0.7}});
  } else if (n == "masked_fill") {
    add({}, {true, true, true});
    add({{"value", 3.0}});
    if (f)
      for (double v : {-HUGE_VAL, 0.1, -0.0}) add({{"value", v}});
  } else if (row.rule == "gated") {
    add({});
    add({}, {true, true});
  } else {
    add({});
  }
  if (n == "add" || n == "sub") {
    add({{"alpha", 3.0}});
    if (signs) add({{"alpha", -2.0}});
    if (f) add({{"alpha", 0.7}});
    add({{"alpha", 0.0}});
  }
  if (n == "div" && t != Dt::kBool) {
    add({{"rounding", 1}});
    add({{"rounding", 2}});
  }
  if (n == "round") {
    const int most = t == Dt::kF64 ? 22 : 10;
    for (int d : {2, -1, 1, -3, most, -most}) add({{"decimals", d}});
  }
  if (n == "gelu") add({{"approximate", 1}});
  if (n == "leaky_relu")
    for (double s : {0.2, 0.0, 1.5, -0.5}) add({{"negative_slope", s}});
  if (n == "elu")
    for (double a : {1.7, 0.0, -0.5}) add({{"alpha", a}});
  if (n == "hardtanh") {
    add({{"min_val", 0.0}, {"max_val", 6.0}});
    add({{"min_val", -0.3}, {"max_val", 0.1}});
  }
  if (n == "softplus") {
    add({{"beta", 2.0}, {"threshold", 5.0}});
    add({{"beta", 0.3}, {"threshold", 1.0}});
  }
  if (n == "nan_to_num") {
    add({{"nan", 2.0}, {"posinf", 7.0}, {"neginf", signs ? -7.0 : 7.0}});
    add({{"posinf", 1.0}});
  }
  return all;
}

const std::vector<uint64_t>& Pool(Dt t, double lo, double hi) {
  static auto* pools = new std::map<std::tuple<Dt, double, double>, std::vector<uint64_t>>;
  auto& pool = (*pools)[{t, lo, hi}];
  if (pool.empty()) pool = MakePool(t, lo, hi);
  return pool;
}

Array Fill(Dt t, const std::vector<int64_t>& shape, double lo, double hi, uint64_t seed) {
  Array a;
  a.dtype = t;
  a.shape = shape;
  const auto& pool = Pool(t, lo, hi);
  const int64_t n = a.NumElements();
  a.bits.reserve(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    // The values repeat in no pattern that an address error could match.
    const uint64_t mixed = Mix(seed * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(i));
    a.bits.push_back(pool[mixed % pool.size()]);
  }
  return a;
}

Call MakeCall(const OpRow& row, const Variant& variant, const std::vector<Dt>& dtypes,
              const std::vector<std::vector<int64_t>>& shapes, uint64_t seed) {
  Call call;
  call.row = &row;
  call.attrs = variant.attrs;
  size_t free_operand = 0;
  for (size_t k = 0; k < row.inputs.size(); ++k) {
    const OperandRow& spec = row.inputs[k];
    const bool given = k < variant.given.size() ? variant.given[k] : !spec.optional;
    std::vector<int64_t> shape = shapes[k < shapes.size() ? k : shapes.size() - 1];
    Dt t = dtypes[free_operand < dtypes.size() ? free_operand : dtypes.size() - 1];
    if (!spec.fixed.empty()) t = spec.fixed[0];
    else ++free_operand;
    if (!given) {
      Array absent;
      absent.present = false;
      call.inputs.push_back(absent);
      continue;
    }
    if (row.rule == "masked_fill" && k == 2) shape.clear();
    if (row.rule == "prelu" && k == 1) {
      const auto& x = call.inputs[0].shape;
      int64_t axis = IntegerOr(call.attrs, "axis", 1);
      if (axis < 0) axis += static_cast<int64_t>(x.size());
      shape.clear();
      if (axis >= 0 && axis < static_cast<int64_t>(x.size())) shape.push_back(x[static_cast<size_t>(axis)]);
    }
    if (row.rule == "gated" && row.inputs.size() > 1 && variant.given.empty()) shape.back() *= 2;
    call.inputs.push_back(Fill(t, shape, row.lo, row.hi, seed * 31 + k));
  }
  while (!call.inputs.empty() && !call.inputs.back().present) call.inputs.pop_back();
  Array out;
  std::vector<Array> main(call.inputs);
  if (row.rule == "prelu") main.resize(1);
  BroadcastShape(main, &out.shape);
  if (row.rule == "gated" && call.inputs.size() == 1) out.shape.back() /= 2;
  call.outputs.push_back(out);
  return call;
}

bool DefaultOutput(Call* call) {
  Dt promoted, compute;
  if (!ComputeDtype(*call, &promoted, &compute)) return false;
  const std::string& rule = call->row->compute;
  Dt out = promoted;
  if (call->row->BoolResult()) out = Dt::kBool;
  else if ((rule == "to_float" || rule == "quotient") && !IsFloat(promoted)) out = compute;
  call->outputs[0].dtype = out;
  return true;
}

}  // namespace optest
