// A row of a table of plans that must be refused, and what every such row is checked for.
#pragma once

#include <gtest/gtest.h>

#include <ostream>

#include "call.h"

namespace bad_input {

constexpr tileops_status kInvalid = TILEOPS_STATUS_INVALID_ARGUMENT;
constexpr tileops_status kUnsupported = TILEOPS_STATUS_UNSUPPORTED;

struct PlanRow {
  const char *op, *operands, *attrs;
  tileops_status status;
  const char* message;  // after "<function>: "
};

inline std::ostream& operator<<(std::ostream& s, const PlanRow& row) {
  return s << row.op << " " << row.operands << " " << row.attrs;
}

// Name of a row within its table, for --gtest_filter.
inline std::string row_name(size_t index, const char* op) {
  const std::string number = std::to_string(index);
  return "row" + std::string(number.size() < 3 ? 3 - number.size() : 0, '0') + number + "_" + op;
}
template <class Row>
std::string name_of_row(const testing::TestParamInfo<Row>& info) {
  return row_name(info.index, info.param.op);
}

// The three ways to plan must give the same status and text, and no plan.
class PlanTest : public testing::TestWithParam<PlanRow> {
 protected:
  void check() {
    const PlanRow& row = GetParam();
    const Call call(row.op, row.operands, row.attrs);
    const Desc desc(call);
    const auto expect = [&](tileops_status got, const char* function) {
      EXPECT_STREQ(tileops_status_name(row.status), tileops_status_name(got));
      EXPECT_EQ(std::string(function) + ": " + row.message, tileops_last_error());
    };
    expect(tileops_plan_check(nullptr, &desc.desc), "tileops_plan_check");

    auto* plan = reinterpret_cast<tileops_plan*>(1);
    expect(tileops_plan_create(nullptr, &desc.desc, &plan), "tileops_plan_create");
    EXPECT_EQ(nullptr, plan);

    std::vector<DLTensor> in, out;
    for (const Operand& t : call.inputs) in.push_back(t.tensor());
    for (const Operand& t : call.outputs) out.push_back(t.tensor());
    std::vector<const DLTensor*> inputs;
    std::vector<DLTensor*> outputs;
    for (size_t i = 0; i < in.size(); ++i) inputs.push_back(call.inputs[i].present ? &in[i] : nullptr);
    for (size_t i = 0; i < out.size(); ++i) outputs.push_back(call.outputs[i].present ? &out[i] : nullptr);
    plan = reinterpret_cast<tileops_plan*>(1);
    expect(tileops_plan_create_like(nullptr, call.op, inputs.data(), inputs.size(), outputs.data(), outputs.size(),
                                    call.attrs.data(), call.attrs.size(), &plan),
           "tileops_plan_create_like");
    EXPECT_EQ(nullptr, plan);

    // What is wrong with operands or attributes is refused by inference as well, but for what results they are for.
    const std::string message = row.message;
    const bool of_inputs = message.rfind("inputs[", 0) == 0 || message.rfind("attrs", 0) == 0;
    if (of_inputs && message.find("is for results of") == std::string::npos) {
      DLDataType dtype;
      int32_t ndim;
      int64_t shape[TILEOPS_MAX_NDIM];
      expect(tileops_plan_infer(&desc.desc, 0, &dtype, &ndim, shape), "tileops_plan_infer");
    }
    EXPECT_STREQ(nullptr, still_works());
  }
};

}  // namespace bad_input
