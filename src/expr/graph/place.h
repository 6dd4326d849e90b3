// Errors of a text say where: byte, line and a caret below it.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "expr/graph/graph.h"

namespace tileops::expr {

// "text: byte 7: <message>", and below it the line of the text with a caret.
std::string with_place(std::string_view text, Offset offset, const std::string& message);

[[noreturn]] void fail_at(tileops_status status, std::string_view text, Offset offset, const std::string& message);

}  // namespace tileops::expr
