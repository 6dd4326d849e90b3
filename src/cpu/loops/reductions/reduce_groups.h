// Sums of dense values in the order of columns: groups of so many, one element after the other, and these in that of
// the tree. Several groups are taken side by side, a group a lane.
#pragma once

#include "cpu/loops/reductions/reduce_tree.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

template <class Acc, class T>
struct in_groups {
  static constexpr size_t kGroup = kColumnGroup, lanes = vector_of<T>::size;
  struct state {
    size_t seen = 0;
    state_of<Acc, T> group;
    open_nodes<Acc, T> open;
  };

  static void begin(void* s) { new (s) state; }
  static void feed(void* s_, const void* x_, size_t n) {
    state& s = *static_cast<state*>(s_);
    const T* x = static_cast<const T*>(x_);
    while (n > 0) {
      const size_t whole = s.seen % kGroup ? 0 : n / kGroup;
      const size_t taken = whole > 1 ? side_by_side(&s, x, whole < lanes ? whole : lanes) : one_by_one(&s, x, n);
      s.seen += taken;
      x += taken;
      n -= taken;
    }
  }
  static void finish(void* s_, void* result) {
    const state& s = *static_cast<const state*>(s_);
    const bool has_part = s.seen % kGroup != 0;
    put_result(result, finished<Acc, T>(has_part ? s.open.up_to(s.open.count, s.group) : s.open.all(), s.seen));
  }

 private:
  // Elements up to the end of a group; says how many.
  static size_t one_by_one(state* s, const T* x, size_t n) {
    const size_t before = s->seen % kGroup, some = n < kGroup - before ? n : kGroup - before;
    for (size_t i = 0; i < some; ++i) s->group = before + i ? Acc::absorb(s->group, x[i]) : Acc::of(x[i]);
    if (before + some == kGroup) s->open.add(s->group, 0);
    return some;
  }

  // Whole groups, at most as many as there are lanes.
  static size_t side_by_side(state* s, const T* x, size_t groups) {
    alignas(64) T turned[kGroup][lanes] = {};
    for (size_t g = 0; g < groups; ++g)
      for (size_t i = 0; i < kGroup; ++i) turned[i][g] = x[g * kGroup + i];
    auto all = leaves<Acc, T>(turned[0], 1)(0);
    for (size_t i = 1; i < kGroup; ++i) all = Acc::merge(all, leaves<Acc, T>(turned[i], 1)(0));
    for (size_t g = 0; g < groups; ++g) s->open.add(lane_of<Acc, T>(all, g), 0);
    return groups * kGroup;
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
