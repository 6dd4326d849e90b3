// The memory of the emulated device: the host's, with bounds that are kept.
#ifndef TILEOPS_TESTS_EMULATOR_MEMORY_H_
#define TILEOPS_TESTS_EMULATOR_MEMORY_H_

#include <cstddef>
#include <cstdint>

namespace emulator {

enum class Space : uint8_t { generic, global, constant, shared, cluster, local, param };

// Generic addresses of what is not in the host's memory: above all that a host's process has.
constexpr uint64_t kSharedBase = uint64_t{1} << 60, kLocalBase = uint64_t{2} << 60;
// Within the shared space the upper bits say which block of the cluster: 0 this one, else its rank + 1.
constexpr int kRankShift = 24;

struct Range {
  uint64_t begin = 0, end = 0;
  bool holds(uint64_t address, size_t bytes) const { return address >= begin && address + bytes <= end; }
};

// nullptr where there is not so much.
void* allocate(size_t bytes);
bool release(void* address, size_t* bytes);
// Memory that others own: variables of modules.
void add_range(const void* address, size_t bytes);
void remove_range(const void* address);
// The piece of memory that holds these bytes; throws Fault where none does.
Range range_of(uint64_t address, size_t bytes);

}  // namespace emulator

#endif  // TILEOPS_TESTS_EMULATOR_MEMORY_H_
