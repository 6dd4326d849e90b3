// The subcommands of `tileops`.
#ifndef TILEOPS_CLI_COMMANDS_COMMANDS_H_
#define TILEOPS_CLI_COMMANDS_COMMANDS_H_

namespace CLI {
class App;
}

namespace tileops::cli {

// Each adds one subcommand, whose callback throws what goes wrong.
void add_info(CLI::App& app);
void add_ops(CLI::App& app);
void add_run(CLI::App& app);
void add_expr(CLI::App& app);
void add_bench(CLI::App& app);
void add_tune(CLI::App& app);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_COMMANDS_COMMANDS_H_
