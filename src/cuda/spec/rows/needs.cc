#include "cuda/spec/rows/needs.h"

#include <algorithm>

namespace tileops::cuda {

bool is_gathered(const Pass& pass, size_t load) { return !pass.loads[load].indices.empty(); }

bool is_gathered_in_blocks(const Pass& pass, const PassInfo& info, size_t load) {
  bool in_blocks = is_gathered(pass, load) && info.of(load_value(load)).level == Level::element;
  for (const View::Index& index : pass.loads[load].indices)
    in_blocks = in_blocks && info.of(index.value).level == Level::block;
  return in_blocks;
}

Level level_of_stored(const Pass& pass, const PassInfo& info, size_t store) {
  Level level = std::max(level_of_store(pass, store), info.of(pass.stored[store]).level);
  for (const View::Index& index : pass.stores[store].indices) level = std::max(level, info.of(index.value).level);
  return level;
}

std::vector<size_t> reductions_behind(const Pass& pass, const PassInfo& info, int stage, Level of) {
  std::vector<size_t> list;
  for (size_t s = 0; s < pass.steps.size(); ++s) {
    const ValueInfo& own = info.of(step_value(s));
    if (pass.steps[s].reduces() && own.stage == stage + 1 && own.level == of) list.push_back(s);
  }
  return list;
}

bool takes_first_alone(const Pass& pass, const PassInfo& info, int stage) {
  const std::vector<size_t> blocks = reductions_behind(pass, info, stage, Level::block);
  const auto is_first = [&](size_t s) { return pass.steps[s].reduction == Reduction::first; };
  return !blocks.empty() && std::all_of(blocks.begin(), blocks.end(), is_first) &&
         reductions_behind(pass, info, stage, Level::group).empty() && scans_behind(pass, info, stage).empty();
}

std::vector<size_t> scans_behind(const Pass& pass, const PassInfo& info, int stage) {
  std::vector<size_t> list;
  for (size_t s = 0; s < pass.steps.size(); ++s)
    if (pass.steps[s].scans && info.of(step_value(s)).stage == stage + 1) list.push_back(s);
  return list;
}

bool has_scans(const Pass& pass) {
  return std::any_of(pass.steps.begin(), pass.steps.end(), [](const Step& s) { return s.scans; });
}

std::vector<Needs> needs_of_elements(const Pass& pass, const PassInfo& info, const StepWriter& writer) {
  std::vector<Needs> all;
  for (int stage = 0; stage < info.stages(); ++stage) {
    Needing n(pass, info, writer, Level::element, stage);
    for (const Level level : {Level::group, Level::block})
      for (const size_t s : reductions_behind(pass, info, stage, level)) n.value(pass.steps[s].arguments[0]);
    for (const size_t s : scans_behind(pass, info, stage)) n.value(pass.steps[s].arguments[0]);
    all.push_back(n.needs());
  }
  Needing n(pass, info, writer, Level::element, info.stages() - 1);
  for (size_t k = 0; k < pass.stores.size(); ++k)
    if (level_of_stored(pass, info, k) == Level::element) {
      n.rounded(pass.stored[k], pass.stores[k].dtype);
      n.indices(pass.stores[k]);
    }
  all.push_back(n.needs());
  return all;
}

std::vector<uint64_t> stages_of_loads(const Pass& pass, const PassInfo& info) {
  const StepWriter writer(pass, info, std::vector<bool>(pass.loads.size() + pass.stores.size()), false);
  const std::vector<Needs> all = needs_of_elements(pass, info, writer);
  std::vector<uint64_t> stages(pass.loads.size());
  for (size_t f = 0; f < all.size(); ++f)
    for (const size_t i : all[f].loads) stages[i] |= uint64_t{1} << std::min(f, all.size() - 2);
  return stages;
}

}  // namespace tileops::cuda
