// Extents beyond what 31 and 63 bits count: right, or refused.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <fstream>
#include <numeric>

#include "texts.h"

namespace opentest {
namespace {

constexpr int64_t kRow = 4096, kRows = (int64_t{1} << 31) / kRow + 1;
constexpr size_t kBytes = static_cast<size_t>(kRows * kRow);

// 2 GiB and a row of bytes. Rows differ in where they begin in a table, so that each is known by its number.
class Bytes {
 public:
  static constexpr int64_t kStarts = 251;

  Bytes() {
    for (size_t i = 0; i < table_.size(); ++i) table_[i] = static_cast<uint8_t>(i * i >> 5);
    void* p = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return;
    data_ = static_cast<uint8_t*>(p);
    for (int64_t row = 0; row < kRows; ++row) std::memcpy(data_ + row * kRow, Row(row), kRow);
  }
  ~Bytes() {
    if (data_) munmap(data_, kBytes);
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  uint8_t* data() const { return data_; }
  const uint8_t* Row(int64_t row) const { return table_.data() + row % kStarts; }

 private:
  std::vector<uint8_t> table_ = std::vector<uint8_t>(kRow + kStarts);
  uint8_t* data_ = nullptr;
};

// What the machine has left, in bytes.
int64_t Available() {
  std::ifstream info("/proc/meminfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("MemAvailable:", 0) == 0) return std::stoll(line.substr(13)) * 1024;
  return 0;
}

tileops_status ExecuteAt(const tileops_plan* plan, int64_t extent, const void* x, void* y) {
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = args.num_outputs = 1;
  args.input_ptrs = &x;
  args.output_ptrs = &y;
  args.extents = &extent;
  args.num_extents = 1;
  return tileops_execute_with(plan, &args);
}

TEST(OpenLarge, MoreElementsThanThirtyOneBitsCount) {
#ifdef TILEOPS_TESTS_ARE_SLOW
  GTEST_SKIP() << "2 GiB take minutes under a sanitizer";
#endif
  if (Available() < int64_t{6} << 30) GTEST_SKIP() << "this machine has less than 6 GiB of memory left";
  const Bytes x;
  if (!x.data()) GTEST_SKIP() << "no 2 GiB of address space";
  const auto rows = [](const Extents& e) { return std::vector<Shape>{{e[0], kRow}}; };
  // A sum for each row, one for each column, and, at last, all in place.
  const Plan of_rows = OpenPlan({"(x) -> sum(x)", 1, rows, {kU8}});
  std::vector<int64_t> sums(static_cast<size_t>(kRows)), columns(kRow), want(kRow);
  ASSERT_EQ(ExecuteAt(of_rows.get(), kRows, x.data(), sums.data()), TILEOPS_STATUS_OK) << tileops_last_error();
  const auto sum_of = [&](int64_t row) { return std::accumulate(x.Row(row), x.Row(row) + kRow, int64_t{0}); };
  for (const int64_t row : {int64_t{0}, int64_t{1}, kRows / 2, kRows - 2, kRows - 1})
    EXPECT_EQ(sums[static_cast<size_t>(row)], sum_of(row)) << row;
  const Plan of_columns = OpenPlan({"(x) -> sum(x, axis = -2)", 1, rows, {kU8}});
  ASSERT_EQ(ExecuteAt(of_columns.get(), kRows, x.data(), columns.data()), TILEOPS_STATUS_OK) << tileops_last_error();
  for (int64_t start = 0; start < Bytes::kStarts; ++start)
    for (size_t i = 0; i < want.size(); ++i)
      want[i] += x.Row(start)[i] * ((kRows - start + Bytes::kStarts - 1) / Bytes::kStarts);
  EXPECT_EQ(columns, want);
  const Plan flipped = OpenPlan({"(x) -> bitwise_not(x)", 1, rows, {kU8}});
  ASSERT_EQ(ExecuteAt(flipped.get(), kRows, x.data(), x.data()), TILEOPS_STATUS_OK) << tileops_last_error();
  // One axis of all, less the last byte: back again.
  const auto all = [](const Extents& e) { return std::vector<Shape>{{e[0]}}; };
  const Plan flat = OpenPlan({"(x) -> bitwise_not(x)", 1, all, {kU8}});
  EXPECT_EQ(x.data()[0], static_cast<uint8_t>(~x.Row(0)[0]));
  ASSERT_EQ(ExecuteAt(flat.get(), kRow * kRows - 1, x.data(), x.data()), TILEOPS_STATUS_OK) << tileops_last_error();
  EXPECT_EQ(x.data()[kBytes - 1], static_cast<uint8_t>(~x.Row(kRows - 1)[kRow - 1]));
  x.data()[kBytes - 1] = x.Row(kRows - 1)[kRow - 1];
  for (int64_t row = 0; row < kRows; ++row) ASSERT_EQ(std::memcmp(x.data() + row * kRow, x.Row(row), kRow), 0) << row;
}

tileops_status At(const tileops_plan* plan, const Extents& extents, tileops_plan_facts* facts) {
  return tileops_plan_at(plan, extents.data(), extents.size(), facts);
}

TEST(OpenLarge, ShapesBeyondSixtyThreeBitsAreRefused) {
  const auto two = [](const Extents& e) { return std::vector<Shape>{{e[0], e[1], 8}}; };
  const Plan plan = OpenPlan({"(x) -> x * 2", 2, two, {kF32}});
  ASSERT_NE(plan, nullptr);
  const int64_t huge = int64_t{1} << 40;
  tileops_plan_facts facts = TILEOPS_PLAN_FACTS_INIT;
  for (const Extents& extents :
       {Extents{huge, huge}, Extents{INT64_MAX, 1}, Extents{1, INT64_MAX}, Extents{INT64_MAX, 2},
        Extents{INT64_MAX, INT64_MAX}, Extents{int64_t{1} << 32, int64_t{1} << 32}}) {
    SCOPED_TRACE(testing::PrintToString(extents));
    EXPECT_EQ(At(plan.get(), extents, &facts), TILEOPS_STATUS_INVALID_ARGUMENT);
    EXPECT_NE(std::string(tileops_last_error()).find("inputs[0]: shape"), std::string::npos) << tileops_last_error();
    DLDataType dtype;
    int32_t ndim = 0;
    int64_t shape[TILEOPS_MAX_NDIM];
    EXPECT_EQ(tileops_plan_result(plan.get(), extents.data(), 2, 0, &dtype, &ndim, shape),
              TILEOPS_STATUS_INVALID_ARGUMENT);
    float nothing[8] = {};
    const void* in[] = {nothing};
    void* out[] = {nothing};
    tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
    args.num_inputs = args.num_outputs = 1;
    args.input_ptrs = in;
    args.output_ptrs = out;
    args.extents = extents.data();
    args.num_extents = 2;
    EXPECT_EQ(tileops_execute_with(plan.get(), &args), TILEOPS_STATUS_INVALID_ARGUMENT);
  }
  // 2^45 bytes of each are more than a machine has, and no reason not to say what they are.
  ASSERT_EQ(At(plan.get(), {huge, 1}, &facts), TILEOPS_STATUS_OK) << tileops_last_error();
  EXPECT_EQ(facts.bytes_moved, uint64_t{2} * 8 * 4 << 40);
  // No elements, whatever the other extents.
  ASSERT_EQ(At(plan.get(), {huge, 0}, &facts), TILEOPS_STATUS_OK) << tileops_last_error();
  EXPECT_EQ(facts.bytes_moved, 0u);
}

// Never less where no extent is less, up to the largest ones; those that it could not be said for are refused.
TEST(OpenLarge, TheWorkspaceNeverShrinks) {
  for (const Text& text : TextsOfRows(64)) {
    const Plan plan = OpenPlan(text);
    ASSERT_NE(plan, nullptr);
    uint64_t before = 0, moved = 0;
    bool refused = false;
    for (int power = 0; power < 63; ++power)
      for (const int64_t less : {1, 0}) {
        tileops_plan_facts facts = TILEOPS_PLAN_FACTS_INIT;
        const int64_t rows = (int64_t{1} << power) - less;
        const tileops_status status = At(plan.get(), {rows}, &facts);
        if (status != TILEOPS_STATUS_OK) {
          EXPECT_EQ(status, TILEOPS_STATUS_INVALID_ARGUMENT);
          refused = true;
          continue;
        }
        EXPECT_FALSE(refused) << text.text << " at " << rows << ", and not at fewer";
        EXPECT_GE(facts.workspace_bytes, before) << text.text << " at " << rows;
        EXPECT_GE(facts.bytes_moved, moved) << text.text << " at " << rows;
        before = facts.workspace_bytes;
        moved = facts.bytes_moved;
      }
    EXPECT_TRUE(refused) << text.text;
  }
}

}  // namespace
}  // namespace opentest
