#include "not_yet.h"

#include <gtest/gtest.h>

#include <cstring>

namespace rowtest {

const std::set<std::string>& NotYet() {
  static const auto* names = [] {
    const char* const here = Targets().front().device.device_type == kDLCUDA ? "cuda" : "cpu";
    auto* all = new std::set<std::string>;
    for (const auto& [name, where] : {
#define NOT_YET(name, where) std::pair<const char*, const char*>{#name, where},
#include "not_yet.def"
             std::pair<const char*, const char*>{"", ""}}) {
      if (std::strcmp(where, here) == 0 || std::strcmp(where, "both") == 0) all->insert(name);
    }
    return all;
  }();
  return *names;
}

std::string Here() {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  return std::string(test->test_suite_name()) + "." + test->name();
}

std::string Here(size_t index) { return Here() + "/" + std::to_string(index); }

bool Runs(const TextRun& run, const std::string& name) {
  const bool listed = NotYet().count(name) > 0;
  if (run.state() != State::runs) {
    EXPECT_TRUE(listed) << "not_yet.def does not list " << name << "\n" << run.why();
  } else {
    EXPECT_FALSE(listed) << "not_yet.def lists " << name << ", which runs";
  }
  return run.state() == State::runs;
}

}  // namespace rowtest
