#include "expr/split/in_place.h"

#include <algorithm>

namespace tileops::expr {
namespace {

// How an operand is read: whole, or as one of n parts.
struct Read {
  Kind kind = Kind::map;  // chunk or every; else whole
  int64_t parts = 1;
  bool operator==(const Read& o) const { return kind == o.kind && parts == o.parts; }
};

// Gathered elements are anywhere: nothing lies over them.
constexpr Read kAnywhere{Kind::gather, 0};

Read read_by(const Node& node, size_t argument) {
  if (node.is(Kind::gather) && argument == 0) return kAnywhere;
  if (!node.is(Kind::chunk) && !node.is(Kind::every)) return {};
  const int64_t parts = node.find_attribute(TILEOPS_ATTR_PARTS)->value.i64;
  return parts == 1 ? Read{} : Read{node.function->kind, parts};
}

// How an operand must be read for this node's result to lie over it.
Read read_for(const Node& result) {
  const int64_t parts = static_cast<int64_t>(result.arguments.size());
  if (result.is(Kind::concat)) return {Kind::chunk, parts};
  if (result.is(Kind::interleave)) return {Kind::every, parts};
  return {};
}

}  // namespace

std::vector<uint32_t> operands_in_place(const Graph& graph) {
  std::vector<std::vector<Read>> reads(graph.operands.size());
  const auto add = [&](int i, const Read& read) {
    const Node& from = graph.nodes[i];
    if (from.kind == Node::Kind::operand) reads[from.index].push_back(read);
  };
  // What reductions and scans read can be read before anything is stored.
  std::vector<bool> needed(graph.nodes.size());
  for (const Result& r : graph.results) needed[r.node] = true;
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    if (!needed[i] || node.is(Kind::reduce) || node.is(Kind::scan)) continue;
    for (size_t k = 0; k < num_read(node); ++k) {
      if (node.arguments[k].node < 0) continue;
      needed[node.arguments[k].node] = true;
      add(node.arguments[k].node, read_by(node, k));
    }
  }
  for (const Result& r : graph.results) add(r.node, {});
  std::vector<uint32_t> over;
  for (const Result& r : graph.results) {
    const Node& node = graph.nodes[r.node];
    const bool moves = node.is(Kind::scatter) || node.is(Kind::tiled);
    const Read wanted = read_for(graph.nodes[r.node]);
    uint32_t bits = 0;
    for (size_t i = 0; i < reads.size(); ++i) {
      const auto suits = [&](const Read& read) { return read == wanted; };
      if (!moves && std::all_of(reads[i].begin(), reads[i].end(), suits)) bits |= uint32_t{1} << i;
    }
    over.push_back(bits);
  }
  return over;
}

}  // namespace tileops::expr
