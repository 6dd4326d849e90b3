#include "base/error.h"

#include <locale.h>

#include <cstdarg>
#include <cstdio>

namespace tileops {
namespace {

// Fixed storage: reporting an error must not fail for want of memory, and there is nothing to
// free when a thread ends.
struct LastError {
  char text[4096];
  int32_t driver;
  int64_t offset = -1;
};
thread_local LastError t_last{};

// Numbers in messages have a decimal point whatever the locale of the host program.
class PlainLocale {
 public:
  PlainLocale() : before_(plain() ? uselocale(plain()) : locale_t{}) {}
  ~PlainLocale() {
    if (before_) uselocale(before_);
  }
  PlainLocale(const PlainLocale&) = delete;
  PlainLocale& operator=(const PlainLocale&) = delete;

 private:
  static locale_t plain() {
    static const locale_t made = newlocale(LC_ALL_MASK, "C", locale_t{});  // never freed
    return made;
  }
  const locale_t before_;
};

std::string vstrf(const char* format, va_list args) {
  const PlainLocale plain;
  char buffer[2048];
  const int n = std::vsnprintf(buffer, sizeof buffer, format, args);
  return n < 0 ? std::string(format) : std::string(buffer);
}

}  // namespace

std::string strf(const char* format, ...) {
  va_list args;
  va_start(args, format);
  std::string s = vstrf(format, args);
  va_end(args);
  return s;
}

#define TILEOPS_THROW(status)             \
  va_list args;                           \
  va_start(args, format);                 \
  std::string text = vstrf(format, args); \
  va_end(args);                           \
  throw Error { status, text }

void fail(tileops_status status, const char* format, ...) { TILEOPS_THROW(status); }
void invalid(const char* format, ...) { TILEOPS_THROW(TILEOPS_STATUS_INVALID_ARGUMENT); }
void unsupported(const char* format, ...) { TILEOPS_THROW(TILEOPS_STATUS_UNSUPPORTED); }

#undef TILEOPS_THROW

std::string shape_text(const int64_t* shape, int ndim) {
  std::string s = "(";
  for (int i = 0; i < ndim; ++i) {
    if (i) s += ", ";
    s += std::to_string(shape[i]);
  }
  return s + (ndim == 1 ? ",)" : ")");
}

const char* last_error_text() noexcept { return t_last.text; }
int32_t last_driver_code() noexcept { return t_last.driver; }

int64_t last_error_offset() noexcept { return t_last.offset; }

void set_last_error(const char* function, const std::string& message, int32_t driver, int64_t offset) noexcept {
  std::snprintf(t_last.text, sizeof t_last.text, "%s: %s", function, message.c_str());
  t_last.driver = driver;
  t_last.offset = offset;
}

}  // namespace tileops
