// Outputs beyond the size from which the CPU writes past its caches: the same bytes as in pieces
// that stay in them, which the other tests check.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "cases.h"
#include "runner.h"

namespace optest {
namespace {

struct Case {
  const char* op;
  Dt in, out;
  int64_t out_bytes;
};

std::vector<uint8_t> Bytes(int64_t n, uint64_t seed) {
  std::vector<uint8_t> v(static_cast<size_t>(n));
  uint64_t state = seed;
  for (size_t i = 0; i < v.size(); i += 4) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const uint32_t word = static_cast<uint32_t>(state >> 32);
    std::memcpy(&v[i], &word, std::min<size_t>(4, v.size() - i));
  }
  return v;
}

void PlanAndRun(const Target& target, int32_t op, const DLTensor* const* in, size_t num_inputs, DLTensor* out,
                const tileops_attr* attrs = nullptr, size_t num_attrs = 0) {
  DLTensor* outs[] = {out};
  tileops_plan* plan = nullptr;
  ASSERT_EQ(tileops_plan_create_like(target.context, op, in, num_inputs, outs, 1, attrs, num_attrs, &plan),
            TILEOPS_STATUS_OK)
      << tileops_last_error();
  EXPECT_EQ(tileops_execute(plan, in, num_inputs, outs, 1, nullptr), TILEOPS_STATUS_OK) << tileops_last_error();
  tileops_plan_destroy(plan);
}

// Bytes to the first line of the cache.
size_t ToLine(const std::vector<uint8_t>& v) { return (64 - reinterpret_cast<uintptr_t>(v.data()) % 64) % 64; }

// y[from, from + n) of an operator on dense operands.
void RunPiece(const Target& target, const Case& c, const std::vector<std::vector<uint8_t>>& inputs, int64_t from,
              int64_t n, uint8_t* y) {
  int64_t shape[1] = {n};
  DLTensor in[3], out{y + from * Info(c.out).size, target.device, 1, Info(c.out).dl, shape, nullptr, 0};
  const DLTensor* ins[3];
  for (size_t k = 0; k < inputs.size(); ++k) {
    const OperandRow& spec = RowOf(c.op).inputs[k];
    const Dt t = spec.fixed.empty() ? c.in : spec.fixed[0];
    auto* p = const_cast<uint8_t*>(inputs[k].data()) + from * Info(t).size;
    in[k] = DLTensor{p, target.device, 1, Info(t).dl, shape, nullptr, 0};
    ins[k] = &in[k];
  }
  PlanAndRun(target, RowOf(c.op).op, ins, inputs.size(), &out);
}

// Where two operands are NaN, the result's payload may be that of either, as the compiler orders them.
void MakeNansEqual(Dt t, std::vector<uint8_t>* bytes, size_t from) {
  if (!IsFloat(t)) return;
  const size_t size = Info(t).size;
  for (size_t i = from; i + size <= bytes->size(); i += size) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes->data() + i, size);
    if (IsNanBits(t, bits)) std::memset(bytes->data() + i, 0xFF, size);
  }
}

// Results as bytes, of which all from `from` on are elements of t, and NaN the same whatever its payload.
bool Same(Dt t, std::vector<uint8_t> a, std::vector<uint8_t> b, size_t from) {
  if (a == b) return true;
  MakeNansEqual(t, &a, from);
  MakeNansEqual(t, &b, from);
  return a == b;
}

TEST(Streaming, SameBytesAsInPieces) {
  if (Targets()[0].device.device_type != kDLCPU) return;
  const int64_t large = Scaled(20 << 20), piece = 50021;
  const Case cases[] = {
      {"add", Dt::kF32, Dt::kF32, large},     {"add", Dt::kBF16, Dt::kBF16, large},
      {"exp", Dt::kF32, Dt::kF32, large},     {"gelu", Dt::kBF16, Dt::kBF16, large},
      {"relu", Dt::kE4M3, Dt::kF64, large},   {"cast", Dt::kF32, Dt::kF16, large},
      {"cast", Dt::kI32, Dt::kI32, large},    {"where", Dt::kF16, Dt::kF16, large},
      {"eq", Dt::kF32, Dt::kBool, large / 2}, {"neg", Dt::kE5M2, Dt::kE5M2, large},
      {"sqrt", Dt::kF32, Dt::kF32, large},    {"silu_and_mul", Dt::kF32, Dt::kF32, large},
      {"cast", Dt::kF32, Dt::kI32, large},    {"isnan", Dt::kF32, Dt::kBool, large / 2},
      {"where", Dt::kF32, Dt::kF32, large},   {"where", Dt::kI8, Dt::kI8, large},
      {"where", Dt::kF64, Dt::kF64, large},   {"cast", Dt::kI32, Dt::kF32, large},
      {"cast", Dt::kF16, Dt::kF32, large},    {"cast", Dt::kBF16, Dt::kF32, large},
  };
  for (const Case& c : cases) {
    const int64_t n = c.out_bytes / Info(c.out).size + 3;
    std::vector<std::vector<uint8_t>> inputs;
    for (size_t k = 0; k < RowOf(c.op).inputs.size(); ++k) inputs.push_back(Bytes(n * Info(c.in).size, k + 1));
    for (const Target& target : Targets()) {
      for (int64_t shift : {0, 1}) {  // of the output, in elements
        const size_t size = static_cast<size_t>((n + shift) * Info(c.out).size);
        std::vector<uint8_t> whole(size, 0xA5), pieces(size, 0xA5);
        uint8_t* at_whole = whole.data() + shift * Info(c.out).size;
        uint8_t* at_pieces = pieces.data() + shift * Info(c.out).size;
        RunPiece(target, c, inputs, 0, n, at_whole);
        for (int64_t from = 0; from < n; from += piece)
          RunPiece(target, c, inputs, from, std::min(piece, n - from), at_pieces);
        const size_t lead = static_cast<size_t>(at_whole - whole.data());
        EXPECT_TRUE(Same(c.out, std::move(whole), std::move(pieces), lead))
            << c.op << " " << Info(c.in).name << " " << Info(c.out).name << " on " << target.name;
      }
    }
  }
}

// Rows that are streamed, or copied together where they are short, with an operand that repeats.
TEST(Streaming, RowsOfABroadcast) {
  if (Targets()[0].device.device_type != kDLCPU) return;
  const struct {
    Dt dtype;
    int64_t cols;
  } layouts[] = {{Dt::kF32, 100}, {Dt::kF32, 1001}, {Dt::kBF16, 64}, {Dt::kF16, 320}, {Dt::kBF16, 1000}};
  for (const auto& layout : layouts) {
    const Dt dtype = layout.dtype;
    const int64_t cols = layout.cols;
    const int64_t size = Info(dtype).size, rows = Scaled(20 << 20) / size / cols, row_bytes = cols * size;
    const auto a = Bytes(rows * row_bytes, 1), row = Bytes(row_bytes, 2), column = Bytes(rows * size, 3);
    const DLDataType type = Info(dtype).dl;
    for (const bool along : {true, false}) {
      const std::vector<uint8_t>& b = along ? row : column;
      for (const Target& target : Targets()) {
        for (const int64_t shift : {0, 1}) {  // of the output, in elements
          std::vector<uint8_t> whole(a.size() + 64 + size, 0xA5), pieces = whole;
          const auto run = [&](int64_t first, int64_t n, std::vector<uint8_t>* y) {
            int64_t shape[2] = {n, cols}, b_shape[2] = {along ? 1 : n, along ? cols : 1};
            auto* from = const_cast<uint8_t*>(a.data()) + first * row_bytes;
            auto* other = const_cast<uint8_t*>(b.data()) + (along ? 0 : first * size);
            auto* line = y->data() + ToLine(*y);
            DLTensor ta{from, target.device, 2, type, shape, nullptr, 0};
            DLTensor tb{other, target.device, 2, type, b_shape, nullptr, 0};
            DLTensor ty{line + shift * size + first * row_bytes, target.device, 2, type, shape, nullptr, 0};
            const DLTensor* in[] = {&ta, &tb};
            PlanAndRun(target, TILEOPS_OP_MUL, in, 2, &ty);
          };
          run(0, rows, &whole);
          for (int64_t first = 0; first < rows; first += 31) run(first, std::min<int64_t>(31, rows - first), &pieces);
          const auto results = [&](std::vector<uint8_t>* y) {
            const size_t at = ToLine(*y);
            return std::vector<uint8_t>(y->begin() + at, y->begin() + at + a.size() + size);
          };
          EXPECT_TRUE(Same(dtype, results(&whole), results(&pieces), shift * size))
              << Info(dtype).name << ", " << cols << " columns, by " << (along ? "rows" : "columns") << " on "
              << target.name;
        }
      }
    }
  }
}

// Halves of a head, or neighbours in it, that are turned: rows of whole lines and others, results that lie in turn.
TEST(Streaming, RowsOfRope) {
  if (Targets()[0].device.device_type != kDLCPU) return;
  const struct {
    const char* op;
    Dt in, out;
    int64_t head;
  } layouts[] = {{"rope_neox", Dt::kF32, Dt::kF32, 128},      {"rope_neox", Dt::kBF16, Dt::kBF16, 64},
                 {"rope_neox", Dt::kF32, Dt::kF16, 40},       {"rope_neox", Dt::kF64, Dt::kF64, 32},
                 {"rope_non_neox", Dt::kF32, Dt::kF32, 128},  {"rope_non_neox", Dt::kBF16, Dt::kBF16, 96},
                 {"rope_non_neox", Dt::kBF16, Dt::kF32, 20},  {"rope_non_neox", Dt::kF64, Dt::kF64, 64},
                 {"rope_non_neox", Dt::kE5M2, Dt::kE5M2, 256}};
  for (const auto& layout : layouts) {
    const char* op = layout.op;
    const Dt in_type = layout.in, out_type = layout.out;
    const int64_t head = layout.head;
    const int64_t seq = 9, heads = 3, batch = Scaled(10 << 20) / Info(out_type).size / (seq * heads * head);
    const int64_t each = seq * heads * head, size = Info(out_type).size;
    const auto x = Bytes(batch * each * Info(in_type).size, 1);
    for (const Target& target : Targets()) {
      for (const int64_t shift : {0, 1, -1}) {  // of the output, in elements; -1: in place
        const bool in_place = shift < 0;
        if (in_place && in_type != out_type) continue;
        const auto run = [&](int64_t piece) {
          std::vector<uint8_t> y(static_cast<size_t>(batch * each * size) + 64 + static_cast<size_t>(size), 0xA5);
          const size_t line = ToLine(y);
          for (int64_t first = 0; first < batch; first += piece) {
            int64_t shape[4] = {std::min(piece, batch - first), seq, heads, head};
            auto* from = const_cast<uint8_t*>(x.data()) + first * each * Info(in_type).size;
            uint8_t* to = y.data() + line + (in_place ? 0 : shift * size) + first * each * size;
            if (in_place) from = static_cast<uint8_t*>(std::memcpy(to, from, shape[0] * each * size));
            DLTensor tx{from, target.device, 4, Info(in_type).dl, shape, nullptr, 0};
            DLTensor ty{to, target.device, 4, Info(out_type).dl, shape, nullptr, 0};
            const DLTensor* in[] = {&tx};
            PlanAndRun(target, RowOf(op).op, in, 1, &ty);
          }
          return std::vector<uint8_t>(y.begin() + line, y.begin() + line + (batch * each + 1) * size);
        };
        EXPECT_TRUE(Same(out_type, run(batch), run(5), in_place ? 0 : shift * size))
            << op << " " << Info(in_type).name << " to " << Info(out_type).name << ", heads of " << head << " on "
            << target.name;
      }
    }
  }
}

// Results in turn that may be computed again, in f64.
TEST(Streaming, RowsOfSinusoidal) {
  if (Targets()[0].device.device_type != kDLCPU) return;
  for (const Dt dtype : {Dt::kF16, Dt::kBF16, Dt::kF32}) {
    const int64_t cols = 96, row_bytes = cols * Info(dtype).size, rows = Scaled(10 << 20) / row_bytes;
    for (const Target& target : Targets()) {
      const auto run = [&](int64_t piece) {
        std::vector<uint8_t> y(static_cast<size_t>(rows * row_bytes));
        for (int64_t first = 0; first < rows; first += piece) {
          int64_t shape[2] = {std::min(piece, rows - first), cols};
          DLTensor ty{y.data() + first * row_bytes, target.device, 2, Info(dtype).dl, shape, nullptr, 0};
          tileops_attr offset{TILEOPS_ATTR_OFFSET, TILEOPS_ATTR_I64, {}};
          offset.value.i64 = first;
          PlanAndRun(target, TILEOPS_OP_SINUSOIDAL, nullptr, 0, &ty, &offset, 1);
        }
        return y;
      };
      EXPECT_TRUE(run(rows) == run(1009)) << Info(dtype).name << " on " << target.name;
    }
  }
}

}  // namespace
}  // namespace optest
