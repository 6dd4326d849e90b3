// From a pass to a program: which values are rounded how, what is loaded when, and which slot each value has.
#include <algorithm>

#include "base/error.h"
#include "cpu/memory/fetch.h"
#include "cpu/memory/non_temporal.h"
#include "cpu/program/mix.h"
#include "cpu/program/program.h"
#include "problem/analysis.h"

namespace tileops::cpu {
namespace {

class Assembler {
 public:
  Assembler(const Problem& problem, Source&& source, const MemoryKernels& memory, int threads)
      : problem_(problem),
        pass_(std::move(source.pass)),
        tables_(std::move(source.tables)),
        reductions_(std::move(source.reductions)),
        info_(analysed()),
        memory_(memory) {
    std::vector<ChosenKernel> kernels = std::move(source.kernels);
    split_results(&kernels);
    steps_.reserve(kernels.size());
    for (const ChosenKernel& k : kernels) scans_.push_back(k.scan);
    for (size_t s = 0; s < kernels.size(); ++s)
      steps_.push_back(kernels[s].kernel ? make_step(pass_.steps[s], *kernels[s].kernel, kernels[s].inner)
                                         : StepKernel{});
    choose_rounding();
    const size_t loads = pass_.loads.size();
    mixed_ = mix_forms(&pass_, info_, &steps_, &tables_);
    if (pass_.loads.size() > loads) info_ = analysed();
    p_.layout = source.is_phase ? plain_layout(pass_) : make_layout(pass_);
    p_.memory = &memory;
    p_.non_temporal_stores = source.is_phase
                                 ? source.non_temporal_stores
                                 : wants_non_temporal_stores(pass_, static_cast<size_t>(p_.layout.numel), threads);
  }

  Program run() {
    make_operands();
    copy_what_tests_read();
    order();
    assign_slots();
    choose_tile(problem_, &p_);
    return std::move(p_);
  }

 private:
  size_t value_index(const Value& v) const {
    return v.of == Value::Of::load
               ? static_cast<size_t>(v.index)
               : pass_.loads.size() + static_cast<size_t>(v.index) * kMaxResults + static_cast<size_t>(v.result);
  }
  size_t num_values() const { return pass_.loads.size() + pass_.steps.size() * kMaxResults; }

  PassInfo analysed() const {
    AnalysisOptions options;
    if (std::any_of(tables_.begin(), tables_.end(), [](const Table& t) { return t != nullptr; }))
      for (const Table& t : tables_) options.looked_up.push_back(t != nullptr);
    return PassInfo(pass_, options);
  }

  // Results rounded to odd are for narrow floats alone: a step whose results others take as well is there twice.
  void split_results(std::vector<ChosenKernel>* kernels) {
    for (size_t s = 0; s < pass_.steps.size(); ++s) {
      const ValueInfo all = info_.of_step(s);
      if (all.taken_by(Rounding::odd) == 0 || all.taken_by(Rounding::odd) == all.readers()) continue;
      const auto at = static_cast<ptrdiff_t>(s);
      pass_.steps.insert(pass_.steps.begin() + at, pass_.steps[s]);
      kernels->insert(kernels->begin() + at, (*kernels)[s]);
      const auto move = [&](Value* v, bool rounds) {  // narrow floats come from the first of the two
        if (v->of == Value::Of::step && (v->index > at || (v->index == at && !rounds))) ++v->index;
      };
      for (size_t reader = s + 2; reader < pass_.steps.size(); ++reader) {
        Step& step = pass_.steps[reader];
        for (Value& v : step.arguments) move(&v, !step.body && is_narrow_float(step.to));
      }
      for (size_t k = 0; k < pass_.stored.size(); ++k) move(&pass_.stored[k], is_narrow_float(pass_.stores[k].dtype));
      each_index(pass_, [&](Value& v) { move(&v, false); });
      info_ = analysed();
    }
  }

  // Results that are all rounded to odd, or of which some are tested.
  void choose_rounding() {
    for (size_t s = 0; s < steps_.size(); ++s) {
      if (!steps_[s].kernel) continue;
      const ValueInfo all = info_.of_step(s);
      steps_[s].tested = steps_[s].tested && all.taken_by(Rounding::tested) > 0;
      if (all.taken_by(Rounding::odd) > 0) round_to_odd(&steps_[s]);
    }
  }

  bool is_tested(const Value& v) const {
    return v.of == Value::Of::step && steps_[static_cast<size_t>(v.index)].kernel &&
           steps_[static_cast<size_t>(v.index)].tested;
  }

  void make_operands() {
    std::vector<bool> copied(pass_.loads.size());
    const auto copies = [&](const Value& v) {
      if (v.of == Value::Of::load) copied[static_cast<size_t>(v.index)] = true;
    };
    for (const Step& step : pass_.steps)
      if (step.converts()) copies(step.arguments[0]);
    for (const Value& v : pass_.stored) copies(v);
    for (size_t i = 0; i < pass_.loads.size(); ++i) {
      const View& view = pass_.loads[i];
      const bool raw = tables_[i] || mixed_.loads[i];
      const Ctype type = raw ? bits_type(dtype_size(view.dtype))
                             : info_.of({Value::Of::load, static_cast<int>(i), 0}).type;
      p_.loads.push_back(make_load(problem_, view, p_.layout.loads[i], memory_, type, copied[i], raw));
      p_.loads.back().table = std::move(tables_[i]);
    }
    for (size_t k = 0; k < pass_.stores.size(); ++k) {
      const Value& v = pass_.stored[k];
      const bool narrow = mixed_.stores[k];
      const Ctype type = narrow ? Ctype::u16 : info_.of(v).type;
      p_.stores.push_back(
          make_store(problem_, pass_.stores[k], p_.layout.stores[k], memory_, type, is_tested(v), narrow));
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
    c.to = make_store(problem_, dense, {}, memory_, info_.of(v).type, is_tested(v), false);
    c.from = make_load(problem_, dense, {}, memory_, compute_type(step.to), true, false);
    c.direct = ctype_dtype(compute_type(step.to)) == step.to;
    p_.conversions.push_back(std::move(c));
  }

  // Tested results that are stored may be computed again when another store has written to an operand's memory.
  void copy_what_tests_read() {
    if (p_.stores.size() < 2) return;
    for (size_t k = 0; k < p_.stores.size(); ++k) {
      const Value& stored = pass_.stored[k];
      if (stored.of == Value::Of::load) p_.loads[static_cast<size_t>(stored.index)].direct = false;
      if (!p_.stores[k].tested) continue;
      for (const Value& v : pass_.steps[static_cast<size_t>(stored.index)].arguments)
        if (v.of == Value::Of::load) p_.loads[static_cast<size_t>(v.index)].direct = false;
    }
  }

  // Loads before their first reader, stores at the end: in place, nothing is loaded after a store.
  void order() {
    std::vector<bool> loaded(pass_.loads.size());
    const auto load = [&](const Value& v) {
      if (v.of != Value::Of::load || loaded[static_cast<size_t>(v.index)]) return;
      loaded[static_cast<size_t>(v.index)] = true;
      p_.instructions.push_back({Instruction::Does::load, v.index});
    };
    const auto add = [&](Instruction::Does does, size_t index, const std::vector<Value>& reads) {
      for (const Value& v : reads) load(v);
      Instruction instruction{does, static_cast<int>(index)};
      const bool tests = does == Instruction::Does::store     ? p_.stores[index].tested != nullptr
                         : does == Instruction::Does::convert ? p_.conversions[index].to.tested != nullptr
                                                              : false;
      if (tests) {
        instruction.tested = reads[0].index;
        instruction.result = reads[0].result;
      }
      takers_.push_back(p_.instructions.size());
      p_.instructions.push_back(instruction);
    };
    size_t conversion = 0;
    for (size_t s = 0; s < pass_.steps.size(); ++s) {
      const Step& step = pass_.steps[s];
      if (step.converts()) {
        add(Instruction::Does::convert, conversion++, step.arguments);
        converted_.push_back(s);
      } else {
        add(step.scans ? Instruction::Does::scan : Instruction::Does::compute, s, step.arguments);
      }
    }
    for (const Value& v : pass_.stored) load(v);
    for (size_t k = 0; k < pass_.stored.size(); ++k) add(Instruction::Does::store, k, {pass_.stored[k]});
  }

  // By instruction, the values that are needed no longer after it.
  std::vector<std::vector<size_t>> ends() const {
    std::vector<int> last(num_values(), -1);  // step or store
    for (int i = 0; i < static_cast<int>(pass_.loads.size()); ++i)
      last[static_cast<size_t>(i)] = info_.of({Value::Of::load, i, 0}).last_taken;
    for (int s = 0; s < static_cast<int>(pass_.steps.size()); ++s)
      for (int r = 0; r < info_.results_of(static_cast<size_t>(s)); ++r) {
        const Value v{Value::Of::step, s, r};
        last[value_index(v)] = std::max(s, info_.of(v).last_taken);
      }
    // A test computes a step again.
    for (size_t t = 0; t < takers_.size(); ++t)
      if (const int tested = p_.instructions[takers_[t]].tested; tested >= 0)
        for (const Value& v : pass_.steps[static_cast<size_t>(tested)].arguments)
          last[value_index(v)] = std::max(last[value_index(v)], static_cast<int>(t));
    std::vector<std::vector<size_t>> ends(p_.instructions.size());
    for (size_t v = 0; v < last.size(); ++v)
      if (last[v] >= 0) ends[takers_[static_cast<size_t>(last[v])]].push_back(v);
    return ends;
  }

  // Loads that later tiles may find in their slot keep it; the other slots go from value to value.
  void assign_slots() {
    const std::vector<std::vector<size_t>> ends = this->ends();
    std::vector<int> slot(num_values(), -1), free;
    std::vector<bool> kept(num_values());
    const auto take = [&](size_t value, Ctype type) {
      p_.slot_element = std::max(p_.slot_element, ctype_size(type));
      if (!free.empty() && !kept[value]) {
        slot[value] = free.back();
        free.pop_back();
      } else {
        slot[value] = p_.slots++;
      }
      return slot[value];
    };
    for (size_t i = 0; i < p_.instructions.size(); ++i) {
      Instruction& at = p_.instructions[i];
      const size_t index = static_cast<size_t>(at.index);
      if (at.does == Instruction::Does::load) {
        const Load& load = p_.loads[index];
        place_indices(slot, &p_.loads[index]);
        kept[index] = std::count(load.strides.begin(), load.strides.end(), 0) > 0 && load.kind != ViewKind::index &&
                      load.indices.empty();
        at.to = take(index, load.table ? Ctype::f32 : load.type);
      } else if (at.does == Instruction::Does::compute) {
        StepKernel& step = steps_[index];
        for (int k = 0; k < step.kernel->num_in; ++k)
          step.arguments[k] = slot[value_index(pass_.steps[index].arguments[static_cast<size_t>(k)])];
        for (int r = 0; r < step.kernel->num_out; ++r)
          step.results[r] = take(value_index({Value::Of::step, at.index, r}), step.out[r]);
      } else if (at.does == Instruction::Does::scan) {
        const Step& step = pass_.steps[index];
        at.from = slot[value_index(step.arguments[0])];
        at.to = take(value_index({Value::Of::step, at.index, 0}), step.ctype);
        at.index = scans_[index];
      } else {
        const bool store = at.does == Instruction::Does::store;
        if (store) place_indices(slot, &p_.stores[index]);
        at.from = slot[value_index(store ? pass_.stored[index] : pass_.steps[converted_[index]].arguments[0])];
        if (!store) {
          const Value v{Value::Of::step, static_cast<int>(converted_[index]), 0};
          at.to = take(value_index(v), p_.conversions[index].from.type);
        }
      }
      for (const size_t v : ends[i])
        if (!kept[v]) free.push_back(slot[v]);
    }
    ++p_.slots;  // the spare one
    find_in_place();
    take_steps();
  }

  // Indices are found by the slots that they are in.
  void place_indices(const std::vector<int>& slot, Operand* operand) const {
    for (View::Index& index : operand->indices) index.value.index = slot[value_index(index.value)];
  }

  void find_in_place() {
    if (pass_.steps.empty() || !pass_.steps.back().body) return;
    const size_t end = pass_.steps.size() - 1;
    for (size_t k = p_.stores.size(); k-- > 0;) {
      const Value& v = pass_.stored[k];
      if (v.of == Value::Of::step && static_cast<size_t>(v.index) == end && p_.stores[k].direct && !is_reduction(k))
        p_.in_place[v.result] = static_cast<int>(k);
    }
    // Loads that are only stored come after it.
    for (size_t i = p_.instructions.size(); i-- > 0 && p_.instructions[i].does != Instruction::Does::compute;)
      if (p_.instructions[i].does == Instruction::Does::load) std::fill_n(p_.in_place, kMaxResults, -1);
  }

  bool is_reduction(size_t store) const { return store < reductions_.size() && reductions_[store] >= 0; }

  // Conversions have no kernel, and leave the list of steps; reductions take what the others store.
  void take_steps() {
    std::vector<int> number(steps_.size(), -1);
    for (size_t s = 0; s < steps_.size(); ++s) {
      if (!steps_[s].kernel) continue;
      number[s] = static_cast<int>(p_.steps.size());
      const std::vector<int>& numbers = pass_.steps[s].numbers;
      for (size_t a = 0; a < numbers.size(); ++a)
        if (numbers[a] >= 0) p_.attributes.push_back({number[s], static_cast<int>(a), numbers[a]});
      p_.steps.push_back(std::move(steps_[s]));
    }
    for (Instruction& i : p_.instructions) {
      if (i.does == Instruction::Does::compute) i.index = number[static_cast<size_t>(i.index)];
      if (i.tested >= 0) i.tested = number[static_cast<size_t>(i.tested)];
      if (i.does != Instruction::Does::store || !is_reduction(static_cast<size_t>(i.index))) continue;
      i.does = Instruction::Does::reduce;
      i.index = reductions_[static_cast<size_t>(i.index)];
    }
  }

  const Problem& problem_;
  Pass pass_;                    // results may be split
  std::vector<Table> tables_;    // by load
  std::vector<int> reductions_;  // by store; empty: none
  std::vector<int> scans_;       // by step
  PassInfo info_;                // of the pass as it is
  Mixed mixed_;
  const MemoryKernels& memory_;
  Program p_;
  std::vector<StepKernel> steps_;  // one for each of the pass's; those of conversions have no kernel
  std::vector<size_t> converted_;  // the step that a conversion is
  std::vector<size_t> takers_;     // the instruction of each step and, behind them, of each store
};

}  // namespace

Program assemble(const Problem& problem, Source&& source, const MemoryKernels& memory, int threads) {
  return Assembler(problem, std::move(source), memory, threads).run();
}

}  // namespace tileops::cpu
