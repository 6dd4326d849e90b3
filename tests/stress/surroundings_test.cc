// No output on stdout, homes that cannot be written, and fork().
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "binary_plan.h"

namespace stress {
namespace {

// Everything that a program would do, and something that fails. True if all went as it should.
bool UseTheLibrary(int64_t n) {
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.num_threads = 3;
  tileops_context* context = nullptr;
  if (tileops_context_create(&options, &context) != TILEOPS_STATUS_OK) return false;
  Operands operands(n);
  const size_t size = static_cast<size_t>(n);
  std::vector<float> a(size, 2.0f), b(size, 3.0f), y(size);
  bool fine = true;
  for (tileops_op op : {TILEOPS_OP_ADD, TILEOPS_OP_POW, TILEOPS_OP_MAXIMUM}) {
    tileops_plan* plan = nullptr;
    fine &= Plan(context, op, &operands, &plan) == TILEOPS_STATUS_OK;
    fine &= plan && Execute(plan, &operands, a.data(), b.data(), y.data()) == TILEOPS_STATUS_OK;
    const float want = op == TILEOPS_OP_ADD ? 5.0f : op == TILEOPS_OP_POW ? 8.0f : 3.0f;
    for (float v : y) fine &= v == want;
    tileops_plan_destroy(plan);
  }
  tileops_plan* plan = nullptr;
  fine &= Plan(context, 9999, &operands, &plan) == TILEOPS_STATUS_INVALID_ARGUMENT && !plan;
  char directory[4096];
  size_t length = sizeof directory;
  fine &= tileops_cache_dir(context, directory, &length) == TILEOPS_STATUS_OK;
  fine &= tileops_cache_clear(context, TILEOPS_CACHE_PLANS) == TILEOPS_STATUS_OK;
  for (size_t i = 0; i < tileops_device_count(); ++i) {
    tileops_device_info info = TILEOPS_DEVICE_INFO_INIT;
    fine &= tileops_device_describe(i, &info) == TILEOPS_STATUS_OK;
  }
  fine &= tileops_build_info()[0] != 0;
  tileops_context_destroy(context);
  return fine;
}

// Runs a body in a child process; its exit status.
template <class Body>
int InChild(const Body& body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// First, so that the child is the first to make the library's threads.
TEST(Fork, BeforeAnyUse) {
  EXPECT_EQ(InChild([] { return UseTheLibrary(100000); }), 0);
}

TEST(Fork, AfterUseOnOneThread) {
  ASSERT_TRUE(UseTheLibrary(100));
  EXPECT_EQ(InChild([] { return UseTheLibrary(100); }), 0);
}

// The parent's workers do not exist in the child; plans of before must still run there.
TEST(Fork, AfterUseOfManyThreads) {
  Operands operands(200000);
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.num_threads = 4;
  tileops_context* context = nullptr;
  ASSERT_EQ(tileops_context_create(&options, &context), TILEOPS_STATUS_OK);
  tileops_plan* plan = nullptr;
  ASSERT_EQ(Plan(context, TILEOPS_OP_ADD, &operands, &plan), TILEOPS_STATUS_OK);
  std::vector<float> a(200000, 1.0f), b(200000, 2.0f), y(200000);
  ASSERT_EQ(Execute(plan, &operands, a.data(), b.data(), y.data()), TILEOPS_STATUS_OK);
  EXPECT_EQ(InChild([&] {
              alarm(20);  // a hang is a failure
              std::vector<float> z(200000);
              if (Execute(plan, &operands, a.data(), b.data(), z.data()) != TILEOPS_STATUS_OK) return false;
              for (float v : z)
                if (v != 3.0f) return false;
              return UseTheLibrary(200000);
            }),
            0);
  tileops_plan_destroy(plan);
  tileops_context_destroy(context);
}

TEST(Output, NothingOnStdout) {
  char path[] = "/tmp/tileops-stdout-XXXXXX";
  const int file = mkstemp(path);
  ASSERT_GE(file, 0);
  const int status = InChild([&] {
    dup2(file, 1);
    setenv("TILEOPS_CPU_ISA", "nonsense", 1);  // worth a warning, on stderr
    dup2(open("/dev/null", 1), 2);
    const bool fine = UseTheLibrary(1000);
    std::fflush(nullptr);
    return fine;
  });
  EXPECT_EQ(status, 0);
  struct stat info;
  ASSERT_EQ(fstat(file, &info), 0);
  EXPECT_EQ(info.st_size, 0);
  close(file);
  unlink(path);
}

TEST(Home, MissingOrUnwritable) {
  for (const char* home : {"", "/nonexistent/home", "/proc", "/dev/null"}) {
    EXPECT_EQ(InChild([&] {
                unsetenv("XDG_CACHE_HOME");
                unsetenv("TILEOPS_CACHE_DIR");
                if (*home) setenv("HOME", home, 1);
                else unsetenv("HOME");
                return UseTheLibrary(100);
              }),
              0)
        << home;
    EXPECT_EQ(InChild([&] {
                setenv("TILEOPS_CACHE_DIR", home, 1);
                return UseTheLibrary(100);
              }),
              0)
        << home;
  }
}

TEST(Environment, NonsenseIsIgnored) {
  EXPECT_EQ(InChild([] {
              for (const char* name : {"TILEOPS_CACHE", "TILEOPS_CACHE_MAX_MB", "TILEOPS_PLAN_CAPACITY",
                                       "TILEOPS_CPU_ISA", "TILEOPS_NUM_THREADS", "TILEOPS_LOG"})
                setenv(name, "-7 bananas", 1);
              tileops_log_set([](void*, tileops_log_level, const char*) {}, nullptr, TILEOPS_LOG_WARN);
              return UseTheLibrary(100) && UseTheLibrary(100000);
            }),
            0);
}

}  // namespace
}  // namespace stress
