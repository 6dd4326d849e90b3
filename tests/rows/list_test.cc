// Lists: many items by one call, with the bits of an execute of each. Every text and random ones, with items of many
// sizes, empty and misaligned ones among them; an optimiser over hundreds of tensors; and what is refused.
#include <gtest/gtest.h>

#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <random>

#include "open_plan.h"
#include "random_text.h"
#include "texts.h"

namespace rowtest {
namespace {

using optest::Placed;
using Items = std::vector<std::unique_ptr<Placed>>;

// Extents of a list's items: some that are equal, an empty one, and last ones that are short in every way.
const std::vector<int64_t> kItemExtents = {7, 131, 0, 1, 65, 7};

using Make = std::function<std::vector<Tensor>(int64_t extent)>;

struct TriedLists {
  size_t plans = 0, items = 0;
  std::map<std::string, size_t> refused;
};

// A list of items of these extents, every third of which lies where no vector may be read, against executes by
// themselves. `axes`: open ones; none of a list of equal shapes.
void ExpectBitsOfExecutes(const Target& target, const std::string& text,
                          const std::map<std::string, tileops::expr::Number>& scalars, const Make& make,
                          const OpenAxes& axes, const std::vector<int64_t>& extents, const std::string& what,
                          TriedLists* tried) {
  std::vector<std::unique_ptr<TextRun>> runs;
  Items items;
  for (const int64_t extent : extents) {
    auto run = std::make_unique<TextRun>(text, make(extent), scalars);
    if (run->state() != State::runs) continue;
    const Layout layout = items.size() % 3 == 2 ? Layout::kUnaligned : Layout::kDense;
    items.push_back(std::make_unique<Placed>(target, run->inputs(), run->outputs(), optest::All(layout, layout)));
    runs.push_back(std::move(run));
  }
  if (items.empty()) return;
  Outcome outcome;
  const Plan plan = OpenPlan(target, *runs[0], *items[0], axes, TILEOPS_PLAN_LIST | TILEOPS_PLAN_NO_CACHE, &outcome);
  if (!plan) {
    ASSERT_TRUE(outcome.status == TILEOPS_STATUS_UNSUPPORTED || outcome.status == TILEOPS_STATUS_INVALID_ARGUMENT)
        << what << ": " << outcome.why;
    ++tried->refused[outcome.why.substr(0, outcome.why.find('\n'))];
    return;
  }
  outcome = ExecuteList(target, plan.get(), items, runs[0]->scalars());
  ASSERT_EQ(outcome.status, TILEOPS_STATUS_OK) << what << ": " << outcome.why;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string here = what + ", item " + std::to_string(i);
    const Results got = items[i]->Read(here), want = runs[i]->On(target, {}, TILEOPS_PLAN_NO_CACHE);
    ASSERT_FALSE(want.empty()) << here;
    exprtest::ExpectSame(runs[i]->outputs(), got, want, here);
    if (testing::Test::HasFailure()) return;
  }
  ++tried->plans;
  tried->items += items.size();
}

// In parts, which a machine with many cores runs side by side: on a GPU each is compiled.
class ListsOf : public testing::TestWithParam<size_t> {
 protected:
  static constexpr size_t kParts = 8;
  bool IsOfPart(size_t i) const { return i % kParts == GetParam(); }
  void Report(const TriedLists& tried) {
    std::cout << tried.plans << " lists, " << tried.items << " items; refused:\n";
    for (const auto& [why, count] : tried.refused) std::cout << "  " << count << " " << why << "\n";
  }
};
INSTANTIATE_TEST_SUITE_P(Parts, ListsOf, testing::Range<size_t>(0, 8));

TEST_P(ListsOf, NamedTextsHaveTheBitsOfExecutes) {
  TriedLists tried;
  size_t number = 0;
  for (const RowText& text : RowTexts()) {
    if (!IsOfPart(number++) || text.operands.empty() || !ScatteredInto(text).empty()) continue;
    std::vector<Shape> shapes;
    for (const Declared& d : text.operands) shapes.push_back(d.shape);
    const OpenAxes axes = shapes[0].empty() ? OpenAxes(shapes.size()) : AlikeAxes(shapes, 0, 0);
    const bool is_open = !axes[0].empty();
    const Make make = [&](int64_t extent) {
      RowText resized = text;
      if (is_open) {
        const std::vector<Shape> at = ShapesAt(shapes, axes, extent);
        for (size_t i = 0; i < at.size(); ++i) resized.operands[i].shape = at[i];
      }
      return RandomOperands(resized, static_cast<uint64_t>(extent) + 1);
    };
    ExpectBitsOfExecutes(Targets().front(), text.text, text.scalars, make, axes, kItemExtents, text.name, &tried);
    if (HasFailure()) return;
  }
  Report(tried);
  EXPECT_GT(tried.plans, 5u);
}

TEST_P(ListsOf, RandomTextsHaveTheBitsOfExecutes) {
  TriedLists tried;
  for (uint64_t seed = 1; seed <= (std::getenv("TILEOPS_TEST_LONG") ? 2000 : 96); ++seed) {
    if (!IsOfPart(seed)) continue;
    const RandomText made = MakeRandomText(seed);
    if (made.operands.empty()) continue;
    const std::vector<Shape> shapes = ShapesOf(made.operands);
    // Every fourth list has items of one shape, by a plan without open extents.
    const bool is_open = seed % 4 != 0 && !shapes[0].empty();
    const OpenAxes axes = is_open ? AlikeAxes(shapes, 0, seed % shapes[0].size()) : OpenAxes(shapes.size());
    uint64_t calls = 0;
    const Make make = [&](int64_t extent) {
      const std::vector<Shape> at = is_open && !axes[0].empty() ? ShapesAt(shapes, axes, extent) : shapes;
      std::vector<Tensor> operands;
      for (size_t i = 0; i < at.size(); ++i)
        operands.push_back(RandomTensor(made.operands[i].dtype, at[i], 31 * seed + 7 * ++calls + i));
      return operands;
    };
    ExpectBitsOfExecutes(Targets().front(), made.text, {}, make, axes, {5, 70, 1, 0, 33, 300}, Described(made), &tried);
    if (HasFailure()) return;
  }
  Report(tried);
  EXPECT_GT(tried.plans, 0u);
}

// ---- An optimiser over a model's parameters

const char kAdamW[] =
    "(p, g, m, v, step; lr = 0.001, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, decay = 0.01) -> {"
    " a = beta1 * m + (1 - beta1) * g;  b = beta2 * v + (1 - beta2) * g * g;"
    " p - lr * (a / (1 - pow(beta1, step)) / (sqrt(b / (1 - pow(beta2, step))) + eps) + decay * p), a, b }";

std::vector<Tensor> Parameters(int64_t elements, uint64_t seed) {
  std::vector<Tensor> operands;
  for (uint64_t i = 0; i < 4; ++i) operands.push_back(RandomTensor(Dtype::f32, {elements}, 5 * seed + i));
  for (auto& x : operands[3].values) x = std::abs(x);
  operands.push_back(RandomTensor(Dtype::f32, {}, 1));
  operands.back().values[0] = static_cast<Real>(seed % 9 + 1);
  return operands;
}

// As many items as a launch has, one more, and several launches of them.
TEST(Lists, OptimisersOfManyTensors) {
  const Target& target = Targets().front();
  for (const size_t count : {1u, 45u, 291u, 700u, 2000u}) {
    std::vector<std::unique_ptr<TextRun>> runs;
    Items items;
    std::mt19937_64 random(count);
    for (size_t i = 0; i < count; ++i) {
      const int64_t sizes[] = {0, 1, 7, 64, static_cast<int64_t>(random() % 3000)};
      runs.push_back(std::make_unique<TextRun>(kAdamW, Parameters(sizes[random() % 5], i)));
      const Layout layout = random() % 4 == 0 ? Layout::kUnaligned : Layout::kDense;
      items.push_back(std::make_unique<Placed>(target, runs[i]->inputs(), runs[i]->outputs(),
                                               optest::Placement{{layout}, {layout}, 0}));
    }
    Outcome outcome;
    const Plan plan = OpenPlan(target, *runs[0], *items[0], {{0}, {0}, {0}, {0}, {}}, TILEOPS_PLAN_LIST, &outcome);
    ASSERT_NE(plan, nullptr) << outcome.why;
    outcome = ExecuteList(target, plan.get(), items, runs[0]->scalars());
    ASSERT_EQ(outcome.status, TILEOPS_STATUS_OK) << outcome.why;
    for (size_t i = 0; i < count; i += count > 300 ? 7 : 1) {
      const std::string here = std::to_string(count) + " items, item " + std::to_string(i);
      exprtest::ExpectSame(runs[i]->outputs(), items[i]->Read(here), runs[i]->On(target, {}), here);
      if (HasFailure()) return;
    }
  }
}

// The norm of a model's gradients: each item's sum is shared by many threads.
TEST(Lists, SumsOfSquares) {
  TriedLists tried;
  const Make make = [](int64_t extent) {
    return std::vector<Tensor>{RandomTensor(Dtype::f32, {extent}, static_cast<uint64_t>(extent))};
  };
  ExpectBitsOfExecutes(Targets().front(), "(x) -> sum(x * x, axis = all)", {}, make, {{0}},
                       {70001, 0, 1, 4096, 4097, 8192, 131072, 3}, "sums of squares", &tried);
  EXPECT_EQ(tried.items, 8u);
}

// ---- What is refused

// y = x * s of open length, for items in a buffer.
class Scaled {
 public:
  static constexpr int64_t kPlaces = 64;

  explicit Scaled(uint32_t flags = TILEOPS_PLAN_LIST) {
    const char text[] = "(x, s; by = 2) -> x * s * by";
    EXPECT_EQ(tileops_expr_parse(text, std::strlen(text), &expr_), TILEOPS_STATUS_OK) << tileops_last_error();
    const int64_t open = TILEOPS_OPEN;
    const DLDataType f32{kDLFloat, 32, 1};
    const tileops_tensor_desc in[] = {{f32, 1, &open, nullptr}, {f32, 0, nullptr, nullptr}},
                              out{f32, 1, &open, nullptr};
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.expr = expr_;
    desc.flags = flags;
    desc.num_inputs = 2;
    desc.num_outputs = 1;
    desc.inputs = in;
    desc.outputs = &out;
    tileops_plan* plan = nullptr;
    EXPECT_EQ(tileops_plan_create(nullptr, &desc, &plan), TILEOPS_STATUS_OK) << tileops_last_error();
    plan_.reset(plan);
    for (size_t i = 0; i < 16 * kPlaces; ++i) memory[i] = static_cast<float>(i);
  }
  ~Scaled() { tileops_expr_destroy(expr_); }

  // From place to place of the buffer, by the number at `scale`.
  void Add(int64_t from, int64_t to, int64_t elements, int64_t scale = 0) {
    items_.push_back(std::make_unique<Item>());
    Item& item = *items_.back();
    item.elements = elements;
    const DLDataType f32{kDLFloat, 32, 1};
    const DLDevice cpu{kDLCPU, 0};
    item.x = {memory + from, cpu, 1, f32, &item.elements, nullptr, 0};
    item.s = {memory + scale, cpu, 0, f32, nullptr, nullptr, 0};
    item.y = {memory + to, cpu, 1, f32, &item.elements, nullptr, 0};
    tileops_execute_args a = TILEOPS_EXECUTE_ARGS_INIT;
    a.inputs = item.inputs;
    a.num_inputs = 2;
    a.outputs = item.outputs;
    a.num_outputs = 1;
    args.push_back(a);
  }
  // "" or what the library says.
  std::string Execute() {
    const tileops_status status = tileops_execute_list(plan_.get(), args.data(), args.size());
    return status == TILEOPS_STATUS_OK ? "" : tileops_last_error();
  }
  const tileops_plan* plan() const { return plan_.get(); }

  float memory[16 * kPlaces];
  std::vector<tileops_execute_args> args;

 private:
  struct Item {
    int64_t elements = 0;
    DLTensor x, s, y;
    const DLTensor* inputs[2] = {&x, &s};
    DLTensor* outputs[1] = {&y};
  };
  tileops_expr* expr_ = nullptr;
  Plan plan_;
  std::vector<std::unique_ptr<Item>> items_;
};

const std::string kName = "tileops_execute_list: ";

TEST(Lists, RunOnAddresses) {
  Scaled scaled;
  const int64_t three = 3, none = 0;
  const void* in[] = {scaled.memory + 8, scaled.memory + 3};
  void* out[] = {scaled.memory + 64};
  tileops_execute_args a = TILEOPS_EXECUTE_ARGS_INIT;
  a.input_ptrs = in;
  a.num_inputs = 2;
  a.output_ptrs = out;
  a.num_outputs = 1;
  a.extents = &three;
  a.num_extents = 1;
  scaled.args = {a, a};
  scaled.args[1].extents = &none;
  scaled.Add(70, 90, 2, 5);
  EXPECT_EQ(scaled.Execute(), "");
  EXPECT_EQ(scaled.memory[66], 10 * 3 * 2);
  EXPECT_EQ(scaled.memory[67], 67);
  EXPECT_EQ(scaled.memory[91], 71 * 5 * 2);
}

TEST(Lists, AreNothingWithoutItems) {
  Scaled scaled;
  EXPECT_EQ(scaled.Execute(), "");
  EXPECT_EQ(tileops_execute_list(scaled.plan(), nullptr, 0), TILEOPS_STATUS_OK);
  EXPECT_EQ(tileops_execute_list(scaled.plan(), nullptr, 1), TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(tileops_last_error(), kName + "items: is NULL");
  EXPECT_EQ(tileops_execute_list(nullptr, nullptr, 0), TILEOPS_STATUS_INVALID_ARGUMENT);
}

TEST(Lists, NeedTheirFlag) {
  Scaled scaled(0);
  scaled.Add(1, 64, 3);
  EXPECT_EQ(scaled.Execute(), kName + "plan: was made without TILEOPS_PLAN_LIST");
}

TEST(Lists, NameTheItemThatIsWrong) {
  Scaled scaled;
  for (int64_t i = 0; i < 4; ++i) scaled.Add(64 * i + 1, 64 * i + 32, 10 + i);
  const auto with = [&](const std::function<void(tileops_execute_args*)>& change) {
    const tileops_execute_args before = scaled.args[2];
    change(&scaled.args[2]);
    const std::string said = scaled.Execute();
    scaled.args[2] = before;
    return said;
  };
  int stream = 0;
  const int64_t nine = 9;
  const tileops_number by{};
  EXPECT_EQ(with([](auto* a) { a->num_inputs = 1; }),
            kName + "items[2]: num_inputs: differs from the plan (got 1, need 2)");
  EXPECT_EQ(with([](auto* a) { a->struct_size = 8; }),
            kName + "items[2]: struct_size is another one than that of items[0] (got 8, need 96)");
  EXPECT_EQ(with([](auto* a) { a->reserved = 1; }), kName + "items[2]: reserved: is not 0 (got 1)");
  EXPECT_EQ(with([&](auto* a) { a->stream = &stream; }), kName + "items[2]: stream: must be NULL for a CPU plan");
  EXPECT_EQ(with([&](auto* a) { a->scalars = &by, a->num_scalars = 1; }),
            kName + "items[2]: scalars: are others than those of items[0]: what differs is an operand of one element");
  EXPECT_EQ(with([&](auto* a) { a->extents = &nine, a->num_extents = 1; }),
            kName + "items[2]: inputs[0]: extent 0 differs from extents[0] (got 12, need 9)");
  EXPECT_EQ(with([](auto* a) { a->workspace_bytes = 64; }), kName + "items[2]: workspace: is NULL (64 bytes)");
  EXPECT_EQ(scaled.memory[32], 32) << "something was written";
  EXPECT_EQ(scaled.Execute(), "");
  EXPECT_EQ(scaled.memory[32], 0);
}

TEST(Lists, RefuseItemsThatOverlap) {
  const auto refusal = [](const std::function<void(Scaled*)>& add) {
    Scaled scaled;
    add(&scaled);
    const std::string said = scaled.Execute();
    if (!said.empty()) {
      EXPECT_EQ(scaled.memory[64], 64) << "something was written";
    }
    return said;
  };
  // Tied weights, which are in the list twice.
  EXPECT_EQ(refusal([](Scaled* s) { s->Add(64, 64, 8), s->Add(128, 128, 8), s->Add(64, 64, 8); }),
            kName + "items[2]: outputs[0] overlaps outputs[0] of items[0]");
  // A result over what another item reads, at its end and its beginning.
  EXPECT_EQ(refusal([](Scaled* s) { s->Add(1, 64, 8), s->Add(71, 128, 8); }),
            kName + "items[1]: inputs[0] overlaps outputs[0] of items[0]");
  EXPECT_EQ(refusal([](Scaled* s) { s->Add(71, 128, 8), s->Add(1, 64, 8); }),
            kName + "items[1]: outputs[0] overlaps inputs[0] of items[0]");
  EXPECT_EQ(refusal([](Scaled* s) { s->Add(1, 64, 8), s->Add(128, 200, 8, 65); }),
            kName + "items[1]: inputs[1] overlaps outputs[0] of items[0]");
  // Neighbours, operands that all read, and items in place are no overlaps.
  EXPECT_EQ(refusal([](Scaled* s) { s->Add(1, 64, 8), s->Add(1, 72, 8), s->Add(80, 80, 8), s->Add(1, 56, 8); }), "");
  EXPECT_EQ(refusal([](Scaled* s) { s->Add(1, 64, 8), s->Add(64, 64, 0); }), "");
}

}  // namespace
}  // namespace rowtest
