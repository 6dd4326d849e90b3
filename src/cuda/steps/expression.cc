#include "cuda/steps/expression.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/error.h"
#include "cuda/steps/forms.h"
#include "cuda/steps/type_names.h"
#include "problem/analysis.h"

namespace tileops::cuda {
namespace {

int words_of(Ctype t) { return ctype_size(t) == 8 ? 2 : 1; }

// Instructions of one element, roughly, of functions that are approximated, and of their inner forms.
constexpr int kLong = 24, kLongInner = 12;
// All others have one, unless their forms say more.
int short_instructions(const Step& step) { return step.body ? forms_of(*step.body).instructions : 1; }
bool is_long(const Step& step) {
  const BodyInfo* body = step.body;
  return body && is_floating(step.ctype) && body->ulp > 0 && !body->exact && !body->cheap && !body->has_odd;
}
// From so many on long bodies are functions that are called: the compiler takes seconds for some hundred in line.
constexpr int kMostInLine = 16 * kLong;

// Values are v0, v1 and so on by step, what was rounded to storage r0, r1; x are the loads, y the stores, a the
// attributes.
class StepsWriter {
 public:
  StepsWriter(const Pass& pass, const PassInfo& info, bool reproducible)
      : pass_(pass), info_(info), reproducible_(reproducible), calls_(instructions() > kMostInLine) {
    for (const Step& step : pass.steps) {
      offsets_.push_back(num_attrs_);
      num_attrs_ += static_cast<int>(step.attrs.size());
    }
  }

  Expression run() {
    Expression e;
    for (size_t s = 0; s < pass_.steps.size(); ++s) {
      if (!pass_.steps[s].body) write_conversion(s);
      else if (is_needed(s)) write_step(s);
    }
    for (size_t k = 0; k < pass_.stores.size(); ++k) {
      const std::string y = rounded(pass_.stored[k], pass_.stores[k].dtype, pass_.stores[k].fp8);
      line("*y" + std::to_string(k) + " = " + y + ";");
    }
    for (size_t i = 0; i < pass_.loads.size(); ++i)
      e.operands.push_back(info_.of({Value::Of::load, static_cast<int>(i), 0}).type);
    e.text = "struct steps {\n  template <int N>\n  static __device__ __forceinline__ void run(" +
             parameters(e.operands) + ") {\n" + lines_ + "  }\n};\n";
    e.attrs = num_attrs_;
    e.instructions = instructions();
    e.has_rounding_test = has_rounding_test_;
    return e;
  }

 private:
  const Step& step_of(const Value& v) const { return pass_.steps[static_cast<size_t>(v.index)]; }
  void line(const std::string& text) { lines_ += "    " + text + "\n"; }

  bool is_inner(size_t s) const { return forms_of(*pass_.steps[s].body).has_inner && info_.of_step(s).few_bits; }

  int instructions() const {
    int n = 0;
    for (size_t s = 0; s < pass_.steps.size(); ++s)
      n += !is_long(pass_.steps[s]) ? short_instructions(pass_.steps[s]) : is_inner(s) ? kLongInner : kLong;
    return n;
  }

  // Does some reader take the step's results as they are? A rounding from results rounded to odd computes its own.
  bool is_needed(size_t s) const {
    const ValueInfo all = info_.of_step(s);
    return all.readers() > all.taken_by(Rounding::odd);
  }

  // Results that are rounded to fewer bits than were computed, by the operator's own rounding, are the CPU's under
  // every policy.
  std::string policy(size_t s) const {
    const Step& step = pass_.steps[s];
    // Forms of these take what the host prepares of a plan's attributes.
    if (forms_of(*step.body).prepared_words || !is_floating(step.ctype)) return "portable";
    if (step.ctype == Ctype::f32) return reproducible_ ? "same_bits" : is_inner(s) ? "inner" : "quick";
    const ValueInfo all = info_.of_step(s);
    return reproducible_ || (!all.taken_whole && all.operands_rounded) ? "portable" : "quick";
  }

  std::string value(const Value& v) const {
    if (v.of == Value::Of::load) return "x" + std::to_string(v.index);
    const auto same = same_as_.find(v.index);
    if (same != same_as_.end()) return value(same->second);
    const std::string name = "v" + std::to_string(v.index);
    if (!step_of(v).body || step_of(v).body->results.size() == 1) return name;
    return "get<" + std::to_string(v.result) + ">(" + name + ")";
  }
  std::string parameters(const std::vector<Ctype>& operands) const {
    std::string text = "const AttrValue* a";
    for (size_t i = 0; i < operands.size(); ++i)
      text += std::string(", const ") + compute_name(operands[i]) + " (&x" + std::to_string(i) + ")[N]";
    for (size_t k = 0; k < pass_.stores.size(); ++k)
      text += std::string(", raw_pack<") + destination_name(pass_.stores[k].dtype, pass_.stores[k].fp8) + ", N>* y" +
              std::to_string(k);
    return text;
  }
  std::string body(size_t s, const std::string& policy, Ctype type) const {
    return "op::" + pass_.steps[s].body->name + "<" + policy + ", " + compute_name(type) + ">";
  }
  // The arguments of one of steps.h's functions: the step's attributes, what is given, its operands.
  std::string arguments(size_t s, const std::string& given) const {
    std::string text = offsets_[s] ? "(a + " + std::to_string(offsets_[s]) : "(a";
    if (!given.empty()) text += ", " + given;
    for (const Value& v : pass_.steps[s].arguments) text += ", " + value(v);
    return text + ")";
  }

  void write_step(size_t s) {
    const Step& step = pass_.steps[s];
    const std::string name = "v" + std::to_string(s), applied = body(s, policy(s), step.ctype);
    const size_t results = step.body->results.size();
    if (results == 1) {
      line(std::string(compute_name(result_type(step))) + " " + name + "[N];");
      line((calls_ && is_long(step) ? "call_body<" : "apply_body<") + applied + ">" + arguments(s, name) + ";");
      return;
    }
    std::string types;
    for (size_t r = 0; r < results; ++r) types += std::string(", ") + compute_name(result_type(step, r));
    line("operands_of<make_seq<" + std::to_string(results) + ">, N" + types + "> " + name + ";");
    line("apply_body_of_several<" + applied + ">" + arguments(s, name) + ";");
  }

  void write_conversion(size_t s) {
    const Step& step = pass_.steps[s];
    const Ctype type = compute_type(step.to);
    if (ctype_dtype(type) == step.to && info_.of(step.arguments[0]).type == type) {  // nothing changes
      same_as_[static_cast<int>(s)] = step.arguments[0];
      return;
    }
    const std::string storage = rounded(step.arguments[0], step.to, step.fp8), name = "v" + std::to_string(s);
    line(std::string(compute_name(type)) + " " + name + "[N];");
    line("widen_rounded<" + std::string(storage_name(step.to)) + ">(" + storage + ", " + name + ");");
    // Stored as the same dtype, it is not rounded again.
    const Value v{Value::Of::step, static_cast<int>(s), 0};
    rounded_[{name, destination_name(step.to, step.fp8), rounding_of(pass_, v, step.to)}] = storage;
  }

  // The name of a value in storage, which it is rounded to once.
  std::string rounded(const Value& v, Dtype to, Fp8Mode mode) {
    const std::string storage = destination_name(to, mode), from = value(v);
    const Rounding rounding = rounding_of(pass_, v, to);
    std::string& name = rounded_[{from, storage, rounding}];
    if (!name.empty()) return name;
    name = "r" + std::to_string(num_rounded_++);
    const size_t s = static_cast<size_t>(v.index);
    std::string made;
    if (rounding == Rounding::odd) {
      made = "odd_rounding<" + storage + ", " + body(s, policy(s), Ctype::f32) + ">" + arguments(s, "");
    } else if (rounding != Rounding::tested) {
      made = "narrow_all<" + storage + ">(" + from + ")";
    } else {
      has_rounding_test_ = true;
      const std::string which = step_of(v).body->results.size() > 1 ? ", " + std::to_string(v.result) : "";
      made = "tested_rounding<" + storage + ", " + std::to_string(step_of(v).body->ulp) + ", " +
             body(s, "portable_pre_round", Ctype::f64) + which + ">" + arguments(s, from);
    }
    line("const auto " + name + " = " + made + ";");
    return name;
  }

  const Pass& pass_;
  const PassInfo& info_;
  const bool reproducible_;
  const bool calls_;          // of long bodies
  std::vector<int> offsets_;  // of each step's attributes
  int num_attrs_ = 0, num_rounded_ = 0;
  bool has_rounding_test_ = false;
  std::string lines_;
  std::map<int, Value> same_as_;                                                   // conversions that change nothing
  std::map<std::tuple<std::string, std::string, Rounding>, std::string> rounded_;  // by value and storage
};

int most_live_words(const Pass& pass, const PassInfo& info) {
  const auto words = [&](size_t s) {
    const Step& step = pass.steps[s];
    int n = 0;
    for (size_t r = 0; r < (step.body ? step.body->results.size() : 1); ++r) n += words_of(result_type(step, r));
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

Expression expression_of(const Problem& problem, const Pass& pass, bool reproducible) {
  for (const View& v : pass.loads)
    if (!v.indices.empty()) unsupported("op: %s gathers an operand within an expression", problem.name.c_str());
  if (pass.bits_kept) unsupported("op: %s keeps the bits of operands within an expression", problem.name.c_str());
  const PassInfo info(pass, {reproducible});
  Expression e = StepsWriter(pass, info, reproducible).run();
  e.live_words = most_live_words(pass, info);
  e.has_long_bodies = std::any_of(pass.steps.begin(), pass.steps.end(), is_long);
  return e;
}

}  // namespace tileops::cuda
