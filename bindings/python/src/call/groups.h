// Sets of operands that one plan serves.
#ifndef TILEOPS_PYTHON_GROUPS_H
#define TILEOPS_PYTHON_GROUPS_H

#include <tileops/tileops.h>

#include <vector>

#include "families.h"
#include "plans.h"

namespace tileops_python {

// One set of operands and results of a list; NULL: absent, or not there yet.
struct Item {
  const DLTensor* inputs[TILEOPS_MAX_EXPR_INPUTS] = {};
  DLTensor* outputs[TILEOPS_MAX_EXPR_OUTPUTS] = {};
};

// Numbers of items.
using Group = std::vector<size_t>;

enum class Alike {
  kButExtents,  // all but extents; what is repeated along others is so in each
  kWholly,
};

// Items that are alike, in the order of their first ones. Row-major tensors have no strides here.
std::vector<Group> groups_of(const std::vector<Item>& items, const Group& among, int num_inputs, int num_outputs,
                             Alike alike);

// The request of a plan for all items of a group, whose extents are open where they differ.
class GroupRequest {
 public:
  // `like`: all that is no tensor.
  GroupRequest(const std::vector<Item>& items, const Group& group, const Request& like);
  GroupRequest(const GroupRequest&) = delete;
  const Request& request() const { return request_; }
  bool is_open() const { return is_open_; }

 private:
  template <class Of>
  const DLTensor* described(const Group& group, int place, const Of& tensor_of);

  static constexpr int kMost = TILEOPS_MAX_EXPR_INPUTS + TILEOPS_MAX_EXPR_OUTPUTS;
  DLTensor tensors_[kMost];
  int64_t shapes_[kMost][TILEOPS_MAX_NDIM];
  const DLTensor* inputs_[TILEOPS_MAX_EXPR_INPUTS];
  DLTensor* outputs_[TILEOPS_MAX_EXPR_OUTPUTS];
  Request request_;
  bool is_open_ = false;
};

}  // namespace tileops_python

#endif
