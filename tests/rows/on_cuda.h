// What the CUDA backend makes of a text, without a device: the kernel of each pass.
#ifndef TILEOPS_TESTS_ROWS_ON_CUDA_H_
#define TILEOPS_TESTS_ROWS_ON_CUDA_H_

#include <string>

#include "run.h"

namespace rowtest {

// Why it has none; "" where each pass has one.
std::string WhyNotOnCuda(const TextRun& run);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_ON_CUDA_H_
