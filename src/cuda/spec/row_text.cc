#include "cuda/spec/row_text.h"

#include <algorithm>
#include <set>

#include "cuda/spec/row_needs.h"
#include "cuda/spec/row_sums.h"
#include "cuda/spec/transfers.h"

namespace tileops::cuda {
namespace {

std::string number(size_t n) { return std::to_string(n); }
std::string truth(bool b) { return b ? "true" : "false"; }

// By view, of those that are gathered or scattered.
std::vector<bool> in_one_piece(const KernelSpec& spec) {
  std::vector<bool> list;
  for (const auto* views : {&spec.loads, &spec.stores})
    for (const AccessSpec& a : *views) list.push_back(a.pattern == AccessPattern::gathered_row);
  return list;
}

class RowWriter {
 public:
  RowWriter(const Pass& pass, const PassInfo& info, bool reproducible, const std::vector<bool>& kept,
            const KernelSpec& spec)
      : pass_(pass), info_(info), kept_(kept), spec_(spec), steps_(pass, info, in_one_piece(spec), reproducible) {}

  std::string run() {
    find_keepable();
    text_ = "struct steps {\n";
    bool puts_elements = false;
    for (size_t k = 0; k < pass_.stores.size(); ++k)
      puts_elements = puts_elements || level_of_stored(pass_, info_, k) == Level::element;
    line(2, "static constexpr bool has_groups = " + truth(has_groups()) + ", has_scans = " + truth(has_scans(pass_)) +
                ", puts_elements = " + truth(puts_elements) + ";");
    write_values("block_values", Level::block);
    write_values("group_values", Level::group);
    write_memory();
    write_read_given("block", "row", Level::block);
    write_read_given("groups", "p", Level::group);
    write_read("read_kept", "", [&](size_t i) { return kept_[i] && !is_gathered(pass_, i); });
    write_renew();
    for (int stage = 0; stage < info_.stages(); ++stage) write_stage(stage);
    std::string list;
    for (int stage = 0; stage < info_.stages(); ++stage) list += (stage ? ", stage" : "stage") + std::to_string(stage);
    line(2, "using stages = types<" + list + ">;");
    write_sums_of_blocks();
    write_put();
    write_put_given("group", "const P& p, const block_values& b, const group_values& g", Level::group);
    write_put_given("block", "const P& p, const block_values& b", Level::block);
    return text_ + "};\n";
  }
  int num_attrs() const { return steps_.num_attrs(); }

 private:
  void line(int indent, const std::string& text) {
    text_ += std::string(static_cast<size_t>(indent), ' ') + text + "\n";
  }
  bool has_groups() const { return group_rank(pass_) > 0; }
  const View& load(size_t i) const { return pass_.loads[i]; }
  ValueInfo load_info(size_t i) const { return info_.of(load_value(i)); }
  std::string operand(size_t i) const { return compute_name(load_info(i).type); }
  // Is it an element's, as it lies in memory?
  bool is_in_memory(size_t i) const {
    return load_info(i).level == Level::element && !is_index(i) &&
           (!is_gathered(pass_, i) || is_gathered_in_blocks(pass_, info_, i));
  }
  bool is_index(size_t i) const { return spec_.loads[i].pattern == AccessPattern::index; }
  std::string access(const AccessSpec& a) const {
    const std::string s = access_text(a);  // access<bf16, access_pattern::row>
    const size_t comma = s.find(", ");
    return s.substr(comma + 2, s.size() - comma - 3) + ", " + s.substr(7, comma - 7);
  }

  // ---- What there is once a block or once a group

  void write_values(const std::string& name, Level level) {
    line(2, "struct " + name + " {");
    line(4, "static constexpr int N = spec::columns;");
    for (size_t i = 0; i < pass_.loads.size(); ++i)
      if (load_info(i).level == level) line(4, operand(i) + " x" + number(i) + "[N];");
    for (size_t s = 0; s < pass_.steps.size(); ++s)
      if (is_left(s, level)) line(4, steps_.declaration(s));
    line(2, "};");
  }
  // Is the step's result put there for others?
  bool is_left(size_t s, Level level) const {
    const Value v = step_value(s), same = steps_.resolved(v);
    if (info_.of(v).level != level || same.of != v.of || same.index != v.index) return false;
    return pass_.steps[s].reduces() || pass_.steps[s].converts() || steps_.is_needed(s);
  }
  const char* values_of(Level level) const { return level == Level::block ? "b." : "g."; }

  void write_read_given(const std::string& of, const std::string& place, Level level) {
    const bool block = level == Level::block;
    line(2, "template <class A, class P>");
    line(2, "TILEOPS_DEVICE void read_" + of + "(const A& args, const P& " + place + ", " +
                (block ? "block_values* b" : "group_values* g") + ") {");
    for (size_t i = 0; i < pass_.loads.size(); ++i)
      if (load_info(i).level == level && !is_gathered(pass_, i))
        line(4, std::string(block ? "read_of_block<" : "read_of_group<") + access(spec_.loads[i]) + ">(args, " + place +
                    ", " + number(i) + (block ? ", b->x" : ", g->x") + number(i) + ");");
    line(2, "}");
  }

  // ---- Packs of elements

  void write_memory() {
    line(2, "struct memory {");
    line(4, "static constexpr int N = spec::vec;");
    for (size_t i = 0; i < pass_.loads.size(); ++i)
      if (is_in_memory(i)) line(4, "raw_pack<" + type_in_memory(i) + ", N> m" + number(i) + ";");
    for (const size_t s : keepable_) line(4, steps_.declaration(s));
    line(2, "};");
  }
  std::string type_in_memory(size_t i) const {
    const std::string type = type_of(spec_.loads[i]);
    return is_gathered(pass_, i) ? "gathered_as<" + type + ">" : type;
  }
  template <class Which>
  void write_read(const std::string& name, const std::string& given, const Which& which, int indent = 2) {
    line(indent, "template <class A, class P>");
    line(indent,
         "TILEOPS_DEVICE void " + name + "(const A& args, const P& p, bool straight, " + given + "memory* m) {");
    if (!given.empty()) line(indent + 2, "constexpr int N = spec::vec;");
    for (size_t i = 0; i < pass_.loads.size(); ++i)
      if (is_in_memory(i) && which(i)) line(indent + 2, "m->m" + number(i) + " = " + read_text(i) + ";");
    line(indent, "}");
  }
  std::string read_text(size_t i) const {
    if (is_gathered(pass_, i)) return steps_.gathered(i, "p", "b.");
    return "read_pack_of_row<" + access(spec_.loads[i]) + ">(args, p, straight, " + number(i) + ")";
  }
  void write_renew() {
    line(2, "TILEOPS_DEVICE void renew_kept(memory* m) {");
    for (size_t i = 0; i < pass_.loads.size(); ++i)
      if (kept_[i] && is_in_memory(i)) line(4, "renew(m->m" + number(i) + ");");
    line(2, "}");
  }

  // ---- Values of elements that are kept

  // Scans, and dear ones that several functions need: those that approximate.
  void find_keepable() {
    for (size_t s = 0; s < pass_.steps.size(); ++s)
      if (pass_.steps[s].scans) keepable_.insert(s);
    if (!spec_.row.keeps_values) return;
    const std::vector<Needs> all = needs_of_elements(pass_, info_, steps_);
    for (size_t s = 0; s < pass_.steps.size(); ++s)
      if (is_long(pass_.steps[s]) && num_results(pass_.steps[s]) == 1 && steps_.is_needed(s) &&
          std::count_if(all.begin(), all.end(), [&](const Needs& n) { return n.steps.count(s) > 0; }) > 1)
        keepable_.insert(s);
  }
  // What the function has computed is there for those behind it.
  void keep(const Needs& needs) {
    for (const size_t s : needs.steps) {
      if (!keepable_.count(s)) continue;
      kept_steps_.insert(s);
      write_copy(s, "", "m.");
    }
  }

  // ---- Functions

  // The lines of what a function needs.
  void write_needs(int indent, const Needs& needs, const std::string& place) {
    steps_.begin_function(place);
    for (const auto* there : {&needs.given_loads, &needs.loads})
      for (const size_t i : *there) steps_.is_there(i);
    for (const size_t i : needs.given_loads) {
      const std::string x = "x" + number(i);
      steps_.line(operand(i) + " " + x + "[N];");
      steps_.line("bring(" + std::string(values_of(load_info(i).level)) + x + ", " + x + ");");
    }
    for (const size_t s : needs.given_steps) {
      const std::string from = values_of(info_.of(step_value(s)).level);
      steps_.line(steps_.declaration(s));
      write_copy(s, from, "");
    }
    for (const size_t s : needs.kept_steps) {
      steps_.line(steps_.declaration(s));
      write_copy(s, "m.", "");
    }
    for (const size_t i : needs.loads) {
      const std::string x = "x" + number(i);
      steps_.line(operand(i) + " " + x + "[N];");
      if (is_index(i)) steps_.line("index_pack(args, p, " + number(i) + ", " + x + ");");
      else steps_.line("widen_all(m.m" + number(i) + ", " + x + ");");
    }
    for (const size_t s : needs.steps) steps_.write(s);
    flush(indent);
  }
  void flush(int indent) {
    const std::string lines = steps_.take_lines();
    const std::string more(static_cast<size_t>(indent - 4), ' ');
    for (size_t at = 0; at < lines.size();) {
      const size_t end = lines.find('\n', at) + 1;
      text_ += more + lines.substr(at, end - at);
      at = end;
    }
  }
  void write_copy(size_t s, const std::string& from, const std::string& to) {
    const std::string v = "v" + number(s);
    const size_t results = num_results(pass_.steps[s]);
    for (size_t r = 0; r < results; ++r) {
      const auto result = [&](const std::string& of) {
        return results == 1 ? of + v : "get<" + number(r) + ">(" + of + v + ")";
      };
      steps_.line("bring(" + result(from) + ", " + result(to) + ");");
    }
  }
  void begin(int indent, const std::string& elements) {
    line(indent, "constexpr int N = " + elements + ";");
    line(indent, "[[maybe_unused]] const AttrValue* a = args.attr;");
  }

  // What a stage computes once a block or once a group.
  void write_level(int stage, Level level) {
    const bool block = level == Level::block;
    line(4, "template <class A, class P>");
    line(4, std::string("TILEOPS_DEVICE void ") +
                (block ? "block(const A& args, const P& row, block_values* given) {"
                       : "group(const A& args, const P& p, const block_values& b, group_values* given) {"));
    Needing n(pass_, info_, steps_, level, stage);
    std::vector<size_t> left, gathered;
    for (size_t i = 0; i < pass_.loads.size(); ++i)
      if (is_gathered(pass_, i) && load_info(i).readers() > 0 && load_info(i).level == level &&
          load_info(i).stage == stage) {
        n.indices(pass_.loads[i]);
        gathered.push_back(i);
      }
    for (size_t s = 0; s < pass_.steps.size(); ++s)
      if (!pass_.steps[s].reduces() && is_left(s, level) && info_.of(step_value(s)).stage == stage) {
        n.step(s);
        left.push_back(s);
      }
    if (!left.empty() || !gathered.empty()) {
      begin(6, "spec::columns");
      line(6, std::string(block ? "block_values& b" : "group_values& g") + " = *given;");
      write_needs(6, n.needs(), block ? "row" : "group_of(p)");
      for (const size_t i : gathered) {
        const std::string x = "x" + number(i);
        steps_.need(load_value(i));
        steps_.line("bring(" + x + ", " + values_of(level) + x + ");");
      }
      for (const size_t s : left) write_copy(s, "", values_of(level));
      flush(6);
    }
    line(4, "}");
  }

  // ---- Stages

  void write_stage(int stage) {
    line(2, "struct stage" + std::to_string(stage) + " {");
    const std::vector<size_t> groups = reductions_behind(pass_, info_, stage, Level::group);
    const std::vector<size_t> blocks = reductions_behind(pass_, info_, stage, Level::block);
    const std::vector<size_t> scans = scans_behind(pass_, info_, stage);
    line(4, "static constexpr bool reduces_groups = " + truth(!groups.empty()) +
                ", reduces_block = " + truth(!blocks.empty()) + ", scans = " + truth(!scans.empty()) + ";");
    write_level(stage, Level::block);
    write_level(stage, Level::group);
    const std::vector<uint64_t> stages = stages_of_loads(pass_, info_);
    const auto is_read = [&](size_t i) {
      const uint64_t before = (uint64_t{1} << stage) - 1;
      if (kept_[i]) return is_gathered(pass_, i) && (stages[i] >> stage & 1) != 0 && (stages[i] & before) == 0;
      return (stages[i] >> stage & 1) != 0;
    };
    write_read("read", "const block_values& b, ", is_read, 4);
    if (!groups.empty()) write_sums("group_sums", stage, groups);
    if (!blocks.empty()) write_sums("block_sums", stage, blocks);
    if (!scans.empty()) write_sums("scanned", stage, scans);
    kept_steps_.insert(scans.begin(), scans.end());
    line(2, "};");
  }

  // All that a stage reduces of groups, or of blocks, or scans, as one accumulator.
  void write_sums(const std::string& name, int stage, const std::vector<size_t>& steps) {
    std::vector<Summed> list;
    for (const size_t s : steps) list.push_back(summed_of(pass_, s));
    line(4, "struct " + name + " {");
    text_ += accumulator_text(list, spec_.index64) + (name == "scanned" ? scanned_text(list) : finish_text(list));
    write_take(stage, list);
    line(4, "};");
  }
  // What is reduced, element by element.
  void write_take(int stage, const std::vector<Summed>& list) {
    line(6, "template <class A, class P>");
    line(6, "TILEOPS_DEVICE void take(const A& args, const P& p, memory& m, const block_values& b, "
            "const group_values& g, values* r) {");
    begin(8, "spec::vec");
    Needing n(pass_, info_, steps_, Level::element, stage, kept_steps_);
    for (const Summed& s : list) n.value(s.value);
    write_needs(8, n.needs(), "p");
    keep(n.needs());
    for (const Summed& s : list) steps_.need(s.value);
    for (size_t k = 0; k < list.size(); ++k)
      steps_.line("bring(" + steps_.name(list[k].value) + ", r->r" + number(k) + ");");
    flush(8);
    line(6, "}");
  }

  // What is added up over blocks, when all stages have run (kernels/rows/sums_of_blocks.h).
  void write_sums_of_blocks() {
    std::vector<Summed> list;
    std::string puts, gets;
    for (size_t k = 0; k < pass_.stores.size(); ++k) {
      if (!pass_.stores[k].sum_of_blocks) continue;
      const std::string of = "_sum(a, p, chunk, e, " + view_of_store(k) + ", ", member = "s" + number(list.size());
      puts += "put" + of + "s." + member + "); ";
      gets += "get" + of + "&s->" + member + "); ";
      list.push_back(summed_of_store(pass_, k));
    }
    line(2, "static constexpr bool sums_blocks = " + truth(!list.empty()) + ";");
    if (list.empty()) return;
    const auto moves = [&](size_t i) { return kept_[i] && !is_gathered(pass_, i) && changes_with_blocks(i); };
    write_read("read_next", "", moves);
    line(2, "TILEOPS_DEVICE void take_next(const memory& next, memory* m) {");
    for (size_t i = 0; i < pass_.loads.size(); ++i)
      if (is_in_memory(i) && moves(i)) line(4, "m->m" + number(i) + " = next.m" + number(i) + ";");
    line(2, "}");
    line(2, "struct sums_of_blocks {");
    text_ += accumulator_text(list, spec_.index64);
    write_take(info_.stages() - 1, list);
    const std::string begin = "template <class A, class P> TILEOPS_DEVICE void ",
                      place = "(const A& a, const P& p, u64 chunk, int e, ";
    line(6, begin + "put" + place + "const state& s) { " + puts + "}");
    line(6, begin + "get" + place + "state* s) { " + gets + "}");
    line(2, "};");
  }
  bool changes_with_blocks(size_t i) const {
    const std::vector<int64_t>& strides = pass_.loads[i].strides;
    const auto end = strides.end() - static_cast<ptrdiff_t>(pass_.row_rank);
    return std::any_of(strides.begin(), end, [](int64_t stride) { return stride != 0; });
  }

  // ---- Stores

  void write_put() {
    line(2, "template <class A, class P>");
    line(2, "TILEOPS_DEVICE void put(const A& args, const P& p, bool straight, const memory& m, const block_values& b, "
            "const group_values& g) {");
    write_stores(Level::element, "spec::vec", "p", [&](size_t k, const std::string& y) {
      return "put_pack_of_row<" + access(spec_.stores[k]) + ">(args, p, straight, " + view_of_store(k) + ", " + y +
             ");";
    });
    line(2, "}");
  }
  void write_put_given(const std::string& of, const std::string& parameters, Level level) {
    line(2, "template <class A, class P>");
    line(2, "TILEOPS_DEVICE void put_" + of + "(const A& args, " + parameters + ") {");
    write_stores(
        level, "spec::columns", level == Level::block ? "p" : "group_of(p)", [&](size_t k, const std::string& y) {
          return "put_of_" + of + "<" + access(spec_.stores[k]) + ">(args, p, " + view_of_store(k) + ", " + y + ");";
        });
    line(2, "}");
  }
  std::string view_of_store(size_t k) const { return number(spec_.loads.size() + k); }
  template <class Put>
  void write_stores(Level level, const std::string& elements, const std::string& place, const Put& put) {
    // Once a block or a group all has been computed.
    Needing n(pass_, info_, steps_, level, level == Level::element ? info_.stages() - 1 : info_.stages(), kept_steps_);
    bool any = false;
    for (size_t k = 0; k < pass_.stores.size(); ++k) {
      if (level_of_stored(pass_, info_, k) != level || pass_.stores[k].sum_of_blocks) continue;
      n.rounded(pass_.stored[k], pass_.stores[k].dtype);
      n.indices(pass_.stores[k]);
      any = true;
    }
    if (!any) return;
    begin(4, elements);
    write_needs(4, n.needs(), place);
    for (size_t k = 0; k < pass_.stores.size(); ++k) {
      if (level_of_stored(pass_, info_, k) != level || pass_.stores[k].sum_of_blocks) continue;
      const std::string y = steps_.rounded(pass_.stored[k], pass_.stores[k].dtype, pass_.stores[k].fp8);
      if (pass_.stores[k].indices.empty()) steps_.line(put(k, y));
      else steps_.scatter(k, y);
    }
    const std::string lines = steps_.take_lines();
    text_ += lines;
  }

  const Pass& pass_;
  const PassInfo& info_;
  const std::vector<bool>& kept_;
  const KernelSpec& spec_;
  StepWriter steps_;
  std::set<size_t> keepable_, kept_steps_;  // and those that a function has computed by now
  std::string text_;
};

}  // namespace

void add_row_steps(const Pass& pass, const PassInfo& info, bool reproducible, const std::vector<bool>& kept,
                   KernelSpec* spec) {
  RowWriter writer(pass, info, reproducible, kept, *spec);
  spec->steps = writer.run();
  spec->attrs = writer.num_attrs();
  for (size_t i = 0; i < pass.loads.size(); ++i) spec->operands.push_back(info.of(load_value(i)).type);
}

std::string row_kernel_text(const KernelSpec& spec, const std::string& head) {
  const RowSpec& r = spec.row;
  std::string s = "using namespace tileops::kernels;\nstruct spec {\n  using rows = seq<";
  for (size_t v = 0; v < spec.stride_rows.size(); ++v) s += (v ? ", " : "") + std::to_string(spec.stride_rows[v]);
  const auto constants = [](const std::vector<std::pair<const char*, int>>& list) {
    std::string text = "  static constexpr int ";
    for (const auto& [name, value] : list)
      text += std::string(text.size() > 23 ? ", " : "") + name + " = " + std::to_string(value);
    return text + ";\n";
  };
  s += ">;\n";
  s += constants({{"views", spec.views()},
                  {"dims", spec.dims},
                  {"num_rows", num_stride_rows(spec.stride_rows)},
                  {"attrs", spec.attrs},
                  {"outer", r.outer},
                  {"group_dims", r.group_dims}});
  s += "  static constexpr u64 group_span = " + std::to_string(r.group_span) + "u;\n";
  s += constants({{"short_group", r.short_group},
                  {"short_within", r.short_within},
                  {"vec", spec.vec},
                  {"columns", r.columns},
                  {"parts", r.parts},
                  {"packs", r.packs},
                  {"lanes", r.lanes},
                  {"warps", r.warps},
                  {"cluster", r.cluster},
                  {"threads", spec.threads}});
  s += "  static constexpr bool kept = " + truth(r.kept) + ", aligned = " + truth(r.aligned) +
       ", full = " + truth(r.full) + ", whole = " + truth(r.whole) + ", runs = " + truth(r.runs) +
       ", index64 = " + truth(spec.index64) + ";\n";
  s += "  static constexpr u64 pieces = " + std::to_string(views_in_one_piece(spec)) + "u;\n};\n" + spec.steps;
  return s + head + "row_arguments<spec> a) {\n  " +
         (r.in_columns ? "columns_kernel<spec, steps>::run_all" : "rows_kernel<spec, steps>::run") + "(a);\n}\n";
}

}  // namespace tileops::cuda
