#include "plan/plan.h"

#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "plan/context.h"
#include "plan/traffic.h"
#include "problem/packed.h"

namespace tileops {
namespace {

std::string describe_strides(const DLTensor& t) { return t.strides ? shape_text(t.strides, t.ndim) : "row-major"; }

constexpr size_t kMaxNumbers = 256;

[[noreturn]] void wrong_shape(const DLTensor& t, const TensorSpec& spec, const char* list, size_t i) {
  invalid("%s[%zu]: shape differs from the plan (got %s, need %s)", list, i,
          t.ndim < 0 || t.ndim > TILEOPS_MAX_NDIM || (t.ndim && !t.shape) ? "an unreadable shape"
                                                                          : shape_text(t.shape, t.ndim).c_str(),
          shape_text(spec.shape, spec.ndim).c_str());
}

// Bytes of all operands and results, each counted once; operands that an expression does not read are left out, and
// what is gathered or scattered is counted as far as it is touched.
uint64_t bytes_of(const Request& r, const Problem& problem) {
  uint64_t bytes = 0;
  const auto add = [&](const TensorSpec& t, ViewKind kind, int slot) {
    if (!t.present) return;
    const uint64_t numel = static_cast<uint64_t>(t.numel());
    const uint64_t touched = r.formula ? elements_touched(problem, kind, slot, numel) : numel;
    bytes += static_cast<uint64_t>(bytes_of_elements(t.dtype, static_cast<int64_t>(touched)));
  };
  for (int i = 0; i < r.num_inputs; ++i) add(r.inputs[i], ViewKind::input, i);
  for (int o = 0; o < r.num_outputs; ++o) add(r.outputs[o], ViewKind::output, o);
  return bytes;
}

}  // namespace

Plan::Plan(Request request, const Problem& problem, const Context& context)
    : request_(std::move(request)), backend_(&backend_of(request_.device)) {
  bytes_moved_ = bytes_of(request_, problem);
  numbers_ = problem.numbers;
  if (problem.num_numbers > kMaxNumbers)
    unsupported("expr: has %zu numbers that come with each execute (at most %zu)", problem.num_numbers, kMaxNumbers);
  executable_ = backend_->prepare(problem, request_.device, context.state_of(*backend_));
  for (int i = 0; i < request_.num_inputs; ++i) {
    if (!request_.inputs[i].present) continue;
    numel_in_[i] = request_.inputs[i].numel();
    range_in_[i] = byte_range(request_.inputs[i]);
  }
  for (int o = 0; o < request_.num_outputs; ++o) {
    if (!request_.outputs[o].present) continue;
    numel_out_[o] = request_.outputs[o].numel();
    range_out_[o] = byte_range(request_.outputs[o]);
    for (int i = 0; i < request_.num_inputs; ++i)
      in_place_[o][i] = request_.inputs[i].present && same_layout(request_.outputs[o], request_.inputs[i]) &&
                        (request_.op ? request_.op->inputs[i].elementwise() : (problem.in_place[o] >> i & 1) != 0);
  }
  if (log_enabled(TILEOPS_LOG_INFO)) {
    log(TILEOPS_LOG_INFO, "plan: %s kernel=%s layout=%s strategy=%s origin=%s bytes=%llu", request_.name(),
        executable_->kernel_name().c_str(), executable_->layout().c_str(), executable_->strategy().c_str(),
        executable_->cache_origin().c_str(), static_cast<unsigned long long>(bytes_moved_));
  }
}

// Address of element 0.
const void* Plan::check_tensor(const DLTensor* t, const TensorSpec& spec, const char* list, size_t i,
                               bool has_elements) const {
  if (!spec.present) {
    // A tensor of no dtype is as absent as NULL, here as in a descriptor.
    if (t && t->dtype.bits != 0) invalid("%s[%zu]: must be NULL, since it was absent when planned", list, i);
    return nullptr;
  }
  if (!t) invalid("%s[%zu]: is NULL", list, i);
  const DLDevice& device = request_.device;
  const bool here = is_cpu(device) ? is_cpu(t->device) : same_home(t->device, device);
  // A 0-d tensor in host memory is a scalar operand of a device plan.
  const bool scalar = is_cpu(t->device) && spec.ndim == 0 && list[0] == 'i';
  if (!here && !scalar) {
    invalid("%s[%zu]: is on another device (got type %d id %d, need type %d id %d)", list, i,
            static_cast<int>(t->device.device_type), t->device.device_id, static_cast<int>(device.device_type),
            device.device_id);
  }
  Dtype dtype;
  if (!dtype_from_dl(t->dtype, &dtype) || dtype != spec.dtype) {
    invalid("%s[%zu]: dtype differs from the plan (got %s, need %s)", list, i, dl_dtype_name(t->dtype).c_str(),
            dtype_name(spec.dtype));
  }
  if (t->ndim != spec.ndim || (t->ndim && !t->shape)) wrong_shape(*t, spec, list, i);
  for (int d = 0; d < spec.ndim; ++d) {
    int64_t extent;
    if (!elements_of_extent(t->dtype, t->ndim, t->shape, d, &extent) || extent != spec.shape[d])
      wrong_shape(*t, spec, list, i);
  }
  if (!has_elements) return nullptr;
  int64_t row_major = 1;
  for (int d = spec.ndim - 1; d >= 0; --d) {
    const int64_t n = spec.shape[d];
    int64_t stride = n == 1 ? 0 : row_major;
    if (n != 1 && t->strides && !elements_of_stride(t->dtype, t->ndim, t->shape, t->strides, d, &stride))
      stride = INT64_MIN;
    if (stride != spec.strides[d]) {
      invalid("%s[%zu]: strides[%d] differ from the plan (got %s, need %s)", list, i, d, describe_strides(*t).c_str(),
              shape_text(spec.strides, spec.ndim).c_str());
    }
    row_major *= n;
  }
  if (!t->data) invalid("%s[%zu]: data is NULL", list, i);
  uintptr_t address;
  if (__builtin_add_overflow(reinterpret_cast<uintptr_t>(t->data), t->byte_offset, &address))
    invalid("%s[%zu]: data + byte_offset overflows 64-bit addresses (got byte_offset %llu)", list, i,
            static_cast<unsigned long long>(t->byte_offset));
  const uintptr_t size = dtype_size(spec.dtype);
  if (address & (size - 1)) {
    invalid("%s[%zu]: data + byte_offset is not aligned to an element (got address %% %zu = %zu, "
            "need 0)",
            list, i, static_cast<size_t>(size), static_cast<size_t>(address & (size - 1)));
  }
  return reinterpret_cast<const void*>(address);
}

void Plan::check_overlap(size_t out, const void* const* in, void* const* outs) const {
  const auto address = [](const void* p) { return reinterpret_cast<uintptr_t>(p); };
  const uintptr_t y = address(outs[out]);
  const uintptr_t y0 = y + range_out_[out].begin, y1 = y + range_out_[out].end;
  if (y0 == y1) return;
  for (int i = 0; i < request_.num_inputs; ++i) {
    const uintptr_t x = address(in[i]);
    if (x + range_in_[i].end <= y0 || y1 <= x + range_in_[i].begin || !in[i]) continue;
    if (x == y && in_place_[out][i]) continue;  // in place
    if (x == y && same_layout(request_.outputs[out], request_.inputs[i]))
      invalid("outputs[%zu]: overlaps inputs[%d], and cannot be written in its place", out, i);
    if (overlaps(request_.outputs[out], y, request_.inputs[i], x))
      invalid("outputs[%zu]: overlaps inputs[%d], and is not the same tensor", out, i);
  }
  for (size_t o = 0; o < out; ++o) {
    if (outs[o] && overlaps(request_.outputs[out], y, request_.outputs[o], address(outs[o])))
      invalid("outputs[%zu]: overlaps outputs[%zu]", out, o);
  }
}

// What is written there is no operand's memory.
void Plan::check_workspace(const tileops_execute_args& args, const void* const* in, void* const* outs) const {
  if (!args.workspace) return;
  const size_t need = workspace_bytes();
  if (args.workspace_bytes < need)
    invalid("workspace_bytes: is too small (got %llu, need %zu)", static_cast<unsigned long long>(args.workspace_bytes),
            need);
  const uintptr_t begin = reinterpret_cast<uintptr_t>(args.workspace), end = begin + need;
  if (begin % kWorkspaceAlignment)
    invalid("workspace: is not aligned (got address %% %zu = %zu, need 0)", kWorkspaceAlignment,
            static_cast<size_t>(begin % kWorkspaceAlignment));
  const auto holds_some_of = [&](const void* tensor, const ByteRange& range) {
    const uintptr_t x = reinterpret_cast<uintptr_t>(tensor);
    return tensor && need > 0 && range.begin != range.end && begin < x + range.end && x + range.begin < end;
  };
  for (int i = 0; i < request_.num_inputs; ++i)
    if (holds_some_of(in[i], range_in_[i])) invalid("workspace: overlaps inputs[%d]", i);
  for (int o = 0; o < request_.num_outputs; ++o)
    if (holds_some_of(outs[o], range_out_[o])) invalid("workspace: overlaps outputs[%d]", o);
}

void Plan::run(Execution execution, const tileops_number* scalars, size_t num_scalars, KeptWorkspace* kept,
               const Part* part) const {
  AttrValue numbers[kMaxNumbers];
  if (num_scalars && !request_.formula) invalid("num_scalars: an operator has none (got %zu)", num_scalars);
  if (num_scalars && !scalars) invalid("scalars: is NULL");
  if (num_scalars > TILEOPS_MAX_EXPR_SCALARS)
    invalid("num_scalars: is too large (got %zu, need at most %d)", num_scalars, TILEOPS_MAX_EXPR_SCALARS);
  if (numbers_) numbers_->compute(scalars, num_scalars, numbers);
  execution.numbers = numbers_ ? numbers : nullptr;
  std::optional<KeptWorkspace::Use> use;
  if (!execution.workspace && kept)
    execution.workspace = use.emplace(kept, part ? KeptWorkspace::By::part : KeptWorkspace::By::execute).memory();
  if (!execution.workspace && workspace_bytes() > 0)
    invalid("workspace: is NULL, and the plan needs %zu bytes (TILEOPS_PLAN_WORKSPACE_BYTES)", workspace_bytes());
  if (part) executable_->run_part(execution, *part);
  else executable_->run(execution);
}

void Plan::check_counts(const tileops_execute_args& args) const {
  const Request& r = request_;
  if (args.num_inputs != static_cast<uint32_t>(r.num_inputs))
    invalid("num_inputs: differs from the plan (got %u, need %d)", args.num_inputs, r.num_inputs);
  if (args.num_outputs != static_cast<uint32_t>(r.num_outputs))
    invalid("num_outputs: differs from the plan (got %u, need %d)", args.num_outputs, r.num_outputs);
}

void Plan::check_tensors(const tileops_execute_args& args, Operands* to) const {
  const Request& r = request_;
  if (args.num_inputs && !args.inputs) invalid("inputs: is NULL");
  if (!args.outputs) invalid("outputs: is NULL");
  for (size_t i = 0; i < args.num_inputs; ++i) {
    to->in[i] = check_tensor(args.inputs[i], r.inputs[i], "inputs", i, numel_in_[i] != 0);
    if (to->in[i] && is_cpu(args.inputs[i]->device) && !is_cpu(r.device)) to->host_inputs |= 1u << i;
  }
  for (size_t i = 0; i < args.num_outputs; ++i)
    to->out[i] = const_cast<void*>(check_tensor(args.outputs[i], r.outputs[i], "outputs", i, numel_out_[i] != 0));
  for (size_t i = 0; i < args.num_outputs; ++i)
    if (to->out[i]) check_overlap(i, to->in, to->out);
}

void Plan::check_addresses(const void* const* in, const char* in_name, void* const* out, const char* out_name) const {
  const Request& r = request_;
  if (r.num_inputs && !in) invalid("%s: is NULL", in_name);
  if (!out) invalid("%s: is NULL", out_name);
  for (int i = 0; i < r.num_inputs; ++i)
    if (!in[i] && numel_in_[i]) invalid("%s[%d]: is NULL", in_name, i);
  for (int i = 0; i < r.num_outputs; ++i)
    if (!out[i] && numel_out_[i]) invalid("%s[%d]: is NULL", out_name, i);
}

void Plan::check_part(const Part& p) const {
  if (!is_cpu(request_.device)) unsupported("plan: is for a CUDA device, and only CPU plans are run in parts");
  const size_t phases = executable_->num_passes();
  if (p.phase >= phases) invalid("phase: is out of range (got %u, need less than the plan's %zu)", p.phase, phases);
  if (p.parts == 0) invalid("parts: is 0 (part %u)", p.part);
  if (p.part >= p.parts) invalid("part: is out of range (got %u, need less than parts, %u)", p.part, p.parts);
}

void Plan::execute_with(const tileops_execute_args& args, KeptWorkspace* kept, const Part* part) const {
  if (part) check_part(*part);
  check_counts(args);
  if (args.stream || !is_cpu(request_.device)) backend_->check_stream(args.stream);
  Execution execution{args.input_ptrs, args.output_ptrs, args.stream};
  Operands operands;
  if (args.input_ptrs || args.output_ptrs) {
    if (args.inputs || args.outputs)
      invalid("%s: is not NULL, and %s is not either: an execute takes tensors or addresses",
              args.inputs ? "inputs" : "outputs", args.input_ptrs ? "input_ptrs" : "output_ptrs");
    check_addresses(args.input_ptrs, "input_ptrs", args.output_ptrs, "output_ptrs");
  } else {
    check_tensors(args, &operands);
    execution.inputs = operands.in;
    execution.outputs = operands.out;
    execution.host_inputs = operands.host_inputs;
  }
  check_workspace(args, execution.inputs, execution.outputs);
  execution.workspace = args.workspace;
  run(execution, args.scalars, args.num_scalars, kept, part);
}

void Plan::execute_ptrs(const void* const* inputs, void* const* outputs, void* stream, KeptWorkspace* kept) const {
  check_addresses(inputs, "inputs", outputs, "outputs");
  if (stream || !is_cpu(request_.device)) backend_->check_stream(stream);
  run({inputs, outputs, stream}, nullptr, 0, kept, nullptr);
}

}  // namespace tileops
