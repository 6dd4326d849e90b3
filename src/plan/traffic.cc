#include "plan/traffic.h"

#include <algorithm>

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

uint64_t places(const Pass& pass, const View& view) {
  uint64_t n = 1;
  for (size_t d = 0; d < pass.extents.size(); ++d)
    if (varies(pass, view, d)) n *= static_cast<uint64_t>(pass.extents[d]);
  return n;
}

}  // namespace

uint64_t elements_touched(const Problem& problem, ViewKind kind, int slot, uint64_t numel) {
  uint64_t moved = 0;
  for (const Pass& pass : problem.passes)
    for (const View& view : kind == ViewKind::output ? pass.stores : pass.loads) {
      if (view.kind != kind || view.slot != slot) continue;
      if (view.indices.empty()) return numel;
      moved += places(pass, view);
    }
  return std::min(moved, numel);
}

}  // namespace tileops
