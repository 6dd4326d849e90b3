// What XLA hands to a function that it calls, and may be asked for: the part of its FFI's C interface (xla/ffi/api of
// OpenXLA, major version 0) that is used here. The layouts are that interface's; names are of this tree.
#ifndef TILEOPS_PYTHON_XLA_FFI_H
#define TILEOPS_PYTHON_XLA_FFI_H

#include <cstddef>
#include <cstdint>

namespace tileops_python::xla {

// Structs begin with their size and a list of extensions, of which one is used.
struct Extension {
  size_t struct_size;
  int32_t type;  // 1: Metadata
  Extension* next;
};
constexpr int32_t kMetadata = 1;

struct Version {
  size_t struct_size;
  Extension* extensions;
  int32_t major, minor;
};

// Asked for once, with a call that is none.
struct Metadata {
  size_t struct_size;
  Version version;
  // More follow.
};
struct MetadataExtension {
  Extension base;
  Metadata* metadata;
};

struct Error;
struct Context;

struct Buffer {
  size_t struct_size;
  Extension* extensions;
  int32_t dtype;
  void* data;
  int64_t rank;
  int64_t* dims;
};

// Operands or results: all are buffers, of type 1.
struct Buffers {
  size_t struct_size;
  Extension* extensions;
  int64_t size;
  int32_t* types;
  Buffer** buffers;
};

struct Text {
  const char* data;
  size_t size;
};
struct Array {
  int32_t dtype;
  size_t size;
  void* data;
};
constexpr int32_t kArray = 1, kText = 4;  // types of attributes
struct Attributes {
  size_t struct_size;
  Extension* extensions;
  int64_t size;
  int32_t* types;
  Text** names;
  void** values;
};

struct CreateError {
  size_t struct_size;
  Extension* extensions;
  const char* message;
  int32_t code;
};
constexpr int32_t kInvalidArgument = 3;

struct GetMessage {
  size_t struct_size;
  Extension* extensions;
  Error* error;
  const char* message;  // of XLA, as long as the error
  int32_t code;         // from version 0.3 on
};
struct DestroyError {
  size_t struct_size;
  Extension* extensions;
  Error* error;
};
struct GetStream {
  size_t struct_size;
  Extension* extensions;
  Context* context;
  void* stream;  // a CUstream
};
struct GetDevice {
  size_t struct_size;
  Extension* extensions;
  Context* context;
  int32_t ordinal;
};
// Memory of the device, which a handler may give back as soon as its work is on the stream.
struct Allocate {
  size_t struct_size;
  Extension* extensions;
  Context* context;
  size_t size, alignment;
  void* data;
};
struct Free {
  size_t struct_size;
  Extension* extensions;
  Context* context;
  size_t size;
  void* data;
};

struct Api {
  size_t struct_size;  // of the version that runs: what is behind it is not there
  Extension* extensions;
  Version version;
  const void* internal;
  Error* (*create_error)(CreateError*);
  void (*get_message)(GetMessage*);
  void (*destroy_error)(DestroyError*);
  const void* register_handler;
  Error* (*get_stream)(GetStream*);
  const void *register_type, *get_context, *set_state, *get_state;
  Error* (*allocate)(Allocate*);
  Error* (*free)(Free*);
  const void *schedule, *num_threads, *create_future, *set_available, *set_error, *get_run;
  Error* (*get_device)(GetDevice*);
  // More follow.
};

struct Frame {
  size_t struct_size;
  Extension* extensions;
  const Api* api;
  Context* context;
  int32_t stage;
  Buffers operands, results;
  Attributes attributes;
};

}  // namespace tileops_python::xla

#endif
