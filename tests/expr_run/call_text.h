// Calls of functions as texts.
#ifndef TILEOPS_TESTS_EXPR_RUN_CALL_TEXT_H_
#define TILEOPS_TESTS_EXPR_RUN_CALL_TEXT_H_

#include <string>
#include <vector>

#include "../ops/op_rows.h"

namespace exprtest {

// Operators that a text may call, casts apart, and the functions that it has besides them, as rows of the same form.
const std::vector<optest::OpRow>& MapRows();

// A number as a text has it; `integer` without a point.
std::string NumberText(double value, bool integer);

std::string Label(optest::Dt dtype);  // "bf16"

// name(slot = argument, ..., attribute = value); "" for an absent argument.
std::string CallText(const optest::OpRow& row, const std::vector<std::string>& arguments, const optest::Attrs& attrs);

}  // namespace exprtest

#endif  // TILEOPS_TESTS_EXPR_RUN_CALL_TEXT_H_
