// tileops ops: the operator table, from the library's introspection alone.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/dtype.h"

namespace tileops::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.17g", value);
  // The shortest form that reads back the same; 10000 rather than 1e+04.
  for (int digits = 6; digits < 17; ++digits) {
    char shorter[40];
    std::snprintf(shorter, sizeof(shorter), "%.*g", digits, value);
    if (std::strtod(shorter, nullptr) == value) return shorter;
  }
  return text;
}

std::string default_text(const tileops_attr_info& attr) {
  if (!attr.has_default) return "";
  if (attr.choices != nullptr) {
    const auto choices = split(attr.choices, '|');
    const auto index = static_cast<size_t>(attr.default_value.i64);
    return index < choices.size() ? choices[index] : "?";
  }
  if (attr.key == TILEOPS_ATTR_AXES) return "-1";  // as texts have it: the last axis
  if (attr.kind == TILEOPS_ATTR_I64) return std::to_string(attr.default_value.i64);
  return number(attr.default_value.f64);
}

std::string dtype_set(uint32_t set) {
  std::string text;
  const auto add = [&](uint32_t bit, const char* name) {
    if (set & bit) text += std::string(text.empty() ? "" : " ") + name;
  };
  add(TILEOPS_DTYPES_FLOAT, "float");
  add(TILEOPS_DTYPES_INT, "int");
  add(TILEOPS_DTYPES_BOOL, "bool");
  add(TILEOPS_DTYPES_SCALE, "scale");
  return text;
}

std::string operand_text(const tileops_operand_info& operand) {
  return std::string(operand.name) + (operand.optional ? "?" : "");
}

std::string signature(const tileops_op_info& op, const char* separator) {
  std::string text;
  for (int i = 0; i < op.max_inputs; ++i) {
    const bool repeated = i > 0 && std::strcmp(op.inputs[i].name, op.inputs[i - 1].name) == 0;
    if (repeated && i == 1) text.insert(text.size() - std::strlen(separator), "...");  // any number of them
    if (!repeated) text += operand_text(op.inputs[i]) + separator;
  }
  text += "->";
  for (int i = 0; i < op.max_outputs; ++i) text += separator + operand_text(op.outputs[i]);
  return text;
}

std::string attr_summary(const tileops_op_info& op) {
  std::string text;
  for (int i = 0; i < op.num_attrs; ++i) {
    const tileops_attr_info& attr = op.attrs[i];
    if (!text.empty()) text += " ";
    text += attr.name;
    text += attr.has_default ? "=" + default_text(attr) : "?";
  }
  return text;
}

Json operand_json(const tileops_operand_info& operand) {
  Json json = {{"name", operand.name}, {"optional", operand.optional != 0}};
  if (operand.dtype != nullptr) {
    json["dtypes"] = split(operand.dtype, '|');
    json["promoted"] = false;
  } else {
    Json names = Json::array();
    for (DLDataType dtype : dtypes_of(operand.dtypes)) names.push_back(dtype_name(dtype));
    json["dtypes"] = names;
    json["promoted"] = true;
  }
  return json;
}

Json attr_json(const tileops_attr_info& attr) {
  const auto bound = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  Json json = {{"name", attr.name},
               {"key", attr.key},
               {"kind", attr.kind == TILEOPS_ATTR_I64 ? "int" : "float"},
               {"doc", attr.doc}};
  if (attr.choices != nullptr) json["choices"] = split(attr.choices, '|');
  if (!attr.has_default) {
    json["default"] = nullptr;
  } else if (attr.choices != nullptr) {
    json["default"] = default_text(attr);
  } else if (attr.kind == TILEOPS_ATTR_I64) {
    json["default"] = attr.default_value.i64;
  } else {
    json["default"] = bound(attr.default_value.f64);
  }
  if (attr.choices == nullptr) {
    json["min"] = bound(attr.min_value);
    json["max"] = bound(attr.max_value);
  }
  return json;
}

Json op_json(const tileops_op_info& op) {
  Json inputs = Json::array(), outputs = Json::array(), attrs = Json::array(), dtypes = Json::array();
  for (int i = 0; i < op.max_inputs; ++i) inputs.push_back(operand_json(op.inputs[i]));
  for (int i = 0; i < op.max_outputs; ++i) outputs.push_back(operand_json(op.outputs[i]));
  for (int i = 0; i < op.num_attrs; ++i) attrs.push_back(attr_json(op.attrs[i]));
  for (DLDataType dtype : dtypes_of(op.dtypes)) dtypes.push_back(dtype_name(dtype));
  return {{"name", op.name},
          {"op", op.op},
          {"category", op.category},
          {"doc", op.doc},
          {"details", op.details},
          {"dtypes", dtypes},
          {"result", op.result},
          {"inputs", inputs},
          {"outputs", outputs},
          {"min_inputs", op.min_inputs},
          {"min_outputs", op.min_outputs},
          {"attributes", attrs}};
}

std::string markdown_cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

void print_text(const std::vector<tileops_op_info>& ops) {
  for (const tileops_op_info& op : ops) {
    std::printf("%-18s %-13s %-16s %s\n", op.name, op.category, dtype_set(op.dtypes).c_str(), op.doc);
  }
}

void print_markdown(const std::vector<tileops_op_info>& ops) {
  std::printf("| op | operands | dtypes | attributes | computes |\n|---|---|---|---|---|\n");
  std::string category;
  for (const tileops_op_info& op : ops) {
    if (category != op.category) {
      category = op.category;
      std::printf("| **%s** | | | | |\n", category.c_str());
    }
    // Every float result may be asked for as fp8; said once above the table, not in each row.
    std::string attrs;
    for (const std::string& attr : split(attr_summary(op), ' ')) {
      if (attr.rfind("fp8_overflow", 0) != 0) attrs += (attrs.empty() ? "" : " ") + attr;
    }
    std::printf("| `%s` | %s | %s | %s | %s |\n", op.name, code(markdown_cell(signature(op, " "))).c_str(),
                dtype_set(op.dtypes).c_str(), code(markdown_cell(attrs)).c_str(), markdown_cell(op.doc).c_str());
  }
}

// Prints text that is made as tileops_op_info.details says, wrapped; items of lists hang.
void print_wrapped(const std::string& text) {
  constexpr size_t kWidth = 96;
  for (const std::string& line : split(text, '\n')) {
    const std::string hang = line.rfind("- ", 0) == 0 ? "    " : "  ";
    std::string row = "  ";
    for (const std::string& word : split(line, ' ')) {
      if (row.size() > hang.size() && row.size() + 1 + word.size() > kWidth) {
        std::printf("%s\n", row.c_str());
        row = hang;
      }
      row += (row.find_first_not_of(' ') == std::string::npos ? "" : " ") + word;
    }
    std::printf("%s\n", line.empty() ? "" : row.c_str());
  }
}

void print_one(const tileops_op_info& op) {
  std::printf("%s (%s): %s\n", op.name, op.category, op.doc);
  std::string text = "\n" + signature(op, " ");
  if (*op.details != '\0') text += std::string("\n\n") + op.details;
  // The details of operators speak of their attributes; functions that only expressions have give them alone.
  for (int i = 0; *op.details == '\0' && i < op.num_attrs; ++i) {
    const std::string usual = default_text(op.attrs[i]);
    text += std::string(i == 0 ? "\n" : "") + "\n- " + op.attrs[i].name + (usual.empty() ? "" : " = " + usual) + ": " +
            op.attrs[i].doc;
  }
  print_wrapped(text);
}

struct OpsOptions {
  bool json = false, markdown = false, functions = false;
  std::vector<std::string> names;
};

std::vector<tileops_op_info> operators() {
  std::vector<tileops_op_info> all;
  for (size_t i = 0; i < tileops_op_count(); ++i) {
    all.emplace_back(tileops_op_info TILEOPS_OP_INFO_INIT);
    check(tileops_op_describe(tileops_op_at(i), &all.back()));
  }
  return all;
}

// Those that only expressions have.
std::vector<tileops_op_info> functions_alone() {
  std::vector<tileops_op_info> all;
  for (size_t i = 0; i < tileops_function_count(); ++i) {
    tileops_op_info info = TILEOPS_OP_INFO_INIT;
    check(tileops_function_describe(tileops_function_at(i), &info));
    if (tileops_op_from_name(info.name) == TILEOPS_OP_NONE) all.push_back(info);
  }
  return all;
}

void ops(const OpsOptions& options) {
  std::vector<tileops_op_info> ops;
  for (const std::string& name : options.names) ops.push_back(find_op_or_function(name));
  if (options.names.empty()) ops = options.functions ? functions_alone() : operators();
  if (options.json) {
    Json list = Json::array();
    for (const tileops_op_info& op : ops) list.push_back(op_json(op));
    std::cout << list.dump(2) << "\n";
  } else if (options.markdown) {
    print_markdown(ops);
  } else if (options.names.empty()) {
    print_text(ops);
  } else {
    for (size_t i = 0; i < ops.size(); ++i) {
      if (i > 0) std::printf("\n");
      print_one(ops[i]);
    }
  }
}

}  // namespace

void add_ops(CLI::App& app) {
  CLI::App* command = app.add_subcommand("ops", "The operator table; with names: the full documentation of these");
  auto options = std::make_shared<OpsOptions>();
  command->add_option("NAME", options->names, "Operators, or functions of expressions, to show in full")->type_name("");
  command->add_flag("--functions", options->functions, "The functions that only expressions have, instead");
  CLI::Option* json = command->add_flag("--json", options->json, "Print JSON");
  command->add_flag("--markdown", options->markdown, "Print a Markdown table")->excludes(json);
  command->callback([options] { ops(*options); });
}

}  // namespace tileops::cli
