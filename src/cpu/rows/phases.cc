#include "cpu/rows/phases.h"

#include <algorithm>

#include "cpu/rows/columns.h"
#include "cpu/rows/phase_builder.h"
#include "problem/packed.h"

namespace tileops::cpu {
namespace {

// Takes the last extent outside of the block to the end, so that columns are rows of a tile.
void rotate_columns_inward(size_t outer, Pass* pass) {
  const auto rotate = [outer](std::vector<Extent>* list) {
    const auto at = list->begin() + static_cast<ptrdiff_t>(outer) - 1;
    std::rotate(at, at + 1, list->end());
  };
  rotate(&pass->extents);
  for (auto* views : {&pass->loads, &pass->stores})
    for (View& v : *views) rotate(&v.strides);
}

// Short rows go through the phases together along the last extent outside of the block. Where these are few, that takes
// the place of a longer one, if no order of blocks has to be kept.
void put_many_rows_last(const Pass& pass, Layout* layout) {
  constexpr int64_t kFewElements = kBlock / 4, kTimesMore = 4;
  const auto is_packed_view = [](const View& v) { return is_packed(v.dtype); };
  if (layout->outer() < 2 || layout->row_rank != 1 || layout->short_group.limit || pass.split_elements ||
      sums_blocks(pass) || goes_by_columns(pass, *layout) ||
      std::any_of(pass.loads.begin(), pass.loads.end(), is_packed_view) ||
      std::any_of(pass.stores.begin(), pass.stores.end(), is_packed_view))
    return;
  const auto extent = [&](size_t d) { return layout->extents[d].typical(); };
  const size_t last = layout->outer() - 1;
  size_t longest = last;
  for (size_t d = 0; d < last; ++d)
    if (extent(d) > extent(longest)) longest = d;
  if (extent(last) >= kFewElements || extent(last) * extent(last + 1) >= kFewElements ||
      extent(longest) < kTimesMore * extent(last))
    return;
  const auto rotate = [=](std::vector<Extent>* list) {
    const auto at = list->begin() + static_cast<ptrdiff_t>(longest);
    std::rotate(at, at + 1, list->begin() + static_cast<ptrdiff_t>(last) + 1);
  };
  rotate(&layout->extents);
  for (auto* views : {&layout->loads, &layout->stores})
    for (std::vector<Extent>& strides : *views) rotate(&strides);
}

// A block that is reduced in parts is rows, so that a part may begin and end within them.
Layout layout_of(const Pass& pass, bool in_order) {
  Layout layout = row_layout(pass);
  if (!in_order) put_many_rows_last(pass, &layout);
  if (pass.split_elements && layout.row_rank == 1) {
    insert_extent(layout.outer(), &layout);
    ++layout.row_rank;
  }
  return layout;
}

// Phases are made from the last one to the first: each says which locals it takes of those before it.
class Phasing {
 public:
  Phasing(const Pass& pass, const PassInfo& info, const std::vector<ChosenKernel>& kernels, bool in_order)
      : layout_(layout_of(pass, in_order)),
        pass_(pass),
        info_(info),
        rows_{pass, info, layout_, kernels},
        columns_(goes_by_columns(pass, layout_)),
        joins_matrices_(columns_ && joins_matrices(pass, layout_)),
        stores_early_(needs_no_last_reduction()),
        locals_(info, layout_, joins_matrices_) {}

  Phases run() {
    find_kept();
    phases_.reserve(3 * static_cast<size_t>(info_.stages() + 1));
    add_stores(Level::block);
    add_stores(Level::group);
    if (!stores_early_) {
      PhaseBuilder b = begin(Level::element, info_.stages());
      store_elements(&b);
      finish(std::move(b));
    }
    for (int stage = info_.stages(); stage-- > 0;) {
      add_reductions(stage);
      add_what_is_left(Level::group, stage);
      add_what_is_left(Level::block, stage);
    }
    std::reverse(phases_.begin(), phases_.end());
    return {std::move(layout_), pass_.split_elements,   columns_,          joins_matrices_,
            locals_.list(),     std::move(reductions_), std::move(phases_)};
  }

 private:
  // Values of elements that are dear and that several phases need are computed once.
  void find_kept() {
    size_t elements = kBlock;  // of a tile of several rows
    for (size_t d = layout_.outer(); d < layout_.extents.size(); ++d)
      if (layout_.extents[d].is_open()) return;  // nobody knows how many
    for (size_t d = layout_.outer(), block = 1; d < layout_.extents.size(); ++d)
      elements = std::max(elements, block *= static_cast<size_t>(layout_.extents[d]));
    size_t room = columns_ ? 0 : kMostKept;
    std::vector<bool> dear;  // by step, of elements
    for (size_t s = 0; s < pass_.steps.size(); ++s) {
      const Step& step = pass_.steps[s];
      dear.push_back(step.body && !step.body->cheap && num_results(step) == 1 &&
                     info_.of(step_value(s)).level == Level::element);
    }
    if (room < elements || std::find(dear.begin(), dear.end(), true) == dear.end()) return;
    std::vector<Needs> functions = needs_of_elements(pass_, info_, {});
    if (stores_early_) {
      Needs& last = functions[functions.size() - 3];
      last.steps.insert(functions.back().steps);
      functions.resize(functions.size() - 2);
    }
    for (const size_t s : computed_again(functions)) {
      const size_t element = ctype_size(info_.of(step_value(s)).type);
      if (!dear[s] || !is_taken_later(s) || elements > room / element) continue;
      room -= elements * element;
      const auto first = std::find_if(functions.begin(), functions.end(),
                                      [s](const Needs& n) { return n.steps.has(s); });
      kept_.emplace_back(s, static_cast<int>(first - functions.begin()));
    }
  }

  // By itself, and not only by what is kept of the same stage?
  bool is_taken_later(size_t step) const {
    const int stage = info_.of(step_value(step)).stage;
    const auto takes = [&](const std::vector<Value>& list) {
      return std::any_of(list.begin(), list.end(), [&](const Value& v) {
        const Value own = resolved(pass_, info_, v);
        return own.kind == Value::Kind::step && own.index == static_cast<int>(step);
      });
    };
    for (size_t s = step + 1; s < pass_.steps.size(); ++s)
      if (info_.of(step_value(s)).stage > stage && !pass_.steps[s].reduces() && takes(pass_.steps[s].arguments))
        return true;
    return info_.stages() - 1 > stage && takes(pass_.stored);
  }

  // A phase finds what was kept before its stage; the stores come behind all stages.
  PhaseBuilder begin(Level level, int stage) {
    NumberSet kept;
    for (const auto& [step, first] : kept_)
      if (first < stage) kept.insert(step);
    return {rows_, level, stage, kept, &locals_};
  }

  void finish(PhaseBuilder&& builder) {
    std::optional<Phase> phase = builder.build();
    if (!phase) return;
    if (columns_ && phase->level == Level::element) rotate_columns_inward(layout_.outer(), &phase->source.pass);
    phases_.push_back(std::move(*phase));
  }

  // What is once a block, or once a group, and is taken by later phases.
  void add_what_is_left(Level level, int stage) {
    PhaseBuilder b = begin(level, stage);
    const auto is_of_others = [&](const Value& v) {
      return info_.of(v).level == level && info_.of(v).stage == stage &&
             !pass_.steps[static_cast<size_t>(v.index)].reduces();
    };
    for (size_t l = 0; l < locals_.list().size(); ++l)
      if (const Value v = locals_.list()[l].value; is_of_others(v)) b.leave(v);
    finish(std::move(b));
  }

  // What the reductions behind a stage take.
  void add_reductions(int stage) {
    PhaseBuilder b = begin(Level::element, stage);
    for (size_t s = 0; s < pass_.steps.size(); ++s) {
      const Step& step = pass_.steps[s];
      if (!step.reduces() || info_.of(step_value(s)).stage != stage + 1) continue;
      reduce(step.arguments[0],
             {step.reduction,
              step.ctype,
              step.low_parts,
              step.in_columns,
              step.rank != pass_.row_rank,
              locals_.of(step_value(s)),
              {}},
             &b);
    }
    for (const auto& [step, first] : kept_)
      if (first == stage) b.leave(step_value(step));
    if (stores_early_ && stage == info_.stages() - 2) store_elements(&b);
    finish(std::move(b));
  }

  void reduce(const Value& v, RowReduction&& r, PhaseBuilder* b) {
    b->reduce(v, static_cast<int>(reductions_.size()), r.type);
    reductions_.push_back(std::move(r));
  }

  bool stores_finer(Level level) const {
    for (size_t k = 0; k < pass_.stores.size(); ++k)
      if (level_of_result(k) > level || pass_.stores[k].sum_of_blocks) return true;
    return false;
  }

  // All stores come last, those of elements first, and what is added up over blocks before these: what lies in place of
  // an operand is read before. What is there once a block, or once a group, behind the last reduction is computed where
  // it is stored, unless elements need it.
  void add_stores(Level level) {
    PhaseBuilder b = begin(level, info_.stages() - (stores_finer(level) ? 0 : 1));
    store(level, &b);
    finish(std::move(b));
  }

  void store_elements(PhaseBuilder* b) {
    for (size_t k = 0; k < pass_.stores.size(); ++k)
      if (const auto& sum = pass_.stores[k].sum_of_blocks)
        reduce(pass_.stored[k], {Reduction::sum, Ctype::f32, sum->low_parts, true, false, 0, pass_.stores[k]}, b);
    store(Level::element, b);
  }

  void store(Level level, PhaseBuilder* b) const {
    for (size_t k = 0; k < pass_.stores.size(); ++k)
      if (level_of_result(k) == level && !pass_.stores[k].sum_of_blocks) b->store(k);
  }

  // Are elements stored that nothing of the last reductions goes into? Then the phase that these take their elements
  // from stores them as well (in_place.h).
  bool needs_no_last_reduction() const {
    const int last = info_.stages() - 1;
    if (last == 0 || has_scans(pass_)) return false;
    bool any = false;
    for (size_t k = 0; k < pass_.stores.size(); ++k) {
      if (level_of_result(k) != Level::element && !pass_.stores[k].sum_of_blocks) continue;
      any = true;
      bool is_early = info_.of(pass_.stored[k]).stage < last && level_of(pass_, pass_.stores[k]) == Level::element;
      for (const View::Index& index : pass_.stores[k].indices)
        is_early = is_early && info_.of(index.value).stage < last;
      if (!is_early) return false;
    }
    return any;
  }

  // Where a block or a group has one element alone a result is one of elements: results that lie at one place are of
  // one phase then, and none is stored before an operand there is loaded for another one.
  Level level_of_result(size_t k) const {
    Level level = level_of_stored(pass_, info_, k);
    for (const Level finer : {Level::group, Level::element}) {
      const bool is_there = finer == Level::element || layout_.group_rank > 0;
      if (is_there && level < finer && count_within(level, finer) == 1) level = finer;
    }
    return level;
  }

  // How many of the finer level there are in one of the other; an open extent counts as a large one.
  int64_t count_within(Level level, Level finer) const {
    const Pass::ShortGroup& cut = layout_.short_group;
    int64_t n = 1;
    for (size_t d = rows_.dims_of(level); d < rows_.dims_of(finer); ++d)
      n *= cut.limit && d == cut.within ? std::min(int64_t{layout_.extents[d]}, cut.limit)
                                        : layout_.extents[d].typical();
    return n;
  }

  Layout layout_;
  const Pass& pass_;
  const PassInfo& info_;
  const PassOfRows rows_;
  const bool columns_, joins_matrices_, stores_early_;
  Locals locals_;
  std::vector<RowReduction> reductions_;
  std::vector<Phase> phases_;
  std::vector<std::pair<size_t, int>> kept_;  // steps, and the stage whose phase of elements is the first to need them
};

}  // namespace

Phases phases_of(const Pass& pass, const PassInfo& info, const std::vector<ChosenKernel>& kernels, bool in_order) {
  return Phasing(pass, info, kernels, in_order).run();
}

}  // namespace tileops::cpu
