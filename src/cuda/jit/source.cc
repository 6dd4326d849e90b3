#include "cuda/jit/source.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>
#include <vector>

#include "cuda/jit/nvrtc.h"

namespace tileops::cuda {
namespace {

// The units that are reached from some: a unit is taken when one that is taken uses it and all that it
// needs are there (a specialization needs what it is one for).
class Reached {
 public:
  Reached() : wanted_(kNumEmbeddedUnits), taken_(kNumEmbeddedUnits) { want_named("*"); }
  void want(unsigned short unit) {
    if (wanted_[unit]) return;
    wanted_[unit] = true;
    waiting_.push_back(unit);
  }
  void want_named(std::string_view name) {
    const auto* end = kEmbeddedNames + kNumEmbeddedNames;
    const auto* at = std::lower_bound(kEmbeddedNames, end, name,
                                      [](const EmbeddedName& n, std::string_view v) { return n.name < v; });
    for (; at != end && at->name == name; ++at) want(at->unit);
  }
  const std::vector<bool>& take_all() {
    for (bool more = true; more;) {
      more = false;
      std::vector<unsigned short> left;
      std::swap(left, waiting_);
      for (const unsigned short u : left) {
        if (take(u)) more = true;
        else waiting_.push_back(u);
      }
    }
    return taken_;
  }

 private:
  bool take(unsigned short unit) {
    const EmbeddedUnit& u = kEmbeddedUnits[unit];
    const unsigned end = kEmbeddedUnits[unit + 1].uses;
    for (unsigned e = u.needs; e < end; ++e)
      if (!taken_[kEmbeddedEdges[e]]) return false;
    taken_[unit] = true;
    for (unsigned e = u.uses; e < u.needs; ++e) want(kEmbeddedEdges[e]);
    return true;
  }

  std::vector<bool> wanted_, taken_;
  std::vector<unsigned short> waiting_;
};

// Every name of a text, qualified ones whole and by their first part.
template <class F>
void for_each_name(std::string_view text, const F& f) {
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':'; };
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && in_name(text[end])) ++end;
    if (end > at) {
      const std::string_view name = text.substr(at, end - at);
      f(name);
      if (const size_t colon = name.find(':'); colon != name.npos) f(name.substr(0, colon));
    }
    at = end + 1;
  }
}

std::vector<int> namespaces_of(int scope) {
  std::vector<int> path;
  for (; scope; scope = kEmbeddedScopes[scope].outer) path.insert(path.begin(), scope);
  return path;
}

std::string text_of(const std::vector<bool>& taken) {
  std::string text;
  std::vector<int> open;
  const auto enter = [&](const std::vector<int>& path) {
    size_t same = 0;
    while (same < std::min(open.size(), path.size()) && open[same] == path[same]) ++same;
    if (open.size() > same) text.append(open.size() - same, '}') += '\n';
    for (size_t i = same; i < path.size(); ++i) (text += kEmbeddedScopes[path[i]].opens) += '\n';
    open = path;
  };
  for (size_t u = 0; u < taken.size(); ++u) {
    if (!taken[u]) continue;
    enter(namespaces_of(kEmbeddedUnits[u].scope));
    text += kEmbeddedUnits[u].text;
  }
  enter({});
  return text;
}

}  // namespace

std::string whole_source(const Kernel& kernel) {
  return text_of(std::vector<bool>(kNumEmbeddedUnits, true)) + kernel.text;
}

std::string full_source(const Kernel& kernel) {
  Reached reached;
  for_each_name(kernel.text, [&](std::string_view name) { reached.want_named(name); });
  return text_of(reached.take_all()) + kernel.text;
}

std::string kernel_key(const Kernel& kernel, int arch) {
  std::string key = "tileops kernel, key version 1\nsources " + std::string(kEmbeddedHash) + "\narch " +
                    std::to_string(arch) + "\n";
  for (const std::string& option : Nvrtc::options()) key += option + " ";
  return key + "\n" + kernel.text;
}

}  // namespace tileops::cuda
