// Compiles the standard kernels for one architecture into a pack. Needs NVRTC, no GPU.
//
// usage: tileops_pack [--sample [--rest]] [--one-of-each] [--part K/N] [--with-each K/N] [--keep-going] [--whole]
//                     [--only BODY,BODY... DTYPE] [--jobs N] [--contiguous FOLDER] ARCH OUTPUT
//
// NVRTC is found as the library finds it (TILEOPS_NVRTC, CUDA_HOME). With OUTPUT "-" nothing is
// written: a check that everything compiles. --contiguous writes the machine code of the kernels for
// contiguous operands into a folder, for tests/cuda/sass.py: one behind the other in `code`, and in `list` a line a
// kernel of where it begins and its own part ends, 16-byte loads and stores that its packs must take, whether its
// registers are bounded, and its name. --sample takes few dtypes and other strategies than the library's choice, --rest
// all standard kernels behind them, which that folder has not. --whole compiles each kernel from all headers as well,
// not only from the units that it reaches, and wants the same machine code. --one-of-each takes one kernel of every
// body under every kind of policy; a named expression counts as a body. --part takes the part K, from 0 on, of N:
// kernels are shared out by their body and dtypes, the same ones on every architecture. --with-each adds such a part of
// the kernels of --one-of-each. --only takes kernels of these bodies, of which every operand and result has the dtype.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/split.h"
#include "cuda/jit/nvrtc.h"
#include "cuda/jit/source.h"
#include "cuda/tuning/tuning.h"
#include "op/bodies.h"
#include "pack/machine_code.h"
#include "pack/standard.h"
#include "store/pack.h"

using namespace tileops;
using namespace tileops::cuda;

namespace {

// Accesses of 16 bytes to the operands whose packs have as much.
int whole_accesses(const std::vector<AccessSpec>& list, const KernelSpec& spec) {
  int n = 0;
  for (const AccessSpec& a : list)
    if (a.pattern == AccessPattern::dense)
      n += spec.traversal.vecs_per_thread * (spec.traversal.vec * dtype_bits(a.dtype) / 128);
  return n;
}

// May it be that no operand is looked at? Whole numbers are finite, so that what classifies them need not.
bool may_be_constant(const KernelSpec& spec) {
  const std::string& type = spec.compute.type;
  if (type.empty() || type == ctype_name(Ctype::f32) || type == ctype_name(Ctype::f64)) return false;
  for (const auto& op : op_table())
    for (const BodyInfo& body : bodies_of(op->op))
      if (body.name == spec.compute.name) return body.bool_result && body.operands.size() == 1;
  return false;
}

// As the library chooses them: the sample has other strategies, too.
bool is_contiguous(const KernelSpec& spec, int threads) {
  const TraversalSpec& t = spec.traversal;
  if (spec.looks_up() || spec.has_rows() || t.order != TraversalOrder::flat || t.threads != threads || t.vec > 16)
    return false;
  for (const AccessSpec& a : spec.access.loads)
    if (a.pattern != AccessPattern::dense && a.pattern != AccessPattern::uniform &&
        a.pattern != AccessPattern::immediate && a.pattern != AccessPattern::index)
      return false;
  return std::all_of(spec.access.stores.begin(), spec.access.stores.end(),
                     [](const AccessSpec& a) { return a.pattern == AccessPattern::dense; });
}

void write_contiguous(const std::string& folder, int arch, const std::vector<StandardKernel>& all, size_t count,
                      const std::vector<std::pair<std::string, std::string>>& kernels) {
  std::ofstream code(folder + "/code", std::ios::binary), list(folder + "/list");
  size_t begin = 0;
  for (size_t i = 0; i < count; ++i) {
    const KernelSpec& spec = all[i].spec;
    if (!is_contiguous(spec, tuning_of(arch).threads)) continue;
    const MachineCode machine = machine_code(all[i].kernel, kernels[i].second);
    code << machine.bytes;
    list << begin << "\t" << begin + machine.kernel << "\t"
         << (may_be_constant(spec) ? 0 : whole_accesses(spec.access.loads, spec)) << "\t"
         << whole_accesses(spec.access.stores, spec) << "\t" << (spec.traversal.min_blocks > 0) << "\t"
         << all[i].kernel.name << "\n";
    begin += machine.bytes.size();
  }
}

void require_same_code(const Nvrtc& nvrtc, const Kernel& kernel, int arch, const std::string& image) {
  const auto code_of = [&](const std::string& elf) {
    return without_places_of_coefficients(machine_code(kernel, elf).bytes);
  };
  if (code_of(nvrtc.compile(whole_source(kernel), kernel.name, arch).image) != code_of(image))
    throw Error{TILEOPS_STATUS_COMPILE,
                kernel.name + ": its units give other machine code than all headers"};
}

// Those of `more` that are not among them are appended.
void append_others(std::vector<StandardKernel>* all, std::vector<StandardKernel> more) {
  std::set<std::string> seen;
  for (const StandardKernel& k : *all) seen.insert(k.kernel.text);
  for (StandardKernel& k : more)
    if (seen.insert(k.kernel.text).second) all->push_back(std::move(k));
}

// The first kernel of every body under every kind of policy.
std::vector<StandardKernel> one_of_each(const std::vector<StandardKernel>& all) {
  std::set<std::string> seen;
  std::vector<StandardKernel> some;
  for (const StandardKernel& k : all)
    if (const std::string& policy = k.spec.compute.policy;
        seen.insert(k.name + " " + policy.substr(0, policy.find('<')) + (k.spec.compute.table ? " table" : ""))
            .second)
      some.push_back(k);
  return some;
}

// Kernels that differ in their layout alone are in one part. FNV-1a, so that the parts are the same everywhere.
unsigned part_of(const StandardKernel& k, unsigned parts) {
  std::string key = k.name + " " + k.spec.compute.policy;
  for (const auto* list : {&k.spec.access.loads, &k.spec.access.stores})
    for (const AccessSpec& a : *list) key += std::string(" ") + dtype_name(a.dtype);
  uint32_t hash = 2166136261u;
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return (hash ^ hash >> 16) % parts;
}

void keep_part(std::vector<StandardKernel>* all, unsigned part, unsigned parts) {
  all->erase(std::remove_if(all->begin(), all->end(),
                            [=](const StandardKernel& k) { return part_of(k, parts) != part; }),
             all->end());
}

// Kernels of some bodies and one dtype, such as "gelu,silu" and "float32".
void keep_only(std::vector<StandardKernel>* all, const std::string& bodies, const std::string& dtype) {
  const auto is_other = [&](const AccessSpec& a) { return dtype != dtype_name(a.dtype); };
  const auto is_left_out = [&](const StandardKernel& k) {
    const auto names = split(bodies, ',');
    const Accesses& access = k.spec.access;
    return std::find(names.begin(), names.end(), k.name) == names.end() ||
           std::any_of(access.loads.begin(), access.loads.end(), is_other) ||
           std::any_of(access.stores.begin(), access.stores.end(), is_other);
  };
  all->erase(std::remove_if(all->begin(), all->end(), is_left_out), all->end());
}

bool read_part(const char* text, unsigned* part, unsigned* parts) {
  return std::sscanf(text, "%u/%u", part, parts) == 2 && *part < *parts;
}

int run(int argc, char** argv) {
  std::string contiguous, only_bodies, only_dtype;
  bool sample = false, rest = false, keep_going = false, whole = false, each = false;
  unsigned jobs = std::thread::hardware_concurrency(), part = 0, parts = 1, each_part = 0, each_parts = 0;
  int at = 1;
  for (; at < argc && argv[at][0] == '-' && argv[at][1] == '-'; ++at) {
    if (!std::strcmp(argv[at], "--sample")) sample = true;
    else if (!std::strcmp(argv[at], "--rest")) rest = true;
    else if (!std::strcmp(argv[at], "--keep-going")) keep_going = true;
    else if (!std::strcmp(argv[at], "--whole")) whole = true;
    else if (!std::strcmp(argv[at], "--one-of-each")) each = true;
    else if (!std::strcmp(argv[at], "--jobs") && at + 1 < argc) jobs = static_cast<unsigned>(std::atoi(argv[++at]));
    else if (!std::strcmp(argv[at], "--part") && at + 1 < argc && read_part(argv[at + 1], &part, &parts)) ++at;
    else if (!std::strcmp(argv[at], "--with-each") && at + 1 < argc &&
             read_part(argv[at + 1], &each_part, &each_parts)) ++at;
    else if (!std::strcmp(argv[at], "--only") && at + 2 < argc) only_bodies = argv[++at], only_dtype = argv[++at];
    else if (!std::strcmp(argv[at], "--contiguous") && at + 1 < argc) contiguous = argv[++at];
    else at = argc;
  }
  if (argc - at != 2) {
    std::fprintf(stderr,
                 "usage: tileops_pack [--sample [--rest]] [--one-of-each] [--part K/N] [--with-each K/N]\n"
                 "                    [--only BODY,BODY... DTYPE] [--keep-going] [--whole] [--jobs N]\n"
                 "                    [--contiguous FOLDER] ARCH OUTPUT\n");
    return 2;
  }
  const int arch = std::atoi(argv[at]);
  const std::string output = argv[at + 1];
  const Nvrtc& nvrtc = Nvrtc::get();
  if (!nvrtc.available()) {
    std::fprintf(stderr, "tileops_pack: %s\n", nvrtc.failure().c_str());
    return 1;
  }
  if (target_of(nvrtc.archs(), arch).ptx) {
    std::string known;
    for (const int a : nvrtc.archs()) known += (known.empty() ? "" : ", ") + std::to_string(a);
    std::fprintf(stderr, "tileops_pack: NVRTC %s does not know sm_%d (it knows %s)\n",
                 nvrtc.build().c_str(), arch, known.c_str());
    return 1;
  }
  std::vector<StandardKernel> specs = standard_kernels(arch, sample);
  if (!only_bodies.empty()) keep_only(&specs, only_bodies, only_dtype);
  if (each) specs = one_of_each(specs);
  keep_part(&specs, part, parts);
  const size_t sampled = specs.size();
  if (sample && rest) append_others(&specs, standard_kernels(arch, false));
  keep_part(&specs, part, parts);
  if (each_parts > 0) {
    std::vector<StandardKernel> some = one_of_each(standard_kernels(arch, false));
    keep_part(&some, each_part, each_parts);
    append_others(&specs, std::move(some));
  }
  std::vector<std::pair<std::string, std::string>> kernels(specs.size());
  std::atomic<size_t> next{0}, failed{0}, bytes{0};
  std::mutex mutex;
  const auto start = std::chrono::steady_clock::now();
  const auto work = [&] {
    for (size_t i; (i = next.fetch_add(1)) < specs.size();) {
      try {
        const Kernel& kernel = specs[i].kernel;
        Compiled c = nvrtc.compile(full_source(kernel), kernel.name, arch);
        if (whole) require_same_code(nvrtc, kernel, arch, c.image);
        bytes += c.image.size();
        kernels[i] = {kernel_key(kernel, arch), std::move(c.image)};
      } catch (const Error& e) {
        std::lock_guard<std::mutex> lock(mutex);
        std::fprintf(stderr, "tileops_pack: %s\n", e.message.c_str());
        if (failed++ == 0 && !keep_going) next = specs.size();
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < (jobs ? jobs : 1); ++t) threads.emplace_back(work);
  for (std::thread& t : threads) t.join();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("sm_%d: %zu kernels, %.1f MB, %.0f s, %zu failed\n", arch, specs.size(),
              static_cast<double>(bytes) / 1e6, seconds, failed.load());
  if (failed) return 1;
  if (!contiguous.empty()) write_contiguous(contiguous, arch, specs, sampled, kernels);
  if (output != "-") cache::write_pack(output, kEmbeddedHash, kernels);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& e) {
    std::fprintf(stderr, "tileops_pack: %s\n", e.message.c_str());
    return 1;
  }
}
