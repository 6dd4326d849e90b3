// Kernels of lists on CUDA, without a GPU: each text's pass has one; what differs between two items is in the words
// that are an item's own; and an optimiser's launch has room for a model's parameters.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

#include "base/error.h"
#include "cuda/jit/nvrtc.h"
#include "cuda/jit/source.h"
#include "cuda/launch/executable.h"
#include "of_batch.h"
#include "open_axes.h"

namespace rowtest {
namespace {

using tileops::ViewKind;
using tileops::cuda::Choice;
using tileops::cuda::ChooseOptions;
using tileops::cuda::ChosenPass;
using tileops::cuda::Kernel;
using tileops::cuda::Nvrtc;
using tileops::cuda::Template;
using tileops::cuda::UseTables;

const DLDevice kDevice{kDLCUDA, 0};

std::vector<ChosenPass> ChosenOf(tileops::Problem problem, uint32_t flags) {
  problem.flags |= flags;
  return tileops::cuda::choose_all(problem, {90, UseTables::yes, {}});
}

// Words that an execute at these extents sets otherwise than one at others, where all numbers of the host differ that
// depend on extents.
std::set<int> WordsThatDiffer(const Choice& choice, const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::vector<uint64_t> one = choice.arguments.words, other = one;
  choice.arguments.complete(a.data(), choice.launch.grid.count(a.data()), one.data());
  choice.arguments.complete(b.data(), choice.launch.grid.count(b.data()), other.data());
  std::set<int> words;
  for (size_t w = 0; w < one.size(); ++w)
    if (one[w] != other[w]) words.insert(static_cast<int>(w));
  for (size_t v = 0; v < choice.arguments.views.size(); ++v) {
    const ViewKind kind = choice.arguments.views[v].kind;
    if (kind == ViewKind::input || kind == ViewKind::output || kind == ViewKind::temporary)
      words.insert(tileops::cuda::ArgumentLayout::address + static_cast<int>(v));
  }
  return words;
}

struct CountedWords {
  size_t kernels = 0, words = 0, own = 0;
  std::map<std::string, size_t> refused;
};

void ExpectOwnWords(const std::string& what, const std::vector<ChosenPass>& passes, size_t open,
                    CountedWords* counted) {
  for (const ChosenPass& pass : passes)
    for (const Choice& choice : pass.choices) {
      ASSERT_TRUE(choice.spec.list.has_value()) << what;
      EXPECT_FALSE(choice.spec.looks_up() || choice.spec.compute.table) << what;
      EXPECT_NE(choice.spec.traversal.kernel_template, Template::activation_table) << what;
      const std::vector<int>& own = choice.spec.list->own_words;
      EXPECT_TRUE(std::is_sorted(own.begin(), own.end())) << what;
      for (const int word : WordsThatDiffer(choice, std::vector<int64_t>(open, 6), std::vector<int64_t>(open, 70001)))
        EXPECT_TRUE(std::binary_search(own.begin(), own.end(), word)) << what << ", word " << word;
      EXPECT_GT(choice.spec.list->capacity, 20) << what;
      ++counted->kernels;
      counted->words += choice.arguments.words.size();
      counted->own += own.size();
    }
}

TEST(ListKernels, HaveWhatDiffersByItem) {
  CountedWords counted;
  const char* folder = std::getenv("TILEOPS_TEST_SOURCES");  // where each source is written, for a look
  for (const RowText& text : RowTexts()) {
    if (text.operands.empty()) continue;
    std::vector<Shape> shapes;
    for (const Declared& d : text.operands) shapes.push_back(d.shape);
    for (size_t axis = 0; axis <= shapes[0].size(); ++axis) {
      const bool is_open = axis < shapes[0].size();
      const OpenAxes axes = is_open ? AlikeAxes(shapes, 0, axis) : OpenAxes(shapes.size());
      if (is_open && axes[0].empty()) continue;
      const auto problem = ProblemOf(text, is_open ? ShapesAt(shapes, axes, TILEOPS_OPEN) : shapes, kDevice);
      if (!problem) continue;
      std::vector<ChosenPass> passes;
      try {
        passes = ChosenOf(*problem, TILEOPS_PLAN_LIST);
      } catch (const tileops::Error& e) {
        ++counted.refused[e.message];
        continue;
      }
      ExpectOwnWords(text.name + ", axis " + std::to_string(axis), passes, problem->most_extents.size(), &counted);
      if (!folder) continue;
      const auto write = [&](const std::vector<ChosenPass>& all, const char* kind) {
        for (const ChosenPass& pass : all)
          std::ofstream(std::string(folder) + "/" + text.name + "-" + std::to_string(axis) + "-" +
                        std::to_string(pass.pass) + kind)
              << tileops::cuda::full_source(pass.choices.back().kernel);
      };
      write(passes, ".list.cu");
      write(ChosenOf(*problem, 0), ".cu");
    }
  }
  std::cout << counted.kernels << " kernels, " << counted.words << " words, of which " << counted.own
            << " are an item's own; refused:\n";
  for (const auto& [why, count] : counted.refused) std::cout << "  " << count << " " << why << "\n";
  EXPECT_GT(counted.kernels, 300u);
}

// All parameters of Llama 3 8B are one launch of AdamW, where kernels may be passed 32 KB; and 53 where it is 4.
TEST(ListKernels, HaveRoomForAModel) {
  const RowText& text = RowTextOf("adamw");
  std::vector<Shape> shapes;
  for (const Declared& d : text.operands) shapes.push_back(d.shape);
  auto problem = ProblemOf(text, ShapesAt(shapes, AlikeAxes(shapes, 0, 0), TILEOPS_OPEN), kDevice);
  ASSERT_TRUE(problem.has_value());
  const Choice many = ChosenOf(*problem, TILEOPS_PLAN_LIST)[0].choices[0];
  EXPECT_GE(many.spec.list->capacity, 291);
  ChooseOptions few{90, UseTables::yes, {}};
  few.argument_bytes = tileops::cuda::kUsualArgumentBytes;
  problem->flags |= TILEOPS_PLAN_LIST;
  EXPECT_GE(tileops::cuda::choose_all(*problem, few)[0].choices[0].spec.list->capacity, 40);
}

TEST(ListKernels, Compile) {
  const Nvrtc& nvrtc = Nvrtc::get();
  if (!nvrtc.available()) GTEST_SKIP() << nvrtc.failure();
  for (const char* name : {"adamw", "rms_norm", "softmax", "mse"}) {
    const RowText& text = RowTextOf(name);
    std::vector<Shape> shapes;
    for (const Declared& d : text.operands) shapes.push_back(d.shape);
    const auto problem = ProblemOf(text, ShapesAt(shapes, AlikeAxes(shapes, 0, 0), TILEOPS_OPEN), kDevice);
    ASSERT_TRUE(problem.has_value()) << name;
    for (const ChosenPass& pass : ChosenOf(*problem, TILEOPS_PLAN_LIST)) {
      const Kernel& kernel = pass.choices.back().kernel;
      EXPECT_FALSE(nvrtc.compile(tileops::cuda::full_source(kernel), kernel.name, 90).image.empty()) << kernel.name;
    }
  }
}

}  // namespace
}  // namespace rowtest
