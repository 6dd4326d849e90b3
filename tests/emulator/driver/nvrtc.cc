// The run-time compiler, of which the library gets PTX where it asks for machine code. TILEOPS_NVRTC names this file to
// the library; the true one is looked for below CUDA_HOME.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

void* open_true_one() {
  const char* home = std::getenv("CUDA_HOME");
  for (const std::string& folder :
       {std::string(home ? home : "") + "/lib64/", std::string(home ? home : "") + "/lib/", std::string()})
    for (const char* file : {"libnvrtc.so.13", "libnvrtc.so.12"})
      if (void* opened = dlopen((folder + file).c_str(), RTLD_NOW | RTLD_LOCAL)) return opened;
  std::fprintf(stderr, "emulator: no NVRTC (CUDA_HOME is %s)\n", home ? home : "not set");
  return nullptr;
}

template <class F>
F* true_one(const char* name) {
  static void* library = open_true_one();
  return reinterpret_cast<F*>(library ? dlsym(library, name) : nullptr);
}

// Its second library lies beside it, where the loader does not look.
void open_builtins() {
  Dl_info info;
  int major = 0, minor = 0;
  const auto version = true_one<int(int*, int*)>("nvrtcVersion");
  if (!version || version(&major, &minor) || !dladdr(reinterpret_cast<void*>(version), &info)) return;
  std::string file = info.dli_fname;
  file = file.substr(0, file.rfind('/') + 1) + "libnvrtc-builtins.so." + std::to_string(major) + "." +
         std::to_string(minor);
  dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

// X(name, parameters, arguments): passed on as they are.
#define EMULATOR_PASSED_ON(X)                                                                   \
  X(nvrtcVersion, (int* major, int* minor), (major, minor))                                     \
  X(nvrtcGetNumSupportedArchs, (int* count), (count))                                           \
  X(nvrtcGetSupportedArchs, (int* list), (list))                                                \
  X(nvrtcCreateProgram,                                                                         \
    (void** program, const char* text, const char* name, int count, const char* const* headers, \
     const char* const* names),                                                                 \
    (program, text, name, count, headers, names))                                               \
  X(nvrtcDestroyProgram, (void** program), (program))                                           \
  X(nvrtcGetProgramLogSize, (void* program, size_t* size), (program, size))                     \
  X(nvrtcGetProgramLog, (void* program, char* text), (program, text))                           \
  X(nvrtcGetPTXSize, (void* program, size_t* size), (program, size))                            \
  X(nvrtcGetPTX, (void* program, char* image), (program, image))

extern "C" {
#define EMULATOR_DEFINE(name, parameters, arguments) \
  int name parameters {                              \
    const auto f = true_one<int parameters>(#name);  \
    return f ? f arguments : 1;                      \
  }
EMULATOR_PASSED_ON(EMULATOR_DEFINE)

int nvrtcGetCUBINSize(void* program, size_t* size) { return nvrtcGetPTXSize(program, size); }
int nvrtcGetCUBIN(void* program, char* image) { return nvrtcGetPTX(program, image); }

int nvrtcCompileProgram(void* program, int count, const char* const* options) {
  static const bool opened = (open_builtins(), true);
  const auto compile = true_one<int(void*, int, const char* const*)>("nvrtcCompileProgram");
  if (!opened || !compile) return 1;
  std::vector<std::string> list(options, options + count);
  const std::string machine = "--gpu-architecture=sm_", any = "--gpu-architecture=compute_";
  std::vector<const char*> pointers;
  for (std::string& option : list) {
    if (option.compare(0, machine.size(), machine) == 0) option = any + option.substr(machine.size());
    pointers.push_back(option.c_str());
  }
  return compile(program, count, pointers.data());
}

const char* nvrtcGetErrorString(int code) {
  const auto f = true_one<const char*(int)>("nvrtcGetErrorString");
  return f ? f(code) : "NVRTC could not be opened";
}
}
