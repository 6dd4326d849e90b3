#include "cuda/tuning_candidates.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "cuda/select/choose.h"
#include "cuda/tuning/tuning.h"
#include "op/strategy.h"

namespace tileops::cuda {
namespace {

// Hints that come to kernels of their own, each once.
class Candidates {
 public:
  Candidates(const Problem& problem, const Layout& layout, int arch) : problem_(problem), layout_(layout), arch_(arch) {
    add({});
  }
  void add(const LaunchHint& hint) {
    try {
      // A strategy that comes to another one is that one's candidate.
      const Choice choice = chosen(hint);
      if (hint.strategy != TILEOPS_STRATEGY_AUTO && choice.strategy() != hint.strategy) return;
      const std::string text = choice.kernel.text + (choice.launch.interleaved ? "interleaved" : "vectors");
      if (std::find(seen_.begin(), seen_.end(), text) != seen_.end()) return;
      seen_.push_back(text);
      if (hint.strategy != TILEOPS_STRATEGY_AUTO) list_.push_back(hint);
    } catch (const Error&) {  // does not suit the problem
    }
  }
  Choice chosen(const LaunchHint& hint, UseTables tables = UseTables::yes) const {
    return choose_pass(problem_, 0, layout_, {arch_, tables, hint});
  }
  std::vector<LaunchHint> list() && { return std::move(list_); }

 private:
  const Problem& problem_;
  const Layout& layout_;
  const int arch_;
  std::vector<LaunchHint> list_{{}};
  std::vector<std::string> seen_;
};

void add_pointwise(Candidates* list) {
  const auto asked = [&](tileops_strategy strategy) { return list->chosen({strategy, 0, 0}).spec.traversal; };
  const int vec = asked(TILEOPS_STRATEGY_REGISTER_COPY).vec;
  const int usual = list->chosen({}, UseTables::no).spec.traversal.threads;
  for (const int threads : {usual / 2, usual, 2 * usual}) {
    for (const int vecs : {1, 2, 4}) list->add({TILEOPS_STRATEGY_REGISTER_COPY, threads, vec * vecs});
    for (const int n : {4, 8}) list->add({TILEOPS_STRATEGY_EXPLICIT_PARALLEL, threads, n});
    list->add({TILEOPS_STRATEGY_TILE, threads, 0});
  }
  try {
    // A multiprocessor holds one or two large tables, which large blocks share.
    const bool small = asked(TILEOPS_STRATEGY_TABLE).kernel_template == Template::lookup;
    for (const int threads : small ? std::vector{usual / 2, usual, 2 * usual} : std::vector{512, 1024})
      for (const int n : small ? std::vector{32, 64, 128} : std::vector{16, 32, 64})
        list->add({TILEOPS_STRATEGY_TABLE, threads, n});
  } catch (const Error&) {  // its results are in no table
  }
  list->add({TILEOPS_STRATEGY_DIRECT, usual, 1});
}

// Rows that are kept: by more or fewer threads. Where a warp or less has a row, threads of a block are open as well. Of
// columns, how many a thread has.
void add_rows(int arch, Candidates* list) {
  const TraversalSpec usual = list->chosen({}).spec.traversal;
  const int vec = usual.vec;
  if (usual.row.in_columns) {
    for (const int columns : {1, 2, 4, 8})
      for (const int threads : {128, 256, 512, 1024})
        list->add({TILEOPS_STRATEGY_REGISTER_COPY, threads, columns * usual.row.packs});
    return;
  }
  for (int packs = 1; packs <= 16; packs *= 2)
    for (const int threads : {0, 64, 256, 512}) list->add({TILEOPS_STRATEGY_REGISTER_COPY, threads, packs * vec});
  // What is kept without effort needs neither shared memory nor to be read again.
  if (usual.row.kept && usual.row.warps < tuning_of(arch).row_warps / 2) return;
  for (const int threads : {256, 512, 1024}) {
    for (const int packs : {4, 8, 16, 32}) list->add({TILEOPS_STRATEGY_CLUSTER, threads, packs * vec});
    for (const int packs : {1, 2, 4}) list->add({TILEOPS_STRATEGY_REREAD, threads, packs * vec});
  }
}

}  // namespace

std::vector<LaunchHint> tuning_candidates(const Problem& problem, int arch) {
  const Layout layout = make_layout(problem.passes[0]);
  if (layout.numel == 0) return {{}};
  Candidates list(problem, layout, arch);
  if (problem.passes[0].is_of_rows()) add_rows(arch, &list);
  else add_pointwise(&list);
  return std::move(list).list();
}

}  // namespace tileops::cuda
