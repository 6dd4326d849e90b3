#include "plans.h"

#include <algorithm>
#include <cstring>

#include "arrays/dtypes.h"
#include "errors.h"
#include "program.h"

namespace tileops_python {
namespace {

// The words of a request, one behind the other, in memory of the thread.
class Key {
 public:
  Key() : words_(memory()) { words_.clear(); }
  void add(int64_t word) { words_.push_back(word); }
  void add(const DLTensor* tensor) {
    if (!tensor) return add(-1);
    const DLDataType type = tensor->dtype;
    add(int64_t{type.code} | int64_t{type.bits} << 8 | int64_t{type.lanes} << 16 | int64_t{tensor->ndim} << 32 |
        int64_t{tensor->strides != nullptr} << 40);
    add(int64_t{tensor->device.device_type} << 32 | int64_t{tensor->device.device_id});
    words_.insert(words_.end(), tensor->shape, tensor->shape + tensor->ndim);
    if (tensor->strides) words_.insert(words_.end(), tensor->strides, tensor->strides + tensor->ndim);
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

Key key_of(const Request& r) {
  Key key;
  key.add(r.num_inputs | int64_t{r.num_outputs} << 8 | int64_t{r.num_attrs} << 16 | int64_t{r.flags} << 24 |
          int64_t{r.outputs != nullptr} << 32 | int64_t{r.dtype != nullptr} << 33 | int64_t{r.ndim} << 40);
  for (int i = 0; i < r.num_inputs; ++i) key.add(r.inputs[i]);
  for (int i = 0; r.outputs && i < r.num_outputs; ++i) key.add(r.outputs[i]);
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

tileops_tensor_desc describe(const DLTensor* t) {
  if (!t) return {};
  return {t->dtype, t->ndim, t->shape, t->strides};
}

uint64_t query(const tileops_plan* plan, tileops_plan_prop prop) {
  uint64_t value = 0;
  size_t size = sizeof value;
  check(tileops_plan_query(plan, prop, &value, &size));
  return value;
}

// Makes a plan, without looking for one that is there.
std::shared_ptr<const Entry> make_entry(const Program& program, const Request& r) {
  auto made = std::make_shared<Entry>();
  tileops_tensor_desc inputs[TILEOPS_MAX_EXPR_INPUTS], outputs[TILEOPS_MAX_EXPR_OUTPUTS];
  for (int i = 0; i < r.num_inputs; ++i) inputs[i] = describe(r.inputs[i]);

  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = program.expr();
  desc.op = program.op();
  made->device = r.device();
  if (made->device.device_type == kDLCUDAManaged) made->device.device_type = kDLCUDA;
  desc.device = made->device;
  desc.flags = r.flags;
  desc.num_inputs = r.num_inputs, desc.inputs = inputs;
  desc.num_attrs = r.num_attrs, desc.attrs = r.attrs;
  desc.outputs = outputs;

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
  check(tileops_plan_create(nullptr, &desc, &made->plan), &program);
  made->workspace_bytes = query(made->plan, TILEOPS_PLAN_WORKSPACE_BYTES);
  made->bytes_moved = query(made->plan, TILEOPS_PLAN_BYTES_MOVED);
  return made;
}

}  // namespace

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

std::shared_ptr<const Entry> PlanCache::get(const Program& program, const Request& request) {
  const Key key = key_of(request);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (last_ && key.view() == last_key_) return last_;
  auto found = entries_.find(key.view());
  if (found == entries_.end()) {
    std::shared_ptr<const Entry> made = make_entry(program, request);
    if (entries_.size() >= kMost) entries_.clear();
    found = entries_.emplace(key.view(), std::move(made)).first;
  }
  last_ = found->second;
  last_key_ = found->first;
  return last_;
}

}  // namespace tileops_python
