#include "expr/lower/pass.h"

#include "base/error.h"
#include "expr/lower/values.h"
#include "expr/split/passes.h"

namespace tileops::expr {
namespace {

const Node& node_of(const Inference& inference, int i) { return inference.graph->nodes[static_cast<size_t>(i)]; }

// The node whose value a result stores: a cast to the result's own dtype is the rounding that the store does.
int source_of(const Inference& inference, const Target& target) {
  const Node& n = node_of(inference, target.node);
  const Dtype dtype = inference.nodes[static_cast<size_t>(target.node)].spec.dtype;
  const bool by_store = n.is(Kind::cast) && dtype == target.view.dtype && !is_scale(dtype);
  return by_store ? n.arguments[0].node : target.node;
}

// Nodes that are steps, each behind those that it takes: not those that another pass has left.
std::vector<int> steps_for(const Inference& inference, const Split& split, int number) {
  const std::vector<Target>& targets = split.passes[static_cast<size_t>(number)].targets;
  std::vector<bool> needed(inference.nodes.size());
  const auto is_step = [&](int i) {
    const Node& n = node_of(inference, i);
    return n.of == Node::Of::function && !is_part(n) && !inference.nodes[static_cast<size_t>(i)].number &&
           !is_left_to(split, i, number);
  };
  for (const Target& target : targets) {
    needed[static_cast<size_t>(source_of(inference, target))] = true;
    for (const Target::Along& a : target.scattered) needed[static_cast<size_t>(a.node)] = true;
  }
  for (const int i : split.passes[static_cast<size_t>(number)].partial)
    needed[static_cast<size_t>(node_of(inference, i).arguments[0].node)] = true;
  for (int i = static_cast<int>(needed.size()); i-- > 0;) {
    const Node& n = node_of(inference, i);
    const bool of_parts = split.parts[static_cast<size_t>(i)].pass >= 0;  // which another pass has made
    for (size_t k = 0; needed[static_cast<size_t>(i)] && is_step(i) && !of_parts && k < num_read(n); ++k)
      if (n.arguments[k].node >= 0) needed[static_cast<size_t>(n.arguments[k].node)] = true;
  }
  std::vector<int> steps;
  for (int i = 0; i < static_cast<int>(needed.size()); ++i)
    if (needed[static_cast<size_t>(i)] && is_step(i)) steps.push_back(i);
  return steps;
}

// What becomes of numbers that a result's fp8 dtype does not hold.
Fp8Mode overflow_of(const Inference& inference, const Target& target, const Values& values) {
  const Node& n = node_of(inference, target.node);
  const Dtype dtype = inference.nodes[static_cast<size_t>(target.node)].spec.dtype;
  if (values.is_of(source_of(inference, target), target.view.dtype)) return Fp8Mode::nonsaturating;
  const bool other_cast = n.is(Kind::cast) && dtype != target.view.dtype;
  if (!other_cast && n.find_attribute(TILEOPS_ATTR_FP8_OVERFLOW)) return Values::fp8_of(n, target.view.dtype);
  return target.view.fp8;
}

// Where the sums of chunks of blocks are left, which lie behind the chunks' number in the shape of parts.
View sum_of_blocks(const Frame& frame, const Split::Parts& parts) {
  View own = parts.view;
  own.strides.erase(own.strides.begin());
  View store = frame.place(own, {parts.shape.begin() + 1, parts.shape.end()});
  store.dtype = Dtype::f32;
  store.sum_of_blocks = View::SumOfBlocks{parts.pairs, parts.view.strides[0]};
  return store;
}

// Axes that the pass's values are cut into groups along.
std::map<int, int64_t> cuts_for(const Inference& inference, const Split& split, const PassPlan& plan,
                                const std::vector<int>& steps) {
  std::map<int, int64_t> cuts;
  for (const int i : plan.partial)
    for (const auto& [axis, group] : split.parts[static_cast<size_t>(i)].groups) cuts[axis] = group;
  for (const int i : steps)
    for (const auto& [axis, group] : cuts_of(inference, i))
      if (cuts.emplace(axis, group).first->second != group)
        unsupported("expr: groups of %lld and of %lld along one axis in one pass: not yet",
                    static_cast<long long>(group), static_cast<long long>(cuts.at(axis)));
  return cuts;
}

// An executor knows one axis whose last group is short: one that it reduces, if it reduces any. Of others, passes of
// their own take the last groups: the slices of each pass.
std::vector<std::map<int, Slice>> slices_for(const PassPlan& plan, const std::map<int, int64_t>& cuts) {
  std::vector<std::map<int, Slice>> list{{}};
  const bool reduces = plan.block.whole || plan.block.axes != 0;
  bool one = false;
  for (const auto& [axis, group] : cuts) {
    const int64_t n = plan.shape[plan.shape.size() - static_cast<size_t>(axis)], whole = n / group * group;
    if (whole == n) continue;
    const bool reduced = (plan.block.axes >> (axis - 1) & 1) != 0;
    if (!one && (reduced || !reduces)) {
      one = true;
      continue;
    }
    if (plan.block.whole && reduced)
      unsupported("expr: whole rows are reduced beside groups along two of their axes, of which both have a short one "
                  "(%lld of %lld elements): not yet",
                  static_cast<long long>(n - whole), static_cast<long long>(group));
    std::vector<std::map<int, Slice>> more;
    for (const auto& slices : list)
      for (const Slice& s : {Slice{0, whole}, Slice{whole, n - whole}}) {
        if (s.length == 0) continue;
        more.push_back(slices);
        more.back()[axis] = s;
      }
    list = std::move(more);
  }
  return list;
}

Pass pass_in(const Frame& frame, const std::vector<int>& steps, const Request& request, const Inference& inference,
             const Split& split, int number, Problem* problem, NumberTable* numbers) {
  const PassPlan& plan = split.passes[static_cast<size_t>(number)];
  Pass pass;
  pass.extents = frame.extents();
  pass.row_rank = frame.row_rank();
  pass.short_group = frame.short_group();
  pass.part_places = plan.part;
  Loads loads(request, inference, frame, problem, numbers);
  Values values(inference, split, number, &loads, problem, numbers);
  for (const int i : steps) values.of(i);
  for (const Target& target : plan.targets) {
    View store = frame.place(target.view, target.extents);
    store.fp8 = overflow_of(inference, target, values);
    for (const Target::Along& a : target.scattered)
      store.indices.push_back({values.index_of(a.node), a.stride, a.extent});
    Value v = values.of(source_of(inference, target));
    if (v.of == Value::Of::load && !values.has_steps()) v = values.convert(v, store.dtype, store.fp8);
    pass.stores.push_back(std::move(store));
    pass.stored.push_back(v);
  }
  for (const int i : plan.partial) {
    const Split::Parts& parts = split.parts[static_cast<size_t>(i)];
    if (parts.block_axes > 0) {
      pass.stores.push_back(sum_of_blocks(frame, parts));
      pass.stored.push_back(values.summed_over_blocks(i));
      continue;
    }
    View store = frame.place(parts.view, parts.shape);
    if (parts.pairs) store.dtype = Dtype::f32;
    for (const Value& v : values.parts_of(i)) {
      pass.stores.push_back(store);
      pass.stored.push_back(v);
      store.offset += static_cast<int64_t>(dtype_size(store.dtype));
    }
  }
  pass.steps = values.take_steps();
  loads.finish(&pass);
  return pass;
}

}  // namespace

std::vector<Pass> passes_of(const Request& request, const Inference& inference, const Split& split, int number,
                            Problem* problem, NumberTable* numbers) {
  const PassPlan& plan = split.passes[static_cast<size_t>(number)];
  const std::vector<int> steps = steps_for(inference, split, number);
  const std::map<int, int64_t> cuts = cuts_for(inference, split, plan, steps);
  std::vector<Pass> passes;
  for (const auto& slices : slices_for(plan, cuts)) {
    const Frame frame = plan.block.whole || plan.block.axes || !cuts.empty()
                            ? Frame(plan.shape, plan.block, cuts, slices, plan.part ? shape_of_parts(plan)[0] : 0)
                            : Frame(plan.shape);
    passes.push_back(pass_in(frame, steps, request, inference, split, number, problem, numbers));
  }
  return passes;
}

}  // namespace tileops::expr
