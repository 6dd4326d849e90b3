#include "cuda/spec/rows/functions.h"

#include <algorithm>

namespace tileops::cuda {
namespace {

// By view, of those that are gathered or scattered.
std::vector<bool> in_one_piece(const KernelSpec& spec) {
  std::vector<bool> list;
  for (const auto* views : {&spec.access.loads, &spec.access.stores})
    for (const AccessSpec& a : *views) list.push_back(a.pattern == AccessPattern::gathered_row);
  return list;
}

}  // namespace

RowFunctions::RowFunctions(const Pass& of, const PassInfo& of_pass, bool reproducible,
                           const std::vector<bool>& kept_loads, const KernelSpec& for_spec)
    : pass(of),
      info(of_pass),
      kept(kept_loads),
      spec(for_spec),
      steps(of, of_pass, in_one_piece(for_spec), reproducible),
      needs(needs_of_elements(of, of_pass, scans_of(of))),
      stages_of_load(stages_of_loads(of, needs)),
      kept_steps(scans_of(of)) {
  find_keepable();
}

bool RowFunctions::is_in_memory(size_t i) const {
  return load_info(i).level == Level::element && !is_index(i) &&
         (!is_gathered(pass, i) || is_gathered_in_blocks(pass, info, i));
}

bool RowFunctions::is_left(size_t s, Level level) const {
  const Value v = step_value(s), same = steps.resolved(v);
  if (info.of(v).level != level || !(same == v)) return false;
  return pass.steps[s].reduces() || pass.steps[s].converts() || steps.is_needed(s);
}

std::string RowFunctions::access(const AccessSpec& a) const {
  const std::string s = access_text(a);  // access<bf16, access_pattern::row>
  const size_t comma = s.find(", ");
  return s.substr(comma + 2, s.size() - comma - 3) + ", " + s.substr(7, comma - 7);
}

void RowFunctions::line(int indent, const std::string& words) {
  text += std::string(static_cast<size_t>(indent), ' ') + words + "\n";
}

// Scans, and dear ones that several functions need: those that approximate.
void RowFunctions::find_keepable() {
  keepable = scans_of(pass);
  if (!spec.traversal.row.keeps_values) return;
  for (const size_t s : computed_again(needs))
    if (is_long(pass.steps[s]) && num_results(pass.steps[s]) == 1 && steps.is_needed(s)) keepable.insert(s);
}

void RowFunctions::keep(const Needs& computed) {
  for (const size_t s : computed.steps) {
    if (!keepable.has(s)) continue;
    kept_steps.insert(s);
    write_copy(s, "", "m.");
  }
}

void RowFunctions::write_needs(int indent, const Needs& n, const std::string& place) {
  steps.begin_function(place);
  for (const auto* there : {&n.given_loads, &n.loads})
    for (const size_t i : *there) steps.is_there(i);
  for (const size_t i : n.given_loads) {
    const std::string x = "x" + number(i);
    steps.line(operand(i) + " " + x + "[N];");
    steps.line("bring(" + std::string(values_of(load_info(i).level)) + x + ", " + x + ");");
  }
  for (const size_t s : n.given_steps) {
    const std::string from = values_of(info.of(step_value(s)).level);
    steps.line(steps.declaration(s));
    write_copy(s, from, "");
  }
  for (const size_t s : n.kept_steps) {
    steps.line(steps.declaration(s));
    write_copy(s, "m.", "");
  }
  for (const size_t i : n.loads) {
    const std::string x = "x" + number(i);
    steps.line(operand(i) + " " + x + "[N];");
    if (is_index(i)) steps.line("index_pack(args, p, " + number(i) + ", " + x + ");");
    else steps.line("widen_all(m.m" + number(i) + ", " + x + ");");
  }
  for (const size_t s : n.steps) steps.write(s);
  flush(indent);
}

void RowFunctions::flush(int indent) {
  const std::string lines = steps.take_lines();
  const std::string more(static_cast<size_t>(indent - 4), ' ');
  for (size_t at = 0; at < lines.size();) {
    const size_t end = lines.find('\n', at) + 1;
    text += more + lines.substr(at, end - at);
    at = end;
  }
}

void RowFunctions::write_copy(size_t s, const std::string& from, const std::string& to) {
  const std::string v = "v" + number(s);
  const size_t results = num_results(pass.steps[s]);
  for (size_t r = 0; r < results; ++r) {
    const auto result = [&](const std::string& of) {
      return results == 1 ? of + v : "get<" + number(r) + ">(" + of + v + ")";
    };
    steps.line("bring(" + result(from) + ", " + result(to) + ");");
  }
}

void RowFunctions::begin(int indent, const std::string& elements) {
  line(indent, "constexpr int N = " + elements + ";");
  line(indent, "[[maybe_unused]] const AttrValue* a = args.attr;");
}

}  // namespace tileops::cuda
