#include "cuda/spec/device_function.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "base/error.h"
#include "cuda/spec/row_needs.h"
#include "cuda/spec/row_sums.h"
#include "cuda/steps/type_names.h"

namespace tileops::cuda {
namespace {

std::string digits(size_t n) { return std::to_string(n); }

// Bits of an attribute: as a number, where it is one to be read.
std::string attribute_text(size_t i, const AttrValue& value) {
  char text[64];
  const double magnitude = value.f64 < 0 ? -value.f64 : value.f64;
  if (magnitude >= 0x1p-126 && magnitude < 0x1p128) std::snprintf(text, sizeof text, "a[%zu].f64 = %a;", i, value.f64);
  else std::snprintf(text, sizeof text, "a[%zu].i64 = %lld;", i, static_cast<long long>(value.i64));
  return text;
}

// The pass in one function: element by element, each value in an array of N; what a row comes to, and what is made of
// that alone, in arrays of one, which are brought to N where elements take them.
class FunctionWriter {
 public:
  FunctionWriter(const Problem& problem, const FunctionNames& names, bool reproducible)
      : problem_(problem),
        names_(names),
        pass_(problem.passes[0]),
        info_(pass_, {reproducible}),
        steps_(pass_, info_, {}, reproducible),
        is_row_(pass_.row_rank > 0),
        reproducible_(reproducible) {}

  std::string run() {
    find_parameters();
    write_head();
    text_ += "namespace tileops {\nnamespace kernels {\n\ntemplate <int Elements" + lanes(", int Lanes") +
             ">\nstruct " + names_.function + "_steps {\n  static constexpr int N = Elements;\n";
    if (is_row_) write_row();
    text_ += "  static __device__ __forceinline__ void run(" + steps_parameters() + ") {\n";
    if (is_row_) text_ += "    block_values b;\n";
    steps_.begin_function("");
    for (size_t i = 0; i < pass_.loads.size(); ++i) write_load(i, "N");
    for (size_t s = 0; s < pass_.steps.size(); ++s) write_step(s);
    for (size_t k = 0; k < pass_.stores.size(); ++k) write_store(k);
    text_ += steps_.take_lines() + "  }\n};\n\n}  // namespace kernels\n}  // namespace tileops\n\n";
    write_function();
    return text_;
  }

 private:
  std::string lanes(const std::string& text) const { return is_row_ ? text : ""; }
  bool is_single(size_t i) const {
    const View& load = pass_.loads[i];
    return load.kind == ViewKind::number || load.kind == ViewKind::constant || is_of_row(load_value(i)) ||
           std::all_of(load.strides.begin(), load.strides.end(), [](int64_t s) { return s == 0; });
  }
  bool is_of_row(const Value& v) const { return is_row_ && info_.of(v).level == Level::block; }
  static bool is_cpp(Dtype dtype) {
    return dtype == Dtype::f32 || dtype == Dtype::f64 || compute_type(dtype) == Ctype::boolean;
  }
  static bool is_plain(Dtype dtype) { return ctype_dtype(compute_type(dtype)) == dtype; }
  std::string type_of(size_t i) const { return compute_name(info_.of(load_value(i)).type); }

  // ---- Parameters

  void find_parameters() {
    for (size_t i = 0; i < pass_.loads.size(); ++i) {
      const View& load = pass_.loads[i];
      if (load.kind == ViewKind::index)
        unsupported("expr: asks for the position of elements, which a function of registers does not know");
      if (load.kind == ViewKind::temporary || !load.indices.empty())
        unsupported("expr: reads operands at places that it computes, which a function of registers cannot");
      if (load.kind == ViewKind::constant && !is_single(i))
        unsupported("expr: takes a table of constants, which a function of registers cannot");
      if (is_row_ && info_.of(load_value(i)).level == Level::group) refuse_groups();
      if (load.kind != ViewKind::input) continue;
      for (size_t j = 0; j < i; ++j) {
        const View& other = pass_.loads[j];
        if (other.kind == ViewKind::input && other.slot == load.slot &&
            (other.offset != load.offset || other.strides != load.strides))
          unsupported("expr: takes parts of operand '%s', which are operands of their own of a function of registers",
                      names_.operands[static_cast<size_t>(load.slot)].c_str());
      }
      inputs_.insert(load.slot);
    }
    for (const Step& step : pass_.steps) {
      if (step.scans) unsupported("expr: scans rows, which a function of registers does not");
      if (step.reduces() && (step.rank != pass_.row_rank || step.reduction == Reduction::sum_of_pairs)) refuse_groups();
      if (step.reduces() && step.in_columns && depends_on_order(step))
        unsupported("expr: reduces other axes than the last one, which a function of registers does not");
    }
    for (size_t i = 0; i < problem_.num_numbers; ++i) {
      const Numbers::Source source = problem_.numbers->source_of(i);
      if (source.varies && source.scalar < 0)
        unsupported("expr: computes with scalars on the host; give what it computes as a scalar of its own");
      if (source.scalar >= 0) scalars_.insert(source.scalar);
    }
    if (problem_.num_numbers > 0) {
      usual_.resize(problem_.num_numbers);
      problem_.numbers->compute(nullptr, 0, usual_.data());
    }
  }
  [[noreturn]] static void refuse_groups() {
    unsupported("expr: reduces groups or several axes apart, which a function of registers does not");
  }
  int64_t row_length() const {
    int64_t n = 1;
    for (size_t d = pass_.extents.size() - pass_.row_rank; d < pass_.extents.size(); ++d) n *= pass_.extents[d];
    return n;
  }

  // The parameter of an operand or result. C++ has its own names for some dtypes.
  static std::string parameter(Dtype dtype, const std::string& storage, bool single, const std::string& name,
                               bool result) {
    const std::string plain = compute_type(dtype) == Ctype::boolean ? "bool" : storage,
                      type = is_cpp(dtype) ? plain : "tileops::device::" + storage, q = result ? "" : "const ";
    if (single) return type + (result ? "& " : " ") + name;
    if (is_plain(dtype)) return q + type + " (&" + name + ")[N]";
    return q + "tileops::device::packed<" + type + ", N>& " + name;
  }
  // Is every load of an input one for all?
  bool is_single_input(int slot) const {
    for (size_t i = 0; i < pass_.loads.size(); ++i)
      if (pass_.loads[i].kind == ViewKind::input && pass_.loads[i].slot == slot) return is_single(i);
    return false;
  }
  Dtype dtype_of_input(int slot) const {
    for (const View& load : pass_.loads)
      if (load.kind == ViewKind::input && load.slot == slot) return load.dtype;
    return Dtype::f32;
  }
  // The type that kernels take a scalar in, of all that take it.
  std::string scalar_type(int scalar) const {
    bool integer = true;
    for (const View& load : pass_.loads)
      if (load.kind == ViewKind::number && source(load.slot).scalar == scalar)
        integer = integer && load.dtype == Dtype::i64;
    for (const Step& step : pass_.steps)
      for (const int n : step.numbers) integer = integer && !(n >= 0 && source(n).scalar == scalar);
    return integer ? "long long" : "double";
  }
  Numbers::Source source(int number) const { return problem_.numbers->source_of(static_cast<size_t>(number)); }

  // ---- Text

  void write_head() {
    text_ += "// Written by libtileops (tileops expr --device-function): " + names_.expression + "\n";
    text_ += std::string("// Policy: ") +
             (reproducible_ ? "bit_exact" : "bounded, and within_2_20 where results are narrow") +
             ". docs/device.md says what that promises and how to compile it.\n//\n";
    for (const int s : scalars_)
      text_ += "//   s" + digits(static_cast<size_t>(s)) + "  scalar " + names_.scalars[static_cast<size_t>(s)] + "\n";
    for (const int i : inputs_)
      text_ += "//   x" + digits(static_cast<size_t>(i)) + "  operand " + names_.operands[static_cast<size_t>(i)] +
               ", " + dtype_name(dtype_of_input(i)) +
               (!is_single_input(i) ? ""
                : is_row_           ? ", one for the row"
                                    : ", one for all") +
               "\n";
    for (size_t k = 0; k < pass_.stores.size(); ++k)
      text_ += "//   y" + digits(k) + "  result " + names_.results[result_of(k)] + ", " +
               dtype_name(pass_.stores[k].dtype) + (is_row_ && store_is_of_row(k) ? ", one for the row" : "") + "\n";
    if (is_row_)
      text_ += "//\n// A row has " + digits(static_cast<size_t>(row_length())) +
               " elements: N Lanes. Lanes neighbouring lanes of a warp have it together, lane i the elements from i N "
               "on; with\n"
               "// Lanes > 1 all lanes of the warp take part.\n";
    text_ += "#ifndef TILEOPS_FUNCTION_" + names_.function + "\n#define TILEOPS_FUNCTION_" + names_.function +
             "\n\n#include <tileops/device/cuda.h>\n\n";
  }
  size_t result_of(size_t k) const {
    return pass_.stores[k].kind == ViewKind::output ? static_cast<size_t>(pass_.stores[k].slot) : k;
  }
  bool store_is_of_row(size_t k) const { return is_row_ && level_of_stored(pass_, info_, k) == Level::block; }

  void write_row() {
    text_ += "  struct spec {\n    static constexpr int vec = Elements;\n    static constexpr bool full = true, whole "
             "= true;\n  };\n";
    text_ += "  struct block_values {\n    static constexpr int N = 1;\n";
    for (size_t s = 0; s < pass_.steps.size(); ++s)
      if (is_of_row(step_value(s))) text_ += "    " + steps_.declaration(s) + "\n";
    text_ += "  };\n";
    for (size_t s = 0; s < pass_.steps.size(); ++s) {
      if (!pass_.steps[s].reduces()) continue;
      const std::vector<Summed> list{summed_of(pass_, s)};
      text_ += "  struct reduced" + digits(s) + " {\n" + accumulator_text(list, false) + finish_text(list) + "  };\n";
    }
  }

  // As the functor takes them: what is one for all is a value, others are arrays.
  std::string steps_parameters() const {
    std::string text = "[[maybe_unused]] const AttrValue* a";
    for (size_t i = 0; i < pass_.loads.size(); ++i) {
      const std::string n = digits(i);
      text += is_single(i) ? ", " + type_of(i) + " g" + n : ", const " + type_of(i) + " (&x" + n + ")[N]";
    }
    for (size_t k = 0; k < pass_.stores.size(); ++k)
      text += std::string(", raw_pack<") + destination_name(pass_.stores[k].dtype, pass_.stores[k].fp8) + ", " +
              (store_is_of_row(k) ? "1" : "N") + ">* y" + digits(k);
    return text;
  }
  void write_load(size_t i, const std::string& length) {
    if (!is_single(i)) return;
    const std::string x = "x" + digits(i);
    steps_.line("[[maybe_unused]] " + type_of(i) + " " + x + "[" + length + "];");
    steps_.line("fill(" + x + ", g" + digits(i) + ");");
  }

  // Lines about what a row has, where N is 1: `needed` are there.
  template <class F>
  void in_row(const std::vector<Value>& needed, const F& write) {
    steps_.line("{ constexpr int N = 1;");
    std::set<size_t> loads, steps;
    for (const Value& unresolved : needed) {
      const Value v = steps_.resolved(unresolved);
      (v.of == Value::Of::load ? loads : steps).insert(static_cast<size_t>(v.index));
    }
    for (const size_t i : loads) write_load(i, "N");
    for (const size_t s : steps) {
      steps_.line("[[maybe_unused]] " + steps_.declaration(s));
      steps_.line("bring(b.v" + digits(s) + ", v" + digits(s) + ");");
    }
    write();
    steps_.line("}");
    text_ += steps_.take_lines();
    steps_.begin_function("");
  }
  // A value and, where it is rounded by its operator's own rounding, that operator's operands.
  std::vector<Value> rounded_from(const Value& v) const {
    std::vector<Value> list{v};
    if (v.of == Value::Of::step && !pass_.steps[static_cast<size_t>(v.index)].reduces())
      for (const Value& x : pass_.steps[static_cast<size_t>(v.index)].arguments) list.push_back(x);
    return list;
  }

  void write_step(size_t s) {
    const Step& step = pass_.steps[s];
    const Value v = step_value(s), same = steps_.resolved(v);
    if (same.of != v.of || same.index != v.index) return;
    const std::string name = "v" + digits(s);
    if (step.reduces()) {
      steps_.line("{ typename reduced" + digits(s) + "::values r;");
      steps_.line("bring(" + steps_.name(step.arguments[0]) + ", r.r0);");
      steps_.line("reduced" + digits(s) + "::finish(over_row<reduced" + digits(s) +
                  ", spec, Lanes>(r), N * Lanes, &b); }");
    } else if (is_of_row(v)) {
      if (num_results(step) > 1) unsupported("expr: has an operator of several results of a row");
      std::vector<Value> needed = step.arguments;
      if (step.converts()) needed = rounded_from(step.arguments[0]);
      in_row(needed, [&] {
        steps_.write(s);
        steps_.line("bring(" + name + ", b." + name + ");");
      });
    } else {
      return steps_.write(s);
    }
    if (is_of_row(v)) {
      steps_.line("[[maybe_unused]] " + steps_.declaration(s));
      steps_.line("bring(b." + name + ", " + name + ");");
    }
  }
  void write_store(size_t k) {
    const View& store = pass_.stores[k];
    const auto write = [&] {
      steps_.line("*y" + digits(k) + " = " + steps_.rounded(pass_.stored[k], store.dtype, store.fp8) + ";");
    };
    if (store_is_of_row(k)) in_row(rounded_from(pass_.stored[k]), write);
    else write();
  }

  void write_function() {
    std::string parameters;
    const auto add = [&](const std::string& p) { parameters += (parameters.empty() ? "" : ", ") + p; };
    for (const int s : scalars_) add(scalar_type(s) + " s" + digits(static_cast<size_t>(s)));
    for (const int i : inputs_)
      add(parameter(dtype_of_input(i), storage_name(dtype_of_input(i)), is_single_input(i),
                    "x" + digits(static_cast<size_t>(i)), false));
    for (size_t k = 0; k < pass_.stores.size(); ++k)
      add(parameter(pass_.stores[k].dtype, destination_name(pass_.stores[k].dtype, pass_.stores[k].fp8),
                    store_is_of_row(k), "y" + digits(k), true));
    text_ += "template <int N" + lanes(", int Lanes = 1") + ">\n__device__ __forceinline__ void " + names_.function +
             "(" + parameters + ") {\n";
    if (is_row_)
      text_ += "  static_assert(N * Lanes == " + std::to_string(row_length()) + ", \"" + names_.function +
               ": a row has " + std::to_string(row_length()) + " elements\");\n";
    text_ += "  using namespace tileops::kernels;\n";
    write_attributes();
    std::string arguments = "a";
    for (size_t i = 0; i < pass_.loads.size(); ++i) arguments += ", " + write_argument(i);
    for (size_t k = 0; k < pass_.stores.size(); ++k) {
      const std::string r = "r" + digits(k);
      text_ += std::string("  raw_pack<") + destination_name(pass_.stores[k].dtype, pass_.stores[k].fp8) + ", " +
               (store_is_of_row(k) ? "1" : "N") + "> " + r + ";\n";
      arguments += ", &" + r;
    }
    text_ += "  " + names_.function + "_steps<N" + lanes(", Lanes") + ">::run(" + arguments + ");\n";
    for (size_t k = 0; k < pass_.stores.size(); ++k) {
      const char* how = store_is_of_row(k) ? "give_one" : is_plain(pass_.stores[k].dtype) ? "give" : "give_words";
      text_ += std::string("  ") + how + "(r" + digits(k) + ", y" + digits(k) + ");\n";
    }
    text_ += "}\n\n#endif\n";
  }
  void write_attributes() {
    std::vector<std::string> lines;
    for (const Step& step : pass_.steps)
      for (size_t j = 0; j < step.attrs.size(); ++j) {
        const size_t i = lines.size();
        const int n = step.numbers.empty() ? -1 : step.numbers[j];
        if (n >= 0 && source(n).scalar >= 0)
          lines.push_back("a[" + digits(i) + "].f64 = " + (step.ctype == Ctype::f32 ? "static_cast<float>(" : "(") +
                          "s" + digits(static_cast<size_t>(source(n).scalar)) + ");");
        else lines.push_back(attribute_text(i, n >= 0 ? usual_[static_cast<size_t>(n)] : step.attrs[j]));
      }
    text_ += "  tileops::device::AttrValue a[" + digits(lines.size() + 1) + "];\n  a[" + digits(lines.size()) +
             "].i64 = 0;\n";
    for (const std::string& line : lines) text_ += "  " + line + "\n";
  }
  // What the steps are given for a load; lines before it make it.
  std::string write_argument(size_t i) {
    const View& load = pass_.loads[i];
    const std::string type = type_of(i), slot = digits(static_cast<size_t>(load.slot)), name = "v" + digits(i);
    if (load.kind == ViewKind::number || load.kind == ViewKind::constant) {
      if (load.kind == ViewKind::number && source(load.slot).scalar >= 0)
        return "static_cast<" + type + ">(s" + digits(static_cast<size_t>(source(load.slot).scalar)) + ")";
      return constant(load, type);
    }
    if (is_single(i)) return "widen_one<" + type + ">(x" + slot + ")";
    if (is_plain(load.dtype) && type == storage_name(load.dtype)) return "x" + slot;
    text_ += "  " + type + " " + name + "[N];\n  take(x" + slot + ", " + name + ");\n";
    return name;
  }
  std::string constant(const View& load, const std::string& type) const {
    AttrValue value{};
    bool integer = load.dtype != Dtype::f64 && load.dtype != Dtype::f32;
    if (load.kind == ViewKind::number) {
      value = usual_[static_cast<size_t>(load.slot)];
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
  const FunctionNames& names_;
  const Pass& pass_;
  const PassInfo info_;
  StepWriter steps_;
  const bool is_row_, reproducible_;
  std::set<int> inputs_, scalars_;
  std::vector<AttrValue> usual_;  // what numbers are by default
  std::string text_;
};

}  // namespace

std::string device_function(const Problem& problem, const FunctionNames& names, bool reproducible) {
  if (problem.passes.size() != 1)
    unsupported("expr: takes %zu passes over memory, which is no function of registers", problem.passes.size());
  const Pass& pass = problem.passes[0];
  if (ids_begin(pass) != pass.loads.size() || pass.bits_kept || has_indices(pass))
    unsupported("expr: gathers or scatters, which a function of registers does not");
  if (sums_blocks(pass)) unsupported("expr: adds up rows, which a function of registers does not");
  return FunctionWriter(problem, names, reproducible).run();
}

}  // namespace tileops::cuda
