// Descriptors of tensors that the library has inferred, with the shapes that they point to.
#ifndef TILEOPS_TESTS_COMMON_DESCRIPTORS_H_
#define TILEOPS_TESTS_COMMON_DESCRIPTORS_H_

#include <deque>
#include <vector>

#include "problem/problem.h"

namespace tileops {

class Descriptors {
 public:
  Descriptors() = default;
  Descriptors(const Descriptors&) = delete;
  void add(const TensorSpec& t) { add(t, t.dtype); }
  void add(const TensorSpec& t, Dtype dtype) {
    auto& shape = shapes_.emplace_back();
    for (int d = 0; d < t.ndim; ++d)
      shape.push_back(t.shape[d].is_open() ? int64_t{TILEOPS_OPEN} : int64_t{t.shape[d]});
    list_.push_back({dtype_to_dl(dtype), t.ndim, shapes_.back().data(), nullptr});
  }
  const tileops_tensor_desc* data() const { return list_.data(); }
  int32_t size() const { return static_cast<int32_t>(list_.size()); }

 private:
  std::deque<std::vector<int64_t>> shapes_;
  std::vector<tileops_tensor_desc> list_;
};

}  // namespace tileops

#endif  // TILEOPS_TESTS_COMMON_DESCRIPTORS_H_
