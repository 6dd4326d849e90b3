// Writes test vectors for the language bindings: JSON lines of an operator, its operands and the
// bytes of its result, checked against the reference first. Usage: tileops_make_vectors FILE
//
//   {"op": "add", "attrs": {"alpha": 2.0}, "inputs": [{"dtype": "float32", "shape": [2, 3],
//    "data": "<hex, little endian, row-major>"}, null], "outputs": [{...}], "ulp": 0}
//
// `null` is an absent operand; `ulp` (of a float32 or float64 result) is how far a result may be
// from the given bytes, 0 where they must be equal.
//
// Expressions come after the operators, each on a line of this form:
//
//   {"expr": "(x, w = 1; eps = 1e-6) -> ...", "scalars": {"eps": 0.5}, "inputs": [{...}, null],
//    "outputs": [{"name": "y0", "dtype": ..., "shape": ..., "data": ...}, ...], "ulp": 0}
//
// The text is ASCII and may hold `\n`. `scalars` are those that differ from their defaults, an integer
// or a number with a point or exponent. Outputs have the shapes and dtypes that tileops_plan_infer gives.
// The bytes are those of a plan with TILEOPS_PLAN_REPRODUCIBLE; without it float32 and float64 results
// may differ by `ulp`, others not.
#include <cmath>
#include <cstdio>
#include <string>

#include "cases.h"
#include "runner.h"
#include "vector_line.h"

namespace optest {

std::string TensorJson(const Array& a, const std::vector<uint64_t>& bits) {
  if (!a.present) return "null";
  std::string s = std::string("{\"dtype\": \"") + Info(a.dtype).name + "\", \"shape\": [";
  for (size_t d = 0; d < a.shape.size(); ++d) s += (d ? ", " : "") + std::to_string(a.shape[d]);
  s += "], \"data\": \"";
  char hex[4];
  for (uint64_t b : bits) {
    for (int i = 0; i < Info(a.dtype).size; ++i) {
      std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned>(b >> (8 * i)) & 0xff);
      s += hex;
    }
  }
  return s + "\"}";
}

std::string NumbersJson(const Attrs& numbers) {
  std::string s = "{";
  const char* comma = "";
  for (const Attr& a : numbers) {
    char value[40];
    if (a.integer) std::snprintf(value, sizeof value, "%lld", static_cast<long long>(a.i));
    else std::snprintf(value, sizeof value, "%.17g", a.d);
    std::string text = value;
    if (!a.integer && text.find_first_of(".e") == std::string::npos) text += ".0";
    s += comma + ("\"" + a.name + "\": ") + text;
    comma = ", ";
  }
  return s + "}";
}

namespace {

std::string Line(const Call& call, const std::vector<std::vector<uint64_t>>& results, double ulp) {
  std::string s = "{\"op\": \"" + call.row->name + "\", \"attrs\": " + NumbersJson(call.attrs) + ", \"inputs\": [";
  for (size_t k = 0; k < call.inputs.size(); ++k)
    s += (k ? ", " : "") + TensorJson(call.inputs[k], call.inputs[k].bits);
  s += "], \"outputs\": [";
  for (size_t k = 0; k < call.outputs.size(); ++k) s += (k ? ", " : "") + TensorJson(call.outputs[k], results[k]);
  char tail[40];
  std::snprintf(tail, sizeof tail, "], \"ulp\": %g}\n", ulp);
  return s + tail;
}

struct Writer {
  std::FILE* file;
  int lines = 0, wrong = 0;

  void Add(const Call& call) {
    const auto results = Execute(Targets().back(), call, Placement{});
    const auto expected = Reference(call);
    if (results.empty()) {
      ++wrong;
      return;
    }
    double allowed = 0;
    for (size_t k = 0; k < results.size(); ++k) {
      allowed = std::fmax(allowed, 2 * expected[k].ulp);
      for (size_t i = 0; i < results[k].size(); ++i) {
        double ulp;
        if (Matches(expected[k], expected[k].elements[i], call.outputs[k].dtype, results[k][i], &ulp)) continue;
        std::fprintf(stderr, "%s: element %zu is wrong\n", call.row->name.c_str(), i);
        ++wrong;
        return;
      }
    }
    std::fputs(Line(call, results, allowed < 1 ? 0 : allowed).c_str(), file);
    ++lines;
  }
};

// Infinite attributes and payloads of NaN have no common form in JSON readers.
bool Portable(const Variant& v) {
  for (const Attr& a : v.attrs)
    if (!std::isfinite(a.d)) return false;
  return true;
}

void Elementwise(const OpRow& row, Writer* out) {
  for (Dt t : AllDtypes()) {
    if (!row.Accepts(t)) continue;
    uint64_t seed = 1;
    for (const Variant& variant : VariantsOf(row, t)) {
      if (!Portable(variant)) continue;
      Call call = MakeCall(row, variant, {t}, {{2, 6}}, ++seed);
      if (DefaultOutput(&call)) out->Add(call);
      if (variant.attrs.empty() && row.is_map() && row.inputs.size() > 1) {
        call = MakeCall(row, variant, {t}, {{3, 1}, {4}, {3, 4}}, ++seed);
        if (DefaultOutput(&call)) out->Add(call);
      }
    }
  }
}

// Casts to scales by each rounding, and from scales to every dtype.
void Scales(const OpRow& row, Writer* out) {
  uint64_t seed = 100;
  for (Dt t : AllDtypes()) {
    for (int rounding : {0, 2, 3}) {
      Call call = MakeCall(row, {{{"rounding", rounding}}, {}}, {t}, {{3, 16}}, ++seed);
      call.outputs[0].dtype = Dt::kE8M0;
      out->Add(call);
      call.attrs.push_back({"fp8_overflow", 0});
      out->Add(call);
    }
    Call call = MakeCall(row, {}, {Dt::kE8M0}, {{3, 16}}, ++seed);
    call.outputs[0].dtype = t;
    out->Add(call);
  }
}

void Positional(const OpRow& row, Writer* out) {
  for (Dt t : {Dt::kF32, Dt::kF64, Dt::kF16, Dt::kBF16}) {
    Call call;
    call.row = &row;
    const std::vector<int64_t> shape = row.rule == "alibi" ? std::vector<int64_t>{3, 2, 4} : std::vector<int64_t>{4, 8};
    call.outputs = {Array{true, t, shape, {}}};
    if (row.rule == "rope" || row.rule == "dropout") {
      Array x{true, t, shape, {}};
      for (int64_t i = 0; i < x.NumElements(); ++i)
        x.bits.push_back(Encode(Num::Float(0.25 * static_cast<double>(i % 13) - 1.5), t));
      call.inputs.push_back(x);
    }
    if (row.name == "rope_longrope") {
      Array factors{true, Dt::kF32, {4}, {}};
      for (double r : {1.0, 1.5, 2.25, 4.0}) factors.bits.push_back(Encode(Num::Float(r), Dt::kF32));
      call.inputs.push_back(factors);
    }
    if (row.rule == "dropout") {
      call.attrs = {{"p", 0.25}, {"seed", 42}, {"offset", 3}};
      call.outputs.push_back(Array{true, Dt::kBool, shape, {}});
    }
    out->Add(call);
  }
}

int Main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }
  Writer out{std::fopen(argv[1], "w")};
  if (!out.file) {
    std::perror(argv[1]);
    return 1;
  }
  for (const OpRow& row : OpRows()) {
    const bool positional = row.rule == "rope" || row.rule == "dropout" || row.rule == "alibi" ||
                            row.rule == "sinusoidal";
    if (positional) Positional(row, &out);
    else Elementwise(row, &out);
    if (row.scales) Scales(row, &out);
  }
  const int expressions = WriteExpressions(out.file, &out.wrong);
  const bool written = std::fclose(out.file) == 0;
  std::fprintf(stderr, "%d vectors, %d of them of expressions, in %s, %d wrong results\n", out.lines + expressions,
               expressions, argv[1], out.wrong);
  return written && out.wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace optest

int main(int argc, char** argv) { return optest::Main(argc, argv); }
