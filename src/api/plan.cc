// Plans: creation, lifetime, properties, execution.
#include <algorithm>

#include "api/guard.h"
#include "api/handles.h"
#include "lower/lower.h"
#include "lower/open.h"
#include "op/strategy.h"
#include "problem/request.h"

namespace tileops::api {
namespace {

HandlePool<tileops_plan>& pool() {
  static auto* p = new HandlePool<tileops_plan>;
  return *p;
}

void require_live(const tileops_plan* handle) {
  if (!handle) invalid("plan: is NULL");
  if (handle->mark.load(std::memory_order_acquire) != kPlanMark)
    invalid("plan: is not a live plan (already destroyed?)");
}

// Calls `f`; where the number of an open extent is needed, it is an error of the operand's that brings it.
template <class F>
auto naming_open_extents(const std::vector<Request::Open>& open, const F& f) -> decltype(f()) {
  try {
    return f();
  } catch (const OpenExtentError& e) {
    if (static_cast<size_t>(e.number) >= open.size()) throw;
    const Request::Open& extent = open[static_cast<size_t>(e.number)];
    unsupported("inputs[%d]: extent %d %s", extent.input, extent.axis, e.message.c_str());
  }
}

Request request_of(const tileops_plan_desc& desc, Outputs outputs = Outputs::needed) {
  Request request = make_request(desc, outputs, desc.expr ? expr_of(desc.expr).formula : nullptr);
  naming_open_extents(request.open, [&] { settle_open_extents(&request); });
  return request;
}

PlanPtr make_plan(Context& context, const tileops_plan_desc& desc) {
  Request request = request_of(desc);
  backend_of(request.device);  // before anything else about the device
  const std::vector<Request::Open> open = request.open;
  const auto make = [&] {
    return naming_open_extents(open, [&]() -> PlanPtr {
      const Problem problem = lower(request);
      return std::make_shared<const Plan>(std::move(request), problem, context);
    });
  };
  if (desc.flags & TILEOPS_PLAN_NO_CACHE) return make();
  return context.plans().get(request.key(), make);
}

tileops_tensor_desc describe(const DLTensor* t) {
  tileops_tensor_desc d{};
  if (t) d = {t->dtype, t->ndim, t->shape, t->strides};
  return d;
}

// A descriptor taken from tensors.
struct Described {
  tileops_tensor_desc ins[kMaxInputs], outs[kMaxOutputs];
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;

  Described(const DLTensor* const* inputs, size_t num_inputs, int most_inputs, DLTensor* const* outputs,
            size_t num_outputs, int most_outputs) {
    if (num_inputs > static_cast<size_t>(most_inputs))
      invalid("num_inputs: is too large (got %zu, need at most %d)", num_inputs, most_inputs);
    if (num_outputs > static_cast<size_t>(most_outputs))
      invalid("num_outputs: is too large (got %zu, need at most %d)", num_outputs, most_outputs);
    if (num_inputs && !inputs) invalid("inputs: is NULL");
    if (num_outputs && !outputs) invalid("outputs: is NULL");
    for (size_t i = 0; i < num_outputs; ++i) {
      if (!outputs[i] && i == 0) invalid("outputs[0]: is NULL");
      outs[i] = describe(outputs[i]);
      take_device(outputs[i], "outputs", i);
    }
    for (size_t i = 0; i < num_inputs; ++i) {
      ins[i] = describe(inputs[i]);
      take_device(inputs[i], "inputs", i);
    }
    desc.num_inputs = static_cast<int32_t>(num_inputs);
    desc.num_outputs = static_cast<int32_t>(num_outputs);
    desc.inputs = ins;
    desc.outputs = outs;
  }
  Described(const Described&) = delete;

 private:
  void take_device(const DLTensor* t, const char* list, size_t i) {
    if (!t) return;
    if (!any_) desc.device = home_of(t->device);
    any_ = true;
    if (is_cpu(t->device) && is_cpu(desc.device)) return;
    if (is_cpu(t->device) && t->ndim == 0 && list[0] == 'i') return;  // a scalar, read at each execute
    if (!same_home(t->device, desc.device))
      invalid("%s[%zu]: is on another device than the operands before it (got type %d id %d, need type %d id %d)", list,
              i, static_cast<int>(t->device.device_type), t->device.device_id,
              static_cast<int>(desc.device.device_type), desc.device.device_id);
  }

  bool any_ = false;
};

tileops_plan* new_plan_handle(tileops_context* ctx, const tileops_plan_desc& desc) {
  Context& context = context_of(ctx);
  PlanPtr plan = make_plan(context, desc);
  std::unique_ptr<KeptWorkspace> workspace;
  if (context.options().keep_workspace) {
    const std::optional<size_t> bytes = plan->most_workspace_bytes();
    if (!bytes) unsupported("options: keep_workspace has to know how much, and extents are open without a bound");
    if (*bytes > 0) workspace = std::make_unique<KeptWorkspace>(plan->backend(), plan->request().device, *bytes);
  }
  tileops_plan* handle = pool().take();
  handle->plan = std::move(plan);
  handle->workspace = std::move(workspace);
  handle->references.store(1, std::memory_order_relaxed);
  handle->mark.store(kPlanMark, std::memory_order_release);
  return handle;
}

tileops_execute_args arguments_of(const DLTensor* const* inputs, size_t num_inputs, DLTensor* const* outputs,
                                  size_t num_outputs, void* stream) {
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.inputs = inputs;
  args.num_inputs = static_cast<uint32_t>(std::min<size_t>(num_inputs, UINT32_MAX));
  args.outputs = outputs;
  args.num_outputs = static_cast<uint32_t>(std::min<size_t>(num_outputs, UINT32_MAX));
  args.stream = stream;
  return args;
}

tileops_execute_args read_args(const tileops_execute_args* args) {
  const tileops_execute_args a = read_struct(args, "args");
  if (a.workspace_bytes && !a.workspace)
    invalid("workspace: is NULL (%llu bytes)", static_cast<unsigned long long>(a.workspace_bytes));
  return a;
}

// `part`: NULL for all of it.
void execute_by_name(const tileops_plan* plan, const tileops_execute_args* args, const Part* part) {
  if (!args) invalid("args: is NULL");
  const Plan& known = plan_of(plan);
  known.execute_with(read_args(args), plan->workspace.get(), part);
}

}  // namespace

const Plan& plan_of(const tileops_plan* handle) {
  require_live(handle);
  return *handle->plan;
}

}  // namespace tileops::api

using namespace tileops;
using namespace tileops::api;

tileops_status tileops_plan_check(tileops_context* ctx, const tileops_plan_desc* desc) {
  return guard("tileops_plan_check", [&] {
    if (!desc) invalid("desc: is NULL");
    const Request request = request_of(read_struct(desc, "desc"));
    Backend& backend = backend_of(request.device);
    naming_open_extents(request.open,
                        [&] { backend.check(lower(request), request.device, context_of(ctx).state_of(backend)); });
  });
}

tileops_status tileops_plan_infer(const tileops_plan_desc* desc, size_t output, DLDataType* dtype, int32_t* ndim,
                                  int64_t* shape) {
  return guard("tileops_plan_infer", [&] {
    if (!desc) invalid("desc: is NULL");
    if (!dtype) invalid("dtype: is NULL");
    if (!ndim) invalid("ndim: is NULL");
    if (!shape) invalid("shape: is NULL");
    if (output >= static_cast<size_t>(kMaxOutputs))
      invalid("output: is out of range (got %zu, need less than %d)", output, kMaxOutputs);
    const Request request = request_of(read_struct(desc, "desc"), Outputs::optional);
    const TensorSpec result = naming_open_extents(request.open,
                                                  [&] { return infer_result(request, static_cast<int>(output)); });
    *dtype = dtype_to_dl(result.dtype);
    *ndim = result.ndim;
    std::transform(result.shape, result.shape + result.ndim, shape,
                   [](const Extent& n) { return n.is_open() ? int64_t{TILEOPS_OPEN} : int64_t{n}; });
  });
}

tileops_status tileops_plan_create(tileops_context* ctx, const tileops_plan_desc* desc, tileops_plan** out) {
  return guard("tileops_plan_create", [&] {
    if (!out) invalid("out: is NULL");
    *out = nullptr;
    if (!desc) invalid("desc: is NULL");
    *out = new_plan_handle(ctx, read_struct(desc, "desc"));
  });
}

tileops_status tileops_plan_create_like(tileops_context* ctx, tileops_op op, const DLTensor* const* inputs,
                                        size_t num_inputs, DLTensor* const* outputs, size_t num_outputs,
                                        const tileops_attr* attrs, size_t num_attrs, tileops_plan** out) {
  return guard("tileops_plan_create_like", [&] {
    if (!out) invalid("out: is NULL");
    *out = nullptr;
    if (num_attrs > TILEOPS_MAX_ATTRS)
      invalid("num_attrs: is too large (got %zu, need at most %d)", num_attrs, TILEOPS_MAX_ATTRS);
    Described like(inputs, num_inputs, TILEOPS_MAX_INPUTS, outputs, num_outputs, TILEOPS_MAX_OUTPUTS);
    like.desc.op = op;
    like.desc.num_attrs = static_cast<int32_t>(num_attrs);
    like.desc.attrs = attrs;
    *out = new_plan_handle(ctx, like.desc);
  });
}

tileops_status tileops_plan_create_like_expr(tileops_context* ctx, const tileops_expr* expr,
                                             const DLTensor* const* inputs, size_t num_inputs, DLTensor* const* outputs,
                                             size_t num_outputs, tileops_plan** out) {
  return guard("tileops_plan_create_like_expr", [&] {
    if (!out) invalid("out: is NULL");
    *out = nullptr;
    expr_of(expr);
    Described like(inputs, num_inputs, kMaxInputs, outputs, num_outputs, kMaxOutputs);
    like.desc.expr = expr;
    *out = new_plan_handle(ctx, like.desc);
  });
}

tileops_status tileops_plan_retain(tileops_plan* plan) {
  return guard("tileops_plan_retain", [&] {
    require_live(plan);
    plan->references.fetch_add(1, std::memory_order_relaxed);
  });
}

void tileops_plan_destroy(tileops_plan* plan) {
  guard("tileops_plan_destroy", [&] {
    if (!plan || plan->mark.load(std::memory_order_acquire) != kPlanMark) return;
    if (plan->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    uint64_t expected = kPlanMark;
    if (!plan->mark.compare_exchange_strong(expected, 0)) return;
    plan->plan.reset();
    plan->workspace.reset();
    pool().give(plan);
  });
}

tileops_status tileops_plan_query(const tileops_plan* handle, tileops_plan_prop prop, void* buf, size_t* size) {
  return guard("tileops_plan_query", [&] {
    const Plan& plan = plan_of(handle);
    const auto value = [&](const auto& v) { write_bytes(&v, sizeof v, buf, size); };
    const auto text = [&](const std::string& s) { write_bytes(s.c_str(), s.size() + 1, buf, size); };
    const Request& r = plan.request();
    switch (prop) {
      case TILEOPS_PLAN_BYTES_MOVED:
        if (plan.is_open()) invalid("prop: depends on the plan's open extents: ask tileops_plan_at");
        return value(uint64_t{plan.bytes_moved(nullptr)});
      case TILEOPS_PLAN_KERNEL_NAME: return text(plan.executable().kernel_name());
      case TILEOPS_PLAN_STRATEGY: return text(plan.executable().strategy());
      case TILEOPS_PLAN_CACHE_ORIGIN: return text(plan.executable().cache_origin());
      case TILEOPS_PLAN_SOURCE: return text(plan.executable().source());
      case TILEOPS_PLAN_LAYOUT: return text(plan.executable().layout());
      case TILEOPS_PLAN_DEVICE: return value(r.device);
      case TILEOPS_PLAN_WORKSPACE_BYTES:
        if (!plan.most_workspace_bytes()) invalid("prop: depends on the plan's open extents: ask tileops_plan_at");
        return value(uint64_t{*plan.most_workspace_bytes()});
      case TILEOPS_PLAN_NUM_ELEMENTS:
        if (r.outputs[0].is_open()) invalid("prop: depends on the plan's open extents: ask tileops_plan_result");
        return value(static_cast<uint64_t>(int64_t{r.outputs[0].numel()}));
      case TILEOPS_PLAN_COMPUTE_DTYPE: return value(dtype_to_dl(ctype_dtype(plan.executable().compute_type())));
      case TILEOPS_PLAN_THREADS: return value(int32_t{plan.executable().launch_hint().threads});
      case TILEOPS_PLAN_NUM_PER_THREAD: return value(int32_t{plan.executable().launch_hint().num_per_thread});
      case TILEOPS_PLAN_STRATEGY_ORIGIN: return text(plan.executable().strategy_origin());
      case TILEOPS_PLAN_NUM_PASSES: return value(static_cast<int32_t>(plan.executable().num_passes()));
      case TILEOPS_PLAN_NUM_EXTENTS: return value(static_cast<int32_t>(r.open.size()));
      case TILEOPS_PLAN_NUM_PARTS:
        if (!r.open.empty()) invalid("prop: depends on the plan's open extents: ask tileops_plan_at");
        return value(static_cast<int32_t>(std::min<size_t>(plan.executable().num_parts(nullptr), INT32_MAX)));
      default: invalid("prop: is unknown (got %d)", prop);
    }
  });
}

tileops_status tileops_tune(tileops_context* ctx, const tileops_plan_desc* desc, tileops_tune_fn progress, void* user,
                            tileops_tune_result* out) {
  return guard("tileops_tune", [&] {
    if (!desc) invalid("desc: is NULL");
    if (out) known_size(out, "out");
    const Request request = request_of(read_struct(desc, "desc"));
    if (request.hint.strategy != TILEOPS_STRATEGY_AUTO)
      invalid("strategy: is what tuning finds out (got %s, need auto)", strategy_name(request.hint.strategy));
    Context& context = context_of(ctx);
    Backend& backend = backend_of(request.device);
    const auto report = [&](const tileops_tune_progress& p) { return !progress || progress(user, &p) == 0; };
    const tileops_tune_result result = backend.tune(request, lower(request), context.state_of(backend), report);
    context.plans().clear();
    if (out) write_struct(out, "out", result);
  });
}

tileops_status tileops_execute(const tileops_plan* plan, const DLTensor* const* inputs, size_t num_inputs,
                               DLTensor* const* outputs, size_t num_outputs, void* stream) {
  return guard("tileops_execute", [&] {
    plan_of(plan).execute_with(arguments_of(inputs, num_inputs, outputs, num_outputs, stream), plan->workspace.get());
  });
}

tileops_status tileops_execute_with(const tileops_plan* plan, const tileops_execute_args* args) {
  return guard("tileops_execute_with", [&] { execute_by_name(plan, args, nullptr); });
}

tileops_status tileops_execute_part(const tileops_plan* plan, const tileops_execute_args* args, uint32_t phase,
                                    uint32_t part, uint32_t parts) {
  return guard("tileops_execute_part", [&] {
    const Part one{phase, part, parts};
    execute_by_name(plan, args, &one);
  });
}

tileops_status tileops_execute_list(const tileops_plan* plan, const tileops_execute_args* items, size_t count) {
  return guard("tileops_execute_list", [&] {
    const Plan& known = plan_of(plan);
    if (count && !items) invalid("items: is NULL");
    std::vector<tileops_execute_args> all;
    all.reserve(count);
    const char* at = reinterpret_cast<const char*>(items);
    for (size_t i = 0; i < count; ++i)
      naming_item(i, [&] {
        const auto* item = reinterpret_cast<const tileops_execute_args*>(at + i * items->struct_size);
        if (item->struct_size != items->struct_size)
          invalid("struct_size is another one than that of items[0] (got %u, need %u)", item->struct_size,
                  items->struct_size);
        all.push_back(read_args(item));
      });
    known.execute_list(all);
  });
}

tileops_status tileops_execute_ptrs(const tileops_plan* plan, const void* const* inputs, void* const* outputs,
                                    void* stream) {
  return guard("tileops_execute_ptrs",
               [&] { plan_of(plan).execute_ptrs(inputs, outputs, stream, plan->workspace.get()); });
}
