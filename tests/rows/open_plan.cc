#include "open_plan.h"

namespace rowtest {
namespace {

// Descriptors of tensors, with some extents of inputs open.
struct OpenDesc {
  std::vector<std::vector<int64_t>> shapes;
  std::vector<tileops_tensor_desc> list;

  void Add(const DLTensor& t, const std::vector<int>& open_axes) {
    shapes.emplace_back(t.shape, t.shape + t.ndim);
    for (const int axis : open_axes) shapes.back()[static_cast<size_t>(axis)] = TILEOPS_OPEN;
    list.push_back({t.dtype, t.ndim, nullptr, nullptr});
  }
  const tileops_tensor_desc* Get() {
    for (size_t i = 0; i < list.size(); ++i) list[i].shape = shapes[i].data();
    return list.data();
  }
};

}  // namespace

Plan OpenPlan(const Target& target, const TextRun& run, const optest::Placed& placed, const OpenAxes& axes,
              uint32_t flags, Outcome* outcome) {
  OpenDesc in, out;
  for (size_t i = 0; i < placed.inputs().size(); ++i) in.Add(*placed.inputs()[i], axes[i]);
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = target.device;
  desc.expr = run.expr();
  desc.flags = flags;
  desc.num_inputs = static_cast<int32_t>(in.list.size());
  desc.inputs = in.Get();
  for (size_t k = 0; k < placed.outputs().size(); ++k) {
    DLDataType dtype;
    int32_t ndim = 0;
    std::vector<int64_t> shape(TILEOPS_MAX_NDIM);
    *outcome = {tileops_plan_infer(&desc, k, &dtype, &ndim, shape.data()), ""};
    if (outcome->status != TILEOPS_STATUS_OK) return outcome->why = tileops_last_error(), nullptr;
    shape.resize(static_cast<size_t>(ndim));
    out.shapes.push_back(shape);
    out.list.push_back({placed.outputs()[k]->dtype, ndim, nullptr, nullptr});
  }
  desc.num_outputs = static_cast<int32_t>(out.list.size());
  desc.outputs = out.Get();
  tileops_plan* plan = nullptr;
  *outcome = {tileops_plan_create(target.context, &desc, &plan), ""};
  if (outcome->status != TILEOPS_STATUS_OK) outcome->why = tileops_last_error();
  return Plan(plan);
}

std::vector<Shape> ShapesOf(const std::vector<Tensor>& tensors) {
  std::vector<Shape> shapes;
  for (const Tensor& t : tensors) shapes.push_back(t.shape);
  return shapes;
}

}  // namespace rowtest
