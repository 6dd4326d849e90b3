// Casts to and from float4_e2m1fn, of which two elements share a byte: every code, every number of 16 bits or fewer, of
// wider dtypes what lies at and beside each value and each tie; layouts, sizes and both of DLPack's forms.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <set>

#include "runner.h"

namespace optest {
namespace {

Call PackedCast(Dt from, std::vector<uint64_t> bits, Dt to, std::vector<int64_t> shape = {}) {
  Call call;
  call.row = &RowOf("cast");
  if (shape.empty()) shape = {static_cast<int64_t>(bits.size())};
  call.inputs = {Array{true, from, shape, std::move(bits)}};
  call.outputs = {Array{true, to, shape, {}}};
  return call;
}

// On every target, in this placement.
void ExpectCast(const Call& call, const Placement& placement, const std::string& what) {
  const Array& x = call.inputs[0];
  const Dt to = call.outputs[0].dtype;
  for (const Target& target : Targets()) {
    const auto got = Execute(target, call, placement);
    ASSERT_FALSE(got.empty()) << what;
    int wrong = 0;
    for (size_t i = 0; i < x.bits.size() && wrong < 5; ++i) {
      const uint64_t want = Encode(Decode(x.dtype, x.bits[i]), to);
      if (got[0][i] == want) continue;
      ++wrong;
      ADD_FAILURE() << target.name << ", " << what << ": element " << i << ", " << ToString(x.dtype, x.bits[i])
                    << " of " << Info(x.dtype).name << " as " << Info(to).name << ": got " << got[0][i] << ", want "
                    << want;
    }
  }
}

std::vector<uint64_t> AsEvenList(const std::set<uint64_t>& bits) {
  std::vector<uint64_t> list(bits.begin(), bits.end());
  if (list.size() % 2) list.push_back(0);
  return list;
}

// Each value and tie among 0 to 7, and beyond.
std::vector<double> MarksOfFours() {
  std::vector<double> marks{1e30, 0x1p-149, 0x1p-126};
  for (double v = 0; v <= 16; v += 0.25) marks.push_back(v);
  return marks;
}

std::vector<uint64_t> RandomFloats(Dt t, size_t n) {
  std::mt19937_64 random(n);
  std::normal_distribution<double> values(0, 2);
  std::vector<uint64_t> bits(n);
  for (uint64_t& b : bits) b = Encode(Num::Float(values(random)), t);
  return bits;
}

TEST(Packed, FromEveryNumberOfAtMost16Bits) {
  for (Dt t : {Dt::kF16, Dt::kBF16, Dt::kE4M3, Dt::kE5M2, Dt::kI8, Dt::kI16, Dt::kU8, Dt::kU16, Dt::kBool, Dt::kE8M0}) {
    std::vector<uint64_t> codes(size_t{1} << (8 * Info(t).size));
    for (size_t i = 0; i < codes.size(); ++i) codes[i] = i;
    ExpectCast(PackedCast(t, codes, Dt::kE2M1), {}, "every code");
  }
}

TEST(Packed, FromFloatsAtAndBesideEveryValueAndTie) {
  for (Dt t : {Dt::kF32, Dt::kF64}) {
    const uint64_t sign = uint64_t{1} << (8 * Info(t).size - 1);
    std::set<uint64_t> bits;
    for (const double mark : MarksOfFours())
      for (int64_t beside = -3; beside <= 3; ++beside)
        for (const uint64_t s : {uint64_t{0}, sign}) {
          const uint64_t at = Encode(Num::Float(mark), t);
          if (beside >= 0 || at >= 3) bits.insert((at + static_cast<uint64_t>(beside)) | s);
        }
    std::mt19937_64 random(7);  // any bits
    for (int64_t i = Scaled(1 << 18); i > 0; --i) bits.insert(random() & (2 * sign - 1));
    for (const double v : {double{INFINITY}, -double{INFINITY}, double{NAN}, 1e300, -1e300})
      bits.insert(Encode(Num::Float(v), t));
    ExpectCast(PackedCast(t, AsEvenList(bits), Dt::kE2M1), {}, "ties");
  }
}

TEST(Packed, FromIntegers) {
  for (Dt t : {Dt::kI32, Dt::kU32, Dt::kI64, Dt::kU64}) {
    const uint64_t mask = ~uint64_t{0} >> (64 - 8 * Info(t).size);
    std::set<uint64_t> bits;
    for (uint64_t v = 0; v < 40; ++v)
      for (const uint64_t at : {v, uint64_t{0} - v, (uint64_t{1} << v) - 1, (uint64_t{1} << 31) + v, ~uint64_t{0} >> v})
        bits.insert(at & mask);
    ExpectCast(PackedCast(t, AsEvenList(bits), Dt::kE2M1), {}, "integers");
  }
}

TEST(Packed, EveryPairOfCodesToEveryDtype) {
  std::vector<uint64_t> codes;
  for (uint64_t byte = 0; byte < 256; ++byte) {
    codes.push_back(byte & 15);
    codes.push_back(byte >> 4);
  }
  for (Dt t : AllDtypes()) ExpectCast(PackedCast(Dt::kE2M1, codes, t), {}, "every byte");
  ExpectCast(PackedCast(Dt::kE2M1, codes, Dt::kE2M1), {}, "every byte");
}

// The last dimension is innermost in each layout, others lie anyhow.
TEST(Packed, EveryLayout) {
  const std::vector<std::vector<int64_t>> shapes = {{2},    {6},       {5, 34},     {34, 2},         {3, 7, 6},
                                                    {1, 2}, {2, 2050}, {1, 64, 18}, {2, 3, 1, 4, 8}, {0, 4}};
  for (const auto& shape : shapes) {
    size_t n = 1;
    for (const int64_t e : shape) n *= static_cast<size_t>(e);
    for (const Layout in : AllLayouts())
      for (const Layout out : AllLayouts()) {
        const std::string what = std::string(LayoutName(in)) + " to " + LayoutName(out);
        for (const Dt t : {Dt::kF32, Dt::kBF16}) {
          ExpectCast(PackedCast(t, RandomFloats(t, n), Dt::kE2M1, shape), All(in, out), what);
          ExpectCast(PackedCast(Dt::kE2M1, RandomFloats(Dt::kE2M1, n), t, shape), All(in, out), what);
        }
        ExpectCast(PackedCast(Dt::kE2M1, RandomFloats(Dt::kE2M1, n), Dt::kE2M1, shape), All(in, out), what);
      }
  }
}

// Sizes beside those of tiles and vectors, and enough for several threads and stores past the cache.
TEST(Packed, EverySize) {
  std::vector<int64_t> sizes;
  for (int64_t n = 2; n <= 140; n += 2) sizes.push_back(n);
  for (const int64_t n : {510, 512, 514, 1022, 1024, 1026, 4098, 65538, 65540}) sizes.push_back(n);
  sizes.push_back(Scaled(3 << 20) / 2 * 2 + 6);
  for (const int64_t n : sizes)
    for (const Layout layout : {Layout::kDense, Layout::kUnaligned}) {
      const std::string what = std::to_string(n) + " elements";
      ExpectCast(PackedCast(Dt::kF32, RandomFloats(Dt::kF32, static_cast<size_t>(n)), Dt::kE2M1), All(layout, layout),
                 what);
      ExpectCast(PackedCast(Dt::kE2M1, RandomFloats(Dt::kE2M1, static_cast<size_t>(n)), Dt::kBF16), All(layout, layout),
                 what);
    }
}

TEST(Packed, KnownValues) {
  const struct {
    float value;
    uint64_t code;
  } rows[] = {{0, 0},     {-0.0f, 8}, {0.25f, 0},    {-0.25f, 8},     {0.2500001f, 1}, {0.5f, 1},
              {0.75f, 2}, {0.74f, 1}, {-0.75f, 10},  {1, 2},          {1.25f, 2},      {1.2500001f, 3},
              {1.5f, 3},  {1.75f, 4}, {2, 4},        {2.5f, 4},       {2.5000002f, 5}, {3, 5},
              {3.5f, 6},  {4, 6},     {5, 6},        {5.0000005f, 7}, {6, 7},          {7, 7},
              {100, 7},   {-6, 15},   {INFINITY, 7}, {-INFINITY, 15}, {NAN, 0},        {-NAN, 0}};
  for (const auto& row : rows) {
    const std::vector<uint64_t> bits{Encode(Num::Float(row.value), Dt::kF32), Encode(Num::Float(1), Dt::kF32)};
    for (const Target& target : Targets()) {
      const auto got = Execute(target, PackedCast(Dt::kF32, bits, Dt::kE2M1), {});
      ASSERT_FALSE(got.empty());
      EXPECT_EQ(got[0][0], row.code) << row.value << " on " << target.name;
      EXPECT_EQ(got[0][1], 2u);
    }
  }
}

// ---- DLPack's forms, and what is refused

constexpr DLDataType kElements{17, 4, 1}, kPairs{17, 4, 2}, kFloats{kDLFloat, 32, 1};
constexpr DLDevice kHostMemory{kDLCPU, 0};

struct TensorOnHost {
  std::vector<int64_t> shape, strides;
  DLTensor dl{};
  TensorOnHost(void* data, DLDataType dtype, std::vector<int64_t> s, std::vector<int64_t> t = {})
      : shape(std::move(s)), strides(std::move(t)) {
    dl = {data, kHostMemory, static_cast<int32_t>(shape.size()), dtype, shape.data(), nullptr, 0};
    if (!strides.empty()) dl.strides = strides.data();
  }
};

tileops_status RunCast(const TensorOnHost& from, TensorOnHost* to) {
  const DLTensor* in[] = {&from.dl};
  DLTensor* out[] = {&to->dl};
  tileops_plan* plan = nullptr;
  tileops_status status = tileops_plan_create_like(nullptr, TILEOPS_OP_CAST, in, 1, out, 1, nullptr, 0, &plan);
  if (status == TILEOPS_STATUS_OK) status = tileops_execute(plan, in, 1, out, 1, nullptr);
  tileops_plan_destroy(plan);
  return status;
}

TEST(Packed, BothFormsOfDlpack) {
  const float x[8] = {0, 1, 2, 3, -4, -6, 0.5f, 1.5f};
  const uint8_t want[4] = {0x20, 0x54, 0xfe, 0x31};
  float back[8];
  for (const DLDataType form : {kElements, kPairs}) {
    uint8_t y[4] = {};
    const int64_t last = form.lanes == 2 ? 2 : 4;
    TensorOnHost four(y, form, {2, last});
    ASSERT_EQ(RunCast(TensorOnHost(const_cast<float*>(x), kFloats, {2, 4}), &four), TILEOPS_STATUS_OK)
        << tileops_last_error();
    EXPECT_EQ(std::memcmp(y, want, 4), 0);
    TensorOnHost result(back, kFloats, {2, 4});
    ASSERT_EQ(RunCast(four, &result), TILEOPS_STATUS_OK) << tileops_last_error();
    EXPECT_EQ(std::memcmp(back, x, sizeof x), 0);
    // Rows from the last one on: strides are counted as extents are.
    TensorOnHost upwards(y + 2, form, {2, last}, {-last, 1});
    ASSERT_EQ(RunCast(upwards, &result), TILEOPS_STATUS_OK) << tileops_last_error();
    EXPECT_EQ(std::memcmp(back, x + 4, 16), 0);
    EXPECT_EQ(std::memcmp(back + 4, x, 16), 0);
  }
  // A plan takes either form of the same elements.
  uint8_t y[4] = {};
  TensorOnHost ones(y, kElements, {2, 4}), twos(y, kPairs, {2, 2}), from(const_cast<float*>(x), kFloats, {2, 4});
  const DLTensor* in[] = {&from.dl};
  DLTensor *out[] = {&ones.dl}, *other[] = {&twos.dl};
  tileops_plan* plan = nullptr;
  ASSERT_EQ(tileops_plan_create_like(nullptr, TILEOPS_OP_CAST, in, 1, out, 1, nullptr, 0, &plan), TILEOPS_STATUS_OK);
  EXPECT_EQ(tileops_execute(plan, in, 1, other, 1, nullptr), TILEOPS_STATUS_OK) << tileops_last_error();
  EXPECT_EQ(std::memcmp(y, want, 4), 0);
  twos.shape[1] = 4;
  EXPECT_EQ(tileops_execute(plan, in, 1, other, 1, nullptr), TILEOPS_STATUS_INVALID_ARGUMENT);
  tileops_plan_destroy(plan);
}

TEST(Packed, OddBytesAreRefusedWithTheOperandsName) {
  uint8_t y[64] = {};
  float x[64] = {};
  const struct {
    std::vector<int64_t> shape, strides;
    DLDataType form;
    const char* says;
  } rows[] = {
      {{4, 7}, {}, kElements, "the last dimension of float4_e2m1fn must be even"},
      {{4, 1}, {}, kElements, "the last dimension of float4_e2m1fn must be even"},
      {{4, 6}, {12, 2}, kElements, "the last stride of float4_e2m1fn must be 1"},
      {{4, 6}, {1, 4}, kElements, "the last stride of float4_e2m1fn must be 1"},
      {{4, 6}, {7, 1}, kElements, "strides[0] of float4_e2m1fn must be even"},
      {{4, 6}, {6, 0}, kElements, "the last stride of float4_e2m1fn must be 1"},
      {{4, 6}, {6, -1}, kElements, "the last stride of float4_e2m1fn must be 1"},
      {{4, 3}, {6, 2}, kPairs, "the last stride of float4_e2m1fn must be 1"},
      {{}, {}, kElements, "at least one dimension"},
  };
  for (const auto& row : rows) {
    TensorOnHost four(y, row.form, row.shape, row.strides);
    std::vector<int64_t> shape = row.shape;
    if (row.form.lanes == 2) shape.back() *= 2;
    TensorOnHost floats(x, kFloats, shape);
    EXPECT_EQ(RunCast(four, &floats), TILEOPS_STATUS_INVALID_ARGUMENT);
    EXPECT_NE(std::string(tileops_last_error()).find("inputs[0]: "), std::string::npos) << tileops_last_error();
    EXPECT_NE(std::string(tileops_last_error()).find(row.says), std::string::npos) << tileops_last_error();
    EXPECT_EQ(RunCast(floats, &four), TILEOPS_STATUS_INVALID_ARGUMENT);
    EXPECT_NE(std::string(tileops_last_error()).find("outputs[0]: "), std::string::npos) << tileops_last_error();
    EXPECT_NE(std::string(tileops_last_error()).find(row.says), std::string::npos) << tileops_last_error();
  }
}

TEST(Packed, OtherOperatorsRefuseIt) {
  uint8_t y[8] = {};
  float x[16] = {};
  TensorOnHost four(y, kElements, {16}), floats(x, kFloats, {16});
  const DLTensor* in[] = {&four.dl};
  DLTensor* out[] = {&floats.dl};
  tileops_plan* plan = nullptr;
  EXPECT_EQ(tileops_plan_create_like(nullptr, TILEOPS_OP_RELU, in, 1, out, 1, nullptr, 0, &plan),
            TILEOPS_STATUS_UNSUPPORTED);
  EXPECT_NE(std::string(tileops_last_error()).find("inputs[0]: relu does not take this dtype"), std::string::npos)
      << tileops_last_error();
  in[0] = &floats.dl;
  out[0] = &four.dl;
  EXPECT_EQ(tileops_plan_create_like(nullptr, TILEOPS_OP_RELU, in, 1, out, 1, nullptr, 0, &plan),
            TILEOPS_STATUS_UNSUPPORTED);
  EXPECT_NE(std::string(tileops_last_error()).find("outputs[0]: relu does not give this dtype"), std::string::npos)
      << tileops_last_error();
}

// Bytes, not elements, decide what overlaps.
TEST(Packed, Overlaps) {
  std::vector<uint8_t> memory(64);
  TensorOnHost a(memory.data(), kElements, {16}), same(memory.data(), kElements, {16});
  EXPECT_EQ(RunCast(a, &same), TILEOPS_STATUS_OK) << tileops_last_error();
  TensorOnHost behind(memory.data() + 8, kElements, {16}), within(memory.data() + 7, kElements, {16});
  EXPECT_EQ(RunCast(a, &behind), TILEOPS_STATUS_OK) << tileops_last_error();
  EXPECT_EQ(RunCast(a, &within), TILEOPS_STATUS_INVALID_ARGUMENT);
  // Columns of one matrix: rows of 16 elements, of which each has 8.
  TensorOnHost left(memory.data(), kElements, {4, 8}, {16, 1}), right(memory.data() + 4, kElements, {4, 8}, {16, 1}),
      middle(memory.data() + 3, kElements, {4, 8}, {16, 1});
  EXPECT_EQ(RunCast(left, &right), TILEOPS_STATUS_OK) << tileops_last_error();
  EXPECT_EQ(RunCast(left, &middle), TILEOPS_STATUS_INVALID_ARGUMENT);
  // And bytes of another dtype between them.
  TensorOnHost bytes(memory.data() + 4, DLDataType{kDLUInt, 8, 1}, {4, 4}, {8, 1});
  TensorOnHost narrow(memory.data(), kElements, {4, 4}, {16, 1});
  EXPECT_EQ(RunCast(bytes, &narrow), TILEOPS_STATUS_OK) << tileops_last_error();
  bytes.dl.data = memory.data() + 1;
  EXPECT_EQ(RunCast(bytes, &narrow), TILEOPS_STATUS_INVALID_ARGUMENT);
}

TEST(Packed, MemoryAndCopies) {
  for (const DLDataType form : {kElements, kPairs}) {
    const int64_t shape[] = {3, form.lanes == 2 ? 2 : 4};
    DLManagedTensorVersioned* t = nullptr;
    ASSERT_EQ(tileops_tensor_alloc(nullptr, kHostMemory, form, 2, shape, &t), TILEOPS_STATUS_OK)
        << tileops_last_error();
    uint8_t bytes[6] = {0x10, 0x32, 0x54, 0x76, 0x98, 0xba}, back[6] = {};
    TensorOnHost from(bytes, form, {shape[0], shape[1]}), to(back, form, {shape[0], shape[1]});
    ASSERT_EQ(tileops_tensor_copy(nullptr, &from.dl, &t->dl_tensor, nullptr), TILEOPS_STATUS_OK)
        << tileops_last_error();
    ASSERT_EQ(tileops_tensor_copy(nullptr, &t->dl_tensor, &to.dl, nullptr), TILEOPS_STATUS_OK) << tileops_last_error();
    EXPECT_EQ(std::memcmp(bytes, back, 6), 0);
    t->deleter(t);
  }
  const int64_t odd[] = {2, 3};
  DLManagedTensorVersioned* t = nullptr;
  EXPECT_EQ(tileops_tensor_alloc(nullptr, kHostMemory, kElements, 2, odd, &t), TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_NE(std::string(tileops_last_error()).find("shape: "), std::string::npos) << tileops_last_error();
}

}  // namespace
}  // namespace optest
