// The environment, and the log.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/env.h"
#include "base/error.h"
#include "base/log.h"

namespace tileops {
namespace {

struct Line {
  tileops_log_level level;
  std::string text;
};

// Collects what is logged, and puts the log back.
class Capture {
 public:
  explicit Capture(tileops_log_level level) {
    log_set([](void* user, tileops_log_level l,
               const char* text) { static_cast<Capture*>(user)->lines.push_back({l, text}); },
            this, level);
  }
  ~Capture() { log_set(nullptr, nullptr, TILEOPS_LOG_WARN); }
  std::vector<Line> lines;
};

std::string ContentOf(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Env, EmptyIsUnset) {
  unsetenv("TILEOPS_TEST_VARIABLE");
  EXPECT_FALSE(env("TILEOPS_TEST_VARIABLE"));
  setenv("TILEOPS_TEST_VARIABLE", "", 1);
  EXPECT_FALSE(env("TILEOPS_TEST_VARIABLE"));
  setenv("TILEOPS_TEST_VARIABLE", "x y", 1);
  EXPECT_EQ(env("TILEOPS_TEST_VARIABLE"), "x y");
}

TEST(Env, Counts) {
  const char* name = "TILEOPS_TEST_VARIABLE";
  setenv(name, "42", 1);
  EXPECT_EQ(env_count(name), 42);
  setenv(name, "0", 1);
  EXPECT_EQ(env_count(name), 0);
  for (const char* bad : {"-1", "4x", "1e3", "99999999999999999999", "many"}) {
    Capture log(TILEOPS_LOG_WARN);
    setenv(name, bad, 1);
    EXPECT_FALSE(env_count(name)) << bad;
    ASSERT_EQ(log.lines.size(), 1u) << bad;
    EXPECT_EQ(log.lines[0].level, TILEOPS_LOG_WARN);
    EXPECT_NE(log.lines[0].text.find(name), std::string::npos) << log.lines[0].text;
  }
  unsetenv(name);
  EXPECT_FALSE(env_count(name));
}

TEST(Log, LevelsAndFormat) {
  Capture capture(TILEOPS_LOG_INFO);
  EXPECT_TRUE(log_enabled(TILEOPS_LOG_INFO));
  EXPECT_FALSE(log_enabled(TILEOPS_LOG_DEBUG));
  log(TILEOPS_LOG_ERROR, "a %d", 1);
  log(TILEOPS_LOG_INFO, "b %s", "two");
  log(TILEOPS_LOG_DEBUG, "not this");
  ASSERT_EQ(capture.lines.size(), 2u);
  EXPECT_EQ(capture.lines[0].text, "a 1");
  EXPECT_EQ(capture.lines[1].text, "b two");
  EXPECT_EQ(capture.lines[1].level, TILEOPS_LOG_INFO);
  log(TILEOPS_LOG_INFO, "%s", std::string(5000, 'x').c_str());  // cut, not overrun
  EXPECT_GE(capture.lines[2].text.size(), 1000u);
  log_set(nullptr, nullptr, TILEOPS_LOG_OFF);
  EXPECT_FALSE(log_enabled(TILEOPS_LOG_ERROR));
}

TEST(Log, BadLevelIsRefused) {
  EXPECT_EQ(tileops_log_set(nullptr, nullptr, 5), TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(tileops_log_set(nullptr, nullptr, -1), TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(tileops_last_error()).rfind("tileops_log_set: ", 0), 0u) << tileops_last_error();
}

// With TILEOPS_LOG=info and TILEOPS_LOG_FILE, as ctest runs it once more.
TEST(Log, FromTheEnvironment) {
  const auto level = env("TILEOPS_LOG"), file = env("TILEOPS_LOG_FILE");
  if (level != "info" || !file) GTEST_SKIP() << "run alone by ctest: unit.log_environment";
  std::remove(file->c_str());
  EXPECT_TRUE(log_enabled(TILEOPS_LOG_INFO));
  EXPECT_FALSE(log_enabled(TILEOPS_LOG_DEBUG));
  log(TILEOPS_LOG_INFO, "to the file");
  EXPECT_EQ(ContentOf(*file), "tileops info: to the file\n");
}

// With TILEOPS_LOG=error and a TILEOPS_LOG_FILE that cannot be opened, or takes nothing, likewise.
TEST(Log, UnwritableFileIsTold) {
  const auto level = env("TILEOPS_LOG"), file = env("TILEOPS_LOG_FILE");
  if (level != "error" || !file) GTEST_SKIP() << "run alone by ctest: unit.log_no_folder, unit.log_full";
  testing::internal::CaptureStderr();
  log(TILEOPS_LOG_ERROR, "one");
  log(TILEOPS_LOG_ERROR, "two");
  const char* why = *file == "/dev/full" ? "No space left on device" : "No such file or directory";
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tileops warning: TILEOPS_LOG_FILE=" + *file + ": " + why +
                "; logging to stderr instead\ntileops error: one\ntileops error: two\n");
}

// With TILEOPS_LOG=loud and TILEOPS_LOG_FILE, likewise.
TEST(Log, UnknownLevelIsTold) {
  const auto level = env("TILEOPS_LOG"), file = env("TILEOPS_LOG_FILE");
  if (level != "loud" || !file) GTEST_SKIP() << "run alone by ctest: unit.log_unknown";
  std::remove(file->c_str());
  EXPECT_TRUE(log_enabled(TILEOPS_LOG_WARN));
  EXPECT_FALSE(log_enabled(TILEOPS_LOG_INFO));
  EXPECT_EQ(ContentOf(*file), "tileops warning: TILEOPS_LOG=loud is not off, error, warn, info or debug; ignored\n");
}

TEST(Errors, TextAndShapes) {
  const int64_t shape[] = {2, 3};
  EXPECT_EQ(shape_text(shape, 2), "(2, 3)");
  EXPECT_EQ(shape_text(shape, 0), "()");
  EXPECT_EQ(strf("%s-%d", "a", 5), "a-5");
  try {
    unsupported("no %s", "way");
  } catch (const Error& e) {
    EXPECT_EQ(e.status, TILEOPS_STATUS_UNSUPPORTED);
    EXPECT_EQ(e.message, "no way");
  }
  set_last_error("f", "g", 7);
  EXPECT_STREQ(last_error_text(), "f: g");
  EXPECT_EQ(last_driver_code(), 7);
}

}  // namespace
}  // namespace tileops
