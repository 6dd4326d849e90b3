#include "op/op_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string_view>

#include "base/float_environment.h"
#include "base/split.h"
#include "op/bodies.h"

namespace tileops {
namespace {

struct AttrRow {
  tileops_attr_key key;
  const char *constant, *name;
  const char* doc;
};
constexpr AttrRow kAttrs[] = {
#define TILEOPS_ATTR(id, NAME, name, doc) {id, #NAME, #name, doc},
#include <tileops/attrs.def>
#undef TILEOPS_ATTR
};

// By its name or, since two may have one name, by its constant.
const AttrRow& attr_row(std::string_view name) {
  for (const AttrRow& row : kAttrs)
    if (name == row.name || name == row.constant) return row;
  throw std::logic_error("ops.def: no attribute " + std::string(name));
}

// The number at the start of `text`, and what follows it. In any locale of the host program a number
// of the table has a decimal point.
template <class T>
T read_number(const char** text, const char* end) {
  T value{};
  const auto [rest, error] = std::from_chars(*text, end, value);
  if (error != std::errc()) throw std::logic_error(std::string("ops.def: no number: ") + *text);
  *text = rest;
  return value;
}
template <class T>
T read_number(std::string_view text) {
  const char* begin = text.data();
  return read_number<T>(&begin, begin + text.size());
}

// "name", "name?", "name:dtype|dtype", "name?=attr".
OperandSpec parse_operand(std::string_view text) {
  OperandSpec spec;
  if (const size_t eq = text.find('='); eq != std::string::npos) {
    spec.fallback = attr_row(text.substr(eq + 1)).key;
    text = text.substr(0, eq);
  }
  if (const size_t colon = text.find(':'); colon != std::string::npos) {
    spec.fixed_text = text.substr(colon + 1);
    for (const std::string_view name : split(spec.fixed_text, '|')) {
      Dtype t;
      if (!dtype_from_name(std::string(name), &t)) throw std::logic_error("ops.def: no dtype " + std::string(name));
      spec.fixed.push_back(t);
    }
    text = text.substr(0, colon);
  }
  if (!text.empty() && text.back() == '?') {
    spec.optional = true;
    text.remove_suffix(1);
  }
  spec.name = text;
  return spec;
}

tileops_operand_info operand_info(const OperandSpec& spec, uint32_t dtypes) {
  tileops_operand_info info{};
  info.name = spec.name.c_str();
  info.optional = spec.optional;
  info.dtypes = dtypes;
  if (!spec.fixed.empty()) {
    info.dtype = spec.fixed_text.c_str();
    info.dtypes = 0;
    for (Dtype t : spec.fixed) info.dtypes |= dtype_set(t);
  }
  return info;
}

struct Row {
  tileops_op op;
  const char *name, *category;
  Lowering lowering;
  const char* operands;
  uint32_t dtypes;
  Compute compute;
  const char* attrs;
  int ulp;
  double lo, hi;
  const char* doc;
};

constexpr Row kRows[] = {
#define TILEOPS_OP(id, NAME, name, category, rule, operands, dtypes, compute, attrs, bodies, ulp, lo, hi, doc) \
  {id, #name, #category, Lowering::rule, operands, columns::dtypes, Compute::compute, attrs, ulp, lo, hi, doc},
#include <tileops/ops.def>
#undef TILEOPS_OP
};

std::unique_ptr<OpSpec> parse(const Row& row) {
  auto spec = std::make_unique<OpSpec>();
  spec->op = row.op;
  spec->name = row.name;
  spec->category = row.category;
  spec->doc = row.doc;
  spec->lowering = row.lowering;
  spec->compute = row.compute;
  spec->dtypes = row.dtypes;
  spec->ulp = row.ulp;
  spec->lo = row.lo;
  spec->hi = row.hi;
  const std::string_view operands = row.operands;
  const size_t arrow = operands.find("->");
  for (const std::string_view text : split(operands.substr(0, arrow), ' ')) spec->inputs.push_back(parse_operand(text));
  for (const std::string_view text : split(operands.substr(arrow + 2), ' '))
    spec->outputs.push_back(parse_operand(text));
  for (const std::string_view text : split(row.attrs, ' ')) spec->attrs.push_back(parse_attr(text));
  spec->bool_result = bodies_of(row.op).front().bool_result;
  if (!spec->bool_result && (row.dtypes & kFloat))  // any float result may be asked for as fp8
    spec->attrs.push_back(parse_attr("fp8_overflow?=saturate|nonsaturating"));

  const auto required = [](const std::vector<OperandSpec>& operands) {
    int last = 0;
    for (size_t i = 0; i < operands.size(); ++i)
      if (!operands[i].optional) last = static_cast<int>(i) + 1;
    return last;
  };
  spec->min_inputs = required(spec->inputs);
  spec->min_outputs = required(spec->outputs);
  fill_infos(spec.get());
  return spec;
}

}  // namespace

AttrSpec parse_attr(std::string_view text) {
  AttrSpec spec{};
  const size_t end = text.find_first_of("?=:");
  const AttrRow& row = attr_row(text.substr(0, end));
  tileops_attr_info& info = spec.info;
  info.key = row.key;
  info.name = row.name;
  info.doc = row.doc;
  info.min_value = -HUGE_VAL;
  info.max_value = HUGE_VAL;
  info.kind = TILEOPS_ATTR_F64;
  info.has_default = text.find('?') == std::string::npos;
  if (const size_t bracket = text.find('['); bracket != std::string::npos) {
    const char *at = text.data() + bracket + 1, *rest = text.data() + text.size();
    info.min_value = read_number<double>(&at, rest);
    info.max_value = read_number<double>(&++at, rest);  // after the comma
    text = text.substr(0, bracket);
  }
  if (const size_t colon = text.find(':'); colon != std::string::npos) {
    info.kind = text[colon + 1] == 'i' ? TILEOPS_ATTR_I64 : TILEOPS_ATTR_F64;
    return spec;
  }
  const size_t eq = text.find('=');
  if (eq == std::string::npos) {
    info.kind = TILEOPS_ATTR_I64;
    return spec;
  }
  const std::string_view value = text.substr(eq + 1);
  if (value.find('|') != std::string::npos) {
    spec.choices = value;
    info.kind = TILEOPS_ATTR_I64;
    info.min_value = 0;
    info.max_value = static_cast<double>(split(value, '|').size() - 1);
  } else if (value.find('.') != std::string::npos) {
    info.default_value.f64 = read_number<double>(value);
  } else {
    info.kind = TILEOPS_ATTR_I64;
    info.default_value.i64 = read_number<int64_t>(value);
  }
  return spec;
}

void fill_infos(OpSpec* spec) {
  spec->input_infos.clear();
  spec->output_infos.clear();
  spec->attr_infos.clear();
  for (const auto& in : spec->inputs) spec->input_infos.push_back(operand_info(in, spec->dtypes));
  // Those of no operands that are promoted compute in the output's dtype.
  const bool generated = std::none_of(spec->inputs.begin(), spec->inputs.end(),
                                      [](const OperandSpec& in) { return in.fixed.empty(); });
  const uint32_t result = generated ? kFloat : columns::FIB | (spec->dtypes & (kScale | kPacked));
  for (const auto& out : spec->outputs) spec->output_infos.push_back(operand_info(out, result));
  for (auto& attr : spec->attrs) {
    if (!attr.choices.empty()) attr.info.choices = attr.choices.c_str();
    spec->attr_infos.push_back(attr.info);
  }
}

int OpSpec::attr_index(tileops_attr_key key) const {
  for (size_t i = 0; i < attrs.size(); ++i)
    if (attrs[i].info.key == key) return static_cast<int>(i);
  return -1;
}

const char* OpSpec::result_rule() const {
  if (bool_result) return "bool";
  switch (compute) {
    case Compute::to_float:
    case Compute::quotient: return "promoted_float";
    case Compute::source: return "source";
    default: return "promoted";
  }
}

const std::vector<std::unique_ptr<OpSpec>>& op_table() {
  static const auto* table = [] {  // leaked: usable until the very end of the process
    const FloatEnvironment usual;  // numbers of the table are read; not all that lead here have set it
    auto* t = new std::vector<std::unique_ptr<OpSpec>>;
    for (const Row& row : kRows) t->push_back(parse(row));
    return t;
  }();
  return *table;
}

const OpSpec* find_op(tileops_op op) {
  static const auto* index = [] {
    auto* m = new std::map<tileops_op, const OpSpec*>;
    for (const auto& spec : op_table()) (*m)[spec->op] = spec.get();
    return m;
  }();
  const auto it = index->find(op);
  return it == index->end() ? nullptr : it->second;
}

const OpSpec* find_op(const char* name) {
  for (const auto& spec : op_table())
    if (!std::strcmp(spec->name, name)) return spec.get();
  return nullptr;
}

const char* attr_name(tileops_attr_key key) {
  for (const AttrRow& row : kAttrs)
    if (row.key == key) return row.name;
  return nullptr;
}

}  // namespace tileops
