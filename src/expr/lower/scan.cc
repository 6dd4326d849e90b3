// Values: what becomes of scans.
#include "expr/lower/scan.h"

#include "expr/lower/values.h"

namespace tileops::expr {

Value Values::scan(int i) {
  const Reduced r = reduced(inference_, i);
  const Frame& frame = loads_->frame();
  Step step;
  step.scans = true;
  step.reduction = r.by;
  step.ctype = r.type;
  step.arguments = {taken(node(i).arguments[0].node, r.type)};
  step.rank = frame.row_rank();
  step.low_parts = split_.low_parts[i] && is_floating(r.type);
  if (const Split::Partial& partial = split_.partials[i]; partial.pass >= 0)
    for (const View& view : partial.views)
      step.arguments.push_back(loads_->add(frame.place(view, partial.shape), operand_type(step, 1)));
  step.in_columns = !frame.ends_in_block(r.over);
  step.exclusive = r.exclusive;
  const Value v = add(std::move(step));
  const Ctype own = compute_type(type(i).spec.dtype);
  return r.type == own ? v : convert(v, ctype_dtype(own), Fp8Mode::nonsaturating);
}

namespace {

template <class F>
void each_view(Pass* pass, const F& f) {
  for (auto* views : {&pass->loads, &pass->stores})
    for (View& v : *views) f(&v);
}

// The groups from `first` on, `count` of them, each of the elements that an extent has now.
Pass groups_of_pass(Pass pass, int64_t first, int64_t count, int64_t elements) {
  const size_t group = pass.short_group.group;
  pass.extents[group] = count;
  pass.extents[pass.short_group.within] = elements;
  pass.short_group = {};
  each_view(&pass, [&](View* v) { v->offset += first * v->strides[group]; });
  return pass;
}

void mirror(Pass* pass) {
  for (size_t d = pass->extents.size() - pass->row_rank; d < pass->extents.size(); ++d) {
    if (pass->extents[d] == 0) continue;
    each_view(pass, [&](View* v) {
      v->offset += v->strides[d] * (pass->extents[d] - 1);
      v->strides[d] = -v->strides[d];
    });
  }
}

}  // namespace

std::vector<Pass> mirrored(Pass pass) {
  std::vector<Pass> parts;
  const Pass::ShortGroup cut = pass.short_group;
  if (cut.limit) {
    const int64_t size = pass.extents[cut.within], whole = cut.limit / size;
    if (whole > 0) parts.push_back(groups_of_pass(pass, 0, whole, size));
    parts.push_back(groups_of_pass(pass, whole, 1, cut.limit % size));
  } else {
    parts.push_back(std::move(pass));
  }
  for (Pass& part : parts) mirror(&part);
  return parts;
}

}  // namespace tileops::expr
