// What is loaded after it may have been stored over: passes whose order is known, and random ones against every pair of
// places of the load and the store.
#include "problem/in_place.h"

#include <gtest/gtest.h>

#include <random>

namespace tileops {
namespace {

constexpr int64_t kSize = 4;  // bytes of an element; strides below count elements

View ViewOf(ViewKind kind, std::vector<Extent> strides, int64_t offset = 0) {
  View v;
  v.kind = kind;
  v.offset = offset * kSize;
  for (const int64_t s : strides) v.strides.push_back(s * kSize);
  return v;
}

constexpr Value kLoad{Value::Kind::load, 0, 0}, kStep{Value::Kind::step, 0, 0};

// A pass with one load and one store of what a step makes of it, or of the load itself.
Pass PassOf(std::vector<Extent> extents, size_t row_rank, View load, View store, const Step& step,
            const Value& stored = kStep) {
  Pass p;
  p.extents = std::move(extents);
  p.row_rank = row_rank;
  p.loads = {std::move(load)};
  p.steps = {step};
  p.steps[0].arguments = {kLoad};
  p.stores = {std::move(store)};
  p.stored = {stored};
  return p;
}

Step Map() { return {}; }
Step Reduce(size_t rank) {
  Step s;
  s.reduction = Reduction::sum;
  s.rank = rank;
  return s;
}
Step Scan(size_t rank) {
  Step s = Reduce(rank);
  s.scans = true;
  return s;
}

bool IsFound(std::vector<Pass> passes) {
  Problem p;
  p.passes = std::move(passes);
  return loaded_after_stored(p, {1})[0] != 0;
}

View In(std::vector<Extent> strides, int64_t offset = 0) { return ViewOf(ViewKind::input, std::move(strides), offset); }
View Out(std::vector<Extent> strides, int64_t offset = 0) {
  return ViewOf(ViewKind::output, std::move(strides), offset);
}

TEST(InPlace, OfElements) {
  EXPECT_FALSE(IsFound({PassOf({5, 8}, 0, In({8, 1}), Out({8, 1}), Map())}));
  EXPECT_TRUE(IsFound({PassOf({5, 8}, 0, In({0, 1}), Out({8, 1}), Map())}));        // one row for all
  EXPECT_TRUE(IsFound({PassOf({8, 8}, 0, In({1, 8}), Out({8, 1}), Map())}));        // turned
  EXPECT_TRUE(IsFound({PassOf({5, 8}, 0, In({8, -1}, 7), Out({8, 1}), Map())}));    // from the end
  EXPECT_FALSE(IsFound({PassOf({5, 8}, 0, In({16, 1}), Out({16, 1}, 8), Map())}));  // halves of rows
  EXPECT_FALSE(IsFound({PassOf({5, 8}, 0, In({16, 2}), Out({16, 2}, 1), Map())}));  // every other element
  EXPECT_TRUE(IsFound({PassOf({5, 8}, 0, In({16, 2}), Out({16, 1}, 8), Map())}));   // of another half
  EXPECT_FALSE(IsFound({PassOf({5, 8}, 0, In({-8, 1}, 32), Out({-8, 1}, 32), Map())}));
}

TEST(InPlace, OfPairsThatAreAsked) {
  Problem p;
  p.passes = {PassOf({5, 8}, 0, In({0, 1}), Out({8, 1}), Map())};
  EXPECT_EQ(loaded_after_stored(p, {0}), std::vector<uint32_t>{0});
  EXPECT_EQ(loaded_after_stored(p, {2}), std::vector<uint32_t>{0});
  EXPECT_EQ(loaded_after_stored(p, {3}), std::vector<uint32_t>{1});
  p.passes[0].loads[0].slot = 1;
  p.passes[0].stores[0].slot = 2;
  EXPECT_EQ(loaded_after_stored(p, {3, 3, 3}), (std::vector<uint32_t>{0, 0, 2}));
}

TEST(InPlace, OfBlocks) {
  // What a block is reduced from may lie anywhere in it; what its elements or groups are made of may not.
  const View reversed = In({8, -1}, 7);
  EXPECT_FALSE(IsFound({PassOf({5, 8}, 1, reversed, Out({8, 1}), Reduce(1))}));
  EXPECT_TRUE(IsFound({PassOf({5, 8}, 1, reversed, Out({8, 1}), Reduce(1), kLoad)}));
  EXPECT_TRUE(IsFound({PassOf({5, 8}, 1, reversed, Out({8, 1}), Scan(1))}));
  EXPECT_TRUE(IsFound({PassOf({5, 2, 4}, 2, In({8, 4, -1}, 3), Out({8, 4, 1}), Reduce(1))}));
  EXPECT_FALSE(IsFound({PassOf({5, 8}, 1, In({8, 1}), Out({8, 1}), Scan(1))}));
  EXPECT_FALSE(IsFound({PassOf({5, 8}, 1, In({8, 1}), Out({8, 0}), Reduce(1))}));
  // Of another block.
  EXPECT_TRUE(IsFound({PassOf({5, 8}, 1, In({-8, 1}, 32), Out({8, 1}), Reduce(1))}));
  EXPECT_TRUE(IsFound({PassOf({5, 8}, 1, In({0, 1}), Out({8, 1}), Reduce(1))}));
  // Of another part of the block.
  Pass parts = PassOf({1, 3, 8}, 1, In({0, 8, -1}, 7), Out({0, 8, 1}), Reduce(1));
  EXPECT_FALSE(IsFound({parts}));
  parts.split_elements = 8;
  EXPECT_TRUE(IsFound({parts}));
}

// Elements that do not wait for what is reduced beside them may be stored before it has all.
TEST(InPlace, OfElementsBesideReductions) {
  const auto beside = [](View reduced, const Value& element) {
    Pass p = PassOf({5, 8}, 1, std::move(reduced), Out({8, 1}), Reduce(1), element);
    p.loads.push_back(In({8, 1}));
    p.stores.push_back(ViewOf(ViewKind::temporary, {1, 0}));
    p.stored.push_back(kStep);
    return p;
  };
  const Value other{Value::Kind::load, 1, 0};
  EXPECT_FALSE(IsFound({beside(In({8, 1}), other)}));
  EXPECT_TRUE(IsFound({beside(In({8, -1}, 7), other)}));
  EXPECT_FALSE(IsFound({beside(In({8, -1}, 7), kStep)}));
}

// Blocks that lie side by side.
TEST(InPlace, OfColumns) {
  EXPECT_FALSE(IsFound({PassOf({8, 5}, 1, In({1, -8}, 32), Out({1, -8}, 32), Scan(1))}));
  EXPECT_TRUE(IsFound({PassOf({8, 5}, 1, In({2, 16}, 1), Out({1, 16}), Reduce(1))}));
  EXPECT_FALSE(IsFound({PassOf({8, 5}, 1, In({1, 16}, 8), Out({1, 16}), Reduce(1), kLoad)}));
}

TEST(InPlace, OfGatheredElements) {
  View gathered = In({8, 0});
  gathered.indices = {{kStep, kSize, 8}};  // of the row
  EXPECT_FALSE(IsFound({PassOf({5, 8}, 1, gathered, Out({8, 1}), Reduce(1))}));
  gathered = In({0, 1});
  gathered.indices = {{kStep, 8 * kSize, 5}};  // of any row
  EXPECT_TRUE(IsFound({PassOf({5, 8}, 1, gathered, Out({8, 1}), Reduce(1))}));
  // What only says where another one lies is loaded with it.
  View other = In({0, 1});
  other.slot = 1;
  other.indices = {{kLoad, 8 * kSize, 5}};
  Pass p = PassOf({5, 8}, 1, In({8, -1}, 7), Out({8, 1}), Reduce(1), {Value::Kind::load, 1, 0});
  p.loads.push_back(other);
  EXPECT_TRUE(IsFound({p}));
}

TEST(InPlace, OfLaterPasses) {
  const Pass first = PassOf({5, 8}, 0, In({16, 1}), Out({16, 1}), Map());
  EXPECT_FALSE(IsFound({first, PassOf({5, 8}, 0, In({16, 1}, 8), Out({16, 1}, 8), Map())}));
  EXPECT_TRUE(IsFound({first, PassOf({5, 16}, 0, In({16, 1}), ViewOf(ViewKind::temporary, {16, 1}), Map())}));
  EXPECT_TRUE(IsFound({first, PassOf({5, 8}, 1, In({16, 1}), Out({16, 0}, 8), Reduce(1))}));
  EXPECT_FALSE(IsFound({PassOf({5, 16}, 0, In({16, 1}), ViewOf(ViewKind::temporary, {16, 1}), Map()), first}));
}

TEST(InPlace, OfShortGroups) {
  // 23 rows as three groups of 11, and halves of rows of 46 elements so.
  Pass rows = PassOf({3, 11, 8}, 1, In({88, 8, 1}), Out({88, 8, 1}), Map());
  rows.short_group = {0, 1, 23};
  EXPECT_FALSE(IsFound({rows}));
  Pass halves = PassOf({4, 3, 11}, 2, In({46, 11, 1}), Out({46, 11, 1}, 23), Scan(2));
  halves.short_group = {1, 2, 23};
  EXPECT_FALSE(IsFound({halves}));
  halves.short_group.limit = 24;
  EXPECT_TRUE(IsFound({halves}));
  // Its last group in a pass of its own.
  const Pass whole = PassOf({2, 11, 8}, 1, In({88, 8, 1}), Out({88, 8, 1}), Map());
  EXPECT_FALSE(IsFound({whole, PassOf({1, 1, 8}, 1, In({88, 8, 1}, 176), Out({88, 8, 1}, 176), Map())}));
  EXPECT_TRUE(IsFound({whole, PassOf({1, 1, 8}, 1, In({88, 8, 1}, 168), Out({88, 8, 1}, 176), Map())}));
}

// ---- Random ones

int64_t Below(std::mt19937* random, int64_t n) { return static_cast<int64_t>((*random)() % static_cast<uint64_t>(n)); }

// Views of a row-major tensor of up to three dimensions, of which the pass takes all elements, one part, some rows
// again and again, or from the end.
Pass RandomPass(std::mt19937* random) {
  std::vector<Extent> extents;
  for (int64_t d = 1 + Below(random, 3); d > 0; --d) extents.push_back(1 + Below(random, 4));
  const size_t dims = extents.size();
  const auto view = [&](ViewKind kind) {
    View v = ViewOf(kind, std::vector<Extent>(dims));
    int64_t step = 1;
    const int64_t parts = Below(random, 3) == 0 ? 2 : 1, part = Below(random, parts);
    for (size_t d = dims; d-- > 0; step *= extents[d] * (d + 1 == dims ? parts : 1)) v.strides[d] = step * kSize;
    if (parts == 2 && Below(random, 2)) {
      v.strides.back() *= 2;
      v.offset = part * kSize;
    } else {
      v.offset = part * extents.back() * kSize;
    }
    for (size_t d = 0; d < dims; ++d) {
      if (kind == ViewKind::input && Below(random, 5) == 0) v.strides[d] = 0;
      if (Below(random, 6)) continue;
      v.offset += v.strides[d] * (extents[d] - 1);
      v.strides[d] = -v.strides[d];
    }
    if (dims > 1 && Below(random, 6) == 0 && extents[0] == extents[1]) std::swap(v.strides[0], v.strides[1]);
    return v;
  };
  const size_t row_rank = static_cast<size_t>(Below(random, static_cast<int64_t>(dims) + 1));
  View load = view(ViewKind::input), store = view(ViewKind::output);
  if (Below(random, 2)) load.strides = store.strides, load.offset = store.offset;
  const bool reduced = row_rank > 0 && Below(random, 2);
  return PassOf(extents, row_rank, load, store, reduced ? Reduce(row_rank) : Map());
}

int64_t PlaceOf(const View& v, const std::vector<Extent>& index) {
  int64_t at = v.offset;
  for (size_t d = 0; d < index.size(); ++d) at += index[d] * v.strides[d];
  return at;
}

// Does a place of the load lie over a place of the store that may come before it?
bool IsFoundByTrying(const Pass& p) {
  std::vector<std::vector<Extent>> all{{}};
  for (const int64_t n : p.extents) {
    std::vector<std::vector<Extent>> longer;
    for (const auto& index : all)
      for (int64_t i = 0; i < n; ++i) {
        longer.push_back(index);
        longer.back().push_back(i);
      }
    all = std::move(longer);
  }
  const auto begin = [&](const std::vector<Extent>& index) { return index.begin(); };
  const auto end = [&](const std::vector<Extent>& index) {
    const bool of_blocks = p.steps[0].reduces();
    return index.begin() + static_cast<ptrdiff_t>(index.size() - (of_blocks ? p.row_rank : 0));
  };
  for (const auto& i : all)
    for (const auto& k : all)
      if (PlaceOf(p.loads[0], i) == PlaceOf(p.stores[0], k) && !std::equal(begin(i), end(i), begin(k))) return true;
  return false;
}

TEST(InPlace, OfRandomPasses) {
  std::mt19937 random(7);
  int right = 0, cautious = 0;
  for (int i = 0; i < 20000; ++i) {
    const Pass p = RandomPass(&random);
    const bool found = IsFoundByTrying(p);
    if (!IsFound({p})) {
      ++right;
      ASSERT_FALSE(found) << "number " << i;
    } else {
      cautious += !found;
    }
  }
  EXPECT_GT(right, 5000);
  EXPECT_LT(cautious, right / 10);  // it is not said of all
}

}  // namespace
}  // namespace tileops
