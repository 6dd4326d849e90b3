#include "cuda/spec/transfers.h"

#include <algorithm>

namespace tileops::cuda {
namespace {

// Loads are numbered x0, x1 and so on as a steps' operands, m0, m1 as they lie in memory; stores y0, y1, parts of them
// z0, z1.
class TransfersWriter {
 public:
  explicit TransfersWriter(const KernelSpec& spec) : spec_(spec) {}

  std::string run() {
    text_ = "struct transfers {\n";
    line(2, "struct pack {");
    for (size_t i = 0; i < num_loads(); ++i) declare_load(i);
    write_read(true);
    if (!spec_.is_expression() || spec_.keeps_packs) write_read(false);
    write_run("run", spec_.interleaved);
    if (spec_.keeps_packs) write_run("run_any", true);
    line(2, "};");
    if (spec_.is_expression() && !spec_.interleaved && !spec_.keeps_packs) write_run_one();
    return text_ + "};\n";
  }

 private:
  size_t num_loads() const { return spec_.loads.size(); }
  size_t num_stores() const { return spec_.stores.size(); }
  std::string operand(size_t i) const { return compute_name(spec_.operands[i]); }
  void line(int indent, const std::string& text) {
    text_ += std::string(static_cast<size_t>(indent), ' ') + text + "\n";
  }

  // Is it gathered or scattered by the steps themselves?
  bool is_of_steps(const AccessSpec& a) const {
    return spec_.is_expression() && (a.pattern == AccessPattern::gathered || a.pattern == AccessPattern::gathered_row);
  }
  bool has_indices() const {
    const auto any = [&](const std::vector<AccessSpec>& list) {
      return std::any_of(list.begin(), list.end(), [&](const AccessSpec& a) { return is_of_steps(a); });
    };
    return any(spec_.loads) || any(spec_.stores);
  }

  // Most operands are one access or a word of the argument block: their code is written here. For others it calls
  // core/staged.h.
  enum class Code { piece, one, immediate, staged, of_steps };
  Code code(size_t i) const {
    const AccessPattern how = spec_.loads[i].pattern;
    if (is_of_steps(spec_.loads[i])) return Code::of_steps;
    if (spec_.bits_kept) return Code::staged;
    if (how == AccessPattern::immediate) return Code::immediate;
    if (how == AccessPattern::uniform) return Code::one;
    const bool is_piece = how == AccessPattern::dense ||
                          (how == AccessPattern::row && spec_.order == TraversalOrder::rows);
    return is_piece && !spec_.interleaved ? Code::piece : Code::staged;
  }
  std::string type(size_t i) const { return type_of(spec_.loads[i]); }

  void declare_load(size_t i) {
    const std::string name = " m" + number(i) + ";";
    if (code(i) == Code::piece) line(4, "raw_pack<" + type(i) + ", spec::vec>" + name);
    else if (code(i) == Code::one) line(4, type(i) + name);
    else if (code(i) == Code::staged)
      line(4, "staged_operand<spec, " + access_text(spec_.loads[i]) + ", " + operand(i) + ">" + name);
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
    const bool dense = spec_.loads[i].pattern == AccessPattern::dense;
    if (code(i) == Code::one) {
      line(6, m + " = uniform_element<" + type(i) + ", access_pattern::uniform>(a, " + view + ");");
    } else if (code(i) == Code::piece && straight) {
      line(6, m + " = load_raw<" + type(i) + ", spec::vec>(place_of<" + type(i) + ">(a.address[" + view +
                  "]) + piece_offset<" + type(i) + (dense ? ", true" : ", false") + ">(a, p, " + view + "));");
    } else if (code(i) == Code::piece) {
      const bool all_or_none = spec_.order == TraversalOrder::rows;  // one may be aligned where another is not
      line(6, m + (all_or_none ? " = read_pack<" : " = read_elements<") + access_text(spec_.loads[i]) + ", " + type(i) +
                  (all_or_none ? ">(a, p, " : ">(a, p, s, ") + view + ");");
    } else if (code(i) == Code::staged) {
      line(6, m + (straight && !spec_.interleaved ? ".read_straight" : ".read") + "(a, p, " + view + ");");
    }
  }
  void widen(size_t i) {
    const AccessPattern how = spec_.loads[i].pattern;
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
    if (!spec_.is_expression()) write_body();
    else write_steps();
    for (size_t k = 0; k < num_stores(); ++k) put(k, any);
    line(4, "}");
  }

  // An operator's one step.
  void write_body() {
    std::string numbers, types, call = "evaluate_in_parts<spec>(a.attr, a.table, &y";
    for (size_t k = 0; k < num_stores(); ++k) {
      numbers += (k ? ", " : "") + number(k);
      types += std::string(", ") + (spec_.bits_kept && spec_.results[k] == spec_.ctype ? compute_name(spec_.ctype)
                                                                                       : type_of(spec_.stores[k]));
    }
    for (size_t i = 0; i < num_loads(); ++i) call += ", x" + number(i);
    line(6, "stored_packs<seq<" + numbers + ">, spec::vec" + types + "> y;");
    line(6, call + ");");
  }

  void write_steps() {
    declare_results(6, "y", "spec::vec");
    for (int first = 0; first < spec_.vec; first += spec_.part) run_part(first);
  }

  void declare_results(int indent, const std::string& name, const std::string& elements) {
    for (size_t k = 0; k < num_stores(); ++k)
      if (!is_of_steps(spec_.stores[k]))
        line(indent,
             std::string("raw_pack<") + type_of(spec_.stores[k]) + ", " + elements + "> " + name + number(k) + ";");
  }

  // The steps of elements from `first` on.
  void run_part(int first) {
    if (spec_.part == spec_.vec) return call_steps(6, spec_.vec, "p, 0", "x", "", "y");
    const std::string at = std::to_string(first);
    line(6, "{");
    declare_results(8, "z", std::to_string(spec_.part));
    call_steps(8, spec_.part, "p, " + at, "part_at<" + std::to_string(spec_.part) + ">(x", ", " + at + ")", "z");
    for (size_t k = 0; k < num_stores(); ++k)
      if (!is_of_steps(spec_.stores[k]))
        line(8, "place_elements<" + at + ">(z" + number(k) + ", &y" + number(k) + ");");
    line(6, "}");
  }
  void call_steps(int indent, int elements, const std::string& place, const std::string& from, const std::string& end,
                  const std::string& to) {
    std::string call = "steps::run<" + std::to_string(elements) + ">(a";
    call += has_indices() ? ", elements_of(a, " + place + ")" : ".attr";
    for (size_t i = 0; i < num_loads(); ++i)
      if (code(i) != Code::of_steps) call += ", " + from + number(i) + end;
    for (size_t k = 0; k < num_stores(); ++k)
      if (!is_of_steps(spec_.stores[k])) call += ", &" + to + number(k);
    line(indent, call + ");");
  }

  std::string result(size_t k) const { return "pack_of<" + number(k) + ">(y)"; }
  void put(size_t k, bool any) {
    const AccessSpec& store = spec_.stores[k];
    if (is_of_steps(store)) return;
    const std::string access = "<" + access_text(store) + ">";
    if (!spec_.is_expression()) {
      const std::string at = "(a, p, " + number(num_loads() + k) + ", " + result(k);
      if (store.pattern == AccessPattern::even) line(6, "put_pairs" + access + at + ", " + result(k + 1) + ");");
      else if (store.pattern != AccessPattern::odd) line(6, "put" + access + at + ");");
      return;
    }
    const std::string where = "(a, p, " + number(num_loads() + k) + ", y" + number(k);
    if (any) line(6, "put<" + access_text(store) + ">" + where + ");");
    else if (store.pattern == AccessPattern::even) line(6, "put_whole_pairs" + where + ", y" + number(k + 1) + ");");
    else if (store.pattern != AccessPattern::odd) line(6, "put_whole<" + access_text(store) + ">" + where + ");");
  }

  void write_run_one() {
    line(2, "template <class A, class P>");
    line(2, "TILEOPS_DEVICE void run_one(const A& a, const P& at) {");
    for (size_t i = 0; i < num_loads(); ++i)
      if (code(i) != Code::of_steps)
        line(4, "const " + operand(i) + " x" + number(i) + "[1] = {read_element<" + access_text(spec_.loads[i]) + ", " +
                    operand(i) + ">(a, at, " + number(i) + ")};");
    declare_results(4, "y", "1");
    call_steps(4, 1, "at, 0", "x", "", "y");
    for (size_t k = 0; k < num_stores(); ++k)
      if (!is_of_steps(spec_.stores[k]))
        line(4, "put_element<" + access_text(spec_.stores[k]) + ">(a, at, " + number(num_loads() + k) + ", y" +
                    number(k) + ");");
    line(2, "}");
  }

  const KernelSpec& spec_;
  std::string text_;
};

}  // namespace

std::string transfers_text(const KernelSpec& spec) { return TransfersWriter(spec).run(); }

// Loads whose access pattern allows one access for a pack.
uint64_t loads_in_one_piece(const KernelSpec& spec) {
  uint64_t bits = 0;
  for (size_t i = 0; i < spec.loads.size(); ++i) {
    const AccessPattern how = spec.loads[i].pattern;
    if (how == AccessPattern::dense || how == AccessPattern::row || how == AccessPattern::even)
      bits |= uint64_t{1} << i;
  }
  return bits;
}

uint64_t views_in_one_piece(const KernelSpec& spec) {
  uint64_t bits = loads_in_one_piece(spec);
  for (size_t k = 0; k < spec.stores.size(); ++k) bits |= uint64_t{1} << (spec.loads.size() + k);
  return bits;
}

}  // namespace tileops::cuda
