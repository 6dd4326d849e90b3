#include "cuda/launch/executable.h"

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
      workspace_bytes_(problem.workspace_bytes),
      chained_(may_chain(device.arch(), driver().version, problem.flags)) {
  const CurrentContext current(device.context());
  const std::vector<ChosenPass> chosen = choose_all(problem, problem.hint);
  const bool automatic = problem.hint.strategy == TILEOPS_STRATEGY_AUTO;
  const bool is_tunable = automatic && results == TuningResults::used && !chosen.empty() && chosen[0].pass == 0 &&
                          chosen[0].layout.numel > 0;
  if (const auto tuned = is_tunable ? state.tuned.find(tuning_key(chosen[0], device)) : std::nullopt) {
    try {
      origin_ = "tuned";
      add_launches(problem, *tuned, choose_all(problem, *tuned), state);
      return;
    } catch (const Error& e) {  // such as a kernel that may not be compiled now
      log(TILEOPS_LOG_WARN, "tuning: its result is not used (%s)", e.message.c_str());
      launches_.clear();
    }
  }
  origin_ = automatic ? "auto" : "given";
  add_launches(problem, automatic ? LaunchHint{} : problem.hint, chosen, state);
}

std::vector<ChosenPass> CudaExecutable::choose_all(const Problem& problem, const LaunchHint& hint) const {
  std::vector<ChosenPass> all;
  for (size_t i = 0; i < problem.passes.size(); ++i) {
    if (stores_nothing(problem.passes[i])) continue;
    const Layout layout = make_layout(problem.passes[i]);
    all.push_back({i, layout,
                   choose_pass(problem, i, layout, {device_.arch(), UseTables::yes, hint, device_.multiprocessors()})});
  }
  return all;
}

void CudaExecutable::add_launches(const Problem& problem, const LaunchHint& hint, const std::vector<ChosenPass>& all,
                                  CudaState& state) {
  if (!all.empty()) layout_ = all[0].layout.cls;
  for (const ChosenPass& c : all) {
    const bool needs_table = c.choice.spec.needs_table();
    const CUdeviceptr table = needs_table ? result_table(device_, problem, problem.passes[c.pass], state) : 0;
    if (!needs_table || table) {
      launches_.emplace_back(problem, c.choice, table, device_, state);
      continue;
    }
    // The device has as many tables as are made.
    if (hint.strategy == TILEOPS_STRATEGY_TABLE) unsupported("strategy: table: too many tables");
    const ChooseOptions without{device_.arch(), UseTables::no, hint, device_.multiprocessors()};
    launches_.emplace_back(problem, choose_pass(problem, c.pass, c.layout, without), 0, device_, state);
  }
}

void CudaExecutable::run(const Execution& execution) const {
  if (launches_.empty()) return;
  const CurrentContext current(device_.context());
  for (const Launch& launch : launches_) launch.run(chained_, execution);
}

std::string CudaExecutable::kernel_name() const {
  std::string s;
  for (const Launch& l : launches_) s += (s.empty() ? "" : "+") + l.kernel.name;
  return s.empty() ? "none" : s + " sm_" + std::to_string(device_.arch());
}

std::string CudaExecutable::strategy() const {
  return launches_.empty() ? "none" : strategy_name(launches_[0].hint.strategy);
}

LaunchHint CudaExecutable::launch_hint() const { return launches_.empty() ? LaunchHint{} : launches_[0].hint; }

std::string CudaExecutable::cache_origin() const { return launches_.empty() ? "builtin" : launches_[0].origin; }

std::string CudaExecutable::source() const { return launches_.empty() ? "" : full_source(launches_[0].kernel); }

// Graphs have programmatic edges since CUDA 12.3; before, a capture of such a launch fails.
bool may_chain(int arch, int driver_version, uint32_t flags) {
  return arch >= 90 && driver_version >= 12030 && !(flags & TILEOPS_PLAN_NO_PDL);
}

std::string tuning_key(const ChosenPass& first, const Device& device) {
  int size = 0;
  while (first.layout.numel >> (size + 1)) ++size;
  return "tileops tuning, key version 1\nsources " + std::string(kEmbeddedHash) + "\ndevice " + device.name() + " sm_" +
         std::to_string(device.arch()) + " " + std::to_string(device.multiprocessors()) + "\nelements 2^" +
         std::to_string(size) + "\n" + first.choice.kernel.text;
}

std::string tuning_key(const Problem& problem, const Device& device) {
  const Layout layout = make_layout(problem.passes[0]);
  if (layout.numel == 0) return "";
  return tuning_key({0, layout, choose_pass(problem, 0, layout, {device.arch(), UseTables::yes, {}})}, device);
}

}  // namespace tileops::cuda
