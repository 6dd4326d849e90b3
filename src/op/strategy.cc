#include "op/strategy.h"

#include <iterator>

#include "base/error.h"

namespace tileops {
namespace {

const char* const kNames[] = {
#define TILEOPS_STRATEGY(constant, name) name,
#include <tileops/strategies.def>
};

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

void check_launch_hint(const LaunchHint& hint) {
  if (hint.strategy < 0 || hint.strategy >= static_cast<int>(std::size(kNames)))
    invalid("strategy: is unknown (got %d, need %d to %zu)", hint.strategy, TILEOPS_STRATEGY_AUTO,
            std::size(kNames) - 1);
  if (hint.threads && (!is_power_of_two(hint.threads) || hint.threads < kLeastThreads || hint.threads > kMostThreads))
    invalid("threads: is no block size (got %d, need 0 or a power of two from %d to %d)", hint.threads, kLeastThreads,
            kMostThreads);
  if (hint.num_per_thread && (!is_power_of_two(hint.num_per_thread) || hint.num_per_thread > kMostPerThread))
    invalid("num_per_thread: is out of range (got %d, need 0 or a power of two up to %d)", hint.num_per_thread,
            kMostPerThread);
  if (hint.strategy == TILEOPS_STRATEGY_DIRECT && hint.num_per_thread > 1)
    invalid("num_per_thread: strategy direct has one element a thread (got %d)", hint.num_per_thread);
  if (hint.strategy == TILEOPS_STRATEGY_TILE && hint.num_per_thread)
    invalid("num_per_thread: strategy tile has none, its squares are fixed (got %d, need 0)", hint.num_per_thread);
  if (hint.strategy == TILEOPS_STRATEGY_AUTO && (hint.threads || hint.num_per_thread))
    invalid("strategy: is auto, which chooses threads and num_per_thread as well (got threads %d, "
            "num_per_thread %d, need 0 and 0)",
            hint.threads, hint.num_per_thread);
}

}  // namespace tileops
