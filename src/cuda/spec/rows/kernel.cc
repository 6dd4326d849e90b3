#include "cuda/spec/rows/kernel.h"

#include "cuda/spec/transfers.h"

namespace tileops::cuda {

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
  s += "  static constexpr u64 group_span = " + std::to_string(r.group_span) + "u, part = " + std::to_string(r.part) +
       "u;\n";
  s += constants({{"short_group", r.short_group},
                  {"short_within", r.short_within},
                  {"vec", spec.vec},
                  {"columns", r.columns},
                  {"parts", r.parts},
                  {"packs", r.packs},
                  {"lanes", r.lanes},
                  {"warps", r.warps},
                  {"cluster", r.cluster},
                  {"staged", r.staged},
                  {"threads", spec.threads}});
  s += "  static constexpr bool kept = " + truth(r.kept) + ", aligned = " + truth(r.aligned) +
       ", full = " + truth(r.full) + ", whole = " + truth(r.whole) + ", runs = " + truth(r.runs) +
       ", index64 = " + truth(spec.index64) + ";\n";
  s += "  static constexpr u64 pieces = " + std::to_string(views_in_one_piece(spec)) + "u;\n};\n" + spec.steps;
  return s + head + "row_arguments<spec> a) {\n  " +
         (r.in_columns ? "columns_kernel<spec, steps>::run_all" : "rows_kernel<spec, steps>::run") + "(a);\n}\n";
}

}  // namespace tileops::cuda
