// Several steps as one text.
#include <algorithm>

#include "base/error.h"
#include "cuda/steps/computation.h"
#include "cuda/steps/type_names.h"
#include "cuda/steps/writer.h"
#include "problem/rows/gate.h"

namespace tileops::cuda {
namespace {

int words_of(Ctype t) { return ctype_size(t) == 8 ? 2 : 1; }

// What run() takes: the arguments; where some are gathered or scattered the place of elements; the loads x but those
// that are gathered, the stores y but those that are scattered.
std::string parameters(const Pass& pass, const std::vector<Ctype>& operands) {
  std::string text = has_indices(pass) ? "const A& args, const P& at" : "const A& args";
  for (size_t i = 0; i < operands.size(); ++i)
    if (pass.loads[i].indices.empty())
      text += std::string(", const ") + compute_name(operands[i]) + " (&x" + std::to_string(i) + ")[N]";
  for (size_t k = 0; k < pass.stores.size(); ++k)
    if (pass.stores[k].indices.empty())
      text += std::string(", raw_pack<") + destination_name(pass.stores[k].dtype, pass.stores[k].fp8) + ", N>* y" +
              std::to_string(k);
  return text;
}

int most_live_words(const Pass& pass, const PassInfo& info) {
  const auto words = [&](size_t s) {
    const Step& step = pass.steps[s];
    int n = 0;
    for (size_t r = 0; r < num_results(step); ++r) n += words_of(result_type(step, r));
    return n;
  };
  std::vector<int> dead(pass.steps.size());  // words that are needed no longer, by the last step that takes them
  int live = 0, most = 0;
  for (size_t s = 0; s < pass.steps.size(); ++s) {
    int operands = 0;  // loads stay in storage until they are taken
    for (const Value& v : pass.steps[s].arguments)
      if (v.kind == Value::Kind::load) operands += words_of(info.of(v).type);
    const int own = words(s), last = info.of_step(s).last_reader;
    dead[last < 0 ? s : static_cast<size_t>(last)] += own;
    live += own;
    most = std::max(most, live + operands);
    live -= dead[s];
  }
  return most;
}

// run(), which says of some elements whether one of them is not left out, by the gate's own loads.
std::string gate_text(const Pass& pass, const Value& gate, const MadeOf& made, const std::vector<Ctype>& operands,
                      StepWriter* writer) {
  std::string text = "struct gate {\n  template <int N, class A, class P>\n  static __device__ __forceinline__ bool "
                     "run(const A& args, const P& at";
  for (const size_t i : made.loads)
    if (pass.loads[i].indices.empty())
      text += std::string(", const ") + compute_name(operands[i]) + " (&x" + std::to_string(i) + ")[N]";
  writer->begin_function("at");
  for (const size_t s : made.steps) writer->write(s);
  writer->need(gate);
  writer->line("bool open = false;");
  writer->line("for (int e = 0; e < N; ++e) open |= " + writer->name(gate) + "[e] == 0;");
  writer->line("return open;");
  return text + ") {\n    [[maybe_unused]] const AttrValue* a = args.attr;\n" + writer->take_lines() + "  }\n};\n";
}

}  // namespace

void require_plain_views(const Problem& problem, const Pass& pass) {
  if (ids_begin(pass) != pass.loads.size())
    unsupported("op: %s gathers an operand by ids of an operator within an expression", problem.name.c_str());
  if (pass.bits_kept) unsupported("op: %s keeps the bits of operands within an expression", problem.name.c_str());
}

Computation expression_of(const Problem& problem, const Pass& pass, const std::vector<bool>& in_one_piece,
                          bool reproducible, const std::optional<Value>& gate) {
  require_plain_views(problem, pass);
  const PassInfo info(pass, {reproducible});
  StepWriter writer(pass, info, in_one_piece, reproducible);
  writer.begin_function("at");
  for (size_t s = 0; s < pass.steps.size(); ++s) writer.write(s);
  for (size_t k = 0; k < pass.stores.size(); ++k) {
    const std::string y = writer.rounded(pass.stored[k], pass.stores[k].dtype, pass.stores[k].fp8);
    if (pass.stores[k].indices.empty()) writer.line("*y" + std::to_string(k) + " = " + y + ";");
    else writer.scatter(k, y);
  }
  Computation e;
  e.spec.name = "expression";
  for (size_t i = 0; i < pass.loads.size(); ++i)
    e.spec.operands.push_back(info.of({Value::Kind::load, static_cast<int>(i), 0}).type);
  for (const View& store : pass.stores) e.spec.results.push_back(destination_name(store.dtype, store.fp8));
  e.spec.text = std::string("struct steps {\n  template <int N, class A") + (has_indices(pass) ? ", class P" : "") +
                ">\n  static __device__ __forceinline__ void run(" + parameters(pass, e.spec.operands) +
                ") {\n    [[maybe_unused]] const AttrValue* a = args.attr;\n" + writer.take_lines() + "  }\n};\n";
  if (gate) {
    const MadeOf made = made_of(pass, *gate);
    e.spec.text += gate_text(pass, *gate, made, e.spec.operands, &writer);
    for (const size_t i : made.loads) e.spec.gate_loads.push_back(i);
  }
  e.spec.attrs = writer.num_attrs();
  e.instructions = writer.instructions();
  e.has_rounding_test = writer.has_rounding_test();
  e.live_words = most_live_words(pass, info);
  e.has_long_bodies = reproducible && std::any_of(pass.steps.begin(), pass.steps.end(), is_long);
  return e;
}

}  // namespace tileops::cuda
