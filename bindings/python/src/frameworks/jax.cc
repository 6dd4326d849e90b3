#include "frameworks/jax.h"

#include <tileops/tileops.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string_view>

#include "arrays/results.h"
#include "errors.h"
#include "frameworks/xla_ffi.h"

namespace tileops_python {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw Failure{TILEOPS_STATUS_UNSUPPORTED, "XLA: " + what}; }

// The programs by text. Calls come from XLA's threads, without the interpreter's lock.
struct Registry {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const Program>, std::less<>> programs;
};

Registry& registry() {
  static Registry* const made = new Registry;  // XLA may call until the process ends
  return *made;
}

std::shared_ptr<const Program> program_of(std::string_view text) {
  Registry& known = registry();
  const std::lock_guard<std::mutex> lock(known.mutex);
  const auto found = known.programs.find(text);
  if (found == known.programs.end()) refuse("this process has not called libtileops.jax.op for " + std::string(text));
  return found->second;
}

DLDataType dtype_of(int32_t number) {
  switch (number) {
    case 1: return {kDLBool, 8, 1};
    case 2: return {kDLInt, 8, 1};
    case 3: return {kDLInt, 16, 1};
    case 4: return {kDLInt, 32, 1};
    case 5: return {kDLInt, 64, 1};
    case 6: return {kDLUInt, 8, 1};
    case 7: return {kDLUInt, 16, 1};
    case 8: return {kDLUInt, 32, 1};
    case 9: return {kDLUInt, 64, 1};
    case 10: return {kDLFloat, 16, 1};
    case 11: return {kDLFloat, 32, 1};
    case 12: return {kDLFloat, 64, 1};
    case 16: return {kDLBfloat, 16, 1};
    case 19: return {kDLFloat8_e5m2, 8, 1};
    case 20: return {kDLFloat8_e4m3fn, 8, 1};
    case 33: return {kDLFloat8_e8m0fnu, 8, 1};
  }
  refuse("the element type " + std::to_string(number) + " is none of the library's");
}

const void* attribute(const xla::Attributes& attributes, std::string_view name, int32_t type) {
  for (int64_t i = 0; i < attributes.size; ++i)
    if (std::string_view(attributes.names[i]->data, attributes.names[i]->size) == name && attributes.types[i] == type)
      return attributes.values[i];
  refuse("the attribute " + std::string(name) + " is missing");
}

struct Tensors {
  DLTensor tensors[TILEOPS_MAX_EXPR_INPUTS];
  DLTensor* pointers[TILEOPS_MAX_EXPR_INPUTS];

  Tensors(const xla::Buffers& given, size_t wanted, DLDevice device) {
    if (given.size != static_cast<int64_t>(wanted))
      refuse("there are " + std::to_string(given.size) + " arrays, and " + std::to_string(wanted) + " needed");
    for (int64_t i = 0; i < given.size; ++i) {
      const xla::Buffer& b = *given.buffers[i];
      tensors[i] = {b.data, device, static_cast<int32_t>(b.rank), dtype_of(b.dtype), b.dims, nullptr, 0};
      pointers[i] = &tensors[i];
    }
  }
};

// What XLA answers to a question of a GPU's handler.
void done(const xla::Api& api, xla::Error* error) {
  if (!error) return;
  xla::GetMessage message = {sizeof message, nullptr, error, nullptr, 0};
  api.get_message(&message);
  const std::string text = message.message ? message.message : "no reason is given";
  xla::DestroyError destroy = {sizeof destroy, nullptr, error};
  api.destroy_error(&destroy);
  refuse(text);
}

// The GPU that a call is for, its stream, and memory of XLA's allocator there, until the end of the call.
class Gpu {
 public:
  explicit Gpu(const xla::Frame& frame) : api_(*frame.api), context_(frame.context) {
    if (api_.struct_size < offsetof(xla::Api, get_device) + sizeof api_.get_device)
      refuse("this version of JAX does not tell on which GPU a call is");
    xla::GetDevice device = {sizeof device, nullptr, context_, 0};
    done(api_, api_.get_device(&device));
    xla::GetStream stream = {sizeof stream, nullptr, context_, nullptr};
    done(api_, api_.get_stream(&stream));
    device_ = {kDLCUDA, device.ordinal}, stream_ = stream.stream;
  }
  Gpu(const Gpu&) = delete;
  ~Gpu() {
    if (!data_) return;
    xla::Free free = {sizeof free, nullptr, context_, size_, data_};
    if (xla::Error* error = api_.free(&free)) {  // there is nobody to tell it to
      xla::DestroyError destroy = {sizeof destroy, nullptr, error};
      api_.destroy_error(&destroy);
    }
  }

  DLDevice device() const { return device_; }
  void* stream() const { return stream_; }
  // Aligned for a workspace, which XLA's allocator does not promise: it refuses to be asked for more than
  // kXlaAlignment.
  void* memory(size_t bytes) {
    if (bytes == 0) return nullptr;
    size_ = bytes + (kAlignment - kXlaAlignment);
    xla::Allocate allocate = {sizeof allocate, nullptr, context_, size_, kXlaAlignment, nullptr};
    done(api_, api_.allocate(&allocate));
    data_ = allocate.data;
    return reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(data_) + kAlignment - 1) & ~(kAlignment - 1));
  }

 private:
  static constexpr uintptr_t kAlignment = 256, kXlaAlignment = 16;
  const xla::Api& api_;
  xla::Context* context_;
  DLDevice device_ = {kDLCUDA, 0};
  void *stream_ = nullptr, *data_ = nullptr;
  size_t size_ = 0;
};

// `gpu`: NULL on the CPU.
void run(const xla::Frame& frame, Gpu* gpu) {
  const auto* text = static_cast<const xla::Text*>(attribute(frame.attributes, "text", xla::kText));
  const auto* bits = static_cast<const xla::Array*>(attribute(frame.attributes, "scalars", xla::kArray));
  const std::shared_ptr<const Program> program = program_of({text->data, text->size});
  const tileops_expr_info& info = program->expr_info();
  if (bits->dtype != 5 || bits->size < static_cast<size_t>(info.num_scalars))
    refuse("the scalars are not those of the text");
  tileops_number scalars[TILEOPS_MAX_EXPR_SCALARS];
  for (int i = 0; i < info.num_scalars; ++i) {
    scalars[i] = tileops_number_i64(static_cast<const int64_t*>(bits->data)[i]);
    scalars[i].kind = info.scalars[i].default_value.kind;
  }

  const DLDevice device = gpu ? gpu->device() : DLDevice{kDLCPU, 0};
  Tensors inputs(frame.operands, program->operands().size(), device);
  Tensors outputs(frame.results, program->results().size(), device);
  const Request request = {inputs.pointers, static_cast<int>(frame.operands.size), outputs.pointers,
                           static_cast<int>(frame.results.size)};
  const std::shared_ptr<const Entry> entry = program->plans().get(*program, request);

  tileops_execute_args arguments = TILEOPS_EXECUTE_ARGS_INIT;
  arguments.num_inputs = static_cast<uint32_t>(request.num_inputs), arguments.inputs = inputs.pointers;
  arguments.num_outputs = static_cast<uint32_t>(request.num_outputs), arguments.outputs = outputs.pointers;
  arguments.num_scalars = static_cast<uint32_t>(info.num_scalars), arguments.scalars = scalars;
  arguments.workspace_bytes = entry->workspace_bytes;
  const Workspace host(*entry, gpu ? 0 : entry->workspace_bytes, nullptr);
  arguments.workspace = gpu ? gpu->memory(entry->workspace_bytes) : host.data();
  if (gpu) arguments.stream = gpu->stream();
  check(tileops_execute_with(entry->plan, &arguments), program.get());
}

template <bool kGpu>
xla::Error* handler(xla::Frame* frame) {
  for (xla::Extension* e = frame->extensions; e; e = e->next) {
    if (e->type != xla::kMetadata) continue;
    xla::Metadata& metadata = *reinterpret_cast<xla::MetadataExtension*>(e)->metadata;
    metadata.version.major = 0, metadata.version.minor = 1;  // what is used is of that version
    return nullptr;
  }
  try {
    if constexpr (kGpu) {
      Gpu gpu(*frame);
      run(*frame, &gpu);
    } else {
      run(*frame, nullptr);
    }
    return nullptr;
  } catch (const Failure& failure) {
    xla::CreateError error = {sizeof(xla::CreateError), nullptr, failure.text.c_str(), xla::kInvalidArgument};
    return frame->api->create_error(&error);
  } catch (const std::bad_alloc&) {
    xla::CreateError error = {sizeof(xla::CreateError), nullptr, "out of memory", xla::kInvalidArgument};
    return frame->api->create_error(&error);
  }
}

}  // namespace

void define_for_xla(const std::string& text, std::shared_ptr<const Program> program) {
  Registry& known = registry();
  const std::lock_guard<std::mutex> lock(known.mutex);
  known.programs.emplace(text, std::move(program));
}

Owned xla_target(bool gpu) {
  auto* target = gpu ? handler<true> : handler<false>;
  return Owned::of(PyCapsule_New(reinterpret_cast<void*>(target), "xla._CUSTOM_CALL_TARGET", nullptr));
}

}  // namespace tileops_python
