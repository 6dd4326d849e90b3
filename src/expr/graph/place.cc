#include "expr/graph/place.h"

#include <algorithm>

namespace tileops::expr {

std::string with_place(std::string_view text, Offset offset, const std::string& message) {
  constexpr size_t kBefore = 60, kAfter = 30;  // of a long line, what is around the place
  const size_t at = std::min(static_cast<size_t>(offset), text.size());
  size_t begin = at, end = at;
  while (begin > 0 && text[begin - 1] != '\n' && at - begin < kBefore) --begin;
  while (end < text.size() && text[end] != '\n' && end - at < kAfter) ++end;
  const bool cut_before = begin > 0 && text[begin - 1] != '\n', cut_after = end < text.size() && text[end] != '\n';
  std::string line;
  for (char c : text.substr(begin, end - begin)) line += c == '\t' || c == '\r' ? ' ' : c < ' ' || c > '~' ? '?' : c;
  const std::string lead = cut_before ? "  ..." : "  ";
  return strf("text: byte %zu: ", at) + message + "\n" + lead + line + (cut_after ? "..." : "") + "\n" +
         std::string(lead.size() + at - begin, ' ') + "^";
}

void fail_at(tileops_status status, std::string_view text, Offset offset, const std::string& message) {
  throw Error{status, with_place(text, offset, message), 0, offset};
}

}  // namespace tileops::expr
