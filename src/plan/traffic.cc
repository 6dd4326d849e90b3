#include "plan/traffic.h"

#include <algorithm>

#include "problem/packed.h"

namespace tileops {
namespace {

bool varies(const Pass& pass, const View& view, size_t dim);

// Does a value differ along an extent?
bool varies(const Pass& pass, const Value& value, size_t dim) {
  if (value.kind == Value::Kind::load) return varies(pass, pass.loads[value.index], dim);
  const Step& step = pass.steps[value.index];
  if (step.reduces() && dim + step.rank >= pass.extents.size()) return false;
  return std::any_of(step.arguments.begin(), step.arguments.end(),
                     [&](const Value& argument) { return varies(pass, argument, dim); });
}

// Does a view go along an extent, by its stride or by what moves it?
bool varies(const Pass& pass, const View& view, size_t dim) {
  if (view.strides[dim] != 0) return true;
  return std::any_of(view.indices.begin(), view.indices.end(),
                     [&](const View::Index& index) { return varies(pass, index.value, dim); });
}

}  // namespace

Traffic::Traffic(const TensorSpec& t, const Problem& problem, ViewKind kind, int slot)
    : dtype_(t.dtype), numel_(t.numel()) {
  for (const Pass& pass : problem.passes)
    for (const View& view : kind == ViewKind::output ? pass.stores : pass.loads) {
      if (view.kind != kind || view.slot != slot) continue;
      all_ = all_ || view.indices.empty();
      std::vector<Extent>& places = places_.emplace_back();
      for (size_t d = 0; d < pass.extents.size(); ++d)
        if (varies(pass, view, d)) places.push_back(pass.extents[d]);
    }
}

uint64_t Traffic::bytes(const int64_t* extents) const {
  const uint64_t numel = static_cast<uint64_t>(numel_.at(extents));
  uint64_t touched = all_ ? numel : 0;
  for (size_t v = 0; v < places_.size() && !all_; ++v) {
    uint64_t n = 1;
    for (const Extent& e : places_[v]) n *= static_cast<uint64_t>(e.at(extents));
    touched += n;
  }
  return static_cast<uint64_t>(bytes_of_elements(dtype_, static_cast<int64_t>(std::min(touched, numel))));
}

}  // namespace tileops
