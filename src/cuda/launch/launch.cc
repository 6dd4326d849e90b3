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

[[noreturn]] void refuse_size(uint64_t blocks) {
  unsupported("outputs[0]: has too many elements for one launch (%llu blocks)",
              static_cast<unsigned long long>(blocks));
}

Grid::Size size_of_launch(const Grid& grid, uint64_t count) {
  const Grid::Size size = grid.of(count);
  if (size.blocks > INT32_MAX) refuse_size(size.blocks);
  return size;
}

}  // namespace

int most_argument_bytes(int arch, int driver_version, int compiler_version) {
  constexpr int kFirst = 12010;
  const bool large = arch >= 70 && driver_version >= kFirst && (compiler_version == 0 || compiler_version >= kFirst);
  return large ? kMostArgumentBytes : kUsualArgumentBytes;
}

int most_argument_bytes(int arch) { return most_argument_bytes(arch, driver().version, Nvrtc::get().version()); }

void require_arguments_fit(const KernelSpec& spec, size_t words, int arch) {
  const int bytes = static_cast<int>(8 * words);
  if (bytes <= kUsualArgumentBytes) return;
  const int limit = most_argument_bytes(arch);
  if (bytes > limit)
    unsupported("inputs[0]: the operands have too many dimensions that do not merge: %d views of %d dimensions and %d "
                "attributes are %d bytes of a kernel's arguments (at most %d on this device with this driver)",
                spec.access.views(), spec.traversal.dims, spec.compute.attrs, bytes, limit);
}

Launch::Launch(const Problem& problem, const Choice& choice, LoadedKernel loaded, CUdeviceptr table, Device& device,
               CudaState& state)
    : kernel(choice.kernel),
      arguments(choice.arguments),
      grid(choice.launch.grid),
      list(choice.spec.list),
      shared_bytes(static_cast<uint32_t>(choice.kernel.shared_bytes)),
      hint{choice.strategy(), choice.spec.traversal.threads, choice.num_per_thread()} {
  if (!grid.is_open()) size = size_of_launch(grid, grid.count(nullptr));
  std::vector<uint64_t>& words = arguments.words;
  require_arguments_fit(choice.spec, words.size(), device.arch());
  if (!loaded.function) loaded = load_kernel(device, kernel, state, !(problem.flags & TILEOPS_PLAN_NO_JIT));
  function = loaded.function;
  origin = loaded.origin;
  if (table) words[At::table] = table;
  for (size_t v = 0; v < arguments.views.size(); ++v) {
    const ViewSource& view = arguments.views[v];
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

void Launch::run(bool chained, const Execution& execution, const int64_t* temporaries) const {
  if (arguments.words.size() <= kUsualWords) {
    uint64_t block[kUsualWords];
    run_with(block, chained, execution, temporaries);
  } else {
    uint64_t block[kMostWords];
    run_with(block, chained, execution, temporaries);
  }
}

void Launch::run_with(uint64_t* block, bool chained, const Execution& execution, const int64_t* temporaries) const {
  const uint64_t count = grid.is_open() ? grid.count(execution.extents) : 0;
  const Grid::Size launched = grid.is_open() ? size_of_launch(grid, count) : size;
  if (launched.blocks == 0) return;
  std::copy(arguments.words.begin(), arguments.words.end(), block);
  set_numbers(execution.numbers, block);
  complete(execution, temporaries, count, block);
  start(launched, execution.stream, chained, block);
}

void Launch::run_list(bool chained, const Execution* items, size_t count,
                      const std::vector<Extent>& temporaries) const {
  uint64_t parameters[kMostWords];  // a list_arguments
  uint64_t* const block = parameters + 1;
  const std::vector<int>& own = list->own_words;
  const auto reset = [&](int word) { block[word] = arguments.words[static_cast<size_t>(word)]; };
  std::copy(arguments.words.begin(), arguments.words.end(), block);
  for (size_t i = 0; i < count;) {
    uint64_t blocks = 0;
    uint64_t& taken = block[arguments.words.size()] = 0;
    uint64_t* to = &taken + 1;
    for (; i < count && taken < static_cast<uint64_t>(list->capacity); ++i) {
      const uint64_t positions = grid.count(items[i].extents), of_item = grid.blocks_of_item(positions);
      if (of_item == 0) continue;
      if (of_item > INT32_MAX) refuse_size(of_item);
      if (blocks + of_item > INT32_MAX) break;
      std::for_each(own.begin(), own.end(), reset);
      set_numbers(items[i].numbers, block);
      int64_t begins[kMostTemporaries];
      if (!temporaries.empty()) place_temporaries(temporaries, items[i].extents, begins);
      complete(items[i], temporaries.empty() ? nullptr : begins, positions, block);
      *to++ = blocks;
      for (const int word : own) *to++ = block[word];
      blocks += of_item;
      ++taken;
    }
    if (taken == 0) return;
    for (const int word : {At::unaligned, At::flags}) reset(word);  // items say theirs
    start({blocks, grid.threads}, items[0].stream, chained, parameters);
  }
}

void Launch::set_numbers(const AttrValue* values, uint64_t* block) const {
  for (const NumberSource& n : arguments.numbers) std::memcpy(block + n.word, values + n.number, sizeof *block);
  for (size_t v = 0; v < arguments.views.size(); ++v) {
    const ViewSource& view = arguments.views[v];
    if (view.kind != ViewKind::number) continue;
    block[At::immediate] |= uint64_t{1} << v;
    block[At::address + v] = host_bits(values + view.slot, view.size);
  }
}

void Launch::complete(const Execution& execution, const int64_t* temporaries, uint64_t positions,
                      uint64_t* block) const {
  arguments.complete(execution.extents, positions, block);
  for (size_t v = 0; v < arguments.views.size(); ++v) {
    const ViewSource& view = arguments.views[v];
    if (view.kind == ViewKind::number) continue;
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
      if (view.kind == ViewKind::temporary && temporaries) address += static_cast<uint64_t>(temporaries[view.slot]);
      block[At::address + v] = address;
    }
    if (address & view.misaligned) {
      block[At::unaligned] |= uint64_t{1} << v;
      block[At::flags] |= 1;
    }
  }
}

void Launch::start(const Grid::Size& launched, void* stream_of_caller, bool chained, uint64_t* block) const {
  const CUstream stream = static_cast<CUstream>(stream_of_caller);
  if (!uploads.empty()) {
    // A graph may be launched after the plan is gone. A stream that does not tell counts as
    // captured.
    int status = 0;
    if (driver().is_capturing(stream, &status) != kSuccess || status != 0)
      for (const UploadPtr& upload : uploads) upload->pinned.store(true, std::memory_order_relaxed);
  }
  CUlaunchAttribute attribute;
  attribute.id = kLaunchProgrammaticSerialization;
  attribute.value.programmatic_serialization_allowed = 1;
  const CUlaunchConfig config{static_cast<uint32_t>(launched.blocks),
                              1,
                              1,
                              launched.threads,
                              1,
                              1,
                              shared_bytes,
                              stream,
                              &attribute,
                              chained ? 1u : 0u};
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
