// SPDX-License-Identifier: Apache-2.0
// Operators and attributes by name.
#ifndef TILEOPS_HPP_OPERATOR_HPP
#define TILEOPS_HPP_OPERATOR_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "tileops/hpp/error.hpp"
#include "tileops/hpp/name.hpp"
#include "tileops/hpp/number.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

// The operator of that name.
inline tileops_op op(const detail::Name& name) {
  const tileops_op found = tileops_op_from_name(name.c_str());
  if (found == TILEOPS_OP_NONE)
    throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::op: no operator named " + name.shown());
  return found;
}

inline tileops_op_info describe(tileops_op op) {
  tileops_op_info info = TILEOPS_OP_INFO_INIT;
  check(tileops_op_describe(op, &info));
  return info;
}

// The key of an attribute's name, such as TILEOPS_ATTR_ALPHA for "alpha".
inline tileops_attr_key attr_key(const detail::Name& name) {
  static constexpr struct {
    tileops_attr_key key;
    const char* name;
  } known[] = {
#define TILEOPS_ATTR(id, NAME, name, doc) {id, #name},
#include "tileops/attrs.def"
#undef TILEOPS_ATTR
  };
  for (const auto& attribute : known)
    if (name == attribute.name) return attribute.key;
  throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::attr: no attribute named " + name.shown());
}

// attr(TILEOPS_ATTR_ALPHA, 2.0) or attr("alpha", 2.0). Whole numbers, bool and the constants of choices are taken as
// TILEOPS_ATTR_I64, others as TILEOPS_ATTR_F64; the library accepts either where it is exact. A number that neither
// holds is refused; a seed alone, which is a pattern of bits, may be any of 64 bits.
template <class T, class = std::enable_if_t<detail::is_number_v<T> || std::is_enum_v<T>>>
tileops_attr attr(tileops_attr_key key, T value) {
  if constexpr (std::is_enum_v<T>) {
    return attr(key, static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (detail::is_integer_v<T>) {
    const bool bits = key == TILEOPS_ATTR_SEED;
    return tileops_attr_i64(key, bits ? static_cast<int64_t>(value) : detail::to_int64(value, "tileops::attr"));
  } else {
    return tileops_attr_f64(key, detail::to_double(value, "tileops::attr"));
  }
}
template <class T, class = std::enable_if_t<detail::is_number_v<T> || std::is_enum_v<T>>>
tileops_attr attr(const detail::Name& name, T value) {
  return attr(attr_key(name), value);
}

// An attribute with named choices: attr(op("gelu"), "approximate", "tanh").
inline tileops_attr attr(tileops_op op, const detail::Name& name, const detail::Name& choice) {
  const tileops_op_info info = describe(op);
  const tileops_attr_key key = attr_key(name);
  for (int32_t i = 0; i < info.num_attrs; ++i) {
    if (info.attrs[i].key != key || !info.attrs[i].choices) continue;
    std::string rest = info.attrs[i].choices;
    for (int64_t index = 0;; ++index) {
      const size_t bar = rest.find('|');
      if (choice == std::string_view(rest).substr(0, bar)) return attr(key, index);
      if (bar == std::string::npos) break;
      rest.erase(0, bar + 1);
    }
    throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::attr: " + name.shown() + ": no choice " + choice.shown() +
                                                     " (need one of " + info.attrs[i].choices + ")");
  }
  throw Error(TILEOPS_STATUS_INVALID_ARGUMENT,
              std::string("tileops::attr: ") + info.name + " has no attribute with choices named " + name.shown());
}

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
