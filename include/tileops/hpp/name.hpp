// SPDX-License-Identifier: Apache-2.0
// Names and ranges, as arguments.
#ifndef TILEOPS_HPP_NAME_HPP
#define TILEOPS_HPP_NAME_HPP

#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tileops/hpp/error.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {
namespace detail {

// A name in an argument: a literal, a string or a string_view, which need not end with NUL. nullptr is no name.
class Name {
 public:
  Name(const char* name) : given_(name != nullptr), text_(name ? name : "") {}
  Name(const std::string& name) : Name(std::string_view(name)) {}
  Name(std::string_view name) : given_(true), text_(name) {
    if (name.find('\0') != name.npos)  // C would read another name, up to there
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT,
                  "tileops: a name has a NUL character (after '" + std::string(name.substr(0, name.find('\0'))) + "')");
  }
  const char* c_str() const& { return given_ ? text_.c_str() : nullptr; }
  const char* c_str() const&& = delete;
  std::string shown() const { return given_ ? text_ : "NULL"; }
  friend bool operator==(const Name& a, std::string_view b) { return a.given_ && a.text_ == b; }

 private:
  bool given_;
  std::string text_;
};

// What the elements of a range are when they are read: a reference, or a value where the range makes them.
template <class Range>
using element_t = decltype(*std::begin(std::declval<Range&>()));

}  // namespace detail
}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
