// What every subcommand shares: error types, exit codes and RAII over the C API. The command uses
// the public C API alone, so it doubles as a client of the installed shared library.
#ifndef TILEOPS_CLI_COMMON_H_
#define TILEOPS_CLI_COMMON_H_

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tileops/tileops.h"

namespace tileops::cli {

enum ExitCode { kExitOk = 0, kExitFailed = 1, kExitUsage = 2 };

// The command line makes no sense: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The command line is fine, the work failed: exit code 1.
struct RunError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Shape = std::vector<int64_t>;

// Throws RunError with the library's text if status is a failure.
void check(tileops_status status);

int64_t num_elements(const Shape& shape);    // throws UsageError on overflow
std::string shape_text(const Shape& shape);  // "(2, 3)"
Shape parse_shape(const std::string& text);  // "2,3" or "2x3"; "" is 0-d
std::vector<std::string> split(const std::string& text, char separator);

DLDevice parse_device(const std::string& text);  // "cpu", "cuda", "cuda:1"
std::string device_text(DLDevice device);

// Describes an operator by name; throws UsageError with near names if there is none.
tileops_op_info find_op(const std::string& name);
// The same of a function of expressions, which operators that map elements are as well.
tileops_op_info find_op_or_function(const std::string& name);

// What to say behind an unknown name: which of those that there are are like it, else the command that lists them.
std::string near_names(const std::string& name, const std::vector<std::string>& names, const std::string& lister);

class Context {
 public:
  explicit Context(int num_threads = 0);
  ~Context() { tileops_context_destroy(handle_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  tileops_context* get() const { return handle_; }

 private:
  tileops_context* handle_ = nullptr;
};

// Row-major memory on a device, from tileops_tensor_alloc.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Context& context, DLDevice device, DLDataType dtype, const Shape& shape);
  Buffer(Buffer&& other) noexcept : managed_(std::exchange(other.managed_, nullptr)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(managed_, other.managed_);
    return *this;
  }
  ~Buffer();
  DLTensor* tensor() const { return &managed_->dl_tensor; }

 private:
  DLManagedTensorVersioned* managed_ = nullptr;
};

class Stream {
 public:
  Stream(const Context& context, DLDevice device);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  void* get() const { return handle_; }
  void synchronize() const;

 private:
  const Context& context_;
  DLDevice device_;
  void* handle_ = nullptr;
};

class Plan {
 public:
  explicit Plan(tileops_plan* handle) : handle_(handle) {}  // takes the reference
  Plan(const Context& context, const tileops_plan_desc& desc);
  Plan(Plan&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Plan& operator=(Plan&&) = delete;
  ~Plan() { tileops_plan_destroy(handle_); }
  const tileops_plan* get() const { return handle_; }
  std::string text(tileops_plan_prop prop) const;
  uint64_t number(tileops_plan_prop prop) const;
  // Memory for what an execute leaves between its passes, named in *args; empty where the plan needs none.
  Buffer workspace(const Context& context, DLDevice device, tileops_execute_args* args) const;

 private:
  tileops_plan* handle_ = nullptr;
};

// A row-major tensor over memory that somebody else owns. `shape` must outlive it.
DLTensor view(void* data, DLDevice device, DLDataType dtype, const Shape& shape, const int64_t* strides = nullptr);

// Throws RunError if anything printed so far did not reach stdout (a full disk, a closed pipe).
void flush_stdout();

// Copies host bytes in row-major order to a device buffer of the same size, and back.
void upload(const Context& context, const Stream& stream, const void* data, const Buffer& buffer);
void download(const Context& context, const Stream& stream, const Buffer& buffer, void* data);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_COMMON_H_
