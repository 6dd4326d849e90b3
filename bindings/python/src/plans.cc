#include "plans.h"

#include <algorithm>
#include <cstring>

#include "arrays/dtypes.h"
#include "errors.h"
#include "families.h"
#include "program.h"

namespace tileops_python {
namespace {

// The words of a request, one behind the other, in memory of the thread.
class Key {
 public:
  Key() : words_(memory()) { words_.clear(); }
  void add(int64_t word) { words_.push_back(word); }
  void add(const DLTensor* tensor, const IgnoredExtents* ignored) {
    if (!tensor) return add(-1);
    const DLDataType type = tensor->dtype;
    const int64_t* strides = strides_of(*tensor);
    add(int64_t{type.code} | int64_t{type.bits} << 8 | int64_t{type.lanes} << 16 | int64_t{tensor->ndim} << 32 |
        int64_t{strides != nullptr} << 40);
    add(int64_t{tensor->device.device_type} << 32 | int64_t{tensor->device.device_id});
    const size_t at = words_.size();
    words_.insert(words_.end(), tensor->shape, tensor->shape + tensor->ndim);
    for (int d = 0; ignored && d < tensor->ndim; ++d)
      if (ignored->has(*tensor, d)) words_[at + static_cast<size_t>(d)] = TILEOPS_OPEN;
    if (strides) words_.insert(words_.end(), strides, strides + tensor->ndim);
  }
  std::string_view view() const {
    return {reinterpret_cast<const char*>(words_.data()), words_.size() * sizeof(int64_t)};
  }

 private:
  static std::vector<int64_t>& memory() {
    thread_local std::vector<int64_t> words;
    return words;
  }

  std::vector<int64_t>& words_;
};

// `ignored`: NULL where all extents count.
Key key_of(const Request& r, const IgnoredExtents* ignored) {
  Key key;
  if (ignored) key.add(static_cast<int64_t>(ignored->kind()));
  key.add(r.num_inputs | int64_t{r.num_outputs} << 8 | int64_t{r.num_attrs} << 16 | int64_t{r.flags} << 24 |
          int64_t{r.outputs != nullptr} << 32 | int64_t{r.dtype != nullptr} << 33 | int64_t{r.ndim} << 40);
  for (int i = 0; i < r.num_inputs; ++i) key.add(r.inputs[i], ignored);
  for (int i = 0; r.outputs && i < r.num_outputs; ++i) key.add(r.outputs[i], ignored);
  for (int i = 0; i < r.num_attrs; ++i) {
    key.add(int64_t{r.attrs[i].key} << 32 | int64_t{r.attrs[i].kind});
    int64_t bits;
    std::memcpy(&bits, &r.attrs[i].value, sizeof bits);
    key.add(bits);
  }
  if (r.dtype) key.add(int64_t{r.dtype->code} | int64_t{r.dtype->bits} << 8);
  for (int i = 0; i < r.ndim; ++i) key.add(r.shape[i]);
  return key;
}

template <class T = uint64_t>
T query(const tileops_plan* plan, tileops_plan_prop prop) {
  T value = 0;
  size_t size = sizeof value;
  check(tileops_plan_query(plan, prop, &value, &size));
  return value;
}

std::string& pack_dirs() {
  static auto* const folders = new std::string;
  return *folders;
}

}  // namespace

void set_pack_dirs(const char* folders) { pack_dirs() = folders; }

tileops_context* plan_context() {
  static tileops_context* const made = [] {
    tileops_context* context = nullptr;
    if (pack_dirs().empty()) return context;
    tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
    options.pack_dirs = pack_dirs().c_str();
    check(tileops_context_create(&options, &context));
    return context;
  }();
  return made;
}

const int64_t* strides_of(const DLTensor& t) {
  int64_t step = 1;
  for (int d = t.ndim - 1; t.strides && d >= 0; --d) {
    if (t.shape[d] != 1 && t.strides[d] != step) return t.strides;
    step *= t.shape[d];
  }
  return nullptr;
}

tileops_tensor_desc describe(const DLTensor* t) {
  if (!t) return {};
  return {t->dtype, t->ndim, t->shape, strides_of(*t)};
}

tileops_plan_desc describe(const Program& program, const Request& r) {
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = program.expr();
  desc.op = program.op();
  desc.device = r.device();
  if (desc.device.device_type == kDLCUDAManaged) desc.device.device_type = kDLCUDA;
  desc.flags = r.flags;
  desc.num_inputs = r.num_inputs;
  desc.num_attrs = r.num_attrs, desc.attrs = r.attrs;
  return desc;
}

std::shared_ptr<const Entry> make_entry(const Program& program, const Request& r) {
  auto made = std::make_shared<Entry>();
  tileops_tensor_desc inputs[TILEOPS_MAX_EXPR_INPUTS], outputs[TILEOPS_MAX_EXPR_OUTPUTS];
  for (int i = 0; i < r.num_inputs; ++i) inputs[i] = describe(r.inputs[i]);

  tileops_plan_desc desc = describe(program, r);
  desc.inputs = inputs, desc.outputs = outputs;
  made->device = desc.device;
  made->results.resize(static_cast<size_t>(r.num_outputs));
  for (int i = 0; i < r.num_outputs; ++i) {
    Layout& layout = made->results[static_cast<size_t>(i)];
    if (r.outputs) {
      const DLTensor& given = *r.outputs[i];
      layout.dtype = given.dtype, layout.ndim = given.ndim;
      std::copy(given.shape, given.shape + given.ndim, layout.shape);
      outputs[i] = describe(&given);
    } else {
      if (i == 0 && r.shape) {
        layout.dtype = r.dtype ? *r.dtype : DLDataType{kDLFloat, 32, 1};
        layout.ndim = r.ndim;
        std::copy(r.shape, r.shape + r.ndim, layout.shape);
      } else {
        desc.num_outputs = 0;
        check(tileops_plan_infer(&desc, static_cast<size_t>(i), &layout.dtype, &layout.ndim, layout.shape), &program);
      }
      if (i == 0 && r.dtype) layout.dtype = *r.dtype;
      outputs[i] = {layout.dtype, layout.ndim, layout.shape, nullptr};
    }
  }
  desc.num_outputs = r.num_outputs;
  check(tileops_plan_create(plan_context(), &desc, &made->plan), &program);
  made->num_extents = query<int32_t>(made->plan, TILEOPS_PLAN_NUM_EXTENTS);
  if (made->num_extents > 0) return made;
  made->workspace_bytes = query(made->plan, TILEOPS_PLAN_WORKSPACE_BYTES);
  made->bytes_moved = query(made->plan, TILEOPS_PLAN_BYTES_MOVED);
  return made;
}

Owned tuple_of(const int64_t* values, int count) {
  Owned tuple = Owned::of(PyTuple_New(count));
  for (int i = 0; i < count; ++i)
    if (PyTuple_SetItem(tuple.get(), i, PyLong_FromLongLong(values[i]))) throw PythonError{};
  return tuple;
}

DLDevice Request::device() const {
  auto look = [](const DLTensor* t) {
    return t && t->device.device_type != kDLCPU && t->device.device_type != kDLCUDAHost;
  };
  for (int i = 0; i < num_inputs; ++i)
    if (look(inputs[i])) return inputs[i]->device;
  for (int i = 0; outputs && i < num_outputs; ++i)
    if (look(outputs[i])) return outputs[i]->device;
  return {kDLCPU, 0};
}

PlanCache::PlanCache() = default;
PlanCache::~PlanCache() = default;

std::shared_ptr<const Entry> PlanCache::get(const Program& program, const Request& request, Wanted wanted) {
  const Key key = key_of(request, nullptr);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto serves = [wanted](const Entry& entry) { return wanted == Wanted::kAny || !entry.is_open; };
  if (last_ && key.view() == last_key_ && serves(*last_)) return last_;
  auto found = entries_.find(key.view());
  if (found == entries_.end() || !serves(*found->second)) {
    std::string own(key.view());  // the family's key takes its place
    std::shared_ptr<const Entry> made;
    if (wanted == Wanted::kAny) made = of_families(program, request);
    if (!made) made = make_entry(program, request);
    if (entries_.size() >= kMost) entries_.clear();
    found = entries_.insert_or_assign(std::move(own), std::move(made)).first;
  }
  last_ = found->second;
  last_key_ = found->first;
  return last_;
}

std::shared_ptr<const Entry> PlanCache::of_families(const Program& program, const Request& request) {
  constexpr int kOwnPlans = 2;  // most programs have a batch, and perhaps a last one that is smaller
  constexpr int kOthers = 8;    // of other numbers of columns, say, which are fewer than batches in most programs
  const IgnoredExtents all(request, Ignored::kAll);
  if (all.dimensions() == 0 || request.shape) return nullptr;
  if (families_.size() + 2 > kMost) families_.clear();
  if (all.dimensions() == 1) return family(request, all, kOwnPlans).get(program, request);
  Family& wide = family(request, all, 0);
  const size_t known = families_.size();
  Family& batches = family(request, IgnoredExtents(request, Ignored::kBatch), kOwnPlans);
  wide.parts += families_.size() > known;
  std::shared_ptr<const Entry> found;
  if (wide.parts > kOthers) found = wide.get(program, request);
  return found ? found : batches.get(program, request);
}

Family& PlanCache::family(const Request& request, const IgnoredExtents& ignored, int own_plans) {
  const Key key = key_of(request, &ignored);
  auto found = families_.find(key.view());
  if (found == families_.end())
    found = families_.emplace(std::string(key.view()), std::make_unique<Family>(request, own_plans)).first;
  return *found->second;
}

}  // namespace tileops_python
