// Bodies of two stages: the first one, such as RoPE's sines and cosines, is computed once for all elements that it
// serves, the heads of a position (kernels/strategies/shared_stage.h).
#include <algorithm>

#include "cuda/select/stages.h"
#include "cuda/tuning/body_tuning.h"

namespace tileops::cuda {
namespace {

constexpr int kWarp = 32;

bool has_long_stage(const Pass& pass) { return has_hint(only_step(pass).body->name, kLongStage); }
int64_t result_bytes(const Pass& pass) { return static_cast<int64_t>(dtype_size(pass.stores[0].dtype)); }

// `most`, or a half, a quarter and so on, not below `least`, `times` which divides the extent; 0 if
// none does.
int halved(int most, int least, const Extent& extent, int times) {
  while (most >= least && extent.divisor() % (static_cast<int64_t>(times) * most) != 0) most /= 2;
  return most >= least ? most : 0;
}

// Rows along dimension d that a thread takes on its own; 0 where they do not divide it.
int rows_alone(const Pass& pass, const Extent& extent, bool many, const Tuning& tuning) {
  const int64_t bytes = result_bytes(pass);
  int rows = bytes == 1 ? tuning.stage_rows_8_bits : bytes == 2 ? tuning.stage_rows_16_bits : tuning.stage_rows_wider;
  if (has_long_stage(pass)) rows = std::min(2 * rows, tuning.stage_rows_8_bits);
  return halved(many ? rows : tuning.few_stage_rows, 2, extent, 1);
}

// Rows that a thread takes where it computes angles together with others; 0 where it cannot. These
// are the threads of a warp whose vectors lie below each other, if along the dimension that shares
// angles, the last but one, there are as many for each position. Each computes its part of a
// vector's sines and cosines.
int rows_together(const Pass& pass, const Traversal& t, size_t d, bool many, const Tuning& tuning) {
  if (t.extents.back().is_open()) return 0;
  const int64_t vecs = t.extents.back() / t.vec, bytes = result_bytes(pass);
  const int threads = tuning.cooperating_stage_threads;
  const bool power_of_two = (vecs & (vecs - 1)) == 0;
  if (d + 2 != t.extents.size() || t.vec % threads != 0 || bytes > 2 || !power_of_two || vecs * threads > kWarp)
    return 0;
  const int least = bytes == 1 || has_long_stage(pass) ? tuning.few_stage_rows : 1;
  const int most = bytes == 1 && many ? tuning.cooperating_stage_rows_8_bits : least;
  return halved(most, least, t.extents[d], threads);
}

// The body computes angles from all but its first two loads, and turns vectors of these, not one
// element that is repeated (an x that was expanded along the head).
bool turns_vectors(const Pass& pass, const Traversal& t) {
  if (!only_step(pass).body->staged || only_step(pass).ctype != Ctype::f32 || !t.operands.ids.empty() ||
      pass.stores.size() != 2)
    return false;
  for (size_t i = 0; i < t.operands.direct.size(); ++i) {
    const Operand& o = t.operands.direct[i];
    const bool is_pair = o.pattern == AccessPattern::even || o.pattern == AccessPattern::odd;
    if ((i < 2 || o.is_store) && !o.is_consecutive() && !is_pair) return false;
  }
  return true;
}

bool angles_are_same_along(size_t d, const Pass& pass, const Traversal& t) {
  bool same = t.extents[d].typical() > 1;
  for (size_t i = 2; i < ids_begin(pass); ++i) same = same && t.operands.direct[i].strides[d] == 0;
  return same;
}

}  // namespace

Traversal with_shared_stage(const Pass& pass, Traversal t, const Tuning& tuning) {
  if (!turns_vectors(pass, t)) return t;
  for (size_t d = t.extents.size() - 1; d-- > 0;) {
    if (!angles_are_same_along(d, pass, t)) continue;
    const int alone = std::min(t.vec, tuning.stage_pairs_alone);
    const bool many = t.numel / alone >= tuning.many_stage_vecs;
    if (const int together = rows_together(pass, t, d, many, tuning)) {
      t.cooperating_threads = tuning.cooperating_stage_threads;
      t.rows_per_thread = together;
    } else if (const int rows = rows_alone(pass, t.extents[d], many, tuning)) {
      t.rows_per_thread = rows;
      t.vec = alone;
    } else {
      continue;
    }
    t.rows_dim = d;
    for (Operand& o : t.operands.direct)
      if (o.pattern == AccessPattern::dense) o.pattern = AccessPattern::row;
    break;
  }
  return t;
}

}  // namespace tileops::cuda
