#include "cuda/executable.h"

#include "cuda/source.h"
#include "cuda/table.h"

namespace tileops::cuda {

CudaExecutable::CudaExecutable(const Problem& problem, Device& device,
                               const ContextOptions& options)
    : device_(device), ctype_(problem.passes[0].ctype) {
  const CurrentContext current(device.context());
  for (const Pass& pass : problem.passes) {
    const Layout layout = make_layout(pass);
    if (layout.numel == 0) continue;  // nothing to launch
    if (launches_.empty()) layout_ = layout.cls;
    Choice choice = choose(problem, pass, layout, UseTables::yes);
    if (choice.spec.table || choice.spec.which == Template::lookup) {
      const CUdeviceptr table = result_table(device, problem, pass, options);
      if (table) choice.words[ArgumentLayout::table] = table;
      else choice = choose(problem, pass, layout, UseTables::no);
    }
    launches_.emplace_back(problem, std::move(choice), device, options);
  }
}

void CudaExecutable::run(const void* const* inputs, void* const* outputs, void* stream,
                         uint32_t host_inputs) const {
  if (launches_.empty()) return;
  const CurrentContext current(device_.context());
  const bool chained = device_.arch() >= 90;  // programmatic stream serialization
  for (const Launch& launch : launches_)
    launch.run(chained, inputs, outputs, static_cast<CUstream>(stream), host_inputs);
}

std::string CudaExecutable::kernel_name() const {
  std::string s;
  for (const Launch& l : launches_) s += (s.empty() ? "" : "+") + l.spec.name();
  return s.empty() ? "none" : s + " sm_" + std::to_string(device_.arch());
}

std::string CudaExecutable::strategy() const {
  if (launches_.empty()) return "none";
  if (launches_[0].spec.which == Template::lookup) return "table";
  if (launches_[0].spec.walk == Walk::tiles) return "tile";
  return launches_[0].words[ArgumentLayout::flags] & 1 ? "interleaved" : "vector";
}

std::string CudaExecutable::cache_origin() const {
  return launches_.empty() ? "builtin" : launches_[0].origin;
}

std::string CudaExecutable::source() const {
  return launches_.empty() ? "" : full_source(launches_[0].spec);
}

}  // namespace tileops::cuda
