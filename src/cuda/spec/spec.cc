#include "cuda/spec/spec.h"

#include <algorithm>

#include "cuda/kernels/common/activation_range.h"
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

std::string list_text(const std::vector<AccessSpec>& list) {
  std::string s = "types<";
  for (const AccessSpec& a : list) {
    if (s.back() != '<') s += ", ";
    s += access_text(a);
  }
  return s + ">";
}

// A block of a tiled kernel goes through lists of its operands and results; others name each.
std::string expression_text(const KernelSpec& spec, const std::string& head) {
  const bool tiles = spec.order == TraversalOrder::tiles;
  const auto list = [](const auto& values, const auto& name) {
    std::string s;
    for (const auto& v : values) s += (s.empty() ? "" : ", ") + std::string(name(v));
    return s + ">;\n";
  };
  std::string s = "using namespace tileops::kernels;\n" + spec.steps + "struct spec {\n  using compute = void;\n";
  if (tiles) {
    s += "  using operands = types<" + list(spec.operands, compute_name);
    s += "  using loads = " + list_text(spec.loads) + ";\n";
    s += "  using stores = " + list_text(spec.stores) + ";\n";
  }
  s += "  using rows = seq<" + list(spec.stride_rows, [](int n) { return number(n); });
  s += std::string("  static constexpr traversal_order order = traversal_order::") + order_name(spec.order) + ";\n";
  s += "  static constexpr int views = " + number(spec.views()) + ", dims = " + number(spec.dims) +
       ", num_rows = " + number(num_stride_rows(spec.stride_rows)) + ", attrs = " + number(spec.attrs) +
       ", vec = " + number(spec.vec) + ", part = " + number(spec.part) +
       ", vecs_per_thread = " + number(spec.vecs_per_thread) + ", threads = " + number(spec.threads) +
       ", tile_dim = " + number(spec.tile_dim) + ", rows_per_thread = 1, rows_dim = 0;\n";
  s += "  static constexpr bool index64 = " + truth(spec.index64) + ", interleaved = " + truth(spec.interleaved) +
       (spec.keeps_packs ? ", keeps_packs = true" : "") +
       ", bits_kept = false;\n  static constexpr u64 pieces = " + std::to_string(views_in_one_piece(spec)) + "u;\n};\n";
  if (!tiles) s += transfers_text(spec);
  return s + head + "composed_arguments<spec> a) {\n  " +
         (tiles ? "composed_tiled<spec, steps>" : "composed<spec, transfers>") + "::run(a);\n}\n";
}

// The template of cuda/kernels/elementwise.h, or of tile.h, that a kernel is an instance of. Of one that may be packed
// the body decides.
const char* template_of(const KernelSpec& spec) {
  if (spec.order == TraversalOrder::tiles) return "tiled";
  if (spec.has_activation_table()) return "tabled_elementwise";
  if (spec.loops_over_rows()) return "repeated_elementwise";
  const bool narrow = !spec.loads.empty() &&
                      (dtype_size(spec.loads[0].dtype) == 1 || spec.loads[0].dtype == Dtype::f16);
  return narrow && spec.vec % 4 == 0 && spec.stores.size() == 1 ? "packed_elementwise" : "elementwise";
}

}  // namespace

const char* type_of(const AccessSpec& a) {
  return destination_name(a.dtype, a.saturates ? Fp8Mode::saturate : Fp8Mode::nonsaturating);
}

std::string access_text(const AccessSpec& a) {
  std::string s = std::string("access<") + type_of(a) + ", access_pattern::" + pattern_name(a.pattern);
  if (a.ids_view >= 0) s += std::string(", ") + storage_name(a.ids) + ", " + std::to_string(a.ids_view);
  return s + ">";
}

int num_stride_rows(const std::vector<int>& rows) {
  return rows.empty() ? 0 : *std::max_element(rows.begin(), rows.end()) + 1;
}

ArgumentLayout ArgumentLayout::of(const KernelSpec& spec) {
  return {spec.views(), spec.dims, spec.attrs, spec.stride_rows, spec.has_rows()};
}

int activation_table_bytes(Dtype gate) {
  return static_cast<int>((gate == Dtype::bf16 ? kernels::kBf16Activations : kernels::kF16Activations).bytes());
}

int KernelSpec::shared_bytes() const {
  if (which == Template::lookup_halves || which == Template::lookup_pairs) return 65536 * result_bytes;
  if (has_rows()) return row.staged * row.packs * threads * row.staged_bytes;
  return has_activation_table() ? activation_table_bytes(loads[0].dtype) : 0;
}

std::string KernelSpec::text() const {
  const std::string head = "extern \"C\" __global__ void __launch_bounds__(" + number(threads) +
                           (min_blocks ? ", " + number(min_blocks) : "") + ") " +
                           (row.cluster > 1 ? "__cluster_dims__(" + number(row.cluster) + ", 1, 1) " : "") +
                           kKernelSymbol + "(const __grid_constant__ ";
  if (which != Template::elementwise) {
    const bool pairs = which == Template::lookup_pairs;
    const std::string name = which == Template::lookup ? "lookup<"
                             : pairs                   ? "lookup_pairs<"
                             : result_bytes == 2       ? "lookup_halves<u16, "
                                                       : "lookup_halves<u8, ";
    return "using namespace tileops::kernels;\n" + head + "arguments<" + number(pairs ? 3 : 2) + ", 1, 0> a) {\n  " +
           name + number(vecs_per_thread) + ">::run(a);\n}\n";
  }
  if (has_rows()) return row_kernel_text(*this, head);
  if (is_expression()) return expression_text(*this, head);
  std::string s = "using namespace tileops::kernels;\nstruct spec {\n";
  if (on_bits) s += "  template <class, class> using body = on_halves<op::" + body + "<portable, float>>;\n";
  else s += "  template <class P, class T> using body = op::" + body + "<P, T>;\n";
  s += "  using policy = " + policy + ";\n";
  s += std::string("  using compute = ") + (on_bits ? "u16" : compute_name(ctype)) + ";\n";
  s += "  using loads = " + list_text(loads) + ";\n";
  s += "  using stores = " + list_text(stores) + ";\n";
  s += std::string("  static constexpr traversal_order order = traversal_order::") + order_name(order) + ";\n";
  s += "  static constexpr int views = " + number(views()) + ", dims = " + number(dims) + ", attrs = " + number(attrs) +
       ", vec = " + number(vec) + ", vecs_per_thread = " + number(vecs_per_thread) + ", threads = " + number(threads) +
       ", tile_dim = " + number(tile_dim) + ", rows_per_thread = " + number(rows_per_thread) +
       ", rows_dim = " + number(rows_dim) + ", cooperating_threads = " + number(cooperating_threads) +
       ", ulp = " + number(ulp) + ";\n";
  s += std::string("  static constexpr bool index64 = ") + truth(index64) + ", halves = " + truth(halves) +
       ", bits_kept = " + truth(bits_kept) + ", table = " + truth(table) + ";\n";
  const std::string name = template_of(*this);
  const bool named = name == "elementwise" || name == "packed_elementwise";
  if (named) s += "  static constexpr u64 pieces = " + std::to_string(loads_in_one_piece(*this)) + "u;\n";
  s += "};\n";
  if (named) s += transfers_text(*this);
  return s + head + "arguments_of<spec> a) {\n  " + name + (named ? "<spec, transfers>" : "<spec>") + "::run(a);\n}\n";
}

std::string KernelSpec::name() const {
  if (which == Template::lookup) return "lookup(8-bit)";
  if (which == Template::lookup_halves) return "lookup(16-bit)";
  if (which == Template::lookup_pairs) return "lookup(pairs of 8-bit)";
  const auto list = [](const std::vector<AccessSpec>& accesses) {
    std::string s = "(";
    for (const AccessSpec& a : accesses)
      s += std::string(s == "(" ? "" : ", ") + type_of(a) + " " + pattern_name(a.pattern);
    return s + ")";
  };
  const auto times = [](const char* what, int n) { return n > 1 ? what + std::to_string(n) : ""; };
  if (has_rows())
    return body + list(loads) + "->" + list(stores) + "@" +
           (row.in_columns ? "columns" + times("x", row.parts)
            : row.kept     ? "kept"
            : row.staged   ? "staged" + number(row.staged)
                           : "long") +
           times("x", row.cluster) + times("x", row.warps) + "x" + std::to_string(row.lanes) + "x" +
           std::to_string(row.packs) + "x" + std::to_string(vec) +
           (row.part ? " parts" + std::to_string(row.part) : "") +
           (row.group_span ? " groups" + std::to_string(row.group_span) : "") + (row.full ? "" : " partial") +
           (row.aligned ? "" : " unaligned") + (index64 ? " index64" : "");
  const std::string what = is_expression() ? body : body + "<" + ctype_name(ctype) + ">";
  return what + list(loads) + "->" + list(stores) + "@" + order_name(order) +
         (dims > 1 ? std::to_string(dims) + "d" : "") + "x" + std::to_string(vec) + times("x", vecs_per_thread) +
         times(" rows", rows_per_thread) + times(" cooperating", cooperating_threads) + (index64 ? " index64" : "") +
         (is_expression() && part < vec ? " part" + std::to_string(part) : "") +
         (policy == "portable" ? "" : " " + policy) + (table ? " table" : "") +
         (has_activation_table() ? " activations" : "");
}

}  // namespace tileops::cuda
