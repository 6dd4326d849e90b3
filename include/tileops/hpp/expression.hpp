// SPDX-License-Identifier: Apache-2.0
// Expressions: several operators at once, in one pass over memory.
#ifndef TILEOPS_HPP_EXPRESSION_HPP
#define TILEOPS_HPP_EXPRESSION_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tileops/hpp/arguments.hpp"
#include "tileops/hpp/error.hpp"
#include "tileops/hpp/name.hpp"
#include "tileops/hpp/number.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

class Called;
class Node;

namespace detail {
template <class... T>
using enable_if_node = std::enable_if_t<(std::is_base_of_v<Node, T> || ...)>;
}  // namespace detail

// An expression over operators, from a text, by name (named_expression), or built call by call (builder.hpp):
//
//   tileops::Expr swiglu("(g, u, r; scale = 1.0) -> silu(g) * u * scale + r");
//   tileops::Plan plan(swiglu, {g, u, r}, {y});
//   plan.execute({g, u, r}, {y});
//   plan.execute_with({g, u, r}, {y}, swiglu.scalars({{"scale", 0.5}}));
//
// It knows no shapes and no device; plans are made of it as of an operator, and outlive it. Shapes are broadcast node
// by node and dtypes promoted, see tileops.h and infer(). It never changes and may be shared by threads. Move-only:
// copies are asked for, with retain(), and share the expression.
class Expr {
 public:
  Expr() = default;
  // Parses a text. A text that is wrong throws an Error whose offset() is the place.
  explicit Expr(std::string_view text) { check(tileops_expr_parse(text.data(), text.size(), &handle_)); }
  explicit Expr(const char* text) { check(tileops_expr_parse(text, text ? std::strlen(text) : 0, &handle_)); }
  // Takes over a reference.
  explicit Expr(tileops_expr* expr) : handle_(expr) {}
  Expr(Expr&& other) noexcept : handle_(other.release()) {}
  Expr& operator=(Expr&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Expr() { tileops_expr_destroy(handle_); }

  Expr retain() const {
    check(tileops_expr_retain(handle_));
    return Expr(handle_);
  }
  // A temporary's handle would dangle, so it has none to give. Plans and calls still take temporaries.
  const tileops_expr* get() const& { return handle_; }
  operator const tileops_expr*() const& { return handle_; }
  const tileops_expr* get() const&& = delete;
  operator const tileops_expr*() const&& = delete;
  tileops_expr* release() noexcept { return std::exchange(handle_, nullptr); }

  // Operands, scalars, results; what it points to lives as long as the expression.
  tileops_expr_info describe() const& {
    tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
    check(tileops_expr_describe(handle_, &info));
    return info;
  }
  tileops_expr_info describe() const&& = delete;
  // Its nodes, each behind those that it takes, and which of them its results are, numbered from 1 on
  // (tileops_expr_node).
  std::vector<tileops_node_info> nodes() const& {
    std::vector<tileops_node_info> all(static_cast<size_t>(describe().num_listed_nodes), TILEOPS_NODE_INFO_INIT);
    for (size_t i = 0; i < all.size(); ++i)
      check(tileops_expr_node(handle_, static_cast<tileops_node>(i + 1), &all[i]));
    return all;
  }
  std::vector<tileops_node_info> nodes() const&& = delete;
  std::vector<tileops_node> result_nodes() const {
    std::vector<tileops_node> all;
    const tileops_expr_info info = describe();
    for (int32_t i = 0; i < info.num_results; ++i) all.push_back(tileops_expr_result(handle_, static_cast<size_t>(i)));
    return all;
  }
  // The canonical text: of two expressions that mean the same by the same steps the same one.
  std::string text() const {
    size_t size = 0;
    check(tileops_expr_text(handle_, nullptr, &size));
    std::string text(size, '\0');
    check(tileops_expr_text(handle_, &text[0], &size));
    text.resize(std::strlen(text.c_str()));
    return text;
  }

  // Values of scalars by name, in the order of the expression; the others have their defaults. In braces, or any range
  // of pairs such as a std::map<std::string, double>.
  Scalars scalars(std::initializer_list<std::pair<std::string_view, Number>> values) const {
    return scalars<std::initializer_list<std::pair<std::string_view, Number>>>(values);
  }
  template <class Range>
  Scalars scalars(const Range& values) const {
    const tileops_expr_info info = describe();
    std::vector<tileops_number> list(static_cast<size_t>(info.num_scalars));
    for (const auto& [name, number] : values) {
      const size_t at = find(info.scalars, info.num_scalars, name, "tileops::Expr::scalars: no scalar named ");
      if (list[at].kind != TILEOPS_NUMBER_DEFAULT)
        throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::Expr::scalars: given twice: " + std::string(name));
      list[at] = Number(number);
    }
    return list;
  }

  // A part of another expression: of Nodes in an ExprBuilder, numbers and `absent`, for operands and then scalars
  // (builder.hpp).
  template <class... T, class = detail::enable_if_node<T...>>
  Called operator()(const T&... terms) const;

  // The gradient with respect to operands by name, in braces or of any range; see tileops_expr_gradient.
  Expr gradient(std::initializer_list<std::string_view> operands) const {
    return gradient<std::initializer_list<std::string_view>>(operands);
  }
  template <class Range>
  Expr gradient(const Range& operands) const {
    const tileops_expr_info info = describe();
    std::vector<int32_t> indices;
    for (std::string_view name : operands)
      indices.push_back(static_cast<int32_t>(
          find(info.operands, info.num_operands, name, "tileops::Expr::gradient: no operand named ")));
    tileops_expr* out = nullptr;
    check(tileops_expr_gradient(handle_, indices.data(), indices.size(), &out));
    return Expr(out);
  }

 private:
  static size_t find(const tileops_expr_operand_info* list, int32_t count, std::string_view name, const char* refused) {
    for (int32_t i = 0; i < count; ++i)
      if (name == list[i].name) return static_cast<size_t>(i);
    throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, refused + std::string(name));
  }

  tileops_expr* handle_ = nullptr;
};

namespace detail {
// An expression in an argument: an Expr, also a temporary one, or a handle.
struct CallExpr {
  CallExpr(const Expr& expr) : handle(expr.get()) {}
  CallExpr(const tileops_expr* expr) : handle(expr) {}
  CallExpr(const CallExpr&) = delete;
  CallExpr& operator=(const CallExpr&) = delete;
  const tileops_expr* handle;
};
}  // namespace detail

// The expression that the library knows by that name, such as "swiglu_residual" (tileops/expressions.def). An unknown
// name throws an Error of status INVALID_ARGUMENT.
inline Expr named_expression(const detail::Name& name) {
  tileops_expr* out = nullptr;
  check(tileops_expr_named(name.c_str(), &out));
  return Expr(out);
}

// All of them: name, text and one line about each, in static storage.
inline std::vector<tileops_named_expr_info> named_expressions() {
  std::vector<tileops_named_expr_info> all(tileops_expr_named_count(), TILEOPS_NAMED_EXPR_INFO_INIT);
  for (size_t i = 0; i < all.size(); ++i) check(tileops_expr_named_at(i, &all[i]));
  return all;
}

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
