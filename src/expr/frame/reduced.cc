#include "expr/frame/reduced.h"

#include <algorithm>

namespace tileops::expr {
namespace {

const Node& node_at(const Inference& inference, int i) { return inference.graph->nodes[i]; }
const TensorSpec& spec_of(const Inference& inference, int i) { return inference.nodes[i].spec; }

struct NamedReduction {
  tileops_op id;
  Reduction by;
};
constexpr NamedReduction kReductions[] = {
    {TILEOPS_OP_SUM, Reduction::sum},
    {TILEOPS_OP_MEAN, Reduction::sum},
    {TILEOPS_OP_PROD, Reduction::prod},
    {TILEOPS_OP_AMAX, Reduction::amax},
    {TILEOPS_OP_AMIN, Reduction::amin},
    {TILEOPS_OP_ANY, Reduction::any},
    {TILEOPS_OP_ALL, Reduction::all},
    {TILEOPS_OP_ARGMAX, Reduction::argmax},
    {TILEOPS_OP_ARGMIN, Reduction::argmin},
    {TILEOPS_OP_VAR, Reduction::variance},
    {TILEOPS_OP_LOGSUMEXP, Reduction::log_sum_exp},
    {TILEOPS_OP_CUMSUM, Reduction::sum},
    {TILEOPS_OP_CUMPROD, Reduction::prod},
    {TILEOPS_OP_CUMMAX, Reduction::amax},
    {TILEOPS_OP_CUMMIN, Reduction::amin},
};

int64_t attribute(const Node& n, tileops_attr_key key, int64_t otherwise) {
  const Attribute* a = n.find_attribute(key);
  return a ? a->value.i64 : otherwise;
}

// The axes that a function is given, of an operand of so many dimensions.
Blocking blocking_of(const Node& n, int ndim) {
  Blocking b;
  const uint32_t every = ndim == 0 ? 0 : UINT32_MAX >> (32 - ndim);
  b.axes = static_cast<uint32_t>(attribute(n, TILEOPS_ATTR_AXES, 1)) & every;
  uint64_t group = static_cast<uint64_t>(attribute(n, TILEOPS_ATTR_GROUP, 0));
  for (int axis = 1; group && axis <= ndim; ++axis) {
    if (!(b.axes >> (axis - 1) & 1)) continue;
    b.groups[axis] = static_cast<int64_t>(group & UINT32_MAX);
    group >>= 32;
  }
  b.whole = b.groups.empty();
  return b;
}

// Axes along which y has one element and x several.
uint32_t axes_of_broadcast(const TensorSpec& x, const TensorSpec& y) {
  uint32_t axes = 0;
  for (int axis = 1; axis <= x.ndim; ++axis)
    if (axis > y.ndim || (y.shape[y.ndim - axis] == 1 && x.shape[x.ndim - axis] != 1))
      axes |= uint32_t{1} << (axis - 1);
  return axes;
}

// Floats are reduced in their compute type, integers in 64 bits; but extremes of those that floats hold, as floats.
Ctype type_of_reduction(Reduction by, Dtype from) {
  if (by == Reduction::any || by == Reduction::all) return Ctype::boolean;
  if (is_float(from) || is_scale(from)) return compute_type(from);
  const bool extreme = by == Reduction::amax || by == Reduction::amin || by == Reduction::argmax ||
                       by == Reduction::argmin;
  if (extreme && dtype_size(from) <= 2) return Ctype::f32;
  return from == Dtype::u64 ? Ctype::u64 : Ctype::i64;
}

}  // namespace

std::vector<Extent> shape_of(const Inference& inference, int i) {
  const TensorSpec& t = spec_of(inference, i);
  return {t.shape, t.shape + t.ndim};
}

bool is_reduction(const Inference& inference, int i) {
  const Node& n = node_at(inference, i);
  if (n.is(Kind::reduce)) return !takes_one_element(inference, i);
  return n.is(Kind::sum_to) && shape_of(inference, n.arguments[0].node) != shape_of(inference, i);
}

bool is_scan(const Inference& inference, int i) {
  return node_at(inference, i).is(Kind::scan) && !inference.nodes[i].number && !takes_one_element(inference, i);
}

bool takes_one_element(const Inference& inference, int i) {
  const Node& n = node_at(inference, i);
  if (inference.nodes[i].number || !(n.is(Kind::reduce) || n.is(Kind::scan))) return false;
  const Reduced r = reduced(inference, i);
  if (r.exclusive || !r.over.groups.empty()) return false;
  const std::vector<Extent> shape = shape_of(inference, n.arguments[0].node);
  for (size_t axis = 1; axis <= shape.size(); ++axis)
    if ((r.over.axes >> (axis - 1) & 1) != 0 && extent_along(shape, axis) != 1) return false;
  return true;
}

bool asks_place(const Reduced& r) { return r.by == Reduction::argmax || r.by == Reduction::argmin; }

bool gathers_only_element(const Inference& inference, int i) {
  const Node& n = node_at(inference, i);
  if (!n.is(Kind::gather) || n.arguments.size() != 2) return false;
  const int from = n.arguments[0].node, place = n.arguments[1].node;
  if (from < 0 || place < 0 || !takes_one_element(inference, place)) return false;
  if (!asks_place(reduced(inference, place)) || node_at(inference, place).arguments[0].node != from) return false;
  return !is_slice(node_at(inference, from)) && shape_of(inference, from) == shape_of(inference, i);
}

Reduced reduced(const Inference& inference, int i) {
  const Node& n = node_at(inference, i);
  const TensorSpec& x = spec_of(inference, n.arguments[0].node);
  Reduced r;
  if (n.is(Kind::sum_to)) {
    r.over.axes = axes_of_broadcast(x, spec_of(inference, i));
    r.over.whole = true;
  } else {
    r.over = blocking_of(n, x.ndim);
    for (const NamedReduction& named : kReductions)
      if (named.id == n.function->id) r.by = named.by;
    r.mean = n.function->id == TILEOPS_OP_MEAN;
    r.in_halves = r.mean && (x.dtype == Dtype::i64 || x.dtype == Dtype::u64);
    if (const Attribute* c = n.find_attribute(TILEOPS_ATTR_CORRECTION)) r.correction = c->value.as_f64();
    r.reverse = attribute(n, TILEOPS_ATTR_REVERSE, 0) != 0;
    r.exclusive = attribute(n, TILEOPS_ATTR_EXCLUSIVE, 0) != 0;
  }
  const bool of_bool = x.dtype == Dtype::boolean;
  if (of_bool && r.by == Reduction::amax) r.by = Reduction::any;
  if (of_bool && r.by == Reduction::amin) r.by = Reduction::all;
  r.type = type_of_reduction(r.by, x.dtype);
  // Deviations and exponentials of integers are floats.
  if ((r.by == Reduction::variance || r.by == Reduction::log_sum_exp) && !is_floating(r.type)) r.type = Ctype::f32;
  return r;
}

std::map<int, int64_t> cuts_of(const Inference& inference, int i) {
  const Node& n = node_at(inference, i);
  if (n.is(Kind::reduce) || n.is(Kind::scan)) return reduced(inference, i).over.groups;
  if (n.is(Kind::spread)) return blocking_of(n, spec_of(inference, n.arguments[1].node).ndim).groups;
  return {};
}

namespace {

class LowParts {
 public:
  LowParts(const Inference& inference, const std::vector<TensorSpec>& results)
      : inference_(inference),
        results_(results),
        graph_(*inference.graph),
        count_(graph_.nodes.size()),
        wide_(count_) {}

  const std::vector<bool>& wide() {
    find_wide();
    return wide_;
  }

  std::vector<bool> run() {
    find_wide();
    std::vector<bool> low(count_);
    for (size_t i = 0; i < count_; ++i)
      if (is_sum(i)) low[i] = wide_[i];
    for (size_t i = 0; i < count_; ++i) {
      const Node& n = graph_.nodes[i];
      if (n.kind != Node::Kind::function || n.on_host || n.function->id != TILEOPS_OP_SUB) continue;
      for (size_t side = 0; side < 2; ++side) {
        if (n.arguments[side].node < 0 || n.arguments[1 - side].node < 0) continue;
        const std::vector<bool> of = made_of(static_cast<size_t>(n.arguments[1 - side].node), true);
        for (size_t sum = 0; sum < count_; ++sum)
          if (of[sum] && is_sum(sum)) low[sum] = low[sum] || made_of(sum, false)[n.arguments[side].node];
      }
    }
    return low;
  }

 private:
  // By the text: also one that takes a single element of these operands.
  bool meets_others(size_t i) const {
    const Node& n = graph_.nodes[i];
    return n.is(Kind::reduce) || (n.is(Kind::scan) && !inference_.nodes[i].number) ||
           is_reduction(inference_, static_cast<int>(i));
  }
  bool is_sum(size_t i) const {
    return meets_others(i) && reduced(inference_, static_cast<int>(i)).by == Reduction::sum;
  }

  // Nodes that something of more than 16 bits is made of: a result, or what a step of a function depends on.
  void find_wide() {
    for (size_t k = 0; k < graph_.results.size(); ++k) {
      const size_t i = static_cast<size_t>(graph_.results[k].node);
      if (!is_narrow_float(results_[k].dtype)) wide_[i] = true;
    }
    for (size_t i = count_; i-- > 0;) {
      const Node& n = graph_.nodes[i];
      if (n.kind != Node::Kind::function) continue;
      const Dtype own = inference_.nodes[i].spec.dtype;
      const bool rounds = n.is(Kind::cast) && is_narrow_float(own);
      const bool is_step = !is_float(own);
      for (size_t k = 0; k < num_read(n); ++k)
        if (n.arguments[k].node >= 0 && ((wide_[i] && !rounds) || is_step)) wide_[n.arguments[k].node] = true;
    }
  }

  // The nodes that a node depends on and itself; `maps`: not beyond reductions and scans.
  std::vector<bool> made_of(size_t root, bool maps) const {
    std::vector<bool> of(count_);
    of[root] = true;
    for (size_t i = root + 1; i-- > 0;) {
      if (!of[i] || (maps && meets_others(i))) continue;
      const Node& n = graph_.nodes[i];
      for (size_t k = 0; k < num_read(n); ++k)
        if (n.arguments[k].node >= 0) of[n.arguments[k].node] = true;
    }
    return of;
  }

  const Inference& inference_;
  const std::vector<TensorSpec>& results_;
  const Graph& graph_;
  const size_t count_;
  std::vector<bool> wide_;
};

}  // namespace

std::vector<bool> sums_with_low_parts(const Inference& inference, const std::vector<TensorSpec>& results) {
  return LowParts(inference, results).run();
}

std::vector<bool> values_with_rests(const Inference& inference, const std::vector<TensorSpec>& results,
                                    const std::vector<bool>& low_parts) {
  const std::vector<Node>& nodes = inference.graph->nodes;
  std::vector<bool> with(nodes.size());
  const auto has_rest = [&](int i) {
    const Node& n = nodes[i];
    if (!n.is(Kind::reduce)) return false;
    if (takes_one_element(inference, i)) return false;  // that is the value
    const Ctype type = reduced(inference, i).type;
    if (n.function->id == TILEOPS_OP_LOGSUMEXP) return true;
    if (n.function->id != TILEOPS_OP_MEAN || !low_parts[i] || !is_floating(type)) return false;
    const bool is_narrow = is_narrow_float(spec_of(inference, n.arguments[0].node).dtype);
    return !is_narrow || LowParts(inference, results).wide()[i];
  };
  for (const Node& n : nodes) {
    if (n.kind != Node::Kind::function || n.on_host || n.function->id != TILEOPS_OP_SUB || !n.attributes.empty())
      continue;
    for (const Argument& a : n.arguments) {
      std::vector<int> way;
      for (int i = a.node; i >= 0; i = nodes[i].arguments[0].node) {
        way.push_back(i);
        const Node& from = nodes[i];
        if (!from.is(Kind::spread) && !from.is(Kind::detach)) break;
      }
      if (!way.empty() && has_rest(way.back()))
        for (const int i : way) with[i] = true;
    }
  }
  return with;
}

}  // namespace tileops::expr
