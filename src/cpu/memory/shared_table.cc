#include "cpu/memory/shared_table.h"

#include <map>
#include <mutex>

namespace tileops::cpu {

Table shared_table(const std::string& key, const std::function<std::vector<uint8_t>()>& make) {
  static auto* mutex = new std::mutex;
  static auto* tables = new std::map<std::string, std::weak_ptr<const std::vector<uint8_t>>>;
  {
    std::lock_guard<std::mutex> lock(*mutex);
    if (Table table = (*tables)[key].lock()) return table;
  }
  // Outside the lock: at worst two threads make the same table, and one is dropped.
  Table made = std::make_shared<const std::vector<uint8_t>>(make());
  std::lock_guard<std::mutex> lock(*mutex);
  for (auto it = tables->begin(); it != tables->end();)  // forget those that no plan holds
    it = it->second.expired() && it->first != key ? tables->erase(it) : std::next(it);
  auto& slot = (*tables)[key];
  if (Table table = slot.lock()) return table;
  slot = made;
  return made;
}

}  // namespace tileops::cpu
