// Results in the memory of operands and of other results: every combination of some placements, each either right or
// refused with nothing written; and those that must be allowed.
#include <cstring>
#include <memory>

#include "expression.h"

namespace exprtest {
namespace {

struct Operand {
  Dt dtype;
  Shape shape;
};

struct Case {
  const char* text;
  std::vector<Operand> operands;
  std::vector<std::pair<int, int>> allowed;  // result, operand: exactly in place, alone
};

const Dt kF = Dt::kF32, kH = Dt::kBF16;
const Shape kWhole = {40, 96}, kTwice = {40, 192}, kRow = {96}, kHalf = {48}, kColumn = {40, 1}, kPair = {40, 2},
            kStack = {3, 40, 96};

const std::vector<Case>& Cases() {
  static const auto* all = new std::vector<Case>{
      {"(g, u, r) -> silu(g) * u + r", {{kF, kWhole}, {kF, kWhole}, {kF, kWhole}}, {{0, 0}, {0, 1}, {0, 2}}},
      {"(x, r) -> { h = x + r; h * 2, h }", {{kH, kWhole}, {kH, kWhole}}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}},
      {"(x, b) -> x * b + exp(x)", {{kF, kWhole}, {kF, kRow}}, {{0, 0}}},
      {"(x, c) -> x * c - c", {{kF, kWhole}, {kF, kColumn}}, {{0, 0}}},
      {"(x, s) -> x * s, x + s", {{kF, kWhole}, {kF, {}}}, {{0, 0}, {1, 0}}},
      {"(x) -> chunk(x, 0, 2) * silu(chunk(x, 1, 2))", {{kF, kTwice}}, {}},
      {"(x) -> every(x, 0, 2) + every(x, 1, 2), every(x, 1, 2)", {{kF, kTwice}}, {}},
      {"(x, c, s) -> { a = chunk(x, 0, 2); b = chunk(x, 1, 2); concat(fma(a, c, -(b * s)), fma(b, c, a * s)) }",
       {{kF, kWhole}, {kF, kHalf}, {kF, kHalf}},
       {{0, 0}}},
      {"(x) -> interleave(every(x, 1, 2), every(x, 0, 2))", {{kF, kWhole}}, {{0, 0}}},
      {"(x) -> concat(chunk(x, 1, 2), chunk(x, 0, 2))", {{kF, kWhole}}, {{0, 0}}},
      {"(x) -> interleave(chunk(x, 0, 2), chunk(x, 1, 2))", {{kF, kWhole}}, {}},
      {"(x) -> concat(chunk(x, 0, 2) * 2, every(x, 1, 2))", {{kF, kWhole}}, {}},
      {"(x, y) -> x + y, x - y, x * y", {{kF, kWhole}, {kF, kWhole}}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}},
      {"(x, w) -> x * w, w + 1", {{kF, kWhole}, {kF, kRow}}, {{0, 0}, {1, 1}}},
      {"(w, x) -> w + 1, x * w", {{kF, kRow}, {kF, kWhole}}, {{0, 0}, {1, 1}}},
      {"(w, x, z) -> w * 2, x * w, z - x * w, w + 1",
       {{kF, kRow}, {kF, kWhole}, {kF, kStack}},
       {{0, 0}, {1, 1}, {2, 2}, {3, 0}}},
      {"(c, x) -> c + 1, x * c", {{kF, kColumn}, {kF, kWhole}}, {{0, 0}, {1, 1}}},
      // Parts of one element.
      {"(x) -> concat(chunk(x, 0, 2) * 2, chunk(x, 1, 2) + 1)", {{kF, kPair}}, {{0, 0}}},
      {"(x) -> concat(-chunk(x, 1, 2), chunk(x, 0, 2))", {{kF, kPair}}, {{0, 0}}},
      {"(x) -> interleave(every(x, 1, 2), every(x, 0, 2) * 3)", {{kF, kPair}}, {{0, 0}}},
      {"(x) -> concat(every(x, 1, 2), every(x, 0, 2))", {{kF, kPair}}, {}},
      {"(x) -> concat(chunk(x, 1, 4), chunk(x, 0, 4), chunk(x, 3, 4), chunk(x, 0, 4)), chunk(x, 2, 4) + 1",
       {{kF, kWhole}},
       {{0, 0}}},
      {"(x, c) -> concat(chunk(x, 1, 2) * c, chunk(x, 0, 2)), chunk(x, 0, 2) * 2",
       {{kF, kWhole}, {kF, kColumn}},
       {{0, 0}}},
      // By the text alone: it would be right here, since the larger pass runs first.
      {"(x, y) -> concat(chunk(x, 1, 2), chunk(x, 0, 2)), x + y", {{kF, kWhole}, {kF, kWhole}}, {{1, 1}}},
      {"(x) -> chunk(x, 0, 1) * 2, x + 1", {{kF, kWhole}}, {{0, 0}, {1, 0}}},
      {"(x, m) -> where(m, x, 0), cast(x, bf16), m", {{kF, kWhole}, {Dt::kBool, kWhole}}, {{0, 0}, {2, 1}}},
      {"(x) -> { x, -x }", {{kF, kWhole}}, {{0, 0}, {1, 0}}},
      {"(x; p = 0.5) -> { k = dropout_mask(x, p); where(k, x / (1 - p), 0), k }", {{kF, kWhole}}, {{0, 0}}},
      {"(x) -> { y = gelu(x); cast(y, bf16), cast(y, f16), y }", {{kH, kWhole}}, {{0, 0}, {1, 0}}},
      {"(x, y) -> x * y, sum_to(y - x, x)", {{kF, kWhole}, {kF, kWhole}}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}},
  };
  return *all;
}

// A tensor in a buffer of its own, rows `pad` elements further apart than they are long.
struct Memory {
  std::vector<uint8_t> bytes;
  Shape shape, strides;
  DLTensor dl{};
  size_t size = 0;

  Memory(Dt dtype, const Shape& s, int64_t pad, uint64_t seed, bool random) : shape(s), strides(s.size()) {
    size = static_cast<size_t>(Info(dtype).size);
    int64_t step = 1;
    for (size_t d = s.size(); d-- > 0; step *= s[d], step += d + 1 == s.size() ? pad : 0) strides[d] = step;
    bytes.assign(80000, 0x5a);  // room for any result
    const Array values = Random(dtype, {step}, seed);
    for (int64_t i = 0; random && i < step; ++i)
      StoreBits(&bytes[(static_cast<size_t>(i) + 128) * size], static_cast<int>(size),
                values.bits[static_cast<size_t>(i)]);
    dl.dtype = Info(dtype).dl;
    dl.device = {kDLCPU, 0};
    dl.ndim = static_cast<int32_t>(s.size());
    dl.shape = shape.data();
    dl.strides = strides.data();
    dl.data = &bytes[128 * size];
  }
  Memory(const Memory&) = delete;
};

std::vector<uint64_t> Elements(const DLTensor& t) {
  std::vector<uint64_t> all;
  const int size = t.dtype.bits / 8;
  Shape index(static_cast<size_t>(t.ndim));
  int64_t n = 1;
  for (int d = 0; d < t.ndim; ++d) n *= t.shape[d];
  for (int64_t i = 0; i < n; ++i) {
    int64_t at = 0;
    for (int d = 0; d < t.ndim; ++d) at += index[static_cast<size_t>(d)] * t.strides[d];
    all.push_back(LoadBits(static_cast<uint8_t*>(t.data) + at * size, size));
    for (int d = t.ndim; d-- > 0;) {
      if (++index[static_cast<size_t>(d)] < t.shape[d]) break;
      index[static_cast<size_t>(d)] = 0;
    }
  }
  return all;
}

// Where a result lies: in memory of its own, or over an operand or a result before it.
struct Where {
  int operand = -1, result = -1;
  int64_t shift = 0;         // elements of the result
  bool own_strides = false;  // of what it lies over, instead of row-major ones
};

class Trial {
 public:
  Trial(const Case& c, const std::vector<Array>& outputs, int64_t pad) : c_(c) {
    for (size_t i = 0; i < c.operands.size(); ++i) {
      const bool mask = c.operands[i].dtype == Dt::kBool;
      in_.push_back(std::make_unique<Memory>(c.operands[i].dtype, c.operands[i].shape, pad, 7 + i, true));
      if (mask)
        for (uint8_t& b : in_.back()->bytes) b &= 1;
    }
    for (const Array& a : outputs) out_.push_back(std::make_unique<Memory>(a.dtype, a.shape, 0, 0, false));
    for (const auto& m : in_) start_.push_back(m->bytes);
  }

  // OK or the error; results as they then are.
  tileops_status Execute(const tileops_expr* expr, const std::vector<Where>& places) {
    for (size_t i = 0; i < in_.size(); ++i) std::copy(start_[i].begin(), start_[i].end(), in_[i]->bytes.begin());
    for (auto& m : out_) std::fill(m->bytes.begin(), m->bytes.end(), uint8_t{0x5a});
    std::vector<const DLTensor*> in;
    std::vector<DLTensor*> out;
    tensors_.clear();
    for (size_t k = 0; k < out_.size(); ++k) {
      DLTensor t = out_[k]->dl;
      const Where& w = places[k];
      if (w.operand >= 0 || w.result >= 0) {
        const DLTensor& under = w.operand >= 0 ? in_[static_cast<size_t>(w.operand)]->dl
                                               : tensors_[static_cast<size_t>(w.result)];
        t.data = static_cast<uint8_t*>(under.data) + w.shift * (t.dtype.bits / 8);
        if (w.own_strides && under.ndim == t.ndim) t.strides = under.strides;
      }
      tensors_.push_back(t);
    }
    for (const auto& m : in_) in.push_back(&m->dl);
    for (DLTensor& t : tensors_) out.push_back(&t);
    std::vector<std::vector<uint8_t>> before = Everything();
    tileops_plan* plan = nullptr;
    tileops_status status = tileops_plan_create_like_expr(Targets().front().context, expr, in.data(), in.size(),
                                                          out.data(), out.size(), &plan);
    if (status != TILEOPS_STATUS_OK) {  // only strides that do not fit
      EXPECT_TRUE(std::strstr(tileops_last_error(), "share an address")) << tileops_last_error();
      return status;
    }
    status = tileops_execute(plan, in.data(), in.size(), out.data(), out.size(), nullptr);
    tileops_plan_destroy(plan);
    if (status != TILEOPS_STATUS_OK) {
      EXPECT_TRUE(std::strstr(tileops_last_error(), "overlaps")) << tileops_last_error();
      EXPECT_TRUE(before == Everything()) << c_.text << ": written, though refused";
    }
    return status;
  }

  Results Read() const {
    Results results;
    for (const DLTensor& t : tensors_) results.push_back(Elements(t));
    return results;
  }

 private:
  std::vector<std::vector<uint8_t>> Everything() const {
    std::vector<std::vector<uint8_t>> all;
    for (const auto& m : in_) all.push_back(m->bytes);
    for (const auto& m : out_) all.push_back(m->bytes);
    return all;
  }

  const Case& c_;
  std::vector<std::unique_ptr<Memory>> in_, out_;
  std::vector<std::vector<uint8_t>> start_;
  std::vector<DLTensor> tensors_;
};

std::string Text(const std::vector<Where>& places) {
  std::string s;
  for (const Where& w : places)
    s += " [operand " + std::to_string(w.operand) + " result " + std::to_string(w.result) + " + " +
         std::to_string(w.shift) + (w.own_strides ? " its strides]" : "]");
  return s;
}

class Overlap : public testing::TestWithParam<int> {};

TEST_P(Overlap, RightOrRefused) {
  const Case& c = Cases()[static_cast<size_t>(GetParam())];
  const Expr expr(c.text);
  tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
  ASSERT_EQ(tileops_expr_describe(expr.get(), &info), TILEOPS_STATUS_OK);
  Job job;
  job.expr = expr.get();
  for (const Operand& o : c.operands) job.inputs.push_back(Random(o.dtype, o.shape, 1));
  ASSERT_TRUE(InferOutputs(&job, static_cast<size_t>(info.num_results)));
  for (const int64_t pad : {0, 4}) {
    Trial trial(c, job.outputs, pad);
    const std::vector<Where> apart(job.outputs.size());
    ASSERT_EQ(trial.Execute(expr.get(), apart), TILEOPS_STATUS_OK) << tileops_last_error();
    const Results want = trial.Read();
    for (const auto& [result, operand] : c.allowed) {
      std::vector<Where> places = apart;
      places[static_cast<size_t>(result)] = {operand, -1, 0, true};
      EXPECT_EQ(trial.Execute(expr.get(), places), TILEOPS_STATUS_OK) << c.text << Text(places) << tileops_last_error();
    }
    // All combinations.
    std::vector<std::vector<Where>> options(job.outputs.size());
    for (size_t k = 0; k < options.size(); ++k) {
      options[k].push_back({});
      for (int i = 0; i < static_cast<int>(c.operands.size()); ++i) {
        options[k].insert(options[k].end(), {{i, -1, 0, true}, {i, -1, 1, true}});
        if (options.size() < 3)
          options[k].insert(options[k].end(), {{i, -1, 0, false}, {i, -1, 96, true}, {i, -1, -1, true}});
      }
      for (int r = 0; r < static_cast<int>(k); ++r)
        options[k].insert(options[k].end(), {{-1, r, 0, true}, {-1, r, 1, true}});
    }
    std::vector<size_t> at(options.size());
    int right = 0, refused = 0;
    for (;;) {
      std::vector<Where> places;
      for (size_t k = 0; k < at.size(); ++k) places.push_back(options[k][at[k]]);
      if (trial.Execute(expr.get(), places) == TILEOPS_STATUS_OK) {
        ++right;
        ExpectSame(job.outputs, trial.Read(), want, c.text + Text(places));
      } else {
        ++refused;
      }
      if (HasFailure()) return;
      size_t k = 0;
      for (; k < at.size(); ++k) {
        if (++at[k] < options[k].size()) break;
        at[k] = 0;
      }
      if (k == at.size()) break;
    }
    EXPECT_GT(right, 0);
    EXPECT_GT(refused, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Texts, Overlap, testing::Range(0, static_cast<int>(Cases().size())));

// Two operands that are one tensor: whatever is in place for one must be for the other.
TEST(OverlapOfEqualOperands, RightOrRefused) {
  const Expr expr("(a, b) -> every(a, 0, 2) + every(b, 1, 2), b * 2");
  Array x = Random(kF, {8, 96}, 3);
  std::vector<float> memory(8 * 96 + 1), other(8 * 48);
  const auto fill = [&] {
    for (size_t i = 0; i < x.bits.size(); ++i) StoreBits(&memory[i], 4, x.bits[i]);
  };
  fill();
  int64_t whole[] = {8, 96}, half[] = {8, 48};
  DLTensor in{memory.data(), {kDLCPU, 0}, 2, Info(kF).dl, whole, nullptr, 0}, sum = in, twice = in;
  sum.data = other.data();
  sum.shape = half;
  const DLTensor* ins[] = {&in, &in};
  DLTensor* outs[] = {&sum, &twice};
  tileops_plan* plan = nullptr;
  ASSERT_EQ(tileops_plan_create_like_expr(nullptr, expr.get(), ins, 2, outs, 2, &plan), TILEOPS_STATUS_OK);
  // Written by the second pass, read by the first alone: of a and b, and by the second element by element.
  const tileops_status status = tileops_execute(plan, ins, 2, outs, 2, nullptr);
  tileops_plan_destroy(plan);
  if (status != TILEOPS_STATUS_OK) return;
  for (size_t r = 0; r < 8; ++r)
    for (size_t i = 0; i < 48; ++i) {
      const double want = Decode(kF, x.bits[r * 96 + 2 * i]).d + Decode(kF, x.bits[r * 96 + 2 * i + 1]).d;
      ASSERT_EQ(other[r * 48 + i], static_cast<float>(want));
    }
}

}  // namespace
}  // namespace exprtest
