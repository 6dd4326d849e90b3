// From an expression to a problem: results of one shape are one pass, larger shapes first.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "base/error.h"
#include "expr/infer/map.h"
#include "expr/lower/formula.h"
#include "expr/lower/in_place.h"
#include "expr/lower/loads.h"
#include "expr/lower/pass.h"
#include "lower/lower.h"

namespace tileops::expr {
namespace {

// Is the expression one operator of operands, each taken once, such as the operator alone takes and gives? Then it goes
// the operator's way, which may keep bits. A cast rounds to its dtype, whatever the result's; scales are values of
// expressions only, and so are integers that a float attribute makes floats.
bool is_operator(const Request& r, const Inference& inference) {
  const Graph& graph = *inference.graph;
  const Node& last = graph.nodes[static_cast<size_t>(graph.results[0].node)];
  if (graph.results.size() != 1 || last.of != Node::Of::function || !last.function->op || last.on_host) return false;
  if (!last.is(Kind::map) && !last.is(Kind::cast)) return false;
  std::vector<int> seen;
  for (size_t k = 0; k < num_read(last); ++k) {
    const int i = last.arguments[k].node;
    if (i < 0) continue;
    if (graph.nodes[static_cast<size_t>(i)].of != Node::Of::operand || std::count(seen.begin(), seen.end(), i))
      return false;
    seen.push_back(i);
  }
  if (std::any_of(last.attributes.begin(), last.attributes.end(), [](const Attribute& a) { return a.node >= 0; }))
    return false;
  if (last.is(Kind::cast)) return r.outputs[0].dtype == inference.results[0].dtype;
  const Call call = call_of(last, inference.nodes);
  for (size_t k = 0; k < call.inputs.size(); ++k)
    if (call.inputs[k].present &&
        call.inputs[k].dtype != inference.nodes[static_cast<size_t>(last.arguments[k].node)].spec.dtype)
      return false;
  return std::none_of(r.inputs.begin(), r.inputs.end(),
                      [](const TensorSpec& t) { return t.present && is_scale(t.dtype); });
}

// The operator's own passes, on the request's operands.
void lower_operator(const Request& r, const Inference& inference, Problem* p) {
  const Graph& graph = *inference.graph;
  const Node& last = graph.nodes[static_cast<size_t>(graph.results[0].node)];
  Call call = last.is(Kind::cast) ? cast_call(last, inference.nodes) : call_of(last, inference.nodes);
  const auto operand = [&](size_t k) { return graph.nodes[static_cast<size_t>(last.arguments[k].node)].index; };
  for (size_t k = 0; k < call.inputs.size(); ++k)
    if (call.inputs[k].present) call.inputs[k] = r.inputs[static_cast<size_t>(operand(k))];
  call.outputs = r.outputs;
  lower_call(call, p);
  for (Pass& pass : p->passes)
    for (View& load : pass.loads)
      if (load.kind == ViewKind::input) load.slot = operand(static_cast<size_t>(load.slot));
}

void check_result(const Request& r, size_t k, const TensorSpec& need) {
  const TensorSpec& t = r.outputs[k];
  if (!t.present) invalid("outputs[%zu]: is absent, but is a result of the expression", k);
  if (t.ndim != need.ndim || !std::equal(t.shape, t.shape + t.ndim, need.shape))
    invalid("outputs[%zu]: shape is wrong (got %s, need %s)", k, shape_text(t.shape, t.ndim).c_str(),
            shape_text(need.shape, need.ndim).c_str());
  if (is_scale(t.dtype) && !is_scale(need.dtype))
    unsupported("outputs[%zu]: only a cast gives this dtype (got %s, and the result is %s)", k, dtype_name(t.dtype),
                dtype_name(need.dtype));
}

// What the language has and no pass can do yet.
void refuse_rows(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (node.of != Node::Of::function || node.on_host) continue;
    switch (node.function->kind) {
      case Kind::reduce:
      case Kind::scan:
      case Kind::spread:
      case Kind::detach:
      case Kind::gather:
      case Kind::scatter:
      case Kind::tiled: unsupported("%s: not yet", node.function->name);
      default: break;
    }
  }
}

// What is stored for a result: its value, or the values that it is joined of.
std::vector<Target> targets_of(const Request& r, const Inference& inference, size_t k) {
  const Graph& graph = *inference.graph;
  const int i = graph.results[k].node;
  const Node& n = graph.nodes[static_cast<size_t>(i)];
  const View whole = view_of(r.outputs[k], ViewKind::output, static_cast<int>(k));
  const TensorSpec& out = r.outputs[k];
  std::vector<int64_t> extents(out.shape, out.shape + out.ndim);
  if (!n.is(Kind::concat) && !n.is(Kind::interleave)) return {{i, whole, extents}};
  const int64_t parts = static_cast<int64_t>(n.arguments.size());
  extents.back() /= parts;
  std::vector<Target> targets;
  for (int64_t part = 0; part < parts; ++part) {
    View v = whole;
    v.offset = v.strides.back() * (n.is(Kind::concat) ? extents.back() * part : part);
    if (n.is(Kind::interleave)) v.strides.back() *= parts;
    targets.push_back({n.arguments[static_cast<size_t>(part)].node, v, extents});
  }
  return targets;
}

int64_t numel_of(const std::vector<int64_t>& shape) {
  if (std::count(shape.begin(), shape.end(), 0)) return 0;  // first: the other extents alone may overflow
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

// Whatever reads an operand broadcast runs before what may be written over it (in_place.h).
bool runs_before(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  const int64_t n = numel_of(a), m = numel_of(b);
  return n != m ? n > m : a.size() > b.size();
}

// A pass for each shape of results.
void lower_passes(const Request& r, const Inference& inference, Problem* p, NumberTable* numbers) {
  std::map<std::vector<int64_t>, std::vector<Target>> by_shape;
  std::vector<std::vector<int64_t>> shapes;  // in the order of the results, then of the passes
  for (size_t k = 0; k < inference.results.size(); ++k) {
    for (Target& t : targets_of(r, inference, k)) {
      std::vector<Target>& same = by_shape[t.extents];
      if (same.empty()) shapes.push_back(t.extents);
      same.push_back(std::move(t));
    }
  }
  std::stable_sort(shapes.begin(), shapes.end(), runs_before);
  for (const std::vector<int64_t>& shape : shapes)
    p->passes.push_back(pass_of(r, inference, by_shape[shape], p, numbers));
}

}  // namespace

Problem lower(const std::shared_ptr<const Graph>& graph, const Request& r) {
  const Inference inference = infer(graph, r.inputs);
  refuse_rows(*inference.graph);
  for (size_t k = 0; k < inference.results.size(); ++k) check_result(r, k, inference.results[k]);
  Problem p;
  p.name = r.name();
  p.in_place = operands_in_place(*inference.graph);
  NumberTable numbers(inference);
  if (is_operator(r, inference)) lower_operator(r, inference, &p);
  else lower_passes(r, inference, &p, &numbers);
  p.num_numbers = numbers.size();
  p.numbers = numbers.finish();  // looks at scalars that nothing needs as well
  return p;
}

}  // namespace tileops::expr
