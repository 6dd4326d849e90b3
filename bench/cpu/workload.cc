#include "workload.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <stdexcept>

namespace tileops_bench {
namespace {

struct Domain {
  tileops_op op;
  double lo, hi;
};
constexpr Domain kDomains[] = {
#define TILEOPS_OP(id, NAME, name, category, rule, operands, dtypes, compute, attrs, bodies, ulp, \
                   lo, hi, doc)                                                                  \
  {id, lo, hi},
#include <tileops/ops.def>
#undef TILEOPS_OP
};

Domain domain(tileops_op op) {
  for (const Domain& d : kDomains)
    if (d.op == op) return d;
  return {op, -10, 10};
}

int64_t count(const Shape& shape) {
  int64_t n = 1;
  for (int64_t extent : shape) n *= extent;
  return n;
}

int64_t storage_of(const Operand& o) { return o.storage ? o.storage : count(o.shape); }

bool same(DLDataType a, DLDataType b) { return a.code == b.code && a.bits == b.bits; }

Memory allocate(int64_t elements, DLDataType dtype) {
  // Pages of 2 MiB, where the kernel gives them, for the library and the copy loop alike.
  constexpr size_t kAlign = size_t{2} << 20;
  const size_t bytes = static_cast<size_t>(elements) * static_cast<size_t>(dtype_size(dtype));
  const size_t align = bytes >= kAlign ? kAlign : 64;
  void* p = std::aligned_alloc(align, (bytes + align - 1) / align * align);
  if (!p) throw std::runtime_error("out of memory");
  std::memset(p, 0, bytes);  // memory never written reads faster
  return Memory(static_cast<char*>(p));
}

DLTensor describe(void* data, const Operand& o) {
  DLTensor t{};
  t.data = data;
  t.device = {kDLCPU, 0};
  t.ndim = static_cast<int32_t>(o.shape.size());
  t.dtype = o.dtype;
  t.shape = const_cast<int64_t*>(o.shape.data());
  t.strides = o.strides.empty() ? nullptr : const_cast<int64_t*>(o.strides.data());
  return t;
}

// Random numbers in [lo, hi], repeated: enough of them that no branch predictor learns them.
void fill(char* data, int64_t elements, DLDataType dtype, double lo, double hi) {
  const int64_t period = std::min<int64_t>(elements, 1 << 16);
  std::mt19937 random(static_cast<unsigned>(elements + dtype.bits));
  std::uniform_real_distribution<float> draw(static_cast<float>(lo), static_cast<float>(hi));
  std::vector<float> values(static_cast<size_t>(period));
  for (float& v : values) {
    v = draw(random);
    if (same(dtype, kBool)) v = v > static_cast<float>(lo + hi) / 2 ? 1.0f : 0.0f;
    if (same(dtype, kI32) && static_cast<int>(v) == 0) v = 1;  // a divisor
  }
  Operand from{kF32, {period}}, to{dtype, {period}};
  DLTensor src = describe(values.data(), from), dst = describe(data, to);
  const DLTensor* inputs[] = {&src};
  DLTensor* outputs[] = {&dst};
  tileops_plan* plan = nullptr;
  check(tileops_plan_create_like(context(1), TILEOPS_OP_CAST, inputs, 1, outputs, 1, nullptr, 0,
                                 &plan));
  const tileops_status status = tileops_execute(plan, inputs, 1, outputs, 1, nullptr);
  tileops_plan_destroy(plan);
  check(status);
  const auto bytes = static_cast<size_t>(elements * dtype_size(dtype));
  const auto step = static_cast<size_t>(period * dtype_size(dtype));
  for (size_t at = step; at < bytes; at += step)
    std::memcpy(data + at, data, std::min(step, bytes - at));
}

}  // namespace

void Free::operator()(void* p) const { std::free(p); }

const char* dtype_name(DLDataType t) {
  if (same(t, kF32)) return "f32";
  if (same(t, kF16)) return "f16";
  if (same(t, kBf16)) return "bf16";
  if (same(t, kI32)) return "i32";
  return same(t, kBool) ? "bool" : "?";
}

int dtype_size(DLDataType t) { return t.bits / 8; }

void check(tileops_status status) {
  if (status != TILEOPS_STATUS_OK) throw std::runtime_error(tileops_last_error());
}

tileops_context* context(int threads, const char* isa) {
  static std::map<std::pair<int, std::string>, tileops_context*> made;
  const auto key = std::make_pair(threads, std::string(isa ? isa : ""));
  const auto found = made.find(key);
  if (found != made.end()) return found->second;
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.num_threads = threads;
  options.cpu_isa = isa;
  tileops_context* ctx = nullptr;
  const tileops_status status = tileops_context_create(&options, &ctx);
  if (!isa || status != TILEOPS_STATUS_UNSUPPORTED) check(status);
  return made[key] = ctx;  // kept to the end of the program
}

tileops_attr attr(tileops_attr_key key, double value) {
  tileops_attr a{};
  a.key = key;
  a.kind = TILEOPS_ATTR_F64;
  a.value.f64 = value;
  return a;
}

tileops_attr attr(tileops_attr_key key, int64_t value) {
  tileops_attr a{};
  a.key = key;
  a.kind = TILEOPS_ATTR_I64;
  a.value.i64 = value;
  return a;
}

struct Bound::Tensor {
  Operand operand;
  Memory memory;
  DLTensor dl;
  explicit Tensor(const Operand& o)
      : operand(o), memory(allocate(storage_of(o), o.dtype)), dl(describe(memory.get(), operand)) {}
};

Bound::Bound(const Workload& w, tileops_context* ctx) {
  const tileops_op op = tileops_op_from_name(w.op.c_str());
  const Domain d = domain(op);
  const int64_t elements = count(w.output.shape);
  for (const std::optional<Operand>& operand : w.inputs) {
    if (!operand) {
      inputs_.push_back(nullptr);
      input_data_.push_back(nullptr);
      continue;
    }
    tensors_.push_back(std::make_unique<Tensor>(*operand));
    Tensor& t = *tensors_.back();
    fill(t.memory.get(), storage_of(*operand), operand->dtype, d.lo, d.hi);
    inputs_.push_back(&t.dl);
    input_data_.push_back(t.memory.get());
    add_traffic(*operand, t.memory.get(), elements);
  }
  tensors_.push_back(std::make_unique<Tensor>(w.output));
  outputs_[0] = &tensors_.back()->dl;
  output_data_[0] = tensors_.back()->memory.get();
  traffic_.write = output_data_[0];
  traffic_.write_bytes = dtype_size(w.output.dtype);
  traffic_.elements = elements;
  check(tileops_plan_create_like(ctx, op, inputs_.data(), inputs_.size(), outputs_, 1,
                                 w.attrs.data(), w.attrs.size(), &plan_));
}

Bound::~Bound() { tileops_plan_destroy(plan_); }

void Bound::add_traffic(const Operand& operand, const void* data, int64_t elements) {
  const int64_t bytes = operand.copy_bytes >= 0
                            ? operand.copy_bytes
                            : storage_of(operand) * dtype_size(operand.dtype) / elements;
  if (bytes == 0) return;  // a broadcast operand stays in the cache
  for (int i = 0; i < TILEOPS_COPY_MAX_READS; ++i) {
    if (traffic_.read_bytes[i] != 0) continue;
    traffic_.reads[i] = data;
    traffic_.read_bytes[i] = static_cast<int32_t>(bytes);
    return;
  }
}

uint64_t Bound::bytes_moved() const {
  uint64_t bytes = 0;
  size_t size = sizeof bytes;
  check(tileops_plan_query(plan_, TILEOPS_PLAN_BYTES_MOVED, &bytes, &size));
  return bytes;
}

std::string Bound::kernel() const {
  char text[256] = "";
  size_t size = sizeof text;
  return tileops_plan_query(plan_, TILEOPS_PLAN_KERNEL_NAME, text, &size) ? "" : text;
}

}  // namespace tileops_bench
