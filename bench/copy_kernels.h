// The inner loops of the copy, one set per instruction set.
#pragma once

#include <cstddef>

#include "copy_loop.h"

namespace tileops_bench {

// Elements come in blocks of this many, so that every stream takes whole 64-byte vectors.
constexpr size_t kBlock = 64;

using CopyFn = void (*)(const char* const* reads, char* write, size_t blocks);

// The loop for these bytes per element, or nullptr.
using CopyTable = CopyFn (*)(const int* read_bytes, int write_bytes, bool streaming);

namespace baseline {
CopyFn find(const int* read_bytes, int write_bytes, bool streaming);
}
namespace avx2 {
CopyFn find(const int* read_bytes, int write_bytes, bool streaming);
}
namespace avx512 {
CopyFn find(const int* read_bytes, int write_bytes, bool streaming);
}

}  // namespace tileops_bench
