// What is called: an expression or an operator, with the names of its arguments.
#ifndef TILEOPS_PYTHON_PROGRAM_H
#define TILEOPS_PYTHON_PROGRAM_H

#include <tileops/tileops.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plans.h"
#include "python.h"

namespace tileops_python {

// A name of an operand, a scalar, an attribute or a result. Equal ones have the same object, which lives as long as the
// process.
struct Name {
  explicit Name(const char* name) : text(name), object(interned(name)) {}
  std::string text;
  PyObject* object;
};

class Program {
 public:
  static std::shared_ptr<Program> parse(std::string_view text);
  static std::shared_ptr<Program> of_expr(const tileops_expr* owned, std::string name, std::string doc);
  static std::shared_ptr<Program> of_operator(tileops_op op);
  ~Program();
  Program(const Program&) = delete;

  const std::string& name() const { return name_; }
  const std::string& doc() const { return doc_; }
  const tileops_expr* expr() const { return expr_; }
  tileops_op op() const { return info_.op; }
  const std::vector<Name>& operands() const { return operands_; }
  // The scalars of an expression, or the attributes of an operator.
  const std::vector<Name>& numbers() const { return numbers_; }
  const std::vector<Name>& results() const { return results_; }
  int min_operands() const { return min_operands_; }
  int min_results() const { return min_results_; }
  bool is_optional(size_t operand) const;
  // Do results keep elements that are not stored? Then there has to be a memory that has them.
  bool stores_parts() const { return stores_parts_; }
  const tileops_expr_info& expr_info() const { return expr_info_; }
  const tileops_op_info& op_info() const { return info_; }

  // An attribute's value, of a number or of the name of a choice.
  tileops_attr attribute(size_t i, PyObject* value) const;

  // "gelu(x, *, approximate='none')", for people.
  std::string signature() const;

  PlanCache& plans() const { return plans_; }

 private:
  Program() = default;
  std::string name_, doc_;
  const tileops_expr* expr_ = nullptr;
  tileops_expr_info expr_info_ = TILEOPS_EXPR_INFO_INIT;
  tileops_op_info info_ = TILEOPS_OP_INFO_INIT;
  std::vector<Name> operands_, numbers_, results_;
  int min_operands_ = 0, min_results_ = 0;
  bool stores_parts_ = false;
  mutable PlanCache plans_;
};

// The canonical text of an expression.
std::string text_of(const tileops_expr* expr);

// A number of Python's for a scalar. False: it is none, and no exception is set.
bool number_of(PyObject* value, tileops_number* number);

}  // namespace tileops_python

#endif
