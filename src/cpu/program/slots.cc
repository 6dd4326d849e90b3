#include "cpu/program/slots.h"

#include <algorithm>
#include <utility>

namespace tileops::cpu {
namespace {

class SlotAssigner {
 public:
  SlotAssigner(Unplaced&& unplaced, const KernelledPass& source, const PassInfo& info)
      : u_(std::move(unplaced)), source_(source), info_(info) {}

  Program run() {
    assign();
    find_written_stores();
    take_steps();
    return std::move(p_);
  }

 private:
  size_t value_index(const Value& v) const {
    return v.kind == Value::Kind::load
               ? static_cast<size_t>(v.index)
               : pass_.loads.size() + static_cast<size_t>(v.index) * kMaxResults + static_cast<size_t>(v.result);
  }
  size_t num_values() const { return pass_.loads.size() + pass_.steps.size() * kMaxResults; }

  // The values that are needed no longer after an instruction: the first one by instruction, then by value the next
  // one.
  struct Ends {
    std::vector<int> first, next;
  };
  Ends find_ends() const {
    std::vector<int> last(num_values(), -1);  // step or store
    for (int i = 0; i < static_cast<int>(pass_.loads.size()); ++i)
      last[static_cast<size_t>(i)] = info_.of({Value::Kind::load, i, 0}).last_taken;
    for (int s = 0; s < static_cast<int>(pass_.steps.size()); ++s)
      for (int r = 0; r < info_.results_of(static_cast<size_t>(s)); ++r) {
        const Value v{Value::Kind::step, s, r};
        last[value_index(v)] = std::max(s, info_.of(v).last_taken);
      }
    // A test computes a step again.
    for (size_t t = 0; t < u_.takers.size(); ++t)
      if (const int tested = p_.instructions[u_.takers[t]].tested; tested >= 0)
        for (const Value& v : pass_.steps[static_cast<size_t>(tested)].arguments)
          last[value_index(v)] = std::max(last[value_index(v)], static_cast<int>(t));
    Ends ends{std::vector<int>(p_.instructions.size(), -1), std::vector<int>(last.size(), -1)};
    for (size_t v = last.size(); v-- > 0;) {
      if (last[v] < 0) continue;
      int& first = ends.first[u_.takers[last[v]]];
      ends.next[v] = std::exchange(first, static_cast<int>(v));
    }
    return ends;
  }

  // Loads that later tiles may find in their slot keep it; the other slots go from value to value.
  void assign() {
    const Ends ends = find_ends();
    slot_.assign(num_values(), -1);
    spread_.assign(num_values(), -1);
    std::vector<int> free;
    std::vector<bool> kept(num_values());
    const auto another = [&](bool keeps, Ctype type) {
      p_.slot_element = std::max(p_.slot_element, ctype_size(type));
      if (free.empty() || keeps) return p_.slots++;
      const int slot = free.back();
      free.pop_back();
      return slot;
    };
    const auto take = [&](size_t value, Ctype type) { return slot_[value] = another(kept[value], type); };
    for (size_t i = 0; i < p_.instructions.size(); ++i) {
      Instruction& at = p_.instructions[i];
      const size_t index = static_cast<size_t>(at.index);
      if (at.does == Instruction::Does::load) {
        const Load& load = p_.loads[index];
        place_indices(&p_.loads[index]);
        kept[index] = std::count(load.strides.begin(), load.strides.end(), 0) > 0 && load.kind != ViewKind::index &&
                      load.indices.empty();
        at.to = take(index, load.table ? Ctype::f32 : load.type);
      } else if (at.does == Instruction::Does::compute) {
        StepKernel& step = u_.steps[index];
        for (int k = 0; k < step.kernel->num_in; ++k)
          step.arguments[k] = slot_of(pass_.steps[index].arguments[static_cast<size_t>(k)], at.once_a_row);
        for (int r = 0; r < step.kernel->num_out; ++r)
          step.results[r] = take(value_index({Value::Kind::step, at.index, r}), step.out[r]);
      } else if (at.does == Instruction::Does::scan) {
        const Step& step = pass_.steps[index];
        at.from = slot_of(step.arguments[0], false);
        at.to = take(value_index({Value::Kind::step, at.index, 0}), step.ctype);
        at.index = u_.scans[index];
      } else if (at.does == Instruction::Does::spread) {
        const Value& v = u_.spread[index];
        at.index = static_cast<int>(type_of(v));
        at.from = slot_of(v, true);
        at.to = spread_[value_index(v)] = another(false, type_of(v));
      } else {
        const bool store = at.does == Instruction::Does::store;
        if (store) place_indices(&p_.stores[index]);
        at.from = slot_of(store ? pass_.stored[index] : pass_.steps[u_.converted[index]].arguments[0], at.once_a_row);
        if (!store) {
          const Value v{Value::Kind::step, static_cast<int>(u_.converted[index]), 0};
          at.to = take(value_index(v), p_.conversions[index].from.type);
        }
      }
      for (int v = ends.first[i]; v >= 0; v = ends.next[v]) {
        if (!kept[v]) free.push_back(slot_[v]);
        if (spread_[v] >= 0) free.push_back(spread_[v]);
      }
    }
    ++p_.slots;  // the spare one
  }

  // Where a value is, once a row or, if it is there, spread along these.
  int slot_of(const Value& v, bool once_a_row) const {
    const size_t value = value_index(v);
    return once_a_row || spread_[value] < 0 ? slot_[value] : spread_[value];
  }
  // The type that it has there.
  Ctype type_of(const Value& v) const {
    const size_t index = static_cast<size_t>(v.index);
    if (v.kind == Value::Kind::load) return p_.loads[index].table ? Ctype::f32 : p_.loads[index].type;
    return u_.steps[index].kernel ? u_.steps[index].out[v.result] : info_.of(v).type;
  }

  // Indices are found by the slots that they are in.
  void place_indices(Operand* operand) const {
    for (View::Index& index : operand->indices) index.value.index = slot_of(index.value, operand->indices_once_a_row);
  }

  // The last step may write results to where they are stored: in place, everything has been loaded by then. Others may
  // write to locals of phases of rows, which are no operands.
  void find_written_stores() {
    for (size_t k = p_.stores.size(); k-- > 0;) {
      const Value& v = pass_.stored[k];
      const size_t s = static_cast<size_t>(v.index);
      if (v.kind != Value::Kind::step || !u_.steps[s].kernel || !p_.stores[k].direct || is_reduction(k)) continue;
      if (spread_[value_index(v)] < 0 &&
          (is_local(p_.stores[k]) || (s + 1 == u_.steps.size() && !loads_behind_steps())))
        u_.steps[s].stores[v.result] = static_cast<int>(k);
    }
  }
  // Loads that are only stored come after all steps.
  bool loads_behind_steps() const {
    size_t i = p_.instructions.size();
    while (i-- > 0 && p_.instructions[i].does != Instruction::Does::compute)
      if (p_.instructions[i].does == Instruction::Does::load) return true;
    return false;
  }

  bool is_reduction(size_t store) const { return store < source_.reductions.size() && source_.reductions[store] >= 0; }

  // Conversions have no kernel, and leave the list of steps; reductions take what the others store.
  void take_steps() {
    std::vector<int> number(u_.steps.size(), -1);
    p_.steps.reserve(u_.steps.size());
    for (size_t s = 0; s < u_.steps.size(); ++s) {
      if (!u_.steps[s].kernel) continue;
      number[s] = static_cast<int>(p_.steps.size());
      const std::vector<int>& numbers = pass_.steps[s].numbers;
      for (size_t a = 0; a < numbers.size(); ++a)
        if (numbers[a] >= 0) p_.attributes.push_back({number[s], static_cast<int>(a), numbers[a]});
      p_.steps.push_back(std::move(u_.steps[s]));
    }
    for (Instruction& i : p_.instructions) {
      if (i.does == Instruction::Does::compute) i.index = number[static_cast<size_t>(i.index)];
      if (i.tested >= 0) i.tested = number[static_cast<size_t>(i.tested)];
      if (i.does != Instruction::Does::store || !is_reduction(static_cast<size_t>(i.index))) continue;
      i.does = Instruction::Does::reduce;
      i.index = source_.reductions[static_cast<size_t>(i.index)];
    }
  }

  Unplaced u_;
  Program& p_ = u_.program;
  const KernelledPass& source_;
  const Pass& pass_ = source_.pass;
  const PassInfo& info_;
  std::vector<int> slot_, spread_;  // of each value; of its elements, where it is there once a row
};

}  // namespace

Program assign_slots(Unplaced&& unplaced, const KernelledPass& source, const PassInfo& info) {
  return SlotAssigner(std::move(unplaced), source, info).run();
}

}  // namespace tileops::cpu
