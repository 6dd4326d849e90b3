#include "lower/open.h"

#include <algorithm>

#include "lower/common.h"
#include "lower/lower.h"
#include "problem/overlap.h"
#include "problem/request.h"

namespace tileops {
namespace {

void merge(const SameExtents& same, Request* r) {
  const int from = std::max(same.first, same.second), to = std::min(same.first, same.second);
  for (auto* list : {&r->inputs, &r->outputs})
    for (TensorSpec& t : *list)
      for (int d = 0; t.present && d < t.ndim; ++d)
        for (Extent* e : {&t.shape[d], &t.strides[d]}) e->merge(from, to);
  const auto of = [&](int number) { return r->open.begin() + number; };
  of(to)->most = std::min(of(to)->most, of(from)->most);
  r->open.erase(of(from));
}

// Results as the text has them, by number; absent where the output says its shape.
std::vector<TensorSpec> results_of(const Request& r) {
  if (r.formula) return r.formula->infer(r);
  std::vector<TensorSpec> results;
  for (int k = 0; k < std::max(r.num_outputs, r.op->min_outputs); ++k) results.push_back(infer_result(r, k));
  return results;
}

// A result with given strides may have one open extent, the outermost: any other would have to be bounded by the
// strides outside of it.
void check_strides(const TensorSpec& t, int k) {
  TensorSpec within = t;  // without the open one
  int64_t reach = 0, own = 0;
  int count = 0;
  for (int d = 0; d < t.ndim; ++d) {
    const int64_t stride = std::abs(int64_t{t.strides[d]});
    if (t.shape[d].is_open()) {
      ++count;
      own = stride;
      within.shape[d] = 1;
      within.strides[d] = 0;
    } else if (t.shape[d] > 0) {
      reach += (t.shape[d] - 1) * stride;
    }
  }
  if (count > 1) unsupported("outputs[%d]: has strides, and more extents than one are open: not yet", k);
  if (own <= reach || self_overlaps(within))
    invalid("outputs[%d]: two elements share an address (shape %s, strides %s)", k, shape_text(t.shape, t.ndim).c_str(),
            shape_text(t.strides, t.ndim).c_str());
}

void complete(const TensorSpec& result, int k, TensorSpec* out) {
  if (!out->present || !out->is_open()) return;
  if (!result.present)
    unsupported("outputs[%d]: has an open extent, and a scatter has the shape of the output that it is given: not yet",
                k);
  if (out->ndim != result.ndim) return;  // which is found when it is lowered
  for (int d = 0; d < out->ndim; ++d) {
    if (!out->shape[d].is_open()) continue;
    if (!result.shape[d].is_open())
      invalid("outputs[%d]: extent %d is open, and the result has %lld", k, d, static_cast<long long>(result.shape[d]));
    out->shape[d] = result.shape[d];
  }
  if (out->row_major) {
    *out = row_major_tensor(out->dtype, out->shape, out->ndim, strf("outputs[%d]", k).c_str());
    return;
  }
  check_strides(*out, k);
}

}  // namespace

void settle_open_extents(Request* r) {
  const auto is_open = [](const TensorSpec& t) { return t.present && t.is_open(); };
  if (r->open.empty() && std::none_of(r->outputs.begin(), r->outputs.end(), is_open)) return;
  if (r->hint.strategy != TILEOPS_STRATEGY_AUTO) unsupported("strategy: is given, and extents are open: not yet");
  for (;;) {
    try {
      const std::vector<TensorSpec> results = results_of(*r);
      for (size_t k = 0; k < std::min(results.size(), r->outputs.size()); ++k)
        complete(results[k], static_cast<int>(k), &r->outputs[k]);
      return;
    } catch (const SameExtents& same) {
      merge(same, r);
    }
  }
}

}  // namespace tileops
