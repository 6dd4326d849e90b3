#include "cpu/program/machine.h"

#include "cpu/exec/store.h"
#include "cpu/memory/fetch.h"
#include "cpu/memory/non_temporal.h"

namespace tileops::cpu {

void Machine::begin(const Binding& binding, Scratch* scratch) const {
  std::fill_n(scratch->kept, p_.slots, Kept{});
  set_attributes(binding, scratch);
}

void Machine::set_attributes(const Binding& binding, Scratch* scratch) const {
  for (size_t s = 0; s < p_.steps.size(); ++s) scratch->attributes_of[s] = p_.steps[s].attrs.data();
  AttrValue *next = scratch->attributes, *copy = nullptr;
  int step = -1;
  for (const Program::Attribute& a : p_.attributes) {
    if (a.step != step) {
      step = a.step;
      copy = next;
      const std::vector<AttrValue>& planned = p_.steps[static_cast<size_t>(step)].attrs;
      next = std::copy(planned.begin(), planned.end(), copy);
      scratch->attributes_of[step] = copy;
    }
    copy[a.attr] = binding.numbers[a.number];
  }
}

void Machine::run_tile(const Binding& binding, const Place& place, Scratch* scratch, Reducer* reducer) const {
  const size_t elements = place.rows * place.cols;
  const Place first_of_rows{place.index, place.rows, 1};
  for (const Instruction& i : p_.instructions) {
    const size_t index = static_cast<size_t>(i.index), n = i.once_a_row ? place.rows : elements;
    switch (i.does) {
      case Instruction::Does::load:
        scratch->value[i.to] = load(p_.loads[index], binding, i.once_a_row ? first_of_rows : place, i.to, scratch);
        break;
      case Instruction::Does::compute: compute(index, binding, place, n, scratch); break;
      case Instruction::Does::convert: convert(p_.conversions[index], i, n, scratch); break;
      case Instruction::Does::spread: spread(i, place, scratch); break;
      case Instruction::Does::store:
        store(i, binding, tiles_.piece(binding, p_.stores[index], place), n, scratch);
        break;
      case Instruction::Does::reduce: reducer->take(index, scratch->value[i.from], place); break;
      case Instruction::Does::scan: {
        void* const results = slot(scratch, i.to);
        reducer->scan(index, scratch->value[i.from], place, results);
        scratch->value[i.to] = results;
        break;
      }
    }
  }
}

const void* Machine::load(const Load& from, const Binding& binding, const Place& place, int to,
                          Scratch* scratch) const {
  void* const memory = slot(scratch, to);
  // What one step alone reads, or one large operand, the hardware prefetches, and asking for it costs time.
  const Ahead ahead{p_.reads_ahead, p_.reads_in_turns || p_.reads_rows_ahead};
  Kept none{};
  const void* taken = fetch(from, binding, tiles_, place, *p_.memory, scratch->value, ahead,
                            from.table ? scratch->dense : memory, from.table ? &none : &scratch->kept[to]);
  if (!from.table) return taken;
  const LookupFn* lookup = from.storage == 1 ? p_.memory->lookup : p_.memory->lookup16;
  lookup[2](taken, from.table->data(), place.rows * place.cols, memory, false);
  return memory;
}

void Machine::compute(size_t s, const Binding& binding, const Place& place, size_t n, Scratch* scratch) const {
  const StepKernel& step = p_.steps[s];
  const void* in[kMaxOperands];
  void* out[kMaxResults];
  for (int k = 0; k < step.kernel->num_in; ++k) in[k] = scratch->value[step.arguments[k]];
  bool there = false, past_cache = false;
  for (int r = 0; r < step.kernel->num_out; ++r) {
    out[r] = slot(scratch, step.results[r]);
    there = false;
    if (const int k = step.stores[r]; k >= 0) {
      const Store& store = p_.stores[static_cast<size_t>(k)];
      const Piece to = tiles_.piece(binding, store, place);
      past_cache = p_.stores_past_cache(store);
      there = can_write_there(step, store, to, n, past_cache);
      if (there) out[r] = to.at;
    }
    scratch->value[step.results[r]] = out[r];
  }
  step.run(in, out, n, scratch->attributes_of[s], there && past_cache);
}

void Machine::spread(const Instruction& i, const Place& place, Scratch* scratch) const {
  const auto type = static_cast<Ctype>(i.index);
  void* const elements = slot(scratch, i.to);
  const Tile rows{place.rows, place.cols, static_cast<ptrdiff_t>(ctype_size(type)), 0};
  p_.memory->load[static_cast<int>(ctype_dtype(type))][static_cast<int>(type)](scratch->value[i.from], rows, elements);
  scratch->value[i.to] = elements;
}

// To memory's form in the spare slot, and back.
void Machine::convert(const Conversion& c, const Instruction& i, size_t n, Scratch* scratch) const {
  void* const result = slot(scratch, i.to);
  void* const between = c.direct ? result : slot(scratch, p_.slots - 1);
  const Tile dense{1, n, 0, c.to.storage};
  write(c.to, i, dense, between, n, scratch);
  if (!c.direct) c.from.load(between, dense, result);
  scratch->value[i.to] = result;
}

void Machine::store(const Instruction& i, const Binding& binding, const Piece& to, size_t n, Scratch* scratch) const {
  const Store& store = p_.stores[static_cast<size_t>(i.index)];
  const void* results = scratch->value[i.from];
  if (!store.indices.empty()) {
    write(store, i, Tile{1, n, 0, store.storage}, scratch->dense, n, scratch);
    return store_scattered(store, binding, to, scratch->value, scratch->dense);
  }
  store_results(store, results, n, to, p_.stores_past_cache(store), *p_.memory, scratch->dense,
                [&](const Tile& tile, void* memory) { write(store, i, tile, memory, n, scratch); });
}

// Rounds a value to memory's form.
void Machine::write(const Store& to, const Instruction& i, const Tile& tile, void* dst, size_t n,
                    Scratch* scratch) const {
  const void* results = scratch->value[i.from];
  if (!to.tested) return to.store(results, tile, dst);
  const StepKernel& step = p_.steps[static_cast<size_t>(i.tested)];
  BlockOperands operands;
  for (int k = 0; k < step.kernel->num_in; ++k) operands.in[k] = scratch->value[step.arguments[k]];
  operands.cols = n;
  operands.attrs = scratch->attributes_of[i.tested];
  store_tested(to, results, tile, dst, step, i.result, operands);
}

}  // namespace tileops::cpu
