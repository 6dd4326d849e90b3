// The fuzz target of expressions (tests/fuzz/expr_calls.cc) on bytes made here: random calls of the builder, random
// memory layouts between pages that may not be touched.
#include <gtest/gtest.h>

#include <random>

#include "../fuzz/expr_calls.h"
#include "expression.h"

namespace exprtest {
namespace {

TEST(RandomCalls, AreRefusedOrRight) {
  const uint64_t count = Long() ? 1000000 : 15000;
  uint64_t executed = 0;
  for (uint64_t seed = 1; seed <= count; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<uint8_t> data(400);
    for (uint8_t& byte : data) byte = static_cast<uint8_t>(random());
    fuzz::Bytes bytes(data.data(), data.size());
    executed += fuzz::expression(&bytes);
  }
  EXPECT_GT(executed, count / 50);
}

}  // namespace
}  // namespace exprtest
