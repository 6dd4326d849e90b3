// The C boundary: exceptions become statuses, the floating-point environment is the usual one, C structs are read and
// written by their struct_size.
#pragma once

#include <tileops/tileops.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>

#include "base/error.h"
#include "base/float_environment.h"

namespace tileops::api {

template <class F>
tileops_status guard(const char* function, F&& body) noexcept {
  const FloatEnvironment usual;
  try {
    body();
    return TILEOPS_STATUS_OK;
  } catch (const Error& e) {
    set_last_error(function, e.message, e.driver_code, e.offset);
    return e.status;
  } catch (const std::bad_alloc&) {
    set_last_error(function, "out of memory", 0);
    return TILEOPS_STATUS_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    try {
      set_last_error(function, std::string("internal: ") + e.what(), 0);
    } catch (...) {
    }
    return TILEOPS_STATUS_INTERNAL;
  } catch (...) {
    return TILEOPS_STATUS_INTERNAL;
  }
}

// For functions that return no status: the result of the body, or `failed` if it throws.
template <class T, class F>
T guarded(const char* function, T failed, F&& body) noexcept {
  guard(function, [&] { failed = body(); });
  return failed;
}

// Bytes of a caller's struct that this library knows; throws on a size that cannot be.
template <class T>
size_t known_size(const T* user, const char* name) {
  constexpr size_t smallest = 2 * sizeof(uint32_t);
  const size_t size = user->struct_size;
  if (size < smallest) {
    invalid("%s: struct_size is too small (got %zu, need sizeof(struct), at least %zu)", name, size, smallest);
  }
  if (size % alignof(T)) {  // would cut a field in half
    invalid("%s: struct_size is no size of this struct (got %zu, need a multiple of %zu)", name, size, alignof(T));
  }
  if (size > sizeof(T)) {
    constexpr size_t largest = 1 << 16;  // nobody's struct; do not walk through memory for it
    const char* bytes = reinterpret_cast<const char*>(user);
    bool zero = size <= largest;
    for (size_t i = sizeof(T); zero && i < size; ++i) zero = bytes[i] == 0;
    if (!zero) {
      fail(TILEOPS_STATUS_VERSION,
           "%s: struct_size is larger than this library's and the rest is not zero (got %zu, know "
           "%zu)",
           name, size, sizeof(T));
    }
  }
  return std::min(size, sizeof(T));
}

// A caller's input struct, in this library's version of it.
template <class T>
T read_struct(const T* user, const char* name) {
  const size_t size = known_size(user, name);
  T copy;
  std::memset(&copy, 0, sizeof copy);
  std::memcpy(&copy, user, size);
  copy.struct_size = sizeof copy;
  return copy;
}

// Fills a caller's output struct as far as it goes.
template <class T>
void write_struct(T* user, const char* name, const T& value) {
  const size_t size = known_size(user, name);
  const uint32_t theirs = user->struct_size;
  std::memcpy(user, &value, size);
  user->struct_size = theirs;
}

// The *size protocol of queries.
void write_bytes(const void* value, size_t need, void* buf, size_t* size);

}  // namespace tileops::api
