#include "expr/nodes/live.h"

namespace tileops::expr {
namespace {

// Depth first, without recursion: a caller's chain of nodes may be long.
class Order {
 public:
  Order(const std::vector<Node>& nodes, Graph* graph) : nodes_(nodes), graph_(graph), place_(nodes.size(), -1) {}

  int visit(int root) {
    std::vector<int> open{root};
    while (!open.empty()) {
      const int at = open.back();
      const size_t waiting = open.size();
      if (place_[at] < 0) {
        const Node& node = nodes_[at];
        // The last one pushed is looked at first.
        for (size_t i = node.attributes.size(); i-- > 0;) want(node.attributes[i].node, &open);
        for (size_t i = node.arguments.size(); i-- > 0;) want(node.arguments[i].node, &open);
      }
      if (open.size() > waiting) continue;
      open.pop_back();
      if (place_[at] < 0) keep(at);
    }
    return place_[root];
  }
  const std::vector<int>& places() const { return place_; }

 private:
  void want(int node, std::vector<int>* open) const {
    if (node >= 0 && place_[node] < 0) open->push_back(node);
  }
  void keep(int at) {
    place_[at] = static_cast<int>(graph_->nodes.size());
    graph_->nodes.push_back(nodes_[at]);
    for (Argument& a : graph_->nodes.back().arguments)
      if (a.node >= 0) a.node = place_[a.node];
    for (Attribute& a : graph_->nodes.back().attributes)
      if (a.node >= 0) a.node = place_[a.node];
  }

  const std::vector<Node>& nodes_;
  Graph* graph_;
  std::vector<int> place_;
};

}  // namespace

std::vector<int> keep_live(const std::vector<Node>& nodes, const std::vector<Result>& results, Graph* graph) {
  Order order(nodes, graph);
  for (Result r : results) {
    r.node = order.visit(r.node);
    graph->results.push_back(std::move(r));
  }
  return order.places();
}

}  // namespace tileops::expr
