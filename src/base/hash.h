// 128-bit hashes of cache keys and contents (XXH3): against accidents, not against forgers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tileops::cache {

struct Hash128 {
  uint64_t high, low;
  bool operator==(const Hash128& o) const { return high == o.high && low == o.low; }
  bool operator<(const Hash128& o) const { return high != o.high ? high < o.high : low < o.low; }
};

Hash128 hash_of(std::string_view bytes);
std::string hex(const Hash128& h);

}  // namespace tileops::cache
