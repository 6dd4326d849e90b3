// Failure inside the library: thrown, and turned into a status at the C boundary (api/guard.h).
#pragma once

#include <tileops/tileops.h>

#include <string>

namespace tileops {

struct Error {
  tileops_status status;
  std::string message;  // without the function's name, which the boundary adds
  int32_t driver_code = 0;
  int64_t offset = -1;  // byte of an expression's text; -1: the failure is at none
};

// UNSUPPORTED: the number of an open extent of the plan is needed (base/extent.h).
struct OpenExtentError : Error {
  int number;
};

std::string strf(const char* format, ...) __attribute__((format(printf, 1, 2)));

[[noreturn]] void fail(tileops_status status, const char* format, ...) __attribute__((format(printf, 2, 3)));
[[noreturn]] void invalid(const char* format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] void unsupported(const char* format, ...) __attribute__((format(printf, 1, 2)));

// "(2, 3, 4)", for messages.
std::string shape_text(const int64_t* shape, int ndim);

// The calling thread's last error.
const char* last_error_text() noexcept;
int32_t last_driver_code() noexcept;
int64_t last_error_offset() noexcept;
void set_last_error(const char* function, const std::string& message, int32_t driver, int64_t offset = -1) noexcept;

}  // namespace tileops
