/* What unfused.c reads of a text, and unfused_operator.c plans: values, and operators on them. */
#ifndef TILEOPS_DEMO_UNFUSED_H_
#define TILEOPS_DEMO_UNFUSED_H_

#include "model.h"

enum { kText = 512 };

/* A tensor, a number (as text, scalars among them), or an operator that is not yet planned: it is once it is known
 * where its result goes. */
typedef struct Value {
  enum { kTensor, kNumber, kOperator } kind;
  Tensor* tensor;
  char text[kText]; /* of an operator over o0, o1, ... */
  Tensor* operands[kMostOperands];
  int num_operands;
  Tensor* last_use; /* an operand that nothing else reads */
} Value;

/* Where operators go. */
typedef struct Unfused {
  Program* program;
  const char* step;
  char scalars[kText]; /* of the text: "; eps = 1e-6", or nothing */
} Unfused;

Value value_of_tensor(Tensor* t);
Value value_of_number(const char* text);
/* An operator without arguments; its text ends with what stands before the first one: "exp(". */
Value operator_begin(const char* text);
/* Puts an argument behind the text, and plans it if it is an operator itself. */
void operator_argument(Unfused* u, Value* v, Value* argument);
void operator_text(Unfused* u, Value* v, const char* text);
/* Plans what is not yet planned, and gives its tensor. `target` NULL: a new one, or where the operand was that nothing
 * else reads. */
Tensor* operator_plan(Unfused* u, Value* v, Tensor* target);
/* Of a result that is not there yet. */
DLDataType operator_dtype(Unfused* u, const Value* v);

/* chunk(t, i, n), a view of the last axis; and a view of one axis, the others having their first element alone. */
Tensor* chunk_view(Unfused* u, const Tensor* t, int64_t i, int64_t n);
Tensor* axis_view(Unfused* u, const Tensor* t, int axis);

#endif
