// What a function that the library writes for others' code may be called.
#pragma once

namespace tileops::api {

// Throws Error(INVALID_ARGUMENT) for what is no identifier of C++, and for those that mean something else in CUDA code.
void require_function_name(const char* name);

}  // namespace tileops::api
