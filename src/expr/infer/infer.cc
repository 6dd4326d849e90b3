#include "expr/infer/infer.h"

#include <algorithm>

#include "expr/graph/axes.h"
#include "expr/graph/place.h"
#include "expr/infer/map.h"
#include "expr/nodes/replay.h"

namespace tileops::expr {
namespace {

TensorSpec spec_of(Dtype dtype, int ndim, const int64_t* shape) {
  TensorSpec t;
  read_tensor({dtype_to_dl(dtype), ndim, shape, nullptr}, "result", &t);
  return t;
}

NodeType tensor(Dtype dtype, int ndim, const int64_t* shape) {
  NodeType type;
  type.spec = spec_of(dtype, ndim, shape);
  return type;
}

NodeType number(const Node& node) {
  NodeType type;
  type.number = true;
  type.number_type = node.host_type;
  if (node.of == Node::Of::constant) type.literal = &node.value;
  return type;
}

class Inferring {
 public:
  Inferring(const Graph& graph, const std::vector<TensorSpec>& operands) : graph_(graph), operands_(operands) {}

  std::vector<NodeType> run() {
    for (const Node& node : graph_.nodes) {
      try {
        types_.push_back(type_of(node));
      } catch (const Error& e) {
        const Offset offset = e.offset >= 0 ? static_cast<Offset>(e.offset) : node.offset;
        if (offset < 0 || graph_.source.empty()) throw;
        fail_at(e.status, graph_.source, offset, e.message);
      }
    }
    return std::move(types_);
  }

 private:
  const NodeType& argument(const Node& node, size_t i) const {
    return types_[static_cast<size_t>(node.arguments[i].node)];
  }

  NodeType type_of(const Node& node) const {
    switch (node.of) {
      case Node::Of::operand: {
        const TensorSpec& t = operands_[static_cast<size_t>(node.index)];
        return tensor(t.dtype, t.ndim, t.shape);
      }
      case Node::Of::scalar:
      case Node::Of::constant: return number(node);
      case Node::Of::function: break;
    }
    if (node.is(Kind::extent)) axes_within(node, argument(node, 0).spec.ndim);
    return node.on_host ? number(node) : type_of_function(node);
  }

  NodeType type_of_function(const Node& node) const {
    const NodeType& x = argument(node, 0);
    switch (node.function->kind) {
      case Kind::cast: return converted(node, x.spec);
      case Kind::index: axis_of(node); return tensor(Dtype::i64, x.spec.ndim, x.spec.shape);
      case Kind::dropout_mask: return tensor(Dtype::boolean, x.spec.ndim, x.spec.shape);
      case Kind::chunk:
      case Kind::every: return part(node, x.spec);
      case Kind::sum_to: return summed(node);
      case Kind::concat:
      case Kind::interleave: return joined(node);
      default: break;
    }
    NodeType type;
    type.spec = infer_map(node, types_);
    return type;
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
    if (-axis->value.i64 <= ndim) return;
    throw Error{TILEOPS_STATUS_INVALID_ARGUMENT,
                strf("%s: 'axis' is out of range for %d dimensions (got %lld)", node.function->name, ndim,
                     static_cast<long long>(axis->value.i64)),
                0, axis->offset};
  }

  // Are all axes of a row ones that its operand has?
  void axes_within(const Node& node, int ndim) const {
    const int64_t axes = axes_of(node);
    if (axes == kAllAxes || list_axes(axes)[0] + ndim >= 0) return;
    const Attribute* given = node.find_attribute(TILEOPS_ATTR_AXES);
    throw Error{TILEOPS_STATUS_INVALID_ARGUMENT,
                strf("%s: 'axis' is out of range for %d dimensions (got %s)", node.function->name, ndim,
                     axes_text(axes).c_str()),
                0, given ? given->offset : node.offset};
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

  NodeType summed(const Node& node) const {
    const TensorSpec &x = argument(node, 0).spec, &y = argument(node, 1).spec;
    if (argument(node, 1).number) invalid("%s: 'y' takes a tensor (got a number)", node.function->name);
    const Node* of = &graph_.nodes[static_cast<size_t>(node.arguments[1].node)];
    if (of->is(Kind::chunk) || of->is(Kind::every)) of = &graph_.nodes[static_cast<size_t>(of->arguments[0].node)];
    const std::string name = of->of == Node::Of::operand
                                 ? "operand '" + graph_.operands[static_cast<size_t>(of->index)].name + "'"
                                 : "'y'";
    if (is_scale(y.dtype))
      unsupported("%s: %s is of %s, which has neither 0 nor a sign", node.function->name, name.c_str(),
                  dtype_name(y.dtype));
    if (!is_float(y.dtype))
      invalid("%s: %s is of %s, and only floats have gradients", node.function->name, name.c_str(),
              dtype_name(y.dtype));
    if (x.ndim != y.ndim || !std::equal(x.shape, x.shape + x.ndim, y.shape)) {
      unsupported("%s: sums are not yet there, and %s of shape %s was broadcast to %s", node.function->name,
                  name.c_str(), shape_text(y.shape, y.ndim).c_str(), shape_text(x.shape, x.ndim).c_str());
    }
    return tensor(y.dtype, y.ndim, y.shape);
  }

  NodeType joined(const Node& node) const {
    TensorSpec t = infer_map(node, types_);
    if (t.ndim < 1) invalid("%s: 0-d values cannot be joined", node.function->name);
    if (__builtin_mul_overflow(t.shape[t.ndim - 1], static_cast<int64_t>(node.arguments.size()), &t.shape[t.ndim - 1]))
      invalid("%s: shape overflows 64-bit sizes", node.function->name);
    return tensor(t.dtype, t.ndim, t.shape);
  }

  const Graph& graph_;
  const std::vector<TensorSpec>& operands_;
  std::vector<NodeType> types_;
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
  inference.nodes = Inferring(*inference.graph, operands).run();
  for (const Result& r : inference.graph->results) {
    const NodeType& type = inference.nodes[static_cast<size_t>(r.node)];
    inference.results.push_back(type.number ? spec_of(dtype_of_number(type.number_type), 0, nullptr) : type.spec);
  }
  return inference;
}

}  // namespace tileops::expr
