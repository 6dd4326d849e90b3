// The CUDA driver, opened on first use.
#pragma once

#include <string>

#include "cuda/driver/driver_api.h"

namespace tileops::cuda {

struct Driver {
#define TILEOPS_MEMBER(member, symbol, parameters) CUresult(*member) parameters = nullptr;
  TILEOPS_DRIVER_FUNCTIONS(TILEOPS_MEMBER)
  TILEOPS_DRIVER_TIMING_FUNCTIONS(TILEOPS_MEMBER)
  TILEOPS_DRIVER_OPTIONAL_FUNCTIONS(TILEOPS_MEMBER)
#undef TILEOPS_MEMBER

  int count = 0;        // devices
  int version = 0;      // 13000 for 13.0
  std::string failure;  // why there is none, or ""
};

// Loaded once; `failure` says what is missing. Never fails.
const Driver& driver();

// Throws Error(DEVICE, or OUT_OF_MEMORY) naming the call unless the result is success.
void check(CUresult result, const char* what);
std::string error_text(CUresult result);

}  // namespace tileops::cuda
