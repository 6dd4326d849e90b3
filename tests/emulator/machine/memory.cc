#include "machine/memory.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "program/program.h"

namespace emulator {
namespace {

// Ends by beginnings.
struct Ranges {
  std::mutex mutex;
  std::map<uint64_t, uint64_t> ends;
};
Ranges& ranges() {
  static auto* all = new Ranges;
  return *all;
}

// Between two pieces lies what nobody owns, so that a step beyond one is not one into another.
constexpr size_t kAlignment = 256, kGap = 4096;

}  // namespace

void* allocate(size_t bytes) {
  const size_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment + kGap;
  void* address = std::aligned_alloc(kAlignment, whole);
  if (!address) return nullptr;
  std::memset(address, 0xcd, bytes);  // none of it is 0 by chance
  add_range(address, bytes);
  return address;
}

bool release(void* address, size_t* bytes) {
  Ranges& r = ranges();
  const std::lock_guard<std::mutex> lock(r.mutex);
  const auto at = r.ends.find(reinterpret_cast<uint64_t>(address));
  if (at == r.ends.end()) return false;
  *bytes = at->second - at->first;
  r.ends.erase(at);
  std::free(address);
  return true;
}

void add_range(const void* address, size_t bytes) {
  Ranges& r = ranges();
  const std::lock_guard<std::mutex> lock(r.mutex);
  r.ends[reinterpret_cast<uint64_t>(address)] = reinterpret_cast<uint64_t>(address) + bytes;
}

void remove_range(const void* address) {
  Ranges& r = ranges();
  const std::lock_guard<std::mutex> lock(r.mutex);
  r.ends.erase(reinterpret_cast<uint64_t>(address));
}

Range range_of(uint64_t address, size_t bytes) {
  Ranges& r = ranges();
  const std::lock_guard<std::mutex> lock(r.mutex);
  auto after = r.ends.upper_bound(address);
  if (after != r.ends.begin()) {
    --after;
    const Range range{after->first, after->second};
    if (range.holds(address, bytes)) return range;
    if (address < range.end + kGap)
      throw Fault(std::to_string(address + bytes - range.end) + " bytes beyond the end of " +
                  std::to_string(range.end - range.begin) + " bytes of memory");
  }
  throw Fault("an address that is no memory of the device: " + std::to_string(address));
}

}  // namespace emulator
