#include "execute.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

namespace rowtest {
namespace {

constexpr int64_t kAlignment = 256, kBehind = 256;
constexpr uint8_t kPattern = 0xFF;  // NaN, and an integer that is no count

Outcome OutcomeOf(tileops_status status) { return {status, status == TILEOPS_STATUS_OK ? "" : tileops_last_error()}; }

class Workspace {
 public:
  Workspace(const optest::Target& target, uint64_t bytes)
      : target_(target), bytes_(static_cast<int64_t>(bytes)), all_(bytes_ + kAlignment + kBehind) {
    if (bytes_ == 0) return;
    const DLDataType byte{kDLUInt, 8, 1};
    outcome_ = OutcomeOf(tileops_tensor_alloc(target.context, target.device, byte, 1, &all_, &memory_));
    if (outcome_.status == TILEOPS_STATUS_OK)
      Copy(std::vector<uint8_t>(static_cast<size_t>(all_), kPattern).data(), true);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() {
    if (memory_) memory_->deleter(memory_);
  }

  const Outcome& outcome() const { return outcome_; }
  void* data() const {
    if (!memory_) return nullptr;
    const uintptr_t at = reinterpret_cast<uintptr_t>(memory_->dl_tensor.data);
    return reinterpret_cast<void*>((at + kAlignment - 1) / kAlignment * kAlignment);
  }
  uint64_t bytes() const { return static_cast<uint64_t>(bytes_); }

  void ExpectIntact() {
    if (!memory_) return;
    std::vector<uint8_t> now(static_cast<size_t>(all_));
    Copy(now.data(), false);
    const auto* begin = static_cast<const uint8_t*>(memory_->dl_tensor.data);
    const auto end = now.begin() + (static_cast<const uint8_t*>(data()) - begin) + bytes_;
    EXPECT_TRUE(std::all_of(end, now.end(), [](uint8_t b) { return b == kPattern; }))
        << "memory behind a workspace of " << bytes_ << " bytes was written";
  }

 private:
  void Copy(uint8_t* host, bool up) {
    DLTensor there = memory_->dl_tensor;
    DLTensor here{host, DLDevice{kDLCPU, 0}, 1, DLDataType{kDLUInt, 8, 1}, &all_, nullptr, 0};
    outcome_ = OutcomeOf(
        tileops_tensor_copy(target_.context, up ? &here : &there, up ? &there : &here, target_.stream));
    tileops_stream_synchronize(target_.context, target_.device, target_.stream);
  }

  const optest::Target& target_;
  int64_t bytes_, all_;
  DLManagedTensorVersioned* memory_ = nullptr;
  Outcome outcome_;
};

tileops_execute_args ArgsOf(const optest::Target& target, const std::vector<const DLTensor*>& inputs,
                            const std::vector<DLTensor*>& outputs, const std::vector<tileops_number>& scalars,
                            const Workspace& workspace) {
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.inputs = inputs.data();
  args.num_inputs = static_cast<uint32_t>(inputs.size());
  args.outputs = outputs.data();
  args.num_outputs = static_cast<uint32_t>(outputs.size());
  args.scalars = scalars.data();
  args.num_scalars = static_cast<uint32_t>(scalars.size());
  args.stream = target.stream;
  args.workspace = workspace.data();
  args.workspace_bytes = workspace.bytes();
  return args;
}

using Call = std::function<Outcome(const tileops_execute_args&)>;

Outcome WithWorkspace(const optest::Target& target, const tileops_plan* plan,
                      const std::vector<const DLTensor*>& inputs, const std::vector<DLTensor*>& outputs,
                      const std::vector<tileops_number>& scalars, const Call& call) {
  Workspace workspace(target, WorkspaceBytes(plan, inputs));
  if (workspace.outcome().status != TILEOPS_STATUS_OK) return workspace.outcome();
  const Outcome outcome = call(ArgsOf(target, inputs, outputs, scalars, workspace));
  if (outcome.status == TILEOPS_STATUS_OK) workspace.ExpectIntact();
  return outcome;
}

}  // namespace

Plan MakePlan(const optest::Target& target, const tileops_expr* expr, const std::vector<const DLTensor*>& inputs,
              const std::vector<DLTensor*>& outputs, uint32_t flags, Outcome* outcome) {
  std::vector<tileops_tensor_desc> in, out;
  for (const DLTensor* t : inputs) in.push_back({t->dtype, t->ndim, t->shape, t->strides});
  for (const DLTensor* t : outputs) out.push_back({t->dtype, t->ndim, t->shape, t->strides});
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = target.device;
  desc.expr = expr;
  desc.flags = flags;
  desc.num_inputs = static_cast<int32_t>(in.size());
  desc.inputs = in.data();
  desc.num_outputs = static_cast<int32_t>(out.size());
  desc.outputs = out.data();
  tileops_plan* plan = nullptr;
  *outcome = OutcomeOf(tileops_plan_create(target.context, &desc, &plan));
  return Plan(plan);
}

uint64_t WorkspaceBytes(const tileops_plan* plan, const std::vector<const DLTensor*>& inputs) {
  int32_t count = 0;
  size_t size = sizeof count;
  EXPECT_EQ(tileops_plan_query(plan, TILEOPS_PLAN_NUM_EXTENTS, &count, &size), TILEOPS_STATUS_OK);
  std::vector<int64_t> extents;
  for (int32_t i = 0; i < count; ++i) {
    int32_t input = 0, axis = 0;
    EXPECT_EQ(tileops_plan_extent(plan, static_cast<size_t>(i), &input, &axis, nullptr), TILEOPS_STATUS_OK);
    extents.push_back(inputs.at(static_cast<size_t>(input))->shape[axis]);
  }
  tileops_plan_facts facts = TILEOPS_PLAN_FACTS_INIT;
  EXPECT_EQ(tileops_plan_at(plan, extents.data(), extents.size(), &facts), TILEOPS_STATUS_OK) << tileops_last_error();
  return facts.workspace_bytes;
}

Outcome Execute(const optest::Target& target, const tileops_plan* plan, const std::vector<const DLTensor*>& inputs,
                const std::vector<DLTensor*>& outputs, const std::vector<tileops_number>& scalars) {
  return WithWorkspace(target, plan, inputs, outputs, scalars,
                       [&](const tileops_execute_args& args) { return OutcomeOf(tileops_execute_with(plan, &args)); });
}

Outcome ExecuteList(const optest::Target& target, const tileops_plan* plan,
                    const std::vector<std::unique_ptr<optest::Placed>>& items,
                    const std::vector<tileops_number>& scalars) {
  std::vector<std::unique_ptr<Workspace>> workspaces;
  std::vector<tileops_execute_args> args;
  for (const auto& item : items) {
    workspaces.push_back(std::make_unique<Workspace>(target, WorkspaceBytes(plan, item->inputs())));
    if (workspaces.back()->outcome().status != TILEOPS_STATUS_OK) return workspaces.back()->outcome();
    args.push_back(ArgsOf(target, item->inputs(), item->outputs(), scalars, *workspaces.back()));
  }
  const Outcome outcome = OutcomeOf(tileops_execute_list(plan, args.data(), args.size()));
  if (outcome.status == TILEOPS_STATUS_OK)
    for (const auto& workspace : workspaces) workspace->ExpectIntact();
  return outcome;
}

Outcome ExecuteInParts(const optest::Target& target, const tileops_plan* plan,
                       const std::vector<const DLTensor*>& inputs, const std::vector<DLTensor*>& outputs,
                       const std::vector<tileops_number>& scalars, uint32_t parts, const Pool& pool) {
  int32_t phases = 0;
  size_t size = sizeof phases;
  EXPECT_EQ(tileops_plan_query(plan, TILEOPS_PLAN_NUM_PASSES, &phases, &size), TILEOPS_STATUS_OK);
  return WithWorkspace(target, plan, inputs, outputs, scalars, [&](const tileops_execute_args& args) {
    Outcome first;
    std::mutex mutex;
    for (uint32_t phase = 0; phase < static_cast<uint32_t>(phases); ++phase)
      pool(parts, [&](uint32_t part) {
        const Outcome outcome = OutcomeOf(tileops_execute_part(plan, &args, phase, part, parts));
        const std::lock_guard<std::mutex> lock(mutex);
        if (first.status == TILEOPS_STATUS_OK) first = outcome;
      });
    return first;
  });
}

}  // namespace rowtest
