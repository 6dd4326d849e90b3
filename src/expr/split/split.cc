#include "expr/split/split.h"

#include "expr/split/in_place.h"
#include "expr/split/needs.h"
#include "expr/split/parts.h"
#include "expr/split/targets.h"
#include "problem/request.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace tileops::expr {
namespace {

int64_t numel_of(const std::vector<int64_t>& shape) {
  if (std::count(shape.begin(), shape.end(), 0)) return 0;  // first: the other extents alone may overflow
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

// Whatever reads an operand broadcast runs before what may be written over it (in_place.h).
bool runs_before(const PassPlan& a, const PassPlan& b) {
  const int64_t n = numel_of(a.shape), m = numel_of(b.shape);
  return n != m ? n > m : a.shape.size() > b.shape.size();
}

// Is it what the pass has: of an element, of a group or of a block?
bool has_shape(const PassPlan& p, const std::vector<int64_t>& shape) {
  const size_t axes = std::max(p.shape.size(), shape.size());
  const auto extent = [](const std::vector<int64_t>& s, size_t axis) {
    return axis <= s.size() ? s[s.size() - axis] : 1;
  };
  bool elements = true, groups = !p.block.groups.empty(), block = p.block.whole;
  for (size_t axis = 1; axis <= axes; ++axis) {
    const int64_t all = extent(p.shape, axis), n = extent(shape, axis);
    const bool reduced = axis <= 32 && (p.block.axes >> (axis - 1) & 1) != 0;
    const auto cut = p.block.groups.find(static_cast<int>(axis));
    elements = elements && n == all;
    groups = groups && n == (cut == p.block.groups.end() ? all : groups_of(all, cut->second));
    block = block && n == (reduced ? 1 : all);
  }
  return elements || groups || block;
}

// Is it one that reduces nothing (needs_own_pass)?
bool brings_groups_back(const PassPlan& p) { return p.block.axes == 0 && !p.block.whole; }

class Splitter {
 public:
  Splitter(const Request& request, const Inference& inference)
      : request_(request),
        inference_(inference),
        graph_(*inference.graph),
        in_place_(operands_in_place(graph_)),
        needs_(needs_of(request, inference)),
        near_(graph_.nodes.size()),
        first_(graph_.nodes.size()) {
    split_.pass_of.assign(graph_.nodes.size(), -1);
    split_.left.resize(graph_.nodes.size());
    split_.parts.resize(graph_.nodes.size());
  }

  Split run() {
    const auto reduces = [](const Node& n) { return n.is(Kind::reduce) || n.is(Kind::sum_to) || n.is(Kind::scan); };
    if (std::any_of(graph_.nodes.begin(), graph_.nodes.end(), reduces))
      split_.low_parts = sums_with_low_parts(inference_, request_.outputs);
    const std::vector<bool> last = sums_of_blocks_and_what_takes_them();
    for (const bool now : {false, true})
      for (size_t i = 0; i < graph_.nodes.size(); ++i)
        if (last[i] == now) visit(static_cast<int>(i));
    std::vector<PassPlan> maps;
    for (size_t k = 0; k < inference_.results.size(); ++k)
      for (Target& t : targets_of(request_, inference_, k)) add(std::move(t), &maps);
    move_what_is_read_later(&maps);
    std::stable_sort(maps.begin(), maps.end(), runs_before);
    for (PassPlan& p : maps) split_.passes.push_back(std::move(p));
    for (size_t p = 0; p < split_.passes.size(); ++p)
      for (size_t t = 0; t < split_.passes[p].targets.size(); ++t)
        for (const int sum : sums_of(split_.passes[p].targets[t])) leave(sum, static_cast<int>(p));
    for (size_t i = 0; i < graph_.nodes.size(); ++i)
      if (split_.pass_of[i] >= 0)
        for (const int sum : near_[i]) leave(sum, split_.parts[i].pass < 0 ? split_.pass_of[i] : split_.parts[i].pass);
    return std::move(split_);
  }

 private:
  // The values that a value needs which passes are made for, without those that these need.
  std::vector<int> sums_of(int i) const {
    return split_.pass_of[static_cast<size_t>(i)] >= 0 ? std::vector<int>{i} : near_[static_cast<size_t>(i)];
  }

  std::vector<int> sums_of(const Target& t) const {
    std::vector<int> all = sums_of(t.node);
    for (const Target::Along& a : t.scattered) {
      const std::vector<int> more = sums_of(a.node);
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }

  // Groups that are brought back, in a way that no pass has which computes something else: there are groups of another
  // size along the axis, which has as many elements there, or the last one is short and a scan goes along the axis from
  // its end.
  bool needs_own_pass(int i) const {
    const std::map<int, int64_t> cuts = cuts_of(inference_, i);
    const std::vector<int64_t> shape = shape_of(inference_, i);
    for (size_t k = 0; k < graph_.nodes.size(); ++k) {
      const Node& other = graph_.nodes[k];
      if (static_cast<int>(k) == i || other.of != Node::Of::function || inference_.nodes[k].number) continue;
      const std::map<int, int64_t> others = cuts_of(inference_, static_cast<int>(k));
      const bool mirrors = is_scan(inference_, static_cast<int>(k)) && reduced(inference_, static_cast<int>(k)).reverse;
      for (const auto& [axis, group] : cuts) {
        const auto same = others.find(axis);
        const int64_t own = shape[shape.size() - static_cast<size_t>(axis)];
        if (same != others.end() && same->second != group) {
          const int64_t n = extent_of_cut(static_cast<int>(k), axis);
          if (n == own || n == 1 || own == 1) return true;  // of one element: it is broadcast
        }
        if (!mirrors || own % group == 0) continue;
        // Mirrored, a short group would come first.
        const Blocking over = reduced(inference_, static_cast<int>(k)).over;
        if (over.whole && (over.axes >> (axis - 1) & 1) != 0) return true;
      }
    }
    return false;
  }

  // The elements that a node cuts into groups along an axis.
  int64_t extent_of_cut(int i, int axis) const {
    const bool reduces = is_reduction(inference_, i) || is_scan(inference_, i);
    const std::vector<int64_t> shape = shape_of(inference_,
                                                reduces ? graph_.nodes[static_cast<size_t>(i)].arguments[0].node : i);
    return shape[shape.size() - static_cast<size_t>(axis)];
  }

  // Such sums join passes of blocks that others have made by then.
  std::vector<bool> sums_of_blocks_and_what_takes_them() const {
    std::vector<bool> list(graph_.nodes.size());
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& n = graph_.nodes[i];
      if (n.of != Node::Of::function || inference_.nodes[i].number) continue;
      list[i] = block_axes_of_sum(inference_, static_cast<int>(i)) > 0;
      for (size_t k = 0; k < num_read(n); ++k)
        list[i] = list[i] || (n.arguments[k].node >= 0 && list[static_cast<size_t>(n.arguments[k].node)]);
    }
    return list;
  }

  void visit(int i) {
    const Node& n = graph_.nodes[static_cast<size_t>(i)];
    std::vector<int>& near = near_[static_cast<size_t>(i)];
    if (!needs_.read[static_cast<size_t>(i)] || n.of != Node::Of::function ||
        inference_.nodes[static_cast<size_t>(i)].number)
      return;
    for (size_t k = 0; k < num_read(n); ++k) {
      if (n.arguments[k].node < 0) continue;
      const int of = n.arguments[k].node;
      const std::vector<int> more = sums_of(of);
      near.insert(near.end(), more.begin(), more.end());
      // What is gathered has to be in memory, which a later pass has.
      const bool gathers = k == 0 && (n.is(Kind::gather) || n.is(Kind::tiled) || is_part(n)) &&
                           !is_part(graph_.nodes[static_cast<size_t>(of)]);
      first_[static_cast<size_t>(i)] = std::max(first_[static_cast<size_t>(i)],
                                                first_pass_of(of) + (gathers && !more.empty() ? 1 : 0));
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    if (is_reduction(inference_, i) || is_scan(inference_, i)) {
      place(i);
    } else if (needs_.in_memory[static_cast<size_t>(i)] && !near.empty() && is_found_by_pass(i)) {
      split_.pass_of[static_cast<size_t>(i)] = first_[static_cast<size_t>(i)];
    } else if (needs_.in_memory[static_cast<size_t>(i)] || (n.is(Kind::spread) && needs_own_pass(i))) {
      split_.pass_of[static_cast<size_t>(i)] = static_cast<int>(split_.passes.size());
      split_.passes.push_back({shape_of(inference_, i), {}, {}});
    } else if (needs_.ends_reduction[static_cast<size_t>(i)]) {
      split_.pass_of[static_cast<size_t>(i)] = split_.pass_of[static_cast<size_t>(near[0])];
    }
  }

  // The first pass that has a value, or all that it needs.
  int first_pass_of(int i) const {
    return std::max(split_.pass_of[static_cast<size_t>(i)], first_[static_cast<size_t>(i)]);
  }

  // Can the pass that reduces what the value is made of leave it in memory?
  bool is_found_by_pass(int i) const {
    const size_t p = static_cast<size_t>(first_[static_cast<size_t>(i)]);
    return p < split_.passes.size() && !brings_groups_back(split_.passes[p]) &&
           has_shape(split_.passes[p], shape_of(inference_, i));
  }

  void place(int i) {
    const std::vector<int64_t> shape = shape_of(inference_, graph_.nodes[static_cast<size_t>(i)].arguments[0].node);
    const Blocking over = reduced(inference_, i).over;
    const int from = first_[static_cast<size_t>(i)];
    if (is_scan(inference_, i)) {
      split_.pass_of[static_cast<size_t>(i)] = pass_of_scan(static_cast<size_t>(from), shape, over,
                                                            reduced(inference_, i).reverse);
      return;
    }
    if (const int64_t group = group_of_parts(inference_, i)) return place_parts(i, shape, over, group);
    if (const size_t axes = block_axes_of_sum(inference_, i)) {
      const int pass = pass_of_blocks(static_cast<size_t>(from), shape, axes);
      if (pass >= 0) return place_sum_of_blocks(i, shape, axes, pass);
    }
    split_.pass_of[static_cast<size_t>(i)] = pass_with(static_cast<size_t>(from), shape, over);
  }

  // A pass, from the one of that number on, whose blocks are the last axes; or -1.
  int pass_of_blocks(size_t from, const std::vector<int64_t>& shape, size_t axes) {
    const auto of_several = [&](uint32_t list) {
      for (size_t axis = 1; axis <= shape.size(); ++axis)
        if (shape[shape.size() - axis] == 1) list &= ~(uint32_t{1} << (axis - 1));
      return list;
    };
    for (size_t k = 0; k < graph_.nodes.size(); ++k) {
      if (graph_.nodes[k].of != Node::Of::function || inference_.nodes[k].number) continue;
      for (const auto& [axis, group] : cuts_of(inference_, static_cast<int>(k)))
        if (static_cast<size_t>(axis) > axes && shape[shape.size() - static_cast<size_t>(axis)] % group != 0)
          return -1;  // elements of a short group lie within blocks (frame.h)
    }
    Blocking block;
    block.axes = UINT32_MAX >> (32 - axes);
    block.whole = true;
    for (size_t p = from; p < split_.passes.size(); ++p) {
      PassPlan& plan = split_.passes[p];
      if (plan.shape != shape || plan.scans || brings_groups_back(plan) ||
          of_several(plan.block.axes) != of_several(block.axes))
        continue;
      Blocking whole = block;
      whole.axes = plan.block.axes;
      if (plan.block.unite(whole, shape)) return static_cast<int>(p);
    }
    if (!sums_many_blocks(shape)) return -1;
    split_.passes.push_back({shape, block, {}});
    return static_cast<int>(split_.passes.size()) - 1;
  }

  void place_sum_of_blocks(int i, const std::vector<int64_t>& shape, size_t axes, int pass) {
    Split::Parts& parts = split_.parts[static_cast<size_t>(i)];
    parts.block_axes = axes;
    int64_t blocks = 1;
    for (size_t d = 0; d < shape.size() - axes; ++d) blocks *= shape[d];
    std::vector<int64_t> left{groups_of(blocks, kColumnGroup)};
    left.insert(left.end(), shape.end() - static_cast<ptrdiff_t>(axes), shape.end());
    Blocking chunks;
    chunks.axes = uint32_t{1} << axes;
    chunks.whole = true;
    leave_parts(i, left, pass, chunks);
  }

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

  // A result that may be in place of an operand is stored when nothing reads that any more.
  void move_what_is_read_later(std::vector<PassPlan>* maps) {
    if (split_.passes.size() + maps->size() < 2) return;
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
        if (later) add_map(std::move(t), maps);
        else stay.push_back(std::move(t));
      }
      split_.passes[p].targets = std::move(stay);
    }
  }
  bool is_in_place_of(const Target& t, size_t operand) const {
    if (operand >= request_.inputs.size()) return false;  // those that are absent at the end
    const TensorSpec& x = request_.inputs[operand];
    return (in_place_[static_cast<size_t>(t.view.slot)] >> operand & 1) != 0 && x.present &&
           std::vector<int64_t>(x.shape, x.shape + x.ndim) ==
               shape_of(inference_, graph_.results[static_cast<size_t>(t.view.slot)].node);
  }

  void place_parts(int i, const std::vector<int64_t>& shape, const Blocking& over, int64_t group) {
    Blocking of_groups;
    of_groups.axes = 1;
    of_groups.groups[1] = group;
    std::vector<int64_t> left = shape;
    left.back() = groups_of(left.back(), group);
    split_.parts[static_cast<size_t>(i)].group = group;
    const int pass = pass_with(static_cast<size_t>(first_[static_cast<size_t>(i)]), shape, of_groups);
    leave_parts(i, left, pass, over);
  }

  // The pass leaves parts of that shape, and another one reduces these over some axes of them.
  void leave_parts(int i, const std::vector<int64_t>& left, int pass, const Blocking& over) {
    Split::Parts& parts = split_.parts[static_cast<size_t>(i)];
    const bool is_float_sum = reduced(inference_, i).by == Reduction::sum && is_floating(reduced(inference_, i).type);
    parts.shape = left;
    parts.pairs = is_float_sum && split_.low_parts[static_cast<size_t>(i)];
    parts.pass = pass;
    split_.passes[static_cast<size_t>(pass)].partial.push_back(i);
    TensorSpec t;
    const Dtype dtype = parts.pairs ? Dtype::u64 : ctype_dtype(reduced(inference_, i).type);
    read_tensor({dtype_to_dl(dtype), static_cast<int>(left.size()), left.data(), nullptr}, "parts", &t);
    parts.view = in_workspace(t);
    split_.pass_of[static_cast<size_t>(i)] = pass_with(static_cast<size_t>(parts.pass) + 1, left, over);
  }

  // A pass, from the one of that number on, that has such blocks.
  int pass_with(size_t from, const std::vector<int64_t>& shape, const Blocking& over) {
    for (size_t p = from; p < split_.passes.size(); ++p) {
      PassPlan& plan = split_.passes[p];
      if (brings_groups_back(plan) || plan.shape != shape || plan.mirrored) continue;
      if (plan.scans ? plan.block == over : plan.block.unite(over, shape)) return static_cast<int>(p);
    }
    split_.passes.push_back({shape, over, {}});
    return static_cast<int>(split_.passes.size()) - 1;
  }

  // A pass whose blocks are those of the scan and nothing else, and go its way.
  int pass_of_scan(size_t from, const std::vector<int64_t>& shape, const Blocking& over, bool reverse) {
    for (size_t p = from; p < split_.passes.size(); ++p) {
      PassPlan& plan = split_.passes[p];
      if (brings_groups_back(plan) || plan.shape != shape || plan.block != over || plan.mirrored != reverse ||
          !plan.partial.empty())
        continue;
      plan.scans = true;
      return static_cast<int>(p);
    }
    split_.passes.push_back({shape, over, {}, {}, true, reverse});
    return static_cast<int>(split_.passes.size()) - 1;
  }

  View in_workspace(const TensorSpec& t) {
    View view = view_of(t, ViewKind::temporary, 0);
    view.offset = static_cast<int64_t>(split_.workspace_bytes);
    const size_t bytes = static_cast<size_t>(t.numel()) * dtype_size(t.dtype);
    split_.workspace_bytes += (bytes + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
    return view;
  }

  // Gives a result to the last pass that has it, or to one of its shape that reduces nothing.
  void add(Target&& t, std::vector<PassPlan>* maps) {
    int first = first_pass_of(t.node);
    for (const Target::Along& a : t.scattered) first = std::max(first, first_pass_of(a.node));
    const bool alone = needs_.pairs_apart && is_packed(t.view.dtype);
    for (size_t p = split_.passes.size(); !alone && p-- > static_cast<size_t>(first);) {
      if (brings_groups_back(split_.passes[p]) || !has_shape(split_.passes[p], t.extents)) continue;
      split_.passes[p].targets.push_back(std::move(t));
      return;
    }
    add_map(std::move(t), maps);
  }

  void add_map(Target&& t, std::vector<PassPlan>* maps) const {
    const auto same = [&](const PassPlan& p) {
      return p.shape == t.extents &&
             (!needs_.pairs_apart || is_packed(p.targets[0].view.dtype) == is_packed(t.view.dtype));
    };
    auto at = std::find_if(maps->begin(), maps->end(), same);
    if (at == maps->end()) at = maps->insert(at, {t.extents, {}, {}});
    at->targets.push_back(std::move(t));
  }

  // Pass `reader` takes the value: if another one makes it, that leaves it in the workspace.
  void leave(int i, int reader) {
    const int maker = split_.pass_of[static_cast<size_t>(i)];
    View& view = split_.left[static_cast<size_t>(i)];
    if (maker == reader || view.kind == ViewKind::temporary) return;
    TensorSpec t = inference_.nodes[static_cast<size_t>(i)].spec;
    if (!is_scale(t.dtype)) t.dtype = ctype_dtype(compute_type(t.dtype));  // scales are powers of two
    view = in_workspace(t);
    split_.passes[static_cast<size_t>(maker)].targets.push_back({i, view, shape_of(inference_, i)});
  }

  const Request& request_;
  const Inference& inference_;
  const Graph& graph_;
  const std::vector<uint32_t> in_place_;
  const Needs needs_;
  std::vector<std::vector<int>> near_;  // by node
  std::vector<int> first_;              // by node: the first pass that has all that it needs
  Split split_;
};

}  // namespace

bool is_left_to(const Split& split, int node, int pass) {
  const int maker = split.pass_of[static_cast<size_t>(node)];
  return maker >= 0 && maker != pass;
}

Split split(const Request& request, const Inference& inference) { return Splitter(request, inference).run(); }

}  // namespace tileops::expr
