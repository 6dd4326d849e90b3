#include "cli/number.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "cli/common.h"

namespace tileops::cli {
namespace {

// The end of the digits that begin at `from`.
size_t digits(const std::string& text, size_t from) {
  while (from < text.size() && text[from] >= '0' && text[from] <= '9') ++from;
  return from;
}

}  // namespace

bool is_number(const std::string& text, bool integer) {
  const size_t begin = text[0] == '-';
  size_t end = digits(text, begin);
  if (end == begin || (text[begin] == '0' && end > begin + 1)) return false;
  if (integer) return end == text.size();
  if (text[end] == '.') {
    const size_t fraction = end + 1;
    end = digits(text, fraction);
    if (end == fraction) return false;
  }
  if (text[end] == 'e' || text[end] == 'E') {
    const size_t exponent = end + 1 + (text[end + 1] == '-' || text[end + 1] == '+');
    end = digits(text, exponent);
    if (end == exponent) return false;
  }
  return end == text.size();
}

int64_t parse_int(const std::string& text, const std::string& what) {
  if (!is_number(text, true)) throw UsageError(what + ": not an integer: '" + text + "'");
  errno = 0;
  const long long value = std::strtoll(text.c_str(), nullptr, 10);
  if (errno == ERANGE) throw UsageError(what + ": integer out of range: " + text);
  return value;
}

int64_t parse_bits(const std::string& text, const std::string& what) {
  errno = 0;
  const unsigned long long bits = std::strtoull(text.c_str(), nullptr, 10);
  const bool is_unsigned = is_number(text, true) && text[0] != '-' && errno == 0;
  return is_unsigned ? static_cast<int64_t>(bits) : parse_int(text, what);
}

double parse_double(const std::string& text, const std::string& what) {
  const bool infinite = text == "inf" || text == "-inf";
  if (!infinite && text != "nan" && !is_number(text, false)) throw UsageError(what + ": not a number: '" + text + "'");
  const double value = std::strtod(text.c_str(), nullptr);
  if (std::isinf(value) && !infinite) throw UsageError(what + ": beyond float64: " + text);
  return value;
}

}  // namespace tileops::cli
