// SPDX-License-Identifier: Apache-2.0
// C++17 over tileops.h: ownership, exceptions and tensors from pointers. Header only: it adds
// nothing to the library's ABI, and everything in it can be mixed with the C functions.
//
//   std::vector<float> x(n), y(n);
//   tileops::Plan gelu(tileops::op("gelu"), {tileops::View(x.data(), {n})},
//                      {tileops::View(y.data(), {n})}, {tileops::attr("approximate", 1)});
//   gelu.execute({tileops::View(x.data(), {n})}, {tileops::View(y.data(), {n})});
//
// Failures are thrown as tileops::Error, which carries the status and the library's message.
// Threads: as in tileops.h; an object of these classes is as shareable as the handle inside it.
#ifndef TILEOPS_TILEOPS_HPP
#define TILEOPS_TILEOPS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tileops/tileops.h"

namespace tileops {
// Part of every symbol's name: programs whose parts were compiled with headers of different
// versions, or that link the static library, mix no two definitions.
inline namespace cxx_0_1 {

// ------------------------------------------------------------------ errors -----------------

class Error : public std::runtime_error {
 public:
  // Of the last failure on this thread.
  explicit Error(tileops_status status)
      : Error(status, tileops_last_error(), tileops_last_driver_error()) {}
  Error(tileops_status status, const std::string& message, int32_t driver_error = 0)
      : std::runtime_error(message), status_(status), driver_error_(driver_error) {}

  tileops_status status() const noexcept { return status_; }
  const char* status_name() const noexcept { return tileops_status_name(status_); }
  int32_t driver_error() const noexcept { return driver_error_; }  // CUresult, nvrtcResult, errno

 private:
  tileops_status status_;
  int32_t driver_error_;
};

// Throws unless `status` is TILEOPS_STATUS_OK. Call it on the thread that made the C call.
inline void check(tileops_status status) {
  if (status != TILEOPS_STATUS_OK) throw Error(status);
}

// ------------------------------------------------------------------ dtypes, devices --------

// tileops::float16, float8_e4m3fn, int64, boolean, ...: one per row of tileops/dtypes.def.
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, ...) \
  inline constexpr DLDataType constant{code, bits, lanes};
#include "tileops/dtypes.def"

// The dtype of a C++ type. Specialise it (`static constexpr DLDataType value`) for a half or fp8
// type of your own; its size must be that of the dtype.
template <class T, class = void>
struct dtype_of {
  static_assert(sizeof(T) == 0, "tileops: no dtype for this type; specialise tileops::dtype_of");
};
template <>
struct dtype_of<float> {
  static constexpr DLDataType value = float32;
};
template <>
struct dtype_of<double> {
  static constexpr DLDataType value = float64;
};
template <>
struct dtype_of<bool> {
  static_assert(sizeof(bool) == 1, "tileops: bool tensors have one byte an element");
  static constexpr DLDataType value = boolean;
};
template <class T>
struct dtype_of<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
  static constexpr DLDataType value{std::is_signed_v<T> ? kDLInt : kDLUInt, sizeof(T) * 8, 1};
};

inline constexpr DLDevice cpu{kDLCPU, 0};
inline constexpr DLDevice cuda(int32_t index = 0) { return {kDLCUDA, index}; }

// ------------------------------------------------------------------ operators, attributes --

// The operator of that name.
inline tileops_op op(const char* name) {
  const tileops_op found = tileops_op_from_name(name);
  if (found == TILEOPS_OP_NONE)
    throw Error(TILEOPS_STATUS_INVALID_ARGUMENT,
                std::string("tileops::op: no operator named ") + (name ? name : "NULL"));
  return found;
}

inline tileops_op_info describe(tileops_op op) {
  tileops_op_info info = TILEOPS_OP_INFO_INIT;
  check(tileops_op_describe(op, &info));
  return info;
}

// The key of an attribute's name, such as TILEOPS_ATTR_ALPHA for "alpha".
inline tileops_attr_key attr_key(const char* name) {
  static constexpr struct {
    tileops_attr_key key;
    const char* name;
  } known[] = {
#define TILEOPS_ATTR(id, NAME, name, doc) {id, #name},
#include "tileops/attrs.def"
#undef TILEOPS_ATTR
  };
  for (const auto& attribute : known)
    if (name && !std::strcmp(name, attribute.name)) return attribute.key;
  throw Error(TILEOPS_STATUS_INVALID_ARGUMENT,
              std::string("tileops::attr: no attribute named ") + (name ? name : "NULL"));
}

// attr(TILEOPS_ATTR_ALPHA, 2.0) or attr("alpha", 2.0). Whole numbers and bool are taken as
// TILEOPS_ATTR_I64, others as TILEOPS_ATTR_F64; the library accepts either where it is exact.
template <class T>
tileops_attr attr(tileops_attr_key key, T value) {
  static_assert(std::is_arithmetic_v<T>, "tileops: attributes are numbers");
  tileops_attr result{};
  result.key = key;
  if constexpr (std::is_integral_v<T>) {
    result.kind = TILEOPS_ATTR_I64;
    result.value.i64 = static_cast<int64_t>(value);
  } else {
    result.kind = TILEOPS_ATTR_F64;
    result.value.f64 = static_cast<double>(value);
  }
  return result;
}
template <class T>
tileops_attr attr(const char* name, T value) {
  return attr(attr_key(name), value);
}

// An attribute with named choices: attr(op("gelu"), "approximate", "tanh").
inline tileops_attr attr(tileops_op op, const char* name, const char* choice) {
  const tileops_op_info info = describe(op);
  const tileops_attr_key key = attr_key(name);
  for (int32_t i = 0; i < info.num_attrs; ++i) {
    if (info.attrs[i].key != key || !info.attrs[i].choices) continue;
    std::string rest = info.attrs[i].choices;
    for (int64_t index = 0;; ++index) {
      const size_t bar = rest.find('|');
      if (rest.substr(0, bar) == choice) return attr(key, index);
      if (bar == std::string::npos) break;
      rest.erase(0, bar + 1);
    }
    throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, std::string("tileops::attr: ") + name +
                                                     ": no choice " + choice + " (need one of " +
                                                     info.attrs[i].choices + ")");
  }
  throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, std::string("tileops::attr: ") + info.name +
                                                   " has no attribute with choices named " + name);
}

// ------------------------------------------------------------------ tensors ----------------

// A list of extents or strides, of a length known when the program runs.
class Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<int64_t> list) : Dims(list.begin(), list.size()) {}
  Dims(const std::vector<int64_t>& list) : Dims(list.data(), list.size()) {}
  Dims(const int64_t* data, size_t size) : size_(size) {
    if (size > TILEOPS_MAX_NDIM)
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT,
                  "tileops::Dims: too many dimensions (got " + std::to_string(size) + ", need at most " +
                      std::to_string(TILEOPS_MAX_NDIM) + ")");
    std::copy(data, data + size, data_.begin());
  }
  const int64_t* begin() const { return data_.data(); }
  const int64_t* end() const { return data_.data() + size_; }
  size_t size() const { return size_; }
  int64_t operator[](size_t i) const { return data_[i]; }
  friend bool operator==(const Dims& a, const Dims& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend bool operator!=(const Dims& a, const Dims& b) { return !(a == b); }

 private:
  std::array<int64_t, TILEOPS_MAX_NDIM> data_;
  size_t size_ = 0;
};

// A tensor over memory of the caller: pointer, dtype, shape and strides (in elements; none means
// row-major). The memory must outlive its use; the view itself copies shape and strides. Views of
// const memory are ConstView, which no output accepts.
class ConstView {
 public:
  template <class T>
  ConstView(const T* data, const Dims& shape, const Dims& strides = {}, DLDevice device = cpu)
      : ConstView(data, dtype_of<T>::value, shape, strides, device) {}
  ConstView(const void* data, DLDataType dtype, const Dims& shape, const Dims& strides = {},
            DLDevice device = cpu) {
    if (strides.size() != 0 && strides.size() != shape.size())
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT,
                  "tileops::View: shape and strides differ in length");
    std::copy(shape.begin(), shape.end(), shape_.begin());
    std::copy(strides.begin(), strides.end(), strides_.begin());
    tensor_.data = const_cast<void*>(data);  // outputs are made of View alone
    tensor_.dtype = dtype;
    tensor_.device = device;
    tensor_.ndim = static_cast<int32_t>(shape.size());
    tensor_.strides = strides.size() ? strides_.data() : nullptr;
    tensor_.shape = shape_.data();
  }
  ConstView(const ConstView& other) { *this = other; }
  ConstView& operator=(const ConstView& other) {
    tensor_ = other.tensor_;
    shape_ = other.shape_;
    strides_ = other.strides_;
    tensor_.shape = shape_.data();
    if (tensor_.strides) tensor_.strides = strides_.data();
    return *this;
  }

  // Valid while this view is.
  const DLTensor* get() const { return &tensor_; }

 protected:
  DLTensor tensor_{};

 private:
  std::array<int64_t, TILEOPS_MAX_NDIM> shape_{}, strides_{};
};

class View : public ConstView {
 public:
  template <class T, class = std::enable_if_t<!std::is_const_v<T> && !std::is_void_v<T>>>
  View(T* data, const Dims& shape, const Dims& strides = {}, DLDevice device = cpu)
      : ConstView(data, shape, strides, device) {}
  View(void* data, DLDataType dtype, const Dims& shape, const Dims& strides = {},
       DLDevice device = cpu)
      : ConstView(data, dtype, shape, strides, device) {}

  using ConstView::get;
  DLTensor* get() { return &tensor_; }
};

// A tensor with memory: owns a DLManagedTensorVersioned, allocated here or taken from elsewhere.
class ManagedTensor {
 public:
  ManagedTensor() = default;
  // Uninitialised, row-major. See tileops_tensor_alloc.
  ManagedTensor(DLDataType dtype, const Dims& shape, DLDevice device = cpu,
                tileops_context* context = nullptr) {
    check(tileops_tensor_alloc(context, device, dtype, static_cast<int32_t>(shape.size()),
                               shape.begin(), &managed_));
  }
  // Takes over `managed`, which may be null.
  explicit ManagedTensor(DLManagedTensorVersioned* managed) : managed_(managed) {}
  ManagedTensor(ManagedTensor&& other) noexcept : managed_(other.release()) {}
  ManagedTensor& operator=(ManagedTensor&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  ~ManagedTensor() { reset(); }

  explicit operator bool() const { return managed_ != nullptr; }
  // Null if this is empty.
  DLTensor* get() { return managed_ ? &managed_->dl_tensor : nullptr; }
  const DLTensor* get() const { return managed_ ? &managed_->dl_tensor : nullptr; }

  // Address of element 0. T must be the tensor's dtype; on CUDA it is a device address.
  template <class T>
  T* data() const {
    if (!managed_) return nullptr;
    const DLTensor& t = managed_->dl_tensor;
    const DLDataType want = dtype_of<T>::value;
    if (t.dtype.code != want.code || t.dtype.bits != want.bits || t.dtype.lanes != want.lanes)
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::ManagedTensor::data: other dtype");
    return reinterpret_cast<T*>(static_cast<char*>(t.data) + t.byte_offset);
  }

  // Hands the tensor to somebody who will call its deleter.
  // Set by the producer of a tensor that was taken over; such a tensor is no output.
  bool read_only() const noexcept {
    return managed_ && (managed_->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
  }
  DLManagedTensorVersioned* release() noexcept { return std::exchange(managed_, nullptr); }
  void reset(DLManagedTensorVersioned* managed = nullptr) noexcept {
    DLManagedTensorVersioned* old = std::exchange(managed_, managed);
    if (old && old->deleter) old->deleter(old);
  }

 private:
  DLManagedTensorVersioned* managed_ = nullptr;
};

// An operand in an argument list: any kind of tensor, or nullptr for an absent optional input.
struct Input {
  Input(std::nullptr_t) : tensor(nullptr) {}
  Input(const DLTensor* t) : tensor(t) {}
  Input(const ConstView& t) : tensor(t.get()) {}
  Input(const ManagedTensor& t) : tensor(t.get()) {}
  const DLTensor* tensor;
};
struct Output {
  Output(DLTensor* t) : tensor(t) {}
  Output(View& t) : tensor(t.get()) {}
  Output(View&& t) : tensor(t.get()) {}  // a temporary lives until the call is over
  Output(ManagedTensor& t) : tensor(t.get()) {
    if (t.read_only())
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::Output: the tensor is read-only");
  }
  DLTensor* tensor;
};

namespace detail {
// Up to N elements in place. Longer lists are cut to N, one more than the library takes, so that it
// is the one to refuse them.
template <class T, size_t N>
class List {
 public:
  const T* data() const { return array_.data(); }
  size_t size() const { return size_; }

 protected:
  void add(const T& element) {
    if (size_ < N) array_[size_++] = element;
  }

 private:
  std::array<T, N> array_{};
  size_t size_ = 0;
};

template <class Range, class Itself>
using enable_if_range = std::enable_if_t<!std::is_same_v<std::decay_t<Range>, Itself>,
                                         decltype(std::begin(std::declval<Range&>()))>;
}  // namespace detail

// Argument lists: in braces, or any container of tensors when their number is known only when the
// program runs, as in Inputs(views) of a std::vector<View>. They hold pointers to the tensors.
class Inputs : public detail::List<const DLTensor*, TILEOPS_MAX_INPUTS + 1> {
 public:
  Inputs() = default;
  Inputs(std::initializer_list<Input> list) {
    for (const Input& input : list) add(input.tensor);
  }
  template <class Range, class = detail::enable_if_range<Range, Inputs>>
  Inputs(Range&& range) {
    for (const auto& tensor : range) add(Input(tensor).tensor);
  }
};
class Outputs : public detail::List<DLTensor*, TILEOPS_MAX_OUTPUTS + 1> {
 public:
  Outputs() = default;
  Outputs(std::initializer_list<Output> list) {
    for (const Output& output : list) add(output.tensor);
  }
  template <class Range, class = detail::enable_if_range<Range, Outputs>>
  Outputs(Range&& range) {
    for (auto& tensor : range) add(Output(tensor).tensor);
  }
};
class Attrs : public detail::List<tileops_attr, TILEOPS_MAX_ATTRS + 1> {
 public:
  Attrs() = default;
  Attrs(std::initializer_list<tileops_attr> list) {
    for (const tileops_attr& attr : list) add(attr);
  }
  template <class Range, class = detail::enable_if_range<Range, Attrs>>
  Attrs(Range&& range) {
    for (const tileops_attr& attr : range) add(attr);
  }
};

// ------------------------------------------------------------------ context, plan ----------

// Options, caches and threads of its own. Where a context is asked for, none is the default one.
class Context {
 public:
  Context() { check(tileops_context_create(nullptr, &handle_)); }
  explicit Context(const tileops_context_options& options) {
    check(tileops_context_create(&options, &handle_));
  }
  Context(Context&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Context& operator=(Context&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Context() { tileops_context_destroy(handle_); }

  tileops_context* get() const { return handle_; }
  operator tileops_context*() const { return handle_; }

  tileops_cache_stats cache_stats() const {
    tileops_cache_stats stats = TILEOPS_CACHE_STATS_INIT;
    check(tileops_cache_stats_get(handle_, &stats));
    return stats;
  }

 private:
  tileops_context* handle_ = nullptr;
};

// One operator prepared for given shapes, dtypes and attributes. Move-only: copies are asked for,
// with retain(), and share the plan.
class Plan {
 public:
  Plan() = default;
  // Shapes, strides, dtypes and device of these tensors; their memory is not touched.
  Plan(tileops_op op, const Inputs& inputs, const Outputs& outputs, const Attrs& attrs = {},
       tileops_context* context = nullptr) {
    check(tileops_plan_create_like(context, op, inputs.data(), inputs.size(), outputs.data(),
                                   outputs.size(), attrs.data(), attrs.size(), &handle_));
  }
  explicit Plan(const tileops_plan_desc& desc, tileops_context* context = nullptr) {
    check(tileops_plan_create(context, &desc, &handle_));
  }
  // Takes over a reference.
  explicit Plan(tileops_plan* plan) : handle_(plan) {}
  Plan(Plan&& other) noexcept : handle_(other.release()) {}
  Plan& operator=(Plan&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Plan() { tileops_plan_destroy(handle_); }

  Plan retain() const {
    check(tileops_plan_retain(handle_));
    return Plan(handle_);
  }
  tileops_plan* get() const { return handle_; }
  tileops_plan* release() noexcept { return std::exchange(handle_, nullptr); }

  // See tileops_execute. May be called by many threads at once.
  void execute(const Inputs& inputs, const Outputs& outputs, void* stream = nullptr) const {
    check(tileops_execute(handle_, inputs.data(), inputs.size(), outputs.data(), outputs.size(),
                          stream));
  }
  // See tileops_execute_ptrs: bare addresses, unchecked.
  void execute_ptrs(const void* const* inputs, void* const* outputs, void* stream = nullptr) const {
    check(tileops_execute_ptrs(handle_, inputs, outputs, stream));
  }

  // A property of fixed size: query<uint64_t>(TILEOPS_PLAN_BYTES_MOVED).
  template <class T>
  T query(tileops_plan_prop property) const {
    T value{};
    size_t size = sizeof value;
    check(tileops_plan_query(handle_, property, &value, &size));
    if (size != sizeof value)
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::Plan::query: type of another size");
    return value;
  }
  // A property that is text.
  std::string query_text(tileops_plan_prop property) const {
    size_t size = 0;
    check(tileops_plan_query(handle_, property, nullptr, &size));
    std::string text(size, '\0');
    check(tileops_plan_query(handle_, property, &text[0], &size));
    text.resize(std::strlen(text.c_str()));
    return text;
  }

 private:
  tileops_plan* handle_ = nullptr;
};

// Shape and dtype of a result, before there is memory for it.
struct ResultInfo {
  DLDataType dtype;
  Dims shape;
};

// See tileops_plan_infer. Of the tensors only shape, strides and dtype count; operators whose result
// may have any shape (alibi, sinusoidal) want the other form.
inline ResultInfo infer(const tileops_plan_desc& desc, size_t output = 0) {
  DLDataType dtype{};
  int32_t ndim = 0;
  int64_t shape[TILEOPS_MAX_NDIM];
  check(tileops_plan_infer(&desc, output, &dtype, &ndim, shape));
  return {dtype, Dims(shape, static_cast<size_t>(ndim))};
}
inline ResultInfo infer(tileops_op op, const Inputs& inputs, const Attrs& attrs = {},
                        size_t output = 0) {
  std::array<tileops_tensor_desc, TILEOPS_MAX_INPUTS + 1> descs{};
  for (size_t i = 0; i < inputs.size(); ++i)
    if (const DLTensor* t = inputs.data()[i]) descs[i] = {t->dtype, t->ndim, t->shape, t->strides};
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = op;
  desc.num_inputs = static_cast<int32_t>(inputs.size());
  desc.num_attrs = static_cast<int32_t>(attrs.size());
  desc.inputs = descs.data();
  desc.attrs = attrs.data();
  return infer(desc, output);
}

// Measures the strategies of a CUDA plan and keeps the fastest; see tileops_tune. `progress` takes a
// const tileops_tune_progress& and returns whether to go on; what it throws stops and reaches the caller.
template <class Progress>
tileops_tune_result tune(const tileops_plan_desc& desc, Progress&& progress,
                         tileops_context* context = nullptr) {
  struct State {
    Progress& call;
    std::exception_ptr thrown;
  } state{progress, nullptr};
  tileops_tune_result result = TILEOPS_TUNE_RESULT_INIT;
  const tileops_status status = tileops_tune(
      context, &desc,
      [](void* user, const tileops_tune_progress* p) -> int32_t {
        State& s = *static_cast<State*>(user);
        try {
          return s.call(*p) ? 0 : 1;
        } catch (...) {
          s.thrown = std::current_exception();
          return 1;
        }
      },
      &state, &result);
  if (state.thrown) std::rethrow_exception(state.thrown);
  check(status);
  return result;
}
inline tileops_tune_result tune(const tileops_plan_desc& desc, tileops_context* context = nullptr) {
  return tune(desc, [](const tileops_tune_progress&) { return true; }, context);
}

// Plans (from the cache, after the first time) and executes in one call.
inline void run(tileops_op op, const Inputs& inputs, const Outputs& outputs,
                const Attrs& attrs = {}, void* stream = nullptr, tileops_context* context = nullptr) {
  Plan(op, inputs, outputs, attrs, context).execute(inputs, outputs, stream);
}

// Copies between devices and layouts. See tileops_tensor_copy.
inline void copy(Input source, Output destination, void* stream = nullptr,
                 tileops_context* context = nullptr) {
  check(tileops_tensor_copy(context, source.tensor, destination.tensor, stream));
}

// A stream of a device; on the CPU it is NULL, and everything is done on return.
class Stream {
 public:
  explicit Stream(DLDevice device, tileops_context* context = nullptr)
      : device_(device), context_(context) {
    check(tileops_stream_create(context_, device_, &handle_));
  }
  Stream(Stream&& other) noexcept
      : device_(other.device_),
        context_(other.context_),
        handle_(std::exchange(other.handle_, nullptr)) {}
  Stream& operator=(Stream&&) = delete;
  ~Stream() {
    if (handle_) tileops_stream_destroy(context_, device_, handle_);
  }
  void* get() const { return handle_; }
  operator void*() const { return handle_; }
  void synchronize() const { check(tileops_stream_synchronize(context_, device_, handle_)); }

 private:
  DLDevice device_;
  tileops_context* context_;
  void* handle_ = nullptr;
};

}  // namespace cxx_0_1
}  // namespace tileops

#endif
