// Register tiles on the host: which thread owns which element, functors with operands that are repeated, and the order
// of row reductions, with 32 threads in the place of a warp's lanes.
#include "tileops/device/tile.h"

#include <gtest/gtest.h>

#include <array>
#include <barrier>
#include <cmath>
#include <random>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using namespace tileops::device;

// The element of every thread is one of the tile, and every element of the tile is one thread's, once.
template <class Layout>
constexpr bool owns_each_element_once() {
  if (Layout::threads * Layout::elements != Layout::rows * Layout::columns) return false;
  for (int t = 0; t < Layout::threads; ++t)
    for (int i = 0; i < Layout::elements; ++i) {
      const int row = Layout::row(t, i), column = Layout::column(t, i);
      if (row < 0 || row >= Layout::rows || column < 0 || column >= Layout::columns) return false;
      // As each element of a thread leads back to it, no two have the same place.
      if (Layout::owner(row, column) != t || Layout::place(row, column) != i) return false;
    }
  return true;
}

// A thread's rows and columns have the numbers that the layout says, and all its elements in them.
template <class Layout>
constexpr bool numbers_rows_and_columns() {
  if (Layout::rows_of_thread * Layout::columns_of_thread != Layout::elements) return false;
  for (int t = 0; t < Layout::threads; ++t)
    for (int i = 0; i < Layout::elements; ++i) {
      const int r = Layout::row_number(i), c = Layout::column_number(i);
      if (r < 0 || r >= Layout::rows_of_thread || c < 0 || c >= Layout::columns_of_thread) return false;
      if (Layout::element(r, c) != i) return false;
      if (Layout::row(t, i) != Layout::row(t, Layout::element(r, 0))) return false;
      if (Layout::column(t, i) != Layout::column(t, Layout::element(0, c))) return false;
    }
  return true;
}

// Neighbours along a row lie as `run`, `lanes_of_row` and `warps_of_row` say: what a row reduction goes by.
template <class Layout>
constexpr bool has_runs() {
  constexpr int warp_columns = Layout::columns / Layout::warps_of_row;
  for (int t = 0; t < Layout::threads; ++t)
    for (int i = 0; i < Layout::elements; ++i) {
      const int c = Layout::column_number(i), lane = t % Layout::lanes_of_row;
      const int column = (c / Layout::run * Layout::lanes_of_row + lane) * Layout::run + c % Layout::run;
      if (Layout::column(t, i) % warp_columns != column) return false;
    }
  return true;
}

#define EXPECT_LAYOUT(...)                                \
  static_assert(owns_each_element_once<__VA_ARGS__>());   \
  static_assert(numbers_rows_and_columns<__VA_ARGS__>()); \
  static_assert(has_runs<__VA_ARGS__>())

EXPECT_LAYOUT(accumulator_layout<16, 8>);
EXPECT_LAYOUT(accumulator_layout<16, 24>);
EXPECT_LAYOUT(accumulator_layout<64, 32>);
EXPECT_LAYOUT(row_per_lane_layout<1>);
EXPECT_LAYOUT(row_per_lane_layout<8>);
EXPECT_LAYOUT(thread_layout<1, 1>);
EXPECT_LAYOUT(thread_layout<4, 7>);
EXPECT_LAYOUT(warpgroup_layout<accumulator_layout<16, 64>>);
EXPECT_LAYOUT(warpgroup_layout<row_per_lane_layout<16>>);
EXPECT_LAYOUT(block_layout<accumulator_layout<32, 16>, 2, 4>);
EXPECT_LAYOUT(block_layout<warpgroup_layout<accumulator_layout<16, 16>>, 2>);
EXPECT_LAYOUT(block_layout<warpgroup_layout<row_per_lane_layout<8>>, 1, 2>);
EXPECT_LAYOUT(block_layout<thread_layout<1, 8>, 96>);

// The same layout, said by a function of where its elements lie.
template <class Layout>
struct where_in {
  static constexpr row_and_column at(int thread, int i) { return {Layout::row(thread, i), Layout::column(thread, i)}; }
};
template <class Layout>
using by_function = own_layout<where_in<Layout>, Layout::threads, Layout::rows, Layout::columns>;
template <class A, class B>
constexpr bool are_alike() {
  bool alike = A::elements == B::elements && A::rows_of_thread == B::rows_of_thread && A::run == B::run &&
               A::columns_of_thread == B::columns_of_thread && A::lanes_of_row == B::lanes_of_row &&
               A::warps_of_row == B::warps_of_row && A::level == B::level;
  for (int i = 0; i < A::elements; ++i)
    alike = alike && A::row_number(i) == B::row_number(i) && A::column_number(i) == B::column_number(i) &&
            A::element(A::row_number(i), A::column_number(i)) == B::element(A::row_number(i), A::column_number(i));
  return alike;
}
#define EXPECT_ALIKE(...)                                            \
  static_assert(are_alike<__VA_ARGS__, by_function<__VA_ARGS__>>()); \
  static_assert(tile<float, by_function<__VA_ARGS__>>::is_tile)
EXPECT_ALIKE(accumulator_layout<16, 24>);
EXPECT_ALIKE(accumulator_layout<64, 32>);
EXPECT_ALIKE(row_per_lane_layout<8>);
EXPECT_ALIKE(thread_layout<4, 7>);
EXPECT_ALIKE(warpgroup_layout<accumulator_layout<16, 64>>);
EXPECT_ALIKE(block_layout<accumulator_layout<32, 16>, 2, 4>);
EXPECT_ALIKE(block_layout<warpgroup_layout<row_per_lane_layout<8>>, 1, 2>);
EXPECT_LAYOUT(by_function<accumulator_layout<16, 24>>);

static_assert(thread_layout<1, 1>::level == tile_scope::thread && accumulator_layout<16, 8>::level == tile_scope::warp);
static_assert(warpgroup_layout<accumulator_layout<16, 8>>::level == tile_scope::warpgroup);
static_assert(block_layout<accumulator_layout<16, 8>, 2>::level == tile_scope::block);

// The figures of the PTX manual: mma m16n8 (accumulators c0 to c3 of a lane) and wgmma m64nNk (d0 to dX of 128
// threads).
TEST(Layout, IsThatOfMmaAndWgmma) {
  struct Row {
    int thread, i, row, column;
  };
  for (const Row& r : {Row{0, 0, 0, 0},
                       {0, 1, 0, 1},
                       {0, 2, 8, 0},
                       {0, 3, 8, 1},
                       {1, 0, 0, 2},
                       {3, 1, 0, 7},
                       {4, 0, 1, 0},
                       {31, 0, 7, 6},
                       {31, 3, 15, 7}}) {
    EXPECT_EQ(accumulator_row(r.thread, r.i), r.row);
    EXPECT_EQ(accumulator_column(r.thread, r.i), r.column);
    EXPECT_EQ((accumulator_layout<16, 8>::row(r.thread, r.i)), r.row);
  }
  using Wgmma = warpgroup_layout<accumulator_layout<16, 256>>;
  for (const Row& r : {Row{0, 4, 0, 8}, {32, 0, 16, 0}, {63, 2, 31, 6}, {127, 127, 63, 255}, {96, 126, 56, 248}}) {
    EXPECT_EQ(accumulator_row(r.thread, r.i), r.row);
    EXPECT_EQ(accumulator_column(r.thread, r.i), r.column);
    EXPECT_EQ(Wgmma::row(r.thread, r.i), r.row);
    EXPECT_EQ(Wgmma::column(r.thread, r.i), r.column);
  }
}

// Calls f(thread) for all threads of a layout.
template <class Layout, class F>
void for_each_thread(const F& f) {
  for (int t = 0; t < Layout::threads; ++t) f(t);
}

float value(int row, int column) { return static_cast<float>(row * 1000 + column); }

template <class Layout>
tile<float, Layout> tile_of_thread(int thread) {
  tile<float, Layout> x;
  for (int i = 0; i < Layout::elements; ++i) x.v[i] = value(Layout::row(thread, i), Layout::column(thread, i));
  return x;
}

template <class Layout>
class Apply : public testing::Test {};
using Layouts =
    testing::Types<accumulator_layout<32, 16>, row_per_lane_layout<8>, thread_layout<3, 5>,
                   warpgroup_layout<accumulator_layout<16, 32>>, block_layout<accumulator_layout<16, 8>, 2, 2>>;
TYPED_TEST_SUITE(Apply, Layouts);

TYPED_TEST(Apply, RepeatsRowsAndColumns) {
  using Layout = TypeParam;
  std::vector<float> bias(Layout::columns), scale(Layout::rows);
  for (int c = 0; c < Layout::columns; ++c) bias[static_cast<size_t>(c)] = static_cast<float>(c) + 0.25f;
  for (int r = 0; r < Layout::rows; ++r) scale[static_cast<size_t>(r)] = static_cast<float>(r) - 3.0f;
  for_each_thread<Layout>([&](int t) {
    const auto x = tile_of_thread<Layout>(t);
    const auto b = load_row_vector<Layout>(bias.data(), t);
    const auto s = load_column_vector<Layout>(scale.data(), t);
    tile<double, Layout> y;
    apply([](float a, float bb, float ss, double k) { return k * (a + bb) * ss; }, x, b, s, 2.0, y);
    for (int i = 0; i < Layout::elements; ++i) {
      const int row = Layout::row(t, i), column = Layout::column(t, i);
      EXPECT_EQ(y.v[i],
                2.0 * (value(row, column) + bias[static_cast<size_t>(column)]) * scale[static_cast<size_t>(row)]);
    }
  });
}

TYPED_TEST(Apply, WorksInPlaceOnArrays) {
  using Layout = TypeParam;
  float registers[Layout::elements];
  for (int i = 0; i < Layout::elements; ++i) registers[i] = static_cast<float>(i);
  apply([](float a) { return a * a; }, as_tile<Layout>(registers));
  for (int i = 0; i < Layout::elements; ++i) EXPECT_EQ(registers[i], static_cast<float>(i * i));
}

TYPED_TEST(Apply, GivesABundle) {
  using Layout = TypeParam;
  std::vector<u16> bias(Layout::columns);
  for (int c = 0; c < Layout::columns; ++c) bias[static_cast<size_t>(c)] = narrow<bf16>(static_cast<float>(c)).bits;
  for_each_thread<Layout>([&](int t) {
    const auto x = tile_of_thread<Layout>(t);
    const auto b = load_row_vector<Layout>(reinterpret_cast<const bf16*>(bias.data()), t);
    tile<float, Layout> y;
    int calls = 0;
    apply_bundle(
        [&](const auto& xs, const auto& bs, float k, auto& ys) {
          static_assert(sizeof xs / sizeof xs[0] == Layout::elements && sizeof bs == sizeof ys);
          ++calls;
          for (int i = 0; i < Layout::elements; ++i) ys[i] = xs[i] - k * bs[i];
        },
        x, b, 3.0f, y);
    EXPECT_EQ(calls, 1);
    for (int i = 0; i < Layout::elements; ++i)
      EXPECT_EQ(y.v[i],
                value(Layout::row(t, i), Layout::column(t, i)) - 3.0f * static_cast<float>(Layout::column(t, i)));
  });
}

// As functions of expressions are handed on: by references that are not const, those of vectors to const arrays.
TEST(Bundle, IsTakenByReferences) {
  using Layout = thread_layout<2, 3>;
  tile<float, Layout> x{{1, 2, 3, 4, 5, 6}}, y{};
  const auto function = [](double scale, const float (&xs)[6], const float (&bs)[6], float (&ys)[6]) {
    for (int i = 0; i < 6; ++i) ys[i] = static_cast<float>(scale) * xs[i] + bs[i];
  };
  row_vector<float, Layout> bias{{10, 20, 30}};
  apply_bundle([&](auto&... arrays) { function(2.0, arrays...); }, x, bias, y);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(y.v[i], 2 * (i + 1) + 10 * (i % 3 + 1));
  // A vector is no result: its array would be one that nobody sees.
  apply_bundle([](auto&, auto& b) { static_assert(std::is_const_v<std::remove_reference_t<decltype(b[0])>>); }, x,
               bias);
}

TEST(Vectors, BeyondTheCountAreZero) {
  using Layout = accumulator_layout<16, 8>;
  const std::vector<float> bias(5, 1.0f);
  for_each_thread<Layout>([&](int t) {
    const auto b = load_row_vector<Layout>(bias.data(), t, 5);
    for (int i = 0; i < Layout::elements; ++i) EXPECT_EQ(b.at(i), Layout::column(t, i) < 5 ? 1.0f : 0.0f);
  });
}

TEST(View, TakesArraysOfAnyRank) {
  using Layout = accumulator_layout<32, 16>;
  float acc[2][2][4] = {};
  const auto v = as_tile<Layout>(acc);
  v.v[Layout::place(16, 8)] = 7.0f;  // the first element of the last accumulators
  EXPECT_EQ(acc[1][1][0], 7.0f);
}

// ---- Rows: threads in the place of lanes

struct Lanes {
  std::barrier<> barrier{32};
  std::array<u32, 32> words{};
  int exchanges = 0;
};
thread_local int lane_number = 0;
Lanes* lanes = nullptr;

struct SimulatedWarp {
  static u32 from(u32 x, int mask) {
    lanes->words[static_cast<size_t>(lane_number)] = x;
    lanes->barrier.arrive_and_wait();
    const u32 y = lanes->words[static_cast<size_t>(lane_number ^ mask)];
    if (lane_number == 0) ++lanes->exchanges;
    lanes->barrier.arrive_and_wait();
    return y;
  }
};

// What the row of a matrix comes to by R, in the order of docs/numerics.md: neighbours, one not there left out.
template <class R, class T>
auto tree(const std::vector<T>& row) {
  std::vector<typename R::template state<T>> nodes;
  for (const T x : row) nodes.push_back(R::of(x));
  while (nodes.size() > 1) {
    std::vector<typename R::template state<T>> next;
    for (size_t i = 0; i < nodes.size(); i += 2)
      next.push_back(i + 1 < nodes.size() ? R::merge(nodes[i], nodes[i + 1]) : nodes[i]);
    nodes = next;
  }
  return R::finish(nodes[0]);
}

// Numbers whose sums round at every step.
template <class Layout>
std::vector<std::vector<float>> matrix_of() {
  using T = float;
  std::mt19937 random(Layout::columns);
  std::vector<std::vector<T>> matrix(Layout::rows, std::vector<T>(Layout::columns));
  for (auto& row : matrix)
    for (T& x : row) x = std::ldexp(static_cast<T>(static_cast<int>(random())), static_cast<int>(random() % 40) - 60);
  matrix[3][0] = std::nanf("");
  for (T& x : matrix[5]) x = random() % 2 ? 0.0f : -0.0f;
  return matrix;
}

template <class Layout>
tile<float, Layout> part_of(const std::vector<std::vector<float>>& matrix, int t) {
  tile<float, Layout> x;
  for (int i = 0; i < Layout::elements; ++i)
    x.v[i] = matrix[static_cast<size_t>(Layout::row(t, i))][static_cast<size_t>(Layout::column(t, i))];
  return x;
}

// Calls f(thread) for all threads, those of a warp at once, one warp after the other.
template <class Layout, class F>
void for_each_warp(const F& f) {
  for (int warp = 0; warp < Layout::threads / 32; ++warp) {
    std::vector<std::thread> threads;
    for (int lane = 0; lane < 32; ++lane)
      threads.emplace_back([&, warp, lane] {
        lane_number = lane;
        f(32 * warp + lane);
      });
    for (std::thread& thread : threads) thread.join();
  }
}

template <class R, class Layout>
void expect_values(const std::vector<std::vector<float>>& matrix, int t, const column_vector<float, Layout>& y) {
  for (int r = 0; r < Layout::rows_of_thread; ++r) {
    const int row = Layout::row(t, Layout::element(r, 0));
    const float want = tree<R>(matrix[static_cast<size_t>(row)]), got = y.v[r];
    EXPECT_EQ(to_bits(got != got ? NAN : got), to_bits(want != want ? NAN : want)) << "row " << row << " thread " << t;
  }
}

// Returns how many words a lane exchanged.
template <class R, class Layout>
int expect_rows() {
  const auto matrix = matrix_of<Layout>();
  Lanes all;
  lanes = &all;
  std::vector<column_vector<float, Layout>> of_thread(Layout::threads);
  for_each_warp<Layout>([&](int t) {
    of_thread[static_cast<size_t>(t)] = tiles::reduce_rows_of<R, SimulatedWarp>(part_of<Layout>(matrix, t), t % 32);
  });
  for (int t = 0; t < Layout::threads; ++t) expect_values<R>(matrix, t, of_thread[static_cast<size_t>(t)]);
  return all.exchanges / (Layout::threads / 32);
}

template <class Layout>
class Rows : public testing::Test {};
using RowLayouts =
    testing::Types<accumulator_layout<16, 8>, accumulator_layout<16, 16>, accumulator_layout<32, 24>,
                   accumulator_layout<16, 64>, accumulator_layout<16, 136>, row_per_lane_layout<8>,
                   row_per_lane_layout<13>, warpgroup_layout<accumulator_layout<16, 40>>,
                   block_layout<warpgroup_layout<row_per_lane_layout<4>>, 2>, by_function<accumulator_layout<32, 24>>>;
TYPED_TEST_SUITE(Rows, RowLayouts);

TYPED_TEST(Rows, HaveTheBitsOfTheAlignedTree) {
  expect_rows<reductions::sum<float>, TypeParam>();
  expect_rows<reductions::sum_with_low_parts<float>, TypeParam>();
  expect_rows<reductions::extreme<true, float>, TypeParam>();
  expect_rows<reductions::extreme<false, float>, TypeParam>();
}

// Rows that lie in several warps: all leave their parts, then all take them.
template <class R, class Layout>
void expect_rows_of_block() {
  const auto matrix = matrix_of<Layout>();
  Lanes all;
  lanes = &all;
  row_parts<Layout> parts;
  for (u32& word : parts.w) word = 0x7fc00000u;  // what nobody writes is noticed
  for_each_warp<Layout>([&](int t) { tiles::leave_parts<R, SimulatedWarp>(part_of<Layout>(matrix, t), t, &parts); });
  for_each_thread<Layout>(
      [&](int t) { expect_values<R>(matrix, t, tiles::take_parts<R, tile<float, Layout>>(t, parts)); });
}

template <class Layout>
class BlockRows : public testing::Test {};
using BlockRowLayouts =
    testing::Types<block_layout<accumulator_layout<16, 8>, 1, 2>, block_layout<accumulator_layout<32, 16>, 2, 4>,
                   block_layout<accumulator_layout<16, 64>, 2, 3>, block_layout<row_per_lane_layout<8>, 2, 5>,
                   block_layout<warpgroup_layout<accumulator_layout<16, 32>>, 1, 2>,
                   block_layout<block_layout<accumulator_layout<16, 8>, 1, 2>, 2, 2>>;
TYPED_TEST_SUITE(BlockRows, BlockRowLayouts);

TYPED_TEST(BlockRows, HaveTheBitsOfTheAlignedTree) {
  expect_rows_of_block<reductions::sum<float>, TypeParam>();
  expect_rows_of_block<reductions::sum_with_low_parts<float>, TypeParam>();
  expect_rows_of_block<reductions::extreme<true, float>, TypeParam>();
  expect_rows_of_block<reductions::extreme<false, float>, TypeParam>();
}

// A row of 64 columns, 8 nodes in each of 4 lanes: 4 and 2 shuffles leave 2 of them, which take 3 more; not 16.
TEST(Rows, ShareShuffles) {
  EXPECT_EQ((expect_rows<reductions::sum<float>, accumulator_layout<16, 64>>()), 2 * (4 + 2 + 3));
  EXPECT_EQ((expect_rows<reductions::sum<float>, row_per_lane_layout<8>>()), 0);
}

}  // namespace
