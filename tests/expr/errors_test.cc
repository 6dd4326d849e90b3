// Texts that are wrong: how the place is shown, and that there always is one. What is said of each kind is in
// tests/bad_input/wrong_texts.h.
#include "expr_test.h"

namespace tileops::expr {
namespace {

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
  // A long line is shown as what is around the place.
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
