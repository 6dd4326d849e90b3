// A random expression as the tests know it: nodes with dtypes and shapes of their own reckoning, as a text and as calls
// of the builder.
#ifndef TILEOPS_TESTS_EXPR_RUN_PROGRAM_H_
#define TILEOPS_TESTS_EXPR_RUN_PROGRAM_H_

#include <random>
#include <string>
#include <vector>

#include "expression.h"

namespace exprtest {

// A number of a program: a literal, a scalar, or a formula of scalars.
struct Number {
  std::string text;
  bool integer = false, literal = false;
  double value = 0;
};

struct Scalar0 {  // a scalar: its default and its value
  std::string name;
  bool integer = false;
  double usual = 0, value = 0;
};

struct Argument {
  enum class Of { none, node, number } of = Of::none;
  int node = -1;
  Number number;
};

struct Node {
  int operand = -1;            // an operand, or else a call
  const OpRow* row = nullptr;  // NULL of a cast
  std::vector<Argument> arguments;
  Attrs attrs;                                          // constants
  std::vector<std::pair<std::string, Number>> scalars;  // attributes that are numbers of the execute
  int overflow = -1;                                    // fp8_overflow of a cast
  Dt dtype = Dt::kF32;                                  // the label
  Dt compute = Dt::kF32;
  Shape shape;
};

struct Program {
  std::vector<Array> operands;
  std::vector<Layout> layouts;
  std::vector<Scalar0> scalars;
  std::vector<Node> nodes;  // operands first
  std::vector<int> results;
  std::vector<Dt> result_dtypes;
  std::vector<Layout> result_layouts;

  std::string Text() const;
  // Through the builder; NULL if the program has what only a text says here (scalars), or after a reported failure.
  const tileops_expr* Build() const;
  Job ToJob(const tileops_expr* expr) const;
  Placement Place() const { return {layouts, result_layouts, -1}; }
};

// Operands of a call of an operator, numbers as the 0-d operands that they stand for. False if it is none.
bool CallOf(const Program& program, const Node& node, Call* call);

struct ProgramOptions {
  bool casts = false;     // one after each operator
  bool functions = true;  // not only operators
  bool scalars = true;
  bool broadcast = true;                 // operands of other shapes
  std::vector<Shape> shapes;             // one is taken
  std::vector<Dt> dtypes;                // of operands
  std::vector<Dt> cast_dtypes, outputs;  // empty outputs: the labels
  std::vector<const char*> names;        // of operators; empty: all
  double lo = -4, hi = 4;                // of operands
  int most_nodes = 10;
  bool special_values = false;
};

Program RandomProgram(uint64_t seed, const ProgramOptions& options);

}  // namespace exprtest

#endif  // TILEOPS_TESTS_EXPR_RUN_PROGRAM_H_
