// What is refused when a text is parsed or planned, and that the message says where.
#include <gtest/gtest.h>

#include "not_yet.h"
#include "texts.h"

namespace rowtest {
namespace {

struct Case {
  const char *text, *operands;
  bool parsed;       // it is refused when it is planned
  const char* says;  // part of the message, or ""
  const char* at;    // what the byte of the message points at
};

const Case kCases[] = {
    {"(x) -> sum(x, axis = 0)", "x f32 4x6", false, "end", "0)"},
    {"(x) -> sum(x, axis = (-1, -1))", "x f32 4x6", false, "", ""},
    {"(x) -> sum(x, axis = -3)", "x f32 4x6", true, "range", ""},
    {"(x; n = -1) -> sum(x, axis = n)", "x f32 4x6", false, "constant", "n)"},
    {"(x) -> mean(x, axis = (-2, -1), group = 4)", "x f32 4x6", false, "", ""},
    {"(x) -> sum(x, axis = all, group = 2)", "x f32 4x6", false, "", ""},
    {"(x) -> x / amax(x, group = 3)", "x f32 4x6", true, "spread(", ""},
    {"(x) -> spread(amax(x, group = 2), x, group = 3)", "x f32 4x6", true, "", ""},
    {"(x) -> cumsum(x, axis = (-2, -1))", "x f32 4x6", false, "", ""},
    {"(x) -> cummax(x, exclusive = true)", "x f32 4x6", false, "", ""},
    {"(x) -> gather(x, x)", "x f32 4x6", true, "integer", ""},
    {"(x, i) -> gather(x, i, i)", "x f32 4x6, i i64 4x6", false, "", ""},
    {"(x, i) -> gather(x, i, i, axis = (-1, -2))", "x f32 4x6, i i64 4x6", false, "", ""},
    {"(x, i) -> scatter(x, i) + 1", "x f32 4x6, i i64 4x1", false, "", ""},
    {"(x) -> tiled(x, rows = 64)", "x f32 4x6", false, "", "64"},
    {"(x) -> argmax(x)", "x f32 2x0", true, "", ""},
    {"(x, y) -> concat(x, y)", "x f32 5x512, y f32 5x64", true, "", ""},
    {"(a, b) -> a * b", "a e2m1fn 4x7, b e2m1fn 4x7", true, "", ""},
};

std::vector<Tensor> OperandsOf(const Case& c) {
  RowText text = ReadRowText(c.operands);
  return RandomOperands(text, 1);
}

TEST(Refused, Texts) {
  for (const Case& c : kCases) {
    const std::vector<Tensor> operands = OperandsOf(c);
    if (operands.empty()) {
      EXPECT_TRUE(NotYet().count(Here())) << c.text;
      continue;
    }
    const std::string text = c.text;
    tileops_expr* expr = nullptr;
    tileops_status status = tileops_expr_parse(text.data(), text.size(), &expr);
    std::string message = tileops_last_error();
    const bool parsed = status == TILEOPS_STATUS_OK;
    if (parsed) {
      std::vector<tileops_tensor_desc> descs;
      for (const Tensor& t : operands)
        descs.push_back({tileops::dtype_to_dl(t.dtype), static_cast<int32_t>(t.shape.size()), t.shape.data(), nullptr});
      tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
      desc.expr = expr;
      desc.num_inputs = static_cast<int32_t>(descs.size());
      desc.inputs = descs.data();
      DLDataType dtype;
      int32_t ndim;
      int64_t shape[TILEOPS_MAX_NDIM];
      status = tileops_plan_infer(&desc, 0, &dtype, &ndim, shape);
      message = tileops_last_error();
      tileops_expr_destroy(expr);
    }
    if (message.find("not yet") != std::string::npos || message.find("there is no function") != std::string::npos) {
      EXPECT_TRUE(NotYet().count(Here())) << c.text << "\n" << message;
      continue;
    }
    EXPECT_EQ(parsed, c.parsed) << c.text << "\n" << message;
    EXPECT_NE(status, TILEOPS_STATUS_OK) << c.text;
    EXPECT_NE(status, TILEOPS_STATUS_INTERNAL) << c.text << "\n" << message;
    EXPECT_NE(message.find(c.says), std::string::npos) << c.text << "\n" << message << "\n  does not say " << c.says;
    const size_t place = message.find("byte ");
    EXPECT_NE(place, std::string::npos) << c.text << "\n" << message << "\n  does not say where";
    if (place == std::string::npos || !*c.at) continue;
    const size_t byte = static_cast<size_t>(std::atoi(message.c_str() + place + 5));
    EXPECT_EQ(text.compare(byte, std::string(c.at).size(), c.at), 0) << c.text << "\n" << message;
  }
}

}  // namespace
}  // namespace rowtest
