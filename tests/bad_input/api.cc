// Every other function: NULL for each pointer, wrong sizes, destroyed handles.
#include <climits>
#include <cmath>
#include <cstring>
#include <functional>

#include "plan_test.h"

namespace bad_input {
namespace {

struct ApiRow {
  const char* op;    // the function
  const char* what;  // is wrong
  tileops_status status;
  const char* message;  // after "<function>: "
  std::function<tileops_status()> call;
};

std::ostream& operator<<(std::ostream& s, const ApiRow& row) { return s << row.op << ": " << row.what; }

constexpr DLDevice kCpu{kDLCPU, 0}, kNoCpu{kDLCPU, 1};
// A device of a kind that no build has a backend for, so that the answer is the same on every machine.
constexpr DLDevice kForeign{kDLMetal, 0};
constexpr DLDataType kF32{2, 32, 1};

// Calls with one part changed, from a plan of exp f32[2].
struct Fixture {
  Call call{"exp", "f32[2] -> f32[2]", ""};
  Desc desc{call};
  Execution run{call};
  tileops_plan* out = reinterpret_cast<tileops_plan*>(1);

  tileops_status create() {
    const tileops_status status = tileops_plan_create(nullptr, &desc.desc, &out);
    EXPECT_EQ(nullptr, out);
    return status;
  }
  tileops_status like(size_t num_inputs, size_t num_outputs, size_t num_attrs) {
    return like(run.inputs.data(), num_inputs, run.outputs.data(), num_outputs, nullptr, num_attrs);
  }
  tileops_status like(const DLTensor* const* in, size_t num_in, DLTensor* const* outs, size_t num_out,
                      const tileops_attr* attrs, size_t num_attrs) {
    const tileops_status status = tileops_plan_create_like(nullptr, TILEOPS_OP_EXP, in, num_in, outs, num_out, attrs,
                                                           num_attrs, &out);
    EXPECT_EQ(nullptr, out);
    return status;
  }
};

tileops_status create(const std::function<void(tileops_plan_desc*)>& change) {
  Fixture f;
  change(&f.desc.desc);
  return f.create();
}

tileops_status context(const std::function<void(tileops_context_options*)>& change) {
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  change(&options);
  auto* out = reinterpret_cast<tileops_context*>(1);
  const tileops_status status = tileops_context_create(&options, &out);
  EXPECT_EQ(nullptr, out);
  return status;
}

tileops_context* dead_context() {
  tileops_context* ctx = nullptr;
  tileops_context_create(nullptr, &ctx);
  tileops_context_destroy(ctx);
  tileops_context_destroy(ctx);  // ignored
  return ctx;
}

tileops_plan* dead_plan() {
  Call call("exp", "f32[2] -> f32[2]", "");
  Desc desc(call);
  tileops_plan* plan = nullptr;
  tileops_plan_create(nullptr, &desc.desc, &plan);
  tileops_plan_retain(plan);
  tileops_plan_destroy(plan);
  tileops_plan_destroy(plan);
  tileops_plan_destroy(plan);  // ignored
  return plan;
}

tileops_status alloc(DLDevice device, DLDataType dtype, int32_t ndim, const int64_t* shape) {
  auto* out = reinterpret_cast<DLManagedTensorVersioned*>(1);
  const tileops_status status = tileops_tensor_alloc(nullptr, device, dtype, ndim, shape, &out);
  EXPECT_EQ(nullptr, out);
  return status;
}

tileops_status copy(const char* operands, const std::function<void(DLTensor*, DLTensor*)>& change) {
  Call call("cast", operands, "");
  Execution run(call);
  change(&run.in[0], &run.out[0]);
  const auto before = run.memory();
  const tileops_status status = tileops_tensor_copy(nullptr, &run.in[0], &run.out[0], run.stream);
  EXPECT_EQ(before, run.memory());
  return status;
}

// A struct with more bytes after it, all zero but the last.
template <class T>
struct Newer {
  T known;
  char more[16] = {};
  explicit Newer(T value, char last) : known(value) {
    known.struct_size = sizeof *this;
    more[15] = last;
  }
};

const int64_t kShape2[] = {2}, kShapeNegative[] = {2, -1}, kShapeHuge[] = {INT64_MAX, 4};
const int64_t kShape2p61[] = {int64_t{1} << 59}, kShape33[33] = {};
const tileops_attr kAttrs13[13] = {};

// clang-format off: a row a line
#define NOT_MULTIPLE(name, size) name ": struct_size is no size of this struct (got " #size ", need a multiple of 8)"
#define TOO_SMALL(name, size) name ": struct_size is too small (got " #size ", need sizeof(struct), at least 8)"
#define TOO_NEW(name, size, know) name ": struct_size is larger than this library's and the rest is not zero (got " #size ", know " #know ")"

const ApiRow kRows[] = {
    {"tileops_context_create", "out NULL", kInvalid, "out: is NULL", [] { return tileops_context_create(nullptr, nullptr); }},
    {"tileops_context_create", "struct_size 0", kInvalid, TOO_SMALL("options", 0), [] { return context([](auto* o) { o->struct_size = 0; }); }},
    {"tileops_context_create", "struct_size 7", kInvalid, TOO_SMALL("options", 7), [] { return context([](auto* o) { o->struct_size = 7; }); }},
    {"tileops_context_create", "struct_size cuts a pointer", kInvalid, NOT_MULTIPLE("options", 12), [] { return context([](auto* o) { o->struct_size = 12, o->cache_dir = "x"; }); }},
    {"tileops_context_create", "newer struct", TILEOPS_STATUS_VERSION, TOO_NEW("options", 80, 64), [] { Newer<tileops_context_options> n(TILEOPS_CONTEXT_OPTIONS_INIT, 1); tileops_context* c; return tileops_context_create(&n.known, &c); }},
    {"tileops_context_create", "struct_size absurd", TILEOPS_STATUS_VERSION, TOO_NEW("options", 4294967288, 64), [] { return context([](auto* o) { o->struct_size = 4294967288u; }); }},
    {"tileops_context_create", "threads negative", kInvalid, "options: num_threads is negative (got -1)", [] { return context([](auto* o) { o->num_threads = -1; }); }},
    {"tileops_context_create", "threads 4097", kInvalid, "options: num_threads is too large (got 4097, need at most 4096)", [] { return context([](auto* o) { o->num_threads = 4097; }); }},
    {"tileops_context_create", "threads INT_MAX", kInvalid, "options: num_threads is too large (got 2147483647, need at most 4096)", [] { return context([](auto* o) { o->num_threads = INT_MAX; }); }},
    {"tileops_context_create", "cache mode 4", kInvalid, "options: cache_mode is unknown (got 4)", [] { return context([](auto* o) { o->cache_mode = 4; }); }},
    {"tileops_context_create", "cache mode -1", kInvalid, "options: cache_mode is unknown (got -1)", [] { return context([](auto* o) { o->cache_mode = -1; }); }},

    {"tileops_op_describe", "out NULL", kInvalid, "out: is NULL", [] { return tileops_op_describe(TILEOPS_OP_ADD, nullptr); }},
    {"tileops_op_describe", "operator 0", kInvalid, "op: unknown operator (got 0)", [] { tileops_op_info i = TILEOPS_OP_INFO_INIT; return tileops_op_describe(0, &i); }},
    {"tileops_op_describe", "operator -7", kInvalid, "op: unknown operator (got -7)", [] { tileops_op_info i = TILEOPS_OP_INFO_INIT; return tileops_op_describe(-7, &i); }},
    {"tileops_op_describe", "struct_size 0", kInvalid, TOO_SMALL("out", 0), [] { tileops_op_info i{}; return tileops_op_describe(TILEOPS_OP_ADD, &i); }},
    {"tileops_op_describe", "newer struct", TILEOPS_STATUS_VERSION, TOO_NEW("out", 120, 104), [] { Newer<tileops_op_info> n(TILEOPS_OP_INFO_INIT, 1); return tileops_op_describe(TILEOPS_OP_ADD, &n.known); }},
    {"tileops_device_describe", "out NULL", kInvalid, "out: is NULL", [] { return tileops_device_describe(0, nullptr); }},
    {"tileops_device_describe", "i out of range", kInvalid, "i: is out of range (got 1, need less than 1)", [] { tileops_device_info d = TILEOPS_DEVICE_INFO_INIT; return tileops_device_describe(1, &d); }},
    {"tileops_device_describe", "struct_size 0", kInvalid, TOO_SMALL("out", 0), [] { tileops_device_info d{}; return tileops_device_describe(0, &d); }},

    {"tileops_plan_check", "desc NULL", kInvalid, "desc: is NULL", [] { return tileops_plan_check(nullptr, nullptr); }},
    {"tileops_plan_check", "context destroyed", kInvalid, "ctx: is not a live context", [] { Fixture f; return tileops_plan_check(dead_context(), &f.desc.desc); }},
    {"tileops_plan_check", "no such device", TILEOPS_STATUS_NO_DEVICE, "device: this build has no backend for it (got type 8 id 0)", [] { Fixture f; f.desc.desc.device = kForeign; return tileops_plan_check(nullptr, &f.desc.desc); }},
    {"tileops_plan_create", "out NULL", kInvalid, "out: is NULL", [] { Fixture f; return tileops_plan_create(nullptr, &f.desc.desc, nullptr); }},
    {"tileops_plan_create", "desc NULL", kInvalid, "desc: is NULL", [] { tileops_plan* p; return tileops_plan_create(nullptr, nullptr, &p); }},
    {"tileops_plan_create", "context destroyed", kInvalid, "ctx: is not a live context", [] { Fixture f; return tileops_plan_create(dead_context(), &f.desc.desc, &f.out); }},
    {"tileops_plan_create", "struct_size 0", kInvalid, TOO_SMALL("desc", 0), [] { return create([](auto* d) { d->struct_size = 0; }); }},
    {"tileops_plan_create", "struct_size cuts a pointer", kInvalid, NOT_MULTIPLE("desc", 44), [] { return create([](auto* d) { d->struct_size = 44; }); }},
    {"tileops_plan_create", "struct_size without operands", kInvalid, "num_inputs: wrong number for exp (got 0, need 1)", [] { return create([](auto* d) { d->struct_size = 16; }); }},
    {"tileops_plan_create", "struct_size absurd", TILEOPS_STATUS_VERSION, TOO_NEW("desc", 4294967288, 80), [] { return create([](auto* d) { d->struct_size = 4294967288u; }); }},
    {"tileops_plan_create", "newer struct", TILEOPS_STATUS_VERSION, TOO_NEW("desc", 96, 80), [] { Fixture f; Newer<tileops_plan_desc> n(f.desc.desc, 1); return tileops_plan_create(nullptr, &n.known, &f.out); }},
    {"tileops_plan_create", "operator 0", kInvalid, "op: unknown operator (got 0)", [] { return create([](auto* d) { d->op = 0; }); }},
    {"tileops_plan_create", "operator 32767", kInvalid, "op: unknown operator (got 32767)", [] { return create([](auto* d) { d->op = TILEOPS_OP_RESERVED_MAX; }); }},
    {"tileops_plan_create", "operator INT_MIN", kInvalid, "op: unknown operator (got -2147483648)", [] { return create([](auto* d) { d->op = INT_MIN; }); }},
    {"tileops_plan_create", "flag 32", kInvalid, "flags: unknown bits (got 0x20)", [] { return create([](auto* d) { d->flags = 33; }); }},
    {"tileops_plan_create", "all flags", kInvalid, "flags: unknown bits (got 0xffffffe0)", [] { return create([](auto* d) { d->flags = ~0u; }); }},
    {"tileops_plan_create", "foreign device", TILEOPS_STATUS_NO_DEVICE, "device: this build has no backend for it (got type 8 id 0)", [] { return create([](auto* d) { d->device = kForeign; }); }},
    {"tileops_plan_create", "second CPU", TILEOPS_STATUS_NO_DEVICE, "device: no such device (got type 1 id 1, 1 of that type)", [] { return create([](auto* d) { d->device = kNoCpu; }); }},
    {"tileops_plan_create", "device -1", TILEOPS_STATUS_NO_DEVICE, "device: no such device (got type 1 id -1, 1 of that type)", [] { return create([](auto* d) { d->device.device_id = -1; }); }},
    {"tileops_plan_create", "device of no type", TILEOPS_STATUS_NO_DEVICE, "device: this build has no backend for it (got type 0 id 0)", [] { return create([](auto* d) { std::memset(&d->device, 0, sizeof d->device); }); }},
    {"tileops_plan_create", "inputs NULL", kInvalid, "inputs: is NULL (need 1 descriptors)", [] { return create([](auto* d) { d->inputs = nullptr; }); }},
    {"tileops_plan_create", "outputs NULL", kInvalid, "outputs: is NULL (need 1 descriptors)", [] { return create([](auto* d) { d->outputs = nullptr; }); }},
    {"tileops_plan_create", "attrs NULL", kInvalid, "attrs: is NULL (need 1)", [] { return create([](auto* d) { d->num_attrs = 1, d->attrs = nullptr; }); }},
    {"tileops_plan_create", "inputs -1", kInvalid, "num_inputs: wrong number for exp (got -1, need 1)", [] { return create([](auto* d) { d->num_inputs = -1; }); }},
    {"tileops_plan_create", "inputs INT_MAX", kInvalid, "num_inputs: wrong number for exp (got 2147483647, need 1)", [] { return create([](auto* d) { d->num_inputs = INT_MAX; }); }},
    {"tileops_plan_create", "outputs INT_MIN", kInvalid, "num_outputs: wrong number for exp (got -2147483648, need 1)", [] { return create([](auto* d) { d->num_outputs = INT_MIN; }); }},
    {"tileops_plan_create", "attrs -1", kInvalid, "num_attrs: is negative (got -1)", [] { return create([](auto* d) { d->num_attrs = -1; }); }},

    {"tileops_plan_create_like", "out NULL", kInvalid, "out: is NULL", [] { return tileops_plan_create_like(nullptr, TILEOPS_OP_EXP, nullptr, 0, nullptr, 0, nullptr, 0, nullptr); }},
    {"tileops_plan_create_like", "inputs NULL", kInvalid, "inputs: is NULL", [] { Fixture f; return f.like(nullptr, 1, f.run.outputs.data(), 1, nullptr, 0); }},
    {"tileops_plan_create_like", "outputs NULL", kInvalid, "outputs: is NULL", [] { Fixture f; return f.like(f.run.inputs.data(), 1, nullptr, 1, nullptr, 0); }},
    {"tileops_plan_create_like", "attrs NULL", kInvalid, "attrs: is NULL (need 1)", [] { return Fixture().like(1, 1, 1); }},
    {"tileops_plan_create_like", "9 inputs", kInvalid, "num_inputs: is too large (got 9, need at most 8)", [] { return Fixture().like(9, 1, 0); }},
    {"tileops_plan_create_like", "3 outputs", kInvalid, "num_outputs: is too large (got 3, need at most 2)", [] { return Fixture().like(1, 3, 0); }},
    {"tileops_plan_create_like", "13 attributes", kInvalid, "num_attrs: is too large (got 13, need at most 12)", [] { Fixture f; return f.like(f.run.inputs.data(), 1, f.run.outputs.data(), 1, kAttrs13, 13); }},
    {"tileops_plan_create_like", "output NULL", kInvalid, "outputs[0]: is NULL", [] { Fixture f; f.run.outputs[0] = nullptr; return f.like(1, 1, 0); }},
    {"tileops_plan_create_like", "two devices", kInvalid, "inputs[0]: is on another device than the operands before it (got type 8 id 0, need type 1 id 0)", [] { Fixture f; f.run.in[0].device = kForeign; return f.like(1, 1, 0); }},
    {"tileops_plan_create_like", "all on a foreign device", TILEOPS_STATUS_NO_DEVICE, "device: this build has no backend for it (got type 8 id 0)", [] { Fixture f; f.run.in[0].device = f.run.out[0].device = kForeign; return f.like(1, 1, 0); }},

    {"tileops_plan_retain", "NULL", kInvalid, "plan: is NULL", [] { return tileops_plan_retain(nullptr); }},
    {"tileops_plan_retain", "destroyed", kInvalid, "plan: is not a live plan (already destroyed?)", [] { return tileops_plan_retain(dead_plan()); }},
    {"tileops_plan_create", "strategy -1", kInvalid, "strategy: is unknown (got -1, need 0 to 7)", [] { return create([](auto* d) { d->strategy = -1; }); }},
    {"tileops_plan_create", "strategy 8", kInvalid, "strategy: is unknown (got 8, need 0 to 7)", [] { return create([](auto* d) { d->strategy = 8; }); }},
    {"tileops_plan_create", "a strategy of rows on the CPU", TILEOPS_STATUS_UNSUPPORTED, "strategy: is for CUDA plans (got reread on the CPU, need auto)", [] { return create([](auto* d) { d->strategy = TILEOPS_STRATEGY_REREAD; }); }},
    {"tileops_plan_create", "threads 48", kInvalid, "threads: is no block size (got 48, need 0 or a power of two from 32 to 1024)", [] { return create([](auto* d) { d->strategy = 3; d->threads = 48; }); }},
    {"tileops_plan_create", "threads 2048", kInvalid, "threads: is no block size (got 2048, need 0 or a power of two from 32 to 1024)", [] { return create([](auto* d) { d->strategy = 3; d->threads = 2048; }); }},
    {"tileops_plan_create", "threads negative", kInvalid, "threads: is no block size (got -32, need 0 or a power of two from 32 to 1024)", [] { return create([](auto* d) { d->strategy = 3; d->threads = -32; }); }},
    {"tileops_plan_create", "num_per_thread 3", kInvalid, "num_per_thread: is out of range (got 3, need 0 or a power of two up to 128)", [] { return create([](auto* d) { d->strategy = 3; d->num_per_thread = 3; }); }},
    {"tileops_plan_create", "direct with 2", kInvalid, "num_per_thread: strategy direct has one element a thread (got 2)", [] { return create([](auto* d) { d->strategy = 1; d->num_per_thread = 2; }); }},
    {"tileops_plan_create", "tile with 4", kInvalid, "num_per_thread: strategy tile has none, its squares are fixed (got 4, need 0)", [] { return create([](auto* d) { d->strategy = 5; d->num_per_thread = 4; }); }},
    {"tileops_plan_create", "auto with threads", kInvalid, "strategy: is auto, which chooses threads and num_per_thread as well (got threads 64, num_per_thread 0, need 0 and 0)", [] { return create([](auto* d) { d->threads = 64; }); }},
    {"tileops_plan_create", "reserved set", kInvalid, "reserved: is not 0 (got 1)", [] { return create([](auto* d) { d->reserved = 1; }); }},
    {"tileops_plan_create", "strategy on the CPU", TILEOPS_STATUS_UNSUPPORTED, "strategy: is for CUDA plans (got table on the CPU, need auto)", [] { return create([](auto* d) { d->strategy = 4; }); }},
    {"tileops_tune", "desc NULL", kInvalid, "desc: is NULL", [] { return tileops_tune(nullptr, nullptr, nullptr, nullptr, nullptr); }},
    {"tileops_tune", "on the CPU", TILEOPS_STATUS_UNSUPPORTED, "device: tuning is for CUDA devices (got type 1)", [] { Fixture f; return tileops_tune(nullptr, &f.desc.desc, nullptr, nullptr, nullptr); }},
    {"tileops_tune", "a strategy given", kInvalid, "strategy: is what tuning finds out (got direct, need auto)", [] { Fixture f; f.desc.desc.device = DLDevice{kDLCUDA, 0}; f.desc.desc.strategy = 1; return tileops_tune(nullptr, &f.desc.desc, nullptr, nullptr, nullptr); }},
    {"tileops_tune", "struct_size 0", kInvalid, TOO_SMALL("out", 0), [] { Fixture f; tileops_tune_result r{}; return tileops_tune(nullptr, &f.desc.desc, nullptr, nullptr, &r); }},
    {"tileops_tune", "newer struct", TILEOPS_STATUS_VERSION, TOO_NEW("out", 56, 40), [] { Fixture f; Newer<tileops_tune_result> n(TILEOPS_TUNE_RESULT_INIT, 1); return tileops_tune(nullptr, &f.desc.desc, nullptr, nullptr, &n.known); }},
    {"tileops_plan_query", "plan NULL", kInvalid, "plan: is NULL", [] { size_t n = 0; return tileops_plan_query(nullptr, 1, nullptr, &n); }},
    {"tileops_plan_query", "destroyed", kInvalid, "plan: is not a live plan (already destroyed?)", [] { size_t n = 0; return tileops_plan_query(dead_plan(), 1, nullptr, &n); }},
    {"tileops_plan_query", "size NULL", kInvalid, "size: is NULL", [] { return tileops_plan_query(Fixture().run.plan, 1, nullptr, nullptr); }},
    {"tileops_plan_query", "property 0", kInvalid, "prop: is unknown (got 0)", [] { size_t n = 0; Fixture f; return tileops_plan_query(f.run.plan, 0, nullptr, &n); }},
    {"tileops_plan_query", "property 17", kInvalid, "prop: is unknown (got 17)", [] { size_t n = 0; Fixture f; return tileops_plan_query(f.run.plan, 17, nullptr, &n); }},
    {"tileops_plan_query", "7 bytes for 8", TILEOPS_STATUS_BUFFER_TOO_SMALL, "buf: is too small (got 7 bytes, need 8)", [] { size_t n = 7; Fixture f; char b[7]; auto s = tileops_plan_query(f.run.plan, TILEOPS_PLAN_BYTES_MOVED, b, &n); EXPECT_EQ(8u, n); return s; }},
    {"tileops_plan_query", "no room for the text", TILEOPS_STATUS_BUFFER_TOO_SMALL, "buf: is too small (got 0 bytes, need 11)", [] { size_t n = 0; Fixture f; char b[1] = {'x'}; auto s = tileops_plan_query(f.run.plan, TILEOPS_PLAN_LAYOUT, b, &n); EXPECT_EQ('x', b[0]); EXPECT_EQ(11u, n); return s; }},

    {"tileops_execute", "plan NULL", kInvalid, "plan: is NULL", [] { Fixture f; return tileops_execute(nullptr, f.run.inputs.data(), 1, f.run.outputs.data(), 1, nullptr); }},
    {"tileops_execute", "destroyed", kInvalid, "plan: is not a live plan (already destroyed?)", [] { Fixture f; return tileops_execute(dead_plan(), f.run.inputs.data(), 1, f.run.outputs.data(), 1, nullptr); }},
    {"tileops_execute", "inputs NULL", kInvalid, "inputs: is NULL", [] { Fixture f; return tileops_execute(f.run.plan, nullptr, 1, f.run.outputs.data(), 1, nullptr); }},
    {"tileops_execute", "outputs NULL", kInvalid, "outputs: is NULL", [] { Fixture f; return tileops_execute(f.run.plan, f.run.inputs.data(), 1, nullptr, 1, nullptr); }},
    {"tileops_execute_ptrs", "plan NULL", kInvalid, "plan: is NULL", [] { return tileops_execute_ptrs(nullptr, nullptr, nullptr, nullptr); }},
    {"tileops_execute_ptrs", "destroyed", kInvalid, "plan: is not a live plan (already destroyed?)", [] { return tileops_execute_ptrs(dead_plan(), nullptr, nullptr, nullptr); }},
    {"tileops_execute_ptrs", "inputs NULL", kInvalid, "inputs: is NULL", [] { Fixture f; void* y[] = {f.run.out[0].data}; return tileops_execute_ptrs(f.run.plan, nullptr, y, nullptr); }},
    {"tileops_execute_ptrs", "outputs NULL", kInvalid, "outputs: is NULL", [] { Fixture f; const void* x[] = {f.run.in[0].data}; return tileops_execute_ptrs(f.run.plan, x, nullptr, nullptr); }},
    {"tileops_execute_ptrs", "an input NULL", kInvalid, "inputs[0]: is NULL", [] { Fixture f; const void* x[] = {nullptr}; void* y[] = {f.run.out[0].data}; return tileops_execute_ptrs(f.run.plan, x, y, nullptr); }},
    {"tileops_execute_ptrs", "an output NULL", kInvalid, "outputs[0]: is NULL", [] { Fixture f; const void* x[] = {f.run.in[0].data}; void* y[] = {nullptr}; return tileops_execute_ptrs(f.run.plan, x, y, nullptr); }},
    {"tileops_execute_ptrs", "stream on CPU", kInvalid, "stream: must be NULL for a CPU plan", [] { Fixture f; const void* x[] = {f.run.in[0].data}; void* y[] = {f.run.out[0].data}; return tileops_execute_ptrs(f.run.plan, x, y, y); }},

    {"tileops_tensor_alloc", "out NULL", kInvalid, "out: is NULL", [] { return tileops_tensor_alloc(nullptr, kCpu, kF32, 1, kShape2, nullptr); }},
    {"tileops_tensor_alloc", "context destroyed", kInvalid, "ctx: is not a live context", [] { DLManagedTensorVersioned* t; return tileops_tensor_alloc(dead_context(), kCpu, kF32, 1, kShape2, &t); }},
    {"tileops_tensor_alloc", "shape NULL", kInvalid, "shape: is NULL", [] { return alloc(kCpu, kF32, 1, nullptr); }},
    {"tileops_tensor_alloc", "ndim -1", kInvalid, "ndim: is out of range (got -1, need 0 to 32)", [] { return alloc(kCpu, kF32, -1, kShape2); }},
    {"tileops_tensor_alloc", "ndim 33", kInvalid, "ndim: is out of range (got 33, need 0 to 32)", [] { return alloc(kCpu, kF32, 33, kShape33); }},
    {"tileops_tensor_alloc", "negative extent", kInvalid, "shape[1]: is negative (got -1)", [] { return alloc(kCpu, kF32, 2, kShapeNegative); }},
    {"tileops_tensor_alloc", "overflow", kInvalid, "shape: (9223372036854775807, 4) overflows 64-bit sizes", [] { return alloc(kCpu, kF32, 2, kShapeHuge); }},
    {"tileops_tensor_alloc", "2 EiB", TILEOPS_STATUS_OUT_OF_MEMORY, "out of memory (2305843009213693952 bytes)", [] { return alloc(kCpu, kF32, 1, kShape2p61); }},
    {"tileops_tensor_alloc", "complex", kUnsupported, "dtype: is not supported (got DLDataType{code=5, bits=64, lanes=1})", [] { return alloc(kCpu, {5, 64, 1}, 1, kShape2); }},
    {"tileops_tensor_alloc", "foreign device", TILEOPS_STATUS_NO_DEVICE, "device: this build has no backend for it (got type 8 id 0)", [] { return alloc(kForeign, kF32, 1, kShape2); }},

    {"tileops_tensor_copy", "src NULL", kInvalid, "src: is NULL", [] { Fixture f; return tileops_tensor_copy(nullptr, nullptr, &f.run.out[0], nullptr); }},
    {"tileops_tensor_copy", "dst NULL", kInvalid, "dst: is NULL", [] { Fixture f; return tileops_tensor_copy(nullptr, &f.run.in[0], nullptr, nullptr); }},
    {"tileops_tensor_copy", "context destroyed", kInvalid, "ctx: is not a live context", [] { Fixture f; return tileops_tensor_copy(dead_context(), &f.run.in[0], &f.run.out[0], nullptr); }},
    {"tileops_tensor_copy", "dtypes", kInvalid, "dst: dtype differs from src (got int32, need float32); use the cast operator to convert", [] { return copy("f32[2] -> i32[2]", [](auto*, auto*) {}); }},
    {"tileops_tensor_copy", "ranks", kInvalid, "dst: has another number of dimensions than src (got 1, need 2)", [] { return copy("f32[2,1] -> f32[2,1]", [](auto*, auto* d) { d->ndim = 1; }); }},
    {"tileops_tensor_copy", "shapes", kInvalid, "dst: shape[1] differs from src (got 4, need 3)", [] { static int64_t s[] = {2, 4}; return copy("f32[2,3] -> f32[2,3]", [](auto*, auto* d) { d->shape = s; }); }},
    {"tileops_tensor_copy", "overlap", kInvalid, "dst: overlaps src, and is not the same tensor", [] { return copy("f32[4]+0 -> f32[4]+4", [](auto*, auto*) {}); }},
    {"tileops_tensor_copy", "src data NULL", kInvalid, "src: data is NULL", [] { return copy("f32[4] -> f32[4]", [](auto* s, auto*) { s->data = nullptr; }); }},
    {"tileops_tensor_copy", "dst stride 0", kInvalid, "dst: two elements share an address (shape (4,), strides (0,))", [] { static int64_t s[] = {0}; return copy("f32[4] -> f32[4]", [](auto*, auto* d) { d->strides = s; }); }},
    {"tileops_tensor_copy", "complex", kUnsupported, "src: dtype is not supported (got DLDataType{code=5, bits=64, lanes=1})", [] { return copy("f64[4] -> f64[4]", [](auto* s, auto* d) { s->dtype.code = d->dtype.code = 5; }); }},
    {"tileops_tensor_copy", "src on a foreign device", TILEOPS_STATUS_NO_DEVICE, "device: this build has no backend for it (got type 8 id 0)", [] { return copy("f32[4] -> f32[4]", [](auto* s, auto*) { s->device = kForeign; }); }},
    {"tileops_tensor_copy", "stream on CPU", kInvalid, "stream: must be NULL for a CPU plan", [] { Fixture f; return tileops_tensor_copy(nullptr, &f.run.in[0], &f.run.out[0], &f); }},

    {"tileops_stream_create", "out NULL", kInvalid, "out: is NULL", [] { return tileops_stream_create(nullptr, kCpu, nullptr); }},
    {"tileops_stream_create", "context destroyed", kInvalid, "ctx: is not a live context", [] { void* s; return tileops_stream_create(dead_context(), kCpu, &s); }},
    {"tileops_stream_create", "foreign device", TILEOPS_STATUS_NO_DEVICE, "device: this build has no backend for it (got type 8 id 0)", [] { void* s = &s; auto status = tileops_stream_create(nullptr, kForeign, &s); EXPECT_EQ(nullptr, s); return status; }},
    {"tileops_stream_destroy", "not a CPU stream", kInvalid, "stream: must be NULL for a CPU plan", [] { int s; return tileops_stream_destroy(nullptr, kCpu, &s); }},
    {"tileops_stream_destroy", "foreign device", TILEOPS_STATUS_NO_DEVICE, "device: this build has no backend for it (got type 8 id 0)", [] { return tileops_stream_destroy(nullptr, kForeign, nullptr); }},
    {"tileops_stream_synchronize", "not a CPU stream", kInvalid, "stream: must be NULL for a CPU plan", [] { int s; return tileops_stream_synchronize(nullptr, kCpu, &s); }},
    {"tileops_stream_synchronize", "context destroyed", kInvalid, "ctx: is not a live context", [] { return tileops_stream_synchronize(dead_context(), kCpu, nullptr); }},

    {"tileops_cache_stats_get", "out NULL", kInvalid, "out: is NULL", [] { return tileops_cache_stats_get(nullptr, nullptr); }},
    {"tileops_cache_stats_get", "struct_size 0", kInvalid, TOO_SMALL("out", 0), [] { tileops_cache_stats s{}; return tileops_cache_stats_get(nullptr, &s); }},
    {"tileops_cache_stats_get", "context destroyed", kInvalid, "ctx: is not a live context", [] { tileops_cache_stats s = TILEOPS_CACHE_STATS_INIT; return tileops_cache_stats_get(dead_context(), &s); }},
    {"tileops_cache_clear", "unknown bit", kInvalid, "which: unknown bits (got 0x4)", [] { return tileops_cache_clear(nullptr, 4); }},
    {"tileops_cache_clear", "context destroyed", kInvalid, "ctx: is not a live context", [] { return tileops_cache_clear(dead_context(), TILEOPS_CACHE_PLANS); }},
    {"tileops_cache_dir", "size NULL", kInvalid, "size: is NULL", [] { return tileops_cache_dir(nullptr, nullptr, nullptr); }},
    {"tileops_cache_dir", "context destroyed", kInvalid, "ctx: is not a live context", [] { size_t n = 0; return tileops_cache_dir(dead_context(), nullptr, &n); }},
    {"tileops_log_set", "level -1", kInvalid, "level: is unknown (got -1, need 0 to 4)", [] { return tileops_log_set(nullptr, nullptr, -1); }},
    {"tileops_log_set", "level 5", kInvalid, "level: is unknown (got 5, need 0 to 4)", [] { return tileops_log_set(nullptr, nullptr, 5); }},
};

// clang-format on

class Api : public testing::TestWithParam<ApiRow> {};

TEST_P(Api, Refused) {
  const ApiRow& row = GetParam();
  EXPECT_STREQ(tileops_status_name(row.status), tileops_status_name(row.call()));
  EXPECT_EQ(std::string(row.op) + ": " + row.message, tileops_last_error());
  EXPECT_STREQ(nullptr, still_works());
}

INSTANTIATE_TEST_SUITE_P(, Api, testing::ValuesIn(kRows), name_of_row<ApiRow>);

// The list of instruction sets in the message depends on the machine.
TEST(ApiText, UnknownIsa) {
  EXPECT_STREQ("TILEOPS_STATUS_INVALID_ARGUMENT", tileops_status_name(context([](auto* o) { o->cpu_isa = "mmx"; })));
  EXPECT_EQ(0u, std::string(tileops_last_error())
                    .find("tileops_context_create: cpu_isa: unknown instruction set (got 'mmx', need one "
                          "of auto, "));
}

// Functions that have no status.
TEST(ApiText, NeverNull) {
  EXPECT_STREQ("?", tileops_status_name(-1));
  EXPECT_STREQ("?", tileops_status_name(11));
  EXPECT_EQ(TILEOPS_OP_NONE, tileops_op_at(tileops_op_count()));
  EXPECT_EQ(TILEOPS_OP_NONE, tileops_op_at(SIZE_MAX));
  EXPECT_EQ(TILEOPS_OP_NONE, tileops_op_from_name(nullptr));
  EXPECT_EQ(TILEOPS_OP_NONE, tileops_op_from_name(""));
  EXPECT_EQ(TILEOPS_OP_NONE, tileops_op_from_name("ADD"));
  tileops_plan_destroy(nullptr);
  tileops_context_destroy(nullptr);
  EXPECT_STREQ(nullptr, still_works());
}

// A newer header's struct is fine as long as it says nothing that this library does not know.
TEST(ApiText, NewerStructOfZeros) {
  Newer<tileops_context_options> n(TILEOPS_CONTEXT_OPTIONS_INIT, 0);
  tileops_context* ctx = nullptr;
  ASSERT_EQ(TILEOPS_STATUS_OK, tileops_context_create(&n.known, &ctx)) << tileops_last_error();
  tileops_context_destroy(ctx);
}

}  // namespace
}  // namespace bad_input

// Allocations that cannot succeed return NULL under AddressSanitizer too.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}
