#include "cuda/spec/device_function.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "cuda/spec/function_call.h"
#include "cuda/spec/function_parameters.h"
#include "cuda/spec/rows/sums.h"
#include "cuda/steps/type_names.h"
#include "cuda/steps/writer.h"
#include "problem/rows/stages.h"

namespace tileops::cuda {
namespace {

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
        parameters_(problem, info_, names),
        is_row_(parameters_.is_row()),
        reproducible_(reproducible) {}

  std::string run() {
    text_ += "#include <tileops/device/cuda.h>\n\nnamespace tileops {\nnamespace kernels {\n\ntemplate <int Elements" +
             std::string(is_row_ ? ", int Lanes, int Pack" : "") + ">\nstruct " + names_.function +
             "_steps {\n  static constexpr int N = Elements;\n";
    if (is_row_) write_row();
    text_ += "  static __device__ __forceinline__ void run(" + steps_parameters() + ") {\n";
    if (is_row_) text_ += "    block_values b;\n";
    steps_.begin_function("");
    for (size_t i = 0; i < pass_.loads.size(); ++i) write_load(i);
    for (size_t s = 0; s < pass_.steps.size(); ++s) write_step(s);
    for (size_t k = 0; k < pass_.stores.size(); ++k) write_store(k);
    text_ += steps_.take_lines() + "  }\n\n" + function_call_text(problem_, info_, parameters_, names_.function) +
             "};\n\n}  // namespace kernels\n}  // namespace tileops\n\n" +
             function_text(problem_, info_, parameters_, names_.function);
    const std::string body = std::move(text_);
    text_.clear();
    write_head();
    return guarded(text_ + body);
  }

 private:
  std::string type_of(size_t i) const { return compute_name(info_.of(load_value(i)).type); }

  // Once in a file. Another function of the same name is an error, where the compiler would take the first one for it.
  std::string guarded(const std::string& text) const {
    const std::string name = "TILEOPS_FUNCTION_" + names_.function,
                      once = name + "_" + cache::hex(cache::hash_of(text)).substr(0, 16);
    return "#ifndef " + once + "\n#define " + once + "\n#ifdef " + name + "\n#error \"" + names_.function +
           ": two functions that libtileops wrote have this name; have one written under another\"\n#else\n#define " +
           name + "\n\n" + text + "\n#endif\n#endif\n";
  }
  void write_head() {
    text_ += "// Written by libtileops (tileops expr --device-function): " + names_.expression + "\n";
    text_ += std::string("// Policy: ") +
             (reproducible_ ? "bit_exact" : "bounded, and within_2_20 where results are narrow") +
             ". docs/device.md says what that promises and how to compile it.\n//\n";
    for (const int s : parameters_.scalars())
      text_ += "//   s" + number(s) + "  scalar " + names_.scalars[static_cast<size_t>(s)] + "\n";
    for (const int i : parameters_.inputs())
      text_ += "//   x" + number(i) + "  operand " + names_.operands[static_cast<size_t>(i)] + ", " +
               dtype_name(parameters_.dtype_of_input(i)) +
               (!parameters_.is_single_input(i) ? ""
                : is_row_                       ? ", one for the row"
                                                : ", one for all") +
               "\n";
    for (size_t k = 0; k < pass_.stores.size(); ++k)
      text_ += "//   y" + number(k) + "  result " + names_.results[result_of(k)] + ", " +
               dtype_name(pass_.stores[k].dtype) + (parameters_.store_is_of_row(k) ? ", one for the row" : "") + "\n";
    if (is_row_)
      text_ += "//\n// A row has " + number(parameters_.row_length()) +
               " elements, which N in each of Lanes neighbouring lanes of a warp reach, in packs of Pack: element k of "
               "lane i is\n// number (k / Pack * Lanes + i) * Pack + k % Pack of the row, lane i's own N one after the "
               "other if Pack is N.\n// What lies beyond the row is not looked at. With Lanes > 1 all lanes of the "
               "warp take part.\n";
    text_ += "\n";
  }
  size_t result_of(size_t k) const {
    return pass_.stores[k].kind == ViewKind::output ? static_cast<size_t>(pass_.stores[k].slot) : k;
  }
  void write_row() {
    text_ += "  struct spec {\n    static constexpr int vec = Elements;\n    static constexpr bool no_padding = true, "
             "packs_all_or_nothing "
             "= true;\n  };\n";
    text_ += "  struct block_values {\n    static constexpr int N = 1;\n";
    for (size_t s = 0; s < pass_.steps.size(); ++s)
      if (parameters_.is_of_row(step_value(s))) text_ += "    " + steps_.declaration(s) + "\n";
    text_ += "  };\n";
    for (size_t s = 0; s < pass_.steps.size(); ++s) {
      if (!pass_.steps[s].reduces()) continue;
      const std::vector<Summed> list{summed_of(pass_, s)};
      text_ += "  struct reduced" + number(s) + " {\n" + accumulator_text(list, false) + finish_text(list) + "  };\n";
    }
  }

  // As the functor takes them: what is one for all is a value, others are arrays.
  std::string steps_parameters() const {
    std::string text = "[[maybe_unused]] const AttrValue* a";
    for (size_t i = 0; i < pass_.loads.size(); ++i) {
      const std::string n = number(i);
      text += parameters_.is_single(i) ? ", " + type_of(i) + " g" + n : ", const " + type_of(i) + " (&x" + n + ")[N]";
    }
    for (size_t k = 0; k < pass_.stores.size(); ++k)
      text += ", " + pack_of_store(pass_, parameters_, k) + "* y" + number(k);
    return text;
  }
  void write_load(size_t i) {
    if (!parameters_.is_single(i)) return;
    const std::string x = "x" + number(i);
    steps_.line("[[maybe_unused]] " + type_of(i) + " " + x + "[N];");
    steps_.line("fill(" + x + ", g" + number(i) + ");");
  }

  // Lines about what a row has, where N is 1: `needed` are there.
  template <class F>
  void in_row(const std::vector<Value>& needed, const F& write) {
    steps_.line("{ constexpr int N = 1;");
    std::set<size_t> loads, steps;
    for (const Value& unresolved : needed) {
      const Value v = steps_.resolved(unresolved);
      (v.kind == Value::Kind::load ? loads : steps).insert(static_cast<size_t>(v.index));
    }
    for (const size_t i : loads) write_load(i);
    for (const size_t s : steps) {
      steps_.line("[[maybe_unused]] " + steps_.declaration(s));
      steps_.line("bring(b.v" + number(s) + ", v" + number(s) + ");");
    }
    write();
    steps_.line("}");
    text_ += steps_.take_lines();
    steps_.begin_function("");
  }
  // A value and, where it is rounded by its operator's own rounding, that operator's operands.
  std::vector<Value> rounded_from(const Value& v) const {
    std::vector<Value> list{v};
    if (v.kind == Value::Kind::step && !pass_.steps[static_cast<size_t>(v.index)].reduces())
      for (const Value& x : pass_.steps[static_cast<size_t>(v.index)].arguments) list.push_back(x);
    return list;
  }

  void write_step(size_t s) {
    const Step& step = pass_.steps[s];
    const Value v = step_value(s), same = steps_.resolved(v);
    if (!(same == v)) return;
    const std::string name = "v" + number(s);
    if (step.reduces()) {
      steps_.line("{ typename reduced" + number(s) + "::values r;");
      steps_.line("bring(" + steps_.name(step.arguments[0]) + ", r.r0);");
      steps_.line("reduced" + number(s) + "::finish(over_row<reduced" + number(s) + ", N, Lanes, Pack, " +
                  number(parameters_.row_length()) + ">(r), " + number(parameters_.row_length()) + ", &b); }");
    } else if (parameters_.is_of_row(v)) {
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
    if (parameters_.is_of_row(v)) {
      steps_.line("[[maybe_unused]] " + steps_.declaration(s));
      steps_.line("bring(b." + name + ", " + name + ");");
    }
  }
  void write_store(size_t k) {
    const View& store = pass_.stores[k];
    const auto write = [&] {
      steps_.line("*y" + number(k) + " = " + steps_.rounded(pass_.stored[k], store.dtype, store.fp8) + ";");
    };
    if (parameters_.store_is_of_row(k)) in_row(rounded_from(pass_.stored[k]), write);
    else write();
  }

  const Problem& problem_;
  const FunctionNames& names_;
  const Pass& pass_;
  const PassInfo info_;
  StepWriter steps_;
  const FunctionParameters parameters_;
  const bool is_row_, reproducible_;
  std::string text_;
};

}  // namespace

std::string device_function(const Problem& problem, const FunctionNames& names, bool reproducible) {
  if (problem.passes.size() != 1)
    unsupported("expr: takes %zu passes over memory, which is no function of registers", problem.passes.size());
  const Pass& pass = problem.passes[0];
  const auto is_masked = [](const View& v) {
    return std::any_of(v.indices.begin(), v.indices.end(), [](const View::Index& i) { return i.is_mask; });
  };
  if (std::any_of(pass.stores.begin(), pass.stores.end(), is_masked))
    unsupported("expr: stores a result under a mask, as store_if does, which a function of registers does not");
  if (ids_begin(pass) != pass.loads.size() || pass.bits_kept || has_indices(pass))
    unsupported("expr: gathers or scatters, which a function of registers does not");
  if (sums_blocks(pass)) unsupported("expr: adds up rows, which a function of registers does not");
  return FunctionWriter(problem, names, reproducible).run();
}

}  // namespace tileops::cuda
