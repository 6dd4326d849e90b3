#include "ceiling.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "cuda/jit/nvrtc.h"

namespace tileops::bench {
namespace {

std::string number(size_t n) { return std::to_string(n); }

std::string type_of(int bytes) {
  switch (bytes) {
    case 16: return "uint4";
    case 8: return "uint2";
    case 4: return "unsigned";
    case 2: return "unsigned short";
    default: return "unsigned char";
  }
}

// A thread's accesses to one array.
struct Accesses {
  int width, count;
};

Accesses accesses_of(int bytes) {
  const bool one = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
  if (!one && (bytes <= 0 || bytes % 16 != 0))
    fail(TILEOPS_STATUS_INVALID_ARGUMENT, "copy kernel: no accesses for %d bytes a thread", bytes);
  return one ? Accesses{bytes, 1} : Accesses{16, bytes / 16};
}

// Every byte that was read takes part, so that no load is narrowed.
std::string folded(const std::string& x, int width) {
  if (width == 16) return x + ".x ^ " + x + ".y ^ " + x + ".z ^ " + x + ".w";
  if (width == 8) return x + ".x ^ " + x + ".y";
  return "(unsigned)" + x;
}

std::string spread(int width) {
  if (width == 16) return "make_uint4(v, v, v, v)";
  if (width == 8) return "make_uint2(v, v)";
  return "(" + type_of(width) + ")v";
}

// All reads, then all writes; what is written depends on what stands in the same part of the operands that were read.
std::string moves(const std::vector<Accesses>& in, const std::vector<Accesses>& out, bool striped, bool guarded) {
  int parts = 1;
  for (const Accesses& a : in) parts = std::max(parts, a.count);
  for (const Accesses& a : out) parts = std::max(parts, a.count);
  const auto index = [&](const Accesses& a, int c) {
    const std::string count = number(static_cast<size_t>(a.count)), at = number(static_cast<size_t>(c));
    return striped && a.count > 1 ? "first * " + count + " + " + at + " * blockDim.x + threadIdx.x" : "i * " + count + " + " + at;
  };
  const auto guard = [&](const Accesses& a, int c) {
    return guarded ? "if (" + index(a, c) + " < n * " + number(static_cast<size_t>(a.count)) + ") " : std::string();
  };
  std::string s;
  for (int j = 0; j < parts; ++j) s += "    unsigned s" + number(static_cast<size_t>(j)) + " = 0;\n";
  std::string sums;
  for (size_t k = 0; k < in.size(); ++k)
    for (int c = 0; c < in[k].count; ++c) {
      const std::string t = type_of(in[k].width), x = "x" + number(k) + "_" + number(static_cast<size_t>(c));
      s += "    " + t + " " + x + " = {}; " + guard(in[k], c) + x + " = ((const " + t + "*)p" + number(k) + ")[" +
           index(in[k], c) + "];\n";
      for (int j = 0; j < parts; ++j)
        if (j * in[k].count / parts == c) sums += "    s" + number(static_cast<size_t>(j)) + " ^= " + folded(x, in[k].width) + ";\n";
    }
  s += sums;
  for (size_t k = 0; k < out.size(); ++k)
    for (int c = 0; c < out[k].count; ++c) {
      s += "    { const unsigned v = 0";
      for (int j = 0; j < parts; ++j)
        if (j * out[k].count / parts == c) s += " ^ s" + number(static_cast<size_t>(j));
      s += "; " + guard(out[k], c) + "((" + type_of(out[k].width) + "*)p" + number(in.size() + k) + ")[" + index(out[k], c) +
           "] = " + spread(out[k].width) + "; }\n";
    }
  return s;
}

std::string source_of(const std::vector<int>& in, const std::vector<int>& out, const CopyCut& cut) {
  std::vector<Accesses> reads, writes;
  for (const int size : in) reads.push_back(accesses_of(size * cut.elements));
  for (const int size : out) writes.push_back(accesses_of(size * cut.elements));
  std::string s = "extern \"C\" __global__ void __launch_bounds__(" + number(static_cast<size_t>(cut.block)) +
                  ") copy(unsigned long long n";
  for (size_t k = 0; k < in.size() + out.size(); ++k) s += ", char* __restrict__ p" + number(k);
  s += ") {\n"
       "#if __CUDA_ARCH__ >= 900\n"
       "  asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n"
       "#endif\n"
       "  const unsigned long long first = blockIdx.x * (unsigned long long)blockDim.x, i = first + threadIdx.x;\n";
  if (!cut.striped) return s + "  if (i < n) {\n" + moves(reads, writes, false, false) + "  }\n}\n";
  return s + "  if (first + blockDim.x <= n) {\n" + moves(reads, writes, true, false) + "  } else {\n" +
         moves(reads, writes, true, true) + "  }\n}\n";
}

}  // namespace

CopyKernel::CopyKernel(cuda::Device& device, const std::vector<int>& in, const std::vector<int>& out, const CopyCut& cut)
    : arrays_(in.size() + out.size()), cut_(cut), chained_(device.arch() >= 90) {
  if (arrays_ > CopyLaunch::kMostArrays) fail(TILEOPS_STATUS_INVALID_ARGUMENT, "copy kernel: too many arrays");
  const cuda::CurrentContext current(device.context());
  const cuda::Compiled c = cuda::Nvrtc::get().compile(source_of(in, out, cut), "copy", device.arch());
  cuda::CUmodule module = nullptr;
  cuda::check(cuda::driver().module_load(&module, c.image.c_str()), "cuModuleLoadData");
  cuda::check(cuda::driver().module_function(&function_, module, "copy"), "cuModuleGetFunction");
}

CopyLaunch::CopyLaunch(const CopyKernel& kernel, void* const* arrays, int64_t elements, void* stream)
    : launch_(cuda::driver().launch), function_(kernel.function_),
      threads_(static_cast<uint64_t>(elements / kernel.cut_.elements)) {
  std::copy(arrays, arrays + kernel.arrays_, arrays_);
  parameters_[0] = &threads_;
  for (size_t k = 0; k < kernel.arrays_; ++k) parameters_[k + 1] = &arrays_[k];
  attribute_.id = cuda::kLaunchProgrammaticSerialization;
  attribute_.value.programmatic_serialization_allowed = 1;
  const unsigned block = static_cast<unsigned>(kernel.cut_.block);
  config_ = {static_cast<unsigned>((threads_ + block - 1) / block), 1, 1, block, 1, 1, 0,
             static_cast<cuda::CUstream>(stream), &attribute_, kernel.chained_ ? 1u : 0u};
}

}  // namespace tileops::bench
