/* One operator: what it is applied to, where its result goes, and its plan. */
#include <stdio.h>
#include <string.h>

#include "unfused.h"

Value value_of_tensor(Tensor* t) {
  Value v = {.kind = kTensor, .tensor = t};
  return v;
}

Value value_of_number(const char* text) {
  Value v = {.kind = kNumber};
  snprintf(v.text, sizeof v.text, "%s", text);
  return v;
}

Value operator_begin(const char* text) {
  Value v = {.kind = kOperator};
  snprintf(v.text, sizeof v.text, "%s", text);
  return v;
}

void operator_text(Unfused* u, Value* v, const char* text) {
  if (strlen(v->text) + strlen(text) + 1 > sizeof v->text) fail("unfused: %s: an operator is too long", u->step);
  strcat(v->text, text);
}

void operator_argument(Unfused* u, Value* v, Value* argument) {
  char name[16];
  if (argument->kind == kNumber) {
    operator_text(u, v, argument->text);
    return;
  }
  const int is_between = argument->kind == kOperator;
  Tensor* t = operator_plan(u, argument, NULL);
  int i = 0;
  while (i < v->num_operands && v->operands[i] != t) ++i;
  if (i == kMostOperands) fail("unfused: %s: more than %d operands", u->step, kMostOperands);
  v->operands[i] = t;
  if (i == v->num_operands) ++v->num_operands;
  if (is_between) v->last_use = t;
  snprintf(name, sizeof name, "o%d", i);
  operator_text(u, v, name);
}

static tileops_expr* parse(Unfused* u, const Value* v) {
  char text[2 * kText + 128];
  int n = snprintf(text, sizeof text, "(");
  for (int i = 0; i < v->num_operands; ++i)
    n += snprintf(text + n, sizeof text - (size_t)n, "%so%d", i > 0 ? ", " : "", i);
  snprintf(text + n, sizeof text - (size_t)n, "%s) -> %s", u->scalars, v->text);
  tileops_expr* expr = NULL;
  check(tileops_expr_parse(text, strlen(text), &expr), text);
  return expr;
}

typedef struct Shape {
  DLDataType dtype;
  int32_t ndim;
  int64_t extents[TILEOPS_MAX_NDIM];
} Shape;

/* What the library says of a result before there is memory for it. */
static Shape infer(Unfused* u, const tileops_expr* expr, const Value* v) {
  tileops_tensor_desc in[kMostOperands];
  Shape shape;
  for (int i = 0; i < v->num_operands; ++i) {
    const DLTensor* t = &v->operands[i]->dl;
    in[i] = (tileops_tensor_desc){t->dtype, t->ndim, t->shape, t->strides};
  }
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = u->program->machine->device, desc.expr = expr;
  desc.inputs = in, desc.num_inputs = v->num_operands;
  check(tileops_plan_infer(&desc, 0, &shape.dtype, &shape.ndim, shape.extents), v->text);
  return shape;
}

DLDataType operator_dtype(Unfused* u, const Value* v) {
  tileops_expr* expr = parse(u, v);
  const Shape shape = infer(u, expr, v);
  tileops_expr_destroy(expr);
  return shape.dtype;
}

/* Of operators that work in place those that the texts have. */
static int maps_elements(const char* text) {
  static const char* const kMaps[] = {"(", "-", "abs(", "exp(", "rsqrt(", "silu(", "maximum("};
  for (size_t i = 0; i < sizeof kMaps / sizeof kMaps[0]; ++i)
    if (strncmp(text, kMaps[i], strlen(kMaps[i])) == 0) return 1;
  return 0;
}

Tensor* operator_plan(Unfused* u, Value* v, Tensor* target) {
  if (v->kind == kTensor && target == NULL) return v->tensor;
  if (v->kind == kNumber) fail("unfused: %s: '%s' is a number, and a tensor is needed", u->step, v->text);
  if (v->kind == kTensor) { /* a copy: a result that is an operand, or a result twice */
    Tensor* from = v->tensor;
    *v = operator_begin("cast(o0, o0)");
    v->operands[v->num_operands++] = from;
  }
  tileops_expr* expr = parse(u, v);
  if (target == NULL) {
    const Shape s = infer(u, expr, v);
    const Tensor* over = maps_elements(v->text) ? v->last_use : NULL;
    if (over != NULL && memcmp(&over->dl.dtype, &s.dtype, sizeof s.dtype) == 0 && over->dl.ndim == s.ndim &&
        memcmp(over->shape, s.extents, (size_t)s.ndim * sizeof s.extents[0]) == 0)
      target = v->last_use;
    else target = tensor_new(u->program->machine, NULL, s.dtype, s.ndim, s.extents);
  }
  Tensor* operands[kMostOperands + 1] = {NULL};
  memcpy(operands, v->operands, sizeof v->operands);
  program_expr(u->program, u->step, expr, operands, (Tensor*[]){target, NULL});
  tileops_expr_destroy(expr);
  *v = value_of_tensor(target);
  return target;
}

Tensor* chunk_view(Unfused* u, const Tensor* t, int64_t i, int64_t n) {
  int64_t shape[kMostDims];
  memcpy(shape, t->shape, sizeof shape);
  const int last = t->dl.ndim - 1;
  shape[last] /= n;
  return tensor_view(u->program->machine, t, i * shape[last] * t->strides[last], t->dl.ndim, shape, t->strides);
}

Tensor* axis_view(Unfused* u, const Tensor* t, int axis) {
  int64_t shape[kMostDims];
  for (int d = 0; d < t->dl.ndim; ++d) shape[d] = d == t->dl.ndim + axis ? t->shape[d] : 1;
  return tensor_view(u->program->machine, t, 0, t->dl.ndim, shape, t->strides);
}
