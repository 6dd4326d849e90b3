#include "expr/split/members.h"

#include <algorithm>

namespace tileops::expr {

int stored_node(const Inference& inference, const Target& target) {
  const Node& n = inference.graph->nodes[target.node];
  const Dtype dtype = inference.nodes[target.node].spec.dtype;
  const bool by_store = n.is(Kind::cast) && dtype == target.view.dtype && !is_scale(dtype);
  return by_store ? n.arguments[0].node : target.node;
}

bool is_only_element(const Inference& inference, const Split& split, int node, int pass) {
  return gathers_only_element(inference, node) &&
         !is_left_to(split, inference.graph->nodes[node].arguments[0].node, pass);
}

namespace {

// Nodes that are steps of a pass: not those that another pass has left.
std::vector<int> members_of(const Inference& inference, const Split& split, int number) {
  const std::vector<Node>& nodes = inference.graph->nodes;
  const PassPlan& plan = split.passes[number];
  std::vector<bool> needed(nodes.size());
  const auto is_step = [&](int i) {
    const Node& n = nodes[i];
    return n.kind == Node::Kind::function && !is_slice(n) && !inference.nodes[i].number &&
           !is_left_to(split, i, number);
  };
  for (const Target& target : plan.targets) {
    needed[stored_node(inference, target)] = true;
    for (const Target::Along& a : target.scattered) needed[a.node] = true;
  }
  for (const std::vector<int>* list : {&plan.partial, &plan.firsts})
    for (const int i : *list) needed[nodes[i].arguments[0].node] = true;
  for (int i = static_cast<int>(needed.size()); i-- > 0;) {
    const Node& n = nodes[i];
    const size_t read = is_only_element(inference, split, i, number) ? 1 : num_read(n);
    for (size_t k = 0; needed[i] && is_step(i) && takes_elements(inference, split, i) && k < read; ++k)
      if (n.arguments[k].node >= 0) needed[n.arguments[k].node] = true;
  }
  std::vector<int> members;
  for (int i = 0; i < static_cast<int>(needed.size()); ++i)
    if (needed[i] && is_step(i)) members.push_back(i);
  return members;
}

// A pass's axes, as what cuts them is looked at: its own reductions, then the spreads that it computes.
class Cutting {
 public:
  Cutting(const Inference& inference, const Split& split, const PassPlan& plan) : inference_(inference), plan_(plan) {
    for (const int i : plan_.partial)
      for (const auto& [axis, group] : split.partials[i].blocks.groups) cuts_[axis] = group;
    for (const auto& [axis, group] : plan_.block.groups) cuts_[axis] = group;
    // The last ones first: what a pass has been made to bring back comes behind all that this is made of.
    for (size_t k = plan_.members.size(); k-- > 0;)
      if (is_spread(plan_.members[k]) && !joins(plan_.members[k])) others_.push_back(plan_.members[k]);
  }

  const std::map<int, int64_t>& cuts() const { return cuts_; }
  const std::vector<int>& others() const { return others_; }

 private:
  bool is_spread(int i) const { return inference_.graph->nodes[i].is(Kind::spread); }

  static Extent extent(const std::vector<Extent>& shape, int axis) {
    return extent_along(shape, static_cast<size_t>(axis));
  }
  bool is_reduced(int axis) const { return (plan_.block.axes >> (axis - 1) & 1) != 0; }
  bool is_short(int axis, int64_t group) const { return extent(plan_.shape, axis) % group != 0; }

  bool joins(int spread) {
    const std::vector<Extent> shape = shape_of(inference_, spread);
    std::map<int, int64_t> joined = cuts_;
    for (const auto& [axis, group] : cuts_of(inference_, spread)) {
      const Extent own = extent(shape, axis);
      if (own == 0 || own == 1) continue;                                    // one group, of one element or none
      if (own != extent(plan_.shape, axis)) return false;                    // groups of groups
      if (joined.emplace(axis, group).first->second != group) return false;  // of another size
    }
    if (plan_.block.whole && !has_few_short(joined)) return false;
    cuts_ = std::move(joined);
    return true;
  }

  // Executors reduce a whole row if the last group is short along one of its axes at most; along none if they take the
  // row from its end, where the short group would come first.
  bool has_few_short(const std::map<int, int64_t>& cuts) const {
    int count = 0;
    for (const auto& [axis, group] : cuts) count += is_reduced(axis) && is_short(axis, group);
    return count <= (plan_.mirrored ? 0 : 1);
  }

  const Inference& inference_;
  const PassPlan& plan_;
  std::map<int, int64_t> cuts_;
  std::vector<int> others_;
};

}  // namespace

std::vector<int> find_members(const Inference& inference, Split* split) {
  std::vector<int> others;
  for (size_t p = 0; p < split->passes.size(); ++p) {
    PassPlan& plan = split->passes[p];
    plan.members = members_of(inference, *split, static_cast<int>(p));
    const Cutting cutting(inference, *split, plan);
    plan.cuts = cutting.cuts();
    others.insert(others.end(), cutting.others().begin(), cutting.others().end());
  }
  return others;
}

}  // namespace tileops::expr
