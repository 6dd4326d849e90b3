// One captured graph for every batch up to its size: how many rows there are lies on the device, and a mask leaves out
// the others (docs/engines.md). Rows that are there have the bits of the text without a mask, and others stay.
#include <cstring>
#include <random>

#include "device.h"

namespace gputest {
namespace {

struct MaskedText {
  const char *masked, *plain;
};

// x and w are matrices. n has one element, the number of rows that are there; e has one for each row, negative where
// the row is left out.
constexpr MaskedText kMasked[] = {
    {"store_if(silu(x) * w, index(x, -2) < n)", "silu(x) * w"},
    {"store_if(x * 2 + 1, e >= 0)", "x * 2 + 1"},
    {"scatter(x - w, where(index(x, -2) < n, index(x, -2), -1), axis = -2)", "x - w"},
    {"store_if(x * rsqrt(mean(x * x) + 1e-6) * w, index(x, -2) < n)", "x * rsqrt(mean(x * x) + 1e-6) * w"},
    {"{ t = exp(x - amax(x)); store_if(t / sum(t), e >= 0) }", "{ t = exp(x - amax(x)); t / sum(t) }"},
    {"store_if(cumsum(x), index(x, -2) < n)", "cumsum(x)"},
    {"store_if(x * w, (index(x, -1) >= 0) & (e >= 0))", "x * w"},
};

class MaskedRun {
 public:
  MaskedRun(int64_t rows, int64_t length)
      : rows_(rows),
        length_(length),
        x_(Gpu(), kBf16, {rows, length}),
        w_(Gpu(), kBf16, {rows, length}),
        y_(Gpu(), kBf16, {rows, length}),
        n_(Gpu(), kI64, {1}),
        e_(Gpu(), kI32, {rows, 1}) {
    std::mt19937 random(static_cast<uint32_t>(rows + length));
    std::vector<uint16_t> values(static_cast<size_t>(rows * length));
    for (Tensor* t : {&x_, &w_}) {
      for (uint16_t& v : values) v = static_cast<uint16_t>(0x3f00 + random() % 0x100);  // 0.5 to 2
      t->Upload(values.data(), stream_.get());
    }
  }

  void Expect(const MaskedText& text) {
    const std::string what = std::string(text.masked) + " of " + std::to_string(length_);
    std::vector<uint16_t> plain;
    Run(text.plain, [&](void*) { plain = Result(); });
    Run(text.masked, [&](void* graph) {
      for (const int64_t n : {int64_t{0}, int64_t{1}, int64_t{5}, rows_, rows_ / 2}) {
        SetRows(n);
        ASSERT_EQ(Api().memset_async(reinterpret_cast<uintptr_t>(y_.data()), 0xa5, y_.bytes(), stream_.get()), 0);
        ASSERT_EQ(Api().graph_launch(graph, stream_.get()), 0);
        const std::vector<uint16_t> got = Result();
        const size_t open = static_cast<size_t>(std::min(n, rows_) * length_);
        for (size_t i = 0; i < got.size(); ++i)
          ASSERT_EQ(got[i], i < open ? plain[i] : 0xa5a5) << what << ", " << n << " rows, element " << i;
      }
    });
  }

 private:
  void SetRows(int64_t n) {
    std::vector<int32_t> expert;
    for (int64_t i = 0; i < rows_; ++i) expert.push_back(i < n ? static_cast<int32_t>(i % 8) : -1);
    n_.Upload(&n, stream_.get());
    e_.Upload(expert.data(), stream_.get());
  }

  std::vector<uint16_t> Result() {
    std::vector<uint16_t> values(static_cast<size_t>(rows_ * length_));
    y_.Download(values.data(), stream_.get());
    return values;
  }

  // Captures an execute, replays it once and calls use(graph).
  template <class F>
  void Run(const char* results, const F& use) {
    const std::string text = std::string("(x, w, n, e) -> ") + results;
    tileops_expr* expr = nullptr;
    MUST(tileops_expr_parse(text.data(), text.size(), &expr));
    const DLTensor* in[] = {x_.dl(), w_.dl(), n_.dl(), e_.dl()};
    DLTensor* out[] = {y_.dl()};
    tileops_plan* plan = nullptr;
    const tileops_status status = tileops_plan_create_like_expr(nullptr, expr, in, 4, out, 1, &plan);
    tileops_expr_destroy(expr);
    MUST(status);
    SetRows(rows_);
    tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
    args.inputs = in;
    args.num_inputs = 4;
    args.outputs = out;
    args.num_outputs = 1;
    args.stream = stream_.get();
    size_t size = sizeof args.workspace_bytes;
    MUST(tileops_plan_query(plan, TILEOPS_PLAN_WORKSPACE_BYTES, &args.workspace_bytes, &size));
    Tensor workspace(Gpu(), kI64, {static_cast<int64_t>(args.workspace_bytes / 8 + 1)});
    if (args.workspace_bytes) args.workspace = workspace.data();
    void *graph = nullptr, *executable = nullptr;
    ASSERT_EQ(Api().capture_begin(stream_.get(), 0), 0);
    MUST(tileops_execute_with(plan, &args));
    ASSERT_EQ(Api().capture_end(stream_.get(), &graph), 0);
    ASSERT_EQ(Api().graph_instantiate(&executable, graph, 0), 0);
    ASSERT_EQ(Api().graph_launch(executable, stream_.get()), 0);
    use(executable);
    stream_.Wait();
    Api().graph_executable_destroy(executable);
    Api().graph_destroy(graph);
    tileops_plan_destroy(plan);
  }

  const int64_t rows_, length_;
  Stream stream_;
  Tensor x_, w_, y_, n_, e_;
};

// Rows of one lane to those that a cluster has, several and one to a thread block.
TEST(Masked, OneGraphForEveryBatch) {
  TILEOPS_NEEDS_GPU();
  UseDevice();
  for (const auto& [rows, length] :
       {std::pair<int64_t, int64_t>{64, 4096}, {300, 128}, {1000, 40}, {77, 77}, {64, 32768}, {12, 300000}})
    for (const MaskedText& text : kMasked) MaskedRun(rows, length).Expect(text);
}

}  // namespace
}  // namespace gputest
