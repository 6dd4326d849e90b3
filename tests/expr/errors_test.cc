// Texts that are wrong: each with the byte at which it is, and the whole first line of what is said.
#include "expr_test.h"

namespace tileops::expr {
namespace {

constexpr tileops_status kInvalid = TILEOPS_STATUS_INVALID_ARGUMENT, kUnsupported = TILEOPS_STATUS_UNSUPPORTED;

struct Wrong {
  const char* text;
  int64_t offset;
  tileops_status status;
  const char* message;
};

const Wrong kWrong[] = {
    {"x + 1", 0, kInvalid, "expected '(' before the operands (got 'x')"},
    {"(x -> x", 3, kInvalid, "expected ',', ';' or ')' after an operand (got '->')"},
    {"(x) x", 4, kInvalid, "expected '->' after the operands (got 'x')"},
    {"(x) - x", 4, kInvalid, "expected '->' after the operands (got '-')"},
    {"(x) ->", 6, kInvalid, "expected a value (got the end of the text)"},
    {"(x) -> {", 8, kInvalid, "expected a value (got the end of the text)"},
    {"(x) -> { h = x + 1 h }", 19, kInvalid, "expected an operator or ';' after the value of a name (got 'h')"},
    {"(x) -> { h = x; }", 16, kInvalid, "expected a value (got '}')"},
    {"(x) -> x +", 10, kInvalid, "expected a value (got the end of the text)"},
    {"(x) -> (x", 9, kInvalid, "expected an operator or ')' (got the end of the text)"},
    {"(x) -> x)", 8, kInvalid, "expected an operator, ',' or the end of the text (got ')')"},
    {"(x) -> x y", 9, kInvalid, "expected an operator, ',' or the end of the text (got 'y')"},
    {"(x, x) -> x", 4, kInvalid, "'x' is bound twice"},
    {"(x; x = 1) -> x", 4, kInvalid, "'x' is bound twice"},
    {"(x; s) -> x", 5, kInvalid, "expected '=' and the value of the scalar (got ')')"},
    {"(x; s = y) -> x", 8, kInvalid, "expected a number (got 'y')"},
    {"(x; s = true) -> x", 4, kInvalid, "scalar 's' is bool (need an integer or a float)"},
    {"(true) -> 1", 1, kInvalid, "'true' is reserved and is no name"},
    {"(x) -> { x = 1; x }", 9, kInvalid, "'x' is bound twice"},
    {"(x) -> { h = 1; h = 2; h + x }", 16, kInvalid, "'h' is bound twice"},
    {"(x) -> { inf = 1; x }", 9, kInvalid, "'inf' is reserved and is no name"},
    {"(x) -> y", 7, kInvalid, "'y' is not bound"},
    {"(x) -> silu", 7, kInvalid, "'silu' is a function: expected '(' after it"},
    {"(x) -> x(1)", 7, kInvalid, "'x' is a value and cannot be called"},
    {"(x) -> silv(x)", 7, kInvalid, "there is no function 'silv'; is 'silu' meant?"},
    {"(x) -> qqqqq(x)", 7, kInvalid, "there is no function 'qqqqq'"},
    {"(x) -> gelu(x, tanhh)", 15, kInvalid, "expected none or tanh for 'approximate' of gelu (got 'tanhh')"},
    {"(x) -> gelu(x, 1)", 15, kInvalid, "expected none or tanh for 'approximate' of gelu (got '1')"},
    {"(x) -> gelu(x, aproximate = tanh)", 15, kInvalid,
     "gelu has no argument 'aproximate' (it has x, approximate, fp8_overflow)"},
    {"(x) -> gelu(x, tanh, 1)", 21, kInvalid, "gelu takes at most 2 arguments"},
    {"(x) -> gelu()", 7, kInvalid, "gelu: 'x' is missing"},
    {"(x) -> add(x)", 7, kInvalid, "add: 'b' is missing"},
    {"(x) -> add(a = x, x)", 18, kInvalid, "an argument without name after one with a name"},
    {"(x) -> add(x, x, a = x)", 17, kInvalid, "add: 'a' is given twice"},
    {"(x) -> add(x, x, alpha = x)", 25, kInvalid, "add: 'alpha' takes a number (got a tensor)"},
    {"(x) -> add(x, x, alpha = true)", 25, kInvalid, "add: 'alpha' takes a number (got bool)"},
    {"(x) -> pow(x, 2, exponent = 3)", 17, kInvalid, "pow: 'b' is given twice"},
    {"(x) -> cast(x)", 7, kInvalid, "cast: 'dtype' is missing"},
    {"(x) -> cast(x, float)", 15, kInvalid, "'float' is neither a dtype nor an operand"},
    {"(x) -> cast(x, 1)", 15, kInvalid, "expected a dtype or an operand (got '1')"},
    {"(x) -> cast(x, e8m0)", 15, kInvalid, "'e8m0' is neither a dtype nor an operand"},
    {"(x; s = 1) -> cast(x, s)", 22, kInvalid, "'s' is neither a dtype nor an operand"},
    {"(x) -> cast(x, f16, alpha = 1)", 20, kInvalid,
     "cast has no argument 'alpha' (it has x, dtype, rounding, fp8_overflow)"},
    {"(x) -> cast(x, e8m0fnu, rounding = nearest)", 35, kInvalid,
     "expected none, trunc, floor or up for 'rounding' of cast (got 'nearest')"},
    {"(x) -> clamp(x)", 7, kInvalid, "clamp: 'min' and 'max' are both missing"},
    {"(x) -> x < 1 < 2", 13, kInvalid, "comparisons do not chain: put one in parentheses"},
    {"(x) -> x + 1 & 2", 13, kInvalid, "what stands beside '&' needs parentheses"},
    {"(x) -> x & 1 + 2", 13, kInvalid, "what stands beside '+' needs parentheses, as it is beside '&'"},
    {"(x) -> x & 1 | 2", 13, kInvalid, "what stands beside '|' needs parentheses, as it is beside '&'"},
    {"(x) -> x < 1 & x", 13, kInvalid, "what stands beside '&' needs parentheses"},
    {"(x) -> x ^ 2", 9, kInvalid,
     "'^' is xor in some languages and a power in others: write bitwise_xor(a, b) or a ** b"},
    {"(x) -> x ? 1 : 2", 9, kInvalid, "there is no '?': write where(condition, a, b)"},
    {"(x) -> !x", 7, kInvalid, "there is no '!': write logical_not(x), or '!=' to compare"},
    {"(x) -> x && x", 9, kInvalid, "there is no '&&': write '&' between values of bool, or logical_and(a, b)"},
    {"(x) -> x[0]", 8, kInvalid, "there is no indexing: chunk(x, i, n) and every(x, i, n) are parts of an operand"},
    {"(x) -> .5 * x", 7, kInvalid, "'.' stands in numbers alone, after a digit: 0.5"},
    {"(x) -> 1. * x", 9, kInvalid, "expected a digit after the point"},
    {"(x) -> 2x", 8, kInvalid, "expected an operator after the number (got 'x')"},
    {"(x) -> 007 * x", 7, kInvalid, "a number does not begin with 0, but for 0.5"},
    {"(x) -> 1e * x", 9, kInvalid, "expected a digit of the exponent"},
    {"(x) -> 1e999 * x", 7, kInvalid, "the number is beyond float64"},
    {"(x) -> 9223372036854775808 + x", 7, kInvalid, "the integer is beyond int64"},
    {"(x) -> 99999999999999999999 + x", 7, kInvalid, "the integer is beyond int64"},
    {"(x) -> x @ 1", 9, kInvalid, "'@' has no meaning"},
    {"(x) -> chunk(x + 1, 0, 2)", 13, kInvalid, "chunk: 'x' takes an operand, a part of whose memory it reads"},
    {"(x) -> chunk(x, 2, 2)", 16, kInvalid, "chunk: 'i' is out of range (got 2, need 0 to 1)"},
    {"(x) -> chunk(x, 0)", 7, kInvalid, "chunk: 'n' is missing"},
    {"(x; n = 2) -> chunk(x, 0, n)", 26, kInvalid, "chunk: 'n' must be a constant"},
    {"(x) -> chunk(x, 0, 1.5)", 19, kInvalid, "chunk: 'n' must be an integer (got 1.5)"},
    {"(x) -> index(x, 0)", 16, kInvalid, "index: 'axis' is out of range (got 0, need -32 to -1)"},
    {"(x) -> index(x)", 7, kInvalid, "index: 'axis' is missing"},
    {"(x) -> concat(x)", 7, kInvalid, "concat takes 2 to 8 arguments (got 1)"},
    {"(x) -> exp(concat(x, x))", 11, kInvalid, "exp: argument 1 is a concat, which is for results alone"},
    {"(x) -> dropout_mask(x, 1.5)", 23, kInvalid, "dropout_mask: 'p' is out of range (got 1.5, need 0 to 1)"},
    {"(x) -> dropout_mask(x, 0.5, 0.5)", 28, kInvalid, "dropout_mask: 'seed' must be an integer (got 0.5)"},
    {"(x; s = 0.5) -> dropout_mask(x, 0.5, s)", 37, kInvalid, "dropout_mask: 'seed' takes an integer (got a float)"},
    {"(x) -> rope_neox(x)", 7, kUnsupported,
     "rope_neox: is no function of single elements: it is executed as an operator alone"},
    {"(x) -> silu_and_mul(x)", 7, kUnsupported,
     "silu_and_mul: is no function of single elements: write silu(chunk(x, 0, 2)) * chunk(x, 1, 2)"},
    {"(x) -> sum(x)", 7, kUnsupported, "sum: not yet (reduction)"},
    {"(x) -> scatter(x, x)", 7, kUnsupported, "scatter: not yet (scattered result)"},
    {"(x) -> x * (1, 2)", 11, kUnsupported, "a list of numbers: not yet"},
    {"(x) -> { h = x + 1; h, h }", 23, kInvalid, "results 0 and 1 are both 'h'"},
    {"(x) -> { y1 = x + 1; y1, x * 2 }", 25, kInvalid, "results 0 and 1 are both 'y1'"},
    {"(x) -> relu(1) + x", 7, kInvalid, "relu does not take an integer"},
    {"(x) -> true - true + x", 12, kInvalid, "sub does not take bool"},
    {"(x) -> where(1, 2, 3) + x", 7, kInvalid, "where: cond takes bool (got an integer)"},
    {"(x) -> 2 ** -1 * x", 12, kInvalid,
     "pow: an integer to a negative power is no integer: write the base as a float"},
    {"(x) -> x, ", 10, kInvalid, "expected a value (got the end of the text)"},
    {"(x) -> x == = 1", 12, kInvalid, "expected a value (got '=')"},
    {"(x) -> x.y", 8, kInvalid, "'.' stands in numbers alone, after a digit: 0.5"},
    {"(x y) -> x", 3, kInvalid, "expected ',', ';' or ')' after an operand (got 'y')"},
    {"(x,) -> x", 3, kInvalid, "expected the name of an operand (got ')')"},
    {"(x;) -> x", 3, kInvalid, "expected the name of a scalar (got ')')"},
    {"(x = ) -> x", 5, kInvalid, "expected a number (got ')')"},
    {"(x = -true) -> x", 6, kInvalid, "expected a number (got 'true')"},
    {"(x) -> nan_to_num(x, nan = 1, nan = 2)", 30, kInvalid, "nan_to_num: 'nan' is given twice"},
    {"(x) -> round(x, 30)", 16, kInvalid, "round: 'decimals' is out of range (got 30, need -22 to 22)"},
    {"(x) -> div(x, 2, up)", 17, kInvalid, "expected none, trunc or floor for 'rounding' of div (got 'up')"},
    {"(x) -> add(x, , 2)", 14, kInvalid, "expected a value (got ',')"},
    {"(x) -> x || x", 9, kInvalid, "there is no '||': write '|' between values of bool, or logical_or(a, b)"},
    {"(x) -> mean(x) + 1", 7, kUnsupported, "mean: not yet (reduction)"},
    {"(x) -> gather(x, x, -1)", 7, kUnsupported, "gather: not yet (gathered view)"},
    {"(x) -> spread(x, x)", 7, kUnsupported, "spread: not yet (group)"},
    {"(x) -> exp(x)(x)", 13, kInvalid, "expected an operator, ',' or the end of the text (got '(')"},
    {"(x) -> pow(x, )", 14, kInvalid, "expected a value (got ')')"},
    {"(x) -> cast(cast(x, f16)", 24, kInvalid,
     "expected an operator, ',' or ')' in the call of cast (got the end of the text)"},
    {"(x) -> -", 8, kInvalid, "expected a value (got the end of the text)"},
    {"(x) -> concat(x, x) + 1", 7, kInvalid, "add: argument 1 is a concat, which is for results alone"},
    {"(x) -> 1.5.2 * x", 10, kInvalid, "expected an operator after the number (got '.')"},
};

TEST(Errors, EachHasItsPlaceAndMessage) {
  EXPECT_GE(std::size(kWrong), 60u);
  for (const Wrong& w : kWrong) {
    SCOPED_TRACE(w.text);
    try {
      parse(w.text);
      ADD_FAILURE() << "is taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.status, w.status);
      EXPECT_EQ(e.offset, w.offset);
      const std::string place = "text: byte " + std::to_string(w.offset) + ": ";
      EXPECT_EQ(e.message.substr(0, e.message.find('\n')), place + w.message);
    }
  }
}

// What is to be written instead of an operator is a right text.
TEST(Errors, WhatToWriteInstead) {
  int told = 0;
  for (const auto& op : op_table()) {
    const std::string error = canonical("(x, weight; p = 0.1, seed = 0, offset = 0) -> " + std::string(op->name) +
                                        "(x, x)");
    const size_t at = error.find(": write ");
    if (at == std::string::npos) continue;
    ++told;
    const std::string text = "(x, weight; p = 0.1, seed = 0, offset = 0) -> " + error.substr(at + 8);
    EXPECT_EQ(canonical(text).find("! "), std::string::npos) << canonical(text);
  }
  EXPECT_EQ(told, 5);
}

// Every prefix of a right text is a wrong one, said to end too early; every byte may be any other without harm.
TEST(Errors, CutAndChangedTexts) {
  const std::string text = "(x, y = 1; s = 0.5) -> { h = x ** 2 + s; where(h > y, -h, 2e3), h }";
  ASSERT_NO_THROW(parse(text));
  for (size_t n = 0; n < text.size(); ++n) {
    try {
      parse(text.substr(0, n));
      ADD_FAILURE() << text.substr(0, n);
    } catch (const Error& e) {
      EXPECT_LE(e.offset, static_cast<int64_t>(n)) << text.substr(0, n);
      EXPECT_GE(e.offset, 0) << text.substr(0, n);
    }
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[n] = static_cast<char>(byte);
      try {
        expect_round_trip(*parse(changed));
      } catch (const Error& e) {
        EXPECT_GE(e.offset, 0) << changed;
        EXPECT_NE(e.message.find("\n  "), std::string::npos) << changed;
      }
    }
  }
}

std::string message_of(std::string_view text) {
  try {
    parse(text);
  } catch (const Error& e) {
    return e.message;
  }
  return "";
}

TEST(Errors, ShowThePlace) {
  EXPECT_EQ(message_of("(x) -> {\n  h = x + 1;\n  h +* 2 }"),
            "text: byte 27: expected a value (got '*')\n    h +* 2 }\n       ^");
  EXPECT_EQ(message_of("(x) ->\tx $"), "text: byte 9: '$' has no meaning\n  (x) -> x $\n           ^");
  // Of a long line what is around the place.
  EXPECT_EQ(message_of("(x) -> x" + std::string(100, ' ') + "? + x" + std::string(100, ' ') + "x"),
            "text: byte 108: there is no '?': write where(condition, a, b)\n  ..." + std::string(60, ' ') + "? + x" +
                std::string(25, ' ') + "...\n" + std::string(65, ' ') + "^");
  // Bytes that are not ASCII, a NUL among them.
  EXPECT_EQ(message_of("(x) -> \xc3\xa9"),
            "text: byte 7: byte 0xc3 has no place in a text: it is ASCII\n  (x) -> ??\n         ^");
  EXPECT_EQ(message_of(std::string_view("(x) -> x\0 + 1", 13)),
            "text: byte 8: byte 0x00 has no place in a text: it is ASCII\n  (x) -> x? + 1\n          ^");
  EXPECT_EQ(message_of(""), "text: byte 0: expected '(' before the operands (got the end of the text)\n  \n  ^");
}

}  // namespace
}  // namespace tileops::expr
