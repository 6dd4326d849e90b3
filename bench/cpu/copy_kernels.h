// The inner loops of the copy, one set per instruction set.
#pragma once

#include <cstddef>

#include "copy_loop.h"

namespace tileops_bench {

// Elements come in blocks of this many, so that every stream takes whole 64-byte vectors.
constexpr size_t kBlock = 64;

using CopyFn = void (*)(const char* const* reads, char* const* writes, size_t blocks);

// find: the loop for these bytes per element, TILEOPS_COPY_MAX_READS and _WRITES of them; nullptr if there is none.
namespace baseline {
CopyFn find(const int* read_bytes, const int* write_bytes, bool streaming);
}
namespace avx2 {
CopyFn find(const int* read_bytes, const int* write_bytes, bool streaming);
}
namespace avx512 {
CopyFn find(const int* read_bytes, const int* write_bytes, bool streaming);
}

}  // namespace tileops_bench
