// Results on the GPU against the CPU's bits, in numbers that no unit test has the time for:
//
//   tileops_gpu_exhaustive unary     all 2^32 float32 inputs, plans with TILEOPS_PLAN_REPRODUCIBLE
//   tileops_gpu_exhaustive binary    2^30 random float32 pairs, likewise (bits, so all magnitudes)
//   tileops_gpu_exhaustive halves    2^30 random pairs of bfloat16 and float16, plain plans
//
// then, optionally, names of operators, and a number: log2 of the inputs to try. One JSON object a line.
// NaN equals NaN. Exit status 1 if anything differs.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

#include "device.h"

namespace gputest {
namespace {

constexpr int64_t kPiece = int64_t{1} << 26;

void Must(tileops_status s) {
  if (s == TILEOPS_STATUS_OK) return;
  std::fprintf(stderr, "exhaustive: %s\n", tileops_last_error());
  std::exit(2);
}

template <class F>
void InParallel(int64_t n, const F& f) {
  const int64_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> pool;
  for (int64_t t = 0; t < threads; ++t) pool.emplace_back([&, t] { f(n * t / threads, n * (t + 1) / threads); });
  for (std::thread& t : pool) t.join();
}

uint64_t Mixed(uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct Case {
  std::string name;
  tileops_op op;
  std::vector<Attr> attrs;
};

struct Run {
  const Case* c;
  DLDataType dtype;
  std::unique_ptr<Plan> plans[2];
  int64_t wrong = 0, tried = 0;
  double seconds = 0;
};

bool IsNan(DLDataType t, uint32_t bits) {
  if (t.bits == 32) return (bits & 0x7fffffffu) > 0x7f800000u;
  return (bits & 0x7fffu) > (t.code == kDLBfloat ? 0x7f80u : 0x7c00u);
}

template <class U>
int64_t Differences(const Run& run, const U* cpu, const U* gpu, const std::vector<const U*>& in, int64_t n) {
  std::atomic<int64_t> wrong{0};
  InParallel(n, [&](int64_t from, int64_t to) {
    if (std::memcmp(cpu + from, gpu + from, static_cast<size_t>(to - from) * sizeof(U)) == 0) return;
    for (int64_t i = from; i < to; ++i) {
      if (cpu[i] == gpu[i] || (IsNan(run.dtype, cpu[i]) && IsNan(run.dtype, gpu[i]))) continue;
      if (run.wrong + wrong++ < 3)
        std::fprintf(stderr, "%s %s of %x %x: GPU %x, CPU %x\n", run.c->name.c_str(), Name(run.dtype).c_str(),
                     unsigned{in[0][i]}, in.size() > 1 ? unsigned{in[1][i]} : 0u, unsigned{gpu[i]}, unsigned{cpu[i]});
    }
  });
  return wrong;
}

template <class U>
bool Sweep(const std::vector<Case>& cases, DLDataType dtype, size_t operands, bool all, int log2n, uint32_t flags) {
  const DLDevice devices[2] = {Cpu(), Gpu()};
  std::vector<std::unique_ptr<Tensor>> x[2];
  std::unique_ptr<Tensor> y[2];
  Tensor back(Cpu(), dtype, {kPiece});
  for (int side = 0; side < 2; ++side) {
    for (size_t k = 0; k < operands; ++k)
      x[side].push_back(std::make_unique<Tensor>(devices[side], dtype, std::vector<int64_t>{kPiece}));
    y[side] = std::make_unique<Tensor>(devices[side], dtype, std::vector<int64_t>{kPiece});
  }
  const auto inputs = [&](int side) {
    std::vector<const DLTensor*> list;
    for (const auto& t : x[side]) list.push_back(t->dl());
    return list;
  };
  std::vector<Run> runs;
  for (const Case& c : cases) {
    Run run;
    run.c = &c;
    run.dtype = dtype;
    for (int side = 0; side < 2; ++side) {
      run.plans[side] = std::make_unique<Plan>(c.op, inputs(side), std::vector<DLTensor*>{y[side]->dl()}, c.attrs,
                                               flags);
      Must(run.plans[side]->status());
    }
    runs.push_back(std::move(run));
  }
  const int64_t total = int64_t{1} << log2n;
  for (int64_t base = 0; base < total; base += kPiece) {
    std::vector<const U*> in;
    for (size_t k = 0; k < operands; ++k) {
      U* p = static_cast<U*>(x[0][k]->data());
      InParallel(kPiece, [&](int64_t from, int64_t to) {
        for (int64_t i = from; i < to; ++i)
          p[i] = static_cast<U>(all ? static_cast<uint64_t>(base + i)
                                    : Mixed(static_cast<uint64_t>(base + i) * 2 + k) >> 20);
      });
      Must(tileops_tensor_copy(nullptr, x[0][k]->dl(), x[1][k]->dl(), nullptr));
      in.push_back(p);
    }
    for (Run& run : runs) {
      const auto start = std::chrono::steady_clock::now();
      DLTensor* outs[2][1] = {{y[0]->dl()}, {y[1]->dl()}};
      // The GPU first: it computes while the CPU does.
      for (int side = 1; side >= 0; --side)
        Must(tileops_execute(run.plans[side]->get(), inputs(side).data(), operands, outs[side], 1, nullptr));
      Must(tileops_tensor_copy(nullptr, y[1]->dl(), back.dl(), nullptr));
      run.wrong += Differences<U>(run, static_cast<const U*>(y[0]->data()), static_cast<const U*>(back.data()), in,
                                  kPiece);
      run.tried += kPiece;
      run.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
  }
  bool good = true;
  for (const Run& run : runs) {
    std::printf("{\"op\": \"%s\", \"dtype\": \"%s\", \"inputs\": %lld, \"different\": %lld, \"seconds\": %.1f}\n",
                run.c->name.c_str(), Name(dtype).c_str(), static_cast<long long>(run.tried),
                static_cast<long long>(run.wrong), run.seconds);
    good = good && run.wrong == 0;
  }
  std::fflush(stdout);
  return good;
}

std::vector<Case> Unary() {
  std::vector<Case> cases;
  for (size_t i = 0; i < tileops_op_count(); ++i) {
    tileops_op_info info = TILEOPS_OP_INFO_INIT;
    if (tileops_op_describe(tileops_op_at(i), &info) != TILEOPS_STATUS_OK) continue;
    const std::string category = info.category;
    if ((category != "unary_math" && category != "activation") || info.min_inputs != 1) continue;
    cases.push_back({info.name, info.op, {}});
  }
  cases.push_back({"gelu tanh", TILEOPS_OP_GELU, {{TILEOPS_ATTR_APPROXIMATE, 1}}});
  cases.push_back({"nan_to_num", TILEOPS_OP_NAN_TO_NUM, {}});
  return cases;
}

std::vector<Case> Binary(bool gated) {
  std::vector<Case> cases{{"pow", TILEOPS_OP_POW, {}},
                          {"div", TILEOPS_OP_DIV, {}},
                          {"div trunc", TILEOPS_OP_DIV, {{TILEOPS_ATTR_ROUNDING, 1}}},
                          {"remainder", TILEOPS_OP_REMAINDER, {}},
                          {"floor_divide", TILEOPS_OP_FLOOR_DIVIDE, {}},
                          {"add", TILEOPS_OP_ADD, {}},
                          {"add 0.7", TILEOPS_OP_ADD, {{TILEOPS_ATTR_ALPHA, 0.7}}},
                          {"sub", TILEOPS_OP_SUB, {}},
                          {"mul", TILEOPS_OP_MUL, {}},
                          {"lerp", TILEOPS_OP_LERP, {}},
                          {"lerp 0.3", TILEOPS_OP_LERP, {{TILEOPS_ATTR_WEIGHT, 0.3}}},
                          {"maximum", TILEOPS_OP_MAXIMUM, {}},
                          {"minimum", TILEOPS_OP_MINIMUM, {}}};
  if (gated) {
    cases.push_back({"silu_and_mul", TILEOPS_OP_SILU_AND_MUL, {}});
    cases.push_back({"gelu_and_mul", TILEOPS_OP_GELU_AND_MUL, {}});
    cases.push_back({"gelu_tanh_and_mul", TILEOPS_OP_GELU_TANH_AND_MUL, {}});
  }
  return cases;
}

int Main(int argc, char** argv) {
  if (DeviceCount() == 0) {
    std::printf("skipped: no CUDA device on this machine\n");
    return 0;
  }
  const std::string part = argc > 1 ? argv[1] : "";
  int log2n = part == "unary" ? 32 : 30;
  std::vector<std::string> names;
  for (int i = 2; i < argc; ++i) {
    if (std::atoi(argv[i]) > 0) log2n = std::atoi(argv[i]);
    else names.push_back(argv[i]);
  }
  std::vector<Case> cases = part == "unary" ? Unary() : Binary(true);
  if (!names.empty()) {
    std::vector<Case> some;
    for (const Case& c : cases)
      for (const std::string& name : names)
        if (c.name == name) some.push_back(c);
    cases = some;
  }
  bool good = true;
  if (part == "unary") {
    good = Sweep<uint32_t>(cases, kF32, 1, true, log2n, TILEOPS_PLAN_REPRODUCIBLE);
  } else if (part == "binary") {
    good = Sweep<uint32_t>(cases, kF32, 2, false, log2n, TILEOPS_PLAN_REPRODUCIBLE);
  } else if (part == "halves") {
    good = Sweep<uint16_t>(cases, kBf16, 2, false, log2n, 0);
    good = Sweep<uint16_t>(cases, kF16, 2, false, log2n, 0) && good;
  } else {
    std::fprintf(stderr, "usage: tileops_gpu_exhaustive unary|binary|halves [OP...] [LOG2]\n");
    return 2;
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace gputest

int main(int argc, char** argv) { return gputest::Main(argc, argv); }
