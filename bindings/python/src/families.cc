#include "families.h"

#include <algorithm>

#include "errors.h"
#include "program.h"

namespace tileops_python {
namespace {

// Where an execute moves so much on one thread, a plan of its own may share the work among several.
constexpr uint64_t kManyBytes = 1 << 20;

// The description of an open plan, with memory for its extents.
struct OpenDesc {
  int64_t shapes[TILEOPS_MAX_EXPR_INPUTS + TILEOPS_MAX_EXPR_OUTPUTS][TILEOPS_MAX_NDIM];
  tileops_tensor_desc inputs[TILEOPS_MAX_EXPR_INPUTS] = {}, outputs[TILEOPS_MAX_EXPR_OUTPUTS] = {};
  tileops_plan_desc desc;

  // `is_open`: of the extents of all inputs, one behind the other.
  OpenDesc(const Program& program, const Request& r, const std::vector<bool>& is_open) : desc(describe(program, r)) {
    size_t place = 0;
    for (int i = 0; i < r.num_inputs; ++i) {
      const DLTensor* t = r.inputs[i];
      if (!t) continue;
      for (int d = 0; d < t->ndim; ++d) shapes[i][d] = is_open[place++] ? TILEOPS_OPEN : t->shape[d];
      inputs[i] = {t->dtype, t->ndim, shapes[i], strides_of(*t)};
    }
    desc.inputs = inputs;
    desc.outputs = outputs;
  }

  // Results are as the library says, in memory that is given if there is some. False: such a plan there cannot be.
  bool add_results(const Request& r) {
    for (int i = 0; i < r.num_outputs; ++i) {
      int64_t* shape = shapes[TILEOPS_MAX_EXPR_INPUTS + i];
      tileops_tensor_desc& output = outputs[i];
      if (tileops_plan_infer(&desc, static_cast<size_t>(i), &output.dtype, &output.ndim, shape) != TILEOPS_STATUS_OK)
        return false;
      output.shape = shape;
      if (i == 0 && r.dtype) output.dtype = *r.dtype;
      if (!r.outputs) continue;
      const DLTensor& given = *r.outputs[i];
      if (given.ndim != output.ndim) return false;
      output.dtype = given.dtype;
      output.strides = strides_of(given);
    }
    desc.num_outputs = r.num_outputs;
    return true;
  }
};

// NULL: the text cannot have these extents open.
std::shared_ptr<const Entry> make_open(const Program& program, const Request& r, const std::vector<bool>& is_open) {
  OpenDesc open(program, r, is_open);
  auto made = std::make_shared<Entry>();
  made->device = open.desc.device;
  made->is_open = true;
  if (!open.add_results(r) || tileops_plan_create(plan_context(), &open.desc, &made->plan) != TILEOPS_STATUS_OK)
    return nullptr;
  size_t size = sizeof made->num_extents;
  check(tileops_plan_query(made->plan, TILEOPS_PLAN_NUM_EXTENTS, &made->num_extents, &size));
  return made;
}

// The operands of a request as they are.
struct Described {
  tileops_tensor_desc inputs[TILEOPS_MAX_EXPR_INPUTS];
  tileops_plan_desc desc;

  Described(const Program& program, const Request& r) : desc(describe(program, r)) {
    for (int i = 0; i < r.num_inputs; ++i) inputs[i] = describe(r.inputs[i]);
    desc.inputs = inputs;
  }
  // False: they do not fit.
  bool infer(int output, Layout* layout) const {
    return tileops_plan_infer(&desc, static_cast<size_t>(output), &layout->dtype, &layout->ndim, layout->shape) ==
           TILEOPS_STATUS_OK;
  }
};

}  // namespace

IgnoredExtents::IgnoredExtents(const Request& r, Ignored kind) : kind_(kind) {
  for (int i = 0; i < r.num_inputs; ++i) {
    space_.add(r.inputs[i]);
    if (r.inputs[i]) most_ = std::max(most_, r.inputs[i]->ndim);
  }
  for (int i = 0; r.outputs && i < r.num_outputs; ++i) space_.add(r.outputs[i]);
}

OpenExtents::OpenExtents(const Entry& entry) : places_(static_cast<size_t>(entry.num_extents)) {
  for (size_t i = 0; i < places_.size(); ++i)
    check(tileops_plan_extent(entry.plan, i, &places_[i].input, &places_[i].axis, nullptr));
}

Extents OpenExtents::of(const DLTensor* const* inputs) const {
  Extents extents;
  for (const Place& place : places_) extents.values[extents.count++] = inputs[place.input]->shape[place.axis];
  return extents;
}

std::vector<int64_t> Family::extents_of(const Request& r) {
  std::vector<int64_t> extents;
  for (int i = 0; i < r.num_inputs; ++i)
    if (const DLTensor* t = r.inputs[i]) extents.insert(extents.end(), t->shape, t->shape + t->ndim);
  return extents;
}

std::shared_ptr<const Entry> Family::get(const Program& program, const Request& request) {
  if (own_plans_ > 0) return --own_plans_, nullptr;
  const std::vector<int64_t> now = extents_of(request);
  is_open_.resize(now.size());
  std::vector<bool> wanted = is_open_;
  for (size_t k = 0; k < now.size(); ++k) wanted[k] = wanted[k] || now[k] != first_[k];
  if (wanted != is_open_ && !is_refused_) {
    Layout layout;
    if (!Described(program, request).infer(0, &layout)) return nullptr;  // no fault of open extents
    if (std::shared_ptr<const Entry> made = make_open(program, request, wanted)) {
      open_ = std::move(made);
      is_open_ = std::move(wanted);
    } else {
      is_refused_ = true;
    }
  }
  return open_ ? at(program, request, now) : nullptr;
}

// The open plan at the extents of a request. NULL: it does not fit, and a plan of its own says why or does better.
std::shared_ptr<const Entry> Family::at(const Program& program, const Request& r,
                                        const std::vector<int64_t>& now) const {
  for (size_t k = 0; k < now.size(); ++k)
    if (!is_open_[k] && now[k] != first_[k]) return nullptr;
  const Extents extents = OpenExtents(*open_).of(r.inputs);
  tileops_plan_facts facts = TILEOPS_PLAN_FACTS_INIT;
  if (tileops_plan_at(open_->plan, extents.values, extents.count, &facts) != TILEOPS_STATUS_OK) return nullptr;
  const bool on_cpu = open_->device.device_type == kDLCPU;
  if (on_cpu && facts.bytes_moved >= kManyBytes && facts.parts <= 1) return nullptr;

  auto made = std::make_shared<Entry>();
  made->results.resize(static_cast<size_t>(r.num_outputs));
  const Described operands(program, r);
  for (int i = 0; i < r.num_outputs; ++i) {
    const auto k = static_cast<size_t>(i);
    Layout here, &layout = made->results[k];
    // The extents of the inputs have to be equal where the plan has one.
    if (!operands.infer(i, &here)) return nullptr;
    if (tileops_plan_result(open_->plan, extents.values, extents.count, k, &layout.dtype, &layout.ndim, layout.shape) !=
        TILEOPS_STATUS_OK)
      return nullptr;
    int64_t* end = layout.shape + layout.ndim;
    if (here.ndim != layout.ndim || !std::equal(layout.shape, end, here.shape)) return nullptr;
    if (r.outputs && !std::equal(layout.shape, end, r.outputs[i]->shape)) return nullptr;
  }
  if (tileops_plan_retain(open_->plan) != TILEOPS_STATUS_OK) return nullptr;
  made->plan = open_->plan;
  made->is_open = true;
  made->device = open_->device;
  made->workspace_bytes = facts.workspace_bytes;
  made->bytes_moved = facts.bytes_moved;
  return made;
}

}  // namespace tileops_python
