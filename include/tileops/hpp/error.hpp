// SPDX-License-Identifier: Apache-2.0
// A failed call as an exception: tileops::Error, and check() of a status.
#ifndef TILEOPS_HPP_ERROR_HPP
#define TILEOPS_HPP_ERROR_HPP

#include <cstdint>
#include <stdexcept>
#include <string>

#include "tileops/tileops.h"

// Part of every symbol's name, such as cxx_0_1: programs whose parts were compiled with headers of
// different versions, or that link the static library, mix no two definitions.
#define TILEOPS_CXX_NAME_OF(major, minor) cxx_##major##_##minor
#define TILEOPS_CXX_NAME(major, minor) TILEOPS_CXX_NAME_OF(major, minor)
#define TILEOPS_CXX_NAMESPACE TILEOPS_CXX_NAME(TILEOPS_VERSION_MAJOR, TILEOPS_VERSION_MINOR)

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

class Error : public std::runtime_error {
 public:
  // The last failure on this thread, which had this status.
  explicit Error(tileops_status status)
      : Error(status, tileops_last_error(), tileops_last_driver_error(), tileops_last_error_offset()) {}
  Error(tileops_status status, const std::string& message, int32_t driver_error = 0, int32_t offset = -1)
      : std::runtime_error(message), status_(status), driver_error_(driver_error), offset_(offset) {}

  tileops_status status() const noexcept { return status_; }
  const char* status_name() const noexcept { return tileops_status_name(status_); }
  int32_t driver_error() const noexcept { return driver_error_; }  // CUresult, nvrtcResult, errno
  // Bytes into the text of an expression; -1: it is about no text.
  int32_t offset() const noexcept { return offset_; }

 private:
  tileops_status status_;
  int32_t driver_error_;
  int32_t offset_;
};

// Throws unless `status` is TILEOPS_STATUS_OK. Call it on the thread that made the C call.
inline void check(tileops_status status) {
  if (status != TILEOPS_STATUS_OK) throw Error(status);
}

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
