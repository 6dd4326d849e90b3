#include "cuda/spec/rows/sums.h"

#include <algorithm>

#include "cuda/steps/type_names.h"
#include "problem/rows/stages.h"

namespace tileops::cuda {
namespace {

std::string extreme(const Summed& s, const std::string& largest) {
  if (s.ctype == Ctype::f32) return "float_extreme<" + largest + ">";
  return "reductions::extreme<" + largest + ", " + compute_name(s.ctype) + ">";
}

std::string place(const Summed& s, const std::string& largest, bool index64) {
  if (s.ctype == Ctype::f32 && !index64) return "float_place<" + largest + ">";
  return "reductions::place<" + largest + ", " + compute_name(s.ctype) + ">";
}

std::string accumulator(const Summed& s, bool index64) {
  const std::string type = compute_name(s.ctype);
  const auto of = [&](const std::string& name) { return "reductions::" + name + "<" + type + ">"; };
  switch (s.by) {
    case Reduction::sum: return of(s.low_parts && is_floating(s.ctype) ? "sum_with_low_parts" : "sum");
    case Reduction::sum_high: return of("sum_high");
    case Reduction::sum_low: return of("sum_low");
    case Reduction::sum_pair: return "reductions::sum_pair";
    case Reduction::squares_pair: return "reductions::squares_pair";
    case Reduction::sum_of_pairs: return "reductions::sum_of_pairs";
    case Reduction::sum_wide: return "reductions::sum_wide";
    case Reduction::sum_of_pairs_wide: return "reductions::sum_of_pairs_wide";
    case Reduction::prod: return of("product");
    case Reduction::amax: return extreme(s, "true");
    case Reduction::amin: return extreme(s, "false");
    case Reduction::any: return "reductions::truth<false>";
    case Reduction::all: return "reductions::truth<true>";
    case Reduction::argmax: return place(s, "true", index64);
    case Reduction::argmin: return place(s, "false", index64);
    case Reduction::variance: return of("variance");
    case Reduction::log_sum_exp:
      return s.ctype == Ctype::f32 ? "scaled_packs<" + of("log_sum_exp") + ">" : of("log_sum_exp");
    case Reduction::log_sum_exp_above: return of("log_sum_exp_above");
    case Reduction::log_sum_exp_pair: return "scaled_packs<reductions::log_sum_exp_pair>";
    case Reduction::log_sum_exp_of_pairs: return "reductions::log_sum_exp_of_pairs";
    default: return "first_value<" + type + ">";
  }
}

bool takes_index(Reduction r) { return r == Reduction::argmax || r == Reduction::argmin || r == Reduction::first; }

std::string member_line(const std::string& text, int indent = 6) {
  return std::string(static_cast<size_t>(indent), ' ') + text + "\n";
}

}  // namespace

Summed summed_of(const Pass& pass, size_t s) {
  const Step& step = pass.steps[s];
  Summed summed;
  summed.by = step.reduction;
  summed.ctype = step.ctype;
  summed.low_parts = step.low_parts;
  summed.in_columns = step.in_columns && depends_on_order(step);
  summed.exclusive = step.exclusive;
  summed.value = step.arguments[0];
  summed.step = s;
  const size_t given = step.arguments.size();
  if (step.scans && given > 1) summed.parts = step.arguments[1].index;
  if (step.scans && given > 2) summed.low_of_parts = step.arguments[2].index;
  if (!step.scans && given > 1) summed.low = step.arguments[1];
  return summed;
}

Summed summed_of_store(const Pass& pass, size_t store) {
  Summed summed;
  summed.low_parts = pass.stores[store].sum_of_blocks->low_parts;
  summed.in_columns = true;
  summed.value = pass.stored[store];
  return summed;
}

std::string accumulator_text(const std::vector<Summed>& list, bool index64) {
  bool in_columns = false;
  int alignment = 4;  // of whole words, which lanes exchange
  std::string text, members, arguments, identities, merged, followed, made;
  for (size_t k = 0; k < list.size(); ++k) {
    const Summed& s = list[k];
    const std::string n = std::to_string(k), type = compute_name(s.ctype), comma = k ? ", " : "";
    const std::string index = takes_index(s.by) ? ", static_cast<i64>(i)" : "";
    text += member_line("using A" + n + " = " + accumulator(s, index64) + ";");
    members += "A" + n + "::state<" + type + "> s" + n + "; ";
    arguments += type + " r" + n + "[spec::vec]; ";
    if (s.low) arguments += type + " l" + n + "[spec::vec]; ";
    identities += comma + "A" + n + "::identity<" + type + ">()";
    merged += comma + "A" + n + "::merge(a.s" + n + ", b.s" + n + ")";
    const bool knows_order = takes_index(s.by) && s.ctype == Ctype::f32 && !index64 && s.by != Reduction::first;
    followed += comma + "A" + n + (knows_order ? "::follow(a.s" : "::merge(a.s") + n + ", b.s" + n + ")";
    made += comma + (s.low ? "{x.r" + n + "[e], x.l" + n + "[e]}" : "A" + n + "::of(x.r" + n + "[e]" + index + ")");
    alignment = std::max(alignment, takes_index(s.by) || ctype_size(s.ctype) == 8 ? 8 : 4);
    in_columns = in_columns || s.in_columns;
  }
  text += member_line("struct alignas(" + std::to_string(alignment) + ") state { " + members + "};");
  text += member_line("struct values { " + arguments + "};");
  text += member_line(std::string("static constexpr bool in_columns = ") + (in_columns ? "true;" : "false;"));
  const bool alone = list.size() == 1 && list[0].ctype == Ctype::f32;
  const bool scales = alone && (list[0].by == Reduction::log_sum_exp || list[0].by == Reduction::log_sum_exp_pair);
  text += member_line(std::string("static constexpr bool scales_packs = ") + (scales ? "true;" : "false;"));
  text += member_line("TILEOPS_DEVICE state identity() { return {" + identities + "}; }");
  text += member_line("TILEOPS_DEVICE state merge(const state& a, const state& b) { return {" + merged + "}; }");
  text += member_line("TILEOPS_DEVICE state follow(const state& a, const state& b) { return {" + followed + "}; }");
  return text + member_line("TILEOPS_DEVICE state of(const values& x, int e, u64 i) { return {" + made + "}; }");
}

int64_t state_bytes(const Pass& pass, const std::vector<size_t>& steps) {
  int64_t bytes = 0;
  for (const size_t s : steps) {
    const Summed summed = summed_of(pass, s);
    const int64_t size = std::max<int64_t>(4, static_cast<int64_t>(ctype_size(summed.ctype)));
    const bool in_two = summed.low_parts || summed.by == Reduction::sum_high || summed.by == Reduction::sum_low ||
                        summed.by == Reduction::sum_pair || summed.by == Reduction::squares_pair ||
                        summed.by == Reduction::sum_wide;
    const bool in_three = summed.by == Reduction::log_sum_exp || summed.by == Reduction::log_sum_exp_above ||
                          summed.by == Reduction::log_sum_exp_pair;
    const int64_t members = summed.by == Reduction::variance ? 4 : in_three ? 3 : in_two ? 2 : 1;
    bytes += takes_index(summed.by) ? 16 : members * size;
  }
  return (bytes + 7) / 8 * 8;
}

std::string finish_text(const std::vector<Summed>& list) {
  std::string text = member_line("template <class V>");
  text += member_line("TILEOPS_DEVICE void finish(const state& s, double count, V* v, int n = 0) {");
  for (size_t k = 0; k < list.size(); ++k) {
    const Summed& s = list[k];
    const std::string n = std::to_string(k), type = compute_name(s.ctype),
                      v = "v->v" + std::to_string(s.step) + "[n] = ";
    if (s.by == Reduction::variance)
      text += member_line(v + "count > 0 ? A" + n + "::finish(s.s" + n + ", count) : limits<double>::nan();", 8);
    else if (s.by == Reduction::sum && is_floating(s.ctype))
      text += member_line(v + "count > 0 ? A" + n + "::finish(s.s" + n + ") : 0;", 8);  // the sum of nothing is +0
    else text += member_line(v + "A" + n + "::finish(s.s" + n + ");", 8);
  }
  return text + member_line("}");
}

namespace {

std::string of_part_text(const std::vector<Summed>& list) {
  const bool in_parts = list[0].parts >= 0;  // then all are
  std::string text = member_line(std::string("static constexpr bool in_parts = ") + (in_parts ? "true;" : "false;"));
  if (!in_parts) return text;
  std::string states;
  for (size_t k = 0; k < list.size(); ++k) {
    const Summed& s = list[k];
    const bool words = s.low_parts && s.ctype == Ctype::f32;
    const std::string n = std::to_string(k), type = words ? "u64" : compute_name(s.ctype);
    const auto value = [&](int load) {
      return "value_of_part<" + type + ">(a, row, " + std::to_string(load) + ", part)";
    };
    text += member_line("using P" + n + " = " + (words ? "reductions::sum_of_pairs" : "A" + n) + ";");
    states += k ? ", " : "";
    if (s.low_of_parts >= 0) states += "{" + value(s.parts) + ", " + value(s.low_of_parts) + "}";
    else states += "P" + n + "::of(" + value(s.parts) + ")";
  }
  text += member_line("template <class A, class P>");
  text += member_line("TILEOPS_DEVICE state of_part(const A& a, const P& row, u64 part) {");
  return text + member_line("return {" + states + "};", 8) + member_line("}");
}

}  // namespace

std::string scanned_text(const std::vector<Summed>& list) {
  const bool exclusive = std::any_of(list.begin(), list.end(), [](const Summed& s) { return s.exclusive; });
  std::string text = member_line(std::string("static constexpr bool exclusive = ") + (exclusive ? "true;" : "false;"));
  text += member_line("template <class V>");
  text += member_line("TILEOPS_DEVICE void finish(const state& s, const state& before, bool first, V* v, int n) {");
  for (size_t k = 0; k < list.size(); ++k) {
    const Summed& s = list[k];
    const std::string n = std::to_string(k), v = "v->v" + std::to_string(s.step) + "[n] = ";
    const std::string nothing = s.by == Reduction::prod ? "1" : "0";
    if (!s.exclusive) text += member_line(v + "A" + n + "::finish(s.s" + n + ");", 8);
    else text += member_line(v + "first ? " + nothing + " : A" + n + "::finish(before.s" + n + ");", 8);
  }
  return text + member_line("}") + of_part_text(list);
}

}  // namespace tileops::cuda
