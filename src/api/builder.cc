// Building an expression call by call.
#include <algorithm>
#include <cmath>
#include <utility>

#include "api/guard.h"
#include "api/handles.h"
#include "expr/nodes/builder.h"

struct tileops_builder {
  tileops::expr::Builder builder;
  // The first call that failed, and how; NULL: none has.
  const char* failed = nullptr;
  tileops::Error error{};
};

namespace tileops::api {
namespace {

expr::Number number_from(const tileops_number& n, const char* what) {
  switch (n.kind) {
    case TILEOPS_NUMBER_F64: return expr::Number::of(n.value.f64);
    case TILEOPS_NUMBER_I64: return expr::Number::of(n.value.i64);
    case TILEOPS_NUMBER_BOOL: return expr::Number::of(n.value.i64 != 0);
    default: invalid("%s: has an unknown kind (got %d, need TILEOPS_NUMBER_F64, _I64 or _BOOL)", what, n.kind);
  }
}

// A dtype as a text has it, of code * 256 + bits.
expr::Number dtype_number(const tileops_attr& a) {
  const double given = a.kind == TILEOPS_ATTR_F64 ? a.value.f64 : static_cast<double>(a.value.i64);
  const bool fits = given >= 0 && given <= 0xffff && given == std::floor(given);
  const int code_and_bits = fits ? static_cast<int>(given) : 0;
  const DLDataType dl{static_cast<uint8_t>(code_and_bits >> 8), static_cast<uint8_t>(code_and_bits), 1};
  Dtype dtype;
  if (!fits || !dtype_from_dl(dl, &dtype))
    invalid("attrs: 'dtype' is no dtype (got %.10g, need DLPack's code * 256 + bits)", given);
  return expr::Number::of(static_cast<int64_t>(dtype));
}

// A call of the builder. After one that failed they do nothing; which one it was is told by tileops_builder_finish.
template <class F>
tileops_node build(const char* function, tileops_builder* b, F&& body) noexcept {
  if (!b || b->failed || b->builder.error()) return 0;
  const FloatEnvironment usual;
  try {
    const tileops_node node = body(b->builder);
    const Error* error = b->builder.error();
    if (!error) return node;
    b->error = *error;
  } catch (Error& e) {
    b->error = std::move(e);
  } catch (const std::bad_alloc&) {
    b->error = Error{TILEOPS_STATUS_OUT_OF_MEMORY, "out of memory"};
  } catch (...) {
    b->error = Error{TILEOPS_STATUS_INTERNAL, "internal"};
  }
  b->failed = function;
  return 0;
}

std::vector<expr::Given> given_of(const tileops_attr* attrs, size_t count) {
  if (count && !attrs) invalid("attrs: is NULL");
  if (count > TILEOPS_MAX_ATTRS)
    invalid("num_attrs: is too large (got %zu, need at most %d)", count, TILEOPS_MAX_ATTRS);
  std::vector<expr::Given> given;
  for (size_t i = 0; i < count; ++i) {
    const tileops_attr& a = attrs[i];
    if (a.kind != TILEOPS_ATTR_F64 && a.kind != TILEOPS_ATTR_I64)
      invalid("attrs[%zu]: has an unknown kind (got %d, need TILEOPS_ATTR_F64 or TILEOPS_ATTR_I64)", i, a.kind);
    expr::Number value = a.kind == TILEOPS_ATTR_F64 ? expr::Number::of(a.value.f64) : expr::Number::of(a.value.i64);
    if (a.key == TILEOPS_ATTR_DTYPE) value = dtype_number(a);
    given.push_back({a.key, value});
  }
  return given;
}

}  // namespace
}  // namespace tileops::api

using namespace tileops;
using namespace tileops::api;

tileops_status tileops_builder_create(tileops_builder** out) {
  return guard("tileops_builder_create", [&] {
    if (!out) invalid("out: is NULL");
    *out = nullptr;
    *out = new tileops_builder;
  });
}

void tileops_builder_destroy(tileops_builder* builder) { delete builder; }

tileops_node tileops_build_operand(tileops_builder* builder, const char* name, const tileops_number* value) {
  return build("tileops_build_operand", builder, [&](expr::Builder& b) {
    if (!name) invalid("name: is NULL");
    return value ? b.operand(name, number_from(*value, "value")) : b.operand(name);
  });
}

tileops_node tileops_build_scalar(tileops_builder* builder, const char* name, tileops_number value) {
  return build("tileops_build_scalar", builder, [&](expr::Builder& b) {
    if (!name) invalid("name: is NULL");
    return b.scalar(name, number_from(value, "value"));
  });
}

tileops_node tileops_build_constant(tileops_builder* builder, tileops_number value) {
  return build("tileops_build_constant", builder,
               [&](expr::Builder& b) { return b.constant(number_from(value, "value")); });
}

tileops_node tileops_build_op(tileops_builder* builder, tileops_op op, const tileops_node* arguments,
                              size_t num_arguments, const tileops_attr* attrs, size_t num_attrs) {
  return build("tileops_build_op", builder, [&](expr::Builder& b) {
    if (num_arguments && !arguments) invalid("arguments: is NULL");
    if (num_arguments > TILEOPS_MAX_INPUTS + TILEOPS_MAX_ATTRS)
      invalid("num_arguments: is too large (got %zu, need at most %d)", num_arguments,
              TILEOPS_MAX_INPUTS + TILEOPS_MAX_ATTRS);
    std::vector<expr::Use> uses;
    for (size_t i = 0; i < num_arguments; ++i) uses.push_back({arguments[i]});
    return b.op(op, uses, given_of(attrs, num_attrs));
  });
}

void tileops_build_expr(tileops_builder* builder, const tileops_expr* expr, const tileops_node* arguments,
                        size_t num_arguments, tileops_node* results) {
  build("tileops_build_expr", builder, [&](expr::Builder& b) {
    const expr::Graph& text = *expr_of(expr).graph;
    if (!results) invalid("results: is NULL");
    std::fill_n(results, text.results.size(), 0);
    if (num_arguments && !arguments) invalid("arguments: is NULL");
    const size_t most = text.operands.size() + text.scalars.size();
    if (num_arguments > most) invalid("num_arguments: is too large (got %zu, need at most %zu)", num_arguments, most);
    std::vector<expr::Use> uses;
    for (size_t i = 0; i < num_arguments; ++i) uses.push_back({arguments[i]});
    const std::vector<expr::NodeHandle> made = b.text(text, "expr", uses);
    std::copy(made.begin(), made.end(), results);
    return 0;
  });
}

void tileops_build_result(tileops_builder* builder, tileops_node node, const char* name) {
  build("tileops_build_result", builder, [&](expr::Builder& b) { return b.result(node, name ? name : ""), 0; });
}

tileops_status tileops_builder_finish(tileops_builder* builder, tileops_expr** out) {
  return guard("tileops_builder_finish", [&] {
    if (!out) invalid("out: is NULL");
    *out = nullptr;
    if (!builder) invalid("builder: is NULL");
    if (builder->failed) {
      Error e = builder->error;
      e.message = std::string(builder->failed) + ": " + e.message;
      throw e;
    }
    *out = new_expr_handle(builder->builder.finish());
  });
}
