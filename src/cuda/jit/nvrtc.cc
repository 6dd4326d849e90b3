#include "cuda/jit/nvrtc.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <mutex>

#include "base/env.h"
#include "base/error.h"
#include "cuda/driver/shared_library.h"

namespace tileops::cuda {

using Program = void*;

// What is called of nvrtc.h, unchanged since CUDA 11.2.
#define TILEOPS_NVRTC_FUNCTIONS(X)                                                                         \
  X(version, "nvrtcVersion", (int* major, int* minor))                                                     \
  X(num_archs, "nvrtcGetNumSupportedArchs", (int* count))                                                  \
  X(archs, "nvrtcGetSupportedArchs", (int* list))                                                          \
  X(create, "nvrtcCreateProgram",                                                                          \
    (Program * program, const char* source, const char* name, int num_headers, const char* const* headers, \
     const char* const* include_names))                                                                    \
  X(destroy, "nvrtcDestroyProgram", (Program * program))                                                   \
  X(compile, "nvrtcCompileProgram", (Program program, int count, const char* const* options))              \
  X(log_size, "nvrtcGetProgramLogSize", (Program program, size_t* size))                                   \
  X(log, "nvrtcGetProgramLog", (Program program, char* text))                                              \
  X(cubin_size, "nvrtcGetCUBINSize", (Program program, size_t* size))                                      \
  X(cubin, "nvrtcGetCUBIN", (Program program, char* image))                                                \
  X(ptx_size, "nvrtcGetPTXSize", (Program program, size_t* size))                                          \
  X(ptx, "nvrtcGetPTX", (Program program, char* image))

struct Nvrtc::Functions {
#define TILEOPS_MEMBER(member, symbol, parameters) int(*member) parameters = nullptr;
  TILEOPS_NVRTC_FUNCTIONS(TILEOPS_MEMBER)
#undef TILEOPS_MEMBER
  const char* (*error)(int result) = nullptr;
};

namespace {

std::string file_of(const void* function) {
  Dl_info info;
  return dladdr(function, &info) && info.dli_fname ? info.dli_fname : "";
}

// The same version is built more than once; so the file's size is taken too.
std::string fingerprint(const std::string& file, const std::string& version) {
  struct stat s;
  if (stat(file.c_str(), &s) != 0) return version;
  return version + "/" + std::to_string(static_cast<long long>(s.st_size));
}

// NVRTC opens its second library by name, which the loader does not find beside the first one unless
// that folder is on its path. Opened beforehand, it is found.
void open_builtins(const std::string& file, const std::string& version) {
  const size_t slash = file.rfind('/');
  if (slash == std::string::npos) return;
  const std::string builtins = file.substr(0, slash + 1) + "libnvrtc-builtins.so." + version;
  dlopen(builtins.c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

Nvrtc::~Nvrtc() = default;

Nvrtc::Nvrtc(const std::string& chosen, const std::string& cuda_home) : f_(new Functions) {
  const SharedLibrary library(nvrtc_candidates(chosen, cuda_home));
  if (!library.is_open()) {
    failure_ = "the run-time compiler NVRTC could not be opened (" + library.failure() + ")";
    return;
  }
#define TILEOPS_LOAD(member, symbol_name, parameters)                            \
  f_->member = reinterpret_cast<int(*) parameters>(library.symbol(symbol_name)); \
  if (!f_->member && failure_.empty()) failure_ = library.name() + " has no " symbol_name;
  TILEOPS_NVRTC_FUNCTIONS(TILEOPS_LOAD)
#undef TILEOPS_LOAD
  f_->error = reinterpret_cast<const char* (*)(int)>(library.symbol("nvrtcGetErrorString"));
  if (!failure_.empty()) return;
  int major = 0, minor = 0, count = 0;
  f_->version(&major, &minor);
  const std::string file = file_of(reinterpret_cast<const void*>(f_->version));
  const std::string version = std::to_string(major) + "." + std::to_string(minor);
  open_builtins(file, version);
  build_ = fingerprint(file, version);
  version_ = 1000 * major + 10 * minor;
  f_->num_archs(&count);
  archs_.resize(static_cast<size_t>(std::max(count, 0)));
  if (count > 0) f_->archs(archs_.data());
  std::sort(archs_.begin(), archs_.end());
}

namespace {

// What is opened, and whether it is.
struct ChosenFile {
  std::mutex mutex;
  std::string path;
  bool is_fixed = false;
};
ChosenFile& file_of_nvrtc() {
  static auto* file = new ChosenFile{{}, env("TILEOPS_NVRTC").value_or("")};
  return *file;
}

}  // namespace

void Nvrtc::choose(const std::string& path) {
  ChosenFile& c = file_of_nvrtc();
  const std::lock_guard<std::mutex> lock(c.mutex);
  if (c.is_fixed && c.path != path)
    invalid("options: nvrtc_path is another file than the process has opened or chosen (got '%s', have '%s')",
            path.c_str(), c.path.c_str());
  c.path = path;
  c.is_fixed = true;
}

const Nvrtc& Nvrtc::get() {
  static const Nvrtc* nvrtc = [] {
    ChosenFile& c = file_of_nvrtc();
    const std::lock_guard<std::mutex> lock(c.mutex);
    c.is_fixed = true;
    return new Nvrtc(c.path, env("CUDA_HOME").value_or(""));
  }();
  return *nvrtc;
}

// No contraction: fma only where the source says so, as on the CPU. --minimal leaves out what the
// kernels do not use (17 instead of 23 ms for an add, NVRTC 13.0 on a server CPU). No -default-device: it
// makes every constant of a class a symbol of the machine code. 177: functions that are not used.
const std::vector<std::string>& Nvrtc::options() {
  static const auto* list = new std::vector<std::string>{"--std=c++17", "--fmad=false", "--minimal", "--no-cache",
                                                         "-diag-suppress=177"};
  return *list;
}

Target target_of(const std::vector<int>& known, int arch) {
  Target target;
  for (const int a : known)
    if (a <= arch && a > target.arch) target.arch = a;
  target.ptx = target.arch != arch;
  return target;
}

std::vector<std::string> options_of(const Target& target) {
  std::vector<std::string> list = Nvrtc::options();
  const std::string arch = std::to_string(target.arch);
  list.push_back("--gpu-architecture=" + (target.ptx ? "compute_" + arch : "sm_" + arch));
  if (!target.ptx) list.push_back("-DTILEOPS_EXACT_SM=" + arch);
  return list;
}

Compiled Nvrtc::compile(const std::string& source, const std::string& name, int arch) const {
  if (!available()) throw Error{TILEOPS_STATUS_NO_DEVICE, "device: " + failure_};
  const Target target = target_of(archs_, arch);
  if (target.arch == 0)
    unsupported("device: is older than all that NVRTC %s compiles for (got sm_%d, need sm_%d)", build_.c_str(), arch,
                archs_.empty() ? 0 : archs_.front());
  Compiled out;
  out.ptx = target.ptx;
  const std::vector<std::string> texts = options_of(target);
  std::vector<const char*> flags;
  for (const std::string& t : texts) flags.push_back(t.c_str());

  const auto require = [&](int result, const char* what) {
    if (result == 0) return;
    const char* text = f_->error ? f_->error(result) : "?";
    throw Error{
        TILEOPS_STATUS_COMPILE,
        std::string("op: ") + what + " failed (" + text + ") for " + name + (out.log.empty() ? "" : ":\n" + out.log),
        result};
  };
  Program program = nullptr;
  require(f_->create(&program, source.c_str(), name.c_str(), 0, nullptr, nullptr), "nvrtcCreateProgram");
  struct Destroy {
    const Functions* f;
    Program* p;
    ~Destroy() { f->destroy(p); }
  } destroy{f_.get(), &program};
  const int result = f_->compile(program, static_cast<int>(flags.size()), flags.data());
  size_t size = 0;
  if (f_->log_size(program, &size) == 0 && size > 1) {
    out.log.resize(size);
    f_->log(program, out.log.data());
    out.log.resize(size - 1);
  }
  require(result, "nvrtcCompileProgram");
  require(out.ptx ? f_->ptx_size(program, &size) : f_->cubin_size(program, &size), "nvrtcGetCUBINSize");
  out.image.resize(size);
  require(out.ptx ? f_->ptx(program, out.image.data()) : f_->cubin(program, out.image.data()), "nvrtcGetCUBIN");
  return out;
}

}  // namespace tileops::cuda
