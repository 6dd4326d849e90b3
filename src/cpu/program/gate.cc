#include "cpu/program/gate.h"

#include "cpu/memory/non_temporal.h"
#include "problem/rows/gate.h"

namespace tileops::cpu {
namespace {

// What the mask is made of, along the extents that number blocks, or one of one block. Its store is a local.
class GateMaker {
 public:
  GateMaker(const Pass& pass, const Layout& layout, size_t outer, const std::vector<ChosenKernel>& kernels)
      : pass_(pass),
        layout_(layout),
        outer_(outer),
        kernels_(kernels),
        loads_(pass.loads.size()),
        steps_(pass.steps.size()) {}

  std::optional<KernelledPass> run() {
    const std::optional<Value> mask = gate_of(pass_);
    if (!mask) return std::nullopt;
    const MadeOf made = made_of(pass_, *mask);
    for (const size_t i : made.loads)
      if (changes_within_blocks(layout_.loads[i])) return std::nullopt;
    own_.is_phase = true;
    own_.reductions = {-1};
    own_.pass.extents = of_blocks(layout_.extents, 1);
    int number = 0;
    for (const size_t i : made.loads) loads_[i] = number++;
    number = 0;
    for (const size_t s : made.steps) steps_[s] = number++;
    for (const size_t i : made.loads) add_load(i);
    for (const size_t s : made.steps) add_step(s);
    View store;
    store.kind = ViewKind::temporary;
    store.slot = slot_of_local(0);
    store.dtype = Dtype::i64;
    store.strides.assign(own_.pass.extents.size(), 0);
    store.strides.back() = sizeof(int64_t);
    own_.pass.stores.push_back(std::move(store));
    own_.pass.stored.push_back(here(*mask));
    own_.tables.resize(own_.pass.loads.size());
    return std::move(own_);
  }

 private:
  bool changes_within_blocks(const std::vector<Extent>& strides) const {
    return std::any_of(strides.begin() + static_cast<ptrdiff_t>(outer_), strides.end(),
                       [](const Extent& stride) { return stride != 0; });
  }
  std::vector<Extent> of_blocks(const std::vector<Extent>& all, int64_t none) const {
    std::vector<Extent> list(all.begin(), all.begin() + static_cast<ptrdiff_t>(outer_));
    if (list.empty()) list.push_back(none);
    return list;
  }
  Value here(Value v) const {
    v.index = (v.kind == Value::Kind::load ? loads_ : steps_)[static_cast<size_t>(v.index)];
    return v;
  }
  void add_load(size_t i) {
    View view = pass_.loads[i];
    view.strides = of_blocks(layout_.loads[i], 0);
    for (View::Index& index : view.indices) index.value = here(index.value);
    own_.pass.loads.push_back(std::move(view));
  }
  void add_step(size_t s) {
    Step step = pass_.steps[s];
    for (Value& v : step.arguments) v = here(v);
    own_.pass.steps.push_back(std::move(step));
    own_.kernels.push_back(kernels_[s]);
  }

  const Pass& pass_;
  const Layout& layout_;
  const size_t outer_;
  const std::vector<ChosenKernel>& kernels_;
  std::vector<int> loads_, steps_;  // by number in the pass: the gate's
  KernelledPass own_;
};

}  // namespace

Gate::Gate(Program&& program, Sizes* sizes)
    : last_(program.layout.extents.size() - 1), extent_at_(sizes->add(program.layout.extents.back())), machine_([&] {
        Tiles tiles(program.layout, -1, program.tile, sizes);
        return Machine(std::move(program), std::move(tiles));
      }()) {}

std::string Gate::source() const {
  return "blocks of which this is not 0 are left out\n" + program_text(machine_.program(), machine_.tiles()) +
         "of others\n";
}

bool Gate::knows(const Window& window, const int64_t* index, int64_t at) const {
  const int64_t known = at - window.index[last_];
  return window.count > 0 && std::equal(index, index + last_, window.index) && known >= 0 && known < window.count;
}

void Gate::look(const Binding& binding, const int64_t* index, int64_t at, int64_t most, Machine::Scratch* scratch,
                Window* window) const {
  const Program& program = machine_.program();
  std::copy_n(index, last_, window->index);
  window->index[last_] = at;
  window->count = std::min({most, kMost, static_cast<int64_t>(program.tile), binding.sizes[extent_at_] - at});
  uint8_t* locals[] = {reinterpret_cast<uint8_t*>(window->place) - at * static_cast<int64_t>(sizeof(int64_t))};
  Binding own = binding;
  own.locals = locals;
  machine_.begin(own, scratch);
  machine_.run_tile(own, Place{window->index, 1, static_cast<size_t>(window->count)}, scratch);
}

std::shared_ptr<const Gate> make_gate(const Problem& problem, const Pass& pass, const Layout& layout, size_t outer,
                                      const std::vector<ChosenKernel>& kernels, const MemoryKernels& memory,
                                      Sizes* sizes) {
  std::optional<KernelledPass> source = GateMaker(pass, layout, outer, kernels).run();
  if (!source) return nullptr;
  return std::make_shared<const Gate>(assemble(problem, std::move(*source), memory, kNeverPastCache, sizes), sizes);
}

}  // namespace tileops::cpu
