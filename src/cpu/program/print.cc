// A program as a text, an instruction a line:
//
//    1  compute  s1 f32 <- silu(s0)  ; in f32, inner: a short form, within 2^-20
//
// s0, s1 ... are slots of scratch. A slot that is written has the type of its new value behind it.
#include "cpu/exec/print.h"

#include "cpu/memory/non_temporal.h"
#include "cpu/program/program.h"

namespace tileops::cpu {
namespace {

std::string slot_text(int slot) { return "s" + std::to_string(slot); }

// The type of a step's result in its slot: as kernels take it, or as it lies in memory.
const char* result_type_name(const StepKernel& step, int result) {
  const Elements elements = step.mixes() ? step.elements[step.kernel->num_in] : step.variant.elements;
  return dtype_label(elements == Elements::f16    ? Dtype::f16
                     : elements == Elements::bf16 ? Dtype::bf16
                                                  : ctype_dtype(step.out[result]));
}

class ProgramText {
 public:
  ProgramText(const Program& p, const Tiles& tiles) : p_(p), tiles_(tiles), listing_(heading()) {}

  std::string text() {
    for (const Instruction& i : p_.instructions) switch (i.does) {
        case Instruction::Does::load: load(i); break;
        case Instruction::Does::compute: compute(i); break;
        case Instruction::Does::convert: convert(i); break;
        case Instruction::Does::spread:
          add("spread   ", slot_text(i.to) + " <- " + slot_text(i.from), "along rows");
          break;
        case Instruction::Does::store: store(i); break;
        case Instruction::Does::reduce:
          add("reduce   ", "r" + std::to_string(i.index) + " <- " + slot_text(i.from), "");
          break;
        case Instruction::Does::scan:
          add("scan     ", slot_text(i.to) + " <- c" + std::to_string(i.index) + "(" + slot_text(i.from) + ")", "");
          break;
      }
    return listing_.text();
  }

 private:
  std::string heading() const {
    const std::string tiles = "program: " + tiles_text(tiles_, p_.non_temporal_stores) + "; values in ";
    if (p_.slot_element == 0) return tiles + "memory";
    const int slots = p_.slots - 1;  // and the spare one
    return tiles + std::to_string(slots) + (slots == 1 ? " slot of " : " slots of ") + std::to_string(p_.slot_bytes()) +
           " bytes";
  }

  void add(const char* does, const std::string& what, const std::string& how) {
    const std::string number = std::to_string(count_++);
    listing_.add(std::string(number.size() < 2 ? 1 : 0, ' ') + number + "  " + does + what, how);
  }

  void load(const Instruction& i) {
    const Load& load = p_.loads[static_cast<size_t>(i.index)];
    const char* type = load.table    ? dtype_label(ctype_dtype(Ctype::f32))
                       : load.direct ? dtype_label(load.dtype)
                                     : dtype_label(ctype_dtype(load.type));
    add("load     ", slot_text(i.to) + " " + type + " <- " + operand_text(load),
        i.once_a_row ? "one value a row" : load_text(load, tiles_));
  }

  void compute(const Instruction& i) {
    const StepKernel& step = p_.steps[static_cast<size_t>(i.index)];
    std::string results, arguments, how = compute_text(step) + (i.once_a_row ? ", once a row" : "");
    for (int r = 0; r < step.kernel->num_out; ++r) {
      results += (r ? ", " : "") + slot_text(step.results[r]) + " " + result_type_name(step, r);
      if (writes_to_memory(step, r)) how += "; written to memory";
    }
    for (int k = 0; k < step.kernel->num_in; ++k) arguments += (k ? ", " : "") + slot_text(step.arguments[k]);
    for (const Program::Attribute& a : p_.attributes)
      if (a.step == i.index) how += "; attribute " + std::to_string(a.attr) + ": number " + std::to_string(a.number);
    add("compute  ", results + " <- " + body_text(step) + "(" + arguments + ")", how);
  }

  void convert(const Instruction& i) {
    const Conversion& c = p_.conversions[static_cast<size_t>(i.index)];
    const std::string how = c.to.tested ? "rounded with a test; what is too close to call is computed again in f64"
                                        : "rounded";
    add("convert  ", slot_text(i.to) + " " + dtype_label(ctype_dtype(c.from.type)) + " <- " + slot_text(i.from),
        "to " + std::string(dtype_label(c.to.dtype)) + (c.direct ? ", " : " and back, ") + how);
  }

  void store(const Instruction& i) {
    const Store& store = p_.stores[static_cast<size_t>(i.index)];
    bool there = false;
    for (const StepKernel& step : p_.steps)
      for (int r = 0; r < kMaxResults; ++r) there |= step.stores[r] == i.index && writes_to_memory(step, r);
    add("store    ", operand_text(store) + " <- " + slot_text(i.from),
        there ? "there already" : store_text(store, tiles_, p_.stores_past_cache(store)));
  }

  // Does a step write this result to where it is stored? Non-temporal stores need memory that begins at a line.
  bool writes_to_memory(const StepKernel& step, int result) const {
    if (step.stores[result] < 0) return false;
    const Store& store = p_.stores[static_cast<size_t>(step.stores[result])];
    return is_dense(tiles_.whole_tile(store), store.storage) &&
           (!p_.stores_past_cache(store) || step.can_store_non_temporal());
  }

  const Program& p_;
  const Tiles& tiles_;
  Listing listing_;
  int count_ = 0;
};

}  // namespace

std::string program_text(const Program& program, const Tiles& tiles) { return ProgramText(program, tiles).text(); }

}  // namespace tileops::cpu
