#include "cli/io/npy.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/dtype.h"

namespace tileops::cli {
namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr size_t kMaxHeader = 1 << 20;  // a real header has some hundred bytes

using File = std::unique_ptr<FILE, int (*)(FILE*)>;

struct Header {
  std::string descr;
  bool fortran_order = false;
  Shape shape;
};

// The header is a Python dict literal of three known keys; this reads exactly that.
class HeaderParser {
 public:
  HeaderParser(const std::string& text, const std::string& path) : text_(text), path_(path) {}

  Header parse() {
    Header header;
    int seen = 0;
    expect('{');
    while (!accept('}')) {
      const std::string key = parse_string();
      expect(':');
      if (key == "descr") {
        if (peek() != '\'' && peek() != '"') fail("structured dtypes are not supported");
        header.descr = parse_string();
        seen |= 1;
      } else if (key == "fortran_order") {
        header.fortran_order = parse_bool();
        seen |= 2;
      } else if (key == "shape") {
        header.shape = parse_tuple();
        seen |= 4;
      } else {
        fail("unknown header key '" + key + "'");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (seen != 7) fail("header lacks descr, fortran_order or shape");
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw RunError(path_ + ": " + what); }

  char peek() {
    while (at_ < text_.size() && std::strchr(" \n\t\r", text_[at_]) != nullptr) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c || c == '\0') return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("malformed .npy header (expected '") + c + "')");
  }
  std::string parse_string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("malformed .npy header (expected a string)");
    const size_t end = text_.find(quote, ++at_);
    if (end == std::string::npos) fail("malformed .npy header (unterminated string)");
    std::string value = text_.substr(at_, end - at_);
    at_ = end + 1;
    return value;
  }
  bool parse_bool() {
    peek();
    for (const bool value : {true, false}) {
      const std::string word = value ? "True" : "False";
      if (text_.compare(at_, word.size(), word) == 0) {
        at_ += word.size();
        return value;
      }
    }
    fail("malformed .npy header (expected True or False)");
  }
  Shape parse_tuple() {
    Shape shape;
    expect('(');
    while (!accept(')')) {
      peek();
      char* end = nullptr;
      errno = 0;
      const long long extent = std::strtoll(text_.c_str() + at_, &end, 10);
      const auto stop = static_cast<size_t>(end - text_.c_str());
      if (stop == at_ || extent < 0 || errno == ERANGE) fail("malformed shape in .npy header");
      at_ = stop;
      accept('L');  // Python 2 wrote long integers so
      shape.push_back(extent);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }

  const std::string& text_;
  const std::string& path_;
  size_t at_ = 0;
};

// ":e4m3fn or :e5m2": the dtypes that files hold as raw bytes of that descr.
std::string raw_names(const std::string& descr) {
  std::string names;
  for (const DtypeRow& row : all_dtypes()) {
    if (descr.substr(1) == row.npy + 1) names += (names.empty() ? ":" : " or :") + std::string(row.name);
  }
  return names;
}

DLDataType resolve_dtype(const std::string& descr, std::optional<DLDataType> wanted, const std::string& path) {
  if (descr.size() < 2) throw RunError(path + ": malformed dtype '" + descr + "'");
  if (descr[0] == '>') {
    throw RunError(path + ": big-endian dtype '" + descr + "' is not supported (convert with array.astype('" + "<" +
                   descr.substr(1) + "'))");
  }
  const std::string kind = descr.substr(1);
  if (kind == "V1" || kind == "V2") {
    const int bits = kind == "V1" ? 8 : 16;
    if (!wanted) {
      throw UsageError(path + ": dtype '" + descr + "' needs a name: --input " + path + raw_names(descr));
    }
    if (item_size(*wanted) * 8 != bits) {
      throw UsageError(path + ": " + dtype_name(*wanted) + " does not fit the file's dtype '" + descr + "'");
    }
    return *wanted;
  }
  for (const DtypeRow& row : all_dtypes()) {
    if (kind == row.npy + 1 && kind[0] != 'V') {
      // Same-sized raw data may be reinterpreted (bfloat16 saved as uint16 is common).
      const bool raw = kind[0] == 'u' || kind[0] == 'i';
      if (!wanted || *wanted == row.dtype) return row.dtype;
      if (raw && item_size(*wanted) == item_size(row.dtype) && is_float(*wanted)) return *wanted;
      throw UsageError(path + ": the file has dtype " + row.name + ", not " + dtype_name(*wanted));
    }
  }
  throw RunError(path + ": dtype '" + descr + "' has no counterpart (need one of " + dtype_list() + ")");
}

void read_exactly(FILE* file, void* data, size_t size, const std::string& path, const char* part) {
  if (size > 0 && std::fread(data, 1, size, file) != size) {
    throw RunError(path + ": " +
                   (std::ferror(file) ? std::strerror(errno) : std::string("truncated .npy file (") + part + ")"));
  }
}

}  // namespace

NpyArray read_npy(const std::string& path, std::optional<DLDataType> dtype) {
  const File file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) throw RunError("cannot open " + path + ": " + std::strerror(errno));
  unsigned char prefix[8];
  if (std::fread(prefix, 1, 8, file.get()) != 8 || std::memcmp(prefix, kMagic, 6) != 0) {
    throw RunError(path + ": not a .npy file" +
                   (std::memcmp(prefix, "PK", 2) == 0 ? " (it looks like .npz or a zip)" : ""));
  }
  const int major = prefix[6];
  if (major < 1 || major > 3) {
    throw RunError(path + ": unknown .npy version " + std::to_string(major));
  }
  unsigned char length[4] = {};
  read_exactly(file.get(), length, major == 1 ? 2 : 4, path, "header");
  const size_t size = length[0] | length[1] << 8 | size_t{length[2]} << 16 | size_t{length[3]} << 24;
  if (size > kMaxHeader) throw RunError(path + ": .npy header is too large");
  std::string text(size, '\0');
  read_exactly(file.get(), text.data(), size, path, "header");
  const Header header = HeaderParser(text, path).parse();

  if (header.shape.size() > TILEOPS_MAX_NDIM) {
    throw RunError(path + ": too many dimensions (got " + std::to_string(header.shape.size()) + ", need at most " +
                   std::to_string(TILEOPS_MAX_NDIM) + ")");
  }

  NpyArray array;
  array.dtype = resolve_dtype(header.descr, dtype, path);
  array.shape = header.shape;
  array.strides.resize(header.shape.size());
  int64_t bytes = item_size(array.dtype), stride = 1;
  for (size_t k = 0; k < header.shape.size(); ++k) {
    const size_t i = header.fortran_order ? k : header.shape.size() - 1 - k;
    array.strides[i] = stride;
    if (__builtin_mul_overflow(stride, std::max<int64_t>(header.shape[i], 1), &stride) ||
        __builtin_mul_overflow(bytes, header.shape[i], &bytes)) {
      throw RunError(path + ": shape " + shape_text(header.shape) + " is too large");
    }
  }
  // Checked before allocating: a damaged header must not ask for terabytes.
  const long at = std::ftell(file.get());
  if (at >= 0 && std::fseek(file.get(), 0, SEEK_END) == 0) {
    if (std::ftell(file.get()) - at < bytes) {
      throw RunError(path + ": truncated .npy file (data of " + shape_text(array.shape) + " " +
                     dtype_name(array.dtype) + ")");
    }
    std::fseek(file.get(), at, SEEK_SET);
  }
  const size_t padded = (static_cast<size_t>(bytes) + 64) / 64 * 64;
  array.data = {static_cast<unsigned char*>(std::aligned_alloc(64, padded)), std::free};
  if (!array.data) throw RunError(path + ": out of memory");
  read_exactly(file.get(), array.data.get(), static_cast<size_t>(bytes), path, "data");
  if (is_packed(array.dtype)) {
    if (header.fortran_order && header.shape.size() > 1)
      throw RunError(path + ": " + dtype_name(array.dtype) +
                     " is read in row-major order alone, since two elements share a byte");
    pack(array.data.get(), static_cast<size_t>(bytes));
  }
  return array;
}

void write_npy(OutputFile& file, DLDataType dtype, const Shape& shape, const void* data) {
  std::string descr;
  for (const DtypeRow& row : all_dtypes()) {
    if (row.dtype == dtype) descr = row.npy;
  }
  std::string text = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape_text(shape) + ", }";
  // Magic, version and length take 10 bytes; data must begin at a multiple of 64.
  text.append((64 - (10 + text.size() + 1) % 64) % 64, ' ');
  text += '\n';
  const std::string prefix = std::string(kMagic, 6) + std::string({1, 0, static_cast<char>(text.size() & 0xff),
                                                                   static_cast<char>(text.size() >> 8)});
  const size_t bytes = static_cast<size_t>(num_elements(shape)) * item_size(dtype);

  file.write(prefix.data(), prefix.size());
  file.write(text.data(), text.size());
  file.write(data, bytes);
}

}  // namespace tileops::cli
