// Open extents of a plan: what an execute brings, and what operands are then.
#include <algorithm>

#include "base/error.h"
#include "plan/plan.h"

namespace tileops {

void Plan::find_alike() {
  const auto input_like = [&](const TensorSpec& t, int before) {
    for (int i = 0; i < before; ++i)
      if (t.present && request_.inputs[i].present && same_layout(t, request_.inputs[i])) return i;
    return -1;
  };
  for (int i = 0; i < request_.num_inputs; ++i) alike_in_[i] = input_like(request_.inputs[i], i);
  for (int o = 0; o < request_.num_outputs; ++o) alike_out_[o] = input_like(request_.outputs[o], request_.num_inputs);
}

void Plan::find_shapes(const int64_t* extents, Shapes* shapes) const {
  const auto find = [&](const TensorSpec& t, const char* list, int i, int alike, int64_t* numel, ByteRange* range) {
    *numel = alike < 0 ? 0 : shapes->numel_in[alike];
    *range = alike < 0 ? ByteRange{} : shapes->range_in[alike];
    if (t.present && alike < 0 && !shape_at(t, extents, numel, range))
      invalid("%s[%d]: shape %s overflows 64-bit addresses", list, i, shape_text(t.at(extents).shape, t.ndim).c_str());
  };
  for (int i = 0; i < request_.num_inputs; ++i)
    find(request_.inputs[i], "inputs", i, alike_in_[i], &shapes->numel_in[i], &shapes->range_in[i]);
  for (int o = 0; o < request_.num_outputs; ++o)
    find(request_.outputs[o], "outputs", o, alike_out_[o], &shapes->numel_out[o], &shapes->range_out[o]);
}

void Plan::check_not_empty(const int64_t* extents) const {
  for (const Extent& e : not_empty_)
    for (size_t c = 0; c < request_.open.size(); ++c)
      if (e.uses(static_cast<int>(c)) && extents[c] == 0)
        invalid("inputs[%d]: extent %d is 0, and the place of the largest or smallest of no elements is asked for",
                request_.open[c].input, request_.open[c].axis);
}

void Plan::check_ranges(const int64_t* extents, size_t count) const {
  if (count != request_.open.size())
    invalid("num_extents: differs from the plan (got %zu, need %zu)", count, request_.open.size());
  if (count && !extents) invalid("extents: is NULL (the plan has %zu)", count);
  for (size_t e = 0; e < count; ++e) {
    if (extents[e] < 0) invalid("extents[%zu]: is negative (got %lld)", e, static_cast<long long>(extents[e]));
    if (extents[e] > request_.open[e].most)
      invalid("extents[%zu]: is too large (got %lld, need at most %lld)", e, static_cast<long long>(extents[e]),
              static_cast<long long>(request_.open[e].most));
  }
}

void Plan::check_extents(const int64_t* extents, size_t count) const {
  check_ranges(extents, count);
  Shapes shapes;
  if (count) find_shapes(extents, &shapes);
}

void Plan::find_extents(const tileops_execute_args& args, int64_t* extents) const {
  const size_t count = request_.open.size();
  if (!args.extents && args.num_extents) invalid("extents: is NULL (num_extents is %u)", args.num_extents);
  if (args.extents) check_ranges(args.extents, args.num_extents);
  const bool has_addresses = args.input_ptrs || args.output_ptrs;
  if (has_addresses && !args.extents) invalid("extents: is NULL (the plan has %zu)", count);
  for (size_t e = 0; e < count; ++e) {
    const Request::Open& open = request_.open[e];
    if (args.extents) extents[e] = args.extents[e];
    if (has_addresses) continue;
    const size_t i = static_cast<size_t>(open.input);
    const DLTensor* t = args.inputs ? args.inputs[i] : nullptr;
    if (!t) invalid("inputs[%zu]: is NULL", i);
    if (t->ndim != request_.inputs[i].ndim || !t->shape) refuse_shape(*t, request_.inputs[i], nullptr, "inputs", i);
    const int64_t n = t->shape[open.axis];
    if (n < 0 || n > open.most)
      invalid("inputs[%zu]: extent %d is out of range (got %lld, need 0 to %lld)", i, open.axis,
              static_cast<long long>(n), static_cast<long long>(open.most));
    if (args.extents && extents[e] != n)
      invalid("inputs[%zu]: extent %d differs from extents[%zu] (got %lld, need %lld)", i, open.axis, e,
              static_cast<long long>(n), static_cast<long long>(extents[e]));
    extents[e] = n;
  }
}

std::optional<size_t> Plan::most_workspace_bytes() const {
  int64_t most[Extent::kMostOpen], least[Extent::kMostOpen] = {};
  bool bounded = true;
  for (size_t e = 0; e < request_.open.size(); ++e) {
    bounded = bounded && request_.open[e].most != INT64_MAX;
    most[e] = std::min(request_.open[e].most, int64_t{1} << 20);
  }
  if (!bounded && workspace_bytes(most) != workspace_bytes(least)) return std::nullopt;
  for (size_t e = 0; bounded && e < request_.open.size(); ++e) most[e] = request_.open[e].most;
  return workspace_bytes(most);
}

}  // namespace tileops
