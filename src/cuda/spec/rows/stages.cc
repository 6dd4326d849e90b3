#include "cuda/spec/rows/stages.h"

#include <algorithm>

#include "cuda/spec/rows/memory.h"
#include "cuda/spec/rows/sums.h"

namespace tileops::cuda {
namespace {

// What a stage computes once a block or once a group.
void write_level(RowFunctions& t, int stage, Level level) {
  const bool block = level == Level::block;
  t.line(4, "template <class A, class P>");
  t.line(4, std::string("TILEOPS_DEVICE void ") +
                (block ? "block(const A& args, const P& row, block_values* given) {"
                       : "group(const A& args, const P& p, const block_values& b, group_values* given) {"));
  Needing n(t.pass, t.info, level, stage);
  std::vector<size_t> left, gathered;
  for (size_t i = 0; i < t.pass.loads.size(); ++i)
    if (is_gathered(t.pass, i) && t.load_info(i).readers() > 0 && t.load_info(i).level == level &&
        t.load_info(i).stage == stage) {
      n.indices(t.pass.loads[i]);
      gathered.push_back(i);
    }
  for (size_t s = 0; s < t.pass.steps.size(); ++s)
    if (!t.pass.steps[s].reduces() && t.is_left(s, level) && t.info.of(step_value(s)).stage == stage) {
      n.step(s);
      left.push_back(s);
    }
  if (!left.empty() || !gathered.empty()) {
    t.begin(6, "spec::columns");
    t.line(6, std::string(block ? "block_values& b" : "group_values& g") + " = *given;");
    t.write_needs(6, n.needs(), block ? "row" : "group_of(p)");
    for (const size_t i : gathered) {
      const std::string x = "x" + number(i);
      t.steps.need(load_value(i));
      t.steps.line("bring(" + x + ", " + values_of(level) + x + ");");
    }
    for (const size_t s : left) t.write_copy(s, "", values_of(level));
    t.flush(6);
  }
  t.line(4, "}");
}

// What is reduced, element by element.
void write_take(RowFunctions& t, int stage, const std::vector<Summed>& list) {
  t.line(6, "template <class A, class P>");
  t.line(6, "TILEOPS_DEVICE void take(const A& args, const P& p, memory& m, const block_values& b, "
            "const group_values& g, values* r) {");
  t.begin(8, "spec::vec");
  Needing n(t.pass, t.info, Level::element, stage, t.kept_steps);
  for (const Summed& s : list) n.value(s.value);
  for (const Summed& s : list)
    if (s.low) n.value(*s.low);
  t.write_needs(8, n.needs(), "p");
  t.keep(n.needs());
  for (const Summed& s : list) t.steps.need(s.value);
  for (size_t k = 0; k < list.size(); ++k) {
    t.steps.line("bring(" + t.steps.name(list[k].value) + ", r->r" + number(k) + ");");
    if (!list[k].low) continue;
    t.steps.need(*list[k].low);
    t.steps.line("bring(" + t.steps.name(*list[k].low) + ", r->l" + number(k) + ");");
  }
  t.flush(8);
  t.line(6, "}");
}

// All that a stage reduces of groups, or of blocks, or scans, as one accumulator.
void write_sums(RowFunctions& t, const std::string& name, int stage, const std::vector<size_t>& steps) {
  std::vector<Summed> list;
  for (const size_t s : steps) list.push_back(summed_of(t.pass, s));
  t.line(4, "struct " + name + " {");
  t.text += accumulator_text(list, t.spec.traversal.index64) +
            (name == "scanned" ? scanned_text(list) : finish_text(list));
  write_take(t, stage, list);
  t.line(4, "};");
}

// Is a load of another element in the next block?
bool changes_with_blocks(const RowFunctions& t, size_t i) {
  const std::vector<Extent>& strides = t.pass.loads[i].strides;
  const auto end = strides.end() - static_cast<ptrdiff_t>(t.pass.row_rank);
  return std::any_of(strides.begin(), end, [](int64_t stride) { return stride != 0; });
}

}  // namespace

void write_stage(RowFunctions& t, int stage) {
  t.line(2, "struct stage" + std::to_string(stage) + " {");
  const std::vector<size_t> groups = reductions_behind(t.pass, t.info, stage, Level::group);
  const std::vector<size_t> blocks = reductions_behind(t.pass, t.info, stage, Level::block);
  const std::vector<size_t> scans = scans_behind(t.pass, t.info, stage);
  t.line(4, "static constexpr bool reduces_groups = " + truth(!groups.empty()) +
                ", reduces_block = " + truth(!blocks.empty()) + ", scans = " + truth(!scans.empty()) +
                ", takes_first = " + truth(takes_first_alone(t.pass, t.info, stage)) + ";");
  write_level(t, stage, Level::block);
  write_level(t, stage, Level::group);
  const auto is_read = [&](size_t i) {
    const uint64_t before = (uint64_t{1} << stage) - 1;
    if (t.kept[i])
      return is_gathered(t.pass, i) && (t.stages_of_load[i] >> stage & 1) != 0 && (t.stages_of_load[i] & before) == 0;
    return (t.stages_of_load[i] >> stage & 1) != 0;
  };
  write_read(t, "read", "const block_values& b, ", is_read, 4);
  if (!groups.empty()) write_sums(t, "group_sums", stage, groups);
  if (!blocks.empty()) write_sums(t, "block_sums", stage, blocks);
  if (!scans.empty()) write_sums(t, "scanned", stage, scans);
  t.line(2, "};");
}

void write_sums_of_blocks(RowFunctions& t) {
  std::vector<Summed> list;
  std::string puts, gets;
  for (size_t k = 0; k < t.pass.stores.size(); ++k) {
    if (!t.pass.stores[k].sum_of_blocks) continue;
    const std::string of = "_sum(a, p, chunk, e, " + t.view_of_store(k) + ", ", member = "s" + number(list.size());
    puts += "put" + of + "s." + member + "); ";
    gets += "get" + of + "&s->" + member + "); ";
    list.push_back(summed_of_store(t.pass, k));
  }
  t.line(2, "static constexpr bool sums_blocks = " + truth(!list.empty()) + ";");
  if (list.empty()) return;
  const auto moves = [&](size_t i) { return t.kept[i] && !is_gathered(t.pass, i) && changes_with_blocks(t, i); };
  write_read(t, "read_next", "", moves, 2);
  t.line(2, "TILEOPS_DEVICE void take_next(const memory& next, memory* m) {");
  for (size_t i = 0; i < t.pass.loads.size(); ++i)
    if (t.is_in_memory(i) && moves(i)) t.line(4, "m->m" + number(i) + " = next.m" + number(i) + ";");
  t.line(2, "}");
  t.line(2, "struct sums_of_blocks {");
  t.text += accumulator_text(list, t.spec.traversal.index64);
  write_take(t, t.info.stages() - 1, list);
  const std::string begin = "template <class A, class P> TILEOPS_DEVICE void ",
                    place = "(const A& a, const P& p, u64 chunk, int e, ";
  t.line(6, begin + "put" + place + "const state& s) { " + puts + "}");
  t.line(6, begin + "get" + place + "state* s) { " + gets + "}");
  t.line(2, "};");
}

}  // namespace tileops::cuda
