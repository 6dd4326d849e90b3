// SPDX-License-Identifier: Apache-2.0
// Plans, and what needs no plan of one's own: infer, tune, run, copy.
#ifndef TILEOPS_HPP_PLAN_HPP
#define TILEOPS_HPP_PLAN_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tileops/hpp/arguments.hpp"
#include "tileops/hpp/error.hpp"
#include "tileops/hpp/expression.hpp"
#include "tileops/hpp/list.hpp"
#include "tileops/hpp/operands.hpp"
#include "tileops/hpp/tensor.hpp"
#include "tileops/hpp/workspace.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

// One operator or expression prepared for given shapes, dtypes and attributes. Move-only: copies are asked for,
// with retain(), and share the plan.
class Plan {
 public:
  Plan() = default;
  // Shapes, strides, dtypes and device of these tensors; their memory is not touched.
  Plan(tileops_op op, const detail::CallInputs& inputs, const detail::CallOutputs& outputs, const Attrs& attrs = {},
       tileops_context* context = nullptr) {
    check(tileops_plan_create_like(context, op, inputs.data(), inputs.size(), outputs.data(), outputs.size(),
                                   attrs.data(), attrs.size(), &handle_));
  }
  // The same for an expression.
  Plan(const detail::CallExpr& expr, const detail::CallInputs& inputs, const detail::CallOutputs& outputs,
       tileops_context* context = nullptr) {
    check(tileops_plan_create_like_expr(context, expr.handle, inputs.data(), inputs.size(), outputs.data(),
                                        outputs.size(), &handle_));
  }
  explicit Plan(const tileops_plan_desc& desc, tileops_context* context = nullptr) {
    check(tileops_plan_create(context, &desc, &handle_));
  }
  // Takes over a reference.
  explicit Plan(tileops_plan* plan) : handle_(plan) {}
  Plan(Plan&& other) noexcept : handle_(other.release()) {}
  Plan& operator=(Plan&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Plan() { tileops_plan_destroy(handle_); }

  Plan retain() const {
    check(tileops_plan_retain(handle_));
    return Plan(handle_);
  }
  tileops_plan* get() const& { return handle_; }
  tileops_plan* get() const&& = delete;
  tileops_plan* release() noexcept { return std::exchange(handle_, nullptr); }

  // See tileops_execute. May be called by many threads at once. A plan that needs a workspace wants execute_with.
  void execute(const detail::CallInputs& inputs, const detail::CallOutputs& outputs, void* stream = nullptr) const {
    check(tileops_execute(handle_, inputs.data(), inputs.size(), outputs.data(), outputs.size(), stream));
  }
  // With scalars of an expression, in braces ({}: their defaults), and memory to work in; see tileops_execute_with.
  void execute_with(const detail::CallInputs& inputs, const detail::CallOutputs& outputs, const Scalars& scalars,
                    void* stream = nullptr, const Workspace& workspace = {}) const {
    tileops_execute_args args = arguments(inputs.size(), outputs.size(), scalars, stream, workspace);
    args.inputs = inputs.data();
    args.outputs = outputs.data();
    check(tileops_execute_with(handle_, &args));
  }
  // Bytes of the workspace that an execute needs; 0 for most plans. See workspace.hpp.
  uint64_t workspace_bytes() const { return query<uint64_t>(TILEOPS_PLAN_WORKSPACE_BYTES); }
  // One of that size on the plan's device.
  ManagedTensor allocate_workspace(tileops_context* context = nullptr) const {
    return {uint8, {workspace_bytes()}, query<DLDevice>(TILEOPS_PLAN_DEVICE), context};
  }
  // See tileops_execute_ptrs: bare addresses, unchecked.
  void execute_ptrs(const void* const* inputs, void* const* outputs, void* stream = nullptr) const {
    check(tileops_execute_ptrs(handle_, inputs, outputs, stream));
  }
  // The same with scalars and memory to work in, as execute_with has them.
  void execute_ptrs_with(const void* const* inputs, size_t num_inputs, void* const* outputs, size_t num_outputs,
                         const Scalars& scalars, void* stream = nullptr, const Workspace& workspace = {}) const {
    tileops_execute_args args = arguments(num_inputs, num_outputs, scalars, stream, workspace);
    args.input_ptrs = inputs;
    args.output_ptrs = outputs;
    check(tileops_execute_with(handle_, &args));
  }

  // Executes many sets of tensors by one call (tileops_execute_list). `items` is a range of ListItem or of AddressItem;
  // the plan was made with TILEOPS_PLAN_LIST.
  template <class Range>
  void execute_list(const Range& items, const Scalars& scalars = {}, void* stream = nullptr) const {
    const std::vector<tileops_execute_args> all = detail::list_arguments(items, scalars, stream);
    check(tileops_execute_list(handle_, all.data(), all.size()));
  }
  void execute_list(std::initializer_list<ListItem> items, const Scalars& scalars = {}, void* stream = nullptr) const {
    execute_list<std::initializer_list<ListItem>>(items, scalars, stream);
  }

  // Questions to a plan with open extents (TILEOPS_OPEN): how many of them each execute brings; which they are for
  // given tensors, in the plan's order; what an execute needs at given ones; and the shape that a result has then.
  size_t num_extents() const { return static_cast<size_t>(query<int32_t>(TILEOPS_PLAN_NUM_EXTENTS)); }
  std::vector<int64_t> extents_of(const detail::CallInputs& inputs) const {
    std::vector<int64_t> extents(num_extents());
    for (size_t i = 0; i < extents.size(); ++i) {
      int32_t input = 0, axis = 0;
      check(tileops_plan_extent(handle_, i, &input, &axis, nullptr));
      const DLTensor* t = static_cast<size_t>(input) < inputs.size() ? inputs.data()[input] : nullptr;
      if (!t || axis >= t->ndim)
        throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::Plan::extents_of: a tensor has no such axis");
      extents[i] = t->shape[axis];
    }
    return extents;
  }
  tileops_plan_facts at(const std::vector<int64_t>& extents) const {
    tileops_plan_facts facts = TILEOPS_PLAN_FACTS_INIT;
    check(tileops_plan_at(handle_, extents.data(), extents.size(), &facts));
    return facts;
  }
  std::vector<int64_t> result_shape(const std::vector<int64_t>& extents, size_t output = 0) const {
    DLDataType dtype;
    int32_t ndim = 0;
    std::vector<int64_t> shape(TILEOPS_MAX_NDIM);
    check(tileops_plan_result(handle_, extents.data(), extents.size(), output, &dtype, &ndim, shape.data()));
    shape.resize(static_cast<size_t>(ndim));
    return shape;
  }

  // Parts of a phase that are worth a thread each; 0 of CUDA plans.
  size_t num_parts() const { return static_cast<size_t>(query<int32_t>(TILEOPS_PLAN_NUM_PARTS)); }
  // As execute_with, on threads of the caller's: once for each phase pool(parts, work) calls work(part) for each part
  // below `parts`, in any order and on any threads, and returns when all of them have. See tileops_execute_part. What
  // one of them throws is thrown when its phase has ended.
  template <class Pool>
  void execute_parts(Pool&& pool, const detail::CallInputs& inputs, const detail::CallOutputs& outputs,
                     const Scalars& scalars = {}, const Workspace& workspace = {}) const {
    tileops_execute_args args = arguments(inputs.size(), outputs.size(), scalars, nullptr, workspace);
    args.inputs = inputs.data();
    args.outputs = outputs.data();
    const auto phases = static_cast<uint32_t>(query<int32_t>(TILEOPS_PLAN_NUM_PASSES));
    const size_t worth = num_extents() > 0 ? at(extents_of(inputs)).parts : num_parts();
    const size_t parts = worth > 0 ? worth : 1;  // of a CUDA plan the part says that there are none
    for (uint32_t phase = 0; phase < phases; ++phase) {
      std::atomic_flag failed = ATOMIC_FLAG_INIT;
      std::exception_ptr first;
      pool(parts, [&](size_t part) {
        try {
          check(tileops_execute_part(handle_, &args, phase, static_cast<uint32_t>(part), static_cast<uint32_t>(parts)));
        } catch (...) {
          if (!failed.test_and_set()) first = std::current_exception();
        }
      });
      if (first) std::rethrow_exception(first);
    }
  }

  // A property of fixed size: query<uint64_t>(TILEOPS_PLAN_BYTES_MOVED).
  template <class T>
  T query(tileops_plan_prop property) const {
    T value{};
    size_t size = sizeof value;
    check(tileops_plan_query(handle_, property, &value, &size));
    if (size != sizeof value)
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::Plan::query: type of another size");
    return value;
  }
  // A property that is text.
  std::string query_text(tileops_plan_prop property) const {
    size_t size = 0;
    check(tileops_plan_query(handle_, property, nullptr, &size));
    std::string text(size, '\0');
    check(tileops_plan_query(handle_, property, &text[0], &size));
    text.resize(std::strlen(text.c_str()));
    return text;
  }

 private:
  // All but the operands.
  static tileops_execute_args arguments(size_t num_inputs, size_t num_outputs, const Scalars& scalars, void* stream,
                                        const Workspace& workspace) {
    tileops_execute_args args = detail::arguments(num_inputs, num_outputs, workspace);
    args.num_scalars = static_cast<uint32_t>(scalars.size());
    args.scalars = scalars.data();
    args.stream = stream;
    return args;
  }

  tileops_plan* handle_ = nullptr;
};

// Shape and dtype of a result, before there is memory for it.
struct ResultInfo {
  DLDataType dtype;
  Dims shape;
};

// See tileops_plan_infer. Of the tensors only shape, strides and dtype count; operators whose result
// may have any shape (alibi, sinusoidal) want the other form.
inline ResultInfo infer(const tileops_plan_desc& desc, size_t output = 0) {
  DLDataType dtype{};
  int32_t ndim = 0;
  int64_t shape[TILEOPS_MAX_NDIM];
  check(tileops_plan_infer(&desc, output, &dtype, &ndim, shape));
  return {dtype, Dims(shape, static_cast<size_t>(ndim))};
}
namespace detail {
inline ResultInfo infer(tileops_plan_desc desc, const detail::CallInputs& inputs, size_t output) {
  std::vector<tileops_tensor_desc> descs(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (const DLTensor* t = inputs.data()[i]) descs[i] = {t->dtype, t->ndim, t->shape, t->strides};
  desc.num_inputs = static_cast<int32_t>(inputs.size());
  desc.inputs = descs.data();
  return tileops::infer(desc, output);
}
}  // namespace detail
inline ResultInfo infer(tileops_op op, const detail::CallInputs& inputs, const Attrs& attrs = {}, size_t output = 0) {
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = op;
  desc.num_attrs = static_cast<int32_t>(attrs.size());
  desc.attrs = attrs.data();
  return detail::infer(desc, inputs, output);
}
inline ResultInfo infer(const detail::CallExpr& expr, const detail::CallInputs& inputs, size_t output = 0) {
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = expr.handle;
  return detail::infer(desc, inputs, output);
}

// Measures the strategies of a CUDA plan and keeps the fastest; see tileops_tune. `progress` takes a
// const tileops_tune_progress& and returns whether to go on; what it throws stops and reaches the caller.
template <class Progress>
tileops_tune_result tune(const tileops_plan_desc& desc, Progress&& progress, tileops_context* context = nullptr) {
  struct State {
    Progress& call;
    std::exception_ptr thrown;
  } state{progress, nullptr};
  tileops_tune_result result = TILEOPS_TUNE_RESULT_INIT;
  const tileops_status status = tileops_tune(
      context, &desc,
      [](void* user, const tileops_tune_progress* p) -> int32_t {
        State& s = *static_cast<State*>(user);
        try {
          return s.call(*p) ? 0 : 1;
        } catch (...) {
          s.thrown = std::current_exception();
          return 1;
        }
      },
      &state, &result);
  if (state.thrown) std::rethrow_exception(state.thrown);
  check(status);
  return result;
}
inline tileops_tune_result tune(const tileops_plan_desc& desc, tileops_context* context = nullptr) {
  return tune(desc, [](const tileops_tune_progress&) { return true; }, context);
}

// Plans (from the cache, after the first time) and executes in one call. An expression that needs a workspace gets one
// for the call; on CUDA the call then waits for the device, so that it cannot be captured.
inline void run(tileops_op op, const detail::CallInputs& inputs, const detail::CallOutputs& outputs,
                const Attrs& attrs = {}, void* stream = nullptr, tileops_context* context = nullptr) {
  Plan(op, inputs, outputs, attrs, context).execute(inputs, outputs, stream);
}

inline void run(const detail::CallExpr& expr, const detail::CallInputs& inputs, const detail::CallOutputs& outputs,
                const Scalars& scalars = {}, void* stream = nullptr, tileops_context* context = nullptr) {
  const Plan plan(expr, inputs, outputs, context);
  ManagedTensor memory;
  if (plan.workspace_bytes() > 0) memory = plan.allocate_workspace(context);
  plan.execute_with(inputs, outputs, scalars, stream, memory);
}

// Copies between devices and layouts. See tileops_tensor_copy.
inline void copy(const detail::CallInput& source, const detail::CallOutput& destination, void* stream = nullptr,
                 tileops_context* context = nullptr) {
  check(tileops_tensor_copy(context, source.tensor, destination.tensor, stream));
}

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
