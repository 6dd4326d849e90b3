#include "cuda/spec/rows/memory.h"

namespace tileops::cuda {
namespace {

void write_values(RowFunctions& t, const std::string& name, Level level) {
  t.line(2, "struct " + name + " {");
  t.line(4, "static constexpr int N = spec::columns;");
  for (size_t i = 0; i < t.pass.loads.size(); ++i)
    if (t.load_info(i).level == level) t.line(4, t.operand(i) + " x" + number(i) + "[N];");
  for (size_t s = 0; s < t.pass.steps.size(); ++s)
    if (t.is_left(s, level)) t.line(4, t.steps.declaration(s));
  t.line(2, "};");
}

std::string type_in_memory(const RowFunctions& t, size_t i) {
  const std::string type = type_of(t.spec.access.loads[i]);
  return is_gathered(t.pass, i) ? "gathered_as<" + type + ">" : type;
}

// Once a pack, where its elements are all the same; not what is stored and read as elements, in shared memory.
bool is_one_for_all(const RowFunctions& t, size_t i) {
  const bool staged = t.kept[i] && t.spec.traversal.row.staged > 0;
  return t.spec.access.loads[i].pattern == AccessPattern::broadcast && !staged && !is_gathered(t.pass, i) &&
         !is_packed(t.pass.loads[i].dtype);
}

void write_memory(RowFunctions& t) {
  t.line(2, "struct memory {");
  t.line(4, "static constexpr int N = spec::vec;");
  for (size_t i = 0; i < t.pass.loads.size(); ++i)
    if (t.is_in_memory(i))
      t.line(4,
             (is_one_for_all(t, i) ? "one_for_all<" : "raw_pack<") + type_in_memory(t, i) + ", N> m" + number(i) + ";");
  for (const size_t s : t.keepable) t.line(4, t.steps.declaration(s));
  t.line(2, "};");
}

std::string read_line(const RowFunctions& t, size_t i, const std::string& read, const std::string& place,
                      const std::string& to) {
  return read + t.access(t.spec.access.loads[i]) + ">(args, " + place + ", " + number(i) + ", " + to + number(i) + ");";
}

void write_read_given(RowFunctions& t, const std::string& of, const std::string& place, Level level) {
  const bool block = level == Level::block;
  t.line(2, "template <class A, class P>");
  t.line(2, "TILEOPS_DEVICE void read_" + of + "(const A& args, const P& " + place + ", " +
                (block ? "block_values* b" : "group_values* g") + ") {");
  for (size_t i = 0; i < t.pass.loads.size(); ++i)
    if (t.load_info(i).level == level && !is_gathered(t.pass, i))
      t.line(4, read_line(t, i, block ? "read_of_block<" : "read_of_group<", place, block ? "b->x" : "g->x"));
  t.line(2, "}");
}

std::string read_text(const RowFunctions& t, size_t i) {
  if (is_gathered(t.pass, i)) return t.steps.gathered(i, "p", "b.");
  return "read_pack_of_row<" + t.access(t.spec.access.loads[i]) + ">(args, p, straight, " + number(i) + ")";
}

void write_renew(RowFunctions& t) {
  t.line(2, "TILEOPS_DEVICE void renew_kept(memory* m) {");
  for (size_t i = 0; i < t.pass.loads.size(); ++i)
    if (t.kept[i] && t.is_in_memory(i)) t.line(4, "renew(m->m" + number(i) + ");");
  t.line(2, "}");
}

// Operands whose packs lie in shared memory: how they get there, and back.
void write_staged(RowFunctions& t) {
  t.line(2, "template <class A, class P>");
  t.line(2, "TILEOPS_DEVICE void stage_packs(const A& args, const P& p, bool straight, char* slots, u32 slot) {");
  for (size_t i = 0; i < t.pass.loads.size(); ++i)
    if (t.kept[i])
      t.line(4, "slots = stage_pack<" + t.access(t.spec.access.loads[i]) + ">(args, p, straight, " + number(i) +
                    ", slots, slot);");
  t.line(2, "}");
  t.line(2, "TILEOPS_DEVICE void read_staged(const char* slots, u32 slot, memory* m) {");
  for (size_t i = 0; i < t.pass.loads.size(); ++i)
    if (t.kept[i]) t.line(4, "slots = read_staged_pack<spec>(slots, slot, &m->m" + number(i) + ");");
  t.line(2, "}");
}

}  // namespace

std::string read_of_block(const RowFunctions& t, size_t i, const std::string& to) {
  return read_line(t, i, "read_of_block<", "row", to);
}

void write_structs(RowFunctions& t) {
  write_values(t, "block_values", Level::block);
  write_values(t, "group_values", Level::group);
  write_memory(t);
}

void write_reads_before_stages(RowFunctions& t) {
  write_read_given(t, "block", "row", Level::block);
  write_read_given(t, "groups", "p", Level::group);
  write_read(t, "read_kept", "", [&](size_t i) { return t.kept[i] && !is_gathered(t.pass, i); }, 2);
  write_renew(t);
  if (t.spec.traversal.row.staged) write_staged(t);
}

void write_read(RowFunctions& t, const std::string& name, const std::string& given,
                const std::function<bool(size_t)>& which, int indent) {
  t.line(indent, "template <class A, class P>");
  t.line(indent,
         "TILEOPS_DEVICE void " + name + "(const A& args, const P& p, bool straight, " + given + "memory* m) {");
  if (!given.empty()) t.line(indent + 2, "constexpr int N = spec::vec;");
  for (size_t i = 0; i < t.pass.loads.size(); ++i)
    if (t.is_in_memory(i) && which(i)) t.line(indent + 2, "m->m" + number(i) + " = " + read_text(t, i) + ";");
  t.line(indent, "}");
}

}  // namespace tileops::cuda
