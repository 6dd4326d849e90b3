// CUDA devices as a backend of the core.
#pragma once

#include "core/backend.h"

namespace tileops::cuda {

Backend& cuda_backend();

}  // namespace tileops::cuda
