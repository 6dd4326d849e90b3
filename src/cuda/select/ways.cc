#include "cuda/select/ways.h"

#include <algorithm>

namespace tileops::cuda {
namespace {

// What a block of threads may count beyond the end.
constexpr int64_t kBeyond = 1 << 21;

bool is_any_open(const std::vector<Extent>& extents) {
  return std::any_of(extents.begin(), extents.end(), [](const Extent& e) { return e.is_open(); });
}

int64_t saturating_product(int64_t a, int64_t b) {
  int64_t n;
  return __builtin_mul_overflow(a, b, &n) ? INT64_MAX : n;
}

// Where choices change: rows have fewer or more threads by how many a multiprocessor has of them (rows/threads.cc);
// tables are looked up and vectors taken two at a time where elements are many (tuning.h).
std::vector<Way> ladder(bool rows, int64_t multiprocessors, const Tuning& tuning) {
  if (rows)
    return {{0, std::max<int64_t>(multiprocessors / 8, 1)},
            {multiprocessors, 2 * multiprocessors},
            {4 * multiprocessors, 64 * multiprocessors}};
  return {{0, tuning.lookup_from / 4},
          {tuning.lookup_from, 8 * tuning.lookup_from},
          {tuning.large_lookup_from, 16 * tuning.large_lookup_from}};
}

}  // namespace

void Reach::add(const std::vector<Extent>& product) {
  int64_t n = 1;
  for (const Extent& e : product) n = saturating_product(n, std::abs(e.divisor()));
  if (n == 0) return;
  if (__builtin_add_overflow(factor_, n, &factor_)) factor_ = INT64_MAX;
  for (int c = 0; c < Extent::kMostOpen; ++c) {
    int power = 0;
    for (const Extent& e : product) power += e.uses(c);
    powers_[static_cast<size_t>(c)] = std::max(powers_[static_cast<size_t>(c)], power);
  }
}

bool Reach::fits(const int64_t* extents) const {
  int64_t n = factor_;
  for (size_t c = 0; c < powers_.size(); ++c)
    for (int k = 0; k < powers_[c]; ++k) n = saturating_product(n, std::max<int64_t>(extents[c], 1));
  return n < INT32_MAX - kBeyond;
}

Ways::Ways(const Pass& pass, const Layout& layout, int multiprocessors, const Tuning& tuning,
           const std::vector<int64_t>& most) {
  are_open_ = is_any_open(layout.extents);
  for (const auto* views : {&layout.loads, &layout.stores})
    for (const std::vector<Extent>& strides : *views) are_open_ = are_open_ || is_any_open(strides);
  if (!are_open_) {
    list_ = {{}};
    return;
  }
  const bool rows = pass.is_of_rows();
  const auto block = layout.extents.begin() + static_cast<ptrdiff_t>(layout.outer());
  size_.assign(layout.extents.begin(), block);
  std::vector<Extent> within(block, layout.extents.end());
  if (!rows) within = layout.extents;
  reach_.add(size_);
  within.push_back(2);  // groups are rounded up to powers of two
  reach_.add(within);
  for (const auto* views : {&layout.loads, &layout.stores})
    for (const std::vector<Extent>& strides : *views)
      for (size_t d = rows ? layout.outer() : 0; d < strides.size(); ++d) reach_.add({strides[d], layout.extents[d]});
  if (is_any_open(size_)) {
    list_ = ladder(rows, multiprocessors, tuning);
  } else {
    int64_t size = 1;
    for (const Extent& e : size_) size = saturating_product(size, e);
    list_ = {{0, size}};
  }
  if (!reach_.fits(most.data())) list_.push_back({0, list_.back().usual, true});
}

void Ways::add(const int64_t* extents, Total* total) const {
  if (!are_open_) return;
  if (list_.back().index64) total->fits = total->fits && reach_.fits(extents);
  int64_t size = 1;
  for (const Extent& e : size_) size = saturating_product(size, e.at(extents));
  if (__builtin_add_overflow(total->size, size, &total->size)) total->size = INT64_MAX;
}

size_t Ways::number(const Total& total) const {
  size_t count = list_.size();
  if (!total.fits) return count - 1;
  if (list_.back().index64) --count;
  while (count > 1 && total.size < list_[count - 1].from) --count;
  return count - 1;
}

size_t Ways::number(const int64_t* extents) const {
  Total total;
  add(extents, &total);
  return number(total);
}

}  // namespace tileops::cuda
