#include "expr/lower/numbers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>

#include "base/error.h"
#include "expr/graph/axes.h"
#include "expr/nodes/host.h"
#include "lower/common.h"
#include "op/scalar.h"

namespace tileops::expr {
namespace {

// The nodes of the host that some number needs, as calls in their order over a short list of values: the scalars, what
// does not change, and results of calls before.
class Computed final : public Numbers {
 public:
  Computed(const Inference& inference, std::vector<NumberForm> forms)
      : graph_(inference.graph), forms_(std::move(forms)) {
    for (const Scalar& s : graph_->scalars) values_.push_back(s.value);
    std::vector<int> place(graph_->nodes.size(), -1);
    for (NumberForm& form : forms_) {
      names_.push_back(form.node < 0 ? "extents: what they give" : name_of(form.node));
      form.node = form.node < 0 ? place_of(form.count, form.correction) : place_of(form.node, inference, &place);
    }
    if (values_.size() > kMostValues)
      unsupported("expr: needs %zu numbers on the host (at most %zu)", values_.size(), kMostValues);
    usual_.resize(forms_.size());
    compute_from(values_.data(), usual_.data());
  }

  void compute(const tileops_number* given, size_t count, const int64_t* extents, AttrValue* out) const override {
    const size_t num_scalars = graph_->scalars.size();
    if (count > num_scalars)
      invalid("num_scalars: the expression has fewer (got %zu, need at most %zu)", count, num_scalars);
    const bool usual = std::all_of(given, given + count,
                                   [](const tileops_number& n) { return n.kind == TILEOPS_NUMBER_DEFAULT; });
    if (usual && open_.empty()) {
      std::copy(usual_.begin(), usual_.end(), out);
      return;
    }
    // Not an array of numbers, whose constructors would take longer than all that is computed.
    alignas(Number) std::byte memory[kMostValues * sizeof(Number)];
    Number* values = reinterpret_cast<Number*>(memory);
    std::uninitialized_copy(values_.begin(), values_.end(), values);
    for (size_t i = 0; i < count; ++i)
      if (given[i].kind != TILEOPS_NUMBER_DEFAULT) values[i] = taken(given[i], i);
    for (const OpenCount& c : open_) values[c.place] = c.number(c.count.at(extents));
    compute_from(values, out);
  }

  Source source_of(size_t number) const override {
    const NumberForm& form = forms_[number];
    const bool is_scalar = form.node < static_cast<int>(graph_->scalars.size()) && !is_narrow_float(form.compared);
    return {is_scalar ? form.node : -1, varies(form.node, true), varies(form.node, false)};
  }

 private:
  static constexpr size_t kMostValues = 512;

  // A value that is a number of elements, which depends on open extents.
  struct OpenCount {
    int place;
    Extent count;
    std::optional<double> correction;  // of a variance's or a mean's; else it is an integer

    Number number(int64_t n) const {
      return correction ? Number::of(std::max(static_cast<double>(n) - *correction, 0.0)) : Number::of(n);
    }
  };

  struct Call {
    Node node;  // of places in the list of values
    HostCall call;
    bool is_resolved;  // only operands change
    ResolvedCall resolved;
    int result;

    Number value(const Number* values) const {
      if (is_resolved) {
        Number loads[TILEOPS_MAX_INPUTS];
        for (size_t i = 0; i < node.arguments.size(); ++i) {
          const int from = node.arguments[i].node;
          loads[i] = from >= 0 ? values[from] : resolved.loads[i];
        }
        return resolved.body(resolved.attrs, loads);
      }
      HostCall now = call;
      take_values(node, values, &now);
      return evaluate(now);
    }
  };

  int place_of(const Extent& count, std::optional<double> correction) {
    const OpenCount c{static_cast<int>(values_.size()), count, correction};
    if (count.is_open()) open_.push_back(c);
    return add(c.number(count.typical()));
  }

  // Where a node's value is.
  int place_of(int i, const Inference& inference, std::vector<int>* places) {
    int& place = (*places)[i];
    if (place >= 0) return place;
    const Node& node = graph_->nodes[i];
    if (node.kind == Node::Kind::scalar) return place = node.index;
    if (node.kind == Node::Kind::constant) return place = add(node.value);
    if (node.is(Kind::extent)) {
      const TensorSpec& x = inference.nodes[node.arguments[0].node].spec;
      Extent n = 1;
      for (const AlongAxis& a : along(node, x.ndim)) n *= x.shape[a.dim];
      return place = place_of(n, std::nullopt);
    }
    Call call;
    call.node = node;
    for (Argument& a : call.node.arguments)
      if (a.node >= 0) a.node = place_of(a.node, inference, places);
    for (Attribute& a : call.node.attributes)
      if (a.node >= 0) a.node = place_of(a.node, inference, places);
    call.call = host_call(call.node, values_.data());
    const bool* varies = call.call.varies;
    call.is_resolved = std::none_of(varies, varies + TILEOPS_MAX_ATTRS, [](bool v) { return v; });
    if (call.is_resolved) call.resolved = resolve(call.call);
    call.result = add(call.value(values_.data()));  // its type is known to the calls behind it
    calls_.push_back(std::move(call));
    return (*places)[i] = calls_.back().result;
  }

  // Does a value change with open extents or, if these count, with scalars?
  bool varies(int place, bool with_scalars) const {
    if (place < static_cast<int>(graph_->scalars.size())) return with_scalars;
    for (const OpenCount& c : open_)
      if (c.place == place) return true;
    for (const Call& c : calls_) {
      if (c.result != place) continue;
      const auto of = [&](const auto& list) {
        return std::any_of(list.begin(), list.end(),
                           [&](const auto& a) { return a.node >= 0 && varies(a.node, with_scalars); });
      };
      return of(c.node.arguments) || of(c.node.attributes);
    }
    return false;
  }

  int add(const Number& value) {
    values_.push_back(value);
    return static_cast<int>(values_.size()) - 1;
  }

  Number taken(const tileops_number& given, size_t i) const {
    const Scalar& scalar = graph_->scalars[i];
    const char* name = scalar.name.c_str();
    const bool integer = scalar.value.type == Number::Type::i64;
    if (given.kind == TILEOPS_NUMBER_I64)
      return integer ? Number::of(given.value.i64) : Number::of(static_cast<double>(given.value.i64));
    if (given.kind == TILEOPS_NUMBER_BOOL)
      invalid("scalars[%zu]: '%s' takes no bool (need %s)", i, name, integer ? "an integer" : "a float or an integer");
    if (given.kind != TILEOPS_NUMBER_F64)
      invalid("scalars[%zu]: '%s' has an unknown kind (got %d, need a float or an integer)", i, name, given.kind);
    const double v = given.value.f64;
    if (!integer) return Number::of(v);
    if (!(v >= -0x1p63 && v < 0x1p63) || v != std::floor(v))
      invalid("scalars[%zu]: '%s' must be an integer (got %.10g)", i, name, v);
    return Number::of(static_cast<int64_t>(v));
  }

  std::string name_of(int node) const {
    const Node& n = graph_->nodes[node];
    if (n.kind != Node::Kind::scalar) return "scalars: what they give";
    return strf("scalars[%d]: '%s'", n.index, graph_->scalars[n.index].name.c_str());
  }

  // Puts results of calls among the values.
  void compute_from(Number* values, AttrValue* out) const {
    for (const Call& c : calls_) values[c.result] = c.value(values);
    for (size_t i = 0; i < forms_.size(); ++i) out[i] = in_form(values[forms_[i].node], forms_[i], names_[i].c_str());
  }

  std::shared_ptr<const Graph> graph_;
  std::vector<NumberForm> forms_;   // of places in the list of values
  std::vector<std::string> names_;  // of these, for messages
  std::vector<Number> values_;      // scalars first, as they are by default
  std::vector<OpenCount> open_;
  std::vector<Call> calls_;
  std::vector<AttrValue> usual_;  // what the defaults give
};

// A number for an integer dtype, as an attribute of this kind takes it; bounds are brought into its range.
Number as_integer(const Number& value, Dtype dtype, Fit fit, const char* name) {
  if (fit == Fit::unused) return value;
  if (value.type == Number::Type::f64)
    invalid("%s must be an integer for %s (got %.10g)", name, dtype_name(dtype), value.f64);
  const int64_t v = value.as_i64();
  if (fit == Fit::any || fits(v, dtype)) return value;
  const int bits = static_cast<int>(8 * dtype_size(dtype));
  const int64_t least = -1 - (INT64_MAX >> (64 - bits));
  if (fit == Fit::saturates)
    return Number::of(v >= 0                     ? (INT64_MAX >> (64 - bits - !is_signed_integer(dtype)))
                      : is_signed_integer(dtype) ? least
                                                 : int64_t{0});
  if (fit != Fit::wraps || v >= 0 || v < least)
    invalid("%s is out of range for %s (got %lld)", name, dtype_name(dtype), static_cast<long long>(v));
  return value;
}

}  // namespace

int NumberTable::find_or_add(const NumberForm& form) {
  for (size_t i = 0; i < forms_.size(); ++i) {
    const NumberForm& f = forms_[i];
    if (f.node == form.node && f.type == form.type && f.memory == form.memory && f.attr == form.attr &&
        f.compared == form.compared && f.saturates == form.saturates && f.count == form.count &&
        f.correction == form.correction)
      return static_cast<int>(i);
  }
  forms_.push_back(form);
  return static_cast<int>(forms_.size()) - 1;
}

std::shared_ptr<const Numbers> NumberTable::finish(const Inference& inference) const {
  return std::make_shared<const Computed>(inference, forms_);
}

AttrValue in_form(const Number& value, const NumberForm& form, const char* name) {
  AttrValue v{};
  if (form.memory == Number::Type::boolean) {
    v.i64 = value.type == Number::Type::f64 ? value.f64 != 0 : value.i64 != 0;
    return v;
  }
  const Number number = is_floating(form.type) || form.type == Ctype::boolean
                            ? value
                            : as_integer(value, ctype_dtype(form.type),
                                         form.saturates ? Fit::saturates
                                         : form.attr    ? fit_of(form.attr->info.key)
                                                        : Fit::exact,
                                         name);
  if (form.attr) {
    const tileops_attr_info& info = form.attr->info;
    if (!(value.as_f64() >= info.min_value && value.as_f64() <= info.max_value) &&
        (std::isfinite(info.min_value) || std::isfinite(info.max_value)))
      invalid("%s is out of range for '%s' (got %.10g, need %.10g to %.10g)", name, info.name, value.as_f64(),
              info.min_value, info.max_value);
  }
  if (form.memory == Number::Type::i64) v.i64 = number.as_i64();
  else if (is_narrow_float(form.compared)) v.f64 = rounded_to(number.as_f64(), form.compared);
  else v.f64 = form.type == Ctype::f32 ? static_cast<float>(number.as_f64()) : number.as_f64();
  return v;
}

}  // namespace tileops::expr
