// Bandwidth of operators on a GPU against a kernel that copies the same bytes, in the same run.
//
//   tileops_gpu_bench [--elements N] [--rounds N] [--ops a,b] [--dtypes f32,bf16] [--host] [--plans]
//
// One JSON object a line: op, dtype, layout, microseconds (median), TB/s, share of the copy kernel.
// Bytes count each operand once. --host measures the host's time per call instead, --plans the time of
// plan_create by where its kernel comes from. bench/gpu/run.py measures beside peers.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ceiling.h"
#include "core/dtype.h"
#include "core/error.h"
#include "cuda/nvrtc.h"
#include "tileops/tileops.h"

namespace {

using tileops::Dtype;
using tileops::bench::CopyKernel;
namespace cuda = tileops::cuda;

void must(tileops_status s) {
  if (s == TILEOPS_STATUS_OK) return;
  std::fprintf(stderr, "gpu_bench: %s\n", tileops_last_error());
  std::exit(1);
}

struct Events {
  int (*create)(void**, unsigned);
  int (*record)(void*, void*);
  int (*wait)(void*);
  int (*elapsed)(float*, void*, void*);
  Events() {
    void* lib = dlopen("libcuda.so.1", RTLD_NOW);
    create = reinterpret_cast<int (*)(void**, unsigned)>(dlsym(lib, "cuEventCreate"));
    record = reinterpret_cast<int (*)(void*, void*)>(dlsym(lib, "cuEventRecord"));
    wait = reinterpret_cast<int (*)(void*)>(dlsym(lib, "cuEventSynchronize"));
    elapsed = reinterpret_cast<int (*)(float*, void*, void*)>(dlsym(lib, "cuEventElapsedTime"));
  }
};

double median_us(const std::function<void()>& run, int rounds, void* stream) {
  static const Events e;
  static void *start = nullptr, *stop = nullptr;
  if (!start) {
    e.create(&start, 0);
    e.create(&stop, 0);
  }
  for (int i = 0; i < 3; ++i) run();
  std::vector<float> times;
  for (int i = 0; i < rounds; ++i) {
    e.record(start, stream);
    run();
    e.record(stop, stream);
    e.wait(stop);
    float ms = 0;
    e.elapsed(&ms, start, stop);
    times.push_back(ms * 1e3f);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

struct Tensor {
  DLManagedTensorVersioned* memory = nullptr;
  Tensor(Dtype t, const std::vector<int64_t>& shape) {
    must(tileops_tensor_alloc(nullptr, DLDevice{kDLCUDA, 0}, tileops::dtype_to_dl(t),
                              static_cast<int32_t>(shape.size()), shape.data(), &memory));
  }
  ~Tensor() { memory->deleter(memory); }
  DLTensor* dl() { return &memory->dl_tensor; }
};

// Values in the operator's test range, the same for every run.
void fill(Tensor* t, Dtype dtype, double lo, double hi) {
  DLTensor whole = *t->dl();
  int64_t n = 1;
  for (int d = 0; d < whole.ndim; ++d) n *= whole.shape[d];
  // Random f32 values on the CPU once, repeated, then cast on the GPU.
  const int64_t period = std::min<int64_t>(n, int64_t{1} << 20);
  std::vector<float> values(static_cast<size_t>(period));
  uint64_t state = 1;
  for (float& v : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    v = static_cast<float>(lo + (hi - lo) * static_cast<double>(state >> 40) * 0x1p-24);
    if (dtype == Dtype::boolean) v = (state >> 40) & 1 ? 1.0f : 0.0f;
  }
  Tensor source(Dtype::f32, {period});
  int64_t shape[1] = {period};
  DLTensor host{values.data(), DLDevice{kDLCPU, 0}, 1, DLDataType{kDLFloat, 32, 1}, shape, nullptr, 0};
  must(tileops_tensor_copy(nullptr, &host, source.dl(), nullptr));
  for (int64_t at = 0; at < n; at += period) {
    int64_t piece[1] = {std::min(period, n - at)};
    DLTensor from = *source.dl(), to = whole;
    from.shape = piece;
    to.ndim = 1;
    to.shape = piece;
    to.strides = nullptr;
    to.data = static_cast<char*>(whole.data) + at * static_cast<int64_t>(tileops::dtype_size(dtype));
    const DLTensor* in[] = {&from};
    DLTensor* out[] = {&to};
    tileops_plan* plan = nullptr;
    must(tileops_plan_create_like(nullptr, TILEOPS_OP_CAST, in, 1, out, 1, nullptr, 0, &plan));
    must(tileops_execute(plan, in, 1, out, 1, nullptr));
    tileops_plan_destroy(plan);
  }
}

struct Row {
  std::string op, layout;
  Dtype in, out;
  std::vector<std::vector<int64_t>> inputs;
  std::vector<int64_t> output;
  std::vector<std::pair<tileops_attr_key, double>> attrs;
  int transposed = -1;  // this square input is read by columns
};

int64_t numel(const std::vector<int64_t>& s) {
  int64_t n = 1;
  for (int64_t e : s) n *= e;
  return n;
}

double ceiling_us(const std::vector<Dtype>& in, const std::vector<int64_t>& in_elements, Dtype out,
                  int64_t n, const std::vector<void*>& arrays, int rounds, void* stream) {
  int64_t least = tileops::dtype_size(out), most = least;
  std::vector<int> in_bytes;
  std::vector<void*> used;
  for (size_t k = 0; k < in.size(); ++k) {
    if (in_elements[k] < n) continue;  // broadcast
    const int64_t size = static_cast<int64_t>(tileops::dtype_size(in[k])) * (in_elements[k] / n);
    least = std::min(least, size);
    most = std::max(most, size);
  }
  const int64_t v = std::min(16 / least, 32 / most);
  for (size_t k = 0; k < in.size(); ++k) {
    if (in_elements[k] < n) continue;
    in_bytes.push_back(static_cast<int>(v * static_cast<int64_t>(tileops::dtype_size(in[k])) * (in_elements[k] / n)));
    used.push_back(arrays[k]);
  }
  used.push_back(arrays.back());
  const std::vector<int> out_bytes{static_cast<int>(v * static_cast<int64_t>(tileops::dtype_size(out)))};
  static std::map<std::pair<std::vector<int>, std::vector<int>>, std::unique_ptr<CopyKernel>> kernels;
  auto& kernel = kernels[{in_bytes, out_bytes}];
  if (!kernel) kernel = std::make_unique<CopyKernel>(cuda::Device::get(0), in_bytes, out_bytes);
  return median_us([&] { kernel->launch(used, n / v, stream); }, rounds, stream);
}

std::string text_of(const tileops_plan* plan, tileops_plan_prop prop) {
  char text[512];
  size_t size = sizeof text;
  must(tileops_plan_query(plan, prop, text, &size));
  return text;
}

void run_row(const Row& row, int rounds, void* stream) {
  const tileops_op op = tileops_op_from_name(row.op.c_str());
  tileops_op_info info = TILEOPS_OP_INFO_INIT;
  must(tileops_op_describe(op, &info));
  std::vector<std::unique_ptr<Tensor>> x;
  std::vector<const DLTensor*> in;
  std::vector<Dtype> dtypes;
  std::vector<int64_t> elements;
  std::vector<void*> arrays;
  uint64_t bytes = 0;
  for (size_t k = 0; k < row.inputs.size(); ++k) {
    const char* fixed = info.inputs[k].dtype;
    Dtype t = row.in;
    if (fixed) t = std::strcmp(fixed, "bool") == 0 ? Dtype::boolean : Dtype::f32;
    x.push_back(std::make_unique<Tensor>(t, row.inputs[k]));
    fill(x.back().get(), t, row.op == "log" || row.op == "sqrt" || row.op == "pow" ? 0.1 : -3, 3);
    if (static_cast<int>(k) == row.transposed) {
      int64_t* strides = x.back()->dl()->strides;  // of the tensor's own memory
      std::swap(strides[0], strides[1]);
    }
    in.push_back(x.back()->dl());
    dtypes.push_back(t);
    elements.push_back(numel(row.inputs[k]));
    arrays.push_back(x.back()->dl()->data);
    bytes += static_cast<uint64_t>(elements.back()) * tileops::dtype_size(t);
  }
  Tensor y(row.out, row.output);
  arrays.push_back(y.dl()->data);
  bytes += static_cast<uint64_t>(numel(row.output)) * tileops::dtype_size(row.out);
  std::vector<tileops_attr> attrs;
  for (const auto& [key, value] : row.attrs) {
    tileops_attr a{key, TILEOPS_ATTR_F64, {}};
    a.value.f64 = value;
    attrs.push_back(a);
  }
  DLTensor* out[] = {y.dl()};
  tileops_plan* plan = nullptr;
  const auto start = std::chrono::steady_clock::now();
  if (tileops_plan_create_like(nullptr, op, in.data(), in.size(), out, 1, attrs.data(), attrs.size(), &plan)) {
    std::fprintf(stderr, "gpu_bench: %s %s: %s\n", row.op.c_str(), tileops::dtype_name(row.in), tileops_last_error());
    return;
  }
  const double plan_ms = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 1e3;
  const double us = median_us([&] { must(tileops_execute(plan, in.data(), in.size(), out, 1, stream)); }, rounds, stream);
  const double copy = ceiling_us(dtypes, elements, row.out, numel(row.output), arrays, rounds, stream);
  std::printf("{\"op\": \"%s\", \"dtype\": \"%s\", \"layout\": \"%s\", \"us\": %.2f, \"tbs\": %.3f, \"copy_us\": %.2f, "
              "\"share\": %.3f, \"plan_ms\": %.1f, \"kernel\": \"%s\"}\n",
              row.op.c_str(), tileops::dtype_name(row.in), row.layout.c_str(), us, static_cast<double>(bytes) / us / 1e6,
              copy, copy / us, plan_ms, text_of(plan, TILEOPS_PLAN_KERNEL_NAME).c_str());
  std::fflush(stdout);
  tileops_plan_destroy(plan);
}

std::vector<Row> rows_of(int64_t n, const std::vector<std::string>& ops, const std::vector<Dtype>& dtypes) {
  std::vector<Row> rows;
  const auto wanted = [&](const std::string& name) {
    return ops.empty() || std::find(ops.begin(), ops.end(), name) != ops.end();
  };
  for (Dtype t : dtypes) {
    for (size_t i = 0; i < tileops_op_count(); ++i) {
      tileops_op_info info = TILEOPS_OP_INFO_INIT;
      must(tileops_op_describe(tileops_op_at(i), &info));
      if (!wanted(info.name) || !(info.dtypes & tileops::dtype_category(t))) continue;
      const std::string op = info.name, category = info.category;
      Row row{op, "contiguous", t, t, {}, {n}, {}, -1};
      if (std::string(info.result) == "bool") row.out = Dtype::boolean;
      if (std::string(info.result) == "promoted_float" && !tileops::is_float(t)) row.out = Dtype::f32;
      if (category == "rope") {
        const std::vector<int64_t> shape{n / (4096 * 32 * 128), 4096, 32, 128};
        row.layout = "4 4096 32 128";
        row.inputs = {shape};
        if (op == "rope_longrope") row.inputs.push_back({64});
        row.output = shape;
      } else if (op == "alibi") {
        row.output = {32, 1024, n / 32768};
        row.layout = "32 heads";
      } else if (op == "sinusoidal") {
        row.output = {n / 1024, 1024};
        row.layout = "rows of 1024";
      } else if (category == "fused_gated") {
        row.inputs = {{n / 4096, 8192}};
        row.output = {n / 4096, 4096};
        row.layout = "rows of 4096";
      } else if (op == "prelu") {
        row.inputs = {{n / 4096, 4096}, {4096}};
        row.output = {n / 4096, 4096};
        row.layout = "channel last";
      } else {
        for (int k = 0; k < info.min_inputs; ++k) row.inputs.push_back({n});
        if (op == "pow") row.inputs.push_back({n});
        if (op == "clamp") row.attrs = {{TILEOPS_ATTR_MIN, -1}, {TILEOPS_ATTR_MAX, 1}};
        if (op == "masked_fill") row.attrs = {{TILEOPS_ATTR_VALUE, 1}};
      }
      rows.push_back(row);
    }
    const int64_t m = n / 4096;
    const auto layout = [&](const char* name, std::vector<int64_t> a, std::vector<int64_t> b, std::vector<int64_t> y) {
      if (wanted("layouts")) rows.push_back({"add", name, t, t, {a, b}, y, {}, -1});
    };
    layout("row bias", {m, 4096}, {4096}, {m, 4096});
    layout("row scale", {m, 4096}, {m, 1}, {m, 4096});
    layout("odd row bias", {m, 4095}, {4095}, {m, 4095});
    layout("channel", {n / 1024 / 64, 64, 1024}, {64, 1}, {n / 1024 / 64, 64, 1024});
    layout("interleaved", {n / 131072 / 512, 512, 512, 256}, {n / 131072 / 512, 1, 512, 1}, {n / 131072 / 512, 512, 512, 256});
    layout("outer", {m, 1}, {1, 4096}, {m, 4096});
    const int64_t side = int64_t{1} << static_cast<int>(std::log2(static_cast<double>(n)) / 2);
    if (wanted("layouts")) {
      rows.push_back({"add", "x + y.T", t, t, {{side, side}, {side, side}}, {side, side}, {}, 1});
      rows.push_back({"cast", "x.T", t, t, {{side, side}}, {side, side}, {}, 0});
    }
  }
  return rows;
}

// Time on the host per call, for small operands: ours, and the driver's launch of a like kernel.
void run_host() {
  void* stream = nullptr;
  must(tileops_stream_create(nullptr, DLDevice{kDLCUDA, 0}, &stream));
  const int64_t n = 1024;
  Tensor a(Dtype::f32, {n}), b(Dtype::f32, {n}), y(Dtype::f32, {n});
  const DLTensor* in[] = {a.dl(), b.dl()};
  DLTensor* out[] = {y.dl()};
  const void* in_ptrs[] = {a.dl()->data, b.dl()->data};
  void* out_ptrs[] = {y.dl()->data};
  tileops_plan* plan = nullptr;
  must(tileops_plan_create_like(nullptr, TILEOPS_OP_ADD, in, 2, out, 1, nullptr, 0, &plan));
  const CopyKernel raw(cuda::Device::get(0), {16, 16}, {16});
  const cuda::CurrentContext current(cuda::Device::get(0).context());
  const std::vector<void*> arrays{a.dl()->data, b.dl()->data, y.dl()->data};
  const auto time_us = [&](const std::function<void()>& call) {
    std::vector<double> best;
    for (int round = 0; round < 30; ++round) {
      must(tileops_stream_synchronize(nullptr, DLDevice{kDLCUDA, 0}, stream));
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < 500; ++i) call();
      best.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 1e6 / 500);
    }
    std::sort(best.begin(), best.end());
    return best[best.size() / 2];
  };
  const double launch = time_us([&] { raw.launch(arrays, n / 4, stream); });
  const double ptrs = time_us([&] { must(tileops_execute_ptrs(plan, in_ptrs, out_ptrs, stream)); });
  const double full = time_us([&] { must(tileops_execute(plan, in, 2, out, 1, stream)); });
  const double cached = time_us([&] {
    tileops_plan* again = nullptr;
    must(tileops_plan_create_like(nullptr, TILEOPS_OP_ADD, in, 2, out, 1, nullptr, 0, &again));
    tileops_plan_destroy(again);
  });
  std::printf("{\"host\": true, \"raw_launch_us\": %.3f, \"execute_ptrs_us\": %.3f, \"execute_us\": %.3f, "
              "\"plan_create_cached_us\": %.3f}\n", launch, ptrs, full, cached);
}

// Time of plan_create for kernels that this process has not loaded, by where they came from: casts and
// operators that a pack may hold, and dtypes that none does. Medians.
void run_plans() {
  std::map<std::string, std::vector<double>> times;
  const int64_t n = 1024;
  const auto create = [&](tileops_op op, Dtype in, Dtype out) {
    tileops_op_info info = TILEOPS_OP_INFO_INIT;
    must(tileops_op_describe(op, &info));
    const tileops_tensor_desc x{tileops::dtype_to_dl(in), 1, &n, nullptr}, y{tileops::dtype_to_dl(out), 1, &n, nullptr};
    const tileops_tensor_desc inputs[] = {x, x};
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.op = op;
    desc.device = DLDevice{kDLCUDA, 0};
    desc.flags = TILEOPS_PLAN_NO_CACHE;
    desc.num_inputs = info.min_inputs;
    desc.num_outputs = 1;
    desc.inputs = inputs;
    desc.outputs = &y;
    tileops_plan* plan = nullptr;
    const auto start = std::chrono::steady_clock::now();
    must(tileops_plan_create(nullptr, &desc, &plan));
    const double us = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 1e6;
    times[text_of(plan, TILEOPS_PLAN_CACHE_ORIGIN)].push_back(us);
    tileops_plan_destroy(plan);
  };
  create(TILEOPS_OP_ADD, Dtype::f32, Dtype::f32);  // opens the driver, and NVRTC
  create(TILEOPS_OP_ADD, Dtype::i8, Dtype::f32);
  times.clear();
  const tileops_op ops[] = {TILEOPS_OP_SUB, TILEOPS_OP_MUL, TILEOPS_OP_DIV, TILEOPS_OP_MAXIMUM, TILEOPS_OP_EXP, TILEOPS_OP_RELU,
                            TILEOPS_OP_SIGMOID, TILEOPS_OP_TANH, TILEOPS_OP_SILU, TILEOPS_OP_FLOOR};
  for (const tileops_op op : ops) create(op, Dtype::f32, Dtype::f32);
  for (const tileops_op op : ops) create(op, Dtype::bf16, Dtype::bf16);
  for (const tileops_op op : ops) create(op, Dtype::f32, Dtype::f16);  // in no pack
  for (const tileops_op op : ops) create(op, Dtype::f32, Dtype::f32);  // loaded by now
  // What NVRTC takes for nothing at all.
  std::vector<double> empty;
  for (int i = 0; i < 9; ++i) {
    const auto start = std::chrono::steady_clock::now();
    cuda::Nvrtc::get().compile("extern \"C\" __global__ void empty() {}", "empty", cuda::Device::get(0).arch());
    empty.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 1e6);
  }
  std::sort(empty.begin(), empty.end());
  std::printf("{\"plans\": true, \"nvrtc_empty_us\": %.1f", empty[empty.size() / 2]);
  for (auto& [origin, list] : times) {
    std::sort(list.begin(), list.end());
    std::printf(", \"plan_%s_us\": %.1f, \"plan_%s_number\": %zu, \"plan_%s_most_us\": %.1f", origin.c_str(), list[list.size() / 2],
                origin.c_str(), list.size(), origin.c_str(), list.back());
  }
  std::printf("}\n");
}

std::vector<std::string> split(const char* text) {
  std::vector<std::string> parts{""};
  for (; *text; ++text) {
    if (*text == ',') parts.emplace_back();
    else parts.back() += *text;
  }
  return parts;
}

}  // namespace

int main(int argc, char** argv) {
  int64_t n = int64_t{1} << 26;
  int rounds = 15;
  bool host = false, plans = false;
  std::vector<std::string> ops;
  std::vector<Dtype> dtypes{Dtype::f32, Dtype::bf16};
  for (int i = 1; i < argc; ++i) {
    const std::string key = argv[i];
    if (key == "--host") host = true;
    else if (key == "--plans") plans = true;
    else if (i + 1 == argc) return 2;
    else if (key == "--elements") n = std::atoll(argv[++i]);
    else if (key == "--rounds") rounds = std::atoi(argv[++i]);
    else if (key == "--ops") ops = split(argv[++i]);
    else if (key == "--dtypes") {
      dtypes.clear();
      for (const std::string& name : split(argv[++i])) {
        Dtype t;
        if (!tileops::dtype_from_name(name, &t)) return 2;
        dtypes.push_back(t);
      }
    }
  }
  try {
    if (plans) run_plans();
    if (host) run_host();
    if (plans || host) return 0;
    const cuda::CurrentContext current(cuda::Device::get(0).context());
    for (const Row& row : rows_of(n, ops, dtypes)) run_row(row, rounds, nullptr);
  } catch (const tileops::Error& e) {
    std::fprintf(stderr, "gpu_bench: %s\n", e.message.c_str());
    return 1;
  }
  return 0;
}
