#include "cuda/jit/kernel_cache.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "base/hash.h"
#include "base/log.h"
#include "cuda/jit/kernel_memory.h"
#include "cuda/jit/nvrtc.h"
#include "cuda/jit/source.h"
#include "store/pack.h"

namespace tileops::cuda {
namespace {

std::string pack_name(int arch) { return "kernels-sm_" + std::to_string(arch) + ".pack"; }

struct Image {
  std::string bytes;
  const char* origin = "";
};

// One for each architecture in use and each folder; opened once.
const cache::Pack& pack_of(const std::string& path) {
  static auto* mutex = new std::mutex;
  static auto* packs = new std::map<std::string, std::unique_ptr<cache::Pack>>;
  std::lock_guard<std::mutex> lock(*mutex);
  auto& slot = (*packs)[path];
  if (!slot) {
    slot = std::make_unique<cache::Pack>(path, kEmbeddedHash);
    log(TILEOPS_LOG_INFO, "kernel pack: %zu kernels in %s", slot->size(), path.c_str());
  }
  return *slot;
}

// Source, log and machine code of a compiled kernel, for people who want to look at it.
void dump(const std::string& directory, const Kernel& kernel, int arch, const Compiled& compiled) {
  const std::string base = directory + "/" + kernel.label + "-" +
                           cache::hex(cache::hash_of(kernel_key(kernel, arch))).substr(0, 16);
  const auto write = [&](const std::string& suffix, const std::string& text) {
    std::ofstream file(base + suffix, std::ios::binary);
    file << text;
    if (!file) log(TILEOPS_LOG_WARN, "TILEOPS_JIT_DUMP: cannot write %s", (base + suffix).c_str());
  };
  write(".cu", full_source(kernel));
  write(".log", kernel.name + "\n" + compiled.log);
  write(compiled.ptx ? ".ptx" : ".cubin", compiled.image);
}

// From the units that the kernel reaches and, should one be missing, from all.
Compiled compile(const Kernel& kernel, int arch) {
  const Nvrtc& nvrtc = Nvrtc::get();
  try {
    return nvrtc.compile(full_source(kernel), kernel.name, arch);
  } catch (const Error& e) {
    constexpr int32_t kCompilation = 6;  // NVRTC_ERROR_COMPILATION: of the source, not of an option
    if (e.driver_code != kCompilation) throw;
    log(TILEOPS_LOG_WARN, "%s; compiled from all headers", e.message.c_str());
    return nvrtc.compile(whole_source(kernel), kernel.name, arch);
  }
}

std::string disk_key(const std::string& build, const std::string& key) { return "nvrtc " + build + "\n" + key; }

Image find_image(Device& device, const Kernel& kernel, CudaState& state, bool may_compile) {
  const std::string key = kernel_key(kernel, device.arch());
  if (const std::string_view image = image_in_packs(kernel, device.arch(), state.pack_dirs); !image.empty()) {
    state.pack_hits.fetch_add(1);
    return {std::string(image), "pack"};
  }
  std::string bytes;
  if (state.cache_mode != TILEOPS_CACHE_OFF) {
    for (const std::string& build : builds_to_look_for(Nvrtc::get(), state.disk)) {
      if (!state.disk.get(disk_key(build, key), &bytes)) continue;
      state.disk_hits.fetch_add(1);
      return {std::move(bytes), "disk"};
    }
  }
  if (!may_compile) {
    fail(TILEOPS_STATUS_COMPILE,
         "flags: TILEOPS_PLAN_NO_JIT is set and the kernel is neither in the pack nor in the cache (%s)",
         kernel.name.c_str());
  }
  Compiled compiled = compile(kernel, device.arch());
  state.compiles.fetch_add(1);
  if (!state.jit_dump.empty()) dump(state.jit_dump, kernel, device.arch(), compiled);
  if (state.cache_mode == TILEOPS_CACHE_READ_WRITE) {
    const std::string& build = Nvrtc::get().build();
    remember_build(build, &state.disk);
    state.disk.put(disk_key(build, key), compiled.image);
  }
  return {std::move(compiled.image), "compiled"};
}

CUfunction load_image(const std::string& image, const Kernel& kernel) {
  const Driver& d = driver();
  const RelaxedCapture relaxed;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  check(d.module_load(&module, image.c_str()), "cuModuleLoadData");
  try {
    check(d.module_function(&function, module, kKernelSymbol), "cuModuleGetFunction");
    // With lazy loading the driver would otherwise load it at the first launch.
    if (d.function_load) check(d.function_load(function), "cuFuncLoad");
    if (kernel.shared_bytes > 0)  // more than 48 KiB together with what the kernel has anyway
      check(d.function_set_attribute(function, kFunctionMaxDynamicShared, kernel.shared_bytes), "cuFuncSetAttribute");
  } catch (const Error&) {
    d.module_unload(module);
    throw;
  }
  held_bytes() += image.size();
  return function;
}

LoadedKernel make(Device& device, const Kernel& kernel, CudaState& state, bool may_compile) {
  Image image = find_image(device, kernel, state, may_compile);
  try {
    return {load_image(image.bytes, kernel), image.origin};
  } catch (const Error& e) {
    // What was kept may be for another driver or damaged beyond what the hash tells.
    if (std::string(image.origin) == "compiled" || !may_compile) throw;
    log(TILEOPS_LOG_WARN, "kernel cache: an entry from %s does not load (%s); compiled anew", image.origin,
        e.message.c_str());
    const Compiled compiled = compile(kernel, device.arch());
    state.compiles.fetch_add(1);
    return {load_image(compiled.image, kernel), "compiled"};
  }
}

KernelMemory<LoadedKernel>& memory() {
  static auto* m = new KernelMemory<LoadedKernel>;  // by device and text
  return *m;
}

std::string memory_key(const Device& device, const Kernel& kernel) {
  return std::to_string(device.index()) + "\n" + kernel.text;
}

}  // namespace

// The file that holds this code, as the kernel knows it: the loader's name of a program is what its caller says,
// and of a library may be relative to a working directory that has changed. "" if it cannot be told.
std::string file_of_code(const void* code) {
  std::ifstream maps("/proc/self/maps");
  maps.exceptions(std::ios::badbit);  // no memory is an error, not the end of the file
  const auto address = reinterpret_cast<uintptr_t>(code);
  for (std::string line; std::getline(maps, line);) {
    unsigned long long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx", &begin, &end) != 2 || address < begin || address >= end) continue;
    const size_t path = line.find('/');
    return path == std::string::npos ? "" : line.substr(path);
  }
  return "";
}

std::string pack_path(int arch) {
  static const std::string* folder = [] {
    const std::string file = file_of_code(reinterpret_cast<const void*>(&pack_path));
    return new std::string(file.substr(0, file.rfind('/') == std::string::npos ? 0 : file.rfind('/')));
  }();
  return folder->empty() ? "" : *folder + "/tileops/" + pack_name(arch);
}

std::string_view image_in_packs(const Kernel& kernel, int device, const std::vector<std::string>& dirs) {
  for (const int arch : pack_archs(device)) {
    const std::string key = kernel_key(kernel, arch);
    for (const std::string& dir : dirs)
      if (const std::string_view image = pack_of(dir + "/" + pack_name(arch)).find(key); !image.empty()) return image;
    if (const std::string_view image = pack_of(pack_path(arch)).find(key); !image.empty()) return image;
  }
  return {};
}

// Machine code runs on devices of the same major and a higher minor version as well, but not on those of
// systems on a chip (8.7, 10.1), nor where the text is other for them, which the key tells. What was swept on
// sm_90 alone serves that alone.
std::vector<int> pack_archs(int device) {
  std::vector<int> list{device};
  if (device == 87 || device == 101) return list;
  for (int arch = device - 1; arch >= device / 10 * 10; --arch)
    if (arch != 90 && arch != 87 && arch != 101) list.push_back(arch);
  return list;
}

constexpr const char* kBuildsKey = "tileops compilers, key version 1";
constexpr size_t kMostBuilds = 8;

std::vector<std::string> known_builds(cache::DiskStore* disk) {
  std::vector<std::string> list;
  std::string text;
  if (!disk->get(kBuildsKey, &text)) return list;
  size_t at = 0;
  while (at < text.size() && list.size() < kMostBuilds) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) list.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return list;
}

void remember_build(const std::string& build, cache::DiskStore* disk) {
  std::vector<std::string> list = known_builds(disk);
  if (!list.empty() && list[0] == build) return;
  list.erase(std::remove(list.begin(), list.end(), build), list.end());
  list.insert(list.begin(), build);
  std::string text;
  for (size_t i = 0; i < list.size() && i < kMostBuilds; ++i) text += list[i] + "\n";
  disk->put(kBuildsKey, text);
}

std::vector<std::string> builds_to_look_for(const Nvrtc& nvrtc, cache::DiskStore& disk) {
  if (nvrtc.available()) return {nvrtc.build()};
  return known_builds(&disk);
}

LoadedKernel load_kernel(Device& device, const Kernel& kernel, CudaState& state, bool may_compile) {
  const std::string key = memory_key(device, kernel);
  bool found;
  LoadedKernel loaded = memory().get(key, may_compile, &found,
                                     [&] { return make(device, kernel, state, may_compile); });
  if (found) {
    state.memory_hits.fetch_add(1);
    loaded.origin = "memory";
  }
  return loaded;
}

std::vector<LoadedKernel> load_side_by_side(Device& device, const std::vector<const Kernel*>& kernels,
                                            CudaState& state) {
  std::vector<LoadedKernel> loaded(kernels.size());
  std::vector<size_t> unknown;
  for (size_t i = 0; i < kernels.size(); ++i)
    if (!memory().knows(memory_key(device, *kernels[i]))) unknown.push_back(i);
  const size_t most = state.one_thread ? 1 : std::thread::hardware_concurrency();
  const size_t count = std::min(unknown.size(), most);
  if (count < 2) return loaded;
  std::atomic<size_t> next{0};
  const auto load = [&] {
    for (size_t k = next++; k < unknown.size(); k = next++) {
      try {
        const CurrentContext current(device.context());
        loaded[unknown[k]] = load_kernel(device, *kernels[unknown[k]], state, true);
      } catch (...) {  // which the plan finds for itself
      }
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(count);
  try {
    while (threads.size() + 1 < count) threads.emplace_back(load);
  } catch (const std::exception&) {  // no more threads can be had
  }
  load();
  for (std::thread& t : threads) t.join();
  return loaded;
}

}  // namespace tileops::cuda
