// What the tests of expressions share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "expr/parse/parser.h"
#include "same_graph.h"

namespace tileops::expr {

// The canonical text, or "! " and the error's message up to its first line's end.
inline std::string canonical(std::string_view text) {
  try {
    return parse(text)->text;
  } catch (const Error& e) {
    return "! " + e.message.substr(0, e.message.find('\n'));
  }
}

// Made again from its nodes by a builder it has the same text (nodes_test.cc).
void expect_built_again(const std::string& canonical_text);

inline void expect_round_trip(const Graph& graph) { EXPECT_EQ(wrong_with_text(graph), ""); }

}  // namespace tileops::expr
