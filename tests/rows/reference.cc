#include "reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "cli/selftest/reference.h"
#include "element.h"
#include "expr/nodes/host.h"
#include "expr/parse/parser.h"
#include "move.h"
#include "problem/request.h"

namespace rowtest {
namespace {

namespace cli = tileops::cli;
namespace expr = tileops::expr;
using expr::Node;
using expr::Number;

Shape ShapeOf(const tileops::TensorSpec& spec) { return {spec.shape, spec.shape + spec.ndim}; }

bool IsWide(Dtype dtype) { return !tileops::is_narrow_float(dtype); }

// Functions that jump or have an edge: what they are given keeps its bound (docs/expressions.md, "Rounding").
bool Jumps(const Node& node, Dtype dtype) {
  static const char* const names[] = {"eq",     "ne",       "lt",    "le",    "gt",           "ge",         "floor",
                                      "ceil",   "trunc",    "round", "sign",  "floor_divide", "remainder",  "sqrt",
                                      "rsqrt",  "log",      "log2",  "log1p", "pow",          "nan_to_num", "argmax",
                                      "argmin", "softplus", "any",   "all",   "bitwise_not",  "logical_not"};
  const std::string name = node.function->name;
  if (node.is(expr::Kind::cast)) return IsWide(dtype);
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

class Evaluator {
 public:
  Evaluator(const expr::Inference& inference, const std::vector<Tensor>& operands, const std::vector<Number>& scalars,
            const std::vector<Tensor>& outputs)
      : inference_(inference), graph_(*inference.graph), operands_(operands), outputs_(outputs) {
    std::vector<Number> numbers = scalars;
    for (size_t i = numbers.size(); i < graph_.scalars.size(); ++i) numbers.push_back(graph_.scalars[i].value);
    std::vector<int64_t> extents(graph_.nodes.size());
    for (size_t i = 0; i < extents.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (!node.is(expr::Kind::extent)) continue;
      extents[i] = ExtentOf(node, Type(node.arguments[0].node).spec);
    }
    numbers_ = expr::host_values(graph_, numbers, extents.data());
    FindPromises();
  }

  std::vector<Tensor> Run() {
    for (size_t i = 0; i < graph_.nodes.size(); ++i) values_.push_back(ValueOf(i));
    std::vector<Tensor> results;
    for (const expr::Result& r : graph_.results) {
      const Node& node = graph_.nodes[static_cast<size_t>(r.node)];
      const bool scatters = node.is(expr::Kind::scatter) || node.is(expr::Kind::store_if);
      results.push_back(values_[static_cast<size_t>(r.node)]);
      if (scatters && !outputs_.empty()) results.back() = Scattered(node, outputs_[results.size() - 1]);
    }
    return results;
  }

 private:
  const expr::NodeType& Type(int node) const { return inference_.nodes[static_cast<size_t>(node)]; }
  const Tensor& Argument(const Node& node, size_t i) const {
    return values_[static_cast<size_t>(node.arguments[i].node)];
  }

  // An attribute by its name in the text, or its default.
  int64_t Integer(const Node& node, const std::string& name, int64_t otherwise = 0) const {
    const auto& attrs = node.function->attrs();
    for (size_t k = 0; k < attrs.size(); ++k) {
      if (attrs[k].info.name != name) continue;
      for (const expr::Attribute& a : node.attributes)
        if (a.index == static_cast<int>(k))
          return (a.node < 0 ? a.value : numbers_[static_cast<size_t>(a.node)]).as_i64();
      return attrs[k].info.has_default ? attrs[k].info.default_value.i64 : otherwise;
    }
    return otherwise;
  }

  // Along an axis, which is negative, or a set of axes.
  int64_t ExtentOf(const Node& node, const tileops::TensorSpec& x) const {
    const int64_t axis = Integer(node, "axis");
    if (node.find_attribute(TILEOPS_ATTR_AXIS)) return x.shape[x.ndim + axis];
    int64_t count = 1;
    for (int k = 0; k < x.ndim; ++k)
      if (axis >> k & 1) count *= x.shape[x.ndim - 1 - k];
    return count;
  }

  RowAttrs Rows(const Node& node) const {
    RowAttrs rows;
    rows.axes = static_cast<uint64_t>(Integer(node, "axis", 1));
    rows.group = static_cast<uint64_t>(Integer(node, "group"));
    rows.correction = Integer(node, "correction");
    rows.reverse = Integer(node, "reverse") != 0;
    rows.exclusive = Integer(node, "exclusive") != 0;
    return rows;
  }

  void FindPromises() {
    bound_.assign(graph_.nodes.size(), false);
    for (size_t k = 0; k < graph_.results.size(); ++k)
      if (IsWide(inference_.results[k].dtype)) bound_[static_cast<size_t>(graph_.results[k].node)] = true;
    for (size_t i = graph_.nodes.size(); i-- > 0;) {
      const Node& node = graph_.nodes[i];
      if (node.kind != Node::Kind::function || !(bound_[i] || Jumps(node, inference_.nodes[i].spec.dtype))) continue;
      for (const expr::Argument& a : node.arguments)
        if (a.node >= 0) bound_[static_cast<size_t>(a.node)] = true;
    }
  }

  Tensor ValueOf(size_t i) const {
    const Node& node = graph_.nodes[i];
    const expr::NodeType& type = inference_.nodes[i];
    if (node.kind == Node::Kind::operand) return operands_[static_cast<size_t>(node.index)];
    if (type.number) {
      const Number& n = numbers_[i];
      return Of(expr::dtype_of_number(n.type), {},
                {n.type == Number::Type::f64 ? static_cast<Real>(n.f64) : static_cast<Real>(n.i64)});
    }
    Tensor y = Called(node, i);
    y.dtype = type.spec.dtype;
    return y;
  }

  Tensor Called(const Node& node, size_t i) const {
    const std::string name = node.function->name;
    const tileops::TensorSpec& spec = inference_.nodes[i].spec;
    const Shape shape = ShapeOf(spec);
    const Sum sum = bound_[i] ? Sum::low_parts : Sum::plain;
    if (node.is(expr::Kind::map)) {
      std::vector<const Tensor*> arguments;
      for (const expr::Argument& a : node.arguments)
        arguments.push_back(a.node < 0 ? nullptr : &values_[static_cast<size_t>(a.node)]);
      return Mapped(graph_, node, inference_.nodes, arguments, numbers_, shape, spec.dtype,
                    bound_[i] ? Promise::bound : Promise::inner);
    }
    const Tensor& x = Argument(node, 0);
    if (node.is(expr::Kind::cast)) return Cast(node, x, spec.dtype);
    if (node.is(expr::Kind::index)) return Indices(shape, Integer(node, "axis"));
    if (node.is(expr::Kind::dropout_mask)) return DropoutMask(node, shape);
    if (node.is(expr::Kind::chunk)) return Chunk(x, Integer(node, "i"), Integer(node, "n"));
    if (node.is(expr::Kind::every)) return Every(x, Integer(node, "i"), Integer(node, "n"));
    if (node.is(expr::Kind::sum_to)) return SumTo(x, shape, spec.dtype, sum);
    if (node.is(expr::Kind::concat) || node.is(expr::Kind::interleave)) {
      std::vector<Tensor> values;
      for (size_t k = 0; k < node.arguments.size(); ++k) values.push_back(Argument(node, k));
      return Joined(values, shape, spec.dtype, node.is(expr::Kind::interleave));
    }
    if (IsReduction(name)) return Reduce(name, x, Rows(node), spec.dtype, sum);
    if (IsScan(name)) return Scan(name, x, Rows(node), spec.dtype, sum);
    if (name == "spread") return Spread(x, shape, Rows(node));
    if (name == "detach") return x;
    if (name == "gather") return Gather(x, IndicesOf(node), Rows(node).axes, shape);
    if (name == "scatter" || name == "scatter_add" || name == "store_if")
      return Scattered(node, Empty(spec.dtype, shape));
    if (name == "tiled") return Tiled(x, Integer(node, "rows", 128));
    throw std::logic_error("the reference does not know " + name);
  }

  std::vector<Tensor> IndicesOf(const Node& node) const {
    std::vector<Tensor> indices;
    for (size_t k = 1; k < node.arguments.size(); ++k)
      if (node.arguments[k].node >= 0) indices.push_back(Argument(node, k));
    return indices;
  }

  Tensor Scattered(const Node& node, Tensor out) const {
    if (node.is(expr::Kind::store_if)) return StoredIf(node, std::move(out));
    size_t at = 0;
    while (&graph_.nodes[at] != &node) ++at;
    const bool adds = std::string(node.function->name) == "scatter_add";
    if (adds) out = Empty(out.dtype, out.shape);
    (adds ? AddInto : ScatterInto)(&out, Argument(node, 0), IndicesOf(node), Rows(node).axes,
                                   ShapeOf(inference_.nodes[at].spec));
    return out;
  }

  Tensor StoredIf(const Node& node, Tensor out) const {
    const Tensor v = Spread(Argument(node, 0), out.shape, {}), mask = Spread(Argument(node, 1), out.shape, {});
    for (size_t i = 0; i < out.values.size(); ++i) {
      if (mask.values[i] == 0) continue;
      out.values[i] = v.values[i];
      out.errors[i] = v.errors[i];
    }
    return out;
  }

  Tensor Cast(const Node& node, const Tensor& x, Dtype dtype) const {
    const int rounding = static_cast<int>(Integer(node, "rounding"));
    const expr::Attribute* mode = node.find_attribute(TILEOPS_ATTR_FP8_OVERFLOW);
    const cli::Fp8Overflow overflow = !mode             ? cli::Fp8Overflow::kDefault
                                      : mode->value.i64 ? cli::Fp8Overflow::kNonsaturating
                                                        : cli::Fp8Overflow::kSaturate;
    const auto round = [&](Real v) {
      if (!x.is_float() && !tileops::is_float(dtype) && !tileops::is_scale(dtype))
        return Wrapped(dtype, static_cast<Wide>(v));
      return Rounded(dtype, v, rounding, overflow);
    };
    Tensor y = Empty(dtype, x.shape);
    for (size_t i = 0; i < y.values.size(); ++i) {
      y.values[i] = round(x.values[i]);
      if (!(x.errors[i] > 0)) continue;
      for (const Real end : {round(x.values[i] - x.errors[i]), round(x.values[i] + x.errors[i])}) {
        const Real moved = std::fabs(end - y.values[i]);
        if (!(end == y.values[i])) y.errors[i] = std::max(y.errors[i], std::isnan(moved) ? kInf : moved);
      }
    }
    return y;
  }

  Tensor Indices(const Shape& shape, int64_t axis) const {
    Tensor y = Empty(Dtype::i64, shape);
    ForEach(shape, [&](const Index& index, size_t i) {
      y.values[i] = static_cast<Real>(index[shape.size() - static_cast<size_t>(-axis)]);
    });
    return y;
  }

  Tensor DropoutMask(const Node& node, const Shape& shape) const {
    cli::Problem p;
    p.num_outputs = 2;
    p.inputs.push_back(cli::Array{cli::kF32, shape, std::vector<Real>(static_cast<size_t>(Count(shape)))});
    p.attrs.integers = {{"seed", Integer(node, "seed")}, {"offset", Integer(node, "offset")}, {"training", 1}};
    const expr::Attribute* share = node.find_attribute(TILEOPS_ATTR_P);
    p.attrs.reals["p"] = !share
                             ? 0.5
                             : (share->node < 0 ? share->value : numbers_[static_cast<size_t>(share->node)]).as_f64();
    Tensor y = Empty(Dtype::boolean, shape);
    const std::vector<cli::Cells> cells = cli::dropout_reference(p);
    for (size_t i = 0; i < y.values.size(); ++i) y.values[i] = cells[1][i].value;
    return y;
  }

  const expr::Inference& inference_;
  const expr::Graph& graph_;
  const std::vector<Tensor>&operands_, &outputs_;
  std::vector<Number> numbers_;
  std::vector<bool> bound_;  // by node: keeps its operator's bound
  std::vector<Tensor> values_;
};

}  // namespace

expr::Inference InferText(const std::string& text, const std::vector<Tensor>& operands) {
  std::vector<tileops::TensorSpec> specs;
  for (const Tensor& t : operands) {
    specs.emplace_back();
    tileops::read_tensor({tileops::dtype_to_dl(t.dtype), static_cast<int32_t>(t.shape.size()), t.shape.data(), nullptr},
                         "operand", &specs.back());
  }
  return expr::infer(expr::parse(text), specs);
}

std::vector<Tensor> Evaluate(const expr::Inference& inference, const std::vector<Tensor>& operands,
                             const std::vector<Number>& scalars, const std::vector<Tensor>& outputs) {
  return Evaluator(inference, operands, scalars, outputs).Run();
}

std::vector<Tensor> EvaluateText(const std::string& text, const std::vector<Tensor>& operands) {
  return Evaluate(InferText(text, operands), operands);
}

}  // namespace rowtest
