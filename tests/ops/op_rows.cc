#include "op_rows.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace optest {
namespace {

struct Raw {
  tileops_op op;
  const char *name, *category, *rule, *operands, *dtypes, *compute;
  int ulp;
  double lo, hi;
};
constexpr Raw kRaw[] = {
#define TILEOPS_OP(id, NAME, name, category, rule, operands, dtypes, compute, attrs, bodies, ulp, lo, hi, doc) \
  {id, #name, #category, #rule, operands, #dtypes, #compute, ulp, lo, hi},
#include <tileops/ops.def>
#undef TILEOPS_OP
};

struct AttrKey {
  const char* name;
  tileops_attr_key key;
};
constexpr AttrKey kKeys[] = {
#define TILEOPS_ATTR(id, NAME, name, doc) {#name, id},
#include <tileops/attrs.def>
#undef TILEOPS_ATTR
};

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "tests/ops: %s\n", what.c_str());
  std::abort();
}

OperandRow ParseOperand(std::string text) {
  OperandRow row;
  if (const size_t eq = text.find('='); eq != std::string::npos) {
    row.fallback = text.substr(eq + 1);
    text.resize(eq);
  }
  if (const size_t colon = text.find(':'); colon != std::string::npos) {
    std::stringstream names(text.substr(colon + 1));
    for (std::string name; std::getline(names, name, '|');)
      for (Dt t : AllDtypes())
        if (name == Info(t).name) row.fixed.push_back(t);
    if (row.fixed.empty()) Die("no dtype in operand " + text);
    text.resize(colon);
  }
  if (!text.empty() && text.back() == '?') {
    row.optional = true;
    text.pop_back();
  }
  row.name = text;
  return row;
}

}  // namespace

const std::vector<OpRow>& OpRows() {
  static const auto* rows = [] {
    auto* all = new std::vector<OpRow>;
    for (const Raw& raw : kRaw) {
      OpRow row{raw.op, raw.name, raw.category, raw.rule, raw.compute, {},     {},
                false,  false,    false,        false,    raw.ulp,     raw.lo, raw.hi};
      for (const char* c = raw.dtypes; *c; ++c)
        (*c == 'F' ? row.floats : *c == 'I' ? row.ints : *c == 'B' ? row.bools : row.scales) = true;
      std::stringstream words(raw.operands);
      bool outputs = false;
      for (std::string word; words >> word;) {
        if (word == "->") outputs = true;
        else (outputs ? row.outputs : row.inputs).push_back(ParseOperand(word));
      }
      all->push_back(row);
    }
    return all;
  }();
  return *rows;
}

const OpRow& RowOf(const std::string& name) {
  for (const OpRow& row : OpRows())
    if (row.name == name) return row;
  Die("no operator " + name);
}

const Attr* FindAttr(const Attrs& attrs, const std::string& name) {
  for (const Attr& a : attrs)
    if (a.name == name) return &a;
  return nullptr;
}

double NumberOr(const Attrs& attrs, const std::string& name, double otherwise) {
  const Attr* a = FindAttr(attrs, name);
  return a ? a->d : otherwise;
}

int64_t IntegerOr(const Attrs& attrs, const std::string& name, int64_t otherwise) {
  const Attr* a = FindAttr(attrs, name);
  return !a ? otherwise : a->integer ? a->i : static_cast<int64_t>(a->d);
}

std::vector<tileops_attr> ToC(const Attrs& attrs) {
  std::vector<tileops_attr> out;
  for (const Attr& a : attrs) {
    tileops_attr c{};
    for (const AttrKey& k : kKeys)
      if (!c.key && a.name == k.name) c.key = k.key;  // rows of expressions have later keys of the same name
    if (!c.key) Die("no attribute " + a.name);
    c.kind = a.integer ? TILEOPS_ATTR_I64 : TILEOPS_ATTR_F64;
    if (a.integer) c.value.i64 = a.i;
    else c.value.f64 = a.d;
    out.push_back(c);
  }
  return out;
}

}  // namespace optest
