// Every strategy gives the same bits, and tuning keeps what it measures.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include "device.h"

namespace gputest {
namespace {

// An operand: shape and strides in elements over memory of its own, `skip` elements into it.
struct Shape {
  std::vector<int64_t> shape, strides;
  int64_t skip = 0;
};

struct Case {
  const char* note;
  tileops_op op;
  std::vector<Shape> inputs;
  Shape output;
  std::vector<Attr> attrs;
};

int64_t Span(const Shape& s) {
  int64_t last = 0;
  for (size_t d = 0; d < s.shape.size(); ++d) last += (s.shape[d] - 1) * s.strides[d];
  return s.skip + last + 1;
}

Shape Dense(std::vector<int64_t> shape, int64_t skip = 0) {
  Shape s{std::move(shape), {}, skip};
  s.strides.resize(s.shape.size());
  int64_t step = 1;
  for (size_t d = s.shape.size(); d-- > 0;) {
    s.strides[d] = step;
    step *= s.shape[d];
  }
  return s;
}

const std::vector<Case>& Cases() {
  static const auto* cases = [] {
    const Shape odd = Dense({100003}), off = Dense({100003}, 1), rows = Dense({37, 136}), bias = Dense({136}),
                odd_rows = Dense({37, 129}), column = Dense({37, 1}), heads = Dense({2, 8, 3, 16});
    const Shape turned{{96, 80}, {1, 96}, 0}, square = Dense({96, 80});
    // From 4 Mi elements on gated forms of bf16 keep activations in shared memory.
    const Shape large = Dense({(4 << 20) + 3}), many = Dense({9000003}), large_rows = Dense({4099, 1024});
    return new std::vector<Case>{
        {"gelu_and_mul large", TILEOPS_OP_GELU_AND_MUL, {large, large}, large, {}},
        {"gelu_tanh_and_mul large, unaligned",
         TILEOPS_OP_GELU_TANH_AND_MUL,
         {Dense({(4 << 20) + 3}, 1), large},
         large,
         {}},
        {"silu_and_mul large rows", TILEOPS_OP_SILU_AND_MUL, {Dense({4099, 2048})}, large_rows, {}},
        {"gelu", TILEOPS_OP_GELU, {odd}, odd, {}},
        {"gelu unaligned", TILEOPS_OP_GELU, {off}, odd, {}},
        {"add row bias", TILEOPS_OP_ADD, {rows, bias}, rows, {}},
        {"add odd rows", TILEOPS_OP_ADD, {odd_rows, Dense({129})}, odd_rows, {}},
        {"mul column", TILEOPS_OP_MUL, {rows, column}, rows, {}},
        {"add transposed", TILEOPS_OP_ADD, {square, turned}, square, {}},
        {"pow", TILEOPS_OP_POW, {odd, odd}, odd, {}},
        {"softplus of many", TILEOPS_OP_SOFTPLUS, {many}, many, {}},  // more packs a thread
        {"isnan", TILEOPS_OP_ISNAN, {odd}, odd, {}},
        {"dropout", TILEOPS_OP_DROPOUT, {odd}, odd, {{TILEOPS_ATTR_P, 0.3}, {TILEOPS_ATTR_SEED, 11}}},
        {"silu_and_mul", TILEOPS_OP_SILU_AND_MUL, {Dense({37, 272})}, rows, {}},
        {"rope", TILEOPS_OP_ROPE_NEOX, {heads}, heads, {}},
    };
  }();
  return *cases;
}

struct Memory {
  Memory(const Shape& s, DLDataType t) : shape(s), tensor(Gpu(), t, {Span(s)}) {
    dl = *tensor.dl();
    dl.ndim = static_cast<int32_t>(shape.shape.size());
    dl.shape = shape.shape.data();
    dl.strides = shape.strides.data();
    dl.byte_offset += static_cast<uint64_t>(s.skip) * (t.bits / 8);
  }
  Shape shape;
  Tensor tensor;
  DLTensor dl;
};

// Where two results differ, or their size.
size_t FirstOther(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}
// NaNs are alike: which of two that a double's product keeps is the instruction's choice. (Others make one of their
// own.)
size_t FirstOtherDouble(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  size_t at = 0;
  for (; at + 8 <= a.size(); at += 8) {
    double x, y;
    std::memcpy(&x, &a[at], 8);
    std::memcpy(&y, &b[at], 8);
    if (std::memcmp(&x, &y, 8) != 0 && !(std::isnan(x) && std::isnan(y))) break;
  }
  return at;
}

class Strategies : public ::testing::TestWithParam<int> {};

TEST_P(Strategies, GiveTheSameBits) {
  TILEOPS_NEEDS_GPU();
  const DLDataType t = std::vector<DLDataType>{kBf16, kF32, kE4m3, kF64}[static_cast<size_t>(GetParam())];
  const int many = t.bits == 64 ? 8 : 16;  // of rows that are no whole packs a thread takes eight elements at most
  const Cut cuts[] = {{TILEOPS_STRATEGY_DIRECT, 128, 0},
                      {TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 256, 4},
                      {TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 64, 8},
                      {TILEOPS_STRATEGY_REGISTER_COPY, 512, many},
                      {TILEOPS_STRATEGY_REGISTER_COPY, 1024, 2},
                      {TILEOPS_STRATEGY_REGISTER_COPY, 1024, 0},
                      {TILEOPS_STRATEGY_TABLE, 128, 32},
                      {TILEOPS_STRATEGY_TABLE, 1024, 128},
                      {TILEOPS_STRATEGY_TILE, 128, 0},
                      {TILEOPS_STRATEGY_TILE, 1024, 0}};
  int compared = 0, refused = 0;
  for (const Case& c : Cases()) {
    const DLDataType result = c.op == TILEOPS_OP_ISNAN ? kBool : t;
    std::vector<std::unique_ptr<Memory>> x;
    std::vector<const DLTensor*> in;
    std::mt19937_64 random(3);
    for (const Shape& s : c.inputs) {
      x.push_back(std::make_unique<Memory>(s, t));
      std::vector<uint8_t> bytes(x.back()->tensor.bytes() + 8);
      for (size_t i = 0; i + 8 <= bytes.size(); i += 8) {
        const uint64_t r = random();
        std::memcpy(&bytes[i], &r, 8);
      }
      x.back()->tensor.Upload(bytes.data());
      in.push_back(&x.back()->dl);
    }
    Memory y(c.output, result);
    DLTensor* outs[] = {&y.dl};
    const auto run = [&](const Cut& cut, std::vector<uint8_t>* bytes, std::string* name) {
      std::vector<uint8_t> poison(y.tensor.bytes(), 0x5a);
      y.tensor.Upload(poison.data());
      const Plan plan(c.op, in, {&y.dl}, c.attrs, 0, nullptr, cut);
      if (plan.status() != TILEOPS_STATUS_OK) return plan.status();
      EXPECT_EQ(plan.Text(TILEOPS_PLAN_STRATEGY_ORIGIN), cut.strategy ? "given" : "auto");
      *name = plan.Text(TILEOPS_PLAN_STRATEGY) + " " + plan.Text(TILEOPS_PLAN_KERNEL_NAME);
      const tileops_status status = tileops_execute(plan.get(), in.data(), in.size(), outs, 1, nullptr);
      bytes->resize(y.tensor.bytes());
      y.tensor.Download(bytes->data());
      return status;
    };
    std::vector<uint8_t> want, got;
    std::string automatic, name;
    ASSERT_EQ(run({}, &want, &automatic), TILEOPS_STATUS_OK) << c.note << ": " << tileops_last_error();
    for (const Cut& cut : cuts) {
      const tileops_status status = run(cut, &got, &name);
      if (status == TILEOPS_STATUS_UNSUPPORTED) {  // by name, and only table and tile
        ++refused;
        EXPECT_NE(std::string(tileops_last_error()).find("strategy: "), std::string::npos);
        EXPECT_GE(cut.strategy, TILEOPS_STRATEGY_TABLE) << c.note << ": " << tileops_last_error();
        continue;
      }
      ASSERT_EQ(status, TILEOPS_STATUS_OK) << c.note << ": " << tileops_last_error();
      ++compared;
      const size_t at = result.bits == 64 ? FirstOtherDouble(want, got) : FirstOther(want, got);
      EXPECT_EQ(at, want.size()) << c.note << " byte " << at << ": " << name << "; auto is " << automatic;
    }
  }
  EXPECT_GE(compared, 5 * static_cast<int>(Cases().size()));
  EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Dtypes, Strategies, ::testing::Range(0, 4));

struct Seen {
  int calls = 0, total = 0, stop_after = 1 << 30;
  bool in_order = true;
};

int32_t Watch(void* user, const tileops_tune_progress* p) {
  Seen* seen = static_cast<Seen*>(user);
  seen->in_order = seen->in_order && p->struct_size == sizeof *p && p->done > seen->calls && p->done <= p->total &&
                   p->seconds > 0 && p->best_seconds > 0 && p->best_seconds <= p->seconds * 1.0000001;
  ++seen->calls;
  seen->total = p->total;
  return seen->calls >= seen->stop_after;
}

TEST(Tune, MeasuresAndKeeps) {
  TILEOPS_NEEDS_GPU();
  char folder[] = "/tmp/tileops-tune-XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.cache_dir = folder;
  options.cache_mode = TILEOPS_CACHE_READ_WRITE;
  tileops_context* context = nullptr;
  MUST(tileops_context_create(&options, &context));
  const int64_t n = 1 << 22;
  Tensor x(Gpu(), kE4m3, {n}), y(Gpu(), kE4m3, {n});
  const tileops_tensor_desc d{kE4m3, 1, x.dl()->shape, nullptr};
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = TILEOPS_OP_SIGMOID;
  desc.device = Gpu();
  desc.num_inputs = desc.num_outputs = 1;
  desc.inputs = desc.outputs = &d;

  Seen stopped;
  stopped.stop_after = 2;
  tileops_tune_result r = TILEOPS_TUNE_RESULT_INIT;
  MUST(tileops_tune(context, &desc, Watch, &stopped, &r));
  EXPECT_EQ(stopped.calls, 2);
  EXPECT_EQ(Plan(TILEOPS_OP_SIGMOID, {x.dl()}, {y.dl()}, {}, 0, context).Text(TILEOPS_PLAN_STRATEGY_ORIGIN), "auto");

  Seen seen;
  MUST(tileops_tune(context, &desc, Watch, &seen, &r));
  EXPECT_TRUE(seen.in_order);
  EXPECT_EQ(seen.calls, r.candidates);
  EXPECT_GT(r.candidates, 5);
  EXPECT_GT(r.seconds, 0);
  EXPECT_LE(r.seconds, r.auto_seconds);
  std::printf("sigmoid e4m3fn 4 Mi: strategy %d, %d threads x %d, %.2f us, auto %.2f us, %d candidates\n", r.strategy,
              r.threads, r.num_per_thread, r.seconds * 1e6, r.auto_seconds * 1e6, r.candidates);
  const bool gained = r.seconds < r.auto_seconds;
  tileops_context* later = nullptr;
  MUST(tileops_context_create(&options, &later));
  for (tileops_context* c : {context, later}) {
    const Plan plan(TILEOPS_OP_SIGMOID, {x.dl()}, {y.dl()}, {}, 0, c);
    MUST(plan.status());
    EXPECT_EQ(plan.Text(TILEOPS_PLAN_STRATEGY_ORIGIN), gained ? "tuned" : "auto");
    int32_t threads = 0, each = 0;
    size_t size = sizeof threads;
    MUST(tileops_plan_query(plan.get(), TILEOPS_PLAN_THREADS, &threads, &size));
    MUST(tileops_plan_query(plan.get(), TILEOPS_PLAN_NUM_PER_THREAD, &each, &size));
    EXPECT_EQ(threads, r.threads);
    EXPECT_EQ(each, r.num_per_thread);
  }
  Tensor small(Gpu(), kE4m3, {1000});
  EXPECT_EQ(Plan(TILEOPS_OP_SIGMOID, {small.dl()}, {small.dl()}, {}, 0, context).Text(TILEOPS_PLAN_STRATEGY_ORIGIN),
            "auto");
  tileops_context_destroy(later);
  tileops_context_destroy(context);
  std::filesystem::remove_all(folder);
}

// Tuning an expression with scalars, which have their default values, and one whose passes need a workspace.
TEST(Tune, ExpressionsOfRows) {
  TILEOPS_NEEDS_GPU();
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.cache_mode = TILEOPS_CACHE_OFF;
  tileops_context* context = nullptr;
  MUST(tileops_context_create(&options, &context));
  const int64_t shape[] = {512, 4096};
  const tileops_tensor_desc d{{kDLFloat, 32, 1}, 2, shape, nullptr};
  for (const char* text : {"(x; scale = 0.5) -> scale * gelu(x)", "(x; eps = 1e-5) -> x * rsqrt(mean(x * x) + eps)",
                           "(x; k = 2.0) -> k * x - mean(x, axis = all)"}) {
    tileops_expr* expr = nullptr;
    MUST(tileops_expr_parse(text, std::strlen(text), &expr));
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.expr = expr;
    desc.device = Gpu();
    desc.num_inputs = desc.num_outputs = 1;
    desc.inputs = desc.outputs = &d;
    tileops_tune_result r = TILEOPS_TUNE_RESULT_INIT;
    MUST(tileops_tune(context, &desc, nullptr, nullptr, &r));
    EXPECT_GT(r.candidates, 2) << text;
    std::printf("%s: strategy %d, %d threads x %d, %.2f us, auto %.2f us, %d candidates\n", text, r.strategy, r.threads,
                r.num_per_thread, r.seconds * 1e6, r.auto_seconds * 1e6, r.candidates);
    tileops_plan* plan = nullptr;
    MUST(tileops_plan_create(context, &desc, &plan));
    char origin[16];
    size_t size = sizeof origin;
    MUST(tileops_plan_query(plan, TILEOPS_PLAN_STRATEGY_ORIGIN, origin, &size));
    EXPECT_STREQ(origin, r.seconds < r.auto_seconds ? "tuned" : "auto") << text;
    tileops_plan_destroy(plan);
    tileops_expr_destroy(expr);
  }
  tileops_context_destroy(context);
}

}  // namespace
}  // namespace gputest
