#include "cuda/launch/executable.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "cuda/jit/source.h"
#include "cuda/launch/result_table.h"
#include "op/strategy.h"
#include "problem/rows/stages.h"

namespace tileops::cuda {

CudaExecutable::CudaExecutable(const Problem& problem, Device& device, CudaState& state, TuningResults results)
    : device_(device),
      ctype_(only_step(problem.passes[0]).ctype),
      temporaries_(problem.temporaries),
      workspace_bytes_(problem.workspace_bytes),
      chained_(may_chain(device.arch(), driver().version, problem.flags)),
      listed_(problem.flags & TILEOPS_PLAN_LIST) {
  const CurrentContext current(device.context());
  const auto chosen_by = [&](const LaunchHint& hint) { return choose_all(problem, options(hint, UseTables::yes)); };
  const std::vector<ChosenPass> chosen = chosen_by(problem.hint);
  const bool automatic = problem.hint.strategy == TILEOPS_STRATEGY_AUTO;
  const bool is_tunable = automatic && results == TuningResults::used && problem.most_extents.empty() &&
                          !chosen.empty() && chosen[0].pass == 0 && chosen[0].layout.numel > 0;
  if (const auto tuned = is_tunable ? state.tuned.find(tuning_key(chosen[0], device)) : std::nullopt) {
    try {
      origin_ = "tuned";
      add_launches(problem, *tuned, chosen_by(*tuned), state);
      return;
    } catch (const Error& e) {  // such as a kernel that may not be compiled now
      log(TILEOPS_LOG_WARN, "tuning: its result is not used (%s)", e.message.c_str());
      passes_.clear();
    }
  }
  origin_ = automatic ? "auto" : "given";
  add_launches(problem, automatic ? LaunchHint{} : problem.hint, chosen, state);
}

void CudaExecutable::add_launches(const Problem& problem, const LaunchHint& hint, const std::vector<ChosenPass>& all,
                                  CudaState& state) {
  if (!all.empty()) layout_ = all[0].layout.cls;
  std::vector<const Kernel*> kernels;
  for (const ChosenPass& c : all)
    for (const Choice& choice : c.choices) kernels.push_back(&choice.kernel);
  std::vector<LoadedKernel> loaded(kernels.size());
  if (!(problem.flags & TILEOPS_PLAN_NO_JIT)) loaded = load_side_by_side(device_, kernels, state);
  auto next = loaded.begin();
  for (const ChosenPass& c : all) {
    passes_.push_back({c.ways, {}});
    for (size_t w = 0; w < c.choices.size(); ++w, ++next) {
      const bool needs_table = c.choices[w].spec.needs_table();
      const CUdeviceptr table = needs_table ? result_table(device_, problem, problem.passes[c.pass], state) : 0;
      if (!needs_table || table) {
        passes_.back().launches.emplace_back(problem, c.choices[w], *next, table, device_, state);
        continue;
      }
      // The device has as many tables as are made.
      if (hint.strategy == TILEOPS_STRATEGY_TABLE) unsupported("strategy: table: too many tables");
      ChooseOptions without = options(hint, UseTables::no);
      without.way = c.ways.way(w);
      const Choice other = choose_pass(problem, c.pass, c.layout, without);
      passes_.back().launches.emplace_back(problem, other, LoadedKernel{}, 0, device_, state);
    }
  }
}

ChooseOptions CudaExecutable::options(const LaunchHint& hint, UseTables tables) const {
  ChooseOptions o{device_.arch(), tables, hint, device_.multiprocessors()};
  o.argument_bytes = most_argument_bytes(device_.arch());
  return o;
}

void CudaExecutable::run(const Execution& execution) const {
  if (listed_) return run_list(&execution, 1);
  if (passes_.empty()) return;
  int64_t temporaries[kMostTemporaries];
  if (!temporaries_.empty()) place_temporaries(temporaries_, execution.extents, temporaries);
  const CurrentContext current(device_.context());
  for (const PassLaunches& pass : passes_)
    pass.at(execution.extents).run(chained_, execution, temporaries_.empty() ? nullptr : temporaries);
}

void CudaExecutable::run_list(const Execution* items, size_t count) const {
  if (passes_.empty() || count == 0) return;
  const CurrentContext current(device_.context());
  for (const PassLaunches& pass : passes_) {
    Ways::Total total;
    for (size_t i = 0; i < count; ++i) pass.ways.add(items[i].extents, &total);
    pass.launches[pass.ways.number(total)].run_list(chained_, items, count, temporaries_);
  }
}

size_t CudaExecutable::workspace_bytes(const int64_t* extents) const {
  int64_t temporaries[kMostTemporaries];
  return temporaries_.empty() ? workspace_bytes_ : place_temporaries(temporaries_, extents, temporaries);
}

size_t CudaExecutable::way(const int64_t* extents) const {
  size_t way = 0;
  for (const PassLaunches& pass : passes_) way = std::max(way, pass.ways.number(extents));
  return way;
}

std::string CudaExecutable::kernel_name() const {
  std::string s;
  for (const PassLaunches& pass : passes_)
    for (const Launch& l : pass.launches) {
      if (!s.empty()) s += &l == &pass.launches[0] ? '+' : '|';
      s += l.kernel.name;
    }
  return s.empty() ? "none" : s + " sm_" + std::to_string(device_.arch());
}

std::string CudaExecutable::strategy() const {
  return passes_.empty() ? "none" : strategy_name(passes_[0].usual().hint.strategy);
}

LaunchHint CudaExecutable::launch_hint() const { return passes_.empty() ? LaunchHint{} : passes_[0].usual().hint; }

std::string CudaExecutable::cache_origin() const { return passes_.empty() ? "builtin" : passes_[0].usual().origin; }

std::string CudaExecutable::source() const { return passes_.empty() ? "" : full_source(passes_[0].usual().kernel); }

std::vector<ChosenPass> choose_all(const Problem& problem, const ChooseOptions& options) {
  std::vector<ChosenPass> all;
  for (size_t i = 0; i < problem.passes.size(); ++i) {
    const Pass& pass = problem.passes[i];
    if (stores_nothing(pass)) continue;
    const Layout layout = pass.is_of_rows() ? row_layout(pass) : make_layout(pass);
    Ways ways(pass, layout, options.multiprocessors, tuning_of(options.arch), problem.most_extents);
    std::vector<Choice> choices;
    for (size_t w = 0; w < ways.list().size();) {
      ChooseOptions of_way = options;
      of_way.way = ways.way(w);
      Choice choice = choose_pass(problem, i, layout, of_way);
      if (!choices.empty() && choice.kernel.text == choices.back().kernel.text) {
        ways.unite_with_last(w);
        continue;
      }
      choices.push_back(std::move(choice));
      ++w;
    }
    all.push_back({i, layout, std::move(ways), std::move(choices)});
  }
  return all;
}

// Graphs have programmatic edges since CUDA 12.3; before, a capture of such a launch fails.
bool may_chain(int arch, int driver_version, uint32_t flags) {
  return arch >= 90 && driver_version >= 12030 && !(flags & TILEOPS_PLAN_NO_PDL);
}

std::string tuning_key(const ChosenPass& first, const Device& device) {
  int size = 0;
  while (first.layout.numel >> (size + 1)) ++size;
  return "tileops tuning, key version 1\nsources " + std::string(kEmbeddedHash) + "\ndevice " + device.name() + " sm_" +
         std::to_string(device.arch()) + " " + std::to_string(device.multiprocessors()) + "\nelements 2^" +
         std::to_string(size) + "\n" + first.choices[0].kernel.text;
}

std::string tuning_key(const Problem& problem, const Device& device) {
  const Layout layout = make_layout(problem.passes[0]);
  if (layout.numel == 0) return "";
  const Ways ways(problem.passes[0], layout, device.multiprocessors(), tuning_of(device.arch()), {});
  return tuning_key({0, layout, ways, {choose_pass(problem, 0, layout, {device.arch(), UseTables::yes, {}})}}, device);
}

}  // namespace tileops::cuda
