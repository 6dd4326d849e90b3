// The columns of tileops/ops.def that the tests need, parsed without the library's help.
#ifndef TILEOPS_TESTS_OPS_OP_ROWS_H_
#define TILEOPS_TESTS_OPS_OP_ROWS_H_

#include <tileops/tileops.h>

#include <string>
#include <vector>

#include "dtypes.h"

namespace optest {

struct OperandRow {
  std::string name;
  bool optional = false;
  std::vector<Dt> fixed;  // empty: takes part in promotion
  std::string fallback;   // attribute that stands in when absent, or ""
};

struct OpRow {
  tileops_op op;
  std::string name, category, rule, compute;
  std::vector<OperandRow> inputs, outputs;
  bool floats, ints, bools, scales;
  int ulp;
  double lo, hi;

  bool Accepts(Dt t) const { return IsFloat(t) ? floats : t == Dt::kBool ? bools : IsScale(t) ? scales : ints; }
  // Results may be asked for as any dtype but scales.
  bool Gives(Dt t) const { return scales || !IsScale(t); }
  // All operands broadcast, and the operator has no shapes of its own.
  bool is_map() const { return rule == "map" || rule == "clamp" || rule == "round" || rule == "cast"; }
  // Results are bool, whatever the operands.
  bool BoolResult() const { return category == "comparison" || category == "logical" || name.rfind("is", 0) == 0; }
};

const std::vector<OpRow>& OpRows();
const OpRow& RowOf(const std::string& name);

// An attribute by name; choices by index.
struct Attr {
  std::string name;
  bool integer = false;
  double d = 0;
  int64_t i = 0;

  Attr(const char* n, double v) : name(n), d(v), i(0) {}
  Attr(const char* n, int64_t v) : name(n), integer(true), d(static_cast<double>(v)), i(v) {}
  Attr(const char* n, int v) : Attr(n, static_cast<int64_t>(v)) {}
};
using Attrs = std::vector<Attr>;
const Attr* FindAttr(const Attrs& attrs, const std::string& name);
double NumberOr(const Attrs& attrs, const std::string& name, double otherwise);
int64_t IntegerOr(const Attrs& attrs, const std::string& name, int64_t otherwise);
std::vector<tileops_attr> ToC(const Attrs& attrs);

}  // namespace optest

#endif  // TILEOPS_TESTS_OPS_OP_ROWS_H_
