#include "cuda/spec/transfers.h"

#include <algorithm>

#include "cuda/spec/kernel.h"

namespace tileops::cuda {
namespace {

// Loads are numbered x0, x1 and so on as a steps' operands, m0, m1 as they lie in memory; stores y0, y1, parts of them
// z0, z1.
class TransfersWriter {
 public:
  explicit TransfersWriter(const KernelSpec& spec) : spec_(spec), traversal_(spec.traversal) {}

  std::string run() {
    text_ = "struct transfers {\n";
    line(2, "struct pack {");
    for (size_t i = 0; i < num_loads(); ++i) declare_load(i);
    write_read(true);
    if (traversal_.ragged != Ragged::one_by_one) write_read(false);
    write_run("run", traversal_.interleaved || traversal_.ragged == Ragged::read_together);
    if (traversal_.ragged == Ragged::pack_by_pack) write_run("run_any", true);
    if (!spec_.compute.gate_loads.empty()) write_is_open();
    line(2, "};");
    if (traversal_.ragged == Ragged::one_by_one && !traversal_.interleaved) write_run_one();
    return text_ + "};\n";
  }

 private:
  const std::vector<AccessSpec>& loads() const { return spec_.access.loads; }
  const std::vector<AccessSpec>& stores() const { return spec_.access.stores; }
  size_t num_loads() const { return loads().size(); }
  size_t num_stores() const { return stores().size(); }
  std::string operand(size_t i) const { return compute_name(spec_.compute.operands[i]); }
  void line(int indent, const std::string& text) {
    text_ += std::string(static_cast<size_t>(indent), ' ') + text + "\n";
  }
  bool has_indices() const {
    const auto any = [&](const std::vector<AccessSpec>& list) {
      return std::any_of(list.begin(), list.end(), [](const AccessSpec& a) { return a.by_steps; });
    };
    return any(loads()) || any(stores());
  }

  // Most operands are one access or a word of the argument block: their code is written here. For others it calls
  // core/staged.h.
  enum class Code { piece, one, immediate, staged, of_steps };
  Code code(size_t i) const {
    const AccessPattern how = loads()[i].pattern;
    if (loads()[i].by_steps) return Code::of_steps;
    if (spec_.access.kept_bits) return Code::staged;
    if (how == AccessPattern::immediate) return Code::immediate;
    if (how == AccessPattern::uniform) return Code::one;
    const bool is_piece = how == AccessPattern::dense ||
                          (how == AccessPattern::row && traversal_.order == TraversalOrder::rows);
    return is_piece && !traversal_.interleaved ? Code::piece : Code::staged;
  }
  std::string type(size_t i) const { return type_of(loads()[i]); }

  void declare_load(size_t i) {
    const std::string name = " m" + number(i) + ";";
    if (code(i) == Code::piece) line(4, "raw_pack<" + type(i) + ", spec::vec>" + name);
    else if (code(i) == Code::one) line(4, type(i) + name);
    else if (code(i) == Code::staged)
      line(4, "staged_operand<spec, " + access_text(loads()[i]) + ", " + operand(i) + ">" + name);
  }

  // read(), for packs that are whole and aligned, or read_any(), for all.
  void write_read(bool straight) {
    line(4, "template <class A, class P>");
    line(4,
         std::string("TILEOPS_DEVICE_MEMBER void ") + (straight ? "read" : "read_any") + "(const A& a, const P& p) {");
    if (!straight) line(6, "const span s = span_of_place(a, p);");
    for (size_t i = 0; i < num_loads(); ++i) read(i, straight);
    line(4, "}");
  }
  void read(size_t i, bool straight) {
    const std::string m = "m" + number(i), view = number(i);
    const bool dense = loads()[i].pattern == AccessPattern::dense;
    if (code(i) == Code::one) {
      line(6, m + " = uniform_element<" + type(i) + ", access_pattern::uniform>(a, " + view + ");");
    } else if (code(i) == Code::piece && straight) {
      line(6, m + " = load_raw<" + type(i) + ", spec::vec>(place_of<" + type(i) + ">(a.address[" + view +
                  "]) + piece_offset<" + type(i) + (dense ? ", true" : ", false") + ">(a, p, " + view + "));");
    } else if (code(i) == Code::piece) {
      const bool all_or_none = traversal_.order == TraversalOrder::rows;  // one may be aligned where another is not
      line(6, m + (all_or_none ? " = read_pack<" : " = read_elements<") + access_text(loads()[i]) + ", " + type(i) +
                  (all_or_none ? ">(a, p, " : ">(a, p, s, ") + view + ");");
    } else if (code(i) == Code::staged) {
      line(6, m + (straight && !traversal_.interleaved ? ".read_straight" : ".read") + "(a, p, " + view + ");");
    }
  }
  void widen(size_t i) {
    const AccessPattern how = loads()[i].pattern;
    const std::string m = "m" + number(i), x = "x" + number(i), view = number(i);
    if (how == AccessPattern::odd) return;  // came with the last one
    if (code(i) == Code::of_steps) return;
    if (code(i) == Code::piece) line(6, "widen_all(" + m + ", " + x + ");");
    else if (code(i) == Code::one) line(6, "fill(" + x + ", widen_one<" + operand(i) + ">(" + m + "));");
    else if (code(i) == Code::immediate)
      line(6, "fill(" + x + ", widen_one<" + operand(i) + ">(low_bytes<" + type(i) + ">(a.address[" + view + "])));");
    else line(6, m + ".widen(a, p, " + view + ", " + x + ", x" + number(how == AccessPattern::even ? i + 1 : i) + ");");
  }

  // `any`: also packs that are not whole or not aligned.
  void write_run(const std::string& name, bool any) {
    line(4, "template <class A, class P>");
    line(4, "TILEOPS_DEVICE_MEMBER void " + name + "(const A& a, const P& p) const {");
    for (size_t i = 0; i < num_loads(); ++i)
      if (code(i) != Code::of_steps) line(6, operand(i) + " x" + number(i) + "[spec::vec];");
    for (size_t i = 0; i < num_loads(); ++i) widen(i);
    declare_results(6, "y", "spec::vec");
    const int width = spec_.compute.step_width;
    if (width == traversal_.vec) call_steps(6, width, "p, 0", "x", "", "y");
    else
      for (int first = 0; first < traversal_.vec; first += width) run_part(first);
    for (size_t k = 0; k < num_stores(); ++k) put(k, any);
    line(4, "}");
  }

  // Reads what the mask is made of that leaves rows out, and asks it.
  void write_is_open() {
    const std::vector<size_t>& gate = spec_.compute.gate_loads;
    line(4, "template <class A, class P>");
    line(4, "TILEOPS_DEVICE_MEMBER bool is_open(const A& a, const P& p) {");
    line(6, "[[maybe_unused]] const span s = span_of_place(a, p);");
    std::string call = "gate::run<spec::vec>(a, elements_of(a, p, 0)";
    for (const size_t i : gate) {
      if (code(i) == Code::of_steps) continue;
      read(i, false);
      line(6, operand(i) + " x" + number(i) + "[spec::vec];");
      widen(i);
      call += ", x" + number(i);
    }
    line(6, "return " + call + ");");
    line(4, "}");
  }

  void declare_results(int indent, const std::string& name, const std::string& elements) {
    for (size_t k = 0; k < num_stores(); ++k)
      if (!stores()[k].by_steps)
        line(indent, "raw_pack<" + spec_.compute.results[k] + ", " + elements + "> " + name + number(k) + ";");
  }

  // The steps of elements from `first` on.
  void run_part(int first) {
    const int width = spec_.compute.step_width;
    const std::string at = number(first);
    line(6, "{");
    declare_results(8, "z", number(width));
    call_steps(8, width, "p, " + at, "part_at<" + number(width) + ">(x", ", " + at + ")", "z");
    for (size_t k = 0; k < num_stores(); ++k)
      if (!stores()[k].by_steps) line(8, "place_part<" + at + ">(z" + number(k) + ", &y" + number(k) + ");");
    line(6, "}");
  }
  void call_steps(int indent, int elements, const std::string& place, const std::string& from, const std::string& end,
                  const std::string& to) {
    std::string call = "steps::run<" + number(elements) + ">(a";
    if (has_indices()) call += ", elements_of(a, " + place + ")";
    for (size_t i = 0; i < num_loads(); ++i)
      if (code(i) != Code::of_steps) call += ", " + from + number(i) + end;
    for (size_t k = 0; k < num_stores(); ++k)
      if (!stores()[k].by_steps) call += ", &" + to + number(k);
    line(indent, call + ");");
  }

  // `any`: packs that are not whole or not aligned as well.
  void put(size_t k, bool any) {
    const AccessSpec& store = stores()[k];
    if (store.by_steps || (store.pattern == AccessPattern::odd && !puts_each(any))) return;
    const std::string where = "(a, p, " + number(num_loads() + k) + ", y" + number(k);
    const std::string access = "<" + access_text(store) + ">";
    if (store.pattern != AccessPattern::even || puts_each(any))
      line(6, (any ? "put" : "put_whole") + access + where + ");");
    else line(6, (any ? "put_pairs" + access : "put_whole_pairs") + where + ", y" + number(k + 1) + ");");
  }
  // Are both of a pair of results put on their own? Those that are always interleaved, or may not be one access.
  bool puts_each(bool any) const { return any && traversal_.ragged != Ragged::read_together; }

  void write_run_one() {
    line(2, "template <class A, class P>");
    line(2, "TILEOPS_DEVICE void run_one(const A& a, const P& at) {");
    for (size_t i = 0; i < num_loads(); ++i)
      if (code(i) != Code::of_steps)
        line(4, "const " + operand(i) + " x" + number(i) + "[1] = {read_element<" + access_text(loads()[i]) + ", " +
                    operand(i) + ">(a, at, " + number(i) + ")};");
    declare_results(4, "y", "1");
    call_steps(4, 1, "at, 0", "x", "", "y");
    for (size_t k = 0; k < num_stores(); ++k)
      if (!stores()[k].by_steps)
        line(4, "put_element<" + access_text(stores()[k]) + ">(a, at, " + number(num_loads() + k) + ", y" + number(k) +
                    ");");
    line(2, "}");
  }

  const KernelSpec& spec_;
  const TraversalSpec& traversal_;
  std::string text_;
};

// Loads whose access pattern allows one access for a pack.
uint64_t loads_in_one_piece(const Accesses& access) {
  uint64_t bits = 0;
  for (size_t i = 0; i < access.loads.size(); ++i) {
    const AccessPattern how = access.loads[i].pattern;
    if (how == AccessPattern::dense || how == AccessPattern::row || how == AccessPattern::even)
      bits |= uint64_t{1} << i;
  }
  return bits;
}

}  // namespace

std::string transfers_text(const KernelSpec& spec) { return TransfersWriter(spec).run(); }

uint64_t views_in_one_piece(const KernelSpec& spec) {
  uint64_t bits = loads_in_one_piece(spec.access);
  for (size_t k = 0; k < spec.access.stores.size(); ++k) bits |= uint64_t{1} << (spec.access.loads.size() + k);
  return bits;
}

uint64_t pieces_of(const KernelSpec& spec) {
  return spec.traversal.ragged == Ragged::read_together ? loads_in_one_piece(spec.access) : views_in_one_piece(spec);
}

}  // namespace tileops::cuda
