#include "expr/infer/infer.h"

#include <algorithm>

#include "expr/graph/axes.h"
#include "expr/graph/place.h"
#include "expr/infer/map.h"
#include "expr/infer/ones.h"
#include "expr/infer/rows.h"
#include "expr/infer/said_shapes.h"
#include "expr/nodes/replay.h"
#include "lower/common.h"

namespace tileops::expr {
namespace {

NodeType tensor(Dtype dtype, int ndim, const Extent* shape) {
  NodeType type;
  type.spec = row_major_tensor(dtype, shape, ndim, "result");
  return type;
}

NodeType number(const Node& node) {
  NodeType type;
  type.number = true;
  type.number_type = node.host_type;
  if (node.kind == Node::Kind::constant) type.literal = &node.value;
  return type;
}

class Inferring {
 public:
  Inferring(const Graph& graph, const std::vector<TensorSpec>& operands) : graph_(graph), operands_(operands) {}

  void run(Inference* out) {
    const size_t count = graph_.nodes.size();
    types_.reserve(count);
    grouped_.reserve(count);
    calls_.resize(count);
    for (const Node& node : graph_.nodes) {
      try {
        types_.push_back(type_of(node));
      } catch (const CallError& e) {
        refuse(node, e, e.is_of_broadcast ? e.message + hint(node) : e.message);
      } catch (const OpenExtentError&) {
        throw;  // of an operand's extent, which the request names
      } catch (const Error& e) {
        refuse(node, e, e.message);
      }
      grouped_.push_back(grouped_by(node));
    }
    out->nodes = std::move(types_);
    out->calls = std::move(calls_);
  }

 private:
  // Throws the error of a node, at its place in the text.
  [[noreturn]] void refuse(const Node& node, const Error& e, const std::string& message) const {
    const Offset offset = e.offset >= 0 ? static_cast<Offset>(e.offset) : node.offset;
    if (offset < 0 || graph_.source.empty()) throw Error{e.status, message, e.driver_code, e.offset};
    fail_at(e.status, graph_.source, offset, message);
  }

  const NodeType& argument(const Node& node, size_t i) const { return types_[node.arguments[i].node]; }

  NodeType type_of(const Node& node) {
    switch (node.kind) {
      case Node::Kind::operand: {
        const TensorSpec& t = operands_[node.index];
        return tensor(t.dtype, t.ndim, t.shape);
      }
      case Node::Kind::scalar:
      case Node::Kind::constant: return number(node);
      case Node::Kind::function: break;
    }
    if (node.is(Kind::extent)) check_axes(node, argument(node, 0).spec.ndim);
    return node.on_host ? number(node) : type_of_function(node);
  }

  NodeType type_of_function(const Node& node) {
    const NodeType& x = argument(node, 0);
    switch (node.function->kind) {
      case Kind::cast: return converted(node, x.spec);
      case Kind::index: axis_of(node); return tensor(Dtype::i64, x.spec.ndim, x.spec.shape);
      case Kind::dropout_mask: return tensor(Dtype::boolean, x.spec.ndim, x.spec.shape);
      case Kind::chunk:
      case Kind::every: return part(node, x.spec);
      case Kind::concat:
      case Kind::interleave: return joined(node);
      default: break;
    }
    NodeType type;
    if (is_row(node)) {
      type.spec = infer_row(graph_, node, types_);
      return type;
    }
    Call& call = calls_[types_.size()];
    call = call_of(node, types_);
    type.spec = result_of(node, call);
    call.outputs[0] = type.spec;
    call.inner = true;
    return type;
  }

  // By which reduction a value is in groups: its own, or that of what it is made of element by element. -1: by none.
  int grouped_by(const Node& node) const {
    if (node.kind != Node::Kind::function) return -1;
    if (node.is(Kind::reduce) && group_of(node)) return static_cast<int>(grouped_.size());
    if (!node.is(Kind::map) && !node.is(Kind::cast) && !node.is(Kind::detach)) return -1;
    for (const Argument& a : node.arguments)
      if (a.node >= 0 && grouped_[a.node] >= 0) return grouped_[a.node];
    return -1;
  }

  // How a value in groups goes together with one that is not, where they do not broadcast.
  std::string hint(const Node& node) const {
    const int by = grouped_by(node);
    if (by < 0) return "";
    const Node& reduction = graph_.nodes[by];
    const int64_t axes = axes_of(reduction), group = group_of(reduction);
    const bool usual = axes == (num_groups(group) == 2 ? kLastTwoAxes : kLastAxis);
    return "; what is in groups is brought back by spread(s, x, " + (usual ? "" : "axis = " + axes_text(axes) + ", ") +
           "group = " + group_text(group) + ")";
  }

  NodeType converted(const Node& node, const TensorSpec& x) const {
    const Dtype dtype = cast_dtype(node);
    const Attribute* rounding = node.find_attribute(TILEOPS_ATTR_ROUNDING);
    if (rounding && !is_scale(dtype)) {
      throw Error{
          TILEOPS_STATUS_INVALID_ARGUMENT,
          strf("%s: 'rounding' is for results of float8_e8m0fnu (got %s)", node.function->name, dtype_name(dtype)), 0,
          rounding->offset};
    }
    return tensor(dtype, x.ndim, x.shape);
  }

  Dtype cast_dtype(const Node& node) const {
    if (const Attribute* dtype = node.find_attribute(TILEOPS_ATTR_DTYPE)) return static_cast<Dtype>(dtype->value.i64);
    if (argument(node, 1).number) invalid("%s: the operand whose dtype is taken is absent", node.function->name);
    return argument(node, 1).spec.dtype;
  }

  void axis_of(const Node& node) const {
    const Attribute* axis = node.find_attribute(TILEOPS_ATTR_AXIS);
    const int ndim = argument(node, 0).spec.ndim;
    if (ndim == 0 || -axis->value.i64 <= ndim) return;  // one element has every axis
    throw Error{TILEOPS_STATUS_INVALID_ARGUMENT,
                strf("%s: 'axis' is out of range for %d dimensions (got %lld)", node.function->name, ndim,
                     static_cast<long long>(axis->value.i64)),
                0, axis->offset};
  }

  NodeType part(const Node& node, const TensorSpec& x) const {
    const int64_t parts = node.find_attribute(TILEOPS_ATTR_PARTS)->value.i64;
    if (x.ndim < 1) invalid("%s: a 0-d operand has no parts", node.function->name);
    const int64_t last = x.shape[x.ndim - 1];
    if (last % parts) {
      invalid("%s: the last dimension must be divisible by %lld (got %lld)", node.function->name,
              static_cast<long long>(parts), static_cast<long long>(last));
    }
    NodeType type = tensor(x.dtype, x.ndim, x.shape);
    type.spec.shape[x.ndim - 1] = last / parts;
    return tensor(x.dtype, x.ndim, type.spec.shape);
  }

  NodeType joined(const Node& node) const {
    TensorSpec t = result_of(node, call_of(node, types_));
    if (t.ndim < 1) invalid("%s: 0-d values cannot be joined", node.function->name);
    if (!multiply(t.shape[t.ndim - 1], node.arguments.size(), &t.shape[t.ndim - 1]))
      invalid("%s: shape overflows 64-bit sizes", node.function->name);
    return tensor(t.dtype, t.ndim, t.shape);
  }

  const Graph& graph_;
  const std::vector<TensorSpec>& operands_;
  std::vector<NodeType> types_;
  std::vector<Call> calls_;
  std::vector<int> grouped_;  // of each node that has a type
};

}  // namespace

Dtype dtype_of_number(Number::Type type) {
  return type == Number::Type::f64 ? Dtype::f32 : type == Number::Type::i64 ? Dtype::i64 : Dtype::boolean;
}

Inference infer(const std::shared_ptr<const Graph>& graph, const std::vector<TensorSpec>& operands) {
  if (operands.size() > graph->operands.size())
    invalid("num_inputs: the expression has fewer operands (got %zu, need at most %zu)", operands.size(),
            graph->operands.size());
  std::vector<bool> present(graph->operands.size());
  for (size_t i = 0; i < operands.size(); ++i) present[i] = operands[i].present;
  Inference inference;
  inference.graph = with_defaults(graph, present);
  SaidShapes shapes(*inference.graph);
  shapes.check_operands(operands);
  Inferring(*inference.graph, operands).run(&inference);
  shapes.check_values(inference.nodes);
  leave_out_ones(&inference);
  for (const Result& r : inference.graph->results) {
    const NodeType& type = inference.nodes[r.node];
    inference.results.push_back(type.number ? row_major_tensor(dtype_of_number(type.number_type), nullptr, 0, "result")
                                            : type.spec);
    const Node& node = inference.graph->nodes[r.node];
    inference.results.back().present = !node.is(Kind::scatter);
  }
  return inference;
}

}  // namespace tileops::expr
