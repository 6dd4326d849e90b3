#include "cuda/spec/rows/text.h"

#include "cuda/spec/rows/memory.h"
#include "cuda/spec/rows/stages.h"
#include "problem/rows/gate.h"

namespace tileops::cuda {
namespace {

template <class Put>
void write_stores(RowFunctions& t, Level level, const std::string& elements, const std::string& place, const Put& put) {
  // Once a block or a group all has been computed.
  Needing n(t.pass, t.info, level, level == Level::element ? t.info.stages() - 1 : t.info.stages(), t.kept_steps);
  bool any = false;
  for (size_t k = 0; k < t.pass.stores.size(); ++k) {
    if (level_of_stored(t.pass, t.info, k) != level || t.pass.stores[k].sum_of_blocks) continue;
    n.stored(k);
    any = true;
  }
  if (!any) return;
  t.begin(4, elements);
  t.write_needs(4, n.needs(), place);
  for (size_t k = 0; k < t.pass.stores.size(); ++k) {
    if (level_of_stored(t.pass, t.info, k) != level || t.pass.stores[k].sum_of_blocks) continue;
    const std::string y = t.steps.rounded(t.pass.stored[k], t.pass.stores[k].dtype, t.pass.stores[k].fp8);
    if (t.pass.stores[k].indices.empty()) t.steps.line(put(k, y));
    else t.steps.scatter(k, y);
  }
  const std::string lines = t.steps.take_lines();
  t.text += lines;
}

void write_put(RowFunctions& t) {
  t.line(2, "template <class A, class P>");
  t.line(2, "TILEOPS_DEVICE void put(const A& args, const P& p, bool straight, const memory& m, const block_values& b, "
            "const group_values& g) {");
  write_stores(t, Level::element, "spec::vec", "p", [&](size_t k, const std::string& y) {
    if (t.spec.traversal.row.gathers_rows) return "put_pack_of_tile<" + t.view_of_store(k) + ">(args, p, " + y + ");";
    return "put_pack_of_row<" + t.access(t.spec.access.stores[k]) + ">(args, p, straight, " + t.view_of_store(k) +
           ", " + y + ");";
  });
  t.line(2, "}");
}

void write_put_given(RowFunctions& t, const std::string& of, const std::string& parameters, Level level) {
  t.line(2, "template <class A, class P>");
  t.line(2, "TILEOPS_DEVICE void put_" + of + "(const A& args, " + parameters + ") {");
  write_stores(t, level, "spec::columns", level == Level::block ? "p" : "group_of(p)",
               [&](size_t k, const std::string& y) {
                 return "put_of_" + of + "<" + t.access(t.spec.access.stores[k]) + ">(args, p, " + t.view_of_store(k) +
                        ", " + y + ");";
               });
  t.line(2, "}");
}

bool puts_elements(const RowFunctions& t) {
  for (size_t k = 0; k < t.pass.stores.size(); ++k)
    if (level_of_stored(t.pass, t.info, k) == Level::element) return true;
  return false;
}

// The mask that leaves blocks out, and is there once a block (kernels/rows/gate.h).
void write_gate(RowFunctions& t) {
  const std::optional<Value> gate = gate_of(t.pass);
  const bool of_blocks = gate && t.info.of(*gate).level == Level::block && !sums_blocks(t.pass);
  t.line(2, "static constexpr bool has_gate = " + truth(of_blocks) + ";");
  if (!of_blocks) return;
  t.line(2, "template <class A, class P>");
  t.line(2, "TILEOPS_DEVICE bool is_open(const A& args, const P& row) {");
  t.begin(4, "spec::columns");
  t.line(4, "block_values b;");
  for (const size_t i : made_of(t.pass, *gate).loads)
    if (!is_gathered(t.pass, i)) t.line(4, read_of_block(t, i, "b.x"));
  Needing n(t.pass, t.info, Level::block, 0);
  n.value(*gate);
  t.write_needs(4, n.needs(), "row");
  t.steps.need(*gate);
  t.steps.line("return " + t.steps.name(*gate) + "[0] == 0;");
  t.flush(4);
  t.line(2, "}");
}

void write_steps(RowFunctions& t) {
  t.text = "struct steps {\n";
  t.line(2, "static constexpr bool has_groups = " + truth(group_rank(t.pass) > 0) +
                ", has_scans = " + truth(has_scans(t.pass)) + ", puts_elements = " + truth(puts_elements(t)) + ";");
  write_structs(t);
  write_reads_before_stages(t);
  write_gate(t);
  for (int stage = 0; stage < t.info.stages(); ++stage) write_stage(t, stage);
  std::string list;
  for (int stage = 0; stage < t.info.stages(); ++stage) list += (stage ? ", stage" : "stage") + number(stage);
  t.line(2, "using stages = types<" + list + ">;");
  write_sums_of_blocks(t);
  write_put(t);
  write_put_given(t, "group", "const P& p, const block_values& b, const group_values& g", Level::group);
  write_put_given(t, "block", "const P& p, const block_values& b", Level::block);
  t.text += "};\n";
}

}  // namespace

ComputeSpec row_steps_of(const Pass& pass, const PassInfo& info, bool reproducible, const std::vector<bool>& kept,
                         const KernelSpec& spec) {
  RowFunctions functions(pass, info, reproducible, kept, spec);
  write_steps(functions);
  ComputeSpec compute;
  compute.name = "rows";
  compute.text = functions.text;
  compute.attrs = functions.steps.num_attrs();
  for (size_t i = 0; i < pass.loads.size(); ++i) compute.operands.push_back(info.of(load_value(i)).type);
  return compute;
}

}  // namespace tileops::cuda
