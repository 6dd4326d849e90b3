#include "cuda/steps/writer.h"

#include <utility>

#include "cuda/steps/forms.h"
#include "cuda/steps/type_names.h"

namespace tileops::cuda {
namespace {

// Instructions of one element, roughly, of functions that are approximated, and of their inner forms.
constexpr int kLong = 24, kLongInner = 12;
// All others have one, unless their forms say more.
int short_instructions(const Step& step) { return step.body ? forms_of(*step.body).instructions : 1; }
// From so many on long bodies are functions that are called: the compiler takes seconds for some hundred in line.
constexpr int kMostInLine = 16 * kLong;

}  // namespace

bool is_long(const Step& step) {
  const BodyInfo* body = step.body;
  return body && is_floating(step.ctype) && body->ulp > 0 && body->accuracy < device::Accuracy::exact && !body->cheap &&
         !body->has_odd;
}

StepWriter::StepWriter(const Pass& pass, const PassInfo& info, std::vector<bool> in_one_piece, bool reproducible)
    : pass_(pass), info_(info), reproducible_(reproducible), in_one_piece_(std::move(in_one_piece)) {
  for (const Step& step : pass.steps) {
    offsets_.push_back(num_attrs_);
    num_attrs_ += static_cast<int>(step.attrs.size());
  }
  for (size_t v = 0; v < pass.loads.size() + pass.stores.size(); ++v) {
    index_words_.push_back(num_index_words_);
    num_index_words_ += 2 * static_cast<int>(view(v).indices.size());
  }
  calls_ = instructions() > kMostInLine;
}

void StepWriter::write(size_t s) {
  if (pass_.steps[s].converts()) write_conversion(s);
  else if (is_needed(s)) write_body(s);
}

std::string StepWriter::take_lines() { return std::exchange(lines_, {}); }

void StepWriter::begin_function(const std::string& place) {
  rounded_.clear();
  num_rounded_ = 0;
  place_ = place;
  there_.clear();
}

void StepWriter::need(const Value& unresolved) {
  const Value v = resolved(unresolved);
  const size_t i = static_cast<size_t>(v.index);
  if (v.kind != Value::Kind::load || pass_.loads[i].indices.empty() || !there_.insert(i).second) return;
  for (const View::Index& index : pass_.loads[i].indices) need(index.value);
  line(std::string(compute_name(info_.of(v).type)) + " " + name(v) + "[N];");
  line("widen_all(" + gathered(i, place_, "") + ", " + name(v) + ");");
}

void StepWriter::need_arguments(size_t s) {
  for (const Value& v : pass_.steps[s].arguments) need(v);
}

std::string StepWriter::indexed(size_t v, const std::string& place, const std::string& from) const {
  std::string text = "args, " + place + ", " + std::to_string(v) + ", " + std::to_string(num_attrs_ + index_words_[v]);
  if (v >= pass_.loads.size()) text += ", " + from;
  for (const View::Index& index : view(v).indices)
    text += ", " + (v < pass_.loads.size() ? name_in(from, index.value) : name(index.value));
  return text;
}

std::string StepWriter::gathered(size_t i, const std::string& place, const std::string& from) const {
  const View& load = pass_.loads[i];
  return "gathered<" + std::string(storage_name(load.dtype)) + (load.zero_outside ? ", true" : ", false") +
         (in_one_piece_[i] ? ", true" : ", false") + ", N>(" + indexed(i, place, from) + ")";
}

void StepWriter::scatter(size_t k, const std::string& y) {
  const size_t v = pass_.loads.size() + k;
  for (const View::Index& index : pass_.stores[k].indices) need(index.value);
  const std::string how = pass_.stores[k].adds ? "scatter_add" : in_one_piece_[v] ? "scatter<true>" : "scatter<false>";
  line(how + "(" + indexed(v, place_, y) + ");");
}

bool StepWriter::is_inner(size_t s) const {
  return forms_of(*pass_.steps[s].body).has_inner && info_.of_step(s).few_bits;
}

int StepWriter::instructions() const {
  int n = 0;
  for (size_t s = 0; s < pass_.steps.size(); ++s)
    n += !is_long(pass_.steps[s]) ? short_instructions(pass_.steps[s]) : is_inner(s) ? kLongInner : kLong;
  return n;
}

// Results that are rounded to fewer bits than were computed, by the operator's own rounding, are the CPU's under
// every policy.
std::string StepWriter::policy(size_t s) const {
  const Step& step = pass_.steps[s];
  // Forms of these take what the host prepares of a plan's attributes.
  if (forms_of(*step.body).prepared_words || !is_floating(step.ctype)) return "portable";
  if (step.ctype == Ctype::f32) return reproducible_ ? "bit_exact" : is_inner(s) ? "within_2_20" : "bounded";
  const ValueInfo all = info_.of_step(s);
  return reproducible_ || (!all.needs_all_bits && all.operands_rounded) ? "portable" : "bounded";
}

std::string StepWriter::name_in(const std::string& from, const Value& value) const {
  const Value v = resolved(value);
  if (v.kind == Value::Kind::load) return from + "x" + std::to_string(v.index);
  const std::string name = from + "v" + std::to_string(v.index);
  return num_results(step_of(v)) == 1 ? name : "get<" + std::to_string(v.result) + ">(" + name + ")";
}

std::string StepWriter::declaration(size_t s) const {
  const Step& step = pass_.steps[s];
  const std::string name = " v" + std::to_string(s);
  const size_t results = num_results(step);
  if (results == 1) return std::string(compute_name(result_type(step))) + name + "[N];";
  std::string types;
  for (size_t r = 0; r < results; ++r) types += std::string(", ") + compute_name(result_type(step, r));
  return "operands_of<make_seq<" + std::to_string(results) + ">, N" + types + ">" + name + ";";
}

std::string StepWriter::body(size_t s, const std::string& policy, Ctype type) const {
  return "op::" + pass_.steps[s].body->name + "<" + policy + ", " + compute_name(type) + ">";
}

// The arguments of one of steps.h's functions: the step's attributes, what is given, its operands.
std::string StepWriter::arguments(size_t s, const std::string& given) const {
  std::string text = offsets_[s] ? "(a + " + std::to_string(offsets_[s]) : "(a";
  if (!given.empty()) text += ", " + given;
  for (const Value& v : pass_.steps[s].arguments) text += ", " + name(v);
  return text + ")";
}

void StepWriter::write_body(size_t s) {
  const Step& step = pass_.steps[s];
  const std::string name = "v" + std::to_string(s), applied = body(s, policy(s), step.ctype);
  need_arguments(s);
  line(declaration(s));
  const char* how = num_results(step) > 1     ? "apply_body_of_several<"
                    : calls_ && is_long(step) ? "call_body<"
                                              : "apply_body<";
  line(how + applied + ">" + arguments(s, name) + ";");
}

void StepWriter::write_conversion(size_t s) {
  const Step& step = pass_.steps[s];
  const Value v{Value::Kind::step, static_cast<int>(s), 0};
  if (const Value same = resolved(v); !(same == v)) return;
  const std::string storage = rounded(step.arguments[0], step.to, step.fp8), name = "v" + std::to_string(s);
  line(declaration(s));
  line("widen_rounded<" + std::string(storage_name(step.to)) + ">(" + storage + ", " + name + ");");
  // Stored as the same dtype, it is not rounded again.
  rounded_[{name, destination_name(step.to, step.fp8), rounding_of(pass_, v, step.to)}] = storage;
}

std::string StepWriter::rounded(const Value& v, Dtype to, Fp8Mode mode) {
  need(v);
  const std::string storage = destination_name(to, mode), from = name(v);
  const Rounding rounding = rounding_of(pass_, v, to);
  std::string& name = rounded_[{from, storage, rounding}];
  if (!name.empty()) return name;
  name = "r" + std::to_string(num_rounded_++);
  const size_t s = static_cast<size_t>(v.index);
  std::string made;
  if (rounding == Rounding::odd || rounding == Rounding::tested) need_arguments(s);
  if (rounding == Rounding::odd) {
    made = "odd_rounding<" + storage + ", " + body(s, policy(s), Ctype::f32) + ">" + arguments(s, "");
  } else if (rounding != Rounding::tested) {
    made = "narrow_all<" + storage + ">(" + from + ")";
  } else {
    has_rounding_test_ = true;
    const std::string which = num_results(step_of(v)) > 1 ? ", " + std::to_string(v.result) : "";
    made = "tested_rounding<" + storage + ", " + std::to_string(step_of(v).body->ulp) + ", " +
           body(s, "portable_pre_round", Ctype::f64) + which + ">" + arguments(s, from);
  }
  line("const auto " + name + " = " + made + ";");
  return name;
}

}  // namespace tileops::cuda
