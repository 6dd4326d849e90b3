#include "cuda/spec/kernel.h"

#include "cuda/spec/rows/kernel.h"
#include "cuda/spec/transfers.h"

namespace tileops::cuda {
namespace {

const char* pattern_name(AccessPattern p) {
  static const char* const names[] = {"dense", "row",      "broadcast",    "strided", "uniform", "immediate",
                                      "index", "gathered", "gathered_row", "tile",    "even",    "odd"};
  return names[static_cast<int>(p)];
}

const char* order_name(TraversalOrder o) {
  static const char* const names[] = {"flat", "rows", "elements", "tiles"};
  return names[static_cast<int>(o)];
}

const char* ragged_name(Ragged r) {
  static const char* const names[] = {"read_together", "pack_by_pack", "one_by_one"};
  return names[static_cast<int>(r)];
}

template <class List, class Name>
std::string list_text(const char* what, const List& list, const Name& name) {
  std::string s;
  for (const auto& x : list) s += (s.empty() ? "" : ", ") + std::string(name(x));
  return what + ("<" + s) + ">";
}

// Templates that go through lists of their operands and results; others name each (transfers.h).
bool goes_by_lists(Template t) { return t != Template::elementwise; }

std::string spec_text(const KernelSpec& spec) {
  const Accesses& access = spec.access;
  const TraversalSpec& t = spec.traversal;
  std::string s = "struct spec {\n";
  s += "  using stride_slots = " + list_text("seq", access.stride_slots, [](int n) { return number(n); }) + ";\n";
  s += own_words_text(spec);
  s += std::string("  using kept_bits = ") + (access.kept_bits ? compute_name(*access.kept_bits) : "void") + ";\n";
  if (goes_by_lists(t.kernel_template)) {
    s += "  using operands = " + list_text("types", spec.compute.operands, compute_name) + ";\n";
    s += "  using loads = " + list_text("types", access.loads, access_text) + ";\n";
    s += "  using stores = " + list_text("types", access.stores, access_text) + ";\n";
    s += "  using results = " + list_text("types", spec.compute.results, [](const std::string& r) { return r; }) +
         ";\n";
  }
  s += std::string("  static constexpr traversal_order order = traversal_order::") + order_name(t.order) + ";\n";
  s += std::string("  static constexpr ragged how_ragged = ragged::") + ragged_name(t.ragged) + ";\n";
  s += "  static constexpr int views = " + number(access.views()) + ", dims = " + number(t.dims) +
       ", num_strides = " + number(num_strides(access.stride_slots)) + ", attrs = " + number(spec.compute.attrs) +
       ", vec = " + number(t.vec) + ", step_width = " + number(spec.compute.step_width) +
       ", vecs_per_thread = " + number(t.vecs_per_thread) + ", threads = " + number(t.threads) +
       ", tile_dim = " + number(t.tile_dim) + ", rows_per_thread = " + number(t.rows_per_thread) +
       ", rows_dim = " + number(t.rows_dim) + ", cooperating_threads = " + number(t.cooperating_threads) + ";\n";
  s += "  static constexpr bool index64 = " + truth(t.index64) + ", interleaved = " + truth(t.interleaved) + ";\n";
  return s + "  static constexpr u64 pieces = " + std::to_string(pieces_of(spec)) + "u;\n};\n";
}

std::string lookup_text(const KernelSpec& spec, const std::string& head) {
  const TraversalSpec& t = spec.traversal;
  const std::string name = t.kernel_template == Template::lookup         ? "lookup<"
                           : t.kernel_template == Template::lookup_pairs ? "lookup_pairs<"
                           : t.result_bytes == 2                         ? "lookup_halves<u16, "
                                                                         : "lookup_halves<u8, ";
  return "using namespace tileops::kernels;\nstruct spec {\n  using stride_slots = " +
         list_text("seq", spec.access.stride_slots, [](int n) { return number(n); }) +
         ";\n  static constexpr int views = " + number(spec.access.views()) +
         ", dims = 1, num_strides = 0, attrs = 0;\n};\n" + head + "arguments_of<spec> a) {\n  " + name +
         number(t.vecs_per_thread) + ">::run(a);\n}\n";
}

std::string elementwise_text(const KernelSpec& spec, const std::string& head) {
  const auto instance = [&]() -> std::string {
    switch (spec.traversal.kernel_template) {
      case Template::packed: return "packed_elementwise<spec, steps, transfers>";
      case Template::shared_stage: return "repeated_elementwise<spec, steps>";
      case Template::activation_table: return "tabled_elementwise<spec, steps>";
      case Template::tiles: return "tiled<spec, steps>";
      default:
        return spec.compute.gate_loads.empty() ? "elementwise<spec, transfers>" : "gated_elementwise<spec, transfers>";
    }
  };
  std::string s = "using namespace tileops::kernels;\n" + spec.compute.text + spec_text(spec);
  const Template t = spec.traversal.kernel_template;
  if (t == Template::elementwise || t == Template::packed) s += transfers_text(spec);
  return s + entry_text(spec, head, "arguments_of<spec>", instance() + "::run");
}

std::string text_of(const KernelSpec& spec) {
  const TraversalSpec& t = spec.traversal;
  const std::string head = "extern \"C\" __global__ void __launch_bounds__(" + number(t.threads) +
                           (t.min_blocks ? ", " + number(t.min_blocks) : "") + ") " +
                           (t.row.cluster > 1 ? "__cluster_dims__(" + number(t.row.cluster) + ", 1, 1) " : "") +
                           kKernelSymbol + "(const __grid_constant__ ";
  if (spec.looks_up()) return lookup_text(spec, head);
  return spec.has_rows() ? row_kernel_text(spec, head) : elementwise_text(spec, head);
}

std::string times(const char* what, int n) { return n > 1 ? what + std::to_string(n) : ""; }

// How threads of rows have their blocks.
std::string row_name(const TraversalSpec& t) {
  const RowSpec& row = t.row;
  return (row.in_columns ? "columns" + times("x", row.sharing_threads)
          : row.kept     ? "kept"
          : row.staged   ? "staged" + number(row.staged)
                         : "long") +
         times("x", row.cluster) + times("x", row.warps) + "x" + std::to_string(row.lanes) + "x" +
         std::to_string(row.packs) + "x" + std::to_string(t.vec) +
         (row.beside > 1 ? " beside" + number(row.beside) : "") +
         (row.split_elements ? " parts" + std::to_string(row.split_elements) : "") +
         (row.run < 32 ? " runs" + number(row.run) : "") + (row.side_by_side ? " side by side" : "") +
         (row.in_columns && row.staged ? " staged" : "") +
         (row.group_span ? " groups" + std::to_string(row.group_span) : "") + (row.no_padding ? "" : " partial") +
         (row.aligned ? "" : " unaligned") + (t.index64 ? " index64" : "");
}

std::string name_of(const KernelSpec& spec) {
  const TraversalSpec& t = spec.traversal;
  const ComputeSpec& compute = spec.compute;
  if (t.kernel_template == Template::lookup) return "lookup(8-bit)";
  if (t.kernel_template == Template::lookup_halves) return "lookup(16-bit)";
  if (t.kernel_template == Template::lookup_pairs) return "lookup(pairs of 8-bit)";
  const auto operands = [](const std::vector<AccessSpec>& accesses) {
    std::string s = "(";
    for (const AccessSpec& a : accesses)
      s += std::string(s == "(" ? "" : ", ") + type_of(a) + " " + pattern_name(a.pattern);
    return s + ")";
  };
  const std::string what = compute.name + (compute.type.empty() ? "" : "<" + compute.type + ">") +
                           operands(spec.access.loads) + "->" + operands(spec.access.stores) + "@";
  const char* list_or_not = spec.list ? " list" : "";
  if (spec.has_rows()) return what + row_name(t) + list_or_not;
  return what + order_name(t.order) + (t.dims > 1 ? std::to_string(t.dims) + "d" : "") + "x" + std::to_string(t.vec) +
         times("x", t.vecs_per_thread) + times(" rows", t.rows_per_thread) +
         times(" cooperating", t.cooperating_threads) + (t.index64 ? " index64" : "") +
         (compute.step_width < t.vec ? " part" + std::to_string(compute.step_width) : "") +
         (compute.policy == "portable" ? "" : " " + compute.policy) + (compute.table ? " table" : "") +
         (t.kernel_template == Template::activation_table ? " activations" : "") + list_or_not;
}

}  // namespace

std::string own_words_text(const KernelSpec& spec) {
  if (!spec.list) return "";
  return "  using own_words = " + list_text("seq", spec.list->own_words, [](int n) { return number(n); }) + ";\n";
}

std::string entry_text(const KernelSpec& spec, const std::string& head, const std::string& arguments,
                       const std::string& run) {
  if (!spec.list) return head + arguments + " a) {\n  " + run + "(a);\n}\n";
  return head + "list_arguments<" + arguments + ", spec::own_words, " + number(spec.list->capacity) + "> list) {\n  " +
         run + "(arguments_of_block(list));\n}\n";
}

const char* type_of(const AccessSpec& a) {
  return destination_name(a.dtype, a.saturates ? Fp8Mode::saturate : Fp8Mode::nonsaturating);
}

std::string access_text(const AccessSpec& a) {
  std::string s = std::string("access<") + type_of(a) + ", access_pattern::" + pattern_name(a.pattern);
  if (a.ids_view >= 0)
    s += std::string(", ") + storage_name(a.ids) + ", " + number(a.ids_view) + ", " + number(a.ids_word);
  return s + ">";
}

Kernel Kernel::of(const KernelSpec& spec) {
  return {text_of(spec), name_of(spec), spec.compute.name, shared_bytes_of(spec)};
}

}  // namespace tileops::cuda
