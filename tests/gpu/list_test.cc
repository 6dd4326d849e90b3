// Lists on a GPU: how many launches they are, captured and replayed. That they have the bits of executes one by one is
// tested with texts (tests/rows/list_test.cc), on a GPU as well.
#include <cstring>
#include <functional>
#include <memory>
#include <random>

#include "device.h"

namespace gputest {
namespace {

// y = x * s + y of `count` items of these lengths, in place, where s is one element of each.
class ScaledItems {
 public:
  ScaledItems(size_t count, const std::function<int64_t(size_t)>& length) {
    const char text[] = "(x, y, s) -> x * s + y";
    const int64_t open = TILEOPS_OPEN;
    const tileops_tensor_desc in[] = {
        {kF32, 1, &open, nullptr}, {kF32, 1, &open, nullptr}, {kF32, 0, nullptr, nullptr}};
    tileops_expr* expr = nullptr;
    EXPECT_EQ(tileops_expr_parse(text, std::strlen(text), &expr), TILEOPS_STATUS_OK) << tileops_last_error();
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.device = Gpu();
    desc.expr = expr;
    desc.flags = TILEOPS_PLAN_LIST;
    desc.num_inputs = 3;
    desc.num_outputs = 1;
    desc.inputs = desc.outputs = in;
    EXPECT_EQ(tileops_plan_create(nullptr, &desc, &plan_), TILEOPS_STATUS_OK) << tileops_last_error();
    tileops_expr_destroy(expr);
    std::mt19937 random(static_cast<uint32_t>(count));
    for (size_t i = 0; i < count; ++i) items_.push_back(std::make_unique<Item>(length(i), &random, stream_.get()));
    for (const auto& item : items_) {
      tileops_execute_args a = TILEOPS_EXECUTE_ARGS_INIT;
      a.inputs = item->in;
      a.num_inputs = 3;
      a.outputs = item->out;
      a.num_outputs = 1;
      args_.push_back(a);
    }
    if (!args_.empty()) args_[0].stream = stream_.get();
  }
  ~ScaledItems() { tileops_plan_destroy(plan_); }

  // Captures the list, replays the graph `times` times, and compares.
  void ExpectReplays(size_t launches, int times) {
    void *graph = nullptr, *executable = nullptr;
    ASSERT_EQ(Api().capture_begin(stream_.get(), 0), 0);
    const tileops_status status = tileops_execute_list(plan_, args_.data(), args_.size());
    ASSERT_EQ(Api().capture_end(stream_.get(), &graph), 0);
    MUST(status);
    size_t nodes = 0;
    ASSERT_EQ(Api().graph_nodes(graph, nullptr, &nodes), 0);
    EXPECT_EQ(nodes, launches) << args_.size() << " items";
    ASSERT_EQ(Api().graph_instantiate(&executable, graph, 0), 0);
    for (int t = 0; t < times; ++t) ASSERT_EQ(Api().graph_launch(executable, stream_.get()), 0);
    stream_.Wait();
    for (size_t i = 0; i < items_.size(); ++i) items_[i]->Expect(times, i, stream_.get());
    Api().graph_executable_destroy(executable);
    Api().graph_destroy(graph);
  }

 private:
  struct Item {
    Item(int64_t length, std::mt19937* random, void* stream)
        : x(Gpu(), kF32, {length}), y(Gpu(), kF32, {length}), s(Gpu(), kF32, {}) {
      for (int64_t i = 0; i < length; ++i) values.push_back(static_cast<float>((*random)() % 100));
      x.Upload(values.data(), stream);
      y.Upload(values.data(), stream);
      s.Upload(&scale, stream);
    }
    void Expect(int times, size_t number, void* stream) {
      std::vector<float> got(values.size());
      y.Download(got.data(), stream);
      for (size_t i = 0; i < got.size(); ++i)  // whole numbers, so that nothing is rounded
        ASSERT_EQ(got[i], values[i] * (1 + scale * static_cast<float>(times))) << "item " << number << ", " << i;
    }

    std::vector<float> values;
    float scale = 3;
    Tensor x, y, s;
    const DLTensor* in[3] = {x.dl(), y.dl(), s.dl()};
    DLTensor* out[1] = {y.dl()};
  };

  Stream stream_;
  tileops_plan* plan_ = nullptr;
  std::vector<std::unique_ptr<Item>> items_;
  std::vector<tileops_execute_args> args_;
};

TEST(Lists, AreOneLaunch) {
  TILEOPS_NEEDS_GPU();
  UseDevice();
  std::mt19937 random(7);
  const auto length = [&](size_t i) { return i % 5 == 4 ? 0 : static_cast<int64_t>(random() % 20000); };
  ScaledItems(1, [](size_t) { return 5; }).ExpectReplays(1, 2);
  ScaledItems(45, length).ExpectReplays(1, 3);
  ScaledItems(291, length).ExpectReplays(1, 2);
  ScaledItems(3, [](size_t) { return 0; }).ExpectReplays(0, 1);
}

// Six words an item, and its first block: 584 of them are what a launch has room for where it may have 32 KB.
TEST(Lists, OfManyItemsAreSeveralLaunches) {
  TILEOPS_NEEDS_GPU();
  UseDevice();
  ScaledItems(2000, [](size_t i) { return static_cast<int64_t>(i % 33 + 1); }).ExpectReplays(4, 2);
}

}  // namespace
}  // namespace gputest
