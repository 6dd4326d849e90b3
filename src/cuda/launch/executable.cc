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
  if (problem.hint.strategy != TILEOPS_STRATEGY_AUTO) {
    origin_ = "given";
    add_launches(problem, problem.hint, state);
    return;
  }
  const std::string key = results == TuningResults::used ? tuning_key(problem, device) : "";
  if (const auto tuned = key.empty() ? std::nullopt : state.tuned.find(key)) {
    try {
      origin_ = "tuned";
      add_launches(problem, *tuned, state);
      return;
    } catch (const Error& e) {  // such as a kernel that may not be compiled now
      log(TILEOPS_LOG_WARN, "tuning: its result is not used (%s)", e.message.c_str());
      launches_.clear();
    }
  }
  origin_ = "auto";
  add_launches(problem, {}, state);
}

void CudaExecutable::add_launches(const Problem& problem, const LaunchHint& hint, CudaState& state) {
  for (size_t i = 0; i < problem.passes.size(); ++i) {
    const Pass& pass = problem.passes[i];
    const Layout layout = make_layout(pass);
    if (stores_nothing(pass)) continue;
    if (launches_.empty()) layout_ = layout.cls;
    Choice choice = choose_pass(problem, i, layout, {device_.arch(), UseTables::yes, hint, device_.multiprocessors()});
    if (choice.spec.needs_table()) {
      const CUdeviceptr table = result_table(device_, problem, pass, state);
      if (table) choice.arguments.words[ArgumentLayout::table] = table;
      else if (hint.strategy == TILEOPS_STRATEGY_TABLE) unsupported("strategy: table: too many tables");
      else choice = choose_pass(problem, i, layout, {device_.arch(), UseTables::no, hint, device_.multiprocessors()});
    }
    launches_.emplace_back(problem, std::move(choice), device_, state);
  }
}

void CudaExecutable::run(const Execution& execution) const {
  if (launches_.empty()) return;
  const CurrentContext current(device_.context());
  for (const Launch& launch : launches_) launch.run(chained_, execution);
}

std::string CudaExecutable::kernel_name() const {
  std::string s;
  for (const Launch& l : launches_) s += (s.empty() ? "" : "+") + l.spec.name();
  return s.empty() ? "none" : s + " sm_" + std::to_string(device_.arch());
}

std::string CudaExecutable::strategy() const {
  return launches_.empty() ? "none" : strategy_name(launches_[0].hint.strategy);
}

LaunchHint CudaExecutable::launch_hint() const { return launches_.empty() ? LaunchHint{} : launches_[0].hint; }

std::string CudaExecutable::cache_origin() const { return launches_.empty() ? "builtin" : launches_[0].origin; }

std::string CudaExecutable::source() const { return launches_.empty() ? "" : full_source(launches_[0].spec); }

// Graphs have programmatic edges since CUDA 12.3; before, a capture of such a launch fails.
bool may_chain(int arch, int driver_version, uint32_t flags) {
  return arch >= 90 && driver_version >= 12030 && !(flags & TILEOPS_PLAN_NO_PDL);
}

std::string tuning_key(const Problem& problem, const Device& device) {
  const Layout layout = make_layout(problem.passes[0]);
  if (layout.numel == 0) return "";
  int size = 0;
  while (layout.numel >> (size + 1)) ++size;
  const Choice choice = choose_pass(problem, 0, layout, {device.arch(), UseTables::yes, {}});
  return "tileops tuning, key version 1\nsources " + std::string(kEmbeddedHash) + "\ndevice " + device.name() + " sm_" +
         std::to_string(device.arch()) + " " + std::to_string(device.multiprocessors()) + "\nelements 2^" +
         std::to_string(size) + "\n" + choice.spec.text();
}

}  // namespace tileops::cuda
