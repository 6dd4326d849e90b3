// The opaque structs of the C API.
#pragma once

#include "expr/graph/graph.h"
#include "plan/context.h"
#include "plan/handles.h"
#include "plan/plan.h"

namespace tileops::api {
constexpr uint64_t kContextMark = 0x7469'6c65'6374'7831, kPlanMark = 0x7469'6c65'706c'6e31,
                   kExprMark = 0x7469'6c65'6578'7031;
}

struct tileops_context {
  std::atomic<uint64_t> mark{0};
  std::shared_ptr<tileops::Context> context;
};

struct tileops_plan {
  std::atomic<uint64_t> mark{0};
  std::atomic<int64_t> references{0};
  tileops::PlanPtr plan;
  std::unique_ptr<tileops::KeptWorkspace> workspace;  // of a context that keeps them, if the plan needs one
};

// What tileops_expr_describe hands out.
struct ExprDescription {
  std::vector<tileops_expr_operand_info> operands, scalars;
  std::vector<const char*> results;
};

// What tileops_expr_node and tileops_expr_result do, which have no pointers of their own: arguments and attributes of
// all nodes follow each other.
struct ExprNodes {
  struct Listed {
    tileops_node_info info;
    size_t first_argument, first_attr;
  };
  std::vector<Listed> nodes;
  std::vector<tileops_node> arguments, results;
  std::vector<tileops_attr> attrs;
};

struct tileops_expr {
  mutable std::atomic<uint64_t> mark{0};
  mutable std::atomic<int64_t> references{0};
  std::shared_ptr<const tileops::expr::Graph> graph;
  std::shared_ptr<const tileops::Formula> formula;
  ExprDescription description;
  ExprNodes nodes;
};

namespace tileops::api {

// The context of a handle; NULL is the default. Throws on a handle that is not alive.
Context& context_of(tileops_context* handle);

// The plan of a handle; throws on NULL and on a handle that is not alive.
const Plan& plan_of(const tileops_plan* handle);

// The expression of a handle; throws on NULL and on a handle that is not alive.
const tileops_expr& expr_of(const tileops_expr* handle);
tileops_expr* new_expr_handle(std::shared_ptr<const expr::Graph> graph);
ExprNodes nodes_of(const expr::Graph& graph);
tileops_number number_of(const expr::Number& n);

}  // namespace tileops::api
