/* A text as the operators that it is written with, each a plan of its own that reads and writes memory: what a program
 * does that has operators and no expressions, and what the fused form is compared with.
 *
 * It is fair to the operators: parts of a value (chunk) are views, extents are numbers, indices are as small as they
 * can be, what is the same twice is computed once if the text has a name for it, and what has none is overwritten by
 * the operator that reads it, where that can work in place. It reads the part of the language that the texts of this
 * folder are written in: names, numbers, calls, + - * / and comparisons. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unfused.h"

enum { kMostValues = 64 };

typedef struct Reader {
  Unfused to;
  const char* at;
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
  if (!take(r, token)) fail("unfused: %s: need '%s' before '%.30s'", r->to.step, token, r->at);
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
  if (r->num_bound == kMostValues) fail("unfused: %s: more than %d names", r->to.step, kMostValues);
  snprintf(r->bound[r->num_bound].name, sizeof r->bound[0].name, "%s", name);
  r->bound[r->num_bound++].value = value;
}
static Value* lookup(Reader* r, const char* name) {
  for (int i = 0; i < r->num_bound; ++i)
    if (strcmp(r->bound[i].name, name) == 0) return &r->bound[i].value;
  return NULL;
}

static Value binary(Reader* r, Value* a, const char* op, Value* b) {
  Value v = operator_begin("(");
  if (a->kind == kNumber && b->kind == kNumber) v.kind = kNumber;
  operator_argument(&r->to, &v, a);
  operator_text(&r->to, &v, op);
  operator_argument(&r->to, &v, b);
  operator_text(&r->to, &v, ")");
  return v;
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
    return value_of_tensor(chunk_view(&r->to, operator_plan(&r->to, &arguments[0], NULL), atoi(arguments[1].text),
                                      atoi(arguments[2].text)));
  if (strcmp(function, "extent") == 0) {
    const Tensor* t = operator_plan(&r->to, &arguments[0], NULL);
    char number[32];
    snprintf(number, sizeof number, "%lld", (long long)t->shape[t->dl.ndim + atoi(arguments[1].text + 1) * -1]);
    return value_of_number(number);
  }
  if (strcmp(function, "index") == 0) {
    const int axis = -atoi(arguments[1].text + 1);
    arguments[0] = value_of_tensor(axis_view(&r->to, operator_plan(&r->to, &arguments[0], NULL), axis));
  }
  if (strcmp(function, "cast") == 0 && arguments[0].kind == kOperator && strcmp(arguments[1].text, "f32") == 0) {
    const DLDataType dtype = operator_dtype(&r->to, &arguments[0]); /* what is float32 stays what it is */
    if (dtype.code == kDLFloat && dtype.bits == 32) return arguments[0];
  }
  Value v = operator_begin(function);
  for (int i = 0; i < count; ++i) {
    operator_text(&r->to, &v, i > 0 ? ", " : "(");
    operator_argument(&r->to, &v, &arguments[i]);
  }
  operator_text(&r->to, &v, named);
  operator_text(&r->to, &v, ")");
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
    Value v = primary(r), negative = operator_begin("-");
    if (v.kind == kNumber) negative.kind = kNumber;
    operator_argument(&r->to, &negative, &v);
    return negative;
  }
  if (take_name(r, name)) {
    if (take(r, "(")) return call(r, name);
    Value* found = lookup(r, name);
    if (found == NULL) return value_of_number(name); /* inf, or the name of a dtype */
    if (found->kind == kOperator) operator_plan(&r->to, found, NULL);
    return *found;
  }
  size_t n = 0;
  skip(r);
  while (isalnum((unsigned char)r->at[n]) || r->at[n] == '.' || (n > 0 && r->at[n - 1] == 'e' && r->at[n] == '-')) ++n;
  if (n == 0) fail("unfused: %s: what is '%.30s'?", r->to.step, r->at);
  snprintf(name, sizeof name, "%.*s", (int)n, r->at);
  r->at += n;
  return value_of_number(name);
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
  r->to.program = p, r->to.step = name, r->at = text;
  char bound[64];
  need(r, "(");
  while (take_name(r, bound)) {
    if (*operands == NULL) fail("unfused: %s: no tensor for '%s'", name, bound);
    bind(r, bound, value_of_tensor(*operands++));
    take(r, ",");
  }
  skip(r);
  if (*r->at == ';') {
    snprintf(r->to.scalars, sizeof r->to.scalars, "%.*s", (int)strcspn(r->at, ")"), r->at);
    for (++r->at; take_name(r, bound); take(r, ",")) {
      bind(r, bound, value_of_number(bound));
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
      if (target != NULL || v.kind == kOperator) operator_plan(&r->to, &v, target);
      bind(r, bound, v);
    }
  }
  for (; *results != NULL; ++results) {
    Value v = comparison(r);
    if (v.kind != kTensor || v.tensor != *results) operator_plan(&r->to, &v, *results);
    take(r, ",");
  }
  free(r);
}
