// The numbers of an executor that say how large things are and how far apart: extents, strides, what indices may be.
// They lie in one list, and executors know places in it. Of a plan with open extents each execute has a list of its
// own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/extent.h"

namespace tileops::cpu {

class Sizes {
 public:
  static constexpr size_t kMost = 1024;  // of a list with open extents

  // Their places; of several, the first one's.
  size_t add(const Extent& e) {
    if (e.is_open()) open_.emplace_back(count(), e);
    numbers_.push_back(e.is_open() ? 0 : int64_t{e});
    return count() - 1;
  }
  size_t add(const std::vector<Extent>& list) {
    const size_t first = count();
    for (const Extent& e : list) add(e);
    return first;
  }

  bool are_open() const { return !open_.empty(); }
  size_t count() const { return numbers_.size(); }
  // Where none is open.
  const int64_t* numbers() const { return numbers_.data(); }
  // For the open extents of an execute.
  void find(const int64_t* extents, int64_t* numbers) const {
    std::copy(numbers_.begin(), numbers_.end(), numbers);
    for (const auto& [place, extent] : open_) numbers[place] = extent.at(extents);
  }

 private:
  std::vector<int64_t> numbers_;                 // 0 where one is open
  std::vector<std::pair<size_t, Extent>> open_;  // with their places
};

}  // namespace tileops::cpu
