#include "cli/common.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "cli/number.h"

namespace tileops::cli {

void check(tileops_status status) {
  if (status == TILEOPS_STATUS_OK) return;
  std::string text = tileops_last_error();
  if (text.empty()) text = tileops_status_name(status);
  throw RunError(text);
}

void flush_stdout() {
  if (std::fflush(stdout) != 0) {
    throw RunError(std::string("cannot write to stdout: ") + std::strerror(errno));
  }
  // A full buffer was written, in vain, before this call: the reason is forgotten, the fact is not.
  std::cout.flush();
  if (!std::cout || std::ferror(stdout)) throw RunError("cannot write to stdout");
}

int64_t num_elements(const Shape& shape) {
  int64_t n = 1;
  for (int64_t extent : shape) {
    if (__builtin_mul_overflow(n, extent, &n)) {
      throw UsageError("shape " + shape_text(shape) + " has more than 2^63 elements");
    }
  }
  return n;
}

std::string shape_text(const Shape& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  if (shape.size() == 1) text += ",";
  return text + ")";
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (true) {
    const size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

Shape parse_shape(const std::string& text) {
  Shape shape;
  if (text.empty() || text == "()") return shape;
  const char separator = text.find('x') != std::string::npos ? 'x' : ',';
  for (const std::string& part : split(text, separator)) {
    const int64_t extent = parse_int(part, "--shape");
    if (extent < 0) throw UsageError("--shape: negative extent " + part);
    shape.push_back(extent);
  }
  num_elements(shape);
  return shape;
}

DLDevice parse_device(const std::string& text) {
  if (text == "cpu" || text == "cpu:0") return {kDLCPU, 0};
  if (text == "cuda") return {kDLCUDA, 0};
  if (text.rfind("cuda:", 0) == 0) {
    const int64_t index = parse_int(text.substr(5), "--device");
    if (index >= 0 && index < 1024) return {kDLCUDA, static_cast<int32_t>(index)};
  }
  throw UsageError("--device: unknown device '" + text + "' (need cpu or cuda:N)");
}

std::string device_text(DLDevice device) {
  if (device.device_type == kDLCPU) return "cpu";
  return "cuda:" + std::to_string(device.device_id);
}

namespace {

int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

tileops_op_info describe_op(tileops_op op) {
  tileops_op_info info = TILEOPS_OP_INFO_INIT;
  check(tileops_op_describe(op, &info));
  return info;
}

tileops_op_info describe_function(tileops_op function) {
  tileops_op_info info = TILEOPS_OP_INFO_INIT;
  check(tileops_function_describe(function, &info));
  return info;
}

[[noreturn]] void refuse_name(const std::string& name, bool functions) {
  std::vector<std::string> names;
  for (size_t i = 0; i < tileops_op_count(); ++i) names.emplace_back(describe_op(tileops_op_at(i)).name);
  for (size_t i = 0; functions && i < tileops_function_count(); ++i) {
    const tileops_op_info info = describe_function(tileops_function_at(i));
    if (tileops_op_from_name(info.name) == TILEOPS_OP_NONE) names.emplace_back(info.name);
  }
  throw UsageError("no operator '" + name + "'" + near_names(name, names, "tileops ops"));
}

}  // namespace

std::string near_names(const std::string& name, const std::vector<std::string>& names, const std::string& lister) {
  std::string near;
  for (const std::string& other : names) {
    const bool part = name.size() >= 3 && other.find(name) != std::string::npos;
    if (!part && edit_distance(name, other) > 1 + static_cast<int>(name.size()) / 4) continue;
    near += (near.empty() ? "" : ", ") + other;
  }
  return near.empty() ? "; see `" + lister + "`" : "; did you mean " + near + "?";
}

tileops_op_info find_op(const std::string& name) {
  const tileops_op op = tileops_op_from_name(name.c_str());
  if (op != TILEOPS_OP_NONE) return describe_op(op);
  if (tileops_function_from_name(name.c_str()) != TILEOPS_OP_NONE) {
    throw UsageError("'" + name + "' is a function of expressions alone: use --expr");
  }
  refuse_name(name, false);
}

tileops_op_info find_op_or_function(const std::string& name) {
  if (const tileops_op op = tileops_op_from_name(name.c_str()); op != TILEOPS_OP_NONE) return describe_op(op);
  const tileops_op function = tileops_function_from_name(name.c_str());
  if (function != TILEOPS_OP_NONE) return describe_function(function);
  refuse_name(name, true);
}

Context::Context(int num_threads) {
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.num_threads = num_threads;
  check(tileops_context_create(&options, &handle_));
}

Buffer::Buffer(const Context& context, DLDevice device, DLDataType dtype, const Shape& shape) {
  check(
      tileops_tensor_alloc(context.get(), device, dtype, static_cast<int32_t>(shape.size()), shape.data(), &managed_));
}

Buffer::~Buffer() {
  if (managed_ != nullptr && managed_->deleter != nullptr) managed_->deleter(managed_);
}

Stream::Stream(const Context& context, DLDevice device) : context_(context), device_(device) {
  check(tileops_stream_create(context.get(), device, &handle_));
}

Stream::~Stream() { tileops_stream_destroy(context_.get(), device_, handle_); }

void Stream::synchronize() const { check(tileops_stream_synchronize(context_.get(), device_, handle_)); }

Plan::Plan(const Context& context, const tileops_plan_desc& desc) {
  check(tileops_plan_create(context.get(), &desc, &handle_));
}

std::string Plan::text(tileops_plan_prop prop) const {
  size_t size = 0;
  check(tileops_plan_query(handle_, prop, nullptr, &size));
  std::string text(size, '\0');
  check(tileops_plan_query(handle_, prop, text.data(), &size));
  return text.c_str();  // drops the terminator that the property includes
}

Buffer Plan::workspace(const Context& context, DLDevice device, tileops_execute_args* args) const {
  const uint64_t bytes = number(TILEOPS_PLAN_WORKSPACE_BYTES);
  if (bytes == 0) return {};
  Buffer buffer(context, device, DLDataType{kDLUInt, 8, 1}, {static_cast<int64_t>(bytes)});
  args->workspace = buffer.tensor()->data;
  args->workspace_bytes = bytes;
  return buffer;
}

uint64_t Plan::number(tileops_plan_prop prop) const {
  uint64_t value = 0;
  size_t size = sizeof(value);
  check(tileops_plan_query(handle_, prop, &value, &size));
  return value;
}

DLTensor view(void* data, DLDevice device, DLDataType dtype, const Shape& shape, const int64_t* strides) {
  DLTensor tensor{};
  tensor.data = data;
  tensor.device = device;
  tensor.ndim = static_cast<int32_t>(shape.size());
  tensor.dtype = dtype;
  // DLPack's fields are not const; nothing writes through them.
  tensor.shape = const_cast<int64_t*>(shape.data());
  tensor.strides = const_cast<int64_t*>(strides);
  return tensor;
}

void upload(const Context& context, const Stream& stream, const void* data, const Buffer& buffer) {
  DLTensor host = *buffer.tensor();
  host.data = const_cast<void*>(data);
  host.byte_offset = 0;
  host.device = {kDLCPU, 0};
  host.strides = nullptr;
  check(tileops_tensor_copy(context.get(), &host, buffer.tensor(), stream.get()));
}

void download(const Context& context, const Stream& stream, const Buffer& buffer, void* data) {
  DLTensor host = *buffer.tensor();
  host.data = data;
  host.byte_offset = 0;
  host.device = {kDLCPU, 0};
  host.strides = nullptr;
  check(tileops_tensor_copy(context.get(), buffer.tensor(), &host, stream.get()));
  stream.synchronize();
}

}  // namespace tileops::cli
