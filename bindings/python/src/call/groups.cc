#include "call/groups.h"

#include <algorithm>
#include <map>

#include "errors.h"

namespace tileops_python {
namespace {

using Key = std::vector<int64_t>;

void add(Key* key, const DLTensor* t, const Space& space, Alike alike) {
  if (!t) return key->push_back(-1);
  key->push_back(int64_t{t->dtype.code} | int64_t{t->dtype.bits} << 8 | int64_t{t->dtype.lanes} << 16 |
                 int64_t{t->ndim} << 32 | int64_t{t->strides != nullptr} << 40);
  key->push_back(int64_t{t->device.device_type} << 32 | int64_t{t->device.device_id});
  for (int d = 0; d < t->ndim; ++d)
    key->push_back(alike == Alike::kWholly || t->strides ? t->shape[d] : int64_t{space.repeats(*t, d)});
  if (t->strides) key->insert(key->end(), t->strides, t->strides + t->ndim);
}

}  // namespace

std::vector<Group> groups_of(const std::vector<Item>& items, const Group& among, int num_inputs, int num_outputs,
                             Alike alike) {
  std::vector<Group> groups;
  std::map<Key, size_t> known;
  Key key;
  for (const size_t i : among) {
    key.clear();
    Space space;
    for (int k = 0; k < num_inputs; ++k) space.add(items[i].inputs[k]);
    for (int k = 0; k < num_outputs; ++k) space.add(items[i].outputs[k]);
    for (int k = 0; k < num_inputs; ++k) add(&key, items[i].inputs[k], space, alike);
    for (int k = 0; k < num_outputs; ++k) add(&key, items[i].outputs[k], space, alike);
    const auto [found, is_new] = known.emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(i);
  }
  return groups;
}

template <class Of>
const DLTensor* GroupRequest::described(const Group& group, int place, const Of& tensor_of) {
  const DLTensor* first = tensor_of(group[0]);
  if (!first) return nullptr;
  int64_t* shape = shapes_[place];
  std::copy_n(first->shape, first->ndim, shape);
  for (const size_t i : group)
    for (int d = 0; d < first->ndim; ++d)
      if (tensor_of(i)->shape[d] != first->shape[d]) shape[d] = TILEOPS_OPEN, is_open_ = true;
  tensors_[place] = *first;
  tensors_[place].shape = shape;
  return &tensors_[place];
}

GroupRequest::GroupRequest(const std::vector<Item>& items, const Group& group, const Request& like) : request_(like) {
  for (int k = 0; k < like.num_inputs; ++k)
    inputs_[k] = described(group, k, [&](size_t i) { return items[i].inputs[k]; });
  for (int k = 0; like.outputs && k < like.num_outputs; ++k) {
    const int place = TILEOPS_MAX_EXPR_INPUTS + k;
    described(group, place, [&](size_t i) -> const DLTensor* { return items[i].outputs[k]; });
    outputs_[k] = &tensors_[place];
  }
  request_.inputs = inputs_;
  request_.outputs = like.outputs ? outputs_ : nullptr;
}

}  // namespace tileops_python
