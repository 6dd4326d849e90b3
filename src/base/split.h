// The words of a text. Without streams, which hide that memory ran out and go on with what they have.
#pragma once

#include <string_view>
#include <vector>

namespace tileops {

// What stands between separators; empty parts are left out.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(separator));
    if (!part.empty()) parts.push_back(part);
    text.remove_prefix(part.size() == text.size() ? part.size() : part.size() + 1);
  }
  return parts;
}

}  // namespace tileops
