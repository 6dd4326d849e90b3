#include "cpu/rows/phases.h"

#include <algorithm>
#include <map>
#include <set>

#include "problem/packed.h"

namespace tileops::cpu {
namespace {

// Adds an extent of one element to the block.
void insert_extent(size_t at, Layout* layout) {
  const auto place = static_cast<ptrdiff_t>(at);
  layout->extents.insert(layout->extents.begin() + place, 1);
  for (auto* views : {&layout->loads, &layout->stores})
    for (std::vector<int64_t>& strides : *views) strides.insert(strides.begin() + place, 0);
  ++layout->row_rank;
}

// The layout of a pass, in which blocks have at least one extent of elements, and one of groups if groups are reduced.
Layout layout_of(const Pass& pass) {
  Layout layout = make_layout(pass);
  if (layout.row_rank == layout.group_rank) insert_extent(layout.extents.size(), &layout);
  if (group_rank(pass) > 0 && layout.group_rank == 0) {
    insert_extent(layout.extents.size() - layout.row_rank, &layout);
    layout.group_rank = 1;
  }
  return layout;
}

// The pass in the extents of its layout.
Pass laid_out(const Pass& pass, const Layout& layout) {
  Pass p = pass;
  p.extents = layout.extents;
  for (size_t i = 0; i < p.loads.size(); ++i) p.loads[i].strides = layout.loads[i];
  for (size_t k = 0; k < p.stores.size(); ++k) p.stores[k].strides = layout.stores[k];
  for (Step& step : p.steps)
    if (step.reduction != Reduction::none)
      step.rank = layout.row_rank - (step.rank == pass.row_rank ? 0 : layout.group_rank);
  p.row_rank = layout.row_rank;
  p.short_group = layout.short_group;
  return p;
}

// Has each of its reductions a kernel for columns side by side (cpu/isa/reduce.cc)?
bool suits_columns(const Pass& pass) {
  return std::all_of(pass.steps.begin(), pass.steps.end(), [](const Step& step) {
    if (step.scans) return step.in_columns || !depends_on_order(step);
    switch (step.reduction) {
      case Reduction::none:
      case Reduction::amax:
      case Reduction::amin:
      case Reduction::sum:
      case Reduction::sum_wide:
      case Reduction::sum_of_pairs:
      case Reduction::sum_of_pairs_wide:
      case Reduction::prod:
      case Reduction::variance: return true;
      case Reduction::sum_high:
      case Reduction::sum_low: return step.ctype == Ctype::f64;
      default: return false;
    }
  });
}

// Are more operands and results dense along the last extent outside of the block than along the block's last one?
bool lies_in_columns(const Pass& pass, const Layout& layout) {
  constexpr int64_t kFewest = 8;
  const size_t dims = layout.extents.size(), outer = dims - layout.row_rank;
  if (outer == 0 || layout.group_rank > 0) return false;
  if (layout.short_group.limit && layout.short_group.group + 1 == outer) return false;
  if (packs_blocks(pass, layout)) return true;
  if (layout.extents[outer - 1] < kFewest) return false;
  int columns = 0, rows = 0;
  const auto count = [&](const View& v, const std::vector<int64_t>& strides) {
    const int64_t size = static_cast<int64_t>(dtype_size(v.dtype));
    if (v.kind == ViewKind::index || v.kind == ViewKind::number || v.kind == ViewKind::constant) return;
    // The same for all elements of a block, or for all blocks.
    if (strides[dims - 1] == 0 || strides[outer - 1] == 0) return;
    columns += strides[outer - 1] == size;
    rows += strides[dims - 1] == size;
  };
  for (size_t i = 0; i < pass.loads.size(); ++i) count(pass.loads[i], layout.loads[i]);
  for (size_t k = 0; k < pass.stores.size(); ++k) count(pass.stores[k], layout.stores[k]);
  return columns > rows;
}

}  // namespace

bool packs_blocks(const Pass& pass, const Layout& layout) {
  const int last = static_cast<int>(layout.extents.size() - layout.row_rank) - 1;
  for (size_t k = 0; k < pass.stores.size(); ++k)
    if (is_packed(pass.stores[k].dtype) && packed_dim(layout.extents, layout.stores[k]) == last) return last >= 0;
  return false;
}

namespace {

class Phasing {
 public:
  Phasing(const Pass& pass, const std::vector<ChosenKernel>& kernels, bool reproducible)
      : kernels_(kernels), info_(pass, {reproducible}) {
    out_.layout = layout_of(pass);
    pass_ = laid_out(pass, out_.layout);
    out_.columns = !sums_blocks(pass_) && suits_columns(pass_) && lies_in_columns(pass_, out_.layout);
    for (size_t s = 0; s < pass_.steps.size(); ++s) levels_.push_back(step_info(s).level);
  }

  Phases run() {
    const int last = info_.stages() - 1;
    find_kept();
    for (int stage = 0; stage <= last; ++stage) {
      add_exports(Level::block, stage);
      add_exports(Level::group, stage);
      add_reductions(stage);
    }
    for (const Level level : {Level::element, Level::group, Level::block}) add_stores(level);
    return std::move(out_);
  }

 private:
  const ValueInfo& of(const Value& v) const { return info_.of(v); }
  ValueInfo step_info(size_t s) const { return info_.of_step(s); }
  static Value result_of(size_t step, int result = 0) { return {Value::Of::step, static_cast<int>(step), result}; }
  size_t outer() const { return pass_.extents.size() - pass_.row_rank; }
  size_t dims_of(Level level) const {
    return level == Level::element ? pass_.extents.size()
           : level == Level::group ? outer() + out_.layout.group_rank
                                   : outer();
  }

  // ---- Locals

  using Key = std::pair<int, int>;  // step, result
  static Key key_of(const Value& v) { return {v.index, v.result}; }

  int local_of(const Value& v) {
    const auto [at, is_new] = locals_.emplace(key_of(v), static_cast<int>(out_.locals.size()));
    if (is_new) {
      const Level level = of(v).level;
      out_.locals.push_back({level, level == Level::element ? ctype_size(of(v).type) : kLocalElement});
    }
    return at->second;
  }

  // A local as a view of a phase. Its elements lie one after the other: one for each block along the last extent
  // outside of blocks, for each group of one block, or all elements of a block, and behind them those of the next one.
  View view_of_local(const Value& v, Level level) {
    View view;
    view.kind = ViewKind::temporary;
    view.slot = local_of(v) + 1;
    view.dtype = ctype_dtype(of(v).type);
    const size_t dims = std::max<size_t>(dims_of(level), 1);
    view.strides.assign(dims, 0);
    const Level own = of(v).level;
    int64_t step = static_cast<int64_t>(out_.locals[static_cast<size_t>(view.slot - 1)].element);
    if (own == Level::element)
      for (size_t d = dims; d-- > outer();) view.strides[d] = step, step *= pass_.extents[d];
    if (own == Level::group) view.strides[outer()] = step;
    else if (outer() > 0) view.strides[outer() - 1] = step;
    return view;
  }

  // Does a phase of that level and stage find the value in a local, rather than compute it?
  bool is_local(const Value& v, Level level, int stage) const {
    if (v.of == Value::Of::load) return false;
    if (pass_.steps[static_cast<size_t>(v.index)].reduces()) return true;
    const ValueInfo& info = of(v);
    if (info.level != level) return info.level < level;
    return info.stage < stage && (level != Level::element || kept_.count(key_of(v)) > 0);
  }

  // ---- A phase

  // Collects what a phase computes for its targets.
  struct Building {
    Level level;
    int stage;
    Phase phase;
    std::map<Key, int> steps;
    std::map<int, int> loads, locals;  // by number of the pass's load, or of the local
  };

  Building begin(Level level, int stage) const {
    Building b{level, stage, {}, {}, {}, {}};
    b.phase.level = level;
    Pass& p = b.phase.source.pass;
    p.extents.assign(pass_.extents.begin(), pass_.extents.begin() + static_cast<ptrdiff_t>(dims_of(level)));
    if (p.extents.empty()) p.extents.push_back(1);
    return b;
  }

  View cut(View v, Level level) const {
    v.strides.resize(dims_of(level));
    if (v.strides.empty()) v.strides.push_back(0);
    return v;
  }

  Value need(const Value& v, Building* b) {
    Pass& p = b->phase.source.pass;
    const auto add_load = [&](std::map<int, int>* known, int number, const auto& make) {
      const auto [at, is_new] = known->emplace(number, static_cast<int>(p.loads.size()));
      if (is_new) p.loads.push_back(make());
      return Value{Value::Of::load, at->second, 0};
    };
    if (v.of == Value::Of::load) {
      View view = cut(pass_.loads[static_cast<size_t>(v.index)], b->level);
      for (View::Index& index : view.indices) index.value = need_index(index.value, b);
      return add_load(&b->loads, v.index, [&] { return view; });
    }
    if (is_local(v, b->level, b->stage))
      return add_load(&b->locals, local_of(v), [&] { return view_of_local(v, b->level); });
    const auto known = b->steps.find({v.index, 0});
    if (known != b->steps.end()) return {Value::Of::step, known->second, v.result};
    Step step = pass_.steps[static_cast<size_t>(v.index)];
    for (Value& a : step.arguments) a = need(a, b);
    const int at = static_cast<int>(p.steps.size());
    p.steps.push_back(std::move(step));
    b->phase.source.kernels.push_back(kernels_[static_cast<size_t>(v.index)]);
    if (const Step& made = p.steps.back(); made.scans) {
      b->phase.source.kernels.back().scan = static_cast<int>(b->phase.scans.size());
      b->phase.scans.push_back({made.reduction, made.ctype, made.low_parts, made.in_columns, made.exclusive});
    }
    b->steps[{v.index, 0}] = at;
    return {Value::Of::step, at, v.result};
  }

  void store(const Value& v, View view, int reduction, Building* b) {
    Source& s = b->phase.source;
    for (View::Index& index : view.indices) index.value = need_index(index.value, b);
    s.pass.stored.push_back(need(v, b));
    s.pass.stores.push_back(std::move(view));
    s.reductions.push_back(reduction);
  }

  // A load that is reduced as it is comes in the type of its dtype; the reduction may want another one.
  void take_as(Ctype type, Source* s) const {
    Value& v = s->pass.stored.back();
    if (v.of == Value::Of::load && compute_type(s->pass.loads[static_cast<size_t>(v.index)].dtype) != type)
      v = converted(v, type, s);
  }

  static Value converted(const Value& v, Ctype type, Source* s) {
    Step step;
    step.ctype = type;
    step.to = ctype_dtype(type);
    step.fp8 = Fp8Mode::nonsaturating;
    step.arguments = {v};
    s->pass.steps.push_back(std::move(step));
    s->kernels.push_back({});
    return {Value::Of::step, static_cast<int>(s->pass.steps.size()) - 1, 0};
  }

  // An index is what a step gives, also where another phase has left it.
  Value need_index(const Value& v, Building* b) {
    const Value here = need(v, b);
    return here.of == Value::Of::step ? here : converted(here, Ctype::i64, &b->phase.source);
  }

  void finish(Building&& b) {
    if (b.phase.source.pass.stores.empty()) return;
    b.phase.source.is_phase = true;
    if (out_.columns && b.level == Level::element) turn(&b.phase.source.pass);
    out_.phases.push_back(std::move(b.phase));
  }

  // Takes the last extent outside of the block to the end.
  void turn(Pass* p) const {
    const auto take = [this](std::vector<int64_t>* list) {
      const auto at = list->begin() + static_cast<ptrdiff_t>(outer()) - 1;
      std::rotate(at, at + 1, list->end());
    };
    take(&p->extents);
    for (View& v : p->loads) take(&v.strides);
    for (View& v : p->stores) take(&v.strides);
  }

  // ---- What phases there are

  // Values of elements that are dear and that a later stage takes are computed once.
  void find_kept() {
    size_t elements = kBlock;  // of a tile of several rows
    for (size_t d = outer(), block = 1; d < pass_.extents.size(); ++d)
      elements = std::max(elements, block *= static_cast<size_t>(pass_.extents[d]));
    size_t room = out_.columns ? 0 : kMostKept;
    for (size_t s = 0; s < pass_.steps.size(); ++s) {
      if (levels_[s] != Level::element || !kernels_[s].kernel || kernels_[s].kernel->cheap) continue;
      const int stage = step_info(s).stage;
      const size_t element = ctype_size(of(result_of(s)).type);
      if (!is_taken_later(s, stage) || elements > room / element) continue;
      room -= elements * element;
      kept_.insert({static_cast<int>(s), 0});
    }
  }

  bool is_taken_later(size_t step, int stage) const {
    const auto takes = [&](const std::vector<Value>& list) {
      return std::any_of(list.begin(), list.end(),
                         [&](const Value& v) { return v.of == Value::Of::step && v.index == static_cast<int>(step); });
    };
    for (size_t s = step + 1; s < pass_.steps.size(); ++s)
      if (takes(pass_.steps[s].arguments) && !pass_.steps[s].reduces() && step_info(s).stage > stage) return true;
    return info_.stages() - 1 > stage && takes(pass_.stored);
  }

  // Does a phase of another level or stage take the step's results?
  bool is_exported(size_t step) const {
    const ValueInfo own = step_info(step);
    for (size_t s = step + 1; s < pass_.steps.size(); ++s)
      for (const Value& v : pass_.steps[s].arguments) {
        if (v.of != Value::Of::step || v.index != static_cast<int>(step)) continue;
        const ValueInfo reader = step_info(s);
        if (pass_.steps[s].reduces() || reader.level != own.level || reader.stage != own.stage) return true;
      }
    const auto is_mine = [&](const Value& v) { return v.of == Value::Of::step && v.index == static_cast<int>(step); };
    const auto indexes = [&](const View& view) {
      return std::any_of(view.indices.begin(), view.indices.end(),
                         [&](const View::Index& index) { return is_mine(index.value); });
    };
    return std::any_of(pass_.stored.begin(), pass_.stored.end(), is_mine) ||
           std::any_of(pass_.loads.begin(), pass_.loads.end(), indexes) ||
           std::any_of(pass_.stores.begin(), pass_.stores.end(), indexes);
  }

  // Computes what phases of other levels or stages take.
  void add_exports(Level level, int stage) {
    Building b = begin(level, stage);
    for (size_t s = 0; s < pass_.steps.size(); ++s) {
      const ValueInfo own = step_info(s);
      if (levels_[s] != level || own.stage != stage || pass_.steps[s].reduces() || !is_exported(s)) continue;
      const int results = pass_.steps[s].body ? static_cast<int>(pass_.steps[s].body->results.size()) : 1;
      for (int r = 0; r < results; ++r) store(result_of(s, r), view_of_local(result_of(s, r), level), -1, &b);
    }
    finish(std::move(b));
  }

  // Computes what the reductions behind a stage take.
  void add_reductions(int stage) {
    Building b = begin(Level::element, stage);
    for (size_t s = 0; s < pass_.steps.size(); ++s) {
      const Step& step = pass_.steps[s];
      if (!step.reduces() || step_info(s).stage != stage + 1) continue;
      reduce(step.arguments[0],
             {step.reduction,
              step.ctype,
              step.low_parts,
              step.in_columns,
              step.rank != pass_.row_rank,
              local_of(result_of(s)),
              {}},
             &b);
    }
    for (auto kept = kept_.begin(); kept != kept_.end();) {
      const Value v = result_of(static_cast<size_t>(kept->first), kept->second);
      const bool mine = of(v).stage == stage, computed = b.steps.count({v.index, 0}) > 0;
      if (mine && computed) store(v, view_of_local(v, Level::element), -1, &b);
      kept = mine && !computed ? kept_.erase(kept) : std::next(kept);  // no reduction of this stage takes it
    }
    finish(std::move(b));
  }

  void reduce(const Value& v, RowReduction&& r, Building* b) {
    View nowhere;
    nowhere.kind = ViewKind::temporary;
    nowhere.dtype = ctype_dtype(r.type);
    nowhere.strides.assign(pass_.extents.size(), 0);
    store(v, nowhere, static_cast<int>(out_.reductions.size()), b);
    take_as(r.type, &b->phase.source);
    out_.reductions.push_back(std::move(r));
  }

  // All stores come last, those of elements first, and what is added up over blocks before these: what lies in place of
  // an operand is read before.
  void add_stores(Level level) {
    Building b = begin(level, info_.stages());
    for (size_t k = 0; level == Level::element && k < pass_.stores.size(); ++k)
      if (const auto& sum = pass_.stores[k].sum_of_blocks)
        reduce(pass_.stored[k], {Reduction::sum, Ctype::f32, sum->low_parts, true, false, 0, pass_.stores[k]}, &b);
    for (size_t k = 0; k < pass_.stores.size(); ++k)
      if (level_of(k) == level && !pass_.stores[k].sum_of_blocks)
        store(pass_.stored[k], cut(pass_.stores[k], level), -1, &b);
    finish(std::move(b));
  }

  // How often a store has an element: where it goes may change less often than its value and its indices do. Where a
  // block or a group has one element alone that is an element: results that lie at one place are of one phase then, and
  // none is stored before an operand there is loaded for another one.
  Level level_of(size_t k) const {
    Level level = std::max(level_of_store(pass_, k), of(pass_.stored[k]).level);
    for (const View::Index& index : pass_.stores[k].indices) level = std::max(level, of(index.value).level);
    for (const Level finer : {Level::group, Level::element}) {
      const bool is_there = finer == Level::element || out_.layout.group_rank > 0;
      if (is_there && level < finer && count_within(level, finer) == 1) level = finer;
    }
    return level;
  }

  // How many of the finer level there are in one of the other.
  int64_t count_within(Level level, Level finer) const {
    const Pass::ShortGroup& cut = pass_.short_group;
    int64_t n = 1;
    for (size_t d = dims_of(level); d < dims_of(finer); ++d)
      n *= cut.limit && d == cut.within ? std::min(pass_.extents[d], cut.limit) : pass_.extents[d];
    return n;
  }

  const std::vector<ChosenKernel>& kernels_;
  const PassInfo info_;  // of the pass as it came
  Phases out_;
  Pass pass_;
  std::vector<Level> levels_;  // by step
  std::map<Key, int> locals_;
  std::set<Key> kept_;
};

}  // namespace

Phases phases_of(const Pass& pass, const std::vector<ChosenKernel>& kernels, bool reproducible) {
  return Phasing(pass, kernels, reproducible).run();
}

}  // namespace tileops::cpu
