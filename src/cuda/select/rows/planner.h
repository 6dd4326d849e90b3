// How row_plan_of comes to its plan: of a pass's operands (plan.cc), of blocks that lie side by side
// (columns.cc), of the threads that have a row together (threads.cc).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cuda/select/rows/plan.h"
#include "problem/rows/needs.h"

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

class RowPlanner {
 public:
  RowPlanner(const Problem& problem, const Pass& pass, const PassInfo& info, const ChooseOptions& options,
             const Tuning& tuning)
      : problem_(problem),
        pass_(pass),
        info_(info),
        options_(options),
        tuning_(tuning),
        stages_of_load_(stages_of_loads(pass, needs_of_elements(pass, info, scans_of(pass)))) {}
  RowPlan run();

 private:
  size_t outer() const { return p_.layout.outer(); }
  size_t inner_dim() const { return outer() + p_.layout.group_rank; }
  int64_t chunk_packs() const {
    return int64_t{p_.spec.packs} * p_.spec.lanes * p_.spec.warps * p_.spec.cluster * std::max(1, p_.spec.staged);
  }
  bool is_sum_of_blocks(size_t i) const { return p_.operands.direct[i].view->sum_of_blocks.has_value(); }
  bool is_element(size_t i) const;
  // Is a load taken by the last stage alone? And do stages before it need it, or is there no other?
  bool is_of_last_stage(size_t load) const { return stages_of_load_[load] == uint64_t{1} << (info_.stages() - 1); }
  bool is_there_early(size_t load) const { return info_.stages() == 1 || !is_of_last_stage(load); }
  int64_t node_bytes() const;

  // ---- plan.cc
  void require_possible() const;
  void find_operands();
  void find_extents();
  void require_packs() const;
  int vec_of();
  bool lies_within_rows(int64_t vec) const;
  bool is_aligned(int64_t vec) const;
  void find_places();
  void find_kept();
  void find_exactness();
  bool is_wide() const;

  // ---- columns.cc: blocks that lie side by side
  int64_t column_stride(const Operand& o) const { return o.strides[outer() - 1]; }
  bool lies_in_columns() const;
  bool stores_columns_in_packs() const;
  bool columns_fit(int columns) const;
  void require_no_strategy_of_rows() const;
  int columns_asked() const;
  void find_columns();
  void share_what_fits();
  bool suits_a_thread_each() const;
  void give_each_a_thread();

  // ---- threads.cc: the threads of a row
  int64_t pack_bytes(bool all) const;
  int most_packs(int warps) const;
  void find_threads();
  void choose_threads(int64_t packs);
  bool puts_elements() const;
  bool suits_shared_memory() const;
  bool stage(int64_t packs, int warps, int64_t most_bytes);
  int64_t shared_bytes_of(int64_t warps, int64_t packs) const;
  void keep_in_shared_memory(int64_t packs);
  void find_threads_of_runs(int64_t packs);
  void finish_threads();
  void fit_groups();
  // What the caller or tuning asks for; throws where that does not suit the row.
  void take_hint(int64_t packs);
  int packs_asked(int warps) const;
  void keep_in_block(int64_t packs);
  void read_again();
  void keep_in_cluster(int64_t packs);

  const Problem& problem_;
  const Pass& pass_;
  const PassInfo& info_;
  const ChooseOptions& options_;
  const Tuning& tuning_;
  const std::vector<uint64_t> stages_of_load_;
  RowPlan p_;
};

}  // namespace tileops::cuda
