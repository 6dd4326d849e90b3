#include "cuda/spec/function_call.h"

#include <algorithm>
#include <cstring>

#include "cuda/steps/type_names.h"
#include "problem/rows/stages.h"

namespace tileops::cuda {
namespace {

// Bits of an attribute: as a number, where it is one to be read.
std::string attribute_text(size_t i, const AttrValue& value) {
  char text[64];
  const double magnitude = value.f64 < 0 ? -value.f64 : value.f64;
  if (magnitude >= 0x1p-126 && magnitude < 0x1p128) std::snprintf(text, sizeof text, "a[%zu].f64 = %a;", i, value.f64);
  else std::snprintf(text, sizeof text, "a[%zu].i64 = %lld;", i, static_cast<long long>(value.i64));
  return text;
}

class CallWriter {
 public:
  CallWriter(const Problem& problem, const PassInfo& info, const FunctionParameters& parameters,
             const std::string& name)
      : problem_(problem), pass_(problem.passes[0]), info_(info), parameters_(parameters), name_(name) {}

  // As a member of the struct of its steps, in whose namespace the names are: none of the user's file is looked up.
  std::string call() {
    text_ = "static __device__ __forceinline__ void call(" + parameters_.text() + ") {\n";
    write_attributes();
    std::string arguments = "a";
    for (size_t i = 0; i < pass_.loads.size(); ++i) arguments += ", " + write_argument(i);
    for (size_t k = 0; k < pass_.stores.size(); ++k) {
      text_ += "  " + pack_of_store(pass_, parameters_, k) + " r" + number(k) + ";\n";
      arguments += ", &r" + number(k);
    }
    text_ += "  run(" + arguments + ");\n";
    for (size_t k = 0; k < pass_.stores.size(); ++k) {
      const char* how = parameters_.store_is_of_row(k)    ? "give_one"
                        : is_plain(pass_.stores[k].dtype) ? "give"
                                                          : "give_words";
      text_ += std::string("  ") + how + "(r" + number(k) + ", y" + number(k) + ");\n";
    }
    return text_ + "}\n";
  }
  std::string function() {
    const bool is_row = parameters_.is_row();
    const std::string list = is_row ? "N, Lanes, Pack" : "N", length = number(parameters_.row_length());
    text_ = "template <int N" + std::string(is_row ? ", int Lanes = 1, int Pack = N" : "") +
            ">\n__device__ __forceinline__ void " + name_ + "(" + parameters_.text() + ") {\n";
    const std::string run = "tileops::kernels::" + name_ + "_steps<" + list + ">::call(" + parameters_.names() + ");\n";
    if (!is_row) return text_ + "  " + run + "}\n";
    text_ += "  constexpr bool reaches = N * Lanes >= " + length + ";\n  static_assert(reaches, \"" + name_ +
             ": a row has " + length + " elements, which N Lanes must reach\");\n";
    return text_ + "  if constexpr (tileops::kernels::has_packs_of_rows<N, Lanes, Pack>() && reaches)\n    " + run +
           "}\n";
  }

 private:
  void write_attributes() {
    std::vector<std::string> lines;
    for (const Step& step : pass_.steps)
      for (size_t j = 0; j < step.attrs.size(); ++j) {
        const size_t i = lines.size();
        const int n = step.numbers.empty() ? -1 : step.numbers[j];
        if (n >= 0 && parameters_.source(n).scalar >= 0)
          lines.push_back("a[" + number(i) + "].f64 = " + (step.ctype == Ctype::f32 ? "static_cast<float>(" : "(") +
                          "s" + number(parameters_.source(n).scalar) + ");");
        else lines.push_back(attribute_text(i, n >= 0 ? parameters_.usual(n) : step.attrs[j]));
      }
    text_ += "  AttrValue a[" + number(lines.size() + 1) + "];\n  a[" + number(lines.size()) + "].i64 = 0;\n";
    for (const std::string& line : lines) text_ += "  " + line + "\n";
  }
  // What the steps are given for a load; lines before it make it.
  std::string write_argument(size_t i) {
    const View& load = pass_.loads[i];
    const std::string type = compute_name(info_.of(load_value(i)).type), name = "v" + number(i);
    if (load.kind == ViewKind::number || load.kind == ViewKind::constant) {
      if (load.kind == ViewKind::number && parameters_.source(load.slot).scalar >= 0)
        return "static_cast<" + type + ">(s" + number(parameters_.source(load.slot).scalar) + ")";
      return constant(load, type);
    }
    const std::string x = "x" + number(load.slot);
    if (parameters_.is_single(i)) return "widen_one<" + type + ">(" + x + ")";
    if (is_plain(load.dtype) && type == storage_name(load.dtype)) return x;
    text_ += "  " + type + " " + name + "[N];\n  take(" + x + ", " + name + ");\n";
    return name;
  }
  std::string constant(const View& load, const std::string& type) const {
    AttrValue value{};
    bool integer = load.dtype != Dtype::f64 && load.dtype != Dtype::f32;
    if (load.kind == ViewKind::number) {
      value = parameters_.usual(load.slot);
    } else {
      const uint8_t* bytes = problem_.constants[static_cast<size_t>(load.slot)].bytes.data() + load.offset;
      if (load.dtype == Dtype::f32) {
        float f;
        std::memcpy(&f, bytes, sizeof f);
        value.f64 = f;
      } else {
        std::memcpy(&value, bytes, std::min<size_t>(sizeof value, dtype_size(load.dtype)));
      }
    }
    char text[64];
    if (integer)
      std::snprintf(text, sizeof text, "static_cast<%s>(%lldll)", type.c_str(), static_cast<long long>(value.i64));
    else
      std::snprintf(text, sizeof text, "static_cast<%s>(from_bits(u64{0x%llxu}))", type.c_str(),
                    static_cast<unsigned long long>(value.i64));
    return text;
  }

  const Problem& problem_;
  const Pass& pass_;
  const PassInfo& info_;
  const FunctionParameters& parameters_;
  const std::string& name_;
  std::string text_;
};

}  // namespace

std::string function_call_text(const Problem& problem, const PassInfo& info, const FunctionParameters& parameters,
                               const std::string& name) {
  return CallWriter(problem, info, parameters, name).call();
}
std::string function_text(const Problem& problem, const PassInfo& info, const FunctionParameters& parameters,
                          const std::string& name) {
  return CallWriter(problem, info, parameters, name).function();
}

std::string pack_of_store(const Pass& pass, const FunctionParameters& parameters, size_t store) {
  return std::string("raw_pack<") + destination_name(pass.stores[store].dtype, pass.stores[store].fp8) + ", " +
         (parameters.store_is_of_row(store) ? "1" : "N") + ">";
}

}  // namespace tileops::cuda
