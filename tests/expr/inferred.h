// Shapes and dtypes of results as texts.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "expr/infer/infer.h"
#include "expr_test.h"
#include "problem/request.h"

namespace tileops::expr {

// "f32(2,3)", "i64()", "-" for an absent operand.
inline TensorSpec spec(const std::string& text) {
  TensorSpec t;
  const size_t open = text.find('(');
  if (open == std::string::npos) return t;
  Dtype dtype;
  EXPECT_TRUE(dtype_from_any_name(text.substr(0, open), &dtype)) << text;
  std::vector<int64_t> shape;
  std::istringstream extents(text.substr(open + 1));
  for (int64_t n; extents >> n; extents.ignore()) shape.push_back(n);
  read_tensor({dtype_to_dl(dtype), static_cast<int32_t>(shape.size()), shape.data(), nullptr}, "spec", &t);
  return t;
}

inline std::string spec_text(const TensorSpec& t) {
  std::string s = std::string(dtype_label(t.dtype)) + "(";
  for (int d = 0; d < t.ndim; ++d) s += (d ? "," : "") + std::to_string(t.shape[d]);
  return s + ")";
}

// "f32(2) i64()" for the results, or the first line of the error.
inline std::string inferred(const std::string& text, const std::string& operands) {
  std::vector<TensorSpec> specs;
  std::istringstream words(operands);
  for (std::string word; words >> word;) specs.push_back(spec(word));
  try {
    std::string s;
    for (const TensorSpec& t : infer(parse(text), specs).results) s += (s.empty() ? "" : " ") + spec_text(t);
    return s;
  } catch (const Error& e) {
    return "! " + e.message.substr(0, e.message.find('\n'));
  }
}

}  // namespace tileops::expr
