// SPDX-License-Identifier: Apache-2.0
// Expressions built call by call, with C++'s operators and a function for each row of the tables.
#ifndef TILEOPS_HPP_BUILDER_HPP
#define TILEOPS_HPP_BUILDER_HPP

#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "tileops/hpp/arguments.hpp"
#include "tileops/hpp/error.hpp"
#include "tileops/hpp/expression.hpp"
#include "tileops/hpp/name.hpp"
#include "tileops/hpp/number.hpp"
#include "tileops/hpp/operator.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

struct Term;

// An optional value that is not given: clamp(x, absent, 1).
struct Absent {};
inline constexpr Absent absent{};

// A value in an ExprBuilder: an operand, a scalar, a constant, or what a function gives. Copies are the same value, and
// a value that outlives its builder can be given to functions, to no effect.
//
//   + - * / %   / is div (integers give float32), % remainder; either side may be a number, as below
//   & | ~       bitwise, of integers and bool
//   < <= > >= == !=   give bool
//   silu(x), maximum(0, x), clamp(x, -1, 1), cast(x, tileops::float16), fma(2, a, b), ...
//
// The functions are those of ops.def and functions.def, found because an argument is a Node, whichever; the others may
// be numbers. A number that is no int64, float64 or bool is thrown as an Error at once. After a function's values may
// come, as in a text, attributes in the table's order, or attributes by key: gelu(x, attr(op("gelu"), "approximate",
// "tanh")); those of functions along axes are in rows.hpp. What expressions cannot have (yet) is an error of finish().
class Node {
 public:
  tileops_builder* builder() const& { return builder_.get(); }
  tileops_builder* builder() const&& = delete;
  tileops_node id() const { return id_; }

#define TILEOPS_HPP_BINARY(sign, NAME)                                                              \
  friend Node operator sign(const Node& a, const Node& b) { return call(TILEOPS_OP_##NAME, a, b); } \
  friend Node operator sign(const Node& a, const Term& b) { return call(TILEOPS_OP_##NAME, a, b); } \
  friend Node operator sign(const Number& a, const Node& b) { return call(TILEOPS_OP_##NAME, a, b); }
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

#define TILEOPS_OP(id, NAME, name, ...)                       \
  template <class... T, class = detail::enable_if_node<T...>> \
  friend Node name(const T&... values) {                      \
    return call(TILEOPS_OP_##NAME, values...);                \
  }
#define TILEOPS_FUNCTION TILEOPS_OP
#include "tileops/functions.def"
#include "tileops/ops.def"
#undef TILEOPS_FUNCTION
#undef TILEOPS_OP

 private:
  friend class Called;
  friend class Expr;
  friend class ExprBuilder;
  friend struct Term;
  // Values share the builder, so that none points to one that is gone.
  using Builder = std::shared_ptr<tileops_builder>;
  Node(Builder builder, tileops_node id) : builder_(std::move(builder)), id_(id) {}

  // Terms and attributes of a call, as C takes them.
  struct Call {
    Builder builder;
    std::vector<tileops_node> nodes;
    std::vector<tileops_attr> attrs;

    void add(const tileops_attr& attr) { attrs.push_back(attr); }
    inline void add(const Term& term);
    Node made(tileops_op op) const {
      return {builder, tileops_build_op(builder.get(), op, nodes.data(), nodes.size(), attrs.data(), attrs.size())};
    }
  };

  // In the builder of the first Node.
  template <class... T>
  static Node call(tileops_op op, const T&... values) {
    const Node* first = nullptr;
    ((first = first ? first : as_node(values)), ...);
    Call c{first->builder_, {}, {}};
    (c.add(values), ...);
    return c.made(op);
  }
  template <class T>
  static const Node* as_node(const T& value) {
    if constexpr (std::is_base_of_v<Node, T>) return &value;
    else return nullptr;
  }

  Builder builder_;
  tileops_node id_;
};

// What a function takes: a Node, a number, `absent`, or the dtype of a cast.
struct Term {
  Term(const Node& n) : kind(node), id(n.id_), builder(n.builder_) {}
  Term(const Number& n) : kind(number), value(n) {}
  template <class T, class = std::enable_if_t<detail::is_number_v<T>>>
  Term(T n) : Term(Number(n)) {}
  Term(Absent) : kind(none) {}
  Term(DLDataType d) : kind(dtype), type(d) {}

  enum Kind { node, number, none, dtype } kind;
  tileops_node id = 0;
  std::shared_ptr<tileops_builder> builder;
  tileops_number value{};
  DLDataType type{};
};

// What a text gives that is called in a builder, as a part of what is built: its results and, where there is one alone,
// a Node that is this one.
//
//   const tileops::Expr norm = tileops::named_expression("add_rms_norm");
//   const tileops::Called sum = norm(b.operand("x"), b.operand("r"), absent, 1e-5);
//   b.result(silu(sum[0]));
//   b.result(sum[1], "h");
class Called : public Node {
 public:
  size_t size() const { return results_.size(); }
  Node operator[](size_t i) const { return {builder_, i < results_.size() ? results_[i] : -1}; }

 private:
  friend class Expr;
  friend class ExprBuilder;
  Called(Builder builder, std::vector<tileops_node> results)
      : Node(std::move(builder), results.size() == 1 ? results[0] : -1), results_(std::move(results)) {}

  static Called made(const tileops_expr* expr, const Call& call) {
    tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
    check(tileops_expr_describe(expr, &info));
    std::vector<tileops_node> results(static_cast<size_t>(info.num_results));
    tileops_build_expr(call.builder.get(), expr, call.nodes.data(), call.nodes.size(), results.data());
    return {call.builder, std::move(results)};
  }

  std::vector<tileops_node> results_;
};

inline void Node::Call::add(const Term& term) {
  switch (term.kind) {
    case Term::node: return nodes.push_back(term.builder == builder ? term.id : -1);  // -1: the library refuses it
    case Term::number: return nodes.push_back(tileops_build_constant(builder.get(), term.value));
    case Term::dtype: attrs.push_back(attr(TILEOPS_ATTR_DTYPE, int64_t{term.type.code} * 256 + term.type.bits)); break;
    case Term::none: break;
  }
  nodes.push_back(0);
}

template <class... T, class>
Called Expr::operator()(const T&... terms) const {
  const Node* first = nullptr;
  ((first = first ? first : Node::as_node(terms)), ...);
  Node::Call c{first->builder_, {}, {}};
  (c.add(Term(terms)), ...);
  return Called::made(handle_, c);
}

// Builds an Expr call by call:
//
//   tileops::ExprBuilder b;
//   const auto g = b.operand("g"), u = b.operand("u"), r = b.operand("r");
//   b.result(silu(g) * u * b.scalar("scale", 1.0) + r);
//   const tileops::Expr expr = b.finish();
//
// The first error sticks: calls after it do nothing, and finish() throws it. Used by one thread at a time, its nodes
// included.
class ExprBuilder {
 public:
  ExprBuilder() {
    tileops_builder* made = nullptr;
    check(tileops_builder_create(&made));
    handle_.reset(made, tileops_builder_destroy);
  }
  ExprBuilder(ExprBuilder&&) noexcept = default;
  ExprBuilder& operator=(ExprBuilder&&) noexcept = default;
  tileops_builder* get() const& { return handle_.get(); }
  tileops_builder* get() const&& = delete;

  Node operand(const detail::Name& name) {
    return {handle_, tileops_build_operand(handle_.get(), name.c_str(), nullptr)};
  }
  // One that is `value` where it is absent.
  Node operand(const detail::Name& name, const Number& value) {
    return {handle_, tileops_build_operand(handle_.get(), name.c_str(), &value.number)};
  }
  // Its default says whether it is an integer or a float.
  Node scalar(const detail::Name& name, const Number& value) {
    return {handle_, tileops_build_scalar(handle_.get(), name.c_str(), value)};
  }
  Node constant(const Number& value) { return {handle_, tileops_build_constant(handle_.get(), value)}; }

  // The function of a row that this header does not know, or of a number of values known when the program runs: in
  // braces, or any range of nodes, numbers or terms.
  Node apply(tileops_op op, std::initializer_list<Term> terms, const Attrs& attrs = {}) {
    return apply<std::initializer_list<Term>>(op, terms, attrs);
  }
  template <class Range>
  Node apply(tileops_op op, const Range& terms, const Attrs& attrs = {}) {
    Node::Call c{handle_, {}, {attrs.data(), attrs.data() + attrs.size()}};
    for (const auto& term : terms) c.add(Term(term));
    return c.made(op);
  }

  // A text as a part of this one, written out: terms are its operands and then its scalars, of which `absent`, and what
  // is left off at the end, are their defaults. Where one of the terms is a Node, expr(terms...) is the same.
  Called call(const detail::CallExpr& expr, std::initializer_list<Term> terms) {
    Node::Call c{handle_, {}, {}};
    for (const Term& term : terms) c.add(term);
    return Called::made(expr.handle, c);
  }

  // Makes a value the next result; without a name it is y0, y1, ...
  void result(const Node& node, const detail::Name& name = nullptr) {
    tileops_build_result(handle_.get(), node.builder_ == handle_ ? node.id() : -1, name.c_str());
  }
  Expr finish() {
    tileops_expr* expr = nullptr;
    check(tileops_builder_finish(handle_.get(), &expr));
    return Expr(expr);
  }

 private:
  Node::Builder handle_;
};

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
