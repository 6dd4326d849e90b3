#include "cuda/launch/launch.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "cuda/jit/kernel_cache.h"
#include "cuda/jit/nvrtc.h"

namespace tileops::cuda {
namespace {

using At = ArgumentLayout;
constexpr size_t kUsualWords = kUsualArgumentBytes / 8, kMostWords = kMostArgumentBytes / 8;

uint64_t host_bits(const void* address, uint32_t size) {
  uint64_t word = 0;
  std::memcpy(&word, address, size);
  return word;
}

}  // namespace

int most_argument_bytes(int arch, int driver_version, int compiler_version) {
  constexpr int kFirst = 12010;
  const bool large = arch >= 70 && driver_version >= kFirst && (compiler_version == 0 || compiler_version >= kFirst);
  return large ? kMostArgumentBytes : kUsualArgumentBytes;
}

void require_arguments_fit(const KernelSpec& spec, size_t words, int arch) {
  const int bytes = static_cast<int>(8 * words);
  if (bytes <= kUsualArgumentBytes) return;
  const int limit = most_argument_bytes(arch, driver().version, Nvrtc::get().version());
  if (bytes > limit)
    unsupported("inputs[0]: the operands have too many dimensions that do not merge: %d views of %d dimensions and %d "
                "attributes are %d bytes of a kernel's arguments (at most %d on this device with this driver)",
                spec.access.views(), spec.traversal.dims, spec.compute.attrs, bytes, limit);
}

Launch::Launch(const Problem& problem, const Choice& choice, CUdeviceptr table, Device& device, CudaState& state)
    : kernel(choice.kernel),
      views(choice.arguments.views),
      words(choice.arguments.words),
      numbers(choice.arguments.numbers),
      blocks(static_cast<uint32_t>(choice.launch.blocks)),
      threads(choice.launch.threads),
      shared_bytes(static_cast<uint32_t>(choice.kernel.shared_bytes)),
      hint{choice.strategy(), choice.spec.traversal.threads, choice.num_per_thread()} {
  if (choice.launch.blocks > INT32_MAX)
    unsupported("outputs[0]: has too many elements for one launch (%llu blocks)",
                static_cast<unsigned long long>(choice.launch.blocks));
  require_arguments_fit(choice.spec, words.size(), device.arch());
  const LoadedKernel loaded = load_kernel(device, kernel, state, !(problem.flags & TILEOPS_PLAN_NO_JIT));
  function = loaded.function;
  origin = loaded.origin;
  if (table) words[At::table] = table;
  for (size_t v = 0; v < views.size(); ++v) {
    const ViewSource& view = views[v];
    if (view.kind == ViewKind::index) {
      words[At::address + v] = static_cast<uint64_t>(view.offset);
    } else if (view.kind == ViewKind::constant) {
      const std::vector<uint8_t>& bytes = problem.constants[static_cast<size_t>(view.slot)].bytes;
      if (view.scalar) {
        words[At::address + v] = host_bits(bytes.data() + view.offset, view.size);
        words[At::immediate] |= uint64_t{1} << v;
      } else {
        uploads.push_back(device.upload(bytes));
        words[At::address + v] = uploads.back()->address + static_cast<uint64_t>(view.offset);
      }
    }
  }
}

void Launch::run(bool chained, const Execution& execution) const {
  if (words.size() <= kUsualWords) {
    uint64_t block[kUsualWords];
    run_with(block, chained, execution);
  } else {
    uint64_t block[kMostWords];
    run_with(block, chained, execution);
  }
}

void Launch::run_with(uint64_t* block, bool chained, const Execution& execution) const {
  const CUstream stream = static_cast<CUstream>(execution.stream);
  const AttrValue* values = execution.numbers;
  if (!uploads.empty()) {
    // A graph may be launched after the plan is gone. A stream that does not tell counts as
    // captured.
    int status = 0;
    if (driver().is_capturing(stream, &status) != kSuccess || status != 0)
      for (const UploadPtr& upload : uploads) upload->pinned.store(true, std::memory_order_relaxed);
  }
  std::copy(words.begin(), words.end(), block);
  for (const NumberSource& n : numbers) std::memcpy(block + n.word, values + n.number, sizeof *block);
  for (size_t v = 0; v < views.size(); ++v) {
    const ViewSource& view = views[v];
    if (view.kind == ViewKind::number) {
      block[At::immediate] |= uint64_t{1} << v;
      block[At::address + v] = host_bits(values + view.slot, view.size);
      continue;
    }
    uint64_t address = block[At::address + v];
    if (view.kind == ViewKind::input || view.kind == ViewKind::output || view.kind == ViewKind::temporary) {
      const bool is_input = view.kind == ViewKind::input;
      const void* base = view.kind == ViewKind::temporary ? execution.workspace
                         : is_input                       ? execution.inputs[view.slot]
                                                          : execution.outputs[view.slot];
      if (is_input && (execution.host_inputs >> view.slot & 1)) {
        block[At::immediate] |= uint64_t{1} << v;
        block[At::address + v] = host_bits(static_cast<const char*>(base) + view.offset, view.size);
        continue;
      }
      address = (reinterpret_cast<uint64_t>(base) << view.packed) + static_cast<uint64_t>(view.offset);
      block[At::address + v] = address;
    }
    if (address & view.misaligned) {
      block[At::unaligned] |= uint64_t{1} << v;
      block[At::flags] |= 1;
    }
  }
  CUlaunchAttribute attribute;
  attribute.id = kLaunchProgrammaticSerialization;
  attribute.value.programmatic_serialization_allowed = 1;
  const CUlaunchConfig config{blocks, 1, 1, threads, 1, 1, shared_bytes, stream, &attribute, chained ? 1u : 0u};
  void* parameters[] = {block};
  const CUresult result = driver().launch(&config, function, parameters, nullptr);
  if (result == kErrorInvalidHandle) {
    throw Error{TILEOPS_STATUS_DEVICE,
                "stream: is not one of the plan's device and its primary context (cuLaunchKernelEx "
                "failed: " +
                    error_text(result) + ")",
                result};
  }
  check(result, "cuLaunchKernelEx");
}

}  // namespace tileops::cuda
