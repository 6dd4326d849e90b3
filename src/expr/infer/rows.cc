#include "expr/infer/rows.h"

#include <algorithm>

#include "base/error.h"
#include "expr/graph/axes.h"
#include "problem/request.h"

namespace tileops::expr {
namespace {

using Shape = std::vector<Extent>;

[[noreturn]] void refuse_node(Offset offset, std::string message,
                              tileops_status status = TILEOPS_STATUS_INVALID_ARGUMENT) {
  throw Error{status, std::move(message), 0, offset};
}

std::string text_of(const Shape& shape) { return shape_text(shape.data(), static_cast<int>(shape.size())); }

// In functions that compute floats, those of 8 bits or fewer are none to keep a sum in.
Dtype float_label(Dtype t) { return dtype_bits(t) <= 8 || !is_float(t) ? Dtype::f32 : t; }

class RowTypes {
 public:
  RowTypes(const Graph& graph, const Node& node, const std::vector<NodeType>& types)
      : graph_(graph), node_(node), f_(*node.function), types_(types) {}

  TensorSpec infer() {
    switch (f_.kind) {
      case Kind::reduce: return reduced();
      case Kind::scan: check_axes(node_, spec(0).ndim); return made(label(), shape(0));
      case Kind::spread: return spread();
      case Kind::sum_to: return summed();
      case Kind::gather: return gathered();
      case Kind::scatter: return scattered();
      case Kind::store_if: return stored();
      case Kind::tiled: return tiled();
      default: return made(spec(0).dtype, shape(0));  // detach
    }
  }

 private:
  const NodeType& type(size_t i) const { return types_[node_.arguments[i].node]; }
  const TensorSpec& spec(size_t i) const { return type(i).spec; }
  Shape shape(size_t i) const { return type(i).number ? Shape{} : Shape(spec(i).shape, spec(i).shape + spec(i).ndim); }
  Dtype dtype(size_t i) const { return type(i).number ? dtype_of_number(type(i).number_type) : spec(i).dtype; }
  [[noreturn]] void refuse_argument(size_t i, const std::string& what) const {
    refuse_node(node_.arguments[i].offset, strf("%s: %s", f_.name, what.c_str()));
  }

  TensorSpec made(Dtype dtype, const Shape& shape) const {
    return row_major_tensor(dtype, shape.data(), static_cast<int>(shape.size()), f_.name);
  }

  // The dtype of a reduction or scan.
  Dtype label() const {
    const Dtype x = spec(0).dtype;
    if (!(dtype_category(x) & f_.rule.dtypes))
      refuse_node(node_.arguments[0].offset, strf("%s does not take %s", f_.name, dtype_name(x)),
                  TILEOPS_STATUS_UNSUPPORTED);
    switch (f_.id) {
      case TILEOPS_OP_SUM:
      case TILEOPS_OP_PROD:
      case TILEOPS_OP_CUMSUM:
      case TILEOPS_OP_CUMPROD: return is_float(x) ? float_label(x) : Dtype::i64;
      case TILEOPS_OP_MEAN:
      case TILEOPS_OP_VAR:
      case TILEOPS_OP_LOGSUMEXP: return float_label(x);
      case TILEOPS_OP_ANY:
      case TILEOPS_OP_ALL: return Dtype::boolean;
      case TILEOPS_OP_ARGMAX:
      case TILEOPS_OP_ARGMIN: return Dtype::i64;
      default: return x;  // the element itself
    }
  }

  TensorSpec reduced() const {
    check_axes(node_, spec(0).ndim);
    const bool finds = f_.id == TILEOPS_OP_ARGMAX || f_.id == TILEOPS_OP_ARGMIN;
    Shape s = shape(0);
    for (const AlongAxis& a : along(node_, spec(0).ndim)) {
      Extent& n = s[a.dim];
      if (finds && n == 0 && a.group == 0) refuse_argument(0, "there are no elements in " + text_of(shape(0)));
      n = a.group ? groups_of(n, a.group) : Extent(1);
    }
    return made(label(), s);
  }

  TensorSpec spread() const {
    const Shape x = shape(1), s = shape(0);
    check_axes(node_, spec(1).ndim);
    if (s.size() > x.size()) refuse_spread();
    Shape need = x;
    for (const AlongAxis& a : along(node_, spec(1).ndim)) {
      if (a.group == 0) continue;
      const size_t d = static_cast<size_t>(a.dim);
      need[d] = groups_of(x[d], a.group);
      if (d + s.size() < x.size()) continue;
      const Extent got = s[d + s.size() - x.size()];
      if (got != 1 && !must_equal(got, need[d]))
        refuse_argument(0, strf("'s' has %lld values along axis %d where %lld are needed, for %lld elements in groups "
                                "of %lld",
                                static_cast<long long>(got), a.dim - spec(1).ndim, static_cast<long long>(need[d]),
                                static_cast<long long>(x[d]), static_cast<long long>(a.group)));
    }
    if (!broadcasts_to(s, need)) refuse_spread();
    return made(spec(0).dtype, x);
  }

  static bool broadcasts_to(const Shape& from, const Shape& to) {
    if (from.size() > to.size()) return false;
    for (size_t i = 0; i < from.size(); ++i)
      if (const Extent n = from[from.size() - 1 - i]; n != 1 && !must_equal(n, to[to.size() - 1 - i])) return false;
    return true;
  }

  [[noreturn]] void refuse_spread() const {
    refuse_long_index();
    refuse_argument(0, "'s' of shape " + text_of(shape(0)) + " does not broadcast to " + text_of(shape(1)));
  }

  // A spread to the shape of its own sum, and then masked, is what gradients of gathers have, for an index of several
  // elements to be refused (derivative.cc): the message is about the gather that was written.
  void refuse_long_index() const {
    const Node& x = graph_.nodes[node_.arguments[1].node];
    if (!x.is(Kind::reduce) || x.arguments[0].node != node_.arguments[0].node) return;
    const int own = static_cast<int>(&node_ - graph_.nodes.data());
    const auto masks = [&](const Node& n) {
      return n.kind == Node::Kind::function && n.function->id == TILEOPS_OP_MASKED_FILL && n.arguments[0].node == own;
    };
    if (std::none_of(graph_.nodes.begin(), graph_.nodes.end(), masks)) return;
    for (const AlongAxis& a : along(x, spec(0).ndim))
      if (const Extent n = spec(0).shape[a.dim]; n != 1)
        refuse_node(
            node_.arguments[0].offset,
            strf("gather: it has a gradient where its index has 1 element along axis %d (got %lld); what several "
                 "take from one place is not added up",
                 a.dim - spec(0).ndim, static_cast<long long>(n)));
  }

  TensorSpec summed() const {
    if (type(1).number) refuse_argument(1, "'y' takes a tensor (got a number)");
    const Dtype y = spec(1).dtype;
    const Node* of = &graph_.nodes[node_.arguments[1].node];
    if (is_slice(*of)) of = &graph_.nodes[of->arguments[0].node];
    const bool operand = of->kind == Node::Kind::operand;
    const std::string name = operand ? "operand '" + graph_.operands[of->index].name + "'" : std::string("'y'");
    if (operand && is_scale(y))
      refuse_node(node_.arguments[1].offset,
                  strf("%s: %s is of %s, which has neither 0 nor a sign", f_.name, name.c_str(), dtype_name(y)),
                  TILEOPS_STATUS_UNSUPPORTED);
    if (operand && !is_float(y))
      refuse_argument(1, strf("%s is of %s, and only floats have gradients", name.c_str(), dtype_name(y)));
    if (!broadcasts_to(shape(1), shape(0)))
      refuse_argument(1, name + " of shape " + text_of(shape(1)) + " does not broadcast to " + text_of(shape(0)));
    return made(is_float(y) ? y : dtype(0), shape(1));
  }

  // Takes an argument's extents into a shape, aligned at the last axis, but for dimensions that are left out.
  void join(size_t i, const std::vector<bool>& left_out, Shape* all) const {
    const Shape own = shape(i);
    for (size_t d = 0; d < own.size(); ++d) {
      const size_t at = all->size() - own.size() + d;
      if (left_out[at] || own[d] == 1) continue;
      if ((*all)[at] != 1 && !must_equal(own[d], (*all)[at]))
        refuse_argument(i, strf("argument %zu: shape %s does not broadcast at axis %zu (got %s, need 1 or %s)", i + 1,
                                text_of(own).c_str(), d, own[d].text().c_str(), (*all)[at].text().c_str()));
      (*all)[at] = own[d];
    }
  }

  // A shape of 1s that has room for all arguments.
  Shape room() const {
    size_t rank = 0;
    for (size_t i = 0; i < node_.arguments.size(); ++i) rank = std::max(rank, shape(i).size());
    return Shape(rank, 1);
  }

  void check_indices() const {
    for (size_t i = 1; i < node_.arguments.size(); ++i)
      if (!type(i).number && dtype_category(spec(i).dtype) != kInt)
        refuse_argument(i, strf("an index is an integer (got %s)", dtype_name(spec(i).dtype)));
  }

  TensorSpec gathered() const {
    if (type(0).number) refuse_argument(0, "'t' takes a tensor (got a number)");
    check_indices();
    check_axes(node_, spec(0).ndim);
    Shape s = room();
    std::vector<bool> none(s.size()), indexed(s.size());
    for (const AlongAxis& a : along(node_, static_cast<int>(s.size()))) indexed[a.dim] = true;
    join(0, indexed, &s);
    for (size_t i = 1; i < node_.arguments.size(); ++i) join(i, none, &s);
    return made(spec(0).dtype, s);
  }

  TensorSpec scattered() const {
    check_indices();
    Shape s = room();
    check_axes(node_, static_cast<int>(s.size()));
    if (s.empty())
      refuse_node(node_.offset, strf("%s: there is no axis, since all values are of 0 dimensions", f_.name));
    const std::vector<bool> none(s.size());
    for (size_t i = 0; i < node_.arguments.size(); ++i) join(i, none, &s);
    if (f_.id != TILEOPS_OP_SCATTER_ADD) return made(dtype(0), s);
    if (!(dtype_category(dtype(0)) & f_.rule.dtypes))
      refuse_node(node_.arguments[0].offset,
                  strf("%s: 'v' takes integers or bool, whose sums do not depend on their order (got %s)", f_.name,
                       dtype_name(dtype(0))),
                  TILEOPS_STATUS_UNSUPPORTED);
    return made(Dtype::i64, s);
  }

  TensorSpec stored() const {
    if (dtype(1) != Dtype::boolean) refuse_argument(1, strf("'m' takes bool (got %s)", dtype_name(dtype(1))));
    if (!broadcasts_to(shape(1), shape(0)))
      refuse_argument(1, "'m' of shape " + text_of(shape(1)) + " does not broadcast to " + text_of(shape(0)) +
                             ", the shape of 'v'");
    return made(dtype(0), shape(0));
  }

  // Tiles of 128 rows are 32 x 4 of them, so that four 32nds lie beside each other.
  TensorSpec tiled() const {
    Shape s = shape(0);
    if (s.size() < 2) refuse_argument(0, "'s' needs two dimensions or more (got " + std::to_string(s.size()) + ")");
    const Attribute* given = node_.find_attribute(TILEOPS_ATTR_ROWS);
    const int64_t rows = given ? given->value.i64 : 128;
    Extent &m = s[s.size() - 2], &k = s[s.size() - 1];
    m = groups_of(m, rows);
    k = groups_of(k, 4);
    if (rows == 128) s.insert(s.end(), {32, 4, 4});
    else s.insert(s.end(), {rows, 4});
    return made(spec(0).dtype, s);
  }

  const Graph& graph_;
  const Node& node_;
  const Function& f_;
  const std::vector<NodeType>& types_;
};

}  // namespace

bool is_row(const Node& node) {
  if (node.kind != Node::Kind::function) return false;
  switch (node.function->kind) {
    case Kind::reduce:
    case Kind::scan:
    case Kind::spread:
    case Kind::sum_to:
    case Kind::detach:
    case Kind::gather:
    case Kind::scatter:
    case Kind::store_if:
    case Kind::tiled: return true;
    default: return false;
  }
}

TensorSpec infer_row(const Graph& graph, const Node& node, const std::vector<NodeType>& types) {
  return RowTypes(graph, node, types).infer();
}

void check_axes(const Node& node, int ndim) {
  const int64_t axes = axes_of(node);
  // One element has every axis.
  if (axes == kAllAxes || ndim == 0 || list_axes(axes)[0] + ndim >= 0) return;
  const Attribute* given = node.find_attribute(TILEOPS_ATTR_AXES);
  refuse_node(given ? given->offset : node.offset, strf("%s: 'axis' is out of range for %d dimensions (got %s)",
                                                        node.function->name, ndim, axes_text(axes).c_str()));
}

}  // namespace tileops::expr
