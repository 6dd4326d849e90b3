// SPDX-License-Identifier: Apache-2.0
// Items of Plan::execute_list.
#ifndef TILEOPS_HPP_LIST_HPP
#define TILEOPS_HPP_LIST_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tileops/hpp/arguments.hpp"
#include "tileops/hpp/operands.hpp"
#include "tileops/hpp/workspace.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

// One set of tensors, such as a parameter with its gradient and moments: {{p, g, m, v}, {p, m, v}}. Lists of items are
// made once and executed often.
struct ListItem {
  Inputs inputs;
  Outputs outputs;
  Workspace workspace = {};
};

// The same as bare addresses of element 0, unchecked, nullptr for absent operands, with the plan's open extents.
struct AddressItem {
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  std::vector<int64_t> extents = {};
  Workspace workspace = {};
};

namespace detail {
inline tileops_execute_args arguments(size_t num_inputs, size_t num_outputs, const Workspace& workspace) {
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = static_cast<uint32_t>(num_inputs);
  args.num_outputs = static_cast<uint32_t>(num_outputs);
  args.workspace = workspace.data;
  args.workspace_bytes = workspace.bytes;
  return args;
}
// They point into the item.
inline tileops_execute_args arguments(const ListItem& item) {
  tileops_execute_args args = arguments(item.inputs.size(), item.outputs.size(), item.workspace);
  args.inputs = item.inputs.data();
  args.outputs = item.outputs.data();
  return args;
}
inline tileops_execute_args arguments(const AddressItem& item) {
  tileops_execute_args args = arguments(item.inputs.size(), item.outputs.size(), item.workspace);
  args.input_ptrs = item.inputs.data();
  args.output_ptrs = item.outputs.data();
  args.num_extents = static_cast<uint32_t>(item.extents.size());
  args.extents = item.extents.empty() ? nullptr : item.extents.data();
  return args;
}

// What C takes, of any range of items; stream and scalars are the first one's.
template <class Range>
std::vector<tileops_execute_args> list_arguments(const Range& items, const Scalars& scalars, void* stream) {
  std::vector<tileops_execute_args> all;
  for (const auto& item : items) all.push_back(arguments(item));
  if (!all.empty()) {
    all[0].num_scalars = static_cast<uint32_t>(scalars.size());
    all[0].scalars = scalars.data();
    all[0].stream = stream;
  }
  return all;
}
}  // namespace detail
}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
