// SPDX-License-Identifier: Apache-2.0
// Contexts and streams.
#ifndef TILEOPS_HPP_CONTEXT_HPP
#define TILEOPS_HPP_CONTEXT_HPP

#include <utility>

#include "tileops/hpp/error.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

// Options, caches and threads of its own. Where a context is asked for, none is the default one.
class Context {
 public:
  Context() { check(tileops_context_create(nullptr, &handle_)); }
  explicit Context(const tileops_context_options& options) { check(tileops_context_create(&options, &handle_)); }
  Context(Context&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Context& operator=(Context&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Context() { tileops_context_destroy(handle_); }

  // As with every owner of a handle, a temporary gives none: it would dangle.
  tileops_context* get() const& { return handle_; }
  operator tileops_context*() const& { return handle_; }
  tileops_context* get() const&& = delete;
  operator tileops_context*() const&& = delete;

  tileops_cache_stats cache_stats() const {
    tileops_cache_stats stats = TILEOPS_CACHE_STATS_INIT;
    check(tileops_cache_stats_get(handle_, &stats));
    return stats;
  }

 private:
  tileops_context* handle_ = nullptr;
};

// A stream of a device; on the CPU it is NULL, and everything is done on return. Its context must outlive it.
class Stream {
 public:
  explicit Stream(DLDevice device, tileops_context* context = nullptr) : device_(device), context_(context) {
    check(tileops_stream_create(context_, device_, &handle_));
  }
  Stream(Stream&& other) noexcept
      : device_(other.device_), context_(other.context_), handle_(std::exchange(other.handle_, nullptr)) {}
  Stream& operator=(Stream&&) = delete;
  ~Stream() {
    if (handle_) tileops_stream_destroy(context_, device_, handle_);
  }
  void* get() const& { return handle_; }
  operator void*() const& { return handle_; }
  void* get() const&& = delete;
  operator void*() const&& = delete;
  void synchronize() const { check(tileops_stream_synchronize(context_, device_, handle_)); }

 private:
  DLDevice device_;
  tileops_context* context_;
  void* handle_ = nullptr;
};

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
