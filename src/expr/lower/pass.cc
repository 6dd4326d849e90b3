#include "expr/lower/pass.h"

#include "base/error.h"
#include "expr/lower/values.h"
#include "expr/split/members.h"
#include "expr/split/passes.h"
#include "lower/common.h"

namespace tileops::expr {
namespace {

// What becomes of numbers that a result's fp8 dtype does not hold.
Fp8Mode overflow_of(const Inference& inference, const Target& target, const Values& values) {
  const Node& n = inference.graph->nodes[target.node];
  const Dtype dtype = inference.nodes[target.node].spec.dtype;
  if (values.is_of(stored_node(inference, target), target.view.dtype)) return Fp8Mode::nonsaturating;
  const bool other_cast = n.is(Kind::cast) && dtype != target.view.dtype;
  if (!other_cast && n.find_attribute(TILEOPS_ATTR_FP8_OVERFLOW)) return Values::fp8_of(n, target.view.dtype);
  return target.view.fp8;
}

// Where the sums of chunks of blocks are left, which lie behind the chunks' number in the shape of partial.
View sum_of_blocks(const Frame& frame, const Split::Partial& partial) {
  View own = partial.views[0];
  own.strides.erase(own.strides.begin());
  View store = frame.place(own, {partial.shape.begin() + 1, partial.shape.end()});
  store.dtype = Dtype::f32;
  store.sum_of_blocks = View::SumOfBlocks{partial.words, partial.views[0].strides[0]};
  return store;
}

// An executor knows one axis whose last group is short: one that it reduces, if it reduces any. Of others, passes of
// their own take the last groups: the slices of each pass.
std::vector<std::map<int, Slice>> slices_for(const PassPlan& plan) {
  std::vector<std::map<int, Slice>> list{{}};
  const bool reduces = plan.block.whole || plan.block.axes != 0;
  bool one = false;
  for (const auto& [axis, group] : plan.cuts) {
    const int64_t n = extent_along(plan.shape, static_cast<size_t>(axis)), whole = n / group * group;
    if (whole == n) continue;
    const bool reduced = (plan.block.axes >> (axis - 1) & 1) != 0;
    if (!one && (reduced || !reduces)) {
      one = true;
      continue;
    }
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

Pass pass_in(const Frame& frame, const Request& request, const Inference& inference, const Split& split, int number,
             Problem* problem, NumberTable* numbers) {
  const PassPlan& plan = split.passes[number];
  Pass pass;
  pass.extents = frame.extents();
  pass.row_rank = frame.row_rank();
  pass.short_group = frame.short_group();
  pass.split_elements = plan.split_elements;
  Loads loads(request, inference, frame, problem, numbers);
  Values values(inference, split, number, &loads, problem, numbers);
  for (const int i : plan.members) values.of(i);
  for (const Target& target : plan.targets) {
    View store = frame.place(target.view, target.extents);
    store.fp8 = overflow_of(inference, target, values);
    for (const Target::Along& a : target.scattered)
      store.indices.push_back(
          {a.is_mask ? values.index_if(a.node) : values.index_of(a.node), a.stride, a.extent, a.is_mask});
    store.adds = target.adds;
    Value v = target.rest ? *values.rest_of(target.node) : values.of(stored_node(inference, target));
    if (v.kind == Value::Kind::load && !values.has_steps()) v = values.convert(v, store.dtype, store.fp8);
    pass.stores.push_back(std::move(store));
    pass.stored.push_back(v);
  }
  for (const int i : plan.partial) {
    const Split::Partial& partial = split.partials[i];
    if (partial.block_axes > 0) {
      pass.stores.push_back(sum_of_blocks(frame, partial));
      pass.stored.push_back(values.summed_over_blocks(i));
      continue;
    }
    for (const View& view : partial.views) pass.stores.push_back(frame.place(view, partial.shape));
    for (const Value& v : values.parts_of(i)) pass.stored.push_back(v);
  }
  for (const int i : plan.firsts) {
    pass.stores.push_back(frame.place(split.partials[i].first, shape_of(inference, i)));
    pass.stored.push_back(values.first_of(i));
  }
  pass.steps = values.take_steps();
  loads.finish(&pass);
  return pass;
}

}  // namespace

std::vector<Pass> passes_of(const Request& request, const Inference& inference, const Split& split, int number,
                            Problem* problem, NumberTable* numbers) {
  const PassPlan& plan = split.passes[number];
  std::vector<Pass> passes;
  for (const auto& slices : slices_for(plan)) {
    const Frame frame = plan.block.whole || plan.block.axes || !plan.cuts.empty()
                            ? Frame(plan.shape, plan.block, plan.cuts, slices,
                                    plan.split_elements ? shape_of_parts(plan)[0] : Extent(0))
                            : Frame(plan.shape);
    passes.push_back(pass_in(frame, request, inference, split, number, problem, numbers));
  }
  return passes;
}

Pass zeros_for(const Request& request, size_t result, Problem* problem) {
  const TensorSpec& out = request.outputs[result];
  Pass pass;
  pass.extents.assign(out.shape, out.shape + out.ndim);
  pass.loads.push_back(integer_constant(problem, 0, Space{pass.extents}));
  Step step;
  step.ctype = compute_type(out.dtype);
  step.to = out.dtype;
  step.arguments = {load_value(0)};
  pass.steps.push_back(std::move(step));
  pass.stores.push_back(view_of(out, ViewKind::output, static_cast<int>(result)));
  pass.stored.push_back(step_value(0));
  return pass;
}

}  // namespace tileops::expr
