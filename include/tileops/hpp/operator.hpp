// SPDX-License-Identifier: Apache-2.0
// Operators and attributes by name.
#ifndef TILEOPS_HPP_OPERATOR_HPP
#define TILEOPS_HPP_OPERATOR_HPP

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "tileops/hpp/error.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

// The operator of that name.
inline tileops_op op(const char* name) {
  const tileops_op found = tileops_op_from_name(name);
  if (found == TILEOPS_OP_NONE)
    throw Error(TILEOPS_STATUS_INVALID_ARGUMENT,
                std::string("tileops::op: no operator named ") + (name ? name : "NULL"));
  return found;
}

inline tileops_op_info describe(tileops_op op) {
  tileops_op_info info = TILEOPS_OP_INFO_INIT;
  check(tileops_op_describe(op, &info));
  return info;
}

// The key of an attribute's name, such as TILEOPS_ATTR_ALPHA for "alpha".
inline tileops_attr_key attr_key(const char* name) {
  static constexpr struct {
    tileops_attr_key key;
    const char* name;
  } known[] = {
#define TILEOPS_ATTR(id, NAME, name, doc) {id, #name},
#include "tileops/attrs.def"
#undef TILEOPS_ATTR
  };
  for (const auto& attribute : known)
    if (name && !std::strcmp(name, attribute.name)) return attribute.key;
  throw Error(TILEOPS_STATUS_INVALID_ARGUMENT,
              std::string("tileops::attr: no attribute named ") + (name ? name : "NULL"));
}

// attr(TILEOPS_ATTR_ALPHA, 2.0) or attr("alpha", 2.0). Whole numbers, bool and the constants of choices are taken as
// TILEOPS_ATTR_I64, others as TILEOPS_ATTR_F64; the library accepts either where it is exact.
template <class T>
tileops_attr attr(tileops_attr_key key, T value) {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "tileops: attributes are numbers");
  tileops_attr result{};
  result.key = key;
  if constexpr (std::is_floating_point_v<T>) {
    result.kind = TILEOPS_ATTR_F64;
    result.value.f64 = static_cast<double>(value);
  } else {
    result.kind = TILEOPS_ATTR_I64;
    result.value.i64 = static_cast<int64_t>(value);
  }
  return result;
}
template <class T>
tileops_attr attr(const char* name, T value) {
  return attr(attr_key(name), value);
}

// An attribute with named choices: attr(op("gelu"), "approximate", "tanh").
inline tileops_attr attr(tileops_op op, const char* name, const char* choice) {
  const tileops_op_info info = describe(op);
  const tileops_attr_key key = attr_key(name);
  for (int32_t i = 0; i < info.num_attrs; ++i) {
    if (info.attrs[i].key != key || !info.attrs[i].choices) continue;
    std::string rest = info.attrs[i].choices;
    for (int64_t index = 0;; ++index) {
      const size_t bar = rest.find('|');
      if (rest.substr(0, bar) == choice) return attr(key, index);
      if (bar == std::string::npos) break;
      rest.erase(0, bar + 1);
    }
    throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, std::string("tileops::attr: ") + name + ": no choice " + choice +
                                                     " (need one of " + info.attrs[i].choices + ")");
  }
  throw Error(TILEOPS_STATUS_INVALID_ARGUMENT,
              std::string("tileops::attr: ") + info.name + " has no attribute with choices named " + name);
}

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
