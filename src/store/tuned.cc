#include "store/tuned.h"

#include <locale>
#include <sstream>

#include "base/error.h"
#include "base/log.h"
#include "op/strategy.h"

namespace tileops::cache {
namespace {

constexpr char kHead[] = "tileops tuning 1";

}  // namespace

std::string tuned_text(const std::optional<LaunchHint>& hint) {
  const LaunchHint w = hint.value_or(LaunchHint{});
  std::ostringstream s;
  s.exceptions(std::ios::badbit);   // no memory is an error, not half a text
  s.imbue(std::locale::classic());  // no thousands separators
  s << kHead << "\n" << strategy_name(w.strategy) << " " << w.threads << " " << w.num_per_thread << "\n";
  return s.str();
}

std::optional<LaunchHint> parse_tuned(const std::string& text) {
  std::istringstream s(text);
  s.exceptions(std::ios::badbit);
  s.imbue(std::locale::classic());
  std::string head, name;
  LaunchHint w;
  if (!std::getline(s, head) || head != kHead || !(s >> name >> w.threads >> w.num_per_thread) ||
      !strategy_from_name(name, &w.strategy) || w.strategy == TILEOPS_STRATEGY_AUTO)
    return std::nullopt;
  try {
    check_launch_hint(w);
  } catch (const Error& e) {
    log(TILEOPS_LOG_WARN, "kernel cache: a tuning result is not usable (%s); ignored", e.message.c_str());
    return std::nullopt;
  }
  return w;
}

std::optional<LaunchHint> Tuned::find(const std::string& key) {
  const Hash128 hash = hash_of(key);
  std::lock_guard<std::mutex> lock(mutex_);
  if (const auto it = known_.find(hash); it != known_.end()) return it->second;
  std::optional<LaunchHint> found;
  std::string text;
  if (disk_ && disk_->get(key, &text)) found = parse_tuned(text);
  known_.emplace(hash, found);
  return found;
}

void Tuned::keep(const std::string& key, const std::optional<LaunchHint>& hint) {
  std::lock_guard<std::mutex> lock(mutex_);
  known_[hash_of(key)] = hint;
  if (disk_) disk_->put(key, tuned_text(hint));
}

}  // namespace tileops::cache
