// Ways of a pass of a plan with open extents: ranges of its size, each with a kernel of its own. All are made with the
// plan, and an execute takes the one that its extents are in.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "cuda/tuning/tuning.h"
#include "problem/layout.h"

namespace tileops::cuda {

struct Way {
  int64_t from = 0;      // elements or, of rows, blocks that it begins with
  int64_t usual = 0;     // as many as its kernel is chosen for
  bool index64 = false;  // where 32 bits do not count them: whatever the size
};

// A bound of what a kernel counts: a sum of products of extents.
class Reach {
 public:
  void add(const std::vector<Extent>& product);
  // In 31 bits, for these open extents?
  bool fits(const int64_t* extents) const;

 private:
  int64_t factor_ = 0;
  std::array<int, Extent::kMostOpen> powers_{};  // by open extent: at most so often in a product
};

class Ways {
 public:
  // `most`: by open extent, what it is at most.
  Ways(const Pass& pass, const Layout& layout, int multiprocessors, const Tuning& tuning,
       const std::vector<int64_t>& most);

  const std::vector<Way>& list() const { return list_; }
  // Way `i`; nothing if the pass does not depend on open extents.
  std::optional<Way> way(size_t i) const { return are_open_ ? std::optional(list_[i]) : std::nullopt; }
  // How large an execute is; of a list, its items together.
  struct Total {
    int64_t size = 0;
    bool fits = true;  // each item in 32 bits
  };
  void add(const int64_t* extents, Total* total) const;
  size_t number(const Total& total) const;  // of the way
  size_t number(const int64_t* extents) const;
  // Way `i` becomes the one before it, which begins where that began.
  void unite_with_last(size_t i) { list_.erase(list_.begin() + static_cast<ptrdiff_t>(i)); }

 private:
  std::vector<Way> list_;     // in order of size; last one of 64 bits, where open extents may be so large
  std::vector<Extent> size_;  // the product of these
  Reach reach_;
  bool are_open_ = false;
};

}  // namespace tileops::cuda
