// What the library is and has: version, errors, operators, devices.
#include <cstring>

#include "api/guard.h"
#include "cpu/kernel.h"
#include "expr/graph/function.h"
#include "op/op_details.h"
#include "op/op_table.h"
#include "plan/backend.h"

using namespace tileops;
using namespace tileops::api;

#define TILEOPS_STR_(x) #x
#define TILEOPS_STR(x) TILEOPS_STR_(x)
#define TILEOPS_VERSION_TEXT \
  TILEOPS_STR(TILEOPS_VERSION_MAJOR) "." TILEOPS_STR(TILEOPS_VERSION_MINOR) "." TILEOPS_STR(TILEOPS_VERSION_PATCH)

uint32_t tileops_version(void) { return TILEOPS_VERSION; }
const char* tileops_version_string(void) { return TILEOPS_VERSION_TEXT; }

const char* tileops_build_info(void) {
#ifdef TILEOPS_HAVE_CUDA
  constexpr const char* backends = "cpu cuda";
#else
  constexpr const char* backends = "cpu";
#endif
  return guarded("tileops_build_info", "", [&] {
    static const auto* text = new std::string(
        std::string("libtileops " TILEOPS_VERSION_TEXT ", compiler " __VERSION__ ", backends ") + backends +
        ", cpu isas " + cpu::compiled_isas());
    return text->c_str();
  });
}

namespace {

constexpr tileops_op kNone = TILEOPS_OP_NONE;

tileops_op_info info_of(const OpSpec& spec) {
  tileops_op_info info = TILEOPS_OP_INFO_INIT;
  info.op = spec.op;
  info.name = spec.name;
  info.category = spec.category;
  info.doc = spec.doc;
  info.dtypes = spec.dtypes;
  info.result = spec.result_rule();
  info.min_inputs = spec.min_inputs;
  info.max_inputs = static_cast<int32_t>(spec.inputs.size());
  info.min_outputs = spec.min_outputs;
  info.max_outputs = static_cast<int32_t>(spec.outputs.size());
  info.num_attrs = static_cast<int32_t>(spec.attrs.size());
  info.inputs = spec.input_infos.data();
  info.outputs = spec.output_infos.data();
  info.attrs = spec.attr_infos.data();
  info.details = op_details(spec);
  return info;
}

// Those of expressions that are there already.
const std::vector<const expr::Function*>& usable_functions() {
  static const auto* usable = [] {
    auto* u = new std::vector<const expr::Function*>;
    for (const expr::Function& f : expr::function_table())
      if (f.kind != expr::Kind::refused) u->push_back(&f);
    return u;
  }();
  return *usable;
}

}  // namespace

const char* tileops_status_name(tileops_status status) {
  switch (status) {
#define TILEOPS_CASE(name) \
  case name: return #name;
    TILEOPS_CASE(TILEOPS_STATUS_OK)
    TILEOPS_CASE(TILEOPS_STATUS_INVALID_ARGUMENT)
    TILEOPS_CASE(TILEOPS_STATUS_UNSUPPORTED)
    TILEOPS_CASE(TILEOPS_STATUS_OUT_OF_MEMORY)
    TILEOPS_CASE(TILEOPS_STATUS_DEVICE)
    TILEOPS_CASE(TILEOPS_STATUS_COMPILE)
    TILEOPS_CASE(TILEOPS_STATUS_IO)
    TILEOPS_CASE(TILEOPS_STATUS_VERSION)
    TILEOPS_CASE(TILEOPS_STATUS_BUFFER_TOO_SMALL)
    TILEOPS_CASE(TILEOPS_STATUS_NO_DEVICE)
    TILEOPS_CASE(TILEOPS_STATUS_INTERNAL)
#undef TILEOPS_CASE
    default: return "?";
  }
}

const char* tileops_last_error(void) { return last_error_text(); }
int32_t tileops_last_driver_error(void) { return last_driver_code(); }
int32_t tileops_last_error_offset(void) { return static_cast<int32_t>(last_error_offset()); }

size_t tileops_op_count(void) {
  return guarded("tileops_op_count", size_t{0}, [] { return op_table().size(); });
}

tileops_op tileops_op_at(size_t i) {
  return guarded("tileops_op_at", kNone, [&] { return i < op_table().size() ? op_table()[i]->op : kNone; });
}

tileops_op tileops_op_from_name(const char* name) {
  return guarded("tileops_op_from_name", kNone, [&] {
    const OpSpec* spec = name ? find_op(name) : nullptr;
    return spec ? spec->op : kNone;
  });
}

tileops_status tileops_op_describe(tileops_op op, tileops_op_info* out) {
  return guard("tileops_op_describe", [&] {
    if (!out) invalid("out: is NULL");
    const OpSpec* spec = find_op(op);
    if (!spec) invalid("op: unknown operator (got %d)", op);
    write_struct(out, "out", info_of(*spec));
  });
}

size_t tileops_function_count(void) {
  return guarded("tileops_function_count", size_t{0}, [] { return usable_functions().size(); });
}

tileops_op tileops_function_at(size_t i) {
  return guarded("tileops_function_at", kNone,
                 [&] { return i < usable_functions().size() ? usable_functions()[i]->id : kNone; });
}

tileops_op tileops_function_from_name(const char* name) {
  return guarded("tileops_function_from_name", kNone, [&] {
    for (const expr::Function* f : usable_functions())
      if (name && !std::strcmp(f->name, name)) return f->id;
    return kNone;
  });
}

tileops_status tileops_function_describe(tileops_op function, tileops_op_info* out) {
  return guard("tileops_function_describe", [&] {
    if (!out) invalid("info: is NULL");
    for (const expr::Function* f : usable_functions())
      if (f->id == function) return write_struct(out, "info", info_of(f->rule));
    invalid("function: unknown (got %d)", function);
  });
}

size_t tileops_device_count(void) {
  size_t total = 0;
  guard("tileops_device_count", [&] {
    int count;
    Backend* const* list = all_backends(&count);
    for (int i = 0; i < count; ++i) total += static_cast<size_t>(list[i]->device_count());
  });
  return total;
}

tileops_status tileops_device_describe(size_t i, tileops_device_info* out) {
  return guard("tileops_device_describe", [&] {
    if (!out) invalid("out: is NULL");
    int count;
    Backend* const* list = all_backends(&count);
    size_t first = 0;
    for (int b = 0; b < count; ++b) {
      const size_t devices = static_cast<size_t>(list[b]->device_count());
      if (i < first + devices) {
        tileops_device_info info = TILEOPS_DEVICE_INFO_INIT;
        list[b]->describe(static_cast<int>(i - first), &info);
        return write_struct(out, "out", info);
      }
      first += devices;
    }
    invalid("i: is out of range (got %zu, need less than %zu)", i, first);
  });
}
