#include "problem/in_place.h"

#include <algorithm>
#include <cstdlib>

#include "problem/overlap.h"
#include "problem/rows/stages.h"

namespace tileops {
namespace {

// An extent of a pass, and the steps of a load and of a store along it.
struct Along {
  int64_t load, store, count;
  bool outer;  // it numbers blocks, or elements that stand alone
};

// The extents of more than one element; open ones as though they were large, which no answer depends on: of fewer
// elements there are fewer that meet. An axis that is cut into groups, of which the last one is short, is one extent
// again where both views go along it evenly: then neither reaches beyond its end.
std::vector<Along> extents_of(const Pass& pass, const View& load, const View& store) {
  const size_t outer = pass.extents.size() - pass.row_rank;
  const Pass::ShortGroup& cut = pass.short_group;
  const auto is_even = [&](const View& v) {
    return v.strides[cut.group] == v.strides[cut.within] * pass.extents[cut.within];
  };
  const bool merges = cut.limit && is_even(load) && is_even(store);
  std::vector<Along> list;
  for (size_t d = 0; d < pass.extents.size(); ++d) {
    if (merges && d == cut.group) continue;
    const int64_t count = merges && d == cut.within ? cut.limit : pass.extents[d].typical();
    const bool is_outer = d < outer || (merges && d == cut.within && cut.group < outer);
    if (count != 1) list.push_back({load.strides[d].typical(), store.strides[d].typical(), count, is_outer});
  }
  return list;
}

// What a view touches: of a gathered one, whatever its indices may say.
ByteSet bytes_of(const View& view, const std::vector<Along>& extents, int64_t Along::* step) {
  ByteSet set(view.offset, static_cast<int64_t>(dtype_size(view.dtype)));
  for (const Along& e : extents) set.add(e.*step, e.count);
  for (const View::Index& index : view.indices) set.add(index.stride.typical(), index.extent.typical());
  return set;
}

// The smallest range that holds both.
int64_t span_of(const ByteSet& a, const ByteSet& b) {
  return std::max(a.end(), b.end()) - std::min(a.lowest(), b.lowest());
}

// Takes those extents away in which two places agree wherever the load of the one lies over the store of the other: a
// step there is longer than all that the others make up.
std::vector<Along> where_they_differ(const View& load, const View& store, std::vector<Along> extents) {
  std::stable_sort(extents.begin(), extents.end(),
                   [](const Along& a, const Along& b) { return std::llabs(a.store) > std::llabs(b.store); });
  for (auto at = extents.begin(); at != extents.end();) {
    const Along e = *at;
    if (e.load != e.store) {
      ++at;
      continue;
    }
    std::vector<Along> others(extents);
    others.erase(others.begin() + (at - extents.begin()));
    const bool agree = e.store == 0 ? !e.outer
                                    : std::llabs(e.store) >= span_of(bytes_of(load, others, &Along::load),
                                                                     bytes_of(store, others, &Along::store));
    if (agree) at = extents.erase(at);
    else ++at;
  }
  return extents;
}

// Is each element of the load that of the store? Then no other one is, for a result's elements are all apart.
bool are_the_same(const View& load, const View& store, const std::vector<Along>& extents) {
  return load.offset == store.offset && load.indices.empty() &&
         std::all_of(extents.begin(), extents.end(), [](const Along& e) { return e.load == e.store; });
}

// Reductions of whole blocks, by step, that elements of a result are made of, so that none is stored before.
std::vector<bool> awaited_by_elements(const Pass& pass) {
  std::vector<bool> seen(pass.steps.size());
  std::vector<Value> open;
  for (size_t k = 0; k < pass.stores.size(); ++k) {
    if (level_of(pass, pass.stores[k]) != Level::element) continue;
    open.push_back(pass.stored[k]);
    for (const View::Index& index : pass.stores[k].indices) open.push_back(index.value);
  }
  while (!open.empty()) {
    const Value v = open.back();
    open.pop_back();
    const size_t i = static_cast<size_t>(v.index);
    if (v.kind == Value::Kind::load) {
      for (const View::Index& index : pass.loads[i].indices) open.push_back(index.value);
      continue;
    }
    if (seen[i]) continue;
    seen[i] = true;
    open.insert(open.end(), pass.steps[i].arguments.begin(), pass.steps[i].arguments.end());
  }
  for (size_t i = 0; i < seen.size(); ++i)
    seen[i] = seen[i] && pass.steps[i].reduces() && pass.steps[i].rank == pass.row_rank;
  return seen;
}

std::vector<bool> reductions_of_blocks(const Pass& pass) {
  std::vector<bool> list;
  for (const Step& step : pass.steps) list.push_back(step.reduces() && step.rank == pass.row_rank);
  return list;
}

// By load of a pass: may it be read when results are stored? Not what the `awaited` steps reduce, unless results are
// made of it besides. Where blocks are reduced in parts, other parts may be on their way.
std::vector<bool> read_with_stores(const Pass& pass, const std::vector<bool>& awaited) {
  std::vector<bool> read(pass.loads.size(), !pass.is_of_rows() || pass.split_elements > 0);
  std::vector<bool> seen = awaited;  // and what was gone through
  std::vector<Value> open = pass.stored;
  const auto add_indices = [&](const View& v) {
    for (const View::Index& index : v.indices) open.push_back(index.value);
  };
  for (const View& store : pass.stores) add_indices(store);
  while (!open.empty()) {
    const Value v = open.back();
    open.pop_back();
    const size_t i = static_cast<size_t>(v.index);
    if (v.kind == Value::Kind::load) {
      if (!read[i]) add_indices(pass.loads[i]);
      read[i] = true;
      continue;
    }
    const Step& step = pass.steps[i];
    if (seen[i]) continue;
    seen[i] = true;
    open.insert(open.end(), step.arguments.begin(), step.arguments.end());
  }
  return read;
}

// In one pass: may the load be of an element that was stored by then?
bool comes_late(const Pass& pass, const View& load, bool read_with_stores, const View& store) {
  const std::vector<Along> extents = extents_of(pass, load, store);
  if (are_the_same(load, store, extents)) return false;
  if (!overlaps(bytes_of(load, extents, &Along::load), bytes_of(store, extents, &Along::store))) return false;
  const std::vector<Along> differ = where_they_differ(load, store, extents);
  return read_with_stores ? !differ.empty()
                          : std::any_of(differ.begin(), differ.end(), [](const Along& e) { return e.outer; });
}

// In a pass and a later one.
bool lies_over(const Pass& pass, const View& store, const Pass& later, const View& load) {
  return overlaps(bytes_of(load, extents_of(later, load, load), &Along::load),
                  bytes_of(store, extents_of(pass, store, store), &Along::store));
}

bool is_taken(const std::vector<uint32_t>& pairs, const View& store, const View& load) {
  return store.kind == ViewKind::output && load.kind == ViewKind::input && (pairs[store.slot] >> load.slot & 1) != 0;
}

}  // namespace

std::vector<uint32_t> loaded_after_stored(const Problem& problem, const std::vector<uint32_t>& pairs) {
  std::vector<uint32_t> found(pairs.size());
  for (size_t p = 0; p < problem.passes.size(); ++p) {
    const Pass& pass = problem.passes[p];
    const std::vector<bool> with_elements = read_with_stores(pass, awaited_by_elements(pass)),
                            with_others = read_with_stores(pass, reductions_of_blocks(pass));
    for (const View& store : pass.stores) {
      const std::vector<bool>& with_store = level_of(pass, store) == Level::element ? with_elements : with_others;
      for (size_t q = p; q < problem.passes.size(); ++q) {
        const Pass& reader = problem.passes[q];
        for (size_t i = 0; i < reader.loads.size(); ++i) {
          const View& load = reader.loads[i];
          if (!is_taken(pairs, store, load)) continue;
          if (q == p ? comes_late(pass, load, with_store[i], store) : lies_over(pass, store, reader, load))
            found[store.slot] |= uint32_t{1} << load.slot;
        }
      }
    }
  }
  return found;
}

}  // namespace tileops
