// The `tileops` command: one subcommand a file, results on stdout, everything else on stderr.
#include <fcntl.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/selftest/selftest.h"

namespace {

constexpr char kFooter[] = "Exit codes: 0 success, 1 the run failed, 2 the command line is wrong.\n"
                           "`tileops COMMAND --help` explains a command; tileops(1) explains all of them.";

// Opens what the caller closed of stdin, stdout and stderr, in a way that using it still fails.
// Otherwise the first file opened would take its number, and messages would end up in results.
void hold_standard_streams() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

int fail(const char* what, int code) {
  std::fprintf(stderr, "tileops: error: %s\n", what);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tileops::cli;
  CLI::App app("Tensor operators, fused expressions and row reductions on CPU and CUDA memory", "tileops");
  app.set_version_flag("--version", [] { return std::string("tileops ") + tileops_version_string(); });
  app.require_subcommand(1);
  app.footer(kFooter);
  int exit_code = kExitOk;
  hold_standard_streams();
  // A file that outgrows `ulimit -f` is a failed write with a message, not a death by signal.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    add_info(app);
    add_ops(app);
    add_run(app);
    add_expr(app);
    add_bench(app);
    add_tune(app);
    add_selftest(app, &exit_code);
    // CLI11 would only say that a subcommand is required.
    const auto is_named = [argv](const CLI::App* command) { return command->get_name() == argv[1]; };
    if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(is_named).empty()) {
      throw UsageError(std::string("unknown command '") + argv[1] +
                       "' (need info, ops, run, expr, bench, tune or selftest)");
    }
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() != 0) throw;
      app.exit(error);  // prints what --help or --version asked for
    }
    flush_stdout();
    return exit_code;
  } catch (const CLI::ParseError& error) {
    fail(error.what(), kExitUsage);
    std::fprintf(stderr, "Try `tileops --help`.\n");
    return kExitUsage;
  } catch (const UsageError& error) {
    return fail(error.what(), kExitUsage);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", kExitFailed);
  } catch (const std::exception& error) {
    return fail(error.what(), kExitFailed);
  }
}
