#include "expr/split/split.h"

#include "expr/split/members.h"
#include "expr/split/needs.h"
#include "expr/split/parts.h"
#include "expr/split/passes.h"
#include "expr/split/targets.h"
#include "problem/request.h"

#include <algorithm>

namespace tileops::expr {
namespace {

class Splitter {
 public:
  Splitter(const Request& request, const Inference& inference, const Needs& needs, uint32_t last)
      : request_(request),
        inference_(inference),
        last_(last),
        on_gpu_(request.device.device_type == kDLCUDA),
        graph_(*inference.graph),
        needs_(needs),
        sums_needed_(graph_.nodes.size()),
        earliest_pass_(graph_.nodes.size()) {
    split_.pass_of.assign(graph_.nodes.size(), -1);
    split_.left.resize(graph_.nodes.size());
    split_.rests.resize(graph_.nodes.size());
    split_.left_rests.resize(graph_.nodes.size());
    split_.partials.resize(graph_.nodes.size());
  }

  Split run() {
    const auto reduces = [](const Node& n) { return n.is(Kind::reduce) || n.is(Kind::sum_to) || n.is(Kind::scan); };
    if (std::any_of(graph_.nodes.begin(), graph_.nodes.end(), reduces)) find_exactness();
    const std::vector<int> order = in_order();
    for (int round = 0; round < Needs::kRounds; ++round)
      for (const int i : order)
        if (needs_.round[static_cast<size_t>(i)] == round) visit(i);
    std::vector<PassPlan> maps;
    for (size_t k = 0; k < inference_.results.size(); ++k)
      for (Target& t : targets_of(request_, inference_, k)) {
        if (last_ >> k & 1) add_map(std::move(t), needs_.splits_packed_bytes, &maps);
        else add(std::move(t), &maps);
      }
    std::stable_sort(maps.begin(), maps.end(), runs_before);
    for (PassPlan& p : maps) split_.passes.push_back(std::move(p));
    for (size_t p = 0; p < split_.passes.size(); ++p)
      for (size_t t = 0; t < split_.passes[p].targets.size(); ++t)
        for (const int sum : sums_of(split_.passes[p].targets[t])) leave(sum, static_cast<int>(p));
    for (size_t i = 0; i < graph_.nodes.size(); ++i)
      if (split_.pass_of[i] >= 0)
        for (const int sum : sums_needed_[i]) {
          if (split_.partials[i].pass >= 0) leave(sum, split_.partials[i].pass);
          if (takes_elements(inference_, split_, static_cast<int>(i))) leave(sum, split_.pass_of[i]);
        }
    return std::move(split_);
  }

 private:
  // Arguments come before what takes them, and variances as early as that allows: a mean of the same elements joins the
  // pass that a variance needs, behind the one of its first elements, rather than read them for itself.
  std::vector<int> in_order() const {
    std::vector<int> order(graph_.nodes.size()), behind(graph_.nodes.size());
    for (size_t i = 0; i < order.size(); ++i) {
      order[i] = behind[i] = static_cast<int>(i);
      if (!is_reduction(inference_, order[i]) || reduced(inference_, order[i]).by != Reduction::variance) continue;
      for (size_t k = behind[i] = 0; k < num_read(graph_.nodes[i]); ++k)
        behind[i] = std::max(behind[i], graph_.nodes[i].arguments[k].node);
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return behind[a] < behind[b]; });
    return order;
  }

  void find_exactness() {
    split_.low_parts = sums_with_low_parts(inference_, request_.outputs);
    split_.rests = values_with_rests(inference_, request_.outputs, split_.low_parts);
  }

  // The values that a value needs which passes are made for, without those that these need.
  std::vector<int> sums_of(int i) const { return split_.pass_of[i] >= 0 ? std::vector<int>{i} : sums_needed_[i]; }

  std::vector<int> sums_of(const Target& t) const {
    std::vector<int> all = sums_of(stored_node(inference_, t));
    for (const Target::Along& a : t.scattered) {
      const std::vector<int> more = sums_of(a.node);
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }

  void visit(int i) {
    const Node& n = graph_.nodes[i];
    std::vector<int>& sums = sums_needed_[i];
    if (!needs_.read[i] || n.kind != Node::Kind::function || inference_.nodes[i].number) return;
    for (size_t k = 0; k < num_read(n); ++k) {
      if (n.arguments[k].node < 0) continue;
      const int of = n.arguments[k].node;
      const std::vector<int> more = sums_of(of);
      sums.insert(sums.end(), more.begin(), more.end());
      // What is gathered has to be in memory, which a later pass has.
      const bool gathers = k == 0 && (n.is(Kind::gather) || n.is(Kind::tiled) || is_slice(n)) &&
                           !is_slice(graph_.nodes[of]) && !gathers_only_element(inference_, i);
      earliest_pass_[i] = std::max(earliest_pass_[i], earliest_pass_of(of) + (gathers && !more.empty() ? 1 : 0));
    }
    std::sort(sums.begin(), sums.end());
    sums.erase(std::unique(sums.begin(), sums.end()), sums.end());
    if (is_reduction(inference_, i) || is_scan(inference_, i)) {
      place(i);
    } else if (needs_.in_memory[i] && !needs_.own_pass[i] && !sums.empty() && is_found_by_pass(i)) {
      split_.pass_of[i] = earliest_pass_[i];
    } else if (needs_.in_memory[i] || needs_.own_pass[i]) {
      split_.pass_of[i] = static_cast<int>(split_.passes.size());
      split_.passes.push_back({shape_of(inference_, i), {}, {}});
    } else if (needs_.ends_reduction[i] && is_found_by_pass(i)) {
      split_.pass_of[i] = earliest_pass_[i];
    }
  }

  // The first pass that has a value, or all that it needs.
  int earliest_pass_of(int i) const { return std::max(split_.pass_of[i], earliest_pass_[i]); }

  // Can the pass that reduces what the value is made of leave it in memory?
  bool is_found_by_pass(int i) const {
    const size_t p = static_cast<size_t>(earliest_pass_[i]);
    return p < split_.passes.size() && !brings_groups_back(split_.passes[p]) &&
           has_shape(split_.passes[p], shape_of(inference_, i));
  }

  void place(int i) {
    const std::vector<Extent> shape = shape_of(inference_, graph_.nodes[i].arguments[0].node);
    const Blocking over = reduced(inference_, i).over;
    const int from = earliest_pass_[i];
    if (is_scan(inference_, i)) return place_scan(i, shape, over);
    const Sharing sharing = sharing_of(inference_, i, on_gpu_, needs_.reads_alone[i]);
    const bool joins_variance = !sharing.groups.empty() && reduced(inference_, i).by != Reduction::variance &&
                                has_pass(split_.passes, static_cast<size_t>(from), shape, blocks_of(sharing.groups));
    if (joins_variance) return place_groups(i, shape, over, sharing.groups);
    const bool reads_groups_alone = needs_.reads_alone[i] && !sharing.groups.empty();
    if (const size_t axes = reads_groups_alone ? 0 : block_axes_of_sum(inference_, i)) {
      const int pass = pass_of_blocks(inference_, static_cast<size_t>(from), shape, axes, &split_.passes);
      if (pass >= 0) return place_sum_of_blocks(i, shape, axes, pass);
    }
    if (needs_.may_reduce_blocks[i]) {
      const int pass = pass_of_parts(inference_, i, static_cast<size_t>(from), &split_.passes);
      if (pass >= 0) return place_blocks(i, shape, pass, over);
    }
    const bool in_parts = !sharing.groups.empty() || sharing.split_elements;
    if (in_parts && reduced(inference_, i).by == Reduction::variance) place_first(i, shape, over);
    if (!sharing.groups.empty()) return place_groups(i, shape, over, sharing.groups);
    if (sharing.split_elements) return place_parts(i, shape, over, sharing.split_elements);
    split_.pass_of[i] = pass_with(static_cast<size_t>(from), shape, over, &split_.passes);
  }

  // Few long rows keep a CPU busy as they are.
  void place_scan(int i, const std::vector<Extent>& shape, const Blocking& over) {
    const bool reverse = reduced(inference_, i).reverse;
    const int64_t elements = on_gpu_ ? part_of_scan(inference_, i) : 0;
    auto from = static_cast<size_t>(earliest_pass_[i]);
    if (elements) from = static_cast<size_t>(leave_parts_of_blocks(i, shape, over, elements, reverse)) + 1;
    split_.pass_of[i] = pass_of_scan(from, shape, over, reverse, elements, &split_.passes);
  }

  void place_sum_of_blocks(int i, const std::vector<Extent>& shape, size_t axes, int pass) {
    Split::Partial& partial = split_.partials[i];
    partial.block_axes = axes;
    Extent blocks = 1;
    for (size_t d = 0; d < shape.size() - axes; ++d) blocks *= shape[d];
    std::vector<Extent> left{groups_of(blocks, kColumnGroup)};
    left.insert(left.end(), shape.end() - static_cast<ptrdiff_t>(axes), shape.end());
    Blocking chunks;
    chunks.axes = uint32_t{1} << axes;
    chunks.whole = true;
    leave_parts(i, left, pass);
    reduce_parts(i, chunks);
  }

  void place_blocks(int i, const std::vector<Extent>& shape, int pass, const Blocking& over) {
    Blocking& blocks = split_.partials[i].blocks;
    blocks.axes = split_.passes[pass].block.axes;
    blocks.whole = true;
    std::vector<Extent> left = shape;
    for (size_t axis = 1; axis <= shape.size(); ++axis)
      if (blocks.axes >> (axis - 1) & 1) left[shape.size() - axis] = 1;
    leave_parts(i, left, pass);
    reduce_parts(i, over);
  }

  void place_groups(int i, const std::vector<Extent>& shape, const Blocking& over,
                    const std::map<int, int64_t>& groups) {
    std::vector<Extent> left = shape;
    for (const auto& [axis, group] : groups) {
      Extent& n = left[left.size() - static_cast<size_t>(axis)];
      n = groups_of(n, group);
    }
    const Blocking& blocks = split_.partials[i].blocks = blocks_of(groups);
    const int pass = pass_with(static_cast<size_t>(earliest_pass_[i]), shape, blocks, &split_.passes);
    leave_parts(i, left, pass);
    reduce_parts(i, over);
  }

  void place_parts(int i, const std::vector<Extent>& shape, const Blocking& over, int64_t split_elements) {
    Blocking along;
    along.axes = uint32_t{1} << shape.size();
    along.whole = true;
    leave_parts_of_blocks(i, shape, over, split_elements, false);
    reduce_parts(i, along);
  }

  // The number of the pass.
  int leave_parts_of_blocks(int i, const std::vector<Extent>& shape, const Blocking& over, int64_t split_elements,
                            bool mirrored) {
    split_.partials[i].split_elements = split_elements;
    const int pass = pass_with(static_cast<size_t>(earliest_pass_[i]), shape, over, &split_.passes, split_elements,
                               mirrored);
    leave_parts(i, shape_of_parts(split_.passes[pass]), pass);
    return pass;
  }

  // What a variance in parts takes differences from is found by an earlier pass, which reads no more than that.
  void place_first(int i, const std::vector<Extent>& shape, const Blocking& over) {
    split_.passes.push_back({shape, over, {}});
    split_.passes.back().firsts.push_back(i);
    TensorSpec t = inference_.nodes[i].spec;
    t.dtype = ctype_dtype(reduced(inference_, i).type);
    split_.partials[i].first = in_workspace(t);
    earliest_pass_[i] = static_cast<int>(split_.passes.size());
  }

  // The pass leaves parts of that shape.
  void leave_parts(int i, const std::vector<Extent>& left, int pass) {
    Split::Partial& partial = split_.partials[i];
    const Reduced r = reduced(inference_, i);
    const bool is_variance = r.by == Reduction::variance;
    partial.shape = left;
    const bool in_two = is_variance || r.by == Reduction::log_sum_exp ||
                        (r.by == Reduction::sum && is_floating(r.type) && split_.low_parts[i]);
    partial.words = in_two && r.type != Ctype::f64;
    partial.highs_and_lows = in_two && r.type == Ctype::f64;
    partial.pass = pass;
    split_.passes[pass].partial.push_back(i);
    const int sums = is_variance || r.in_halves ? 2 : 1, views = partial.highs_and_lows ? 2 * sums : sums;
    const Dtype dtype = partial.words ? Dtype::u64 : ctype_dtype(r.type);
    for (int k = 0; k < views; ++k)
      partial.views.push_back(
          in_workspace(row_major_tensor(dtype, left.data(), static_cast<int>(left.size()), "parts")));
  }
  // And another one reduces them over some axes.
  void reduce_parts(int i, const Blocking& over) {
    const Split::Partial& partial = split_.partials[i];
    split_.pass_of[i] = pass_with(static_cast<size_t>(partial.pass) + 1, partial.shape, over, &split_.passes);
  }

  View in_workspace(const TensorSpec& t) {
    split_.temporaries.push_back(t.numel() * dtype_size(t.dtype));
    return view_of(t, ViewKind::temporary, static_cast<int>(split_.temporaries.size()) - 1);
  }

  // Gives a result to the last pass that has it, or to one of its shape that reduces nothing.
  void add(Target&& t, std::vector<PassPlan>* maps) {
    int first = earliest_pass_of(t.node);
    for (const Target::Along& a : t.scattered) first = std::max(first, earliest_pass_of(a.node));
    const bool alone = needs_.splits_packed_bytes && is_packed(t.view.dtype);
    for (size_t p = split_.passes.size(); !alone && p-- > static_cast<size_t>(first);) {
      if (brings_groups_back(split_.passes[p]) || !has_shape(split_.passes[p], t.extents)) continue;
      split_.passes[p].targets.push_back(std::move(t));
      return;
    }
    add_map(std::move(t), needs_.splits_packed_bytes, maps);
  }

  // Pass `reader` takes the value: if another one makes it, that leaves it in the workspace.
  void leave(int i, int reader) {
    const int maker = split_.pass_of[i];
    View& view = split_.left[i];
    if (maker == reader || view.kind == ViewKind::temporary) return;
    TensorSpec t = inference_.nodes[i].spec;
    if (!is_scale(t.dtype)) t.dtype = ctype_dtype(compute_type(t.dtype));  // scales are powers of two
    view = in_workspace(t);
    std::vector<Target>& targets = split_.passes[maker].targets;
    targets.push_back({i, view, shape_of(inference_, i)});
    if (!split_.rests[i]) return;
    View& rest = split_.left_rests[i] = in_workspace(t);
    targets.push_back({i, rest, shape_of(inference_, i), {}, false, true});
  }

  const Request& request_;
  const Inference& inference_;
  const uint32_t last_;
  const bool on_gpu_;
  const Graph& graph_;
  const Needs& needs_;
  std::vector<std::vector<int>> sums_needed_;  // by node
  std::vector<int> earliest_pass_;             // by node: the first pass that has all that it needs
  Split split_;
};

}  // namespace

bool is_left_to(const Split& split, int node, int pass) {
  const int maker = split.pass_of[node];
  return maker >= 0 && maker != pass;
}

bool takes_elements(const Inference& inference, const Split& split, int i) {
  return split.partials[i].pass < 0 || is_scan(inference, i);
}

Split split_into_passes(const Request& request, const Inference& inference, uint32_t last) {
  Needs needs = needs_of(request, inference);
  for (;;) {
    Split split = Splitter(request, inference, needs, last).run();
    const std::vector<int> others = find_members(inference, &split);
    if (others.empty()) return split;
    for (const int i : others) needs.own_pass[i] = true;
  }
}

}  // namespace tileops::expr
