#include "expr/split/parts.h"

#include <algorithm>

namespace tileops::expr {
namespace {

std::vector<Extent> operand_shape(const Inference& inference, int i) {
  return shape_of(inference, inference.graph->nodes[i].arguments[0].node);
}

// The elements along the axes that are reduced, and along the others; false if there are too many to count. Open
// extents count as large ones: what is chosen by these numbers changes no bits.
bool count_elements(const std::vector<Extent>& shape, uint32_t axes, int64_t* reduced, int64_t* kept) {
  *reduced = *kept = 1;
  for (size_t axis = 1; axis <= shape.size(); ++axis) {
    int64_t* n = axes >> (axis - 1) & 1 ? reduced : kept;
    if (__builtin_mul_overflow(*n, extent_along(shape, axis).typical(), n)) return false;
  }
  return true;
}

bool reduces_last(const Reduced& r) { return (r.over.axes & 1) != 0; }

bool reduces_open(const Reduced& r, const std::vector<Extent>& shape) {
  for (size_t axis = 1; axis <= shape.size(); ++axis)
    if ((r.over.axes >> (axis - 1) & 1) != 0 && extent_along(shape, axis).is_open()) return true;
  return false;
}

// Has it one result only in an order of its own?
bool has_order(const Reduced& r) { return r.by != Reduction::amax && r.by != Reduction::amin && is_floating(r.type); }

// Can what its parts come to be held, and be reduced once more? Sums of float64 are held as high and low parts, which
// only a GPU adds up.
bool can_be_in_parts(const Reduced& r, bool sums_f64 = false) {
  const bool is_sum = r.by == Reduction::sum || r.by == Reduction::variance;
  return r.over.groups.empty() && r.by != Reduction::argmax && r.by != Reduction::argmin &&
         (r.type != Ctype::f64 || (r.by != Reduction::log_sum_exp && (!is_sum || sums_f64)));
}

// Elements of a block, where a reduction has few blocks of very many; else 0. Columns are few
// even where they are more: a thread reads no wider than they lie side by side. What is open may be very long; but
// several rows of an open length, as of a softmax over keys, are mostly short: more passes would cost them more. Rows
// that are long enough are few up to about as many as a GPU has multiprocessors.
constexpr int64_t kFewRows = 16, kFewColumns = 1024, kFewLongRows = 128;
int64_t elements_of_few_blocks(const Reduced& r, const std::vector<Extent>& shape, int64_t* blocks) {
  constexpr int64_t kManyElements = 1 << 16, kVeryManyElements = 1 << 18;
  int64_t elements;
  if (!count_elements(shape, r.over.axes, &elements, blocks)) return 0;
  const int64_t few = !reduces_last(r) ? kFewColumns : elements >= kVeryManyElements ? kFewLongRows : kFewRows;
  const bool is_rows = reduces_last(r) && *blocks > 1;
  const bool is_long = elements >= kManyElements || (reduces_open(r, shape) && !is_rows);
  return *blocks < 1 || *blocks > few || !is_long ? 0 : elements;
}

// Elements of a column, where columns are so long that one thread block takes long for each, and too few to keep a GPU
// busy all the same; else 0.
int64_t elements_of_long_columns(const Reduced& r, const std::vector<Extent>& shape, int64_t* columns) {
  constexpr int64_t kLong = 2048, kMostColumns = 1 << 16;
  int64_t elements;
  if (reduces_last(r) || reduces_open(r, shape) || !sums_many_blocks(shape) ||
      !count_elements(shape, r.over.axes, &elements, columns))
    return 0;
  return elements < kLong || *columns > kMostColumns ? 0 : elements;
}

// Elements of a part, and of a group at most. On a GPU parts of few elements are smaller, so that more thread blocks
// have one. Groups of columns have 256, but for so few columns that one thread has all of them (H200, December 2026,
// microseconds in groups of 4,096, of 1,024 and of 256: the sums of 64 columns of 1,048,576 bf16 54, 50 and 40, of 200
// columns of 300,000 56, 49 and 47).
constexpr int64_t kPart = 4096, kGroupOfColumns = 256, kSeveralColumns = 9;
int64_t elements_of_part_on_gpu(int64_t elements, int64_t blocks) {
  constexpr int64_t kFewElements = 1 << 19;
  return elements < kFewElements / blocks ? kPart / 2 : kPart;
}

}  // namespace

uint32_t of_several(const std::vector<Extent>& shape, uint32_t axes) {
  for (size_t axis = 1; axis <= shape.size(); ++axis)
    if (extent_along(shape, axis) == 1) axes &= ~(uint32_t{1} << (axis - 1));
  return shape.size() < 32 ? axes & ~(UINT32_MAX << shape.size()) : axes;
}

bool can_be_in_groups(const Inference& inference, int i) {
  const Reduced r = reduced(inference, i);
  return can_be_in_parts(r, true) && r.by != Reduction::variance;
}

Sharing sharing_of(const Inference& inference, int i, bool on_gpu, bool reads_alone) {
  constexpr int64_t kLeast = 256;  // of a group
  const Reduced r = reduced(inference, i);
  const std::vector<Extent> shape = operand_shape(inference, i);
  int64_t blocks;
  int64_t all = can_be_in_parts(r, on_gpu) ? elements_of_few_blocks(r, shape, &blocks) : 0;
  if (all == 0 && reads_alone && can_be_in_groups(inference, i)) all = elements_of_long_columns(r, shape, &blocks);
  if (all == 0) return {};
  const int64_t part = on_gpu ? elements_of_part_on_gpu(all, blocks) : kPart;
  const int64_t most = on_gpu && !reduces_last(r) && blocks >= kSeveralColumns ? kGroupOfColumns : part;
  // Parts of columns are read column by column, as if each were a row: that is for a few of them.
  const Sharing parts = reduces_last(r) || blocks <= kFewRows ? Sharing{{}, part} : Sharing{};
  if (reduces_open(r, shape)) return parts;
  // A group is a node of the tree over the row-major elements: whole rows where these are of a power of two. Along the
  // outermost axis the last one may be short. What has one result in any order has groups of any size, and of columns
  // these are better than parts.
  Sharing sharing;
  int64_t taken = 1;
  const auto first = static_cast<size_t>(__builtin_ctz(r.over.axes)) + 1;
  for (size_t axis = first; axis <= shape.size() && (r.over.axes >> (axis - 1) & 1) && taken < most; ++axis) {
    const int64_t n = extent_along(shape, axis), room = most / taken;
    const bool any_size = taken * n == all || (!has_order(r) && !reduces_last(r));
    const int64_t group = std::min(room, any_size ? n : n & -n);
    if (n > 1) sharing.groups[static_cast<int>(axis)] = group;
    taken *= group;
    if (group < n) break;
  }
  return taken < kLeast ? parts : sharing;
}

int64_t part_of_scan(const Inference& inference, int i) {
  // Shorter rows, or more of them, take one thread block each no longer than two passes would. Of columns several share
  // a thread block.
  constexpr int64_t kLong = 1 << 15, kHalfOfDevice = 64, kFewScannedColumns = 128;
  constexpr int64_t kMostParts = 2048;  // of a row, of which each thread block reads those on its left
  const Reduced r = reduced(inference, i);
  const std::vector<Extent> shape = operand_shape(inference, i);
  if (!can_be_in_parts(r, true) || reduces_open(r, shape) || !is_power_of_two(of_several(shape, r.over.axes))) return 0;
  int64_t elements, blocks;
  if (!count_elements(shape, r.over.axes, &elements, &blocks)) return 0;
  if (elements < kLong || blocks < 1 || blocks > (reduces_last(r) ? kHalfOfDevice : kFewScannedColumns)) return 0;
  if (!reduces_last(r) && blocks > 1) return kPart / 2;
  int64_t part = elements_of_part_on_gpu(elements, blocks);
  while (elements / part > kMostParts) part *= 2;
  return part;
}

bool has_few_long_blocks(const Inference& inference, int i) {
  const Reduced r = reduced(inference, i);
  const std::vector<Extent> shape = operand_shape(inference, i);
  int64_t blocks;
  return !reduces_open(r, shape) && elements_of_few_blocks(r, shape, &blocks) != 0;
}

bool may_reduce_blocks(const Inference& inference, int i) {
  if (!is_reduction(inference, i)) return false;
  const Reduced r = reduced(inference, i);
  const std::vector<Extent> shape = operand_shape(inference, i);
  const uint32_t over = of_several(shape, r.over.axes);
  const uint32_t last = of_several(shape, UINT32_MAX);  // whose lowest bit is the last axis of several elements
  return can_be_in_parts(r) && r.by != Reduction::variance && !std::count(shape.begin(), shape.end(), 0) &&
         !is_power_of_two(over) && (!has_order(r) || (over & last & -last) != 0);
}

bool reduces_blocks(const Inference& inference, int i, uint32_t axes) {
  constexpr int64_t kShortest = 8, kMostBlocks = 1 << 16;
  const Reduced r = reduced(inference, i);
  const std::vector<Extent> shape = operand_shape(inference, i);
  const uint32_t over = of_several(shape, r.over.axes), block = of_several(shape, axes), left = over & ~block;
  if ((block & ~over) != 0 || block == 0 || left == 0) return false;
  int64_t elements, others, blocks;
  if (!count_elements(shape, block, &elements, &others) || !count_elements(shape, left, &blocks, &others)) return false;
  for (size_t axis = 1; axis <= shape.size(); ++axis)
    if ((block >> (axis - 1) & 1) != 0 && extent_along(shape, axis).is_open()) return false;
  // Nodes of the tree over the row-major elements are what its innermost axes hold.
  const bool are_nodes = is_power_of_two(elements) && block < (left & -left);
  return elements >= kShortest && blocks <= kMostBlocks && (!has_order(r) || are_nodes);
}

size_t block_axes_of_sum(const Inference& inference, int i) {
  constexpr int64_t kFewestBlocks = 2048, kShortest = 8, kLongest = 8192;
  if (!is_reduction(inference, i)) return 0;
  const Reduced r = reduced(inference, i);
  if (r.by != Reduction::sum || r.type != Ctype::f32 || !r.over.groups.empty()) return 0;
  const std::vector<Extent> shape = operand_shape(inference, i);
  const auto is_reduced = [&](size_t axis) { return (r.over.axes >> (axis - 1) & 1) != 0; };
  size_t axes = 0;
  while (axes < shape.size() && !is_reduced(axes + 1)) ++axes;
  for (size_t axis = axes + 1; axis <= shape.size(); ++axis)
    if (!is_reduced(axis) && extent_along(shape, axis) != 1) return 0;
  int64_t blocks, elements;
  if (!count_elements(shape, r.over.axes, &blocks, &elements)) return 0;
  return blocks >= kFewestBlocks && elements >= kShortest && elements <= kLongest ? axes : 0;
}

bool sums_many_blocks(const std::vector<Extent>& shape) {
  constexpr int64_t kMany = 1 << 22;
  int64_t all, none;
  return !count_elements(shape, UINT32_MAX, &all, &none) || all >= kMany;
}

}  // namespace tileops::expr
