// Expressions: parsing, lifetime, properties, gradients.
#include "api/guard.h"
#include "api/handles.h"
#include "expr/gradient/gradient.h"
#include "expr/lower/formula.h"
#include "expr/parse/named.h"
#include "expr/parse/parser.h"

namespace tileops::api {
namespace {

HandlePool<tileops_expr>& pool() {
  static auto* p = new HandlePool<tileops_expr>;
  return *p;
}

ExprDescription describe(const expr::Graph& graph) {
  ExprDescription d;
  for (const expr::Operand& o : graph.operands)
    d.operands.push_back({o.name.c_str(), o.optional, 0, o.optional ? number_of(o.value) : tileops_number{}});
  for (const expr::Scalar& s : graph.scalars) d.scalars.push_back({s.name.c_str(), 1, 0, number_of(s.value)});
  for (const expr::Result& r : graph.results) d.results.push_back(r.name.c_str());
  return d;
}

}  // namespace

tileops_number number_of(const expr::Number& n) {
  switch (n.type) {
    case expr::Number::Type::boolean: return tileops_number_bool(static_cast<int>(n.i64));
    case expr::Number::Type::i64: return tileops_number_i64(n.i64);
    default: return tileops_number_f64(n.f64);
  }
}

const tileops_expr& expr_of(const tileops_expr* handle) {
  if (!handle) invalid("expr: is NULL");
  if (handle->mark.load(std::memory_order_acquire) != kExprMark)
    invalid("expr: is not a live expression (already destroyed?)");
  return *handle;
}

tileops_expr* new_expr_handle(std::shared_ptr<const expr::Graph> graph) {
  auto formula = expr::make_formula(graph);
  ExprDescription description = describe(*graph);
  ExprNodes nodes = nodes_of(*graph);
  tileops_expr* handle = pool().take();
  handle->graph = std::move(graph);
  handle->formula = std::move(formula);
  handle->description = std::move(description);
  handle->nodes = std::move(nodes);
  handle->references.store(1, std::memory_order_relaxed);
  handle->mark.store(kExprMark, std::memory_order_release);
  return handle;
}

}  // namespace tileops::api

using namespace tileops;
using namespace tileops::api;

tileops_status tileops_expr_parse(const char* text, size_t length, tileops_expr** out) {
  return guard("tileops_expr_parse", [&] {
    if (!out) invalid("out: is NULL");
    *out = nullptr;
    if (!text && length) invalid("text: is NULL");
    *out = new_expr_handle(expr::parse({text, length}));
  });
}

size_t tileops_expr_named_count(void) { return expr::kNumNamed; }

tileops_status tileops_expr_named_at(size_t i, tileops_named_expr_info* out) {
  return guard("tileops_expr_named_at", [&] {
    if (!out) invalid("info: is NULL");
    if (i >= expr::kNumNamed) invalid("i: is out of range (got %zu, need less than %zu)", i, expr::kNumNamed);
    tileops_named_expr_info info = TILEOPS_NAMED_EXPR_INFO_INIT;
    info.name = expr::kNamed[i].name;
    info.text = expr::kNamed[i].text;
    info.doc = expr::kNamed[i].doc;
    write_struct(out, "info", info);
  });
}

tileops_status tileops_expr_named(const char* name, tileops_expr** out) {
  return guard("tileops_expr_named", [&] {
    if (!out) invalid("out: is NULL");
    *out = nullptr;
    if (!name) invalid("name: is NULL");
    auto graph = expr::find_named(name);
    if (!graph) invalid("name: there is no expression '%.64s'", name);
    *out = new_expr_handle(std::move(graph));
  });
}

tileops_status tileops_expr_retain(const tileops_expr* expr) {
  return guard("tileops_expr_retain", [&] { expr_of(expr).references.fetch_add(1, std::memory_order_relaxed); });
}

void tileops_expr_destroy(const tileops_expr* handle) {
  guard("tileops_expr_destroy", [&] {
    if (!handle || handle->mark.load(std::memory_order_acquire) != kExprMark) return;
    if (handle->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    uint64_t expected = kExprMark;
    if (!handle->mark.compare_exchange_strong(expected, 0)) return;
    auto* expr = const_cast<tileops_expr*>(handle);
    expr->graph.reset();
    expr->formula.reset();
    expr->description = {};
    expr->nodes = {};
    pool().give(expr);
  });
}

tileops_status tileops_expr_describe(const tileops_expr* handle, tileops_expr_info* out) {
  return guard("tileops_expr_describe", [&] {
    const tileops_expr& expr = expr_of(handle);
    if (!out) invalid("info: is NULL");
    const expr::Counts counts = expr::count(*expr.graph);
    tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
    info.num_operands = counts.operands;
    info.min_operands = counts.min_operands;
    info.num_scalars = counts.scalars;
    info.num_results = counts.results;
    info.num_nodes = counts.nodes;
    info.num_host_nodes = counts.host_nodes;
    info.num_listed_nodes = static_cast<int32_t>(expr.nodes.nodes.size());
    info.operands = expr.description.operands.data();
    info.scalars = expr.description.scalars.data();
    info.results = expr.description.results.data();
    write_struct(out, "info", info);
  });
}

tileops_status tileops_expr_text(const tileops_expr* expr, char* buf, size_t* size) {
  return guard("tileops_expr_text", [&] {
    const std::string& text = expr_of(expr).graph->text;
    write_bytes(text.c_str(), text.size() + 1, buf, size);
  });
}

tileops_status tileops_expr_gradient(const tileops_expr* expr, const int32_t* operands, size_t num_operands,
                                     tileops_expr** out) {
  return guard("tileops_expr_gradient", [&] {
    if (!out) invalid("out: is NULL");
    *out = nullptr;
    const expr::Graph& graph = *expr_of(expr).graph;
    if (num_operands && !operands) invalid("operands: is NULL");
    if (num_operands > graph.operands.size())
      invalid("num_operands: the expression has fewer (got %zu, need at most %zu)", num_operands,
              graph.operands.size());
    *out = new_expr_handle(expr::gradient(graph, {operands, operands + num_operands}));
  });
}
