#include "cli/expression.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include "cli/number.h"

namespace tileops::cli {
namespace {

// The text in a file, which need not end: what is longer than a text may be is not read.
std::string read_text(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) throw RunError("--expr: cannot open " + path + ": " + std::strerror(errno));
  std::string text(TILEOPS_MAX_EXPR_BYTES + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) throw RunError("--expr: cannot read " + path + ": " + std::strerror(errno));
  if (text.size() > TILEOPS_MAX_EXPR_BYTES) {
    throw UsageError("--expr: " + path + " has more than " + std::to_string(TILEOPS_MAX_EXPR_BYTES) + " bytes");
  }
  return text;
}

bool is_name(const std::string& text) {
  const auto good = [](char c) { return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); };
  return !text.empty() && (text[0] < '0' || text[0] > '9') && std::all_of(text.begin(), text.end(), good);
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "it has none" : "it has " + text;
}

}  // namespace

Expression Expression::parse(const std::string& text_file_or_name) {
  tileops_expr* handle = nullptr;
  // No text is a name: texts begin with the parenthesis of the operands.
  if (is_name(text_file_or_name)) {
    const tileops_status status = tileops_expr_named(text_file_or_name.c_str(), &handle);
    if (status == TILEOPS_STATUS_INVALID_ARGUMENT) {
      const std::string message = tileops_last_error();
      std::vector<std::string> names;
      for (const tileops_named_expr_info& named : named_expressions()) names.emplace_back(named.name);
      throw UsageError(message + near_names(text_file_or_name, names, "tileops expr"));
    }
    check(status);
    return Expression(handle);
  }
  const bool file = !text_file_or_name.empty() && text_file_or_name[0] == '@';
  const std::string text = file ? read_text(text_file_or_name.substr(1)) : text_file_or_name;
  const tileops_status status = tileops_expr_parse(text.data(), text.size(), &handle);
  if (status != TILEOPS_STATUS_OK && tileops_last_error_offset() >= 0) throw UsageError(tileops_last_error());
  check(status);
  return Expression(handle);
}

std::vector<tileops_named_expr_info> named_expressions() {
  std::vector<tileops_named_expr_info> all(tileops_expr_named_count(), TILEOPS_NAMED_EXPR_INFO_INIT);
  for (size_t i = 0; i < all.size(); ++i) check(tileops_expr_named_at(i, &all[i]));
  return all;
}

tileops_expr_info Expression::info() const {
  tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
  check(tileops_expr_describe(handle_, &info));
  return info;
}

std::string Expression::text() const {
  size_t size = 0;
  check(tileops_expr_text(handle_, nullptr, &size));
  std::string text(size, '\0');
  check(tileops_expr_text(handle_, text.data(), &size));
  return text.c_str();  // drops the terminator
}

std::vector<std::string> Expression::operands() const {
  const tileops_expr_info all = info();
  std::vector<std::string> names;
  for (int i = 0; i < all.num_operands; ++i) names.emplace_back(all.operands[i].name);
  return names;
}

std::vector<std::string> Expression::results() const {
  const tileops_expr_info all = info();
  return {all.results, all.results + all.num_results};
}

Expression Expression::gradient(const std::vector<std::string>& operands) const {
  const std::vector<std::string> names = this->operands();
  std::vector<int32_t> indices;
  for (const std::string& operand : operands) {
    const auto found = std::find(names.begin(), names.end(), operand);
    if (found == names.end()) {
      throw UsageError("--gradient: the expression has no operand '" + operand + "' (" + list(names) + ")");
    }
    indices.push_back(static_cast<int32_t>(found - names.begin()));
  }
  tileops_expr* handle = nullptr;
  check(tileops_expr_gradient(handle_, indices.data(), indices.size(), &handle));
  return Expression(handle);
}

std::vector<tileops_number> Expression::scalars(const std::vector<std::string>& texts) const {
  const tileops_expr_info all = info();
  std::vector<std::string> names;
  for (int i = 0; i < all.num_scalars; ++i) names.emplace_back(all.scalars[i].name);
  std::vector<tileops_number> values(names.size());  // of kind DEFAULT
  for (const std::string& text : texts) {
    const auto [name, value] = split_name("--scalar", text, names, "scalar");
    if (name.empty()) throw UsageError("--scalar: need NAME=VALUE, got '" + text + "'");
    const auto i = static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    if (values[i].kind != TILEOPS_NUMBER_DEFAULT) throw UsageError("--scalar: '" + name + "' is given twice");
    const bool integer = all.scalars[i].default_value.kind == TILEOPS_NUMBER_I64;
    const std::string what = "--scalar " + name;
    values[i] = integer ? tileops_number_i64(parse_bits(value, what)) : tileops_number_f64(parse_double(value, what));
  }
  return values;
}

OperandTypes Expression::infer(DLDevice device, const std::vector<tileops_tensor_desc>& operands,
                               const OperandTypes& known) const {
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = device;
  desc.num_inputs = static_cast<int32_t>(operands.size());
  desc.inputs = operands.data();
  desc.expr = handle_;
  OperandTypes types;
  for (int k = 0; k < info().num_results; ++k) {
    if (static_cast<size_t>(k) < known.size() && known[static_cast<size_t>(k)]) {
      types.push_back(known[static_cast<size_t>(k)]);
      continue;
    }
    DLDataType dtype;
    int32_t ndim = 0;
    int64_t shape[TILEOPS_MAX_NDIM];
    check(tileops_plan_infer(&desc, static_cast<size_t>(k), &dtype, &ndim, shape));
    types.push_back(OperandType{dtype, Shape(shape, shape + ndim)});
  }
  return types;
}

std::pair<std::string, std::string> split_name(const std::string& option, const std::string& text,
                                               const std::vector<std::string>& names, const char* kind) {
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == std::string::npos || !is_name(name)) return {"", text};
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw UsageError(option + ": the expression has no " + kind + " '" + name + "' (" + list(names) + ")");
  }
  return {name, text.substr(equals + 1)};
}

NamedValues::NamedValues(const std::string& option, const std::vector<std::string>& names, const char* kind,
                         const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const auto [name, value] = split_name(option, text, names, kind);
    if (name.empty() ? others.has_value() : by_name.count(name) != 0) {
      throw UsageError(option + ": given twice" + (name.empty() ? "" : " for '" + name + "'") + ": " + text);
    }
    if (name.empty()) others = value;
    else by_name[name] = value;
  }
}

const std::string* NamedValues::find(const std::string& name) const {
  const auto it = by_name.find(name);
  return it != by_name.end() ? &it->second : others ? &*others : nullptr;
}

std::string number_text(const tileops_number& number) {
  if (number.kind == TILEOPS_NUMBER_BOOL) return number.value.i64 != 0 ? "true" : "false";
  if (number.kind == TILEOPS_NUMBER_I64) return std::to_string(number.value.i64);
  char buffer[32];  // the shortest digits that read back as this number take at most 24
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof(buffer), number.value.f64).ptr);
  if (std::isfinite(number.value.f64) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace tileops::cli
