#include "core/strategy.h"

#include <iterator>

#include "core/error.h"

namespace tileops {
namespace {

const char* const kNames[] = {"auto",          "direct", "explicit_parallel",
                              "register_copy", "table",  "tile"};

constexpr int kMostThreads = 1024, kLeastThreads = 32, kMostPerThread = 128;

bool is_power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

}  // namespace

const char* strategy_name(tileops_strategy strategy) {
  return strategy >= 0 && strategy < static_cast<int>(std::size(kNames)) ? kNames[strategy] : "?";
}

bool strategy_from_name(const std::string& name, tileops_strategy* out) {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (name != kNames[i]) continue;
    *out = static_cast<tileops_strategy>(i);
    return true;
  }
  return false;
}

void check_wish(const KernelWish& wish) {
  if (wish.strategy < 0 || wish.strategy >= static_cast<int>(std::size(kNames)))
    invalid("strategy: is unknown (got %d, need %d to %zu)", wish.strategy, TILEOPS_STRATEGY_AUTO,
            std::size(kNames) - 1);
  if (wish.threads && (!is_power_of_two(wish.threads) || wish.threads < kLeastThreads ||
                       wish.threads > kMostThreads))
    invalid("threads: is no block size (got %d, need 0 or a power of two from %d to %d)",
            wish.threads, kLeastThreads, kMostThreads);
  if (wish.num_per_thread &&
      (!is_power_of_two(wish.num_per_thread) || wish.num_per_thread > kMostPerThread))
    invalid("num_per_thread: is out of range (got %d, need 0 or a power of two up to %d)",
            wish.num_per_thread, kMostPerThread);
  if (wish.strategy == TILEOPS_STRATEGY_DIRECT && wish.num_per_thread > 1)
    invalid("num_per_thread: strategy direct has one element a thread (got %d)",
            wish.num_per_thread);
  if (wish.strategy == TILEOPS_STRATEGY_TILE && wish.num_per_thread)
    invalid("num_per_thread: strategy tile has none, its squares are fixed (got %d, need 0)",
            wish.num_per_thread);
  if (wish.strategy == TILEOPS_STRATEGY_AUTO && (wish.threads || wish.num_per_thread))
    invalid("strategy: is auto, which chooses threads and num_per_thread as well (got threads %d, "
            "num_per_thread %d, need 0 and 0)",
            wish.threads, wish.num_per_thread);
}

}  // namespace tileops
