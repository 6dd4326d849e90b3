#include "expr/split/needs.h"

#include <algorithm>

#include "expr/split/parts.h"
#include "expr/split/targets.h"

namespace tileops::expr {
namespace {

class Finder {
 public:
  Finder(const Request& request, const Inference& inference)
      : request_(request), inference_(inference), graph_(*inference.graph) {}

  Needs run() {
    std::vector<int> results;
    for (const Result& r : graph_.results) results.push_back(r.node);
    needs_.read = needed_for(results);
    needs_.in_memory.resize(graph_.nodes.size());
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (!needs_.read[i]) continue;
      const Node& n = graph_.nodes[i];
      if (gathers_only_element(inference_, static_cast<int>(i))) continue;
      if (n.is(Kind::gather) || n.is(Kind::tiled) || is_slice(n)) put_in_memory(n.arguments[0].node);
      has_indices_ = has_indices_ || n.is(Kind::gather) || n.is(Kind::tiled) || n.is(Kind::scatter) ||
                     n.is(Kind::store_if);
    }
    find_ends_of_reductions();
    find_what_may_reduce_blocks();
    find_what_reads_alone();
    find_rounds();
    needs_.own_pass.resize(graph_.nodes.size());
    for (size_t i = 0; i < graph_.nodes.size(); ++i)
      needs_.splits_packed_bytes = needs_.splits_packed_bytes || (needs_.read[i] && parts_pairs(static_cast<int>(i)));
    for (size_t k = 0; needs_.splits_packed_bytes && k < inference_.results.size(); ++k)
      if (is_packed(request_.outputs[k].dtype))
        for (const Target& t : targets_of(request_, inference_, k)) find_packed(t.node);
    return std::move(needs_);
  }

 private:
  const Node& node(int i) const { return graph_.nodes[i]; }

  std::vector<bool> needed_for(std::vector<int> open) const {
    std::vector<bool> needed(graph_.nodes.size());
    while (!open.empty()) {
      const int i = open.back();
      open.pop_back();
      if (needed[i]) continue;
      needed[i] = true;
      for (size_t k = 0; k < num_read(node(i)); ++k)
        if (node(i).arguments[k].node >= 0) open.push_back(node(i).arguments[k].node);
    }
    return needed;
  }

  // Operands are there, and so are parts of what is.
  void put_in_memory(int i) {
    if (node(i).kind == Node::Kind::function && !is_slice(node(i))) needs_.in_memory[i] = true;
  }

  void find_ends_of_reductions() {
    needs_.ends_reduction.resize(graph_.nodes.size());
    std::vector<bool> of_reduction(graph_.nodes.size());
    for (int i = 0; i < static_cast<int>(graph_.nodes.size()); ++i) {
      if (!needs_.read[i] || node(i).kind != Node::Kind::function || inference_.nodes[i].number) continue;
      const bool ends = !is_reduction(inference_, i) && is_of_reduction(i, of_reduction);
      of_reduction[i] = ends || is_reduction(inference_, i);
      needs_.ends_reduction[i] = ends;
    }
  }

  // Is it a function of what is made of a reduction, and of its shape?
  bool is_of_reduction(int i, const std::vector<bool>& of_reduction) const {
    const Node& n = node(i);
    const bool gathers = n.is(Kind::gather) && !gathers_only_element(inference_, i);
    if (!gathers && !n.is(Kind::map) && !n.is(Kind::cast)) return false;
    const std::vector<Extent> shape = shape_of(inference_, i);
    for (size_t k = gathers ? 1 : 0; k < num_read(n); ++k)
      if (const int of = n.arguments[k].node; of >= 0 && of_reduction[of] && shape_of(inference_, of) == shape)
        return true;
    return false;
  }

  void find_what_may_reduce_blocks() {
    const int count = static_cast<int>(graph_.nodes.size());
    std::vector<int64_t> largest(graph_.nodes.size());  // of the values that are made of it, and of itself: elements
    needs_.may_reduce_blocks.resize(graph_.nodes.size());
    for (int i = count; i-- > 0;) {
      if (node(i).kind != Node::Kind::function || inference_.nodes[i].number) continue;
      int64_t own = 1;
      for (const Extent& n : shape_of(inference_, i))
        if (__builtin_mul_overflow(own, n.typical(), &own)) own = INT64_MAX;
      needs_.may_reduce_blocks[i] = largest[i] <= own && tileops::expr::may_reduce_blocks(inference_, i);
      largest[i] = std::max(largest[i], own);
      for (size_t k = 0; k < num_read(node(i)); ++k)
        if (const int of = node(i).arguments[k].node; of >= 0) largest[of] = std::max(largest[of], largest[i]);
    }
  }

  void find_what_reads_alone() {
    needs_.reads_alone.resize(graph_.nodes.size());
    if (request_.device.device_type != kDLCUDA || has_indices_) return;
    for (int i = 0; i < static_cast<int>(graph_.nodes.size()); ++i)
      needs_.reads_alone[i] = needs_.read[i] && is_reduction(inference_, i) && reads_alone(i);
  }
  bool reads_alone(int i) const {
    const Reduced own = reduced(inference_, i);
    const std::vector<Extent> shape = shape_of(inference_, node(i).arguments[0].node);
    std::vector<bool> is_made_of(graph_.nodes.size());
    is_made_of[i] = true;
    for (int k = 0; k < static_cast<int>(graph_.nodes.size()); ++k) {
      if (node(k).kind != Node::Kind::function || inference_.nodes[k].number || !needs_.read[k]) continue;
      for (size_t a = 0; a < num_read(node(k)); ++a)
        if (const int of = node(k).arguments[a].node; of >= 0 && is_made_of[of]) is_made_of[k] = true;
      if (is_made_of[k]) continue;
      const bool is_like_it = is_reduction(inference_, k) && reduced(inference_, k).over == own.over;
      const bool reduces = is_reduction(inference_, k) || is_scan(inference_, k);
      if (reduces && shape_of(inference_, node(k).arguments[0].node) == shape &&
          !(is_like_it && can_be_in_groups(inference_, k)))
        return false;
      if (needs_.in_memory[k] && shape_of(inference_, k) == shape) return false;
    }
    return std::none_of(graph_.results.begin(), graph_.results.end(),
                        [&](const Result& r) { return !is_made_of[r.node] && shape_of(inference_, r.node) == shape; });
  }

  void find_rounds() {
    std::vector<int>& list = needs_.round;
    list.resize(graph_.nodes.size());
    for (int i = 0; i < static_cast<int>(graph_.nodes.size()); ++i) {
      if (node(i).kind != Node::Kind::function || inference_.nodes[i].number) continue;
      list[i] = block_axes_of_sum(inference_, i) > 0 ? 1 : needs_.may_reduce_blocks[i] ? 2 : 0;
      for (size_t k = 0; k < num_read(node(i)); ++k)
        if (const int of = node(i).arguments[k].node; of >= 0) list[i] = std::max(list[i], list[of]);
    }
  }

  void find_packed(int stored) {
    const int value = node(stored).is(Kind::cast) ? node(stored).arguments[0].node : stored;
    const std::vector<bool> needed = needed_for({value});
    for (int i = 0; i <= value; ++i)
      if (needed[i] && parts_pairs(i)) return put_in_memory(value);
  }

  // Is it of groups along the last axis that have an odd number of elements, or a scan that takes blocks from their
  // end? Or is its pass one of blocks that lie side by side, and of scans or indices, which have no kernel of columns
  // on CUDA?
  bool parts_pairs(int i) const {
    const Node& n = node(i);
    if (n.kind != Node::Kind::function || inference_.nodes[i].number) return false;
    const bool scans = is_scan(inference_, i);
    if (scans || is_reduction(inference_, i)) {
      const Reduced r = reduced(inference_, i);
      const bool of_last_axis = (r.over.axes & 1) != 0;
      if ((!of_last_axis && (scans || has_indices_)) || (scans && r.reverse)) return true;
    }
    const std::map<int, int64_t> cuts = cuts_of(inference_, i);
    const auto cut = cuts.find(1);
    if (cut != cuts.end() && is_reduction(inference_, i) && is_packed_result(i)) return true;
    const int whole = n.arguments[n.is(Kind::spread) ? 1 : 0].node;
    return cut != cuts.end() &&
           (cut->second % 2 != 0 || extent_along(shape_of(inference_, whole), 1) % cut->second != 0);
  }

  // Are groups along the last axis the elements of a packed result, so that the two of a byte are in two groups?
  bool is_packed_result(int i) const {
    const Extent n = extent_along(shape_of(inference_, i), 1);
    if (n == extent_along(shape_of(inference_, node(i).arguments[0].node), 1)) return false;
    for (size_t k = 0; k < inference_.results.size(); ++k)
      if (is_packed(request_.outputs[k].dtype) && extent_along(shape_of_result(k), 1) == n) return true;
    return false;
  }
  std::vector<Extent> shape_of_result(size_t k) const {
    const TensorSpec& t = request_.outputs[k];
    return {t.shape, t.shape + t.ndim};
  }

  const Request& request_;
  const Inference& inference_;
  const Graph& graph_;
  bool has_indices_ = false;  // something is gathered, scattered or tiled
  Needs needs_;
};

}  // namespace

Needs needs_of(const Request& request, const Inference& inference) { return Finder(request, inference).run(); }

}  // namespace tileops::expr
