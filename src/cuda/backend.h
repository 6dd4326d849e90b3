// CUDA devices as a backend of the core.
#pragma once

#include "plan/backend.h"

namespace tileops::cuda {

Backend& cuda_backend();

}  // namespace tileops::cuda
