// Tests of what the prebuilt pack holds.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/error.h"
#include "cuda/launch/result_table.h"
#include "cuda/select/choose.h"
#include "pack/standard.h"
#include "problem/layout.h"

namespace tileops::cuda {

class StandardKernels : public ::testing::Test {
 protected:
  static const std::set<std::string>& Texts() {
    static const auto* texts = [] {
      auto* all = new std::set<std::string>;
      try {
        for (const StandardKernel& k : standard_kernels(90, false)) all->insert(k.kernel.text);
      } catch (const Error& e) {
        ADD_FAILURE() << e.message;
      }
      return all;
    }();
    return *texts;
  }
  // A plan of the problem compiles nothing, neither for its kernels nor for the tables that they ask for.
  static void ExpectHeld(const Problem& problem) {
    for (const Pass& pass : problem.passes) {
      const Choice choice = choose(problem, pass, make_layout(pass), {90, UseTables::yes, {}});
      EXPECT_TRUE(Texts().count(choice.kernel.text)) << choice.kernel.name;
      if (!choice.spec.needs_table()) continue;
      const Kernel filler = choose_filler(problem, pass, 90).kernel;
      EXPECT_TRUE(Texts().count(filler.text)) << choice.kernel.name << ", its table: " << filler.name;
    }
  }
};

}  // namespace tileops::cuda
