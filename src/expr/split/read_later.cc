#include "expr/split/read_later.h"

#include "expr/split/in_place.h"
#include "expr/split/passes.h"

namespace tileops::expr {
namespace {

class Mover {
 public:
  Mover(const Request& request, const Inference& inference, const Needs& needs, Split* split)
      : request_(request),
        inference_(inference),
        graph_(*inference.graph),
        in_place_(operands_in_place(graph_)),
        needs_(needs),
        split_(*split) {}

  void run(std::vector<PassPlan>* maps) {
    const std::vector<std::vector<bool>> read = operands_read_from();
    std::vector<bool> by_maps(graph_.operands.size());
    for (const PassPlan& p : *maps)
      for (const Target& t : p.targets) add_operands(t, -1, &by_maps);
    for (size_t p = 0; p < split_.passes.size(); ++p) {
      std::vector<Target> stay;
      for (Target& t : split_.passes[p].targets) {
        bool later = false;
        for (size_t i = 0; i < graph_.operands.size(); ++i)
          later = later || (is_in_place_of(t, i) && (by_maps[i] || (p + 1 < read.size() && read[p + 1][i])));
        if (later) add_map(std::move(t), needs_.pairs_apart, maps);
        else stay.push_back(std::move(t));
      }
      split_.passes[p].targets = std::move(stay);
    }
  }

 private:
  // Operands that a value is made of by what its pass computes.
  void add_operands(int i, int pass, std::vector<bool>* read) const {
    std::vector<int> open{i};
    std::vector<bool> seen(graph_.nodes.size());
    while (!open.empty()) {
      const size_t at = static_cast<size_t>(open.back());
      open.pop_back();
      if (seen[at]) continue;
      seen[at] = true;
      const Node& n = graph_.nodes[at];
      if (n.of == Node::Of::operand) (*read)[static_cast<size_t>(n.index)] = true;
      if (is_left_to(split_, static_cast<int>(at), pass)) continue;
      if (split_.parts[at].pass >= 0 && split_.parts[at].pass != pass) continue;  // read from its parts
      for (size_t k = 0; k < num_read(n); ++k)
        if (n.arguments[k].node >= 0) open.push_back(n.arguments[k].node);
    }
  }

  void add_operands(const Target& t, int pass, std::vector<bool>* read) const {
    add_operands(t.node, pass, read);
    for (const Target::Along& a : t.scattered) add_operands(a.node, pass, read);
  }

  // By pass of reductions: the operands that it reads, or a later one of those.
  std::vector<std::vector<bool>> operands_read_from() const {
    std::vector<std::vector<bool>> read(split_.passes.size(), std::vector<bool>(graph_.operands.size()));
    for (size_t p = read.size(); p-- > 0;) {
      if (p + 1 < read.size()) read[p] = read[p + 1];
      const int pass = static_cast<int>(p);
      for (size_t i = 0; i < graph_.nodes.size(); ++i)
        if (split_.pass_of[i] == pass) add_operands(static_cast<int>(i), pass, &read[p]);
      for (const int i : split_.passes[p].partial)
        add_operands(graph_.nodes[static_cast<size_t>(i)].arguments[0].node, pass, &read[p]);
      for (const Target& t : split_.passes[p].targets) add_operands(t, pass, &read[p]);
    }
    return read;
  }

  bool is_in_place_of(const Target& t, size_t operand) const {
    if (operand >= request_.inputs.size()) return false;  // those that are absent at the end
    const TensorSpec& x = request_.inputs[operand];
    return (in_place_[static_cast<size_t>(t.view.slot)] >> operand & 1) != 0 && x.present &&
           std::vector<int64_t>(x.shape, x.shape + x.ndim) ==
               shape_of(inference_, graph_.results[static_cast<size_t>(t.view.slot)].node);
  }

  const Request& request_;
  const Inference& inference_;
  const Graph& graph_;
  const std::vector<uint32_t> in_place_;
  const Needs& needs_;
  Split& split_;
};

}  // namespace

void move_what_is_read_later(const Request& request, const Inference& inference, const Needs& needs, Split* split,
                             std::vector<PassPlan>* maps) {
  if (split->passes.size() + maps->size() > 1) Mover(request, inference, needs, split).run(maps);
}

}  // namespace tileops::expr
