// Results that are stored under a mask: beside the text without one, whose bits they have where it is true; what lies
// elsewhere stays. What is left out by blocks lies on pages that nobody may read, or write.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "execute.h"
#include "on_cuda.h"
#include "over.h"
#include "texts.h"

namespace rowtest {
namespace {

constexpr const char* kOperands = "(x, y, c, m, n, e) -> ";

struct Stored {
  std::string value, mask;  // no mask: "true"
};

class StoreMaker {
 public:
  explicit StoreMaker(uint64_t seed) : random_(seed) {
    static const int64_t lengths[] = {1, 2, 7, 33, 64, 129, 300, 1024, 5000, 0};
    shape_.resize(1 + Below(3));
    for (size_t d = 0; d < shape_.size(); ++d)
      shape_[d] = d + 1 < shape_.size() ? static_cast<int64_t>(1 + Below(9)) : lengths[Below(10)];
    static const Dtype floats[] = {Dtype::f32, Dtype::f32, Dtype::bf16, Dtype::f16};
    Shape column = shape_, masks = shape_;
    column.back() = 1;
    for (int64_t& n : masks)
      if (Below(2)) n = 1;
    Add(floats[Below(4)], shape_);
    Add(floats[Below(4)], Below(3) ? shape_ : Shape{shape_.back()});
    Add(Dtype::f32, column);
    Add(Dtype::boolean, Below(4) ? masks : column);
    Add(Below(2) ? Dtype::i64 : Dtype::i32, Shape(Below(2), 1));
    Add(Dtype::i32, column);
    for (Real& v : operands_.back().values) v -= 4;
    const size_t results = 1 + Below(2);
    std::string mask;
    for (size_t k = 0; k < results; ++k) {
      const bool of_rows = Below(4) == 0;
      if (mask.empty() || of_rows || Below(2)) mask = Mask(of_rows);
      results_.push_back({of_rows ? RowValue() : Value(), Below(8) ? mask : "true"});
    }
  }

  const std::vector<Tensor>& operands() const { return operands_; }
  const std::vector<Stored>& results() const { return results_; }

 private:
  size_t Below(size_t n) { return static_cast<size_t>(random_() % n); }
  void Add(Dtype dtype, const Shape& shape) { operands_.push_back(RandomTensor(dtype, shape, random_())); }

  // A mask that is the same along each row of x (`of_rows`), or any mask.
  std::string Mask(bool of_rows) {
    static const char* const rows[] = {"e >= 0", "c > 0", "(e >= 0) & (c < 1)", "index(c, -2) < n", "e % 3 == 0"};
    static const char* const elements[] = {"m", "x > 0", "index(x, -1) % 3 == 1", "index(x, -2) < n", "m | (y > 0)"};
    std::string mask = (of_rows || Below(2) ? rows : elements)[Below(5)];
    if (shape_.size() > 1) return mask;
    const size_t at = mask.find("-2");
    return at == std::string::npos ? mask : mask.replace(at, 2, "-1");
  }

  std::string Value() {
    static const char* const forms[] = {
        "silu(x) * y",        "x",
        "x * 2 + c",          "x / (sum(x * x) + 1)",
        "cumsum(x) / 8",      "cast(x, bf16)",
        "x - amax(x + y)",    "x * rsqrt(mean(x * x) + 1) * y",
        "where(x > 0, x, y)", "x / spread(amax(abs(x), group = 32) + 1, x, group = 32)"};
    return forms[Below(10)];
  }
  std::string RowValue() {
    static const char* const forms[] = {"sum(x)", "c * 2", "amax(x * y)", "argmax(abs(x) + 1)", "cast(e, f32)"};
    const std::string form = forms[Below(5)];
    return form[3] == 'm' && shape_.back() == 0 ? "c" : form;  // of nothing there is no largest
  }

  std::mt19937_64 random_;
  Shape shape_;
  std::vector<Tensor> operands_;
  std::vector<Stored> results_;
};

// The text with and without the masks, and the masks themselves.
struct StoredTexts {
  std::string stored = kOperands, plain = kOperands, masks = kOperands;
  explicit StoredTexts(const std::vector<Stored>& results) {
    const char* comma = "";
    for (const auto& [value, mask] : results) {
      const bool masked = mask != "true";
      stored += comma + (masked ? "store_if(" + value + ", " + mask + ")" : value);
      plain += comma + value;
      masks += std::string(comma) + "(" + mask + ") & (index(" + value + ", -1) >= 0)";
      comma = ", ";
    }
  }
};

// What lies in results before.
Tensor Pattern(const optest::Array& output) {
  Dtype dtype = Dtype::f32;
  tileops::dtype_from_dl(optest::Info(output.dtype).dl, &dtype);
  Tensor t = Empty(dtype, output.shape);
  const uint64_t pattern = 0xA5A5A5A5A5A5A5A5 >> (64 - optest::Info(output.dtype).dl.bits);
  for (Real& v : t.values) v = Decode(dtype, pattern);
  return t;
}

TEST(StoreIf, RandomTexts) {
  const uint64_t count = exprtest::Long() ? 6000 : 250;
  for (uint64_t seed = 1; seed <= count; ++seed) {
    const StoreMaker maker(seed);
    const StoredTexts texts(maker.results());
    const std::string what = "seed " + std::to_string(seed) + ": " + texts.stored;
    const TextRun plain(texts.plain, maker.operands());
    ASSERT_EQ(plain.state(), State::runs) << what << ": " << plain.why();
    std::vector<Tensor> before;
    for (const optest::Array& output : plain.outputs()) before.push_back(Pattern(output));
    const TextRun run(texts.stored, maker.operands(), {}, before);
    ASSERT_EQ(run.state(), State::runs) << what << ": " << run.why();
    EXPECT_EQ(WhyNotOnCuda(run), "") << what;
    const std::vector<Tensor> want = run.Expected();
    const std::vector<Tensor> masks = Evaluate(InferText(texts.masks, maker.operands()), maker.operands(), {}, {});
    std::mt19937_64 random(seed);
    const auto layout = [&] { return optest::AllLayouts()[random() % optest::AllLayouts().size()]; };
    Results unmasked;
    for (const Target& target : Targets()) {
      const std::string where = what + " on " + target.name;
      if (unmasked.empty()) unmasked = plain.On(target);
      const Results got = run.On(target, optest::All(layout(), layout()));
      ExpectClose(want, run.outputs(), got, where);
      for (size_t k = 0; k < got.size(); ++k)
        for (size_t i = 0; i < got[k].size(); ++i) {
          const bool differs = masks[k].values[i] != 0 && got[k][i] != unmasked[k][i];
          ASSERT_FALSE(differs) << where << ", element " << i << " of result " << k;
        }
    }
  }
}

// Nothing is stored of NaNs and infinities under a mask either.
TEST(StoreIf, NothingComesThroughFromBeneath) {
  Tensor x = RandomTensor(Dtype::f32, {6, 2000}, 1), m = Of(Dtype::boolean, {6, 1}, {1, 0, 0, 1, 1, 0});
  for (size_t i = 0; i < x.values.size(); ++i)
    if (m.values[i / 2000] == 0) x.values[i] = i % 2 ? std::numeric_limits<Real>::quiet_NaN() : kInf;
  for (const char* text : {"(x, m) -> store_if(x * 2, m)", "(x, m) -> store_if(x / sum(x), m)",
                           "(x, m) -> store_if(x - amax(x), m), store_if(x, m)"}) {
    const TextRun plain(text, {x, m});
    std::vector<Tensor> before;
    for (const optest::Array& output : plain.outputs()) before.push_back(Pattern(output));
    const TextRun run(text, {x, m}, {}, before);
    ASSERT_EQ(run.state(), State::runs) << run.why();
    for (const Target& target : Targets()) ExpectClose(run.Expected(), run.outputs(), run.On(target), text);
  }
}

// In place of an operand what is left out is that operand's.
TEST(StoreIf, InPlace) {
  for (const Shape& shape : {Shape{5, 300}, Shape{700, 96}, Shape{3, 257, 40}, Shape{2, 9000}}) {
    Shape column = shape;
    column.back() = 1;
    const Tensor x = RandomTensor(Dtype::f32, shape, 1), m = RandomTensor(Dtype::boolean, column, 2),
                 w = RandomTensor(Dtype::boolean, shape, 3);
    for (const auto& [value, mask] :
         {Stored{"silu(x) * 2", "m"}, Stored{"x / (sum(x * x) + 1)", "m"}, Stored{"x * 2", "w"},
          Stored{"cumsum(x)", "w"}, Stored{"x + 1", "x > 0"}, Stored{"x + amax(x)", "index(x, -2) < 2"}}) {
      const std::string in = "(x, m, w) -> ";
      const TextRun run(in + "store_if(" + value + ", " + mask + ")", {x, m, w});
      const TextRun chosen(in + "where(" + mask + ", " + value + ", x)", {x, m, w});
      ASSERT_EQ(run.state(), State::runs) << run.why();
      for (const Target& target : Targets()) {
        const Over over(run, target, {0});
        ASSERT_EQ(over.outcome().status, TILEOPS_STATUS_OK) << run.text() << over.outcome().why;
        exprtest::ExpectSame(run.outputs(), over.Read(), chosen.On(target), run.text());
      }
    }
  }
}

// ---- Memory that must not be touched

constexpr size_t kPage = 4096;

// PagedRows of a page each.
class PagedRows {
 public:
  PagedRows(int64_t rows, Dtype dtype)
      : bytes_(static_cast<size_t>(rows) * kPage),
        at_(static_cast<uint8_t*>(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))),
        shape_{rows, static_cast<int64_t>(8 * kPage / tileops::dtype_to_dl(dtype).bits)} {
    dl_.data = at_;
    dl_.device = {kDLCPU, 0};
    dl_.ndim = 2;
    dl_.dtype = tileops::dtype_to_dl(dtype);
    dl_.shape = shape_;
  }
  PagedRows(const PagedRows&) = delete;
  PagedRows& operator=(const PagedRows&) = delete;
  ~PagedRows() { munmap(at_, bytes_); }

  DLTensor* dl() { return &dl_; }
  void Fill(uint64_t seed) {
    std::mt19937_64 random(seed);
    for (size_t i = 0; i < bytes_; ++i) at_[i] = static_cast<uint8_t>(random() % 64);
  }
  void Allow(int64_t row, int what) { ASSERT_EQ(0, mprotect(at_ + static_cast<size_t>(row) * kPage, kPage, what)); }
  const uint8_t* row(int64_t i) const { return at_ + static_cast<size_t>(i) * kPage; }

 private:
  const size_t bytes_;
  uint8_t* const at_;
  int64_t shape_[2];
  DLTensor dl_{};
};

struct Untouched {
  const char *stored, *plain;  // of x and w, which have a page a row, and m, n, e
  bool reads = false;          // what it does not store
  int results = 1;
};

constexpr Untouched kUntouched[] = {
    {"store_if(silu(x) * w, m)", "silu(x) * w"},
    {"store_if(x, m)", "x"},
    {"store_if(x * 2 + w, index(x, -2) < n)", "x * 2 + w"},
    {"store_if(x * 2, e >= 0)", "x * 2"},
    {"store_if(cast(x * 2, bf16), m)", "cast(x * 2, bf16)"},
    {"scatter(x + w, where(m, index(x, -2), -1), axis = -2)", "x + w"},
    {"store_if(x * rsqrt(mean(x * x) + 1), m)", "x * rsqrt(mean(x * x) + 1)"},
    {"{ t = x - amax(x); p = exp(t); store_if(p / sum(p), index(x, -2) < n) }",
     "{ t = x - amax(x); p = exp(t); p / sum(p) }"},
    {"store_if(x * 2, m), store_if(x * w, m)", "x * 2, x * w", false, 2},
    {"store_if(x / sum(x), e >= 0), scatter(x, where(e >= 0, index(x, -2), -1), axis = -2)", "x / sum(x), x", false, 2},
    {"store_if(cumsum(x * w), e >= 0)", "cumsum(x * w)"},
    {"{ s = amax(abs(x), group = 64) + 1; store_if(x / spread(s, x, group = 64), m) }",
     "{ s = amax(abs(x), group = 64) + 1; x / spread(s, x, group = 64) }"},
    {"scatter(x / sum(x), where(e >= 0, index(x, -2), -1), axis = -2)", "x / sum(x)"},
    {"store_if(gather(x, e, axis = -2), e >= 0)", "gather(x, e, axis = -2)"},
    {"store_if(x * 2, m & (w >= 0))", "x * 2", true},
    {"store_if(x / sum(x), m & (index(x, -1) >= 0))", "x / sum(x)", true},
};

std::vector<uint8_t> PageOf(const PagedRows& rows, int64_t row) { return {rows.row(row), rows.row(row) + kPage}; }

void ExpectUntouched(const Target& target, const Untouched& c, Dtype dtype, const std::vector<bool>& open) {
  const int64_t n = static_cast<int64_t>(open.size());
  const std::string what = std::string(c.stored) + " on " + target.name;
  PagedRows x(n, dtype), w(n, dtype), all(n, dtype), some(n, dtype), all_of_second(n, dtype), some_of_second(n, dtype);
  x.Fill(1), w.Fill(2), some.Fill(3), some_of_second.Fill(4);
  std::vector<uint8_t> mask(open.begin(), open.end());
  int64_t first = std::find(open.begin(), open.end(), false) - open.begin();  // masks of n are those of the first rows
  std::vector<int32_t> rows;
  for (int64_t i = 0; i < n; ++i) rows.push_back(open[static_cast<size_t>(i)] ? static_cast<int32_t>(i) : -1);
  int64_t column[] = {n, 1}, one[] = {1};
  DLTensor m{mask.data(), {kDLCPU, 0}, 2, {kDLBool, 8, 1}, column, nullptr, 0};
  DLTensor e{rows.data(), {kDLCPU, 0}, 2, {kDLInt, 32, 1}, column, nullptr, 0};
  DLTensor count{&first, {kDLCPU, 0}, 1, {kDLInt, 64, 1}, one, nullptr, 0};
  const std::vector<const DLTensor*> inputs{x.dl(), w.dl(), &m, &count, &e};
  const auto run = [&](const char* results, PagedRows* first_result, PagedRows* second_result) {
    const std::string text = std::string("(x, w, m, n, e) -> ") + results;
    tileops_expr* expr = nullptr;
    ASSERT_EQ(tileops_expr_parse(text.data(), text.size(), &expr), TILEOPS_STATUS_OK) << tileops_last_error();
    std::vector<DLTensor*> outputs{first_result->dl()};
    if (c.results == 2) outputs.push_back(second_result->dl());
    Outcome outcome;
    const Plan plan = MakePlan(target, expr, inputs, outputs, 0, &outcome);
    if (plan) outcome = Execute(target, plan.get(), inputs, outputs, {});
    EXPECT_EQ(outcome.status, TILEOPS_STATUS_OK) << what << ": " << outcome.why;
    tileops_expr_destroy(expr);
  };
  run(c.plain, &all, &all_of_second);
  std::vector<std::vector<uint8_t>> before;
  const bool of_first = std::string(c.stored).find("< n") != std::string::npos;
  const auto is_open = [&](int64_t i) { return of_first ? i < first : open[static_cast<size_t>(i)]; };
  for (int64_t i = 0; i < n; ++i) {
    before.push_back(PageOf(some, i));
    if (is_open(i)) continue;
    some.Allow(i, PROT_READ);
    some_of_second.Allow(i, PROT_READ);
    if (c.reads) continue;
    x.Allow(i, PROT_NONE);
    w.Allow(i, PROT_NONE);
  }
  run(c.stored, &some, &some_of_second);
  for (int64_t i = 0; i < n; ++i) {
    EXPECT_EQ(PageOf(some, i), is_open(i) ? PageOf(all, i) : before[static_cast<size_t>(i)]) << what << ", row " << i;
    if (is_open(i) && c.results == 2) {
      EXPECT_EQ(PageOf(some_of_second, i), PageOf(all_of_second, i)) << what << ", row " << i;
    }
  }
}

TEST(StoreIf, TouchesNothingOfBlocksThatAreLeftOut) {
  if (Targets().front().device.device_type != kDLCPU) GTEST_SKIP() << "pages are the CPU's";
  std::mt19937_64 random(5);
  for (const Target& target : Targets())
    for (const Untouched& c : kUntouched)
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) {
        if (dtype != Dtype::bf16 && std::string(c.stored).find("bf16") != std::string::npos) continue;
        for (const size_t rows : {size_t{1}, size_t{6}, size_t{70}}) {
          std::vector<bool> open(rows);
          for (const int kind : {0, 1, 2}) {  // none, all, some
            for (size_t i = 0; i < rows; ++i) open[i] = kind == 2 ? random() % 3 == 0 : kind == 1;
            ExpectUntouched(target, c, dtype, open);
          }
        }
      }
}

}  // namespace
}  // namespace rowtest
