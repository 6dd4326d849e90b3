// The texts of texts.def, read.
#ifndef TILEOPS_TESTS_ROWS_TEXTS_H_
#define TILEOPS_TESTS_ROWS_TEXTS_H_

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "expr/graph/number.h"
#include "tensor.h"

namespace rowtest {

struct Declared {  // an operand or a result
  std::string name, label;
  Shape shape;
};

// What an operand holds.
struct Domain {
  bool given = false, each = false;  // each: no value twice
  double lo = 0, hi = 0;
  bool has_other = false;
  double other = 0;  // now and then instead
};

struct RowText {
  std::string name, text;
  bool named = false;  // an expression has this name, and this text
  std::vector<Declared> operands, results;
  std::map<std::string, tileops::expr::Number> scalars;
  std::map<std::string, Domain> domains;
};

void PrintTo(const RowText& text, std::ostream* out);  // its name, in messages of GoogleTest

const std::vector<RowText>& RowTexts();
const RowText& RowTextOf(const std::string& name);
// The text of the expression that the library knows by that name.
const char* NamedText(const std::string& name);
// Operands and scalars as texts.def has them, of no text.
RowText ReadRowText(const std::string& operands);

// The dtype of a label; false: the library has none of that name.
bool DtypeOf(const std::string& label, Dtype* out);

// Random operands of a text, values that their dtypes have. Empty if a dtype is not there.
std::vector<Tensor> RandomOperands(const RowText& text, uint64_t seed);

// Outputs of texts that scatter, which have more elements along the indexed axes: before they hold the pattern of
// tests/ops. Empty: others infer theirs.
std::vector<Tensor> ScatteredInto(const RowText& text);

// Normal values of a dtype, with a mean and a spread; integers in a small range.
Tensor RandomTensor(Dtype dtype, const Shape& shape, uint64_t seed, double mean = 0, double spread = 1);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_TEXTS_H_
