#include "expr/infer/ones.h"

#include <algorithm>
#include <vector>

#include "lower/common.h"

namespace tileops::expr {
namespace {

// What a node multiplies by 1.0, if that changes neither its dtype nor its shape; -1: it does something else. Of floats
// of 8 bits it is kept: they are cast to their own dtype in another way than values on their way are.
int times_one(const Inference& inference, size_t i) {
  const Node& n = inference.graph->nodes[i];
  if (n.kind != Node::Kind::function || n.function->id != TILEOPS_OP_MUL || n.on_host) return -1;
  for (const int side : {0, 1}) {
    const int one = n.arguments[side].node, x = n.arguments[1 - side].node;
    if (one < 0 || x < 0) continue;
    const Node& constant = inference.graph->nodes[one];
    if (constant.kind != Node::Kind::constant || constant.value.type != Number::Type::f64 || constant.value.f64 != 1 ||
        inference.nodes[x].number)
      continue;
    const TensorSpec &from = inference.nodes[x].spec, &to = inference.nodes[i].spec;
    if (is_float(from.dtype) && dtype_bits(from.dtype) > 8 && from.dtype == to.dtype) return x;
  }
  return -1;
}

// Is a value one of memory's dtype?
bool is_rounded(const Graph& graph, int x) {
  const Node& n = graph.nodes[x];
  return n.kind == Node::Kind::operand || is_slice(n) || n.is(Kind::cast);
}

// Products of such values that are compared, or of which a part is, stay: a number beside a value of memory is rounded
// to its dtype, beside a value on its way it is not (lower/compare.cc).
void keep_compared(const Graph& graph, std::vector<int>* taken) {
  const auto keep = [&](int product) {
    int& x = (*taken)[product];
    if (x >= 0 && is_rounded(graph, x)) x = -1;
  };
  for (const Node& n : graph.nodes) {
    if (!n.is(Kind::map) || !is_compared(n.function->rule)) continue;
    for (const Argument& a : n.arguments) {
      const Node& compared = graph.nodes[a.node];
      keep(a.node);
      if (is_slice(compared)) keep(compared.arguments[0].node);
    }
  }
}

// By node, whether a result needs it.
std::vector<bool> used_of(const Graph& graph, const std::vector<int>& taken) {
  std::vector<bool> used(graph.nodes.size());
  const auto use = [&](int node) {
    if (node >= 0) used[taken[node] >= 0 ? taken[node] : node] = true;
  };
  for (const Result& r : graph.results) use(r.node);
  for (size_t i = used.size(); i-- > 0;) {
    if (!used[i] || taken[i] >= 0) continue;
    for (const Argument& a : graph.nodes[i].arguments) use(a.node);
    for (const Attribute& a : graph.nodes[i].attributes) use(a.node);
  }
  return used;
}

}  // namespace

void leave_out_ones(Inference* inference) {
  const Graph& graph = *inference->graph;
  const size_t count = graph.nodes.size();
  std::vector<int> taken(count), place(count, -1);
  for (size_t i = 0; i < count; ++i) {
    const int x = times_one(*inference, i);
    taken[i] = x >= 0 && taken[x] >= 0 ? taken[x] : x;
  }
  for (const Result& r : graph.results) taken[r.node] = -1;  // a result is stored as what it is
  keep_compared(graph, &taken);
  if (std::all_of(taken.begin(), taken.end(), [](int x) { return x < 0; })) return;

  const std::vector<bool> used = used_of(graph, taken);
  auto shorter = std::make_shared<Graph>();
  shorter->operands = graph.operands, shorter->scalars = graph.scalars, shorter->results = graph.results;
  shorter->text = graph.text, shorter->source = graph.source;
  const auto move = [&](int* node) {
    if (*node >= 0) *node = place[taken[*node] >= 0 ? taken[*node] : *node];
  };
  for (size_t i = 0; i < count; ++i) {
    if (!used[i]) continue;
    const size_t at = shorter->nodes.size();
    place[i] = static_cast<int>(at);
    shorter->nodes.push_back(graph.nodes[i]);
    for (Argument& a : shorter->nodes[at].arguments) move(&a.node);
    for (Attribute& a : shorter->nodes[at].attributes) move(&a.node);
    if (at == i) continue;
    inference->nodes[at] = inference->nodes[i];
    inference->calls[at] = std::move(inference->calls[i]);
  }
  for (Result& r : shorter->results) move(&r.node);
  inference->nodes.resize(shorter->nodes.size());
  inference->calls.resize(shorter->nodes.size());
  for (size_t i = 0; i < shorter->nodes.size(); ++i)
    if (inference->nodes[i].literal) inference->nodes[i].literal = &shorter->nodes[i].value;
  inference->graph = std::move(shorter);
}

}  // namespace tileops::expr
