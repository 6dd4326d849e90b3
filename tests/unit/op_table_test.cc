// ops.def and attrs.def as the parser reads them.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "op/bodies.h"
#include "op/op_details.h"
#include "op/op_table.h"

namespace tileops {
namespace {

const AttrSpec& Attr(const char* op, tileops_attr_key key) {
  const OpSpec* spec = find_op(op);
  return spec->attrs[static_cast<size_t>(spec->attr_index(key))];
}

TEST(OpTable, IsSound) {
  std::set<int> ids;
  std::set<std::string> names;
  EXPECT_EQ(op_table().size(), tileops_op_count());
  for (const auto& op : op_table()) {
    SCOPED_TRACE(op->name);
    EXPECT_TRUE(ids.insert(op->op).second);
    EXPECT_TRUE(names.insert(op->name).second);
    EXPECT_EQ(find_op(op->op), op.get());
    EXPECT_EQ(find_op(op->name), op.get());
    EXPECT_GE(op->op, 1);
    EXPECT_GE(op->outputs.size(), 1u);
    EXPECT_LE(op->inputs.size(), size_t{TILEOPS_MAX_INPUTS});
    EXPECT_LE(op->outputs.size(), size_t{TILEOPS_MAX_OUTPUTS});
    EXPECT_LE(op->attrs.size(), size_t{TILEOPS_MAX_ATTRS});
    EXPECT_LE(op->min_inputs, static_cast<int>(op->inputs.size()));
    EXPECT_LT(op->lo, op->hi);
    EXPECT_GE(op->ulp, 0);
    EXPECT_GE(std::string(op->doc).size(), 3u);
    EXPECT_FALSE(bodies_of(op->op).empty());
    std::set<int> keys;
    for (const AttrSpec& attr : op->attrs) {
      EXPECT_TRUE(keys.insert(attr.info.key).second) << attr.info.name;
      EXPECT_STREQ(attr_name(attr.info.key), attr.info.name);
      EXPECT_TRUE(attr.info.kind == TILEOPS_ATTR_F64 || attr.info.kind == TILEOPS_ATTR_I64);
    }
    for (const OperandSpec& in : op->inputs) {
      if (in.fallback == TILEOPS_ATTR_NONE) continue;
      EXPECT_TRUE(in.optional);
      EXPECT_GE(op->attr_index(in.fallback), 0) << in.name;
    }
  }
  EXPECT_EQ(find_op("no such operator"), nullptr);
  EXPECT_EQ(find_op(tileops_op{0}), nullptr);
  EXPECT_EQ(attr_name(9999), nullptr);
}

// The constants of tileops.h for named choices are those of the table.
TEST(OpTable, Choices) {
  const struct {
    const char *op, *attr, *choices;
    std::vector<int> constants;
  } rows[] = {
      {"gelu", "approximate", "none|tanh", {TILEOPS_APPROXIMATE_NONE, TILEOPS_APPROXIMATE_TANH}},
      {"div", "rounding", "none|trunc|floor", {TILEOPS_ROUNDING_NONE, TILEOPS_ROUNDING_TRUNC, TILEOPS_ROUNDING_FLOOR}},
      {"alibi", "slopes", "paper|geometric", {TILEOPS_SLOPES_PAPER, TILEOPS_SLOPES_GEOMETRIC}},
      {"sinusoidal", "layout", "interleaved|halves", {TILEOPS_LAYOUT_INTERLEAVED, TILEOPS_LAYOUT_HALVES}},
      {"exp",
       "fp8_overflow",
       "saturate|nonsaturating",
       {TILEOPS_FP8_OVERFLOW_SATURATE, TILEOPS_FP8_OVERFLOW_NONSATURATING}},
  };
  std::set<std::string> told;
  for (const auto& row : rows) {
    told.insert(row.attr);
    for (const AttrSpec& attr : find_op(row.op)->attrs) {
      if (attr.info.name == std::string(row.attr)) {
        EXPECT_EQ(attr.choices, row.choices);
      }
    }
    for (size_t i = 0; i < row.constants.size(); ++i) EXPECT_EQ(row.constants[i], static_cast<int>(i));
  }
  for (const auto& op : op_table()) {
    for (const AttrSpec& attr : op->attrs) {
      if (!attr.choices.empty()) {
        EXPECT_EQ(told.count(attr.info.name), 1u) << attr.info.name;
      }
    }
  }
}

TEST(OpTable, Operands) {
  const OpSpec* rope = find_op("rope_longrope");
  ASSERT_EQ(rope->inputs.size(), 5u);
  EXPECT_EQ(rope->min_inputs, 2);
  EXPECT_EQ(rope->inputs[1].name, "rescale_factors");
  EXPECT_FALSE(rope->inputs[1].optional);
  EXPECT_EQ(rope->inputs[1].fixed, std::vector<Dtype>{Dtype::f32});
  EXPECT_TRUE(rope->inputs[2].optional);
  EXPECT_EQ(rope->inputs[2].fixed, (std::vector<Dtype>{Dtype::i32, Dtype::i64}));
  EXPECT_EQ(rope->inputs[2].fixed_text, "int32|int64");
  const OpSpec* dropout = find_op("dropout");
  EXPECT_EQ(dropout->min_outputs, 1);
  EXPECT_EQ(dropout->outputs.size(), 2u);
  EXPECT_EQ(find_op("sinusoidal")->inputs.size(), 0u);
  EXPECT_EQ(find_op("pow")->inputs[1].fallback, TILEOPS_ATTR_EXPONENT);
}

TEST(OpTable, Attributes) {
  const tileops_attr_info& slope = Attr("leaky_relu", TILEOPS_ATTR_NEGATIVE_SLOPE).info;
  EXPECT_EQ(slope.kind, TILEOPS_ATTR_F64);
  EXPECT_EQ(slope.default_value.f64, 0.01);
  EXPECT_TRUE(slope.has_default);
  EXPECT_TRUE(std::isinf(slope.max_value));
  const tileops_attr_info& decimals = Attr("round", TILEOPS_ATTR_DECIMALS).info;
  EXPECT_EQ(decimals.kind, TILEOPS_ATTR_I64);
  EXPECT_EQ(decimals.min_value, -22);
  EXPECT_EQ(decimals.max_value, 22);
  const AttrSpec& rounding = Attr("div", TILEOPS_ATTR_ROUNDING);
  EXPECT_EQ(rounding.choices, "none|trunc|floor");
  EXPECT_EQ(rounding.info.max_value, 2);
  EXPECT_EQ(rounding.info.default_value.i64, 0);
  const tileops_attr_info& exponent = Attr("pow", TILEOPS_ATTR_EXPONENT).info;
  EXPECT_FALSE(exponent.has_default);
  EXPECT_EQ(exponent.kind, TILEOPS_ATTR_F64);
  EXPECT_EQ(Attr("rope_neox", TILEOPS_ATTR_SEQ_AXIS).info.kind, TILEOPS_ATTR_I64);
  EXPECT_EQ(Attr("rope_neox", TILEOPS_ATTR_INTERLEAVED).info.default_value.i64, 0);
  EXPECT_EQ(Attr("rope_non_neox", TILEOPS_ATTR_INTERLEAVED).info.default_value.i64, 1);
  const AttrSpec& fp8 = Attr("exp", TILEOPS_ATTR_FP8_OVERFLOW);
  EXPECT_FALSE(fp8.info.has_default);
  EXPECT_EQ(fp8.choices, "saturate|nonsaturating");
  EXPECT_LT(find_op("eq")->attr_index(TILEOPS_ATTR_FP8_OVERFLOW), 0);
}

// Every operand, attribute and choice is named, and every text of details.def reaches its operator.
TEST(OpTable, Details) {
  std::string all;
  for (const auto& op : op_table()) {
    SCOPED_TRACE(op->name);
    const std::string details = op_details(*op);
    all += details;
    for (const auto* list : {&op->inputs, &op->outputs})
      for (const OperandSpec& operand : *list)
        EXPECT_NE(details.find("\n- " + operand.name + " ("), std::string::npos) << operand.name;
    for (const AttrSpec& attr : op->attrs) {
      EXPECT_NE(details.find(std::string("\n- ") + attr.info.name + " ("), std::string::npos);
      EXPECT_NE(details.find(attr.info.doc), std::string::npos) << attr.info.name;
    }
    EXPECT_NE(details.find("Source: "), std::string::npos);
    EXPECT_EQ(details.find("{ulp}"), std::string::npos);
    EXPECT_EQ(details.find("\n\n\n"), std::string::npos);
    EXPECT_EQ(details.find("  "), std::string::npos);
  }
  const char* texts[] = {
#define TILEOPS_RULE_DETAILS(rule, text, accuracy, source) text, source,
#define TILEOPS_OPERAND_DETAILS(rule, operand, text) text,
#define TILEOPS_OP_DETAILS(NAME, text, accuracy, source) text, source,
#include <tileops/ops/details.def>
#undef TILEOPS_RULE_DETAILS
#undef TILEOPS_OPERAND_DETAILS
#undef TILEOPS_OP_DETAILS
  };
  for (const char* text : texts) EXPECT_NE(all.find(text), std::string::npos) << text;
  const std::string gelu = op_details(*find_op("gelu"));
  EXPECT_NE(gelu.find("(none = 0 or tanh = 1; default none)"), std::string::npos);
  const std::string slope = op_details(*find_op("leaky_relu"));
  EXPECT_NE(slope.find("(number; default 0.01)"), std::string::npos);
}

TEST(OpTable, ResultRules) {
  const std::pair<const char*, const char*> rows[] = {
      {"exp", "promoted_float"}, {"add", "promoted"}, {"div", "promoted_float"}, {"eq", "bool"},
      {"logical_not", "bool"},   {"isnan", "bool"},   {"cast", "source"},        {"where", "promoted"},
  };
  for (const auto& [op, rule] : rows) EXPECT_STREQ(find_op(op)->result_rule(), rule) << op;
}

}  // namespace
}  // namespace tileops
