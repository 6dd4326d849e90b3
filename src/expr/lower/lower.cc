// From an expression to a problem.
#include <algorithm>

#include "base/error.h"
#include "expr/graph/axes.h"
#include "expr/infer/map.h"
#include "expr/lower/formula.h"
#include "expr/lower/pass.h"
#include "expr/lower/scan.h"
#include "expr/split/in_place.h"
#include "expr/split/parts.h"
#include "expr/views/gathers.h"
#include "expr/views/places.h"
#include "expr/views/views.h"
#include "lower/lower.h"
#include "problem/analysis.h"
#include "problem/in_place.h"

namespace tileops::expr {
namespace {

// Is the expression one operator of operands, each taken once, such as the operator alone takes and gives? Then it goes
// the operator's way, which may keep bits. A cast rounds to its dtype, whatever the result's; scales are values of
// expressions only, and so are packed floats and integers that a float attribute makes floats.
bool is_operator(const Request& r, const Inference& inference) {
  const Graph& graph = *inference.graph;
  const Node& last = graph.nodes[graph.results[0].node];
  if (graph.results.size() != 1 || last.kind != Node::Kind::function || !last.function->op || last.on_host)
    return false;
  if (!last.is(Kind::map) && !last.is(Kind::cast)) return false;
  std::vector<int> seen;
  for (size_t k = 0; k < num_read(last); ++k) {
    const int i = last.arguments[k].node;
    if (i < 0) continue;
    if (graph.nodes[i].kind != Node::Kind::operand || std::count(seen.begin(), seen.end(), i)) return false;
    seen.push_back(i);
  }
  if (std::any_of(last.attributes.begin(), last.attributes.end(), [](const Attribute& a) { return a.node >= 0; }))
    return false;
  if (last.is(Kind::cast)) return r.outputs[0].dtype == inference.results[0].dtype;
  const Call& call = inference.calls[graph.results[0].node];
  for (size_t k = 0; k < call.inputs.size(); ++k)
    if (call.inputs[k].present && call.inputs[k].dtype != inference.nodes[last.arguments[k].node].spec.dtype)
      return false;
  if (is_packed(r.outputs[0].dtype)) return false;
  return std::none_of(r.inputs.begin(), r.inputs.end(),
                      [](const TensorSpec& t) { return t.present && (is_scale(t.dtype) || is_packed(t.dtype)); });
}

// Is the result what is scattered to it and added up?
bool adds_up(const Graph& graph, size_t result) {
  const Node& n = graph.nodes[graph.results[result].node];
  return n.is(Kind::scatter) && n.function->id == TILEOPS_OP_SCATTER_ADD;
}

// "(2, any)": a result's shape, of which some extents are the caller's.
std::string needed_text(const TensorSpec& need, const std::vector<AlongAxis>& free) {
  std::string text;
  for (int d = 0; d < need.ndim; ++d) {
    const bool any = std::any_of(free.begin(), free.end(), [d](const AlongAxis& a) { return a.dim == d; });
    text += (d ? ", " : "") + (any ? "any" : need.shape[d].text());
  }
  return "(" + text + (need.ndim == 1 ? ",)" : ")");
}

// The operator's own passes, on the request's operands.
void lower_operator(const Request& r, const Inference& inference, Problem* p) {
  const Graph& graph = *inference.graph;
  const Node& last = graph.nodes[graph.results[0].node];
  Call call = last.is(Kind::cast) ? cast_call(last, inference.nodes) : inference.calls[graph.results[0].node];
  const auto operand = [&](size_t k) { return graph.nodes[last.arguments[k].node].index; };
  for (size_t k = 0; k < call.inputs.size(); ++k)
    if (call.inputs[k].present) call.inputs[k] = r.inputs[operand(k)];
  call.outputs = r.outputs;
  call.inner = false;
  add_passes_of(call, p);
  for (Pass& pass : p->passes)
    for (View& load : pass.loads)
      if (load.kind == ViewKind::input) load.slot = operand(static_cast<size_t>(load.slot));
}

// `free`: dimensions of a scattered result that have the caller's extents.
void check_result(const Request& r, size_t k, const char* name, const TensorSpec& need,
                  const std::vector<AlongAxis>& free) {
  const TensorSpec& t = r.outputs[k];
  if (!t.present) invalid("outputs[%zu]: is absent, but is a result of the expression, '%s'", k, name);
  TensorSpec wanted = need;
  for (const AlongAxis& a : free)
    if (t.ndim == need.ndim) wanted.shape[a.dim] = t.shape[a.dim];
  if (t.ndim != need.ndim || !std::equal(t.shape, t.shape + t.ndim, wanted.shape))
    invalid("outputs[%zu]: shape is wrong (got %s, need %s) for the result '%s'", k,
            shape_text(t.shape, t.ndim).c_str(), needed_text(need, free).c_str(), name);
  if (is_scale(t.dtype) && !is_scale(need.dtype))
    unsupported("outputs[%zu]: only a cast gives this dtype (got %s, and the result '%s' is %s)", k,
                dtype_name(t.dtype), name, dtype_name(need.dtype));
}

// Elements that several threads add to at once are words of the machine.
void check_sums(const Request& r, size_t k, const char* name) {
  const Dtype dtype = r.outputs[k].dtype;
  if (dtype_category(dtype) != kInt || dtype_bits(dtype) < 32)
    unsupported("outputs[%zu]: scatter_add adds up in int32, int64, uint32 or uint64 (got %s for the result '%s')", k,
                dtype_name(dtype), name);
}

// The passes of an expression as they are tried.
struct Lowered {
  Problem problem;  // its constants, passes and workspace
  NumberTable numbers;
  size_t passes = 0;             // before what is mirrored or short is divided
  bool is_one_map = false;       // an only pass, of a text that reduces nothing
  std::vector<uint32_t> broken;  // by result: operands that it cannot lie over after all
};

// Where no temporary is open their views have offsets from the workspace's start.
void place_temporaries_of(Problem* p) {
  const std::vector<Extent> sizes = std::move(p->temporaries);
  p->temporaries.clear();
  if (std::any_of(sizes.begin(), sizes.end(), [](const Extent& e) { return e.is_open(); })) {
    if (sizes.size() > kMostTemporaries)
      unsupported("expr: leaves %zu values of open extents in the workspace (at most %zu)", sizes.size(),
                  kMostTemporaries);
    p->temporaries = sizes;
    return;
  }
  std::vector<int64_t> offsets(sizes.size());
  p->workspace_bytes = place_temporaries(sizes, nullptr, offsets.data());
  for (Pass& pass : p->passes)
    for (auto* views : {&pass.loads, &pass.stores})
      for (View& v : *views) {
        if (v.kind != ViewKind::temporary) continue;
        v.offset += offsets[static_cast<size_t>(v.slot)];
        v.slot = 0;
      }
}

// Is there a reduction that is none? The text says that what it takes is read before anything is stored.
bool takes_single_elements(const Inference& inference) {
  for (size_t i = 0; i < inference.nodes.size(); ++i)
    if (takes_one_element(inference, static_cast<int>(i))) return true;
  return false;
}

Lowered lower_passes(const Request& r, const Inference& inference, uint32_t last) {
  const Split split = split_into_passes(r, inference, last);
  Lowered made;
  made.passes = split.passes.size();
  made.is_one_map = made.passes == 1 && !split.passes[0].block.whole && split.passes[0].block.axes == 0 &&
                    !takes_single_elements(inference);
  made.problem.temporaries = split.temporaries;
  for (size_t k = 0; k < inference.results.size(); ++k)
    if (adds_up(*inference.graph, k)) made.problem.passes.push_back(zeros_for(r, k, &made.problem));
  for (size_t i = 0; i < split.passes.size(); ++i) {
    for (Pass& pass : passes_of(r, inference, split, static_cast<int>(i), &made.problem, &made.numbers)) {
      if (!split.passes[i].mirrored) made.problem.passes.push_back(std::move(pass));
      else
        for (Pass& part : mirrored(std::move(pass))) made.problem.passes.push_back(std::move(part));
    }
  }
  if (!split.temporaries.empty()) tell_of_temporaries(split.temporaries.size(), &made.problem.passes);
  place_temporaries_of(&made.problem);
  return made;
}

// Row-major strides, in elements, of a tensor's shape; those of extents of 1 are 0.
template <class F>
void each_row_major_stride(const TensorSpec& t, const F& f) {
  Extent stride = t.numel() == 0 ? 0 : 1;
  for (int d = t.ndim; d-- > 0; stride *= t.shape[d]) f(d, t.shape[d] == 1 ? Extent(0) : stride);
}

bool is_row_major(const std::vector<TensorSpec>& tensors) {
  bool all = true;
  for (const TensorSpec& t : tensors)
    if (t.present) each_row_major_stride(t, [&](int d, const Extent& stride) { all = all && t.strides[d] == stride; });
  return all;
}

// The request of row-major tensors.
Request row_major(Request r) {
  for (auto* list : {&r.inputs, &r.outputs})
    for (TensorSpec& t : *list)
      if (t.present) each_row_major_stride(t, [&](int d, const Extent& stride) { t.strides[d] = stride; });
  return r;
}

// The pairs of result and operand that the text allows, without those that can never have the same layout.
std::vector<uint32_t> alike(const Request& r, std::vector<uint32_t> in_place) {
  const auto have_one_layout = [](const TensorSpec& x, const TensorSpec& y) {
    return x.present && y.numel() != 0 && x.ndim == y.ndim && std::equal(x.shape, x.shape + x.ndim, y.shape) &&
           dtype_bits(x.dtype) == dtype_bits(y.dtype);
  };
  for (size_t k = 0; k < in_place.size(); ++k)
    for (size_t i = 0; i < r.inputs.size(); ++i)
      if (!have_one_layout(r.inputs[i], r.outputs[k])) in_place[k] &= ~(uint32_t{1} << i);
  return in_place;
}

// Are all these pairs of result and operand among those?
bool keeps(const std::vector<uint32_t>& pairs, const std::vector<uint32_t>& those) {
  for (size_t k = 0; k < pairs.size(); ++k)
    if (pairs[k] & ~those[k]) return false;
  return true;
}

// Results that would be stored too early for an operand that they may lie over go to the passes at the end: asked again
// and again, since these then read operands later. Row-major tensors decide for all, because which passes there are
// must not depend on strides: results of other layouts could have other bits. An only pass without rows is right by the
// text.
Lowered lower_for(const Request& r, const Inference& inference, const std::vector<uint32_t>& in_place) {
  Lowered made = lower_passes(r, inference, 0);
  const std::vector<uint32_t> pairs = alike(r, in_place);
  const bool any = std::any_of(pairs.begin(), pairs.end(), [](uint32_t operands) { return operands != 0; });
  if (!any || made.is_one_map) return made;
  const bool is_dense = is_row_major(r.inputs) && is_row_major(r.outputs);
  const Request dense = is_dense ? Request() : row_major(r);
  for (uint32_t last = 0;;) {
    if (is_dense) made.broken = loaded_after_stored(made.problem, pairs);
    else made.broken = loaded_after_stored(lower_passes(dense, inference, last).problem, pairs);
    uint32_t more = 0;
    for (size_t k = 0; k < made.broken.size(); ++k)
      if (made.broken[k] && !(last >> k & 1)) more |= uint32_t{1} << k;
    if (!more) return made;
    last |= more;
    made = lower_passes(r, inference, last);
  }
}

}  // namespace

Problem lower(const std::shared_ptr<const Graph>& graph, const Request& r) {
  Inference inference = infer(graph, r.inputs);
  const std::shared_ptr<const Graph> down = with_views_of_operands(inference);
  if (down != inference.graph) inference = infer(down, r.inputs);
  for (size_t k = 0; k < inference.results.size(); ++k) {
    const Result& result = inference.graph->results[k];
    const Node& n = inference.graph->nodes[result.node];
    const TensorSpec& need = inference.results[k];
    check_result(r, k, result.name.c_str(), need, n.is(Kind::scatter) ? along(n, need.ndim) : std::vector<AlongAxis>{});
    if (adds_up(*inference.graph, k)) check_sums(r, k, result.name.c_str());
  }
  const std::vector<uint32_t> in_place = operands_in_place(*inference.graph);
  const auto take = [&](const std::shared_ptr<const Graph>& other) {
    if (other && keeps(alike(r, in_place), operands_in_place(*other))) inference = infer(other, r.inputs);
  };
  take(with_gathers_of_operands(inference));
  // Not on the CPU: a thread would read a long row twice, for the value and for its place.
  if (r.device.device_type == kDLCUDA) take(with_places_by_values(inference, has_few_long_blocks));
  Lowered made;
  if (is_operator(r, inference)) {
    lower_operator(r, inference, &made.problem);
  } else {
    made = lower_for(r, inference, in_place);
    if (const auto other = with_sums_of_halves(inference, r.outputs)) {
      Inference of_halves = infer(other, r.inputs);
      Lowered shorter = lower_for(r, of_halves, in_place);
      if (shorter.passes < made.passes) made = std::move(shorter), inference = std::move(of_halves);
    }
  }
  Problem& p = made.problem;
  p.name = r.name();
  p.in_place = in_place;
  for (size_t k = 0; k < made.broken.size(); ++k) p.in_place[k] &= ~made.broken[k];
  p.num_numbers = made.numbers.size();
  p.numbers = made.numbers.finish(inference);  // looks at scalars that nothing needs as well
  return std::move(p);
}

}  // namespace tileops::expr
