#include "cuda/select/rope_reuse.h"

#include <algorithm>

namespace tileops::cuda {
namespace {

int repeats_of(const Pass& pass, const Tuning& tuning) {
  const int64_t bytes = dtype_size(pass.stores[0].dtype);
  const int repeats = bytes == 1 ? tuning.byte_repeats : bytes == 2 ? tuning.half_repeats : tuning.word_repeats;
  return only_step(pass).body->name == "rope_rescaled" ? std::min(2 * repeats, tuning.byte_repeats) : repeats;
}

// `most` halved until `times` as many divide the extent, but not below `least`; 0 if there is none.
int halved(int most, int least, int64_t extent, int times) {
  while (most >= least && extent % (static_cast<int64_t>(times) * most) != 0) most /= 2;
  return most >= least ? most : 0;
}

// Threads that may compute the angles of a pack together: those of a warp whose packs lie below each other, if along
// the repeated dimension, the last but one, there are as many for each position. Each then has a quarter of its pack's
// sines and cosines to compute, so that fewer heads need to share them and more threads are on the way (64 Mi elements
// on an H200, 16 heads of 128: f16 rope_neox 71 -> 67 us, longrope 80 -> 68, e4m3 rope_neox 43 -> 36, longrope 51 -> 38).
constexpr int kShare = 4;
// Packs along dimension d that a thread takes then; 0 where nothing can be shared.
int shared_repeats(const Pass& pass, const Layout& layout, size_t d, int vector, bool many, const Tuning& tuning) {
  const int64_t packs = layout.extents.back() / vector, bytes = dtype_size(pass.stores[0].dtype);
  if (d + 2 != layout.extents.size() || vector % kShare != 0 || bytes > 2 || (packs & (packs - 1)) != 0 ||
      packs * kShare > 32)
    return 0;
  const int least = bytes == 1 || only_step(pass).body->name == "rope_rescaled" ? tuning.few_repeats : 1;
  return halved(bytes == 1 && many ? tuning.shared_byte_repeats : least, least, layout.extents[d], kShare);
}

}  // namespace

void choose_turn(const Pass& pass, const Layout& layout, size_t direct, const Tuning& tuning,
                 std::vector<Operand>* operands, KernelSpec* spec) {
  if (!only_step(pass).body->staged || pass.ctype != Ctype::f32 ||
      operands->size() != direct || pass.stores.size() != 2)
    return;
  // Turned are packs of elements, not one that is repeated (an x that was expanded along the head).
  for (size_t i = 0; i < operands->size(); ++i) {
    const Operand& o = (*operands)[i];
    if ((i < 2 || o.is_store) && !o.consecutive() && o.reach != Reach::even && o.reach != Reach::odd) return;
  }
  for (size_t d = layout.extents.size() - 1; d-- > 0;) {
    bool same = layout.extents[d] > 1;
    for (size_t i = 2; i < pass.loads.size(); ++i) same = same && (*(*operands)[i].strides)[d] == 0;
    if (!same) continue;
    const int alone = std::min(spec->vector, 8);  // a thread has too few registers for the angles of 16 pairs
    const bool many = layout.numel / alone >= tuning.repeat_many_from;
    const int most = many ? repeats_of(pass, tuning) : tuning.few_repeats;
    if (const int shared = shared_repeats(pass, layout, d, spec->vector, many, tuning)) {
      spec->share = kShare;
      spec->repeat = shared;
    } else if (const int repeat = halved(most, 2, layout.extents[d], 1)) {
      spec->repeat = repeat;
      spec->vector = alone;
    } else {
      continue;
    }
    spec->repeat_dim = static_cast<int>(d);
    for (Operand& o : *operands)
      if (o.reach == Reach::dense) o.reach = Reach::row;
    return;
  }
}

}  // namespace tileops::cuda
