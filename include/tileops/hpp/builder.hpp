// SPDX-License-Identifier: Apache-2.0
// Expressions built call by call, with C++'s operators and a function for each row of the tables.
#ifndef TILEOPS_HPP_BUILDER_HPP
#define TILEOPS_HPP_BUILDER_HPP

#include <type_traits>
#include <utility>
#include <vector>

#include "tileops/hpp/arguments.hpp"
#include "tileops/hpp/error.hpp"
#include "tileops/hpp/expression.hpp"
#include "tileops/hpp/operator.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

struct Term;

// An optional value that is not given: clamp(x, absent, 1).
struct Absent {};
inline constexpr Absent absent{};

// A value in an ExprBuilder: an operand, a scalar, a constant, or what a function gives. Copies are the same value.
//
//   + - * / %   / is div (integers give float32), % remainder; either side may be a number, as below
//   & | ~       bitwise, of integers and bool
//   < <= > >= == !=   give bool
//   silu(x), maximum(x, 0), clamp(x, -1, 1), cast(x, tileops::float16), fma(a, b, c), ...
//
// The functions are those of ops.def and functions.def, found because an argument is a Node. After a function's values
// may come, as in a text, attributes in the table's order, or attributes by key: gelu(x, attr(op("gelu"),
// "approximate", "tanh")). What expressions cannot have (yet) is an error of finish().
class Node {
 public:
  tileops_builder* builder() const { return builder_; }
  tileops_node id() const { return id_; }

#define TILEOPS_HPP_BINARY(sign, NAME)                                                              \
  friend Node operator sign(const Node& a, const Node& b) { return call(TILEOPS_OP_##NAME, a, b); } \
  friend Node operator sign(const Node& a, const Term& b) { return call(TILEOPS_OP_##NAME, a, b); } \
  friend Node operator sign(const Number& a, const Node& b) { return b.after(TILEOPS_OP_##NAME, a); }
  TILEOPS_HPP_BINARY(+, ADD)
  TILEOPS_HPP_BINARY(-, SUB)
  TILEOPS_HPP_BINARY(*, MUL)
  TILEOPS_HPP_BINARY(/, DIV)
  TILEOPS_HPP_BINARY(%, REMAINDER)
  TILEOPS_HPP_BINARY(&, BITWISE_AND)
  TILEOPS_HPP_BINARY(|, BITWISE_OR)
  TILEOPS_HPP_BINARY(<, LT)
  TILEOPS_HPP_BINARY(<=, LE)
  TILEOPS_HPP_BINARY(>, GT)
  TILEOPS_HPP_BINARY(>=, GE)
  TILEOPS_HPP_BINARY(==, EQ)
  TILEOPS_HPP_BINARY(!=, NE)
#undef TILEOPS_HPP_BINARY
  friend Node operator-(const Node& x) { return call(TILEOPS_OP_NEG, x); }
  friend Node operator~(const Node& x) { return call(TILEOPS_OP_BITWISE_NOT, x); }

#define TILEOPS_OP(id, NAME, name, ...)               \
  template <class... T>                               \
  friend Node name(const Node& x, const T&... rest) { \
    return call(TILEOPS_OP_##NAME, x, rest...);       \
  }
#define TILEOPS_FUNCTION TILEOPS_OP
#include "tileops/functions.def"
#include "tileops/ops.def"
#undef TILEOPS_FUNCTION
#undef TILEOPS_OP

 private:
  friend class ExprBuilder;
  Node(tileops_builder* builder, tileops_node id) : builder_(builder), id_(id) {}

  // Terms and attributes of a call, as C takes them.
  struct Call {
    tileops_builder* builder;
    std::vector<tileops_node> nodes;
    std::vector<tileops_attr> attrs;

    void add(const tileops_attr& attr) { attrs.push_back(attr); }
    inline void add(const Term& term);
    Node made(tileops_op op) const {
      return {builder, tileops_build_op(builder, op, nodes.data(), nodes.size(), attrs.data(), attrs.size())};
    }
  };

  template <class... T>
  static Node call(tileops_op op, const Node& x, const T&... rest);
  Node after(tileops_op op, const Number& first) const {
    return call(op, Node(builder_, tileops_build_constant(builder_, first)), *this);
  }

  tileops_builder* builder_;
  tileops_node id_;
};

// What a function takes: a Node, a number, `absent`, or the dtype of a cast.
struct Term {
  Term(const Node& n) : kind(node), id(n.id()), builder(n.builder()) {}
  Term(const Number& n) : kind(number), value(n) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Term(T n) : Term(Number(n)) {}
  Term(Absent) : kind(none) {}
  Term(DLDataType d) : kind(dtype), type(d) {}

  enum Kind { node, number, none, dtype } kind;
  tileops_node id = 0;
  tileops_builder* builder = nullptr;
  tileops_number value{};
  DLDataType type{};
};

inline void Node::Call::add(const Term& term) {
  switch (term.kind) {
    case Term::node: return nodes.push_back(term.builder == builder ? term.id : -1);  // -1: the library refuses it
    case Term::number: return nodes.push_back(tileops_build_constant(builder, term.value));
    case Term::dtype: attrs.push_back(attr(TILEOPS_ATTR_DTYPE, int64_t{term.type.code} * 256 + term.type.bits)); break;
    case Term::none: break;
  }
  nodes.push_back(0);
}

template <class... T>
Node Node::call(tileops_op op, const Node& x, const T&... rest) {
  Call c{x.builder_, {}, {}};
  c.add(Term(x));
  (c.add(rest), ...);
  return c.made(op);
}

// Builds an Expr call by call:
//
//   tileops::ExprBuilder b;
//   const auto g = b.operand("g"), u = b.operand("u"), r = b.operand("r");
//   b.result(silu(g) * u * b.scalar("scale", 1.0) + r);
//   const tileops::Expr expr = b.finish();
//
// The first error sticks: calls after it do nothing, and finish() throws it. Used by one thread at a time; its nodes
// live as long as it does.
class ExprBuilder {
 public:
  ExprBuilder() { check(tileops_builder_create(&handle_)); }
  ExprBuilder(ExprBuilder&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  ExprBuilder& operator=(ExprBuilder&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~ExprBuilder() { tileops_builder_destroy(handle_); }
  tileops_builder* get() const { return handle_; }

  Node operand(const char* name) { return {handle_, tileops_build_operand(handle_, name, nullptr)}; }
  // One that is `value` where it is absent.
  Node operand(const char* name, const Number& value) {
    const tileops_number number = value;
    return {handle_, tileops_build_operand(handle_, name, &number)};
  }
  // Its default says whether it is an integer or a float.
  Node scalar(const char* name, const Number& value) { return {handle_, tileops_build_scalar(handle_, name, value)}; }
  Node constant(const Number& value) { return {handle_, tileops_build_constant(handle_, value)}; }

  // The function of a row that this header does not know, or of a number of values known when the program runs.
  Node apply(tileops_op op, const std::vector<Term>& terms, const Attrs& attrs = {}) {
    Node::Call c{handle_, {}, {attrs.data(), attrs.data() + attrs.size()}};
    for (const Term& term : terms) c.add(term);
    return c.made(op);
  }

  // Makes a value the next result; without a name it is y0, y1, ...
  void result(const Node& node, const char* name = nullptr) {
    tileops_build_result(handle_, node.builder() == handle_ ? node.id() : -1, name);
  }
  Expr finish() {
    tileops_expr* expr = nullptr;
    check(tileops_builder_finish(handle_, &expr));
    return Expr(expr);
  }

 private:
  tileops_builder* handle_ = nullptr;
};

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
