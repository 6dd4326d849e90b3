/* Texts and products in the order in which they run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

static Step* add_step(Program* p, const char* name) {
  if ((p->num_steps & (p->num_steps - 1)) == 0) { /* full: twice as many */
    const size_t room = p->num_steps > 0 ? 2 * (size_t)p->num_steps : 1;
    p->steps = realloc(p->steps, room * sizeof(Step));
    if (p->steps == NULL) fail("out of memory");
  }
  Step* step = &p->steps[p->num_steps++];
  memset(step, 0, sizeof *step);
  step->name = name;
  return step;
}

static uint64_t query_u64(const tileops_plan* plan, tileops_plan_prop prop) {
  uint64_t value = 0;
  size_t size = sizeof value;
  check(tileops_plan_query(plan, prop, &value, &size), "tileops_plan_query");
  return value;
}

/* One workspace for all plans: it grows to the largest need. The one before stays among the machine's tensors, since
 * what runs on the device may still use it. */
static void need_workspace(Program* p, const tileops_plan* plan) {
  const int64_t bytes = (int64_t)query_u64(plan, TILEOPS_PLAN_WORKSPACE_BYTES);
  if (bytes > (p->workspace != NULL ? p->workspace->shape[0] : 0))
    p->workspace = tensor_new(p->machine, NULL, (DLDataType){kDLUInt, 8, 1}, 1, &bytes);
}

void program_expr(Program* p, const char* name, const tileops_expr* expr, Tensor* const* operands,
                  Tensor* const* results) {
  Step* step = add_step(p, name);
  Call* call = &step->call;
  tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
  check(tileops_expr_describe(expr, &info), name);
  while (operands[call->num_in] != NULL) {
    if (call->num_in == kMostOperands) fail("%s: more than %d operands", name, kMostOperands);
    call->in[call->num_in] = &operands[call->num_in]->dl;
    ++call->num_in;
  }
  while (results[call->num_out] != NULL) {
    if (call->num_out == kMostResults) fail("%s: more than %d results", name, kMostResults);
    call->out[call->num_out] = &results[call->num_out]->dl;
    ++call->num_out;
  }
  if (info.num_scalars > kMostScalars) fail("%s: more than %d scalars", name, kMostScalars);
  call->num_scalars = (uint32_t)info.num_scalars;
  check(tileops_expr_retain(expr), name);
  call->expr = expr;
  check(tileops_plan_create_like_expr(NULL, expr, call->in, call->num_in, call->out, call->num_out, &call->plan), name);
  need_workspace(p, call->plan);
}

void program_text(Program* p, const char* name, const char* text, Tensor* const* operands, Tensor* const* results) {
  if (p->unfused) {
    unfused_text(p, name, text, operands, results);
    return;
  }
  tileops_expr* expr = NULL;
  check(tileops_expr_parse(text, strlen(text), &expr), name);
  program_expr(p, name, expr, operands, results);
  tileops_expr_destroy(expr); /* the plan, and the step, keep what they need */
}

void program_product(Program* p, const char* name, const Tensor* d, const Tensor* a, const Tensor* b) {
  Step* step = add_step(p, name);
  step->is_product = 1;
  product_make(&step->product, p->machine, d, a, b);
}

void program_scalar(Program* p, const char* name, const char* scalar, tileops_number value) {
  for (int i = 0; i < p->num_steps; ++i) {
    Step* step = &p->steps[i];
    if (step->is_product || strcmp(step->name, name) != 0) continue;
    tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
    check(tileops_expr_describe(step->call.expr, &info), name);
    for (int k = 0; k < info.num_scalars; ++k)
      if (strcmp(info.scalars[k].name, scalar) == 0) step->call.scalars[k] = value;
  }
}

static void run_steps(Program* p, int begin, int end, int kinds) {
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.stream = p->machine->stream;
  if (p->workspace != NULL) {
    args.workspace = p->workspace->dl.data;
    args.workspace_bytes = (uint64_t)p->workspace->shape[0];
  }
  for (int i = begin; i < end; ++i) {
    const Step* step = &p->steps[i];
    if (!(kinds & (step->is_product ? kProducts : kTexts))) continue;
    if (step->is_product) {
      product_run(&step->product, p->machine->stream);
      continue;
    }
    args.num_inputs = step->call.num_in;
    args.num_outputs = step->call.num_out;
    args.num_scalars = step->call.num_scalars;
    args.inputs = step->call.in;
    args.outputs = step->call.out;
    args.scalars = step->call.scalars;
    check(tileops_execute_with(step->call.plan, &args), step->name);
  }
}

void program_run(Program* p, int kinds) { run_steps(p, 0, p->num_steps, kinds); }

/* On a GPU many runs are timed at once, so that what it takes to enqueue the first and to wait for the last is not. */
static double time_steps(Program* p, int begin, int end, int kinds) {
  const int runs = p->machine->stream != NULL ? 10 : 1;
  machine_wait(p->machine);
  const double start = now();
  for (int i = 0; i < runs; ++i) run_steps(p, begin, end, kinds);
  machine_wait(p->machine);
  return (now() - start) / runs;
}

void program_time(Program* const* programs, int num_programs, int kinds, int rounds, double* seconds) {
  for (int round = 0; round < rounds; ++round) {
    for (int k = 0; k < num_programs; ++k) {
      const double taken = time_steps(programs[k], 0, programs[k]->num_steps, kinds);
      if (round == 0 || taken < seconds[k]) seconds[k] = taken;
    }
  }
}

static int32_t passes_of(const tileops_plan* plan) {
  int32_t passes = 0;
  size_t size = sizeof passes;
  check(tileops_plan_query(plan, TILEOPS_PLAN_NUM_PASSES, &passes, &size), "tileops_plan_query");
  return passes;
}

/* Adds up steps [begin, end). */
static Cost cost_of(const Program* p, int begin, int end) {
  Cost cost = {0, 0, 0, 0};
  for (int i = begin; i < end; ++i) {
    const Step* step = &p->steps[i];
    if (step->is_product) {
      ++cost.products;
      continue;
    }
    ++cost.plans;
    cost.passes += passes_of(step->call.plan);
    cost.bytes += query_u64(step->call.plan, TILEOPS_PLAN_BYTES_MOVED);
  }
  return cost;
}

Cost program_cost(const Program* p) { return cost_of(p, 0, p->num_steps); }

void program_print(Program* p, int rounds) {
  printf("  %-14s %5s %6s %8s %10s\n", "", "plans", "passes", "MB", "ms");
  for (int i = 0, end; i < p->num_steps; i = end) {
    const Step* step = &p->steps[i];
    for (end = i + 1; end < p->num_steps && strcmp(p->steps[end].name, step->name) == 0;) ++end;
    double best = 0;
    for (int round = 0; round < rounds; ++round) {
      const double taken = time_steps(p, i, end, kTexts | kProducts);
      if (round == 0 || taken < best) best = taken;
    }
    const Cost cost = cost_of(p, i, end);
    const Product* product = &step->product;
    if (step->is_product)
      printf("  %-14s %22s %9.3f  %lld x (%lld, %lld) by (%lld, %lld)\n", step->name, "product", best * 1e3,
             (long long)product->batch, (long long)product->m, (long long)product->k, (long long)product->k,
             (long long)product->n);
    else
      printf("  %-14s %5d %6d %9.2f %9.3f\n", step->name, cost.plans, cost.passes, (double)cost.bytes * 1e-6,
             best * 1e3);
  }
}

void program_free(Program* p) {
  machine_wait(p->machine);
  for (int i = 0; i < p->num_steps; ++i) {
    if (p->steps[i].is_product) {
      product_free(&p->steps[i].product);
    } else {
      tileops_plan_destroy(p->steps[i].call.plan);
      tileops_expr_destroy(p->steps[i].call.expr);
    }
  }
  free(p->steps);
  p->steps = NULL;
  p->num_steps = 0;
}
