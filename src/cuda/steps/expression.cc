#include "cuda/steps/expression.h"

#include <algorithm>

#include "base/error.h"
#include "cuda/steps/type_names.h"
#include "cuda/steps/writer.h"
#include "problem/analysis.h"

namespace tileops::cuda {
namespace {

int words_of(Ctype t) { return ctype_size(t) == 8 ? 2 : 1; }

// What run() takes beside the attributes a: the loads x, the stores y.
std::string parameters(const Pass& pass, const std::vector<Ctype>& operands) {
  std::string text = "const AttrValue* a";
  for (size_t i = 0; i < operands.size(); ++i)
    text += std::string(", const ") + compute_name(operands[i]) + " (&x" + std::to_string(i) + ")[N]";
  for (size_t k = 0; k < pass.stores.size(); ++k)
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
      if (v.of == Value::Of::load) operands += words_of(info.of(v).type);
    const int own = words(s), last = info.of_step(s).last_reader;
    dead[last < 0 ? s : static_cast<size_t>(last)] += own;
    live += own;
    most = std::max(most, live + operands);
    live -= dead[s];
  }
  return most;
}

}  // namespace

void require_plain_views(const Problem& problem, const Pass& pass) {
  for (const View& v : pass.loads)
    if (!v.indices.empty())
      unsupported("op: %s gathers an operand within an expression: not yet", problem.name.c_str());
  for (const View& v : pass.stores)
    if (!v.indices.empty()) unsupported("op: %s scatters a result of an expression: not yet", problem.name.c_str());
  if (pass.bits_kept) unsupported("op: %s keeps the bits of operands within an expression", problem.name.c_str());
}

Expression expression_of(const Problem& problem, const Pass& pass, bool reproducible) {
  require_plain_views(problem, pass);
  const PassInfo info(pass, {reproducible});
  StepWriter writer(pass, info, reproducible);
  for (size_t s = 0; s < pass.steps.size(); ++s) writer.write(s);
  for (size_t k = 0; k < pass.stores.size(); ++k) {
    const std::string y = writer.rounded(pass.stored[k], pass.stores[k].dtype, pass.stores[k].fp8);
    writer.line("*y" + std::to_string(k) + " = " + y + ";");
  }
  Expression e;
  for (size_t i = 0; i < pass.loads.size(); ++i)
    e.operands.push_back(info.of({Value::Of::load, static_cast<int>(i), 0}).type);
  e.text = "struct steps {\n  template <int N>\n  static __device__ __forceinline__ void run(" +
           parameters(pass, e.operands) + ") {\n" + writer.take_lines() + "  }\n};\n";
  e.attrs = writer.num_attrs();
  e.instructions = writer.instructions();
  e.has_rounding_test = writer.has_rounding_test();
  e.live_words = most_live_words(pass, info);
  e.has_long_bodies = std::any_of(pass.steps.begin(), pass.steps.end(), is_long);
  return e;
}

}  // namespace tileops::cuda
