// NumPy .npy files, versions 1.0 to 3.0, little-endian.
#ifndef TILEOPS_CLI_IO_NPY_H_
#define TILEOPS_CLI_IO_NPY_H_

#include <memory>
#include <optional>
#include <string>

#include "cli/common.h"
#include "cli/io/output.h"

namespace tileops::cli {

// An array in host memory, as the file has it: Fortran order becomes strides, not a copy.
struct NpyArray {
  DLDataType dtype;
  Shape shape;
  Shape strides;  // in elements
  std::unique_ptr<unsigned char, void (*)(void*)> data{nullptr, nullptr};

  DLTensor view() const { return cli::view(data.get(), {kDLCPU, 0}, dtype, shape, strides.data()); }
};

// Reads a file. `dtype` says what '<V2' and '|V1' data are (bfloat16 and fp8 have no NumPy dtype);
// for other files it must agree with the file. Throws RunError, or UsageError if dtype is missing.
NpyArray read_npy(const std::string& path, std::optional<DLDataType> dtype);

// Writes row-major data as version 1.0. Throws RunError.
void write_npy(OutputFile& file, DLDataType dtype, const Shape& shape, const void* data);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_IO_NPY_H_
