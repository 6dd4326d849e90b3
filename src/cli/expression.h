// An expression from the command line: its text, a file that holds it or its name, and what is said of its operands,
// scalars and results by name.
#ifndef TILEOPS_CLI_EXPRESSION_H_
#define TILEOPS_CLI_EXPRESSION_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/common.h"
#include "cli/operation.h"

namespace tileops::cli {

class Expression {
 public:
  // A text; "@FILE" for the text in a file; or the name of one that the library knows. Throws UsageError with the
  // library's message if the text is wrong, or the name unknown.
  static Expression parse(const std::string& text_file_or_name);
  Expression(Expression&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Expression& operator=(Expression&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Expression() { tileops_expr_destroy(handle_); }

  const tileops_expr* get() const { return handle_; }
  tileops_expr_info info() const;
  std::string text() const;  // canonical
  Expression gradient(const std::vector<std::string>& operands) const;

  std::vector<std::string> operands() const;
  std::vector<std::string> results() const;

  // Values of the scalars, in their order, of texts "NAME=VALUE".
  std::vector<tileops_number> scalars(const std::vector<std::string>& texts) const;

  // Dtypes and shapes of the results for given operands; of strided ones the descriptors say it.
  OperandTypes infer(DLDevice device, const std::vector<tileops_tensor_desc>& operands,
                     const OperandTypes& known = {}) const;

 private:
  explicit Expression(const tileops_expr* handle) : handle_(handle) {}  // takes the reference
  const tileops_expr* handle_ = nullptr;
};

// Those that the library knows by name.
std::vector<tileops_named_expr_info> named_expressions();

// What an option says: "NAME=VALUE" of one of the names, "VALUE" of the others.
struct NamedValues {
  std::optional<std::string> others;
  std::map<std::string, std::string> by_name;

  // "--shape", the names that there are, what they are ("operand"), and the option's values.
  NamedValues(const std::string& option, const std::vector<std::string>& names, const char* kind,
              const std::vector<std::string>& texts);
  const std::string* find(const std::string& name) const;  // NULL if nothing is said of it
};

// The name and the value of "NAME=VALUE"; without a name the whole text is the value. A name has letters, digits and
// `_`, and must be one of those that there are: "./x=y" is a file.
std::pair<std::string, std::string> split_name(const std::string& option, const std::string& text,
                                               const std::vector<std::string>& names, const char* kind);

// A number as a text of the language has it: "3", "0.5", "true".
std::string number_text(const tileops_number& number);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_EXPRESSION_H_
