// Requests that differ in extents alone, and the one plan that serves them.
#ifndef TILEOPS_PYTHON_FAMILIES_H
#define TILEOPS_PYTHON_FAMILIES_H

#include <tileops/tileops.h>

#include <memory>
#include <vector>

#include "plans.h"

namespace tileops_python {

class Program;

// Along which axes, counted from the last one, some tensor has more or fewer elements than one.
class Space {
 public:
  void add(const DLTensor* t) {
    for (int k = 0; t && k < t->ndim; ++k)
      if (t->shape[t->ndim - 1 - k] != 1) is_longer_[k] = true;
  }
  // Is the tensor repeated along that axis, as others are longer there?
  bool repeats(const DLTensor& t, int axis) const { return t.shape[axis] == 1 && is_longer_[t.ndim - 1 - axis]; }

 private:
  bool is_longer_[TILEOPS_MAX_NDIM] = {};
};

// Which extents a family does not look at. What is repeated along others is so in all of its requests.
enum class Ignored {
  kBatch,  // the first of the tensors with most dimensions
  kAll,
};

class IgnoredExtents {
 public:
  IgnoredExtents(const Request& request, Ignored kind);
  bool has(const DLTensor& t, int axis) const {
    return (kind_ == Ignored::kAll || (axis == 0 && t.ndim == most_)) && !space_.repeats(t, axis);
  }
  Ignored kind() const { return kind_; }
  // How many dimensions the tensor has that has most of them.
  int dimensions() const { return most_; }

 private:
  Ignored kind_;
  int most_ = 0;
  Space space_;
};

// Extents of an execute, in the plan's order.
struct Extents {
  static constexpr size_t kMost = 16;  // of a plan
  int64_t values[kMost];
  size_t count = 0;
};

// Those that the inputs of an execute bring to a plan; none to a closed one.
class OpenExtents {
 public:
  explicit OpenExtents(const Entry& entry);
  Extents of(const DLTensor* const* inputs) const;

 private:
  struct Place {
    int32_t input, axis;
  };
  std::vector<Place> places_;
};

// Requests that differ in ignored extents. After some that have plans of their own one plan has those extents open
// that were others by then, where the text allows it. It is made anew when one more changes.
class Family {
 public:
  Family(const Request& first, int own_plans) : first_(extents_of(first)), own_plans_(own_plans) {}

  // The entry for a request of this family; NULL: it wants a plan of its own.
  std::shared_ptr<const Entry> get(const Program& program, const Request& request);

  int parts = 0;  // how many families of fewer requests there are in this one

 private:
  static std::vector<int64_t> extents_of(const Request& request);
  std::shared_ptr<const Entry> at(const Program& program, const Request& request,
                                  const std::vector<int64_t>& now) const;

  std::vector<int64_t> first_;  // extents of the first request's inputs, one behind the other
  int own_plans_;
  std::vector<bool> is_open_;  // by extent, in that order
  bool is_refused_ = false;    // more open extents than `open_` has
  std::shared_ptr<const Entry> open_;
};

}  // namespace tileops_python

#endif
