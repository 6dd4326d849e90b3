#include "cuda/spec/rows/kernel.h"

#include "cuda/spec/kernel.h"
#include "cuda/spec/transfers.h"

namespace tileops::cuda {

std::string row_kernel_text(const KernelSpec& spec, const std::string& head) {
  const TraversalSpec& t = spec.traversal;
  const RowSpec& r = t.row;
  std::string s = "using namespace tileops::kernels;\nstruct spec {\n  using stride_slots = seq<";
  for (size_t v = 0; v < spec.access.stride_slots.size(); ++v)
    s += (v ? ", " : "") + number(spec.access.stride_slots[v]);
  const auto constants = [](const std::vector<std::pair<const char*, int>>& list) {
    std::string text = "  static constexpr int ";
    for (const auto& [name, value] : list)
      text += std::string(text.size() > 23 ? ", " : "") + name + " = " + std::to_string(value);
    return text + ";\n";
  };
  s += ">;\n" + own_words_text(spec);
  s += constants({{"views", spec.access.views()},
                  {"dims", t.dims},
                  {"num_strides", num_strides(spec.access.stride_slots)},
                  {"attrs", spec.compute.attrs},
                  {"outer", r.outer},
                  {"group_dims", r.group_dims}});
  s += "  static constexpr u64 group_span = " + std::to_string(r.group_span) +
       "u, split_elements = " + std::to_string(r.split_elements) + "u;\n";
  s += constants({{"short_group", r.short_group},
                  {"short_within", r.short_within},
                  {"vec", t.vec},
                  {"columns", r.columns},
                  {"sharing_threads", r.sharing_threads},
                  {"run", r.run},
                  {"packs", r.packs},
                  {"lanes", r.lanes},
                  {"warps", r.warps},
                  {"beside", r.beside},
                  {"cluster", r.cluster},
                  {"staged", r.staged},
                  {"threads", t.threads}});
  s += "  static constexpr bool kept = " + truth(r.kept) + ", aligned = " + truth(r.aligned) +
       ", no_padding = " + truth(r.no_padding) + ", packs_all_or_nothing = " + truth(r.packs_all_or_nothing) +
       ", consecutive = " + truth(r.consecutive) + ", gathers_rows = " + truth(r.gathers_rows) +
       ", index64 = " + truth(t.index64) + ";\n";
  s += "  static constexpr u64 pieces = " + std::to_string(views_in_one_piece(spec)) +
       "u, side_by_side = " + std::to_string(r.side_by_side) + "u;\n};\n" + spec.compute.text;
  return s + entry_text(spec, head, "row_arguments<spec>",
                        r.in_columns ? "columns_kernel<spec, steps>::run_all" : "rows_kernel<spec, steps>::run");
}

}  // namespace tileops::cuda
