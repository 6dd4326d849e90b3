// What the tests of expressions share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "expr/parse/parser.h"

namespace tileops::expr {

// The canonical text, or "! " and the error's message up to its first line's end.
inline std::string canonical(std::string_view text) {
  try {
    return parse(text)->text;
  } catch (const Error& e) {
    return "! " + e.message.substr(0, e.message.find('\n'));
  }
}

// The canonical text means the same graph, and is its own canonical text.
inline void expect_round_trip(const Graph& graph) {
  std::shared_ptr<const Graph> again;
  try {
    again = parse(graph.text);
  } catch (const Error& e) {
    FAIL() << graph.text << "\n" << e.message;
  }
  EXPECT_EQ(again->text, graph.text);
  ASSERT_EQ(again->nodes.size(), graph.nodes.size()) << graph.text;
  ASSERT_EQ(again->results.size(), graph.results.size()) << graph.text;
  for (size_t i = 0; i < graph.results.size(); ++i) {
    EXPECT_EQ(again->results[i].name, graph.results[i].name) << graph.text;
    EXPECT_EQ(again->results[i].node, graph.results[i].node) << graph.text;
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node &a = graph.nodes[i], &b = again->nodes[i];
    SCOPED_TRACE(graph.text + ", node " + std::to_string(i));
    EXPECT_EQ(a.of, b.of);
    EXPECT_EQ(a.index, b.index);
    EXPECT_EQ(a.function, b.function);
    EXPECT_EQ(a.on_host, b.on_host);
    EXPECT_TRUE(same(a.value, b.value));
    ASSERT_EQ(a.arguments.size(), b.arguments.size());
    for (size_t k = 0; k < a.arguments.size(); ++k) EXPECT_EQ(a.arguments[k].node, b.arguments[k].node);
    ASSERT_EQ(a.attributes.size(), b.attributes.size());
    for (size_t k = 0; k < a.attributes.size(); ++k) {
      EXPECT_EQ(a.attributes[k].index, b.attributes[k].index);
      EXPECT_EQ(a.attributes[k].node, b.attributes[k].node);
      EXPECT_TRUE(same(a.attributes[k].value, b.attributes[k].value));
    }
  }
}

}  // namespace tileops::expr
