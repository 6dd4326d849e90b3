#include "element.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "cli/selftest/reference.h"
#include "expr/infer/map.h"
#include "lower/common.h"

namespace rowtest {
namespace {

namespace cli = tileops::cli;
namespace expr = tileops::expr;
using expr::Number;

// Functions that only expressions have, in the form of the operators' definitions.
const cli::Reference* FindReference(const std::string& name) {
  static const std::map<std::string, cli::Reference> more = {
      {"fma",
       {0, 0, 0, [](const cli::Element& e, const cli::Problem&) { return cli::Cell{e.x[0] * e.x[1] + e.x[2]}; }}},
  };
  const auto it = more.find(name);
  return it == more.end() ? cli::find_reference(name) : &it->second;
}

DLDataType Dl(Dtype dtype) { return tileops::dtype_to_dl(dtype); }

// What one element is: the value, and how far off its own step may be.
struct Cell {
  Real value = 0, own = 0;
};

class Function {
 public:
  Function(const expr::Graph& graph, const expr::Node& node, const std::vector<expr::NodeType>& types,
           const std::vector<Number>& numbers, Promise promise)
      : graph_(graph), node_(node), types_(types), promise_(promise), reference_(FindReference(node.function->name)) {
    if (!reference_) throw std::logic_error(std::string("no reference for ") + node.function->name);
    const tileops::Call call = expr::call_of(node, types);
    const Dtype promoted = tileops::promote_inputs(call);
    compute_ = call.op->compute == tileops::Compute::bits ? promoted
                                                          : tileops::ctype_dtype(tileops::choose_ctype(call, promoted));
    if (tileops::is_narrow_float(compute_)) compute_ = Dtype::f32;
    problem_.promoted = Dl(promoted);
    problem_.compute = Dl(compute_);
    problem_.result = Dl(tileops::result_dtype(call));
    AddAttributes(numbers);
  }

  Dtype compute() const { return compute_; }

  // An argument as the function takes it: integers and numbers become floats of the compute type.
  Real Taken(size_t i, const Tensor& from, Real value) const {
    const bool number = types_[static_cast<size_t>(node_.arguments[i].node)].number;
    if (!tileops::is_float(compute_)) return value;
    if (number) return cli::rounded(Dl(ComparedWith(i)), value);
    return from.is_float() ? value : cli::rounded(Dl(compute_), value);
  }

  // `exact`: are its arguments?
  Cell operator()(const cli::Element& e, bool exact = false) const {
    if (!tileops::is_float(compute_)) return {Integer(e), 0};
    const cli::Cell cell = reference_->f(e, problem_);
    const Real value = InRange(compute_, cell.value);
    if (cell.skip) return {value, kInf};
    return {value, Own(value, cell.scale, exact) + cell.slack};
  }

 private:
  void AddAttributes(const std::vector<Number>& numbers) {
    for (const tileops::AttrSpec& spec : node_.function->attrs()) {
      const tileops_attr_info& info = spec.info;
      if (!info.has_default) continue;
      if (info.kind == TILEOPS_ATTR_I64) problem_.attrs.integers[info.name] = info.default_value.i64;
      else problem_.attrs.reals[info.name] = info.default_value.f64;
    }
    for (const expr::Attribute& a : node_.attributes) {
      const tileops_attr_info& info = node_.function->attrs()[static_cast<size_t>(a.index)].info;
      const Number value = a.node < 0 ? a.value : numbers[static_cast<size_t>(a.node)];
      if (info.kind == TILEOPS_ATTR_I64) problem_.attrs.integers[info.name] = value.as_i64();
      else problem_.attrs.reals[info.name] = value.as_f64();
    }
    if (!tileops::is_float(compute_)) return;
    for (auto& [name, value] : problem_.attrs.reals) value = static_cast<double>(cli::rounded(Dl(compute_), value));
  }

  // The dtype that a number is rounded to: the compute type, or that of the operand or cast that it is compared with.
  Dtype ComparedWith(size_t i) const {
    if (!node_.function->op || !tileops::is_compared(*node_.function->op)) return compute_;
    const int other = node_.arguments[1 - i].node;
    const expr::Node& beside = graph_.nodes[static_cast<size_t>(other)];
    const expr::NodeType& type = types_[static_cast<size_t>(other)];
    const bool exact = beside.kind == expr::Node::Kind::operand || beside.is(expr::Kind::cast);
    return exact && !type.number && tileops::is_float(type.spec.dtype) ? type.spec.dtype : compute_;
  }

  Real Integer(const cli::Element& e) const {
    if (!reference_->i) return Wrapped(compute_, static_cast<Wide>(reference_->f(e, problem_).value));
    std::array<Wide, 4> x;
    for (size_t k = 0; k < x.size(); ++k) x[k] = static_cast<Wide>(e.x[k]);
    return Wrapped(compute_, reference_->i(x, problem_));
  }

  // Sums of two, where nothing is multiplied: what is representable is exact.
  bool IsSum() const {
    const std::string name = node_.function->name;
    return (name == "add" || name == "sub") && problem_.attrs.num("alpha") == 1;
  }

  // What the step itself may be off. What is made of exact arguments and representable is exact.
  Real Own(Real value, Real scale, bool exact) const {
    if (!std::isfinite(value)) return 0;
    const Real size = std::max(std::fabs(value), scale), ulp = IsSum() ? 0 : node_.function->rule.ulp;
    const tileops::OpSpec& rule = node_.function->rule;
    const bool selects = rule.bool_result || rule.compute == tileops::Compute::bits;
    if ((exact || selects) && ulp == 0 && cli::rounded(Dl(compute_), value) == value) return 0;
    const Real bound = (ulp == 0 ? 0.5L : ulp) * cli::ulp(Dl(compute_), size);
    return promise_ == Promise::bound ? bound : std::max(bound, std::max(size * 0x1p-20L, 0x1p-118L));
  }

  const expr::Graph& graph_;
  const expr::Node& node_;
  const std::vector<expr::NodeType>& types_;
  Promise promise_;
  const cli::Reference* reference_;
  Dtype compute_ = Dtype::f32;
  cli::Problem problem_;
};

// How far a value moves; from a number to none, without bound.
Real Distance(Real a, Real b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const Real d = std::fabs(a - b);
  return std::isnan(d) ? kInf : d;
}

}  // namespace

Tensor Mapped(const expr::Graph& graph, const expr::Node& node, const std::vector<expr::NodeType>& types,
              const std::vector<const Tensor*>& arguments, const std::vector<Number>& numbers, const Shape& shape,
              Dtype label, Promise promise) {
  const Function function(graph, node, types, numbers, promise);
  Tensor y = Empty(label, shape);
  ForEach(shape, [&](const Index& index, size_t i) {
    cli::Element e;
    std::array<Real, 4> errors{};
    for (size_t k = 0; k < arguments.size(); ++k) {
      if (!arguments[k]) continue;
      const size_t at = BroadcastAt(arguments[k]->shape, index, shape.size());
      e.has[k] = true;
      e.x[k] = function.Taken(k, *arguments[k], arguments[k]->values[at]);
      errors[k] = arguments[k]->errors[at];
    }
    const bool exact = std::all_of(errors.begin(), errors.end(), [](Real r) { return r == 0; });
    const Cell cell = function(e, exact);
    y.values[i] = cell.value;
    Real error = cell.own;
    for (size_t k = 0; k < arguments.size(); ++k) {  // each argument moved by what it may be off
      if (!(errors[k] > 0)) continue;
      Real most = 0;
      for (const Real sign : {-1.0L, 1.0L}) {
        cli::Element moved = e;
        moved.x[k] += sign * errors[k];
        most = std::max(most, Distance(function(moved).value, cell.value));
      }
      error += most;
    }
    y.errors[i] = std::isnan(error) ? kInf : error;
  });
  return y;
}

}  // namespace rowtest
