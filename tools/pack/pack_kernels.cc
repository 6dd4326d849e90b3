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
      n += spec.vecs_per_thread * (spec.vec * dtype_bits(a.dtype) / 128);
  return n;
}

// Are there results for which no operand is looked at?
bool is_constant(const KernelSpec& spec) {
  if (spec.is_expression() || spec.ctype == Ctype::f32 || spec.ctype == Ctype::f64) return false;
  for (const auto& op : op_table())
    for (const BodyInfo& body : bodies_of(op->op))
      if (body.name == spec.body) return body.constant_of_integers;
  return false;
}

// As the library chooses them: the sample has other strategies, too.
bool is_contiguous(const KernelSpec& spec, int threads) {
  if (spec.which != Template::elementwise || spec.order != TraversalOrder::flat ||
      spec.threads != threads || spec.vec > 16)
    return false;
  for (const AccessSpec& a : spec.loads)
    if (a.pattern != AccessPattern::dense && a.pattern != AccessPattern::uniform &&
        a.pattern != AccessPattern::immediate && a.pattern != AccessPattern::index)
      return false;
  return std::all_of(spec.stores.begin(), spec.stores.end(),
                     [](const AccessSpec& a) { return a.pattern == AccessPattern::dense; });
}

void write_contiguous(const std::string& folder, int arch, const std::vector<KernelSpec>& specs,
                      size_t count,
                      const std::vector<std::pair<std::string, std::string>>& kernels) {
  std::ofstream code(folder + "/code", std::ios::binary), list(folder + "/list");
  size_t begin = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!is_contiguous(specs[i], tuning_of(arch).threads)) continue;
    const MachineCode machine = machine_code(specs[i], kernels[i].second);
    code << machine.bytes;
    list << begin << "\t" << begin + machine.kernel << "\t"
         << (is_constant(specs[i]) ? 0 : whole_accesses(specs[i].loads, specs[i])) << "\t"
         << whole_accesses(specs[i].stores, specs[i]) << "\t" << (specs[i].min_blocks > 0) << "\t"
         << specs[i].name() << "\n";
    begin += machine.bytes.size();
  }
}

void require_same_code(const Nvrtc& nvrtc, const KernelSpec& spec, int arch,
                       const std::string& image) {
  const auto code_of = [&](const std::string& elf) {
    return without_places_of_coefficients(machine_code(spec, elf).bytes);
  };
  if (code_of(nvrtc.compile(whole_source(spec), spec.name(), arch).image) != code_of(image))
    throw Error{TILEOPS_STATUS_COMPILE,
                spec.name() + ": its units give other machine code than all headers"};
}

// Those of `more` that are not among them are appended.
void append_others(std::vector<KernelSpec>* specs, std::vector<KernelSpec> more) {
  std::set<std::string> seen;
  for (const KernelSpec& k : *specs) seen.insert(k.text());
  for (KernelSpec& k : more)
    if (seen.insert(k.text()).second) specs->push_back(std::move(k));
}

// The first kernel of every body under every kind of policy.
std::vector<KernelSpec> one_of_each(const std::vector<KernelSpec>& all) {
  std::set<std::string> seen;
  std::vector<KernelSpec> some;
  for (const KernelSpec& k : all)
    if (seen.insert(k.body + " " + k.policy.substr(0, k.policy.find('<')) +
                    (k.table ? " table" : ""))
            .second)
      some.push_back(k);
  return some;
}

// Kernels that differ in their layout alone are in one part. FNV-1a, so that the parts are the same everywhere.
unsigned part_of(const KernelSpec& spec, unsigned parts) {
  std::string key = spec.body + " " + spec.policy;
  for (const auto* list : {&spec.loads, &spec.stores})
    for (const AccessSpec& a : *list) key += std::string(" ") + dtype_name(a.dtype);
  uint32_t hash = 2166136261u;
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return (hash ^ hash >> 16) % parts;
}

void keep_part(std::vector<KernelSpec>* specs, unsigned part, unsigned parts) {
  specs->erase(std::remove_if(specs->begin(), specs->end(),
                              [=](const KernelSpec& k) { return part_of(k, parts) != part; }),
               specs->end());
}

// Kernels of some bodies and one dtype, such as "gelu,silu" and "float32".
void keep_only(std::vector<KernelSpec>* specs, const std::string& bodies, const std::string& dtype) {
  const auto is_other = [&](const AccessSpec& a) { return dtype != dtype_name(a.dtype); };
  const auto is_left_out = [&](const KernelSpec& k) {
    const auto names = split(bodies, ',');
    return std::find(names.begin(), names.end(), k.body) == names.end() ||
           std::any_of(k.loads.begin(), k.loads.end(), is_other) ||
           std::any_of(k.stores.begin(), k.stores.end(), is_other);
  };
  specs->erase(std::remove_if(specs->begin(), specs->end(), is_left_out), specs->end());
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
  std::vector<KernelSpec> specs = standard_kernels(arch, sample);
  if (!only_bodies.empty()) keep_only(&specs, only_bodies, only_dtype);
  if (each) specs = one_of_each(specs);
  keep_part(&specs, part, parts);
  const size_t sampled = specs.size();
  if (sample && rest) append_others(&specs, standard_kernels(arch, false));
  keep_part(&specs, part, parts);
  if (each_parts > 0) {
    std::vector<KernelSpec> some = one_of_each(standard_kernels(arch, false));
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
        Compiled c = nvrtc.compile(full_source(specs[i]), specs[i].name(), arch);
        if (whole) require_same_code(nvrtc, specs[i], arch, c.image);
        bytes += c.image.size();
        kernels[i] = {kernel_key(specs[i], arch), std::move(c.image)};
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
