// Options of the command line that may be given more than once.
#ifndef TILEOPS_CLI_OPTIONS_H_
#define TILEOPS_CLI_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/number.h"

namespace tileops::cli {

// An option that takes one value each time it is given, so that a file name behind it is never swallowed as another.
inline CLI::Option* add_list(CLI::App* command, const std::string& names, std::vector<std::string>& values,
                             const std::string& doc, const std::string& type) {
  return command->add_option(names, values, doc)
      ->type_size(1)
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name(type);
}

// Checks the text of an option whose value is one number.
inline CLI::Validator decimal() {
  const auto check = [](std::string& text) {
    return is_number(text, false) ? std::string() : "not a number: '" + text + "'";
  };
  return CLI::Validator(check, "");
}

inline constexpr char kExprDoc[] =
    "An expression instead of an operator, such as '(g, u) -> silu(g) * u'; @FILE: from a file; or one of those that "
    "`tileops expr` lists, by its name";

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_OPTIONS_H_
