#include "expr/graph/function.h"

#include <algorithm>
#include <map>

#include "base/split.h"

namespace tileops::expr {
namespace {

struct Row {
  tileops_op id;
  const char* name;
  Kind kind;
  const char *slots, *attrs;
  uint32_t dtypes;
  Compute compute;
  int ulp;
  const char* doc;
};
constexpr Row kRows[] = {
#define TILEOPS_FUNCTION(id, NAME, name, kind, slots, attrs, dtypes, compute, bodies, ulp, doc) \
  {id, #name, Kind::kind, slots, attrs, columns::dtypes, Compute::compute, ulp, doc},
#include <tileops/functions.def>
#undef TILEOPS_FUNCTION
};

// Values first, then the attributes that stand in for none of them, in the table's order.
void number_parameters(Function* f) {
  std::vector<bool> placed(f->attrs().size());
  for (size_t i = 0; i < f->slots().size() && !f->variadic; ++i) {
    const OperandSpec& slot = f->slots()[i];
    Parameter p{slot.name, "", static_cast<int>(i), -1};
    if (slot.fallback != TILEOPS_ATTR_NONE) {
      p.attr = f->rule.attr_index(slot.fallback);
      placed[p.attr] = true;
      p.other_name = f->attrs()[p.attr].info.name;
    }
    f->parameters.push_back(std::move(p));
  }
  for (size_t i = 0; i < placed.size(); ++i)
    if (!placed[i]) f->parameters.push_back({f->attrs()[i].info.name, "", -1, static_cast<int>(i)});
  if (f->variadic) return;
  f->positional = f->parameters.size() - (f->rule.attr_index(TILEOPS_ATTR_FP8_OVERFLOW) >= 0);  // the last one
}

Function of_operator(const OpSpec& op) {
  Function f;
  f.id = op.op;
  f.name = op.name;
  f.doc = op.doc;
  f.kind = kind_of(op.lowering, op.compute);
  f.op = &op;
  f.rule = op;
  if (f.kind == Kind::cast) {  // what an operator's output says, and a value inside has no other way to say
    f.rule.attrs.insert(f.rule.attrs.begin(), parse_attr("dtype=-1"));
    f.rule.attrs[0].info.min_value = -1;
    f.rule.attrs[0].info.max_value = kNumDtypes - 1;
    OperandSpec like;
    like.name = "dtype";
    like.optional = true;
    like.fallback = TILEOPS_ATTR_DTYPE;
    f.rule.inputs.push_back(like);
  }
  number_parameters(&f);
  return f;
}

Function of_row(const Row& row) {
  Function f;
  f.id = row.id;
  f.name = row.name;
  f.doc = row.doc;
  f.kind = row.kind;
  f.rule = {};
  f.rule.op = row.id;
  f.rule.name = row.name;
  f.rule.doc = row.doc;
  f.rule.category = "function";
  f.rule.lowering = row.kind == Kind::dropout_mask ? Lowering::dropout_mask : Lowering::map;
  f.rule.ulp = row.ulp;
  f.rule.outputs.resize(1);
  f.rule.outputs[0].name = "y";
  f.rule.min_outputs = 1;
  f.rule.compute = row.compute;
  f.rule.dtypes = row.dtypes;
  f.rule.bool_result = row.compute == Compute::truth;
  for (std::string_view word : split(row.slots, ' ')) {
    OperandSpec slot;
    f.variadic = word.size() > 3 && word.substr(word.size() - 3) == "...";
    if (f.variadic) word.remove_suffix(3);
    slot.name = word;
    const size_t most = f.rule.inputs.empty() ? TILEOPS_MAX_INPUTS : kMaxIndices;
    f.rule.inputs.insert(f.rule.inputs.end(), f.variadic ? most : 1, slot);
  }
  f.rule.min_inputs = f.variadic ? 2 : static_cast<int>(f.rule.inputs.size());
  for (const std::string_view word : split(row.attrs, ' ')) f.rule.attrs.push_back(parse_attr(word));
  number_parameters(&f);
  return f;
}

}  // namespace

int Function::find_parameter(std::string_view wanted) const {
  for (size_t i = 0; i < parameters.size(); ++i)
    if (wanted == parameters[i].name || (!parameters[i].other_name.empty() && wanted == parameters[i].other_name))
      return static_cast<int>(i);
  return -1;
}

bool Function::promotes(int attr) const {
  return (rule.dtypes & kInt) && rule.compute == Compute::promote && rule.lowering == Lowering::map &&
         std::any_of(parameters.begin(), parameters.end(),
                     [&](const Parameter& p) { return p.attr == attr && p.slot >= 0; });
}

const std::vector<Function>& function_table() {
  static const auto* table = [] {  // leaked: usable until the very end of the process
    auto* t = new std::vector<Function>;
    for (const auto& op : op_table()) t->push_back(of_operator(*op));
    for (const Row& row : kRows) t->push_back(of_row(row));
    for (Function& f : *t) fill_infos(&f.rule);
    return t;
  }();
  return *table;
}

const Function* find_function(std::string_view name) {
  static const auto* index = [] {
    auto* m = new std::map<std::string_view, const Function*>;
    for (const Function& f : function_table()) (*m)[f.name] = &f;
    return m;
  }();
  const auto it = index->find(name);
  return it == index->end() ? nullptr : it->second;
}

const Function* find_function(tileops_op id) {
  for (const Function& f : function_table())
    if (f.id == id) return &f;
  return nullptr;
}

bool takes_scalar(const AttrSpec& attr) {
  const tileops_attr_key key = attr.info.key;
  return attr.info.kind == TILEOPS_ATTR_F64 || key == TILEOPS_ATTR_SEED || key == TILEOPS_ATTR_OFFSET;
}

bool dtype_from_any_name(std::string_view wanted, Dtype* out) {
#define TILEOPS_DTYPE(id, constant, name, label, ...) \
  if (wanted == name || wanted == label) return *out = Dtype::id, true;
#include <tileops/dtypes.def>
  return false;
}

}  // namespace tileops::expr
