#include "ceiling.h"

#include <string>

#include "cuda/nvrtc.h"

namespace tileops::bench {
namespace {

// Accesses of at most 16 bytes.
std::string type_of(int bytes) {
  return bytes >= 16 ? "uint4" : bytes == 8 ? "uint2" : bytes == 4 ? "unsigned" : bytes == 2 ? "unsigned short" : "unsigned char";
}

std::string source_of(const std::vector<int>& in, const std::vector<int>& out) {
  const auto number = [](size_t n) { return std::to_string(n); };
  std::string s = "template <class A> __device__ unsigned first(A x) { return *(unsigned char*)&x; }\n"
                  "extern \"C\" __global__ void __launch_bounds__(256) copy(unsigned long long n";
  for (size_t i = 0; i < in.size() + out.size(); ++i) s += ", char* p" + number(i);
  s += ") {\n  asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n"
       "  unsigned long long i = blockIdx.x * 256ull + threadIdx.x;\n  if (i >= n) return;\n  unsigned sum = 0;\n";
  std::string wide;
  for (size_t k = 0; k < in.size(); ++k) {
    const int each = in[k] < 16 ? in[k] : 16, count = in[k] / each;
    for (int c = 0; c < count; ++c) {
      const std::string name = "x" + number(k) + "_" + std::to_string(c);
      s += "  " + type_of(each) + " " + name + " = ((" + type_of(each) + "*)p" + number(k) + ")[i * " +
           std::to_string(count) + " + " + std::to_string(c) + "];\n";
      s += "  sum += *(unsigned char*)&" + name + ";\n";
      if (each == 16) {
        s += "  sum ^= " + name + ".x ^ " + name + ".y ^ " + name + ".z ^ " + name + ".w;\n";
      }
    }
  }
  for (size_t k = 0; k < out.size(); ++k) {
    const int each = out[k] < 16 ? out[k] : 16, count = out[k] / each;
    const std::string t = type_of(each), p = "p" + number(in.size() + k);
    const std::string value = each == 16 ? "make_uint4(sum, sum, sum, sum)" : each == 8 ? "make_uint2(sum, sum)" : "(" + t + ")sum";
    for (int c = 0; c < count; ++c)
      s += "  ((" + t + "*)" + p + ")[i * " + std::to_string(count) + " + " + std::to_string(c) + "] = " + value + ";\n";
  }
  return s + "}\n";
}

}  // namespace

CopyKernel::CopyKernel(cuda::Device& device, const std::vector<int>& in, const std::vector<int>& out) {
  const cuda::CurrentContext current(device.context());
  const cuda::Compiled c = cuda::Nvrtc::get().compile(source_of(in, out), "copy", device.arch());
  cuda::CUmodule module = nullptr;
  cuda::check(cuda::driver().module_load(&module, c.image.c_str()), "cuModuleLoadData");
  cuda::check(cuda::driver().module_function(&function_, module, "copy"), "cuModuleGetFunction");
}

void CopyKernel::launch(const std::vector<void*>& arrays, int64_t threads, void* stream) const {
  uint64_t n = static_cast<uint64_t>(threads);
  std::vector<void*> parameters{&n};
  for (void* const& p : arrays) parameters.push_back(const_cast<void**>(&p));
  cuda::CUlaunchAttribute attribute;
  attribute.id = cuda::kLaunchProgrammaticSerialization;
  attribute.value.programmatic_serialization_allowed = 1;
  const cuda::CUlaunchConfig config{static_cast<unsigned>((threads + 255) / 256), 1, 1, 256, 1, 1, 0,
                                    static_cast<cuda::CUstream>(stream), &attribute, 1};
  cuda::check(cuda::driver().launch(&config, function_, parameters.data(), nullptr), "cuLaunchKernelEx");
}

}  // namespace tileops::bench
