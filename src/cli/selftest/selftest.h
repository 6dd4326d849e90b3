// `tileops selftest`: the operators of the installed library compared with references of their own.
#ifndef TILEOPS_CLI_SELFTEST_SELFTEST_H_
#define TILEOPS_CLI_SELFTEST_SELFTEST_H_

namespace CLI {
class App;
}

namespace tileops::cli {

// Adds the subcommand, whose callback sets *exit_code.
void add_selftest(CLI::App& app, int* exit_code);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_SELFTEST_SELFTEST_H_
