// How row_plan_of comes to its plan: of blocks that lie side by side (columns.cc), or of rows (plan.cc), whose threads
// threads.cc chooses.
#pragma once

#include <cstdint>

#include "cuda/select/rows/plan.h"

namespace tileops::cuda {

constexpr int kLanes = 32;
// Shared memory of a thread block that asks for none when it is launched.
constexpr int64_t kUsualSharedBytes = 48 << 10;

inline int64_t divided_up(int64_t n, int64_t d) { return (n + d - 1) / d; }
inline int64_t power_of_two(int64_t least) {
  int64_t n = 1;
  while (n < least) n *= 2;
  return n;
}

// What the shape says of a plan, before anything is chosen.
RowPlan begun_plan(const RowShape& shape);

// ---- columns.cc: blocks that lie side by side

// By kernels/columns.h.
RowPlan plan_of_columns(const RowShape& shape, const ChooseOptions& options, const Tuning& tuning);
// Are they so many that each has a thread of its own? Neighbouring threads then read neighbouring elements. Scans alone
// can be done so: a reduction of more elements than a thread has at a time wants its block's warps.
bool suits_a_thread_each(const RowShape& shape, const ChooseOptions& options);
void give_each_a_thread(const RowShape& shape, const ChooseOptions& options, const Tuning& tuning, RowPlan* plan);

// ---- threads.cc: the threads of a row, and whether they keep it

// A plan's packs and places are known.
class RowThreads {
 public:
  RowThreads(const RowShape& shape, const ChooseOptions& options, const Tuning& tuning, RowPlan* plan)
      : shape_(shape), options_(options), tuning_(tuning), p_(*plan), s_(plan->spec) {}
  void choose();

 private:
  int most_packs(int warps) const;
  void choose_threads(int64_t packs);
  void take_three_packs(int64_t packs);
  void take_fewer_packs(int64_t packs);
  void choose_threads_of_runs(int64_t packs);
  bool share_beside(int64_t runs);
  void choose_threads_of_any_length();
  void fit_groups();

  // ---- Rows in shared memory
  bool suits_shared_memory() const;
  int64_t shared_bytes(int64_t warps, int64_t packs) const;
  bool stage(int64_t packs, int warps, int64_t most_bytes);

  // ---- What the caller or tuning asks for; throws where that does not suit the row.
  void take_hint(int64_t packs);
  int packs_asked(int warps) const;
  void keep_in_block(int64_t packs);
  void keep_in_shared_memory(int64_t packs);
  void read_again();

  const RowShape& shape_;
  const ChooseOptions& options_;
  const Tuning& tuning_;
  RowPlan& p_;
  RowSpec& s_;
};

}  // namespace tileops::cuda
