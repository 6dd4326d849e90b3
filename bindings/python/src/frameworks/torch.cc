#include "frameworks/torch.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "arrays/results.h"
#include "errors.h"

namespace tileops_python {
namespace {

using Handle = void*;    // of a tensor or a library of torch
using Value = uint64_t;  // torch's StableIValue: the bits of a number, or a handle that the callee owns
using Kernel = void (*)(Value* stack, uint64_t num_arguments, uint64_t num_results);

// name, parameters. Each returns 0, or another number after an error whose text torch keeps to itself.
#define TILEOPS_TORCH_SHIMS(X)                                                                             \
  X(aoti_torch_get_data_ptr, Handle, void**)                                                               \
  X(aoti_torch_get_dim, Handle, int64_t*)                                                                  \
  X(aoti_torch_get_sizes, Handle, int64_t**)                                                               \
  X(aoti_torch_get_strides, Handle, int64_t**)                                                             \
  X(aoti_torch_get_dtype, Handle, int32_t*)                                                                \
  X(aoti_torch_get_device_type, Handle, int32_t*)                                                          \
  X(aoti_torch_get_device_index, Handle, int32_t*)                                                         \
  X(aoti_torch_empty_strided, int64_t, const int64_t*, const int64_t*, int32_t, int32_t, int32_t, Handle*) \
  X(aoti_torch_delete_tensor_object, Handle)                                                               \
  X(aoti_torch_library_init_fragment, const char*, const char*, uint32_t, Handle*)                         \
  X(aoti_torch_library_init_impl, const char*, const char*, const char*, uint32_t, Handle*)                \
  X(aoti_torch_library_def, Handle, const char*)                                                           \
  X(torch_library_impl, Handle, const char*, Kernel, uint64_t)

// Those functions, the numbers that torch has for element types and devices, and the library that operators are put
// into.
struct Torch {
#define TILEOPS_TORCH_POINTER(name, ...) int32_t (*name)(__VA_ARGS__);
  TILEOPS_TORCH_SHIMS(TILEOPS_TORCH_POINTER)
#undef TILEOPS_TORCH_POINTER
  int32_t (*current_cuda_stream)(int32_t index, void** stream);  // NULL without CUDA
  struct Dtype {
    int32_t number;
    DLDataType type;
  };
  std::vector<Dtype> dtypes;
  int32_t cpu, cuda;
  Handle fragment, on_cpu, on_cuda;
  static constexpr uint64_t kVersion = uint64_t{2} << 56 | uint64_t{10} << 48;  // of the functions: 2.10
};

[[noreturn]] void refuse(const std::string& what) { throw Failure{TILEOPS_STATUS_UNSUPPORTED, "torch: " + what}; }

void done(int32_t code, const char* what) {
  if (code) refuse(std::string("libtorch failed to ") + what);
}

Torch load() {
  void* library = dlopen("libtorch_cpu.so", RTLD_NOLOAD | RTLD_NOW);
  if (!library) refuse("is not imported, or has no libtorch_cpu.so");
  Torch t = {};
#define TILEOPS_TORCH_LOAD(name, ...)                              \
  if (!(reinterpret_cast<void*&>(t.name) = dlsym(library, #name))) \
    refuse("2.10 or newer is needed: there is no " #name);
  TILEOPS_TORCH_SHIMS(TILEOPS_TORCH_LOAD)
#undef TILEOPS_TORCH_LOAD
  if (void* cuda = dlopen("libtorch_cuda.so", RTLD_NOLOAD | RTLD_NOW))
    reinterpret_cast<void*&>(t.current_cuda_stream) = dlsym(cuda, "aoti_torch_get_current_cuda_stream");
  auto number = [library](const std::string& name) {
    auto* get = reinterpret_cast<int32_t (*)()>(dlsym(library, name.c_str()));
    return get ? get() : -1;
  };
  t.cpu = number("aoti_torch_device_type_cpu");
  t.cuda = number("aoti_torch_device_type_cuda");
#define TILEOPS_DTYPE(id, device, name, label, code, bits, lanes, ...)                         \
  for (const char* front : {"aoti_torch_dtype_", "torch_dtype_"})                              \
    if (const int32_t known = bits < 8 ? -1 : number(std::string(front) + name); known >= 0) { \
      t.dtypes.push_back({known, {code, bits, 1}});                                            \
      break;                                                                                   \
    }
#include "tileops/dtypes.def"
  done(t.aoti_torch_library_init_fragment("libtileops", __FILE__, __LINE__, &t.fragment), "make a library");
  done(t.aoti_torch_library_init_impl("libtileops", "CPU", __FILE__, __LINE__, &t.on_cpu), "make a library");
  done(t.aoti_torch_library_init_impl("libtileops", "CUDA", __FILE__, __LINE__, &t.on_cuda), "make a library");
  return t;
}

const Torch& torch() {
  static const Torch loaded = load();
  return loaded;
}

// Tensors that are let go of at the end of a call.
class Handles {
 public:
  ~Handles() {
    while (count_-- > 0)
      if (handles_[count_]) torch().aoti_torch_delete_tensor_object(handles_[count_]);
  }
  Handle* add() { return &handles_[count_++]; }
  Handle operator[](int i) const { return handles_[i]; }
  Handle release(int i) { return std::exchange(handles_[i], nullptr); }

 private:
  Handle handles_[TILEOPS_MAX_EXPR_INPUTS] = {};
  int count_ = 0;
};

struct View {
  DLTensor tensor;
  int32_t device_type, device_index;
};

View view_of(Handle handle) {
  const Torch& t = torch();
  View v = {};
  int64_t ndim = 0;
  int32_t dtype = 0;
  DLTensor& tensor = v.tensor;
  int32_t failed = t.aoti_torch_get_data_ptr(handle, &tensor.data) | t.aoti_torch_get_dim(handle, &ndim) |
                   t.aoti_torch_get_sizes(handle, &tensor.shape) | t.aoti_torch_get_strides(handle, &tensor.strides) |
                   t.aoti_torch_get_dtype(handle, &dtype) | t.aoti_torch_get_device_type(handle, &v.device_type) |
                   t.aoti_torch_get_device_index(handle, &v.device_index);
  done(failed, "describe a tensor");
  tensor.ndim = static_cast<int32_t>(ndim);
  tensor.device = v.device_type == t.cpu ? DLDevice{kDLCPU, 0} : DLDevice{kDLCUDA, v.device_index};
  for (const Torch::Dtype& row : t.dtypes)
    if (row.number == dtype) tensor.dtype = row.type;
  if (tensor.dtype.bits == 0) refuse("a tensor's element type is none of the library's");
  return v;
}

// Has a tensor its elements without gaps, but not row by row, as in torch's memory format channels_last?
bool is_permuted(const DLTensor& tensor) {
  int order[TILEOPS_MAX_NDIM], count = 0;  // dimensions that have strides to speak of, from the last one on
  int64_t elements = 1;
  bool row_major = true;
  for (int i = tensor.ndim; i-- > 0;) {
    if (tensor.shape[i] == 1) continue;
    row_major &= tensor.strides[i] == elements;
    elements *= tensor.shape[i];
    order[count++] = i;
  }
  if (row_major || elements == 0) return false;
  std::sort(order, order + count, [&](int a, int b) { return tensor.strides[a] < tensor.strides[b]; });
  int64_t step = 1;
  for (int k = 0; k < count; ++k) {
    if (tensor.strides[order[k]] != step) return false;
    step *= tensor.shape[order[k]];
  }
  return true;
}

// An uninitialised tensor; without strides a row-major one.
Handle make_tensor(DLDataType dtype, int32_t ndim, const int64_t* shape, const int64_t* strides, const View& like,
                   Handle* made) {
  const Torch& t = torch();
  int64_t row_major[TILEOPS_MAX_NDIM], step = 1;
  for (int i = ndim; i-- > 0;) {
    row_major[i] = step;
    step *= shape[i] > 0 ? shape[i] : 1;
  }
  if (!strides) strides = row_major;
  for (const Torch::Dtype& row : t.dtypes) {
    if (row.type.code != dtype.code || row.type.bits != dtype.bits) continue;
    done(t.aoti_torch_empty_strided(ndim, shape, strides, row.number, like.device_type, like.device_index, made),
         "allocate a result");
    return *made;
  }
  refuse("a result's element type is none of torch's operators'");
}

void run(const Program& program, Value* stack, int num_arguments) {
  const Torch& t = torch();
  const tileops_expr_info& info = program.expr_info();
  const int num_inputs = info.num_operands;
  Handles operands, results, memory;
  for (int i = 0; i < num_inputs; ++i) *operands.add() = reinterpret_cast<Handle>(stack[i]);

  View views[TILEOPS_MAX_EXPR_INPUTS];
  const DLTensor* inputs[TILEOPS_MAX_EXPR_INPUTS];
  int device_of = 0;  // the operand whose device it is: 0-d ones may lie in the host's memory
  for (int i = 0; i < num_inputs; ++i) {
    views[i] = view_of(operands[i]);
    inputs[i] = &views[i].tensor;
    if (views[device_of].device_type == t.cpu && views[i].device_type != t.cpu) device_of = i;
  }
  const View& like = views[device_of];
  tileops_number scalars[TILEOPS_MAX_EXPR_SCALARS];
  for (int i = num_inputs; i < num_arguments; ++i) {
    tileops_number& scalar = scalars[i - num_inputs];
    scalar = tileops_number_i64(static_cast<int64_t>(stack[i]));
    if (info.scalars[i - num_inputs].default_value.kind == TILEOPS_NUMBER_F64)
      scalar.kind = TILEOPS_NUMBER_F64;  // the bits of one
  }

  const int num_results = info.num_results;
  std::shared_ptr<const Entry> entry = program.plans().get(program, Request{inputs, num_inputs, nullptr, num_results});
  // A result of the first operand's shape is laid out as that is, as torch's own are.
  const DLTensor& first = *inputs[0];
  const bool permuted = is_permuted(first);
  DLTensor made[TILEOPS_MAX_EXPR_OUTPUTS];
  DLTensor* outputs[TILEOPS_MAX_EXPR_OUTPUTS];
  for (int i = 0; i < num_results; ++i) {
    const Layout& layout = entry->results[static_cast<size_t>(i)];
    made[i] = {nullptr, entry->device, layout.ndim, layout.dtype, const_cast<int64_t*>(layout.shape), nullptr, 0};
    outputs[i] = &made[i];
    if (permuted && layout.ndim == first.ndim && std::equal(first.shape, first.shape + first.ndim, layout.shape))
      made[i].strides = first.strides;
    Handle handle = make_tensor(layout.dtype, layout.ndim, layout.shape, made[i].strides, like, results.add());
    done(t.aoti_torch_get_data_ptr(handle, &made[i].data), "allocate a result");
  }
  const std::shared_ptr<const Entry> row_major = entry;  // it has the shapes
  if (permuted) entry = program.plans().get(program, Request{inputs, num_inputs, outputs, num_results});

  tileops_execute_args arguments = TILEOPS_EXECUTE_ARGS_INIT;
  arguments.num_inputs = static_cast<uint32_t>(num_inputs), arguments.inputs = inputs;
  arguments.num_outputs = static_cast<uint32_t>(num_results), arguments.outputs = outputs;
  arguments.num_scalars = static_cast<uint32_t>(num_arguments - num_inputs), arguments.scalars = scalars;
  if (entry->device.device_type != kDLCPU) {
    if (!t.current_cuda_stream) refuse("has no CUDA");
    done(t.current_cuda_stream(entry->device.device_id, &arguments.stream), "tell its stream");
  }
  if (const auto bytes = static_cast<int64_t>(
          entry->workspace_bytes)) {  // torch's allocator knows when the stream is done with it
    Handle handle = make_tensor({kDLUInt, 8, 1}, 1, &bytes, nullptr, like, memory.add());
    done(t.aoti_torch_get_data_ptr(handle, &arguments.workspace), "allocate a workspace");
    arguments.workspace_bytes = entry->workspace_bytes;
  }
  check(tileops_execute_with(entry->plan, &arguments), &program);
  for (int i = 0; i < num_results; ++i) stack[i] = reinterpret_cast<Value>(results.release(i));
}

// A kernel gets no word of whose it is, so that each operator takes one of these functions for itself.
constexpr int kMostOperators = 1024;
auto* const programs = new std::shared_ptr<const Program>[kMostOperators];  // torch may call until the process ends

void run_slot(int slot, Value* stack, uint64_t num_arguments) {
  try {
    run(*programs[slot], stack, static_cast<int>(num_arguments));
  } catch (const Failure& failure) {
    throw std::runtime_error(failure.text);  // an error of torch's: what its own headers throw across
  }
}

template <int kSlot>
void kernel(Value* stack, uint64_t num_arguments, uint64_t) {
  run_slot(kSlot, stack, num_arguments);
}

template <int... kSlots>
constexpr std::array<Kernel, sizeof...(kSlots)> kernels_of(std::integer_sequence<int, kSlots...>) {
  return {kernel<kSlots>...};
}

}  // namespace

void define_torch_operator(const std::string& name, const std::string& schema, std::shared_ptr<const Program> program) {
  static constexpr auto kernels = kernels_of(std::make_integer_sequence<int, kMostOperators>{});
  static int used = 0;
  if (used == kMostOperators)
    refuse("there are " + std::to_string(kMostOperators) + " operators already, the most of a process");
  const Torch& t = torch();
  done(t.aoti_torch_library_def(t.fragment, schema.c_str()), "define an operator: is its name taken?");
  programs[used] = std::move(program);
  for (Handle library : {t.on_cpu, t.on_cuda})
    done(t.torch_library_impl(library, name.c_str(), kernels[static_cast<size_t>(used)], Torch::kVersion),
         "define a kernel");
  ++used;
}

}  // namespace tileops_python
