#include "api/function_name.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>
#include <string_view>

#include "base/error.h"

namespace tileops::api {
namespace {

bool is_identifier(const char* name) {
  const auto is_in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  size_t length = 0;
  for (; name[length]; ++length)
    if (length == 64 || !is_in_name(name[length])) return false;
  return length > 0 && !std::isdigit(static_cast<unsigned char>(name[0]));
}

template <size_t N>
bool is_in(const std::string_view (&list)[N], std::string_view name) {
  return std::find(list, list + N, name) != list + N;
}

// The keywords of C++20, among which are all of C++17.
constexpr std::string_view kKeywords[] = {
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "typeof",       "union",
    "unsigned",    "using",    "virtual",    "void",      "volatile",  "wchar_t",      "while",
    "xor",         "xor_eq"};

// Names that a file of CUDA code has at its outermost level and that no function template may have: types, variables,
// macros, and those of the header itself.
constexpr std::string_view kTaken[] = {
    "main",      "N",        "Lanes",       "Pack",         "tileops",     "std",       "threadIdx",
    "blockIdx",  "blockDim", "gridDim",     "warpSize",     "dim3",        "half",      "half2",
    "nv_half",   "nv_half2", "nv_bfloat16", "nv_bfloat162", "uchar",       "ushort",    "uint",
    "ulong",     "size_t",   "ptrdiff_t",   "nullptr_t",    "max_align_t", "clock_t",   "time_t",
    "div_t",     "ldiv_t",   "lldiv_t",     "int8_t",       "int16_t",     "int32_t",   "int64_t",
    "uint8_t",   "uint16_t", "uint32_t",    "uint64_t",     "intptr_t",    "uintptr_t", "intmax_t",
    "uintmax_t", "FILE",     "NULL",        "INFINITY",     "NAN",         "HUGE_VAL",  "assert",
    "errno",     "EOF",      "stdin",       "stdout",       "stderr",      "linux",     "unix",
    "i386"};

// float4, ulonglong2 and the like.
bool is_vector_type(std::string_view name) {
  if (name.size() < 2 || name.back() < '1' || name.back() > '4') return false;
  name.remove_suffix(1);
  constexpr std::string_view types[] = {"char", "uchar", "short",    "ushort",    "int",   "uint",
                                        "long", "ulong", "longlong", "ulonglong", "float", "double"};
  return is_in(types, name);
}

}  // namespace

void require_function_name(const char* name) {
  if (!is_identifier(name))
    invalid("name: is no identifier of C++ of at most 64 letters, digits and underscores (got '%.64s')", name);
  const std::string_view text = name;
  if (is_in(kKeywords, text)) invalid("name: '%s' is a keyword of C++; give the function another name", name);
  if (text.find("__") != text.npos || (text[0] == '_' && (text.size() == 1 || !std::islower(text[1]))))
    invalid("name: '%s' is reserved, as names with '__' or '_' in front are; give the function another name", name);
  if (is_in(kTaken, text) || is_vector_type(text))
    invalid("name: '%s' means something else in CUDA code; give the function another name", name);
}

}  // namespace tileops::api
