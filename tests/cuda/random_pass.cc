#include "random_pass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <random>

#include "base/error.h"
#include "cpu/backend.h"
#include "op/op_table.h"
#include "plan/context.h"
#include "problem/analysis.h"
#include "random_index.h"
#include "tileops/device/convert.h"

namespace tileops::passes {

void put_number(Dtype dtype, double number, uint8_t* to) {
  using namespace device;
  switch (dtype) {
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, category, exponent, fraction, largest, compute, \
                      storage, saturating, npy, doc)                                                                \
  case Dtype::id: {                                                                                                 \
    const storage element = convert<storage>(number);                                                               \
    std::memcpy(to, &element, sizeof element);                                                                      \
    break;                                                                                                          \
  }
#include <tileops/dtypes.def>
  }
}

namespace {

constexpr Dtype kDtypes[] = {
#define TILEOPS_DTYPE(id, ...) Dtype::id,
#include <tileops/dtypes.def>
};
constexpr Dtype kFloats[] = {Dtype::f32, Dtype::bf16, Dtype::f16, Dtype::f64, Dtype::e4m3fn, Dtype::e5m2};

// Has the CPU a kernel of the body in this type?
bool has_kernel(const BodyInfo& body, size_t num_attrs, Ctype ctype) {
  static std::map<std::pair<const BodyInfo*, Ctype>, bool> known;
  const auto [at, is_new] = known.try_emplace({&body, ctype});
  if (!is_new) return at->second;
  Builder b({4});
  std::vector<Value> arguments;
  for (size_t i = 0; i < body.operands.size(); ++i)
    arguments.push_back(b.load(static_cast<int>(i), ctype_dtype(body.operands[i].in(ctype))));
  const Value v = b.convert(b.apply(body, arguments, std::vector<AttrValue>(num_attrs), ctype), Dtype::f64);
  b.store(0, Dtype::f64, v);
  try {
    const auto state = cpu::cpu_backend().make_state(TILEOPS_CONTEXT_OPTIONS_INIT, {});
    cpu::cpu_backend().check(b.problem(), DLDevice{kDLCPU, 0}, *state);
    at->second = true;
  } catch (const Error&) {
    at->second = false;
  }
  return at->second;
}

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  RandomPass run() {
    Shape shape;
    const int64_t sizes[] = {1, 2, 3, 5, 8, 16, 31, 64, 100, 129};
    for (uint64_t n = 1 + below(3); shape.size() < n;) shape.push_back(sizes[below(std::size(sizes))]);
    if (chance(10)) shape = {static_cast<int64_t>(70000 + below(3))};
    r_.builder = Builder(shape);
    for (uint64_t n = 1 + below(chance(10) ? 20 : 5); n > 0; --n) add_input();
    if (chance(40)) add_numbers();
    if (chance(30)) keep(r_.builder.index(below(shape.size())), Ctype::i64);
    for (uint64_t n = 2 + below(chance(15) ? 40 : 10); r_.builder.pass.steps.size() < n;) add_step();
    for (uint64_t n = 1 + below(chance(15) ? 12 : 3); r_.outputs.size() < n;) add_output();
    if (chance(50)) choose_hint();
    return std::move(r_);
  }

 private:
  uint64_t below(uint64_t n) { return random_() % n; }
  bool chance(uint64_t percent) { return below(100) < percent; }
  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random_); }
  template <class T, size_t N>
  const T& one_of(const T (&list)[N]) {
    return list[below(N)];
  }
  Shape& shape() { return r_.builder.shape; }
  Pass& pass() { return r_.builder.pass; }

  Ctype type_of(const Value& v) { return PassInfo(pass()).of(v).type; }
  void keep(Value v, Ctype type) { values_[type].push_back(v); }

  // A value of the type: known, the later the likelier, or a conversion of another.
  Value value_of(Ctype type) {
    auto& known = values_[type];
    if (!known.empty() && !chance(5))
      return known[known.size() - 1 - std::min(below(known.size()), below(known.size()))];
    const Value v = r_.builder.convert(any_value(), ctype_dtype(type));
    keep(v, type);
    return v;
  }
  Value any_value() {
    for (;;) {
      const auto at = std::next(values_.begin(), static_cast<long>(below(values_.size())));
      if (at->second.empty()) continue;
      const Value v = at->second[below(at->second.size())];
      if (is_of_type(v, at->first)) return v;
    }
  }
  // Not a number that bodies take in another type than its own: conversions and stores would take it in that.
  bool is_of_type(const Value& v, Ctype type) {
    return v.kind == Value::Kind::step || compute_type(pass().loads[static_cast<size_t>(v.index)].dtype) == type;
  }

  // Scales are made from f32 alone.
  Dtype allowed(const Value& v, Dtype to) {
    const bool from_f32 = v.kind == Value::Kind::load
                              ? compute_type(pass().loads[static_cast<size_t>(v.index)].dtype) == Ctype::f32
                              : type_of(v) == Ctype::f32;
    return is_scale(to) && !from_f32 ? Dtype::bf16 : to;
  }

  // ---- operands

  // Strides of the shape in memory of one's own, its size in elements, and where element 0 lies.
  struct Layout {
    std::vector<Extent> strides;
    int64_t elements = 1, first = 0;
    bool is_dense = true;
  };
  Layout random_layout(bool is_store) {
    Layout l;
    Shape memory = shape();
    std::vector<size_t> order(memory.size());
    for (size_t d = 0; d < order.size(); ++d) order[d] = d;
    const uint64_t kind = below(100);
    bool strided = false;
    std::vector<bool> repeated(memory.size());
    if (kind >= 50) l.is_dense = false;
    if (kind >= 50 && kind < 65) std::shuffle(order.begin(), order.end(), random_);
    if (kind >= 65 && kind < 75) strided = true;
    if (kind >= 75 && kind < 80) l.first = 1 + static_cast<int64_t>(below(5));
    if (kind >= 80 && !is_store)
      for (size_t d = 0; d < repeated.size(); ++d) repeated[d] = kind >= 97 || chance(50);
    l.strides.assign(memory.size(), 0);
    int64_t step = strided ? 2 : 1;
    for (size_t i = order.size(); i-- > 0;) {
      const size_t d = order[i];
      if (repeated[d]) continue;
      l.strides[d] = step;
      step *= memory[d];
    }
    l.elements = l.first + step;
    return l;
  }

  void add_input() {
    const Dtype dtype = chance(70) ? one_of(kFloats) : one_of(kDtypes);
    const Layout l = random_layout(false);
    const int64_t size = static_cast<int64_t>(dtype_size(dtype));
    std::vector<Extent> strides = l.strides;
    for (Extent& s : strides) s *= size;
    int64_t length = l.elements * size;
    View view = view_of(ViewKind::input, 0, dtype, strides);
    const bool is_gathered = chance(15);
    if (is_gathered) gather_at_random(&r_, &random_, shape().size(), &view, &length);
    const int slot = static_cast<int>(r_.inputs.size());
    const Value v = r_.builder.load(slot, dtype, view.strides);
    view.slot = slot;
    view.offset = l.first * size;
    pass().loads.back() = std::move(view);
    Bytes bytes(static_cast<size_t>(length));
    const double range = chance(30) ? 100 : 4;
    const bool special = chance(30);
    for (size_t at = 0; at < bytes.size(); at += static_cast<size_t>(size)) {
      put_number(dtype, is_float(dtype) ? uniform(-range, range) : std::floor(uniform(-range, range)), &bytes[at]);
      if (special && chance(10) && dtype != Dtype::boolean)
        for (int64_t b = 0; b < size; ++b) bytes[at + static_cast<size_t>(b)] = static_cast<uint8_t>(random_());
    }
    r_.inputs.push_back(std::move(bytes));
    if (l.is_dense && !is_gathered) dense_.push_back(slot);
    keep(v, compute_type(dtype));
  }

  void add_numbers() {
    const auto add = [&](Dtype dtype, AttrValue value, Ctype type) {
      keep(r_.builder.number(static_cast<int>(r_.numbers.size()), dtype), type);
      r_.numbers.push_back(value);
    };
    AttrValue f64, i64, truth;
    f64.f64 = uniform(-3, 3);
    i64.i64 = static_cast<int64_t>(below(20)) - 10;
    truth.i64 = static_cast<int64_t>(below(2));
    if (chance(80)) add(Dtype::f64, f64, chance(80) ? Ctype::f32 : Ctype::f64);
    if (chance(30)) add(Dtype::i64, i64, chance(50) ? Ctype::f32 : Ctype::i64);
    if (chance(30)) add(Dtype::boolean, truth, Ctype::boolean);
  }

  // ---- steps

  AttrValue random_attr(const tileops_attr_info& info, Ctype ctype) {
    AttrValue value;
    const double lo = std::max(info.min_value, -4.0), hi = std::min(info.max_value, 4.0);
    if (info.kind == TILEOPS_ATTR_F64) {
      value.f64 = lo < hi ? uniform(lo, hi) : info.min_value;
      if (info.has_default && chance(30)) value.f64 = info.default_value.f64;
      if (ctype == Ctype::f32) value.f64 = static_cast<float>(value.f64);
      else if (ctype != Ctype::f64) value.f64 = std::floor(value.f64);
    } else if (info.choices || !(lo < hi)) {
      value.i64 = info.has_default ? info.default_value.i64 : 0;
    } else {
      value.i64 = static_cast<int64_t>(std::floor(uniform(lo, hi)));
    }
    return value;
  }

  void add_step() {
    if (chance(12)) {
      const Value from = any_value();
      const Dtype to = allowed(from, one_of(kDtypes));
      const Value v = r_.builder.convert(from, to, chance(50) ? Fp8Mode::saturate : Fp8Mode::nonsaturating);
      return keep(v, compute_type(to));
    }
    const auto& table = op_table();
    const OpSpec& op = *table[below(table.size())];
    const auto& bodies = bodies_of(op.op);
    const BodyInfo& body = bodies[below(bodies.size())];
    const Ctype types[] = {Ctype::f32, Ctype::f32, Ctype::f32, Ctype::f32,    Ctype::f64,
                           Ctype::i32, Ctype::i64, Ctype::u8,  Ctype::boolean};
    const Ctype ctype = one_of(types);
    if (body.staged || !has_kernel(body, op.attrs.size(), ctype)) return;
    std::vector<Value> arguments;
    for (const BodyType& type : body.operands) arguments.push_back(value_of(type.in(ctype)));
    std::vector<AttrValue> attrs;
    for (const AttrSpec& a : op.attrs) attrs.push_back(random_attr(a.info, ctype));
    Value v = r_.builder.apply(body, arguments, attrs, ctype);
    if (!attrs.empty() && chance(40)) {  // some of them numbers of the execute
      std::vector<int> numbers(attrs.size(), -1);
      for (size_t i = 0; i < attrs.size(); ++i) {
        if (op.attrs[i].info.kind != TILEOPS_ATTR_F64 || chance(50)) continue;
        numbers[i] = static_cast<int>(r_.numbers.size());
        r_.numbers.push_back(attrs[i]);
        pass().steps.back().attrs[i].f64 = 0;
      }
      pass().steps.back().numbers = numbers;
      r_.builder.num_numbers = r_.numbers.size();
    }
    for (size_t k = 0; k < body.results.size(); ++k) {
      v.result = static_cast<int>(k);
      keep(v, body.results[k].in(ctype));
    }
  }

  // ---- results

  void add_output() {
    Value v = any_value();
    const int last = static_cast<int>(pass().steps.size()) - 1;
    if (r_.outputs.empty() || chance(60))
      v = {Value::Kind::step, last - static_cast<int>(below(std::min(last + 1, 4))), 0};
    RandomPass::Output output;
    output.dtype = chance(60) ? one_of(kFloats) : one_of(kDtypes);
    if (chance(30)) output.dtype = ctype_dtype(type_of(v));
    output.dtype = allowed(v, output.dtype);
    // Of a packed dtype rows of whole bytes that lie as they are.
    if (is_packed(output.dtype) && shape().back() % 2) output.dtype = Dtype::e4m3fn;
    const int slot = static_cast<int>(r_.outputs.size());
    const Fp8Mode fp8 = chance(50) ? Fp8Mode::saturate : Fp8Mode::nonsaturating;
    const int64_t size = static_cast<int64_t>(dtype_size(output.dtype));
    if (!dense_.empty() && chance(25)) {
      const size_t at = below(dense_.size());
      const View& load = pass().loads[static_cast<size_t>(load_of(dense_[at]))];
      if (load.dtype == output.dtype) {
        output.in_place_of = dense_[at];
        output.bytes = r_.inputs[static_cast<size_t>(dense_[at])].size();
        r_.builder.store(slot, output.dtype, v, load.strides, fp8);
        dense_.erase(dense_.begin() + static_cast<long>(at));
        r_.outputs.push_back(output);
        return;
      }
    }
    Layout l = random_layout(true);
    while (is_packed(output.dtype) && !l.is_dense) l = random_layout(true);
    std::vector<Extent> strides = l.strides;
    for (Extent& s : strides) s *= size;
    output.bytes = static_cast<size_t>(l.elements * size);
    r_.builder.store(slot, output.dtype, v, strides, fp8);
    pass().stores.back().offset = l.first * size;
    if (!is_packed(output.dtype) && chance(10)) scatter_at_random(&r_, &random_, &pass().stores.back());
    r_.outputs.push_back(output);
  }
  int load_of(int slot) {
    for (size_t i = 0; i < pass().loads.size(); ++i)
      if (pass().loads[i].kind == ViewKind::input && pass().loads[i].slot == slot) return static_cast<int>(i);
    return -1;
  }

  void choose_hint() {
    const LaunchHint hints[] = {
        {TILEOPS_STRATEGY_DIRECT, 64, 0},           {TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 128, 4},
        {TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 0, 8}, {TILEOPS_STRATEGY_REGISTER_COPY, 256, 0},
        {TILEOPS_STRATEGY_REGISTER_COPY, 64, 8},    {TILEOPS_STRATEGY_REGISTER_COPY, 128, 2}};
    r_.hint = one_of(hints);
    const bool packs = std::any_of(r_.outputs.begin(), r_.outputs.end(),
                                   [](const auto& o) { return is_packed(o.dtype); });
    if (packs && r_.hint.strategy == TILEOPS_STRATEGY_EXPLICIT_PARALLEL) r_.hint = {};  // is refused
  }

  std::mt19937_64 random_;
  RandomPass r_;
  std::map<Ctype, std::vector<Value>> values_;
  std::vector<int> dense_;  // inputs that a result may be written to
};

std::string text_of(const Value& v) {
  if (v.kind == Value::Kind::load) return "x" + std::to_string(v.index);
  return "v" + std::to_string(v.index) + (v.result ? "." + std::to_string(v.result) : "");
}

std::string text_of(const View& v) {
  const char* const kinds[] = {"input", "output", "constant", "index", "number", "temporary"};
  std::string s = std::string(kinds[static_cast<int>(v.kind)]) + " " + std::to_string(v.slot) + " " +
                  dtype_name(v.dtype) + " (";
  for (const int64_t stride : v.strides) s += (s.back() == '(' ? "" : ", ") + std::to_string(stride);
  return s + ") from " + std::to_string(v.offset);
}

}  // namespace

RandomPass random_pass(uint64_t seed) { return Generator(seed).run(); }

std::string describe(const Pass& pass) {
  std::string s = "over (";
  for (const int64_t n : pass.extents) s += (s.back() == '(' ? "" : ", ") + std::to_string(n);
  s += ")\n";
  for (size_t i = 0; i < pass.loads.size(); ++i) s += "x" + std::to_string(i) + " = " + text_of(pass.loads[i]) + "\n";
  for (size_t i = 0; i < pass.steps.size(); ++i) {
    const Step& step = pass.steps[i];
    s += "v" + std::to_string(i) + " = ";
    if (step.body) s += step.body->name + "<" + ctype_name(step.ctype) + ">(";
    else s += std::string(dtype_name(step.to)) + (step.fp8 == Fp8Mode::saturate ? "(" : " nonsaturating(");
    for (const Value& v : step.arguments) s += (s.back() == '(' ? "" : ", ") + text_of(v);
    for (size_t a = 0; a < step.attrs.size(); ++a) {
      const bool is_number = a < step.numbers.size() && step.numbers[a] >= 0;
      s += "; " + (is_number ? "number " + std::to_string(step.numbers[a]) : std::to_string(step.attrs[a].f64));
    }
    s += ")\n";
  }
  for (size_t k = 0; k < pass.stores.size(); ++k)
    s += text_of(pass.stores[k]) + (pass.stores[k].fp8 == Fp8Mode::saturate ? " = " : " nonsaturating = ") +
         text_of(pass.stored[k]) + "\n";
  return s;
}

void expect_equal(const RandomPass& pass, const std::vector<Bytes>& got, const std::vector<Bytes>& want,
                  const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (size_t k = 0; k < want.size(); ++k) {
    ASSERT_EQ(got[k].size(), want[k].size()) << what << ": result " << k;
    const Dtype dtype = pass.outputs[k].dtype;
    const size_t size = dtype_size(dtype);
    size_t wrong = 0, first = 0;
    for (size_t at = 0; at < want[k].size(); at += size) {
      if (std::memcmp(&want[k][at], &got[k][at], size) == 0) continue;
      if (is_nan(dtype, &want[k][at]) && is_nan(dtype, &got[k][at])) continue;
      if (wrong++ == 0) first = at;
    }
    if (wrong == 0) continue;
    uint64_t w = 0, g = 0;
    std::memcpy(&w, &want[k][first], size);
    std::memcpy(&g, &got[k][first], size);
    ADD_FAILURE() << what << ": result " << k << ", " << wrong << " of " << want[k].size() / size
                  << " elements, first [" << first / size << "]: got " << std::hex << g << ", want " << w << std::dec
                  << "\n"
                  << describe(pass.builder.pass);
  }
}

bool is_nan(Dtype dtype, const uint8_t* element) {
  using namespace device;
  switch (dtype) {
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, category, exponent, fraction, largest, compute, \
                      storage, saturating, npy, doc)                                                                \
  case Dtype::id: {                                                                                                 \
    storage x;                                                                                                      \
    std::memcpy(&x, element, sizeof x);                                                                             \
    const double number = convert<double>(x);                                                                       \
    return number != number;                                                                                        \
  }
#include <tileops/dtypes.def>
  }
  return false;
}

}  // namespace tileops::passes
