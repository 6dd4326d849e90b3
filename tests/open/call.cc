#include "call.h"

#include <gtest/gtest.h>

#include <cstring>

namespace opentest {
namespace {

constexpr unsigned char kPattern = 0xa5;

size_t BytesOf(const tileops_tensor_desc& t) {
  size_t bytes = t.dtype.bits / 8;
  for (int d = 0; d < t.ndim; ++d) bytes *= static_cast<size_t>(t.shape[d]);
  return bytes;
}

// Small numbers of both signs, all different from their neighbours; of bool and of integers none beyond [0, 3], so that
// they may be indices.
void Fill(const tileops_tensor_desc& t, size_t operand, char* to) {
  const size_t size = t.dtype.bits / 8, count = BytesOf(t) / size;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t mixed = static_cast<uint32_t>(i + 1 + 977 * operand) * 2654435761u;
    const float value = static_cast<float>(static_cast<int>(mixed >> 20) - 2048) / 1024;
    int64_t bits = 0;
    if (t.dtype.code == kDLFloat) std::memcpy(&bits, &value, sizeof value);
    else if (t.dtype.code == kDLBfloat) std::memcpy(&bits, reinterpret_cast<const char*>(&value) + 2, 2);
    else bits = mixed >> (t.dtype.bits == kBool.bits && t.dtype.code == kBool.code ? 31 : 30);
    std::memcpy(to + i * size, &bits, size);
  }
}

}  // namespace

Described::Described(const Text& text, const Extents& extents, tileops_context* context, DLDevice device)
    : context_(context), in_shapes_(text.shapes(extents)) {
  EXPECT_EQ(tileops_expr_parse(text.text.data(), text.text.size(), &expr_), TILEOPS_STATUS_OK) << tileops_last_error();
  for (size_t i = 0; i < in_shapes_.size(); ++i)
    in_.push_back({text.dtypes[i], static_cast<int32_t>(in_shapes_[i].size()), in_shapes_[i].data(), nullptr});
  desc_.device = device;
  desc_.expr = expr_;
  desc_.num_inputs = static_cast<int32_t>(in_.size());
  desc_.inputs = in_.data();
  tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
  EXPECT_EQ(tileops_expr_describe(expr_, &info), TILEOPS_STATUS_OK) << tileops_last_error();
  out_shapes_.assign(static_cast<size_t>(info.num_results), Shape(TILEOPS_MAX_NDIM));
  for (size_t k = 0; k < out_shapes_.size(); ++k) {
    tileops_tensor_desc out{};
    EXPECT_EQ(tileops_plan_infer(&desc_, k, &out.dtype, &out.ndim, out_shapes_[k].data()), TILEOPS_STATUS_OK)
        << text.text << ": " << tileops_last_error();
    out.shape = out_shapes_[k].data();
    out_.push_back(out);
  }
  desc_.num_outputs = static_cast<int32_t>(out_.size());
  desc_.outputs = out_.data();
}

Plan Described::MakePlan(uint32_t flags) const {
  tileops_plan_desc desc = desc_;
  desc.flags = flags;
  tileops_plan* plan = nullptr;
  EXPECT_EQ(tileops_plan_create(context_, &desc, &plan), TILEOPS_STATUS_OK) << tileops_last_error();
  return Plan(plan);
}

Plan OpenPlan(const Text& text, tileops_context* context) {
  return Described(text, Extents(text.open, TILEOPS_OPEN), context).MakePlan();
}

Plan ClosedPlan(const Text& text, const Extents& extents) {
  return Described(text, extents).MakePlan(TILEOPS_PLAN_NO_CACHE);
}

Call::Call(const Text& text, const Extents& extents, bool at_end) : extents_(extents) {
  const Described described(text, extents);
  for (const auto* list : {&described.inputs(), &described.outputs()})
    for (const tileops_tensor_desc& t : *list) {
      const bool is_input = list == &described.inputs();
      memory_.emplace_back(BytesOf(t), at_end);
      if (is_input) Fill(t, in_.size(), memory_.back().at());
      shapes_.emplace_back(t.shape, t.shape + t.ndim);
      (is_input ? in_ : out_).push_back({memory_.back().at(), {kDLCPU, 0}, t.ndim, t.dtype, nullptr, nullptr, 0});
    }
  for (size_t i = 0; i < shapes_.size(); ++i)
    (i < in_.size() ? in_[i] : out_[i - in_.size()]).shape = shapes_[i].data();
  Clear();
}

void Call::Clear() {
  for (size_t k = in_.size(); k < memory_.size(); ++k) std::memset(memory_[k].at(), kPattern, memory_[k].size());
}

tileops_status Call::Run(const tileops_plan* plan, tileops_execute_args args) {
  int32_t open = 0;
  size_t size = sizeof open;
  EXPECT_EQ(tileops_plan_query(plan, TILEOPS_PLAN_NUM_EXTENTS, &open, &size), TILEOPS_STATUS_OK);
  tileops_plan_facts facts = TILEOPS_PLAN_FACTS_INIT;
  const tileops_status status = tileops_plan_at(plan, open ? extents_.data() : nullptr, static_cast<size_t>(open),
                                                &facts);
  if (status != TILEOPS_STATUS_OK) return status;
  if (facts.workspace_bytes > 0 && (workspace_.empty() || workspace_[0].size() != facts.workspace_bytes)) {
    workspace_.clear();
    workspace_.emplace_back(facts.workspace_bytes, true);  // a multiple of 64, as the end of a page
  }
  args.num_inputs = static_cast<uint32_t>(in_.size());
  args.num_outputs = static_cast<uint32_t>(out_.size());
  if (facts.workspace_bytes > 0) args.workspace = workspace_[0].at(), args.workspace_bytes = facts.workspace_bytes;
  return tileops_execute_with(plan, &args);
}

tileops_status Call::Execute(const tileops_plan* plan) {
  std::vector<const DLTensor*> in;
  std::vector<DLTensor*> out;
  for (const DLTensor& t : in_) in.push_back(&t);
  for (DLTensor& t : out_) out.push_back(&t);
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.inputs = in.data();
  args.outputs = out.data();
  return Run(plan, args);
}

tileops_status Call::ExecuteAt(const tileops_plan* plan) {
  std::vector<const void*> in;
  std::vector<void*> out;
  for (const DLTensor& t : in_) in.push_back(t.data);
  for (const DLTensor& t : out_) out.push_back(t.data);
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.input_ptrs = in.data();
  args.output_ptrs = out.data();
  args.extents = extents_.data();
  args.num_extents = static_cast<uint32_t>(extents_.size());
  return Run(plan, args);
}

std::string Call::Results() const {
  std::string all;
  for (size_t k = in_.size(); k < memory_.size(); ++k) all += memory_[k].copy();
  return all;
}

void ExpectBitsOfClosed(const Text& text, const tileops_plan* open, const Extents& extents, bool at_end) {
  SCOPED_TRACE(text.text + " at " + testing::PrintToString(extents));
  const Described of_numbers(text, extents);
  for (size_t k = 0; k < of_numbers.outputs().size(); ++k) {
    const tileops_tensor_desc& want = of_numbers.outputs()[k];
    DLDataType dtype;
    int32_t ndim = 0;
    Shape shape(TILEOPS_MAX_NDIM);
    ASSERT_EQ(tileops_plan_result(open, extents.data(), extents.size(), k, &dtype, &ndim, shape.data()),
              TILEOPS_STATUS_OK)
        << tileops_last_error();
    shape.resize(static_cast<size_t>(ndim));
    EXPECT_EQ(shape, Shape(want.shape, want.shape + want.ndim));
  }
  Call call(text, extents, at_end);
  const Plan closed = of_numbers.MakePlan(TILEOPS_PLAN_NO_CACHE);
  ASSERT_NE(closed, nullptr);
  ASSERT_EQ(call.Execute(closed.get()), TILEOPS_STATUS_OK) << tileops_last_error();
  const std::string want = call.Results();
  for (const bool by_addresses : {false, true}) {
    call.Clear();
    ASSERT_EQ(by_addresses ? call.ExecuteAt(open) : call.Execute(open), TILEOPS_STATUS_OK) << tileops_last_error();
    ASSERT_TRUE(call.Results() == want) << (by_addresses ? "by addresses" : "by tensors");
  }
}

}  // namespace opentest
