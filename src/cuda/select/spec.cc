#include "cuda/select/spec.h"

#include "cuda/kernels/common/window_range.h"

namespace tileops::cuda {
namespace {

const char* compute_name(Ctype t) {
  static const char* const names[] = {
#define TILEOPS_CTYPE(id, type) #type,
#include <tileops/dtypes.def>
  };
  return names[static_cast<int>(t)];
}

const char* reach_name(Reach r) {
  static const char* const names[] = {"dense", "row",   "splat",    "strided",
                                      "fixed", "index", "gathered", "tile", "even", "odd"};
  return names[static_cast<int>(r)];
}

const char* walk_name(Walk w) {
  static const char* const names[] = {"flat", "rows", "elements", "tiles"};
  return names[static_cast<int>(w)];
}

std::string list_text(const std::vector<AccessSpec>& list) {
  std::string s = "types<";
  for (const AccessSpec& a : list) {
    if (s.back() != '<') s += ", ";
    s += "access<" + a.storage + ", reach::" + reach_name(a.reach);
    if (a.gather >= 0) s += ", " + a.ids + ", " + std::to_string(a.gather);
    s += ">";
  }
  return s + ">";
}

}  // namespace

const char* storage_name(Dtype dtype) {
  static const char* const names[] = {
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, category, exponent, fraction, \
                      largest, compute, storage, saturating, npy, doc)                            \
  #storage,
#include <tileops/dtypes.def>
  };
  return names[static_cast<int>(dtype)];
}

const char* destination_name(Dtype dtype, Fp8Mode mode) {
  static const char* const saturating_names[] = {
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, category, exponent, fraction, \
                      largest, compute, storage, saturating, npy, doc)                            \
  #saturating,
#include <tileops/dtypes.def>
  };
  return mode == Fp8Mode::saturate ? saturating_names[static_cast<int>(dtype)]
                                   : storage_name(dtype);
}

int KernelSpec::shared_bytes() const {
  if (which == Template::lookup_halves || which == Template::lookup_pairs) return 65536 * result_bytes;
  if (units != 0) return 0;
  return static_cast<int>((loads[0].storage == "bf16" ? kernels::kBf16Window : kernels::kF16Window).bytes());
}

std::string KernelSpec::text() const {
  const auto flag = [](bool b) { return b ? "true" : "false"; };
  const auto number = [](int n) { return std::to_string(n); };
  const std::string head = "extern \"C\" __global__ void __launch_bounds__(" + number(threads) +
                           (min_blocks ? ", " + number(min_blocks) : "") + ") " + kKernelSymbol + "(const __grid_constant__ ";
  if (which != Template::elementwise) {
    const bool pairs = which == Template::lookup_pairs;
    const std::string name = which == Template::lookup ? "lookup<"
                             : pairs                   ? "lookup_pairs<"
                             : result_bytes == 2       ? "lookup_halves<u16, "
                                                       : "lookup_halves<u8, ";
    const std::string views = number(pairs ? 3 : 2);
    return "using namespace tileops::kernels;\n" + head + "arguments<" + views + ", 1, 0> a) {\n  " + name + number(units) +
           ">::run(a);\n}\n";
  }
  std::string s = "using namespace tileops::kernels;\nstruct spec {\n";
  if (on_bits)
    s += "  template <class, class> using body = on_halves<op::" + body + "<portable, float>>;\n";
  else
    s += "  template <class P, class T> using body = op::" + body + "<P, T>;\n";
  s += "  using policy = " + policy + ";\n";
  s += std::string("  using compute = ") + (on_bits ? "u16" : compute_name(ctype)) + ";\n";
  s += "  using loads = " + list_text(loads) + ";\n";
  s += "  using stores = " + list_text(stores) + ";\n";
  s += std::string("  static constexpr walk walks = walk::") + walk_name(walk) + ";\n";
  s += "  static constexpr int views = " + number(views()) + ", dims = " + number(dims) +
       ", attrs = " + number(attrs) + ", vector = " + number(vector) + ", units = " + number(units) +
       ", threads = " + number(threads) + ", edge = " + number(edge) +
       ", repeat = " + number(repeat) + ", repeat_dim = " + number(repeat_dim) + ", share = " + number(share) +
       ", ulp = " + number(ulp) + ";\n";
  s += std::string("  static constexpr bool wide = ") + flag(wide) + ", halves = " + flag(halves) +
       ", bits_kept = " + flag(bits_kept) + ", table = " + flag(table) + ";\n};\n";
  const char* const which_template = walk == Walk::tiles ? "tiled" : "elementwise";
  return s + head + "arguments_of<spec> a) {\n  " + which_template + "<spec>::run(a);\n}\n";
}

std::string KernelSpec::name() const {
  if (which == Template::lookup) return "lookup(8-bit)";
  if (which == Template::lookup_halves) return "lookup(16-bit)";
  if (which == Template::lookup_pairs) return "lookup(pairs of 8-bit)";
  std::string s = body + "<" + ctype_name(ctype) + ">(";
  for (const AccessSpec& a : loads) s += (s.back() == '(' ? "" : ", ") + a.storage + " " + reach_name(a.reach);
  s += ")->(";
  for (const AccessSpec& a : stores) s += (s.back() == '(' ? "" : ", ") + a.storage + " " + reach_name(a.reach);
  s += std::string(")@") + walk_name(walk) + (dims > 1 ? std::to_string(dims) + "d" : "") + "x" +
       std::to_string(vector) + (units > 1 ? "x" + std::to_string(units) : "") +
       (repeat > 1 ? "r" + std::to_string(repeat) : "") + (share > 1 ? "s" + std::to_string(share) : "") +
       (wide ? " wide" : "") + (policy == "portable" ? "" : " " + policy) + (table ? " table" : "") + (units == 0 ? " window" : "");
  return s;
}

}  // namespace tileops::cuda
