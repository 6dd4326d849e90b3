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
        for (const KernelSpec& spec : standard_kernels(90, false)) all->insert(spec.text());
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
      const KernelSpec spec = choose(problem, pass, make_layout(pass), {90, UseTables::yes, {}}).spec;
      EXPECT_TRUE(Texts().count(spec.text())) << spec.name();
      if (!spec.needs_table()) continue;
      const KernelSpec filler = choose_filler(problem, pass, 90).spec;
      EXPECT_TRUE(Texts().count(filler.text())) << spec.name() << ", its table: " << filler.name();
    }
  }
};

}  // namespace tileops::cuda
