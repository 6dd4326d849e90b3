#include "problem/rows/stages.h"

#include <algorithm>

namespace tileops {
namespace {

// How many of a pass's extents, from the outermost on, a level has.
size_t rank_of(const Pass& pass, Level level) {
  const size_t all = pass.extents.size();
  return level == Level::element ? all : all - pass.row_rank + (level == Level::group ? group_rank(pass) : 0);
}

template <class F>
bool any_step(const Pass& pass, const F& is_such) {
  return std::any_of(pass.steps.begin(), pass.steps.end(), is_such);
}

}  // namespace

size_t group_rank(const Pass& pass) {
  size_t left = 0;
  for (const Step& step : pass.steps)
    if (step.reduces()) left = std::max(left, pass.row_rank - step.rank);
  return left;
}

Level level_of(const Pass& pass, const View& view) {
  if (!pass.is_of_rows()) return Level::element;
  size_t rank = view.strides.size();
  while (rank > 0 && (view.strides[rank - 1] == 0 || pass.extents[rank - 1] == 1)) --rank;
  if (rank <= rank_of(pass, Level::block)) return Level::block;
  return group_rank(pass) > 0 && rank <= rank_of(pass, Level::group) ? Level::group : Level::element;
}

Level level_of_stored(const Pass& pass, const PassInfo& info, size_t store) {
  Level level = std::max(level_of(pass, pass.stores[store]), info.of(pass.stored[store]).level);
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

std::vector<size_t> scans_behind(const Pass& pass, const PassInfo& info, int stage) {
  std::vector<size_t> list;
  for (size_t s = 0; s < pass.steps.size(); ++s)
    if (pass.steps[s].scans && info.of(step_value(s)).stage == stage + 1) list.push_back(s);
  return list;
}

bool has_scans(const Pass& pass) {
  return any_step(pass, [](const Step& s) { return s.scans; });
}

bool takes_first_alone(const Pass& pass, const PassInfo& info, int stage) {
  const std::vector<size_t> blocks = reductions_behind(pass, info, stage, Level::block);
  const auto is_first = [&](size_t s) { return pass.steps[s].reduction == Reduction::first; };
  return !blocks.empty() && std::all_of(blocks.begin(), blocks.end(), is_first) &&
         reductions_behind(pass, info, stage, Level::group).empty() && scans_behind(pass, info, stage).empty();
}

bool depends_on_order(const Step& step) {
  const Reduction r = step.reduction;
  if (r == Reduction::sum_of_pairs || r == Reduction::sum_of_pairs_wide || r == Reduction::log_sum_exp_of_pairs)
    return true;
  return is_floating(step.ctype) &&
         (r == Reduction::sum || r == Reduction::prod || r == Reduction::variance || r == Reduction::sum_high ||
          r == Reduction::sum_low || r == Reduction::sum_pair || r == Reduction::squares_pair ||
          r == Reduction::sum_wide || r == Reduction::log_sum_exp || r == Reduction::log_sum_exp_above ||
          r == Reduction::log_sum_exp_pair);
}

bool is_in_columns(const Pass& pass) {
  return any_step(pass, [](const Step& s) { return s.in_columns && depends_on_order(s); });
}

bool sums_blocks(const Pass& pass) {
  return std::any_of(pass.stores.begin(), pass.stores.end(), [](const View& v) { return v.sum_of_blocks.has_value(); });
}

bool stores_nothing(const Pass& pass) {
  for (size_t k = 0; k < pass.stores.size(); ++k) {
    const auto end = pass.extents.begin() + static_cast<ptrdiff_t>(rank_of(pass, level_of(pass, pass.stores[k])));
    if (std::find(pass.extents.begin(), end, 0) == end) return false;
  }
  return true;
}

bool is_gathered(const Pass& pass, size_t load) { return !pass.loads[load].indices.empty(); }

bool is_gathered_in_blocks(const Pass& pass, const PassInfo& info, size_t load) {
  bool in_blocks = is_gathered(pass, load) && info.of(load_value(load)).level == Level::element;
  for (const View::Index& index : pass.loads[load].indices)
    in_blocks = in_blocks && info.of(index.value).level == Level::block;
  return in_blocks;
}

}  // namespace tileops
