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

}  // namespace

Plan::Plan(Request request, const Problem& problem, const Context& context)
    : request_(std::move(request)), backend_(&backend_of(request_.device)) {
  find_traffic(problem);
  numbers_ = problem.numbers;
  num_numbers_ = problem.num_numbers;
  not_empty_ = problem.not_empty;
  if (problem.num_numbers > kMaxNumbers)
    unsupported("expr: has %zu numbers that come with each execute (at most %zu)", problem.num_numbers, kMaxNumbers);
  executable_ = backend_->prepare(problem, request_.device, context.state_of(*backend_));
  find_alike();
  if (!is_open()) find_shapes(nullptr, &shapes_);
  for (int o = 0; o < request_.num_outputs; ++o)
    for (int i = 0; i < request_.num_inputs; ++i)
      in_place_[o][i] = request_.outputs[o].present && request_.inputs[i].present &&
                        same_layout(request_.outputs[o], request_.inputs[i]) &&
                        (request_.op ? request_.op->inputs[i].elementwise() : (problem.in_place[o] >> i & 1) != 0);
  if (log_enabled(TILEOPS_LOG_INFO)) {
    log(TILEOPS_LOG_INFO, "plan: %s kernel=%s layout=%s strategy=%s origin=%s bytes=%llu", request_.name(),
        executable_->kernel_name().c_str(), executable_->layout().c_str(), executable_->strategy().c_str(),
        executable_->cache_origin().c_str(), static_cast<unsigned long long>(is_open() ? 0 : bytes_moved(nullptr)));
  }
}

// Operands that an expression does not read are left out.
void Plan::find_traffic(const Problem& problem) {
  for (int i = 0; i < request_.num_inputs; ++i)
    if (request_.inputs[i].present) traffic_.emplace_back(request_.inputs[i], problem, ViewKind::input, i);
  for (int o = 0; o < request_.num_outputs; ++o)
    if (request_.outputs[o].present) traffic_.emplace_back(request_.outputs[o], problem, ViewKind::output, o);
}

uint64_t Plan::bytes_moved(const int64_t* extents) const {
  uint64_t bytes = 0;
  for (const Traffic& t : traffic_) bytes += t.bytes(extents);
  return bytes;
}

// `extents`: NULL: not known yet, or none is open.
void Plan::refuse_shape(const DLTensor& t, const TensorSpec& spec, const int64_t* extents, const char* list,
                        size_t i) const {
  const bool is_readable = t.ndim >= 0 && t.ndim <= TILEOPS_MAX_NDIM && (!t.ndim || t.shape);
  for (int d = 0; extents && is_readable && t.ndim == spec.ndim && d < spec.ndim; ++d) {
    const int number = spec.shape[d].open_number();
    if (number < 0 || t.shape[d] == extents[number]) continue;
    invalid("%s[%zu]: extent %d differs from that of inputs[%d] (got %lld, need %lld: both are the plan's extent %d)",
            list, i, d, request_.open[static_cast<size_t>(number)].input, static_cast<long long>(t.shape[d]),
            static_cast<long long>(extents[number]), number);
  }
  invalid("%s[%zu]: shape differs from the plan (got %s, need %s)", list, i,
          is_readable ? shape_text(t.shape, t.ndim).c_str() : "an unreadable shape",
          shape_text((extents ? spec.at(extents) : spec).shape, spec.ndim).c_str());
}

// Address of element 0.
const void* Plan::check_tensor(const DLTensor* t, const TensorSpec& spec, const int64_t* extents, const char* list,
                               size_t i, bool has_elements) const {
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
  if (t->ndim != spec.ndim || (t->ndim && !t->shape)) refuse_shape(*t, spec, extents, list, i);
  for (int d = 0; d < spec.ndim; ++d) {
    int64_t extent;
    if (!elements_of_extent(t->dtype, t->ndim, t->shape, d, &extent) || extent != spec.shape[d].at(extents))
      refuse_shape(*t, spec, extents, list, i);
  }
  if (!has_elements) return nullptr;
  int64_t row_major = 1;
  for (int d = spec.ndim - 1; d >= 0; --d) {
    const int64_t n = spec.shape[d].at(extents), need = n == 1 ? 0 : spec.strides[d].at(extents);
    int64_t stride = n == 1 ? 0 : row_major;
    if (n != 1 && t->strides && !elements_of_stride(t->dtype, t->ndim, t->shape, t->strides, d, &stride))
      stride = INT64_MIN;
    if (stride != need) {
      invalid("%s[%zu]: strides[%d] differ from the plan (got %s, need %s)", list, i, d, describe_strides(*t).c_str(),
              shape_text((extents ? spec.at(extents) : spec).strides, spec.ndim).c_str());
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

void Plan::check_overlap(const int64_t* extents, const Shapes& shapes, size_t out, const void* const* in,
                         void* const* outs) const {
  const auto numbers = [extents](const TensorSpec& t) { return extents ? t.at(extents) : t; };
  const auto address = [](const void* p) { return reinterpret_cast<uintptr_t>(p); };
  const uintptr_t y = address(outs[out]);
  const uintptr_t y0 = y + shapes.range_out[out].begin, y1 = y + shapes.range_out[out].end;
  if (y0 == y1) return;
  for (int i = 0; i < request_.num_inputs; ++i) {
    const uintptr_t x = address(in[i]);
    if (x + shapes.range_in[i].end <= y0 || y1 <= x + shapes.range_in[i].begin || !in[i]) continue;
    if (x == y && in_place_[out][i]) continue;  // in place
    if (x == y && same_layout(request_.outputs[out], request_.inputs[i]))
      invalid("outputs[%zu]: overlaps inputs[%d], and cannot be written in its place", out, i);
    if (overlaps(numbers(request_.outputs[out]), y, numbers(request_.inputs[i]), x))
      invalid("outputs[%zu]: overlaps inputs[%d], and is not the same tensor", out, i);
  }
  for (size_t o = 0; o < out; ++o) {
    const uintptr_t other = address(outs[o]);
    if (!other || other + shapes.range_out[o].end <= y0 || y1 <= other + shapes.range_out[o].begin) continue;
    if (overlaps(numbers(request_.outputs[out]), y, numbers(request_.outputs[o]), other))
      invalid("outputs[%zu]: overlaps outputs[%zu]", out, o);
  }
}

// What is written there is no operand's memory.
void Plan::check_workspace(const tileops_execute_args& args, const int64_t* extents, const Shapes& shapes,
                           const void* const* in, void* const* outs) const {
  if (!args.workspace) return;
  const size_t need = workspace_bytes(extents);
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
    if (holds_some_of(in[i], shapes.range_in[i])) invalid("workspace: overlaps inputs[%d]", i);
  for (int o = 0; o < request_.num_outputs; ++o)
    if (holds_some_of(outs[o], shapes.range_out[o])) invalid("workspace: overlaps outputs[%d]", o);
}

void Plan::check_scalars(const tileops_number* scalars, size_t count) const {
  if (count && !request_.formula) invalid("num_scalars: an operator has none (got %zu)", count);
  if (count && !scalars) invalid("scalars: is NULL");
  if (count > TILEOPS_MAX_EXPR_SCALARS)
    invalid("num_scalars: is too large (got %zu, need at most %d)", count, TILEOPS_MAX_EXPR_SCALARS);
}

void Plan::refuse_without_workspace(size_t need) const {
  invalid("workspace: is NULL, and the plan needs %zu bytes (%s)", need,
          is_open() ? "tileops_plan_at" : "TILEOPS_PLAN_WORKSPACE_BYTES");
}

void Plan::run(Execution execution, const tileops_number* scalars, size_t num_scalars, KeptWorkspace* kept,
               const Part* part) const {
  AttrValue numbers[kMaxNumbers];
  check_scalars(scalars, num_scalars);
  if (numbers_) numbers_->compute(scalars, num_scalars, execution.extents, numbers);
  execution.numbers = numbers_ ? numbers : nullptr;
  std::optional<KeptWorkspace::Use> use;
  if (!execution.workspace && kept)
    execution.workspace = use.emplace(kept, part ? KeptWorkspace::By::part : KeptWorkspace::By::execute).memory();
  const size_t need = execution.workspace ? 0 : workspace_bytes(execution.extents);
  if (need > 0) refuse_without_workspace(need);
  if (part) executable_->run_part(execution, *part);
  else executable_->run(execution);
}

void Plan::check_args(const tileops_execute_args& args) const {
  const Request& r = request_;
  if (args.num_inputs != static_cast<uint32_t>(r.num_inputs))
    invalid("num_inputs: differs from the plan (got %u, need %d)", args.num_inputs, r.num_inputs);
  if (args.num_outputs != static_cast<uint32_t>(r.num_outputs))
    invalid("num_outputs: differs from the plan (got %u, need %d)", args.num_outputs, r.num_outputs);
  if (args.stream || !is_cpu(r.device)) backend_->check_stream(args.stream);
  if (!is_open() && (args.extents || args.num_extents)) invalid("extents: is given, and the plan has no open ones");
  if (args.reserved) invalid("reserved: is not 0 (got %u)", args.reserved);
}

void Plan::check_tensors(const tileops_execute_args& args, const int64_t* extents, const Shapes& shapes,
                         Operands* to) const {
  const Request& r = request_;
  if (args.num_inputs && !args.inputs) invalid("inputs: is NULL");
  if (!args.outputs) invalid("outputs: is NULL");
  for (size_t i = 0; i < args.num_inputs; ++i) {
    to->in[i] = check_tensor(args.inputs[i], r.inputs[i], extents, "inputs", i, shapes.numel_in[i] != 0);
    if (to->in[i] && is_cpu(args.inputs[i]->device) && !is_cpu(r.device)) to->host_inputs |= 1u << i;
  }
  for (size_t i = 0; i < args.num_outputs; ++i)
    to->out[i] = const_cast<void*>(
        check_tensor(args.outputs[i], r.outputs[i], extents, "outputs", i, shapes.numel_out[i] != 0));
  for (size_t i = 0; i < args.num_outputs; ++i)
    if (to->out[i]) check_overlap(extents, shapes, i, to->in, to->out);
}

void Plan::check_addresses(const Shapes& shapes, const void* const* in, const char* in_name, void* const* out,
                           const char* out_name) const {
  const Request& r = request_;
  if (r.num_inputs && !in) invalid("%s: is NULL", in_name);
  if (!out) invalid("%s: is NULL", out_name);
  for (int i = 0; i < r.num_inputs; ++i)
    if (!in[i] && shapes.numel_in[i]) invalid("%s[%d]: is NULL", in_name, i);
  for (int i = 0; i < r.num_outputs; ++i)
    if (!out[i] && shapes.numel_out[i]) invalid("%s[%d]: is NULL", out_name, i);
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
  check_args(args);
  if (!is_open()) return execute_at(args, nullptr, shapes_, kept, part);
  int64_t extents[Extent::kMostOpen];
  Shapes shapes;
  find_extents(args, extents);
  check_not_empty(extents);
  find_shapes(extents, &shapes);
  execute_at(args, extents, shapes, kept, part);
}

void Plan::execute_at(const tileops_execute_args& args, const int64_t* extents, const Shapes& shapes,
                      KeptWorkspace* kept, const Part* part) const {
  Operands operands;
  run(bind(args, extents, shapes, &operands), args.scalars, args.num_scalars, kept, part);
}

Execution Plan::bind(const tileops_execute_args& args, const int64_t* extents, const Shapes& shapes,
                     Operands* operands) const {
  Execution execution{args.input_ptrs, args.output_ptrs, args.stream};
  if (args.input_ptrs || args.output_ptrs) {
    if (args.inputs || args.outputs)
      invalid("%s: is not NULL, and %s is not either: an execute takes tensors or addresses",
              args.inputs ? "inputs" : "outputs", args.input_ptrs ? "input_ptrs" : "output_ptrs");
    check_addresses(shapes, args.input_ptrs, "input_ptrs", args.output_ptrs, "output_ptrs");
  } else {
    check_tensors(args, extents, shapes, operands);
    execution.inputs = operands->in;
    execution.outputs = operands->out;
    execution.host_inputs = operands->host_inputs;
  }
  check_workspace(args, extents, shapes, execution.inputs, execution.outputs);
  execution.workspace = args.workspace;
  execution.extents = extents;
  return execution;
}

void Plan::execute_ptrs(const void* const* inputs, void* const* outputs, void* stream, KeptWorkspace* kept) const {
  if (is_open()) invalid("plan: has open extents, which tileops_execute_with takes");
  check_addresses(shapes_, inputs, "inputs", outputs, "outputs");
  if (stream || !is_cpu(request_.device)) backend_->check_stream(stream);
  run({inputs, outputs, stream}, nullptr, 0, kept, nullptr);
}

}  // namespace tileops
