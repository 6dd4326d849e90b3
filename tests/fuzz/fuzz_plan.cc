// libFuzzer target: bytes become a call; the library must refuse it in an orderly way or compute.
//
// What is checked beyond what the sanitizers see: plan_check and plan_create agree; a refusal has a
// message, a NULL plan and writes nothing; nothing is an internal error; an execution writes the
// elements of its outputs and no byte more; execute_ptrs, and execute with outputs in the memory of
// an input where that is allowed, give the same bytes as execute with memory of its own.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "case.h"

namespace fuzz {
namespace {

#define REQUIRE(condition)                                                                        \
  do {                                                                                            \
    if (!(condition)) {                                                                           \
      std::fprintf(stderr, "%s:%d: not so: %s\nlast error: %s\n", __FILE__, __LINE__, #condition, \
                   tileops_last_error());                                                         \
      std::abort();                                                                               \
    }                                                                                             \
  } while (false)

void require_orderly(tileops_status status, const char* function) {
  if (status == TILEOPS_STATUS_OK) return;
  REQUIRE(status == TILEOPS_STATUS_INVALID_ARGUMENT || status == TILEOPS_STATUS_UNSUPPORTED ||
          status == TILEOPS_STATUS_NO_DEVICE || status == TILEOPS_STATUS_OUT_OF_MEMORY);
  const std::string start = std::string(function) + ": ";
  REQUIRE(std::strncmp(tileops_last_error(), start.c_str(), start.size()) == 0);
  REQUIRE(std::strlen(tileops_last_error()) > start.size());
}

// Memory of a tensor, to the byte.
struct Memory {
  std::unique_ptr<char[]> bytes;
  size_t size = 0;
  char* element0 = nullptr;

  void make(const Tensor& t, int64_t shift) {
    size = static_cast<size_t>(t.high - t.low + shift);
    bytes.reset(new char[size]);
    element0 = bytes.get() + shift - t.low;
  }
  std::string copy() const { return std::string(bytes.get(), size); }
};

std::string elements(const Tensor& t, const char* element0) {
  std::string all;
  for (int64_t i = 0; i < t.numel; ++i) all.append(element0 + t.element_offset(i), unit_bytes(t.dtype));
  return all;
}

// The bytes between the elements of an output must be as they were.
void require_gaps(const Tensor& t, const Memory& m, const std::string& before) {
  std::string after = m.copy();
  const int64_t origin = m.element0 - m.bytes.get();
  for (int64_t i = 0; i < t.numel; ++i)
    std::memcpy(&after[static_cast<size_t>(origin + t.element_offset(i))],
                &before[static_cast<size_t>(origin + t.element_offset(i))], unit_bytes(t.dtype));
  REQUIRE(after == before);
}

int32_t num_extents(const tileops_plan* plan) {
  int32_t count = -1;
  size_t size = sizeof count;
  REQUIRE(tileops_plan_query(plan, TILEOPS_PLAN_NUM_EXTENTS, &count, &size) == TILEOPS_STATUS_OK);
  return count;
}

class Execution {
 public:
  Execution(Case* c, tileops_plan* plan, Bytes* b) : c_(*c), plan_(plan) {
    uint32_t state = b->u8();
    const auto fill = [&](Memory* m) {
      for (size_t i = 0; i < m->size; ++i)
        m->bytes[i] = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    };
    const auto add = [&](const std::vector<Tensor>& tensors, std::vector<Memory>* memory, std::vector<DLTensor>* dl) {
      for (const Tensor& t : tensors) {
        Memory m;
        m.make(t, unit_bytes(t.dtype) * b->below(4));
        fill(&m);
        dl->push_back(t.tensor());
        dl->back().data = m.element0;
        if (b->rarely(8)) {
          dl->back().byte_offset = 64;
          dl->back().data = m.element0 - 64;
        }
        memory->push_back(std::move(m));
      }
    };
    add(c_.inputs, &in_memory_, &in_);
    add(c_.outputs, &out_memory_, &out_);
    for (size_t i = 0; i < in_.size(); ++i) inputs_.push_back(c_.inputs[i].present ? &in_[i] : nullptr);
    for (DLTensor& t : out_) outputs_.push_back(&t);
  }

  tileops_status execute() {
    return tileops_execute(plan_, inputs_.data(), inputs_.size(), outputs_.data(), outputs_.size(), nullptr);
  }

  // Memory apart: must work.
  void plain() {
    std::vector<std::string> before, before_in;
    for (const Memory& m : out_memory_) before.push_back(m.copy());
    for (const Memory& m : in_memory_) before_in.push_back(m.copy());
    REQUIRE(execute() == TILEOPS_STATUS_OK);
    for (size_t i = 0; i < in_.size(); ++i) REQUIRE(in_memory_[i].copy() == before_in[i]);
    for (size_t i = 0; i < out_.size(); ++i) {
      require_gaps(c_.outputs[i], out_memory_[i], before[i]);
      results_.push_back(elements(c_.outputs[i], out_memory_[i].element0));
      std::memcpy(out_memory_[i].bytes.get(), before[i].data(), before[i].size());
    }
    std::vector<const void*> in;
    std::vector<void*> out;
    for (size_t i = 0; i < in_.size(); ++i) in.push_back(c_.inputs[i].present ? in_memory_[i].element0 : nullptr);
    for (const Memory& m : out_memory_) out.push_back(m.element0);
    const bool is_open = num_extents(plan_) > 0;  // which takes extents beside addresses
    REQUIRE((tileops_execute_ptrs(plan_, in.data(), out.data(), nullptr) == TILEOPS_STATUS_OK) == !is_open);
    if (!is_open) require_results();
  }

  // An output somewhere in the memory of an input: refused, or the same result.
  void overlapping(Bytes* b) {
    if (in_.empty()) return;
    const size_t i = b->below(static_cast<int>(in_.size()));
    const size_t o = b->below(static_cast<int>(out_.size()));
    const Tensor& y = c_.outputs[o];
    Memory& m = in_memory_[i];
    if (static_cast<int64_t>(m.size) < y.high - y.low || !inputs_[i]) return;
    const int64_t room = static_cast<int64_t>(m.size) - (y.high - y.low);
    int64_t at = m.element0 - m.bytes.get();  // where the input's element 0 is
    if (b->below(2)) at = b->u8() % (room + 1) - y.low;
    if (at + y.low < 0 || at + y.high > static_cast<int64_t>(m.size)) return;
    const DLTensor own = out_[o];
    out_[o].data = m.bytes.get() + at;
    out_[o].byte_offset = 0;
    const std::string before = m.copy();
    const tileops_status status = execute();
    require_orderly(status, "tileops_execute");
    if (status != TILEOPS_STATUS_OK) {
      REQUIRE(m.copy() == before);
    } else {
      REQUIRE(elements(y, m.bytes.get() + at) == results_[o]);
    }
    std::memcpy(m.bytes.get(), before.data(), before.size());
    out_[o] = own;
  }

  // Arguments that differ from the plan: refused, nothing written.
  void wrong(Bytes* b) {
    DLTensor* t = b->below(2) && !in_.empty() ? &in_[b->below(static_cast<int>(in_.size()))]
                                              : &out_[b->below(static_cast<int>(out_.size()))];
    const DLTensor own = *t;
    std::vector<std::string> before;
    for (const Memory& m : out_memory_) before.push_back(m.copy());
    switch (b->below(9)) {
      case 0: t->data = nullptr, t->byte_offset = 0; break;
      case 1: t->dtype.code = b->u8(); break;
      case 2: t->dtype.bits = b->u8(); break;
      case 3: t->dtype.lanes = b->u8(); break;
      case 4: {  // fewer, or absurd; a few more than the shape has would be the caller's lie
        const int ndim = static_cast<int8_t>(b->u8());
        if (ndim < t->ndim || ndim > TILEOPS_MAX_NDIM) t->ndim = ndim;
        break;
      }
      case 5: t->device.device_type = static_cast<DLDeviceType>(b->u8()); break;
      case 6: t->shape = nullptr; break;
      case 7: t->byte_offset += b->below(2) ? 1 : 0; break;
      default: break;
    }
    const size_t more = b->rarely(8) ? 1 : 0;
    if (more) outputs_.push_back(nullptr);
    const bool changed = std::memcmp(&own, t, sizeof own) != 0 || more;
    if (t->byte_offset == own.byte_offset || t->dtype.bits > 8) {  // else it leaves its memory
      const tileops_status status = execute();
      require_orderly(status, "tileops_execute");
      if (status != TILEOPS_STATUS_OK)
        for (size_t i = 0; i < before.size(); ++i) REQUIRE(out_memory_[i].copy() == before[i]);
      REQUIRE(changed || status == TILEOPS_STATUS_OK);
    }
    if (more) outputs_.pop_back();
    *t = own;
  }

 private:
  void require_results() {
    for (size_t i = 0; i < out_.size(); ++i) REQUIRE(elements(c_.outputs[i], out_memory_[i].element0) == results_[i]);
  }

  const Case& c_;
  tileops_plan* plan_;
  std::vector<Memory> in_memory_, out_memory_;
  std::vector<DLTensor> in_, out_;
  std::vector<const DLTensor*> inputs_;
  std::vector<DLTensor*> outputs_;
  std::vector<std::string> results_;
};

// Open extents of the case become one number that the plan takes for each. False: there is none that is tried.
bool close_extents(const tileops_plan* plan, Case* c, Bytes* b) {
  int64_t n = 1 + b->below(3);
  for (int32_t i = 0; i < num_extents(plan); ++i) {
    int64_t most = 0;
    REQUIRE(tileops_plan_extent(plan, static_cast<size_t>(i), nullptr, nullptr, &most) == TILEOPS_STATUS_OK);
    n = std::min(n, most);
  }
  for (auto* list : {&c->inputs, &c->outputs})
    for (Tensor& t : *list)
      for (int32_t d = 0; t.present && d < t.ndim; ++d) {
        if (t.shape[d] >= 0) continue;
        if (t.strides) return false;  // which may be of any size
        t.shape[d] = n;
      }
  return n > 0;
}

void query(tileops_plan* plan, Bytes* b) {
  size_t need = 0, size = b->below(64);
  const auto prop = static_cast<tileops_plan_prop>(b->below(TILEOPS_PLAN_NUM_EXTENTS + 3));
  const tileops_status status = tileops_plan_query(plan, prop, nullptr, &need);
  const bool known = prop >= TILEOPS_PLAN_BYTES_MOVED && prop <= TILEOPS_PLAN_NUM_EXTENTS;
  const bool depends_on_extents = prop == TILEOPS_PLAN_BYTES_MOVED || prop == TILEOPS_PLAN_NUM_ELEMENTS ||
                                  prop == TILEOPS_PLAN_NUM_PARTS;
  REQUIRE((known && !(depends_on_extents && num_extents(plan) > 0)) == (status == TILEOPS_STATUS_OK));
  if (status != TILEOPS_STATUS_OK) return;
  std::unique_ptr<char[]> buffer(new char[size]);
  const bool fits = size >= need;
  REQUIRE((tileops_plan_query(plan, prop, buffer.get(), &size) == TILEOPS_STATUS_OK) == fits);
  REQUIRE(size == need);
}

void one(Bytes* b) {
  Case c(b);
  std::vector<tileops_tensor_desc> ins, outs;
  for (const Tensor& t : c.inputs) ins.push_back(t.desc());
  for (const Tensor& t : c.outputs) outs.push_back(t.desc());
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = c.op;
  desc.device = c.device;
  desc.num_inputs = static_cast<int32_t>(ins.size());
  desc.num_outputs = static_cast<int32_t>(outs.size());
  desc.num_attrs = static_cast<int32_t>(c.attrs.size());
  desc.flags = c.flags;
  desc.inputs = ins.data();
  desc.outputs = outs.data();
  desc.attrs = c.attrs.data();
  desc.strategy = c.strategy;
  desc.threads = c.threads;
  desc.num_per_thread = c.num_per_thread;
  desc.reserved = c.reserved;

  auto* plan = reinterpret_cast<tileops_plan*>(&desc);
  const tileops_status checked = tileops_plan_check(nullptr, &desc);
  require_orderly(checked, "tileops_plan_check");
  const tileops_status created = tileops_plan_create(nullptr, &desc, &plan);
  require_orderly(created, "tileops_plan_create");
  REQUIRE(checked == created);
  REQUIRE((created == TILEOPS_STATUS_OK) == (plan != nullptr));
  if (!plan) return;

  query(plan, b);
  const bool is_open = num_extents(plan) > 0;
  bool small = !is_open || close_extents(plan, &c, b);
  for (Tensor& t : c.inputs) small = small && (!t.present || t.measure());
  for (Tensor& t : c.outputs) small = small && t.present && t.measure();
  if (small) {
    Execution run(&c, plan, b);
    run.plain();
    run.overlapping(b);
    run.wrong(b);
  }
  tileops_plan_destroy(plan);
  REQUIRE(tileops_plan_retain(plan) == TILEOPS_STATUS_INVALID_ARGUMENT);
  tileops_plan_destroy(plan);
}

}  // namespace
}  // namespace fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Bytes bytes(data, size);
  fuzz::one(&bytes);
  return 0;
}
