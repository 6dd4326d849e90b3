/* A text as the operators that it is written with, each a plan of its own that reads and writes memory: what a program
 * does that has operators and no expressions, and what the fused form is compared with.
 *
 * It is fair to the operators: parts of a value (chunk) are views, extents are numbers, indices are as small as they
 * can be, and what is the same twice in the text is computed once if the text has a name for it. It reads the part of
 * the language that the texts of this folder are written in: names, numbers, calls, + - * / and comparisons. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

enum { kText = 512, kMostValues = 64 };

/* A tensor, a number (as text, scalars among them), or an operator that is not yet planned: it is once it is known
 * where its result goes. */
typedef struct Value {
  enum { kTensor, kNumber, kOperator } kind;
  Tensor* tensor;
  char text[kText]; /* of an operator over o0, o1, ... */
  Tensor* operands[kMostOperands];
  int num_operands;
} Value;

typedef struct Reader {
  Program* program;
  const char *step, *at;
  char scalars[kText]; /* "; eps = 1e-6", or nothing */
  struct {
    char name[64];
    Value value;
  } bound[kMostValues];
  int num_bound;
} Reader;

static void skip(Reader* r) {
  while (isspace((unsigned char)*r->at)) ++r->at;
}
static int is_next(Reader* r, const char* token) {
  skip(r);
  return strncmp(r->at, token, strlen(token)) == 0;
}
static int take(Reader* r, const char* token) {
  if (!is_next(r, token)) return 0;
  r->at += strlen(token);
  return 1;
}
static void need(Reader* r, const char* token) {
  if (!take(r, token)) fail("unfused: %s: need '%s' before '%.30s'", r->step, token, r->at);
}
static int take_name(Reader* r, char* name) {
  skip(r);
  size_t n = 0;
  if (!isalpha((unsigned char)*r->at)) return 0;
  while (isalnum((unsigned char)r->at[n]) || r->at[n] == '_') ++n;
  snprintf(name, 64, "%.*s", (int)n, r->at);
  r->at += n;
  return 1;
}
static void bind(Reader* r, const char* name, Value value) {
  if (r->num_bound == kMostValues) fail("unfused: %s: more than %d names", r->step, kMostValues);
  snprintf(r->bound[r->num_bound].name, sizeof r->bound[0].name, "%s", name);
  r->bound[r->num_bound++].value = value;
}
static Value* lookup(Reader* r, const char* name) {
  for (int i = 0; i < r->num_bound; ++i)
    if (strcmp(r->bound[i].name, name) == 0) return &r->bound[i].value;
  return NULL;
}

static Value of_tensor(Tensor* t) {
  Value v = {.kind = kTensor, .tensor = t};
  return v;
}
static Value of_number(const char* text) {
  Value v = {.kind = kNumber};
  snprintf(v.text, sizeof v.text, "%s", text);
  return v;
}

static tileops_expr* parse_operator(Reader* r, const Value* v) {
  char text[2 * kText + 128];
  int n = snprintf(text, sizeof text, "(");
  for (int i = 0; i < v->num_operands; ++i) n += snprintf(text + n, sizeof text - n, "%so%d", i > 0 ? ", " : "", i);
  snprintf(text + n, sizeof text - n, "%s) -> %s", r->scalars, v->text);
  tileops_expr* expr = NULL;
  check(tileops_expr_parse(text, strlen(text), &expr), text);
  return expr;
}

/* Shape and dtype of an operator's result. */
static Tensor* new_result(Reader* r, const tileops_expr* expr, const Value* v, int allocate, DLDataType* dtype) {
  tileops_tensor_desc in[kMostOperands];
  for (int i = 0; i < v->num_operands; ++i) {
    const DLTensor* t = &v->operands[i]->dl;
    in[i] = (tileops_tensor_desc){t->dtype, t->ndim, t->shape, t->strides};
  }
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = r->program->machine->device, desc.expr = expr;
  desc.inputs = in, desc.num_inputs = v->num_operands;
  int32_t ndim = 0;
  int64_t shape[TILEOPS_MAX_NDIM];
  check(tileops_plan_infer(&desc, 0, dtype, &ndim, shape), v->text);
  return allocate ? tensor_new(r->program->machine, NULL, *dtype, ndim, shape) : NULL;
}

/* Plans what is not yet planned. `target` NULL: into a new tensor. */
static Tensor* force(Reader* r, Value* v, Tensor* target) {
  if (v->kind == kTensor && target == NULL) return v->tensor;
  if (v->kind == kNumber) fail("unfused: %s: '%s' is a number, and a tensor is needed", r->step, v->text);
  if (v->kind == kTensor) { /* a copy: a result that is an operand, or a result twice */
    *v = (Value){.kind = kOperator, .text = "cast(o0, o0)", .operands = {v->tensor}, .num_operands = 1};
  }
  tileops_expr* expr = parse_operator(r, v);
  DLDataType dtype;
  if (target == NULL) target = new_result(r, expr, v, 1, &dtype);
  Tensor* operands[kMostOperands + 1] = {NULL};
  memcpy(operands, v->operands, sizeof v->operands);
  program_expr(r->program, r->step, expr, operands, (Tensor*[]){target, NULL});
  tileops_expr_destroy(expr);
  *v = of_tensor(target);
  return target;
}

/* Puts an argument into an operator's text. */
static void add_argument(Reader* r, Value* v, Value* argument) {
  char name[kText];
  if (argument->kind == kNumber) {
    snprintf(name, sizeof name, "%s", argument->text);
  } else {
    Tensor* t = force(r, argument, NULL);
    int i = 0;
    while (i < v->num_operands && v->operands[i] != t) ++i;
    if (i == kMostOperands) fail("unfused: %s: more than %d operands", r->step, kMostOperands);
    v->operands[i] = t;
    if (i == v->num_operands) ++v->num_operands;
    snprintf(name, sizeof name, "o%d", i);
  }
  if (strlen(v->text) + strlen(name) + 8 > sizeof v->text) fail("unfused: %s: an operator is too long", r->step);
  strcat(v->text, name);
}

static Value binary(Reader* r, Value* a, const char* op, Value* b) {
  Value v = {.kind = a->kind == kNumber && b->kind == kNumber ? kNumber : kOperator, .text = "("};
  add_argument(r, &v, a);
  strcat(strcat(strcat(v.text, " "), op), " ");
  add_argument(r, &v, b);
  strcat(v.text, ")");
  return v;
}

/* chunk(t, i, n), a view of the last axis. */
static Tensor* chunk_view(Reader* r, const Tensor* t, int64_t i, int64_t n) {
  int64_t shape[kMostDims];
  memcpy(shape, t->shape, sizeof shape);
  const int last = t->dl.ndim - 1;
  shape[last] /= n;
  return tensor_view(r->program->machine, t, i * shape[last] * t->strides[last], t->dl.ndim, shape, t->strides);
}

/* index(t, axis) is asked for of a view that has this axis alone: it broadcasts like the whole. */
static Tensor* axis_view(Reader* r, const Tensor* t, int axis) {
  int64_t shape[kMostDims];
  for (int d = 0; d < t->dl.ndim; ++d) shape[d] = d == t->dl.ndim + axis ? t->shape[d] : 1;
  return tensor_view(r->program->machine, t, 0, t->dl.ndim, shape, t->strides);
}

static Value comparison(Reader* r);

static Value call(Reader* r, const char* function) {
  Value arguments[6];
  int count = 0;
  char named[kText] = "", name[64];
  while (!take(r, ")")) {
    if (count > 0 || named[0] != '\0') need(r, ",");
    const char* before = r->at;
    if (take_name(r, name) && is_next(r, "=") && !is_next(r, "==")) { /* axis = -2: as it stands */
      const char* begin = r->at;
      for (int depth = 0; depth > 0 || (*r->at != ',' && *r->at != ')'); ++r->at)
        depth += (*r->at == '(') - (*r->at == ')');
      snprintf(named + strlen(named), sizeof named - strlen(named), ", %s %.*s", name, (int)(r->at - begin), begin);
      continue;
    }
    r->at = before;
    if (count == 6) fail("unfused: %s: more than 6 arguments", function);
    arguments[count++] = comparison(r);
  }
  if (strcmp(function, "detach") == 0) return arguments[0];
  if (strcmp(function, "chunk") == 0)
    return of_tensor(chunk_view(r, force(r, &arguments[0], NULL), atoi(arguments[1].text), atoi(arguments[2].text)));
  if (strcmp(function, "extent") == 0) {
    const Tensor* t = force(r, &arguments[0], NULL);
    char number[32];
    snprintf(number, sizeof number, "%lld", (long long)t->shape[t->dl.ndim + atoi(arguments[1].text + 1) * -1]);
    return of_number(number);
  }
  if (strcmp(function, "index") == 0) {
    const int axis = -atoi(arguments[1].text + 1);
    arguments[0] = of_tensor(axis_view(r, force(r, &arguments[0], NULL), axis));
  }
  if (strcmp(function, "cast") == 0 && arguments[0].kind == kOperator && strcmp(arguments[1].text, "f32") == 0) {
    DLDataType dtype; /* what is float32 already is not brought to it again */
    tileops_expr* expr = parse_operator(r, &arguments[0]);
    new_result(r, expr, &arguments[0], 0, &dtype);
    tileops_expr_destroy(expr);
    if (dtype.code == kDLFloat && dtype.bits == 32) return arguments[0];
  }
  Value v = {.kind = kOperator};
  snprintf(v.text, sizeof v.text, "%s(", function);
  for (int i = 0; i < count; ++i) {
    if (i > 0) strcat(v.text, ", ");
    add_argument(r, &v, &arguments[i]);
  }
  snprintf(v.text + strlen(v.text), sizeof v.text - strlen(v.text), "%s)", named);
  return v;
}

static Value primary(Reader* r) {
  char name[64];
  if (take(r, "(")) {
    Value v = comparison(r);
    need(r, ")");
    return v;
  }
  if (take(r, "-")) {
    Value v = primary(r), negative = {.kind = v.kind == kNumber ? kNumber : kOperator, .text = "-"};
    add_argument(r, &negative, &v);
    return negative;
  }
  if (take_name(r, name)) {
    if (take(r, "(")) return call(r, name);
    Value* found = lookup(r, name);
    if (found == NULL) return of_number(name); /* inf, or the name of a dtype */
    if (found->kind == kOperator) force(r, found, NULL);
    return *found;
  }
  size_t n = 0;
  skip(r);
  while (isalnum((unsigned char)r->at[n]) || r->at[n] == '.' || (n > 0 && r->at[n - 1] == 'e' && r->at[n] == '-')) ++n;
  if (n == 0) fail("unfused: %s: what is '%.30s'?", r->step, r->at);
  snprintf(name, sizeof name, "%.*s", (int)n, r->at);
  r->at += n;
  return of_number(name);
}

/* Operators of one level, from the left. */
static Value chain(Reader* r, Value (*part)(Reader*), const char* const* ops) {
  Value v = part(r);
  for (int i = 0; ops[i] != NULL; ++i) {
    if (!take(r, ops[i])) continue;
    Value right = part(r);
    v = binary(r, &v, ops[i], &right);
    i = -1; /* once more from the first */
  }
  return v;
}
static Value product(Reader* r) { return chain(r, primary, (const char* const[]){"*", "/", NULL}); }
static Value sum(Reader* r) { return chain(r, product, (const char* const[]){"+", "-", NULL}); }
static Value comparison(Reader* r) {
  return chain(r, sum, (const char* const[]){"<=", ">=", "==", "!=", "<", ">", NULL});
}

/* Names that are results as they are: what is bound to them goes there at once. */
static Tensor* target_of(const char* results, const char* name, Tensor* const* targets) {
  int depth = 0, i = 0;
  const char* begin = results;
  for (const char* at = results;; ++at) {
    if (*at == '(') ++depth;
    if (*at == ')') --depth;
    if (depth > 0 || (*at != ',' && *at != '}' && *at != '\0')) continue;
    char one[64] = "";
    if (at - begin < 64) sscanf(begin, " %63[a-zA-Z0-9_]", one);
    const char* end = begin + strspn(begin, " ") + strlen(one);
    end += strspn(end, " \n");
    if (end == at && strcmp(one, name) == 0) return targets[i];
    if (*at != ',') return NULL;
    begin = at + 1;
    ++i;
  }
}

void unfused_text(Program* p, const char* name, const char* text, Tensor* const* operands, Tensor* const* results) {
  Reader* r = calloc(1, sizeof *r);
  if (r == NULL) fail("out of memory");
  r->program = p, r->step = name, r->at = text;
  char bound[64];
  need(r, "(");
  while (take_name(r, bound)) {
    if (*operands == NULL) fail("unfused: %s: no tensor for '%s'", name, bound);
    bind(r, bound, of_tensor(*operands++));
    take(r, ",");
  }
  skip(r);
  if (*r->at == ';') {
    snprintf(r->scalars, sizeof r->scalars, "%.*s", (int)strcspn(r->at, ")"), r->at);
    for (++r->at; take_name(r, bound); take(r, ",")) {
      bind(r, bound, of_number(bound));
      need(r, "=");
      r->at += strcspn(r->at, ",)");
    }
  }
  need(r, ")");
  need(r, "->");
  if (take(r, "{")) {
    const char* last = strrchr(r->at, ';');
    for (last = last != NULL ? last + 1 : r->at; r->at < last; need(r, ";")) {
      if (!take_name(r, bound)) fail("unfused: %s: need a name before '%.30s'", name, r->at);
      need(r, "=");
      Value v = comparison(r);
      Tensor* target = target_of(last, bound, results);
      if (target != NULL || v.kind == kOperator) force(r, &v, target);
      bind(r, bound, v);
      skip(r);
      if (r->at + 1 >= last) {
        need(r, ";");
        break;
      }
    }
  }
  for (; *results != NULL; ++results) {
    Value v = comparison(r);
    if (v.kind != kTensor || v.tensor != *results) force(r, &v, *results);
    take(r, ",");
  }
  free(r);
}
