#include "cpu/program/tables.h"

#include <algorithm>
#include <numeric>

#include "cpu/memory/non_temporal.h"
#include "cpu/program/program.h"
#include "problem/analysis.h"

namespace tileops::cpu {
namespace {

// One of 16-bit codes has 256 KiB, and more of them do not stay in a core's own cache.
constexpr int kMostLargeTables = 2;

// What a table saves, in light steps. Without a function such as exp it is never dear; a function's short form is, with
// two steps beside it.
struct Cost {
  static constexpr int kDear = 4;
  int steps = 0;  // at most kDear
  bool heavy = false;
  void add(const Cost& other) {
    steps = std::min(steps + other.steps, kDear);
    heavy = heavy || other.heavy;
  }
  bool is_dear() const { return heavy && steps == kDear; }
};

class Tabling {
 public:
  Tabling(const Problem& problem, const Pass& pass, const MemoryKernels& memory, std::vector<ChosenKernel> kernels)
      : problem_(problem), memory_(memory), t_{pass, std::move(kernels), {}} {
    t_.tables.resize(pass.loads.size());
    numel_ = 1;
    for (const Extent& n : pass.extents)
      if (n == 0) numel_ = 0;  // the product of the others may be anything
    for (const Extent& n : pass.extents)
      if (numel_) numel_ *= n.typical();
  }

  KernelledPass run() {
    find_sources();
    const size_t steps = t_.pass.steps.size();
    for (size_t s = steps; s-- > 0;)
      if (suits(s)) replace(s);
    drop_unused_steps(&t_);
    return std::move(t_);
  }

 private:
  static constexpr int kNone = -1, kConstant = -2;

  bool is_narrow_load(const View& v) const {
    return v.kind == ViewKind::input && v.indices.empty() && is_narrow_float(v.dtype) && !is_packed(v.dtype);
  }

  // Finds the one load that each step is a function of, beside constants. Steps of several loads, or of numbers that
  // come with an execute, have none.
  void find_sources() {
    for (size_t s = 0; s < t_.pass.steps.size(); ++s) {
      const Step& step = t_.pass.steps[s];
      int source = kConstant;
      Cost cost = cost_of(s);
      for (const Value& v : step.arguments) {
        int of;
        if (v.kind == Value::Kind::step) {
          of = sources_[static_cast<size_t>(v.index)];
          if (of >= 0) cost.add(cost_[static_cast<size_t>(v.index)]);
        } else {
          const View& load = t_.pass.loads[static_cast<size_t>(v.index)];
          of = is_narrow_load(load) ? v.index : load.kind == ViewKind::constant ? kConstant : kNone;
        }
        if (source == kConstant) source = of;
        else if (of != kConstant && of != source) source = kNone;
      }
      const bool varies = std::any_of(step.numbers.begin(), step.numbers.end(), [](int n) { return n >= 0; });
      sources_.push_back(varies || source == kConstant ? kNone : source);
      cost_.push_back(cost);
    }
  }

  Cost cost_of(size_t s) const {
    const ChosenKernel& chosen = t_.kernels[s];
    if (!chosen.kernel) return {};
    const BodyInfo& body = *t_.pass.steps[s].body;
    if (body.ulp == 0 || body.cheap || chosen.kernel->find(Loop::mixed)) return {1, false};
    const Variant* shorter = chosen.inner ? chosen.kernel->find(Loop::inner) : nullptr;
    return {shorter && shorter->beats_lookup ? Cost::kDear - 2 : Cost::kDear, true};
  }

  // Worth a table, and taken by steps that are not in it themselves.
  bool suits(size_t s) const {
    if (sources_[s] < 0 || !cost_[s].is_dear() || !t_.pass.steps[s].body) return false;
    if (result_type(t_.pass.steps[s]) != Ctype::f32) return false;
    const bool wide = dtype_size(t_.pass.loads[static_cast<size_t>(sources_[s])].dtype) == 2;
    if (numel_ < (wide ? 1 << 16 : 1 << 12) || (wide && large_ == kMostLargeTables)) return false;
    return stored_plainly(s) ||
           std::any_of(t_.pass.steps.begin() + static_cast<ptrdiff_t>(s) + 1, t_.pass.steps.end(),
                       [&](const Step& reader) { return takes(reader, s) && !in_same_table(reader, s); });
  }

  // Is it stored, not by a rounding of its own?
  bool stored_plainly(size_t s) const {
    for (size_t k = 0; k < t_.pass.stored.size(); ++k)
      if (is_plain_store(k, s)) return true;
    return false;
  }
  // Its own operands are looked up later, if at all.
  bool is_plain_store(size_t k, size_t s) const {
    const Value& v = t_.pass.stored[k];
    if (v.kind != Value::Kind::step || v.index != static_cast<int>(s)) return false;
    const Rounding rounding = rounding_of(t_.pass, v, t_.pass.stores[k].dtype);
    return rounding != Rounding::odd && rounding != Rounding::tested;
  }

  static bool takes(const Step& reader, size_t s) {
    return reader.body && std::any_of(reader.arguments.begin(), reader.arguments.end(), [&](const Value& v) {
             return v.kind == Value::Kind::step && v.index == static_cast<int>(s);
           });
  }

  // A reader that is a function of the same load, and looked up itself.
  bool in_same_table(const Step& reader, size_t s) const {
    const size_t at = static_cast<size_t>(&reader - t_.pass.steps.data());
    return sources_[at] == sources_[s] && result_type(reader) == Ctype::f32;
  }

  void replace(size_t s) {
    const size_t source = static_cast<size_t>(sources_[s]);
    View codes = t_.pass.loads[source];
    large_ += dtype_size(codes.dtype) == 2;
    const int load = static_cast<int>(t_.pass.loads.size());
    t_.tables.push_back(table_of(s));
    t_.pass.loads.push_back(std::move(codes));
    for (Step& reader : t_.pass.steps)
      for (Value& v : reader.arguments)
        if (reader.body && v.kind == Value::Kind::step && v.index == static_cast<int>(s))
          v = {Value::Kind::load, load, 0};
    for (size_t k = 0; k < t_.pass.stored.size(); ++k)
      if (is_plain_store(k, s)) t_.pass.stored[k] = {Value::Kind::load, load, 0};
  }

  // The pass of one step's result for all codes of its load.
  Table table_of(size_t s) const {
    const View& codes = t_.pass.loads[static_cast<size_t>(sources_[s])];
    const int64_t count = int64_t{1} << (8 * dtype_size(codes.dtype));
    std::vector<bool> needed(t_.pass.steps.size());
    needed[s] = true;
    Pass part;
    part.extents = {count};
    std::vector<ChosenKernel> kernels;
    std::vector<int> place(t_.pass.steps.size()), load_place(t_.pass.loads.size(), -1);
    for (size_t i = s + 1; i-- > 0;)
      for (const Value& v : t_.pass.steps[i].arguments)
        if (needed[i] && v.kind == Value::Kind::step) needed[static_cast<size_t>(v.index)] = true;
    std::string key;
    const auto put = [&key](const auto& value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); };
    put(&memory_);
    for (size_t i = 0; i <= s; ++i) {
      if (!needed[i]) continue;
      Step step = t_.pass.steps[i];
      put(step.body);
      put(step.ctype);
      put(step.to);
      put(step.fp8);
      put(t_.kernels[i].inner);
      for (const AttrValue& a : step.attrs) put(a);
      for (Value& v : step.arguments) {
        if (v.kind == Value::Kind::step) v.index = place[static_cast<size_t>(v.index)];
        else v.index = load_of(static_cast<size_t>(v.index), &part, &load_place, &key);
        put(v.kind);
        put(v.index);
      }
      place[i] = static_cast<int>(part.steps.size());
      part.steps.push_back(std::move(step));
      kernels.push_back(t_.kernels[i]);
    }
    View result;
    result.kind = ViewKind::output;
    result.dtype = Dtype::f32;
    result.strides = {4};
    part.stores = {result};
    part.stored = {{Value::Kind::step, place[s], 0}};
    return shared_table(key, [&] { return fill(part, kernels, codes.dtype, count); });
  }

  int load_of(size_t load, Pass* part, std::vector<int>* places, std::string* key) const {
    int& place = (*places)[load];
    if (place >= 0) return place;
    View v = t_.pass.loads[load];
    const bool constant = v.kind == ViewKind::constant;
    key->push_back(static_cast<char>(v.dtype));
    if (constant) {
      const std::vector<uint8_t>& bytes = problem_.constants[static_cast<size_t>(v.slot)].bytes;
      key->append(bytes.begin(), bytes.end());
    } else {
      v.slot = 0;
      v.offset = 0;
    }
    v.strides = {constant ? 0 : static_cast<int64_t>(dtype_size(v.dtype))};
    part->loads.push_back(std::move(v));
    return place = static_cast<int>(part->loads.size()) - 1;
  }

  std::vector<uint8_t> fill(const Pass& part, const std::vector<ChosenKernel>& kernels, Dtype codes,
                            int64_t count) const {
    std::vector<uint8_t> bytes(static_cast<size_t>(count) * dtype_size(codes)), table(static_cast<size_t>(count) * 4);
    if (dtype_size(codes) == 1) std::iota(bytes.begin(), bytes.end(), uint8_t{0});
    else
      std::iota(reinterpret_cast<uint16_t*>(bytes.data()), reinterpret_cast<uint16_t*>(bytes.data()) + count,
                uint16_t{0});
    const void* inputs[] = {bytes.data()};
    void* outputs[] = {table.data()};
    KernelledPass plain{part, kernels, std::vector<Table>(part.loads.size())};
    Sizes sizes;
    Program program = assemble(problem_, std::move(plain), memory_, kNeverPastCache, &sizes);
    make_program(std::move(program), std::move(sizes))->execute({inputs, outputs}, Threads(1));
    return table;
  }

  const Problem& problem_;
  const MemoryKernels& memory_;
  KernelledPass t_;
  int64_t numel_;
  int large_ = 0;
  std::vector<int> sources_;
  std::vector<Cost> cost_;  // of each step, with those before it that its table has
};

}  // namespace

KernelledPass look_up_parts(const Problem& problem, const Pass& pass, const MemoryKernels& memory,
                            std::vector<ChosenKernel> kernels) {
  return Tabling(problem, pass, memory, std::move(kernels)).run();
}

}  // namespace tileops::cpu
