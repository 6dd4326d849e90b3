#include "frameworks/jax.h"

#include <tileops/tileops.h>

#include <cstring>
#include <map>
#include <mutex>
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

  Tensors(const xla::Buffers& given, size_t wanted) {
    if (given.size != static_cast<int64_t>(wanted))
      refuse("there are " + std::to_string(given.size) + " arrays, and " + std::to_string(wanted) + " needed");
    for (int64_t i = 0; i < given.size; ++i) {
      const xla::Buffer& b = *given.buffers[i];
      tensors[i] = {b.data, {kDLCPU, 0}, static_cast<int32_t>(b.rank), dtype_of(b.dtype), b.dims, nullptr, 0};
      pointers[i] = &tensors[i];
    }
  }
};

void run(const xla::Frame& frame) {
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

  Tensors inputs(frame.operands, program->operands().size()), outputs(frame.results, program->results().size());
  const Request request = {inputs.pointers, static_cast<int>(frame.operands.size), outputs.pointers,
                           static_cast<int>(frame.results.size)};
  const std::shared_ptr<const Entry> entry = program->plans().get(*program, request);

  tileops_execute_args arguments = TILEOPS_EXECUTE_ARGS_INIT;
  arguments.num_inputs = static_cast<uint32_t>(request.num_inputs), arguments.inputs = inputs.pointers;
  arguments.num_outputs = static_cast<uint32_t>(request.num_outputs), arguments.outputs = outputs.pointers;
  arguments.num_scalars = static_cast<uint32_t>(info.num_scalars), arguments.scalars = scalars;
  arguments.workspace_bytes = entry->workspace_bytes;
  const Workspace workspace(*entry, entry->workspace_bytes, nullptr);
  arguments.workspace = workspace.data();
  check(tileops_execute_with(entry->plan, &arguments), program.get());
}

xla::Error* handler(xla::Frame* frame) {
  for (xla::Extension* e = frame->extensions; e; e = e->next) {
    if (e->type != xla::kMetadata) continue;
    xla::Metadata& metadata = *reinterpret_cast<xla::MetadataExtension*>(e)->metadata;
    metadata.version.major = 0, metadata.version.minor = 1;  // what is used is of that version
    return nullptr;
  }
  try {
    run(*frame);
    return nullptr;
  } catch (const Failure& failure) {
    xla::CreateError error = {sizeof(xla::CreateError), nullptr, failure.text.c_str(), xla::kInvalidArgument};
    return frame->api->create_error(&error);
  }
}

}  // namespace

void define_for_xla(const std::string& text, std::shared_ptr<const Program> program) {
  Registry& known = registry();
  const std::lock_guard<std::mutex> lock(known.mutex);
  known.programs.emplace(text, std::move(program));
}

Owned xla_target() {
  return Owned::of(PyCapsule_New(reinterpret_cast<void*>(handler), "xla._CUSTOM_CALL_TARGET", nullptr));
}

}  // namespace tileops_python
