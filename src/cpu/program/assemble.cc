// From a pass to a program: which values are rounded how, and what is loaded when; then slots.cc says where values are.
#include <algorithm>
#include <array>

#include "cpu/memory/fetch.h"
#include "cpu/memory/non_temporal.h"
#include "cpu/program/mix.h"
#include "cpu/program/program.h"
#include "cpu/program/row_values.h"
#include "cpu/program/slots.h"
#include "problem/analysis.h"

namespace tileops::cpu {
namespace {

class Assembler {
 public:
  Assembler(const Problem& problem, KernelledPass&& source, const MemoryKernels& memory, size_t past_cache_from,
            Sizes* sizes)
      : sizes_(sizes), problem_(problem), source_(source), memory_(memory), info_(analysed(source)) {
    part_rounded_results(&source_, &info_);
    u_.scans.reserve(source_.kernels.size());
    u_.steps.reserve(source_.kernels.size());
    for (size_t s = 0; s < source_.kernels.size(); ++s) {
      const ChosenKernel& k = source_.kernels[s];
      u_.scans.push_back(k.scan);
      u_.steps.push_back(k.kernel ? make_step(pass_.steps[s], *k.kernel, k.inner) : StepKernel{});
    }
    choose_rounding();
    const size_t loads = pass_.loads.size();
    mixed_ = mix_forms(&pass_, info_, &u_.steps, &source_.tables);
    if (pass_.loads.size() > loads) info_ = analysed(source_);
    p_.layout = source.is_phase ? plain_layout(pass_) : make_layout(pass_);
    p_.memory = &memory;
    p_.non_temporal_stores = source.is_phase ? source.non_temporal_stores
                                             : static_cast<size_t>(p_.layout.numel.typical()) >= past_cache_from;
    p_.reads_rows_ahead = source.reads_rows_ahead;
    p_.reads_ahead = p_.non_temporal_stores || source.reads_ahead || source.reads_rows_ahead;
  }

  Program run() {
    make_operands();
    copy_what_tests_read();
    order();
    Program program = assign_slots(std::move(u_), source_, info_);
    choose_tile(problem_, &program);
    return program;
  }

 private:
  // Results that are all rounded to odd, or of which some are tested.
  void choose_rounding() {
    for (size_t s = 0; s < u_.steps.size(); ++s) {
      if (!u_.steps[s].kernel) continue;
      const ValueInfo all = info_.of_step(s);
      u_.steps[s].tested = u_.steps[s].tested && all.taken_by(Rounding::tested) > 0;
      if (all.taken_by(Rounding::odd) > 0) round_to_odd(&u_.steps[s]);
    }
  }

  bool is_tested(const Value& v) const {
    return v.kind == Value::Kind::step && u_.steps[static_cast<size_t>(v.index)].kernel &&
           u_.steps[static_cast<size_t>(v.index)].tested;
  }

  void make_operands() {
    std::vector<bool> copied(pass_.loads.size());
    p_.loads.reserve(pass_.loads.size());
    p_.stores.reserve(pass_.stores.size());
    const auto copies = [&](const Value& v) {
      if (v.kind == Value::Kind::load) copied[static_cast<size_t>(v.index)] = true;
    };
    for (const Step& step : pass_.steps)
      if (step.converts()) copies(step.arguments[0]);
    for (const Value& v : pass_.stored) copies(v);
    for (size_t i = 0; i < pass_.loads.size(); ++i) {
      const View& view = pass_.loads[i];
      const bool raw = source_.tables[i] || mixed_.loads[i];
      const Ctype type = raw ? bits_type(dtype_size(view.dtype))
                             : info_.of({Value::Kind::load, static_cast<int>(i), 0}).type;
      p_.loads.push_back(make_load(problem_, view, p_.layout.loads[i], memory_, type, copied[i], raw, sizes_));
      p_.loads.back().table = std::move(source_.tables[i]);
    }
    for (size_t k = 0; k < pass_.stores.size(); ++k) {
      const Value& v = pass_.stored[k];
      const bool narrow = mixed_.stores[k];
      const Ctype type = narrow ? Ctype::u16 : info_.of(v).type;
      p_.stores.push_back(
          make_store(problem_, pass_.stores[k], p_.layout.stores[k], memory_, type, is_tested(v), narrow, sizes_));
    }
    for (const Step& step : pass_.steps)
      if (step.converts()) add_conversion(step);
  }

  void add_conversion(const Step& step) {
    const Value& v = step.arguments[0];
    View dense;
    dense.dtype = step.to;
    dense.fp8 = step.fp8;
    Conversion c;
    c.to = make_store(problem_, dense, {}, memory_, info_.of(v).type, is_tested(v), false, sizes_);
    c.from = make_load(problem_, dense, {}, memory_, compute_type(step.to), true, false, sizes_);
    c.direct = ctype_dtype(compute_type(step.to)) == step.to;
    p_.conversions.push_back(std::move(c));
  }

  // Tested results that are stored may be computed again when another store has written to an operand's memory.
  // Reductions and locals of phases write to none.
  void copy_what_tests_read() {
    const auto writes = [&](size_t k) {
      const bool is_reduced = k < source_.reductions.size() && source_.reductions[k] >= 0;
      return !is_reduced && !(p_.stores[k].kind == ViewKind::temporary && p_.stores[k].slot < 0);
    };
    size_t writing = 0;
    for (size_t k = 0; k < p_.stores.size(); ++k) writing += writes(k);
    for (size_t k = 0; k < p_.stores.size(); ++k) {
      if (writing == (writes(k) ? 1 : 0)) continue;  // no other one
      const Value& stored = pass_.stored[k];
      if (stored.kind == Value::Kind::load) p_.loads[static_cast<size_t>(stored.index)].direct = false;
      if (!p_.stores[k].tested) continue;
      for (const Value& v : pass_.steps[static_cast<size_t>(stored.index)].arguments)
        if (v.kind == Value::Kind::load) p_.loads[static_cast<size_t>(v.index)].direct = false;
    }
  }

  // Loads before their first reader, stores at the end: in place, nothing is loaded after a store.
  void order() {
    const RowValues rows(pass_, u_.steps, &p_);
    std::vector<bool> loaded(pass_.loads.size()), spread_loads(pass_.loads.size()), spread_steps(pass_.steps.size());
    u_.takers.reserve(pass_.steps.size() + pass_.stores.size());
    p_.instructions.reserve(pass_.loads.size() + pass_.steps.size() + pass_.stores.size());
    // Whoever takes a value of each element finds one of rows spread along these.
    const auto spread = [&](const Value& v) {
      if (!rows.has(v)) return;
      std::vector<bool>& there = v.kind == Value::Kind::load ? spread_loads : spread_steps;
      if (there[static_cast<size_t>(v.index)]) return;
      there[static_cast<size_t>(v.index)] = true;
      p_.instructions.push_back({Instruction::Does::spread, static_cast<int>(u_.spread.size())});
      u_.spread.push_back(v);
    };
    const auto spread_indices = [&](const Operand& operand) {
      for (const View::Index& index : operand.indices)
        if (!operand.indices_once_a_row) spread(index.value);
    };
    const auto load = [&](const Value& v) {
      if (v.kind != Value::Kind::load || loaded[static_cast<size_t>(v.index)]) return;
      loaded[static_cast<size_t>(v.index)] = true;
      spread_indices(p_.loads[static_cast<size_t>(v.index)]);
      p_.instructions.push_back({Instruction::Does::load, v.index});
      p_.instructions.back().once_a_row = rows.has(v);
    };
    const auto add = [&](Instruction::Does does, size_t index, const auto& reads, bool once_a_row) {
      for (const Value& v : reads) {
        load(v);
        if (!once_a_row) spread(v);
      }
      Instruction instruction{does, static_cast<int>(index)};
      instruction.once_a_row = once_a_row;
      const bool tests = does == Instruction::Does::store     ? p_.stores[index].tested != nullptr
                         : does == Instruction::Does::convert ? p_.conversions[index].to.tested != nullptr
                                                              : false;
      if (tests) {
        instruction.tested = reads[0].index;
        instruction.result = reads[0].result;
      }
      u_.takers.push_back(p_.instructions.size());
      p_.instructions.push_back(instruction);
    };
    size_t conversion = 0;
    for (size_t s = 0; s < pass_.steps.size(); ++s) {
      const Step& step = pass_.steps[s];
      const bool once_a_row = rows.has(step_value(s));
      if (step.converts()) {
        add(Instruction::Does::convert, conversion++, step.arguments, once_a_row);
        u_.converted.push_back(s);
      } else {
        add(step.scans ? Instruction::Does::scan : Instruction::Does::compute, s, step.arguments, once_a_row);
      }
    }
    for (const Value& v : pass_.stored) {
      load(v);
      spread(v);
    }
    for (const Store& store : p_.stores) spread_indices(store);
    for (size_t k = 0; k < pass_.stored.size(); ++k)
      add(Instruction::Does::store, k, std::array{pass_.stored[k]}, false);
  }

  Sizes* const sizes_;
  const Problem& problem_;
  KernelledPass& source_;  // results may be parted
  Pass& pass_ = source_.pass;
  const MemoryKernels& memory_;
  PassInfo info_;  // of the pass as it is
  Mixed mixed_;
  Unplaced u_;
  Program& p_ = u_.program;
};

}  // namespace

Program assemble(const Problem& problem, KernelledPass&& source, const MemoryKernels& memory, size_t past_cache_from,
                 Sizes* sizes) {
  return Assembler(problem, std::move(source), memory, past_cache_from, sizes).run();
}

}  // namespace tileops::cpu
