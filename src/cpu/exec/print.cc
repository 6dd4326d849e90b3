#include "cpu/exec/print.h"

#include <algorithm>

#include "cpu/memory/non_temporal.h"

namespace tileops::cpu {
namespace {

std::string half_loop_text(const StepKernel& s) {
  if (s.out[0] == Ctype::u8) return "half loop: tested as the operands lie in memory";
  const std::string text = "half loop: widened, computed and rounded in registers";
  return s.gates ? text + ", the first operand's function from a table of 65536 f32" : text;
}

}  // namespace

std::string Listing::text() const {
  size_t width = 0;
  for (const auto& line : lines_) width = std::max(width, line.first.size());
  std::string text = heading_ + "\n";
  for (const auto& [what, how] : lines_) text += what + std::string(width - what.size(), ' ') + "  ; " + how + "\n";
  return text;
}

std::string tiles_text(const Tiles& tiles, bool non_temporal_stores) {
  const std::string count = tiles.is_open() ? "" : std::to_string(tiles.planned_count()) + " ";
  std::string text = count + (count == "1 " ? "tile of " : "tiles of ");
  if (tiles.rows() > 1) text += std::to_string(tiles.rows()) + " rows of ";
  text += std::to_string(tiles.cols()) + " elements";
  return non_temporal_stores ? text + "; non-temporal stores" : text;
}

std::string operand_text(const Operand& operand) {
  static const char* const kinds[] = {"input ", "output ", "constant ", "index", "number ", "workspace "};
  std::string text = kinds[static_cast<int>(operand.kind)];
  if (operand.kind == ViewKind::temporary && operand.slot < 0)
    return "local " + std::to_string(local_of_slot(operand.slot)) + " " + dtype_label(operand.dtype);
  if (operand.kind != ViewKind::index) text += std::to_string(operand.slot);
  return text + " " +
         (operand.kind == ViewKind::index ? dtype_label(ctype_dtype(operand.type)) : dtype_label(operand.dtype));
}

std::string body_text(const StepKernel& step) { return step.body->name; }

std::string load_text(const Load& load, const Tiles& tiles) {
  if (load.kind == ViewKind::index) return "the index of each element";
  if (!load.indices.empty()) return "gathered by indices";
  const Tile t = tiles.whole_tile(load);
  const bool dense = is_dense(t, load.storage);
  const bool repeated = t.col_stride == 0 || (t.row_stride == 0 && t.rows > 1);
  std::string text = dense ? "" : "from strided memory, ";
  if (t.col_stride == 0) text = t.row_stride == 0 || t.rows == 1 ? "one value repeated, " : "one value a row, ";
  else if (repeated) text = "one row repeated, ";
  if (load.table)
    return text + "looked up by code in a table of " + std::to_string(load.table->size() / sizeof(float)) + " f32";
  if (!load.direct) return text + "converted";
  return dense ? "where it lies in memory" : text + "copied";
}

std::string compute_text(const StepKernel& s) {
  const Kernel& k = *s.kernel;
  const std::string type = std::string("in ") + dtype_label(ctype_dtype(k.ctype));
  if (k.identity) return "the load and the store do it";
  if (s.converts_within()) return type + ", " + half_loop_text(s);
  switch (s.variant.loop) {
    case Loop::inner: return type + ", inner: a short form, within 2^-20";
    case Loop::mixed: return type + ", mixed: converts 16-bit floats in registers";
    case Loop::rounded_to_odd: return type + ", rounded to odd, so that the store rounds once";
    default: return type;
  }
}

std::string store_text(const Store& store, const Tiles& tiles, bool non_temporal_stores) {
  const Tile t = tiles.whole_tile(store);
  std::string text = store.direct   ? "copied"
                     : store.tested ? "rounded with a test; what is too close to call is computed again in f64"
                                    : "converted";
  if (!is_dense(t, store.storage)) text += ", to strided memory";
  return non_temporal_stores && rows_suit_non_temporal(nullptr, t, store.storage) ? text + ", non-temporal" : text;
}

std::string operator_text(std::string heading, const std::vector<const Operand*>& loads, const StepKernel& step,
                          const std::vector<const Operand*>& stores) {
  const auto list = [](const std::vector<const Operand*>& operands) {
    std::string text;
    for (const Operand* o : operands) text += (text.empty() ? "" : ", ") + operand_text(*o);
    return text;
  };
  Listing listing(std::move(heading));
  listing.add("  " + list(stores) + " <- " + body_text(step) + "(" + list(loads) + ")", compute_text(step));
  return listing.text();
}

}  // namespace tileops::cpu
