#include "cuda/executable.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "cuda/kernel_cache.h"
#include "cuda/source.h"

namespace tileops::cuda {
namespace {

constexpr size_t kMostWords = 640;  // 10 views of 33 dimensions

uint64_t host_bits(const void* address, uint32_t size) {
  uint64_t word = 0;
  std::memcpy(&word, address, size);
  return word;
}

}  // namespace

CudaExecutable::CudaExecutable(const Problem& problem, Device& device,
                               const ContextOptions& options)
    : device_(device) {
  const CurrentContext current(device.context());
  for (const tileops::Pass& pass : problem.passes) {
    const Layout layout = make_layout(pass);
    Pass p;
    p.layout = layout.cls;
    if (layout.numel == 0) continue;  // nothing to launch
    Choice choice = choose(problem, pass, layout);
    if (choice.blocks > INT32_MAX)
      unsupported("outputs[0]: has too many elements for one launch (got %lld)",
                  static_cast<long long>(layout.numel));
    const LoadedKernel kernel =
        load_kernel(device, choice.spec, options, !(problem.flags & TILEOPS_PLAN_NO_JIT));
    p.function = kernel.function;
    p.origin = kernel.origin;
    p.views = std::move(choice.views);
    p.words = std::move(choice.words);
    p.blocks = static_cast<uint32_t>(choice.blocks);
    p.threads = choice.threads;
    p.spec = std::move(choice.spec);
    if (p.words.size() > kMostWords)
      unsupported("inputs[0]: has too many dimensions that do not merge");
    using At = ArgumentLayout;
    for (size_t v = 0; v < p.views.size(); ++v) {
      const ViewSource& view = p.views[v];
      if (view.kind == ViewKind::index) {
        p.words[At::address + v] = static_cast<uint64_t>(view.offset);
      } else if (view.kind == ViewKind::constant) {
        const std::vector<uint8_t>& bytes = problem.constants[static_cast<size_t>(view.slot)].bytes;
        if (view.scalar) {
          p.words[At::address + v] = host_bits(bytes.data() + view.offset, view.size);
          p.words[At::immediate] |= uint64_t{1} << v;
        } else {
          p.words[At::address + v] = device.upload(bytes) + static_cast<uint64_t>(view.offset);
        }
      }
    }
    passes_.push_back(std::move(p));
  }
}

void CudaExecutable::launch(const Pass& pass, const void* const* inputs, void* const* outputs,
                            CUstream stream, uint32_t host_inputs) const {
  using At = ArgumentLayout;
  uint64_t words[kMostWords];
  std::copy(pass.words.begin(), pass.words.end(), words);
  for (size_t v = 0; v < pass.views.size(); ++v) {
    const ViewSource& view = pass.views[v];
    uint64_t address = words[At::address + v];
    if (view.kind == ViewKind::input || view.kind == ViewKind::output) {
      const void* base =
          view.kind == ViewKind::input ? inputs[view.slot] : outputs[view.slot];
      if (view.kind == ViewKind::input && (host_inputs >> view.slot & 1)) {
        words[At::immediate] |= uint64_t{1} << v;
        address = host_bits(static_cast<const char*>(base) + view.offset, view.size);
        words[At::address + v] = address;
        continue;
      }
      address = reinterpret_cast<uint64_t>(base) + static_cast<uint64_t>(view.offset);
      words[At::address + v] = address;
    }
    if (address & view.misaligned) {
      words[At::unaligned] |= uint64_t{1} << v;
      words[At::flags] |= 1;
    }
  }
  CUlaunchAttribute attribute;
  attribute.id = kLaunchProgrammaticSerialization;
  attribute.value.programmatic_serialization_allowed = 1;
  const bool chained = device_.arch() >= 90;
  const CUlaunchConfig config{pass.blocks, 1, 1, pass.threads, 1, 1, 0, stream,
                              &attribute,  chained ? 1u : 0u};
  void* parameters[] = {words};
  check(driver().launch(&config, pass.function, parameters, nullptr), "cuLaunchKernelEx");
}

void CudaExecutable::run(const void* const* inputs, void* const* outputs, void* stream,
                         uint32_t host_inputs) const {
  if (passes_.empty()) return;
  const CurrentContext current(device_.context());
  for (const Pass& pass : passes_)
    launch(pass, inputs, outputs, static_cast<CUstream>(stream), host_inputs);
}

std::string CudaExecutable::kernel_name() const {
  std::string s;
  for (const Pass& p : passes_) s += (s.empty() ? "" : "+") + p.spec.name();
  return s.empty() ? "none" : s + " sm_" + std::to_string(device_.arch());
}

std::string CudaExecutable::strategy() const {
  return passes_.empty() ? "none" : "vector";
}

std::string CudaExecutable::layout() const {
  return layout_class_name(passes_.empty() ? LayoutClass::contiguous : passes_[0].layout);
}

std::string CudaExecutable::cache_origin() const {
  return passes_.empty() ? "builtin" : passes_[0].origin;
}

std::string CudaExecutable::source() const {
  return passes_.empty() ? "" : full_source(passes_[0].spec);
}

Ctype CudaExecutable::compute_type() const {
  return passes_.empty() ? Ctype::f32 : passes_[0].spec.ctype;
}

}  // namespace tileops::cuda
