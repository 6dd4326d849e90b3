// Ways of CUDA plans with open extents: for each text and each axis that may be open, every way has a kernel, and where
// it is the kernel of a closed plan, its thread blocks and arguments are, too, at any number. Needs no GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

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
using tileops::cuda::ChosenPass;

constexpr size_t kMostWays = 4;
const std::vector<int64_t> kExtents = {1, 2, 7, 64, 131, 4096, 70001, 1 << 20};

std::vector<ChosenPass> ChosenOf(const tileops::Problem& problem) {
  return tileops::cuda::choose_all(problem, {90, tileops::cuda::UseTables::yes, {}});
}

struct Counted {
  size_t plans = 0, passes = 0, ways = 0, same = 0, others = 0;
  std::map<std::string, size_t> refused;
};

// What an open pass's launch has otherwise than a closed one's of the same kernel; "": nothing.
std::string DifferenceOf(const Choice& open, const std::vector<int64_t>& extents, const Choice& closed) {
  const uint64_t count = open.launch.grid.count(extents.data());
  const auto size = open.launch.grid.of(count);
  if (size.blocks != closed.launch.blocks || size.threads != closed.launch.threads)
    return testing::PrintToString(std::vector<uint64_t>{size.blocks, size.threads}) + " blocks and threads";
  std::vector<uint64_t> words = open.arguments.words;
  open.arguments.complete(extents.data(), count, words.data());
  // Along an extent of 1 strides are whatever they are.
  if (extents[0] > 1 && words != closed.arguments.words)
    return testing::PrintToString(words) + ", and not " + testing::PrintToString(closed.arguments.words);
  if (open.arguments.views.size() != closed.arguments.views.size()) return "views";
  for (size_t v = 0; v < closed.arguments.views.size(); ++v) {
    const auto &a = open.arguments.views[v], &b = closed.arguments.views[v];
    // Temporaries and constants are numbered in the order of passes; a number of the plan may be a constant.
    const bool is_operand = b.kind == ViewKind::input || b.kind == ViewKind::output;
    if (is_operand && (a.kind != b.kind || a.slot != b.slot || a.offset != b.offset || a.misaligned != b.misaligned))
      return "view " + std::to_string(v);
  }
  return "";
}

// Do plans that know their few elements have smaller parts of rows in a pass before this one, and so more of them here?
bool HasOtherPartsBefore(size_t number, const std::vector<ChosenPass>& open, const std::vector<ChosenPass>& closed) {
  const auto size = [](const ChosenPass& pass) { return pass.choices[0].spec.traversal.row.split_elements; };
  for (size_t p = 0; p < number; ++p)
    if (size(open[p]) != size(closed[p])) return true;
  return false;
}

// Numbers of the results that it stores.
std::vector<int> OutputsOf(const Choice& choice) {
  std::vector<int> outputs;
  for (const auto& view : choice.arguments.views)
    if (view.kind == ViewKind::output) outputs.push_back(view.slot);
  return outputs;
}

// The open pass at an extent beside those of the closed plan, of which some that do not wait for each other are in
// order of size.
void ExpectLaunchOfClosed(const ChosenPass& open, const std::vector<int64_t>& extents,
                          const std::vector<ChosenPass>& closed, const std::string& what, Counted* counted) {
  const Choice& got = open.choices[open.ways.number(extents.data())];
  std::vector<std::string> differences;
  for (const ChosenPass& c : closed)
    if (c.choices[0].kernel.text == got.kernel.text && OutputsOf(c.choices[0]) == OutputsOf(got))
      differences.push_back(DifferenceOf(got, extents, c.choices[0]));
  ++(differences.empty() ? counted->others : counted->same);
  if (!differences.empty() && std::count(differences.begin(), differences.end(), "") == 0)
    ADD_FAILURE() << what << ": " << differences[0];
}

void Compare(const RowText& text, const std::vector<Shape>& shapes, const OpenAxes& axes, const std::string& what,
             Counted* counted) {
  const DLDevice device{kDLCUDA, 0};
  const auto problem = ProblemOf(text, ShapesAt(shapes, axes, TILEOPS_OPEN), device);
  if (!problem || problem->most_extents.empty()) return;
  std::vector<ChosenPass> open;
  try {
    open = ChosenOf(*problem);
  } catch (const tileops::Error& e) {
    ++counted->refused[e.message];
    return;
  }
  ++counted->plans;
  for (const ChosenPass& pass : open) {
    ++counted->passes;
    counted->ways += pass.choices.size();
    EXPECT_LE(pass.choices.size(), kMostWays) << what;
    EXPECT_EQ(pass.choices.size(), pass.ways.list().size()) << what;
  }
  for (const int64_t extent : kExtents) {
    const auto of_extent = ProblemOf(text, ShapesAt(shapes, axes, extent), device);
    if (!of_extent) continue;
    const std::vector<ChosenPass> closed = ChosenOf(*of_extent);
    const std::vector<int64_t> extents(problem->most_extents.size(), extent);
    if (closed.size() != open.size()) continue;  // such as a sum that is shared by two passes
    const bool few = extent < 1 << 19;           // elements, of which parts may be smaller
    for (const ChosenPass& pass : open)
      if (!few || !HasOtherPartsBefore(static_cast<size_t>(pass.pass), open, closed))
        ExpectLaunchOfClosed(pass, extents, closed,
                             what + " at " + std::to_string(extent) + ", pass " + std::to_string(pass.pass), counted);
  }
}

TEST(OpenWays, HaveTheLaunchesOfClosedPlans) {
  Counted counted;
  for (const RowText& text : RowTexts()) {
    if (text.operands.empty() || !ScatteredInto(text).empty()) continue;
    std::vector<Shape> shapes;
    for (const Declared& d : text.operands) shapes.push_back(d.shape);
    for (size_t axis = 0; axis < shapes[0].size(); ++axis) {
      const OpenAxes axes = AlikeAxes(shapes, 0, axis);
      if (!axes[0].empty()) Compare(text, shapes, axes, text.name + ", axis " + std::to_string(axis), &counted);
    }
  }
  std::cout << counted.plans << " plans, " << counted.passes << " passes, " << counted.ways
            << " ways; launches: " << counted.same << " of the kernel of a closed plan, " << counted.others
            << " of another; refused:\n";
  for (const auto& [why, count] : counted.refused) std::cout << "  " << count << " " << why << "\n";
  EXPECT_GT(counted.plans, 200u);
  EXPECT_GT(counted.same, counted.others);
}

// What is reduced to one value keeps a whole GPU busy at any length: in one execute, and in each item of a list.
TEST(OpenWays, OfAllElementsHaveManyThreadBlocks) {
  constexpr uint64_t kMultiprocessors = 132;
  constexpr int64_t kExtent = 3'700'000;
  for (const char* text :
       {"(x) -> sum(x * x, axis = all)", "(x) -> amax(x, axis = all)", "(x) -> mean(x, axis = -1)"}) {
    const auto problem = ProblemOf({"", text, false, {{"x", "f32", {8}}}, {}, {}, {}}, {{TILEOPS_OPEN}}, {kDLCUDA, 0});
    ASSERT_TRUE(problem.has_value()) << text;
    const ChosenPass first = ChosenOf(*problem)[0];
    const auto& grid = first.choices[first.ways.number(&kExtent)].launch.grid;
    EXPECT_GE(grid.of(grid.count(&kExtent)).blocks, 2 * kMultiprocessors) << text;
  }
}

// Eight stages, each of which keeps values with their places for rows of any length in shared memory.
TEST(OpenWays, ManyStagesFitInSharedMemory) {
  const tileops::cuda::Nvrtc& nvrtc = tileops::cuda::Nvrtc::get();
  if (!nvrtc.available()) GTEST_SKIP() << nvrtc.failure();
  const RowText& text = RowTextOf("router_top8");
  std::vector<Shape> shapes;
  for (const Declared& d : text.operands) shapes.push_back(d.shape);
  const auto problem = ProblemOf(text, ShapesAt(shapes, AlikeAxes(shapes, 0, 1), TILEOPS_OPEN), {kDLCUDA, 0});
  ASSERT_TRUE(problem.has_value());
  const auto kernel = ChosenOf(*problem)[0].choices[0].kernel;
  EXPECT_FALSE(nvrtc.compile(tileops::cuda::full_source(kernel), kernel.name, 90).image.empty());
}

}  // namespace
}  // namespace rowtest
