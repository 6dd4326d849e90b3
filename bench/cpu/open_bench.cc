// Plans with open extents beside plans of each batch: `open_bench [cpu|cuda] [ROUNDS]`, tables on stdout. One process, one
// set of operands on addresses, a context of one thread; open and closed plans take turns, and a time is the least of all
// rounds. On CUDA a time of the device is that of a hundred executes in a row and their end, over a hundred.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "program.h"

using namespace tileops_bench;

namespace {

constexpr int64_t kMostRows = 8192, kColumns = 4096;

struct Text {
  const char *name, *text;
};
const Text kTexts[] = {{"silu_and_mul", "(x, u, w) -> silu(x) * u"},
                       {"rms_norm", "(x, u, w) -> x * rsqrt(mean(x * x) + 1e-6) * w"},
                       {"softmax", "(x, u, w) -> softmax(x)"},
                       {"bias_gradient", "(x, u, w) -> sum(x, axis = -2)"},
                       {"mse", "(x, u, w) -> { d = x - u; mean(d * d, axis = (-2, -1)) }"}};

class Device {
 public:
  explicit Device(bool is_cuda) : device_{is_cuda ? kDLCUDA : kDLCPU, 0} {
    ok(tileops_stream_create(context_, device_, &stream_));
    std::vector<uint16_t> values(static_cast<size_t>(kMostRows * kColumns), 0x3f40);
    int64_t shape[] = {kMostRows, kColumns};
    const DLTensor from{values.data(), {kDLCPU, 0}, 2, {kDLBfloat, 16, 1}, shape, nullptr, 0};
    for (void*& p : memory_) {
      DLManagedTensorVersioned* tensor = nullptr;
      ok(tileops_tensor_alloc(context_, device_, from.dtype, 2, shape, &tensor));
      ok(tileops_tensor_copy(context_, &from, &tensor->dl_tensor, stream_));
      ok(tileops_stream_synchronize(context_, device_, stream_));
      p = tensor->dl_tensor.data;
    }
  }

  bool is_cuda() const { return stream_ != nullptr; }

  // A plan for `rows` rows, or for any number of them (TILEOPS_UP_TO).
  tileops_plan* plan(const Text& t, int64_t rows, int64_t columns) const {
    const int64_t all[] = {rows, columns}, row[] = {columns};
    const DLDataType bf16{kDLBfloat, 16, 1};
    return plan_of(context_, t.text, {{bf16, 2, all, nullptr}, {bf16, 2, all, nullptr}, {bf16, 1, row, nullptr}},
                   device_);
  }

  // Nanoseconds of an execute: of the host alone or, on CUDA, with the device's time.
  double time(const tileops_plan* plan, int64_t rows, bool with_device) const {
    const void* const in[] = {memory_[0], memory_[1], memory_[2]};
    void* const out[] = {memory_[3]};
    tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
    args.num_inputs = 3;
    args.num_outputs = 1;
    args.input_ptrs = in;
    args.output_ptrs = out;
    const int32_t count = number(plan, TILEOPS_PLAN_NUM_EXTENTS);
    const std::vector<int64_t> extents(static_cast<size_t>(count), rows);  // an operand that is not read has its own
    args.extents = count ? extents.data() : nullptr;
    args.num_extents = static_cast<uint32_t>(count);
    args.stream = stream_;
    const int times = is_cuda() ? 100 : 1;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) ok(tileops_execute_with(plan, &args));
    auto end = std::chrono::steady_clock::now();
    if (is_cuda()) ok(tileops_stream_synchronize(context_, device_, stream_));
    if (with_device) end = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::nano>(end - begin).count() / times;
  }

 private:
  DLDevice device_;
  tileops_context* context_ = context_of(1);
  void* stream_ = nullptr;
  void* memory_[4];
};

// The least time of a closed plan and of the open one.
void compare(const Device& device, const Text& t, const tileops_plan* open, int64_t rows, int64_t columns, int rounds,
             bool with_device) {
  tileops_plan* closed = device.plan(t, rows, columns);
  double least[] = {1e30, 1e30};
  for (int r = 0; r < rounds; ++r) {
    least[0] = std::min(least[0], device.time(closed, rows, with_device));
    least[1] = std::min(least[1], device.time(open, rows, with_device));
  }
  std::printf("| %s | %lld x %lld | %.3f | %.3f | %.3f |\n", t.name, static_cast<long long>(rows),
              static_cast<long long>(columns), least[0] / 1000, least[1] / 1000, least[0] / least[1]);
  tileops_plan_destroy(closed);
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_cuda = argc > 1 && std::string(argv[1]) == "cuda";
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 50;
  const Device device(is_cuda);
  const char* const head = "| text | shape | closed | open | closed / open |\n|---|---|---:|---:|---:|\n";
  std::printf("us, bf16, least of %d rounds; of the host alone:\n\n%s", rounds, head);
  for (const Text& t : kTexts) {
    tileops_plan* open = device.plan(t, TILEOPS_UP_TO(kMostRows), 8);
    compare(device, t, open, 2, 8, 20 * rounds, false);
    tileops_plan_destroy(open);
  }
  std::printf("\n%s:\n\n%s", is_cuda ? "With the device" : "Larger ones", head);
  for (const Text& t : kTexts) {
    tileops_plan* open = device.plan(t, TILEOPS_UP_TO(kMostRows), kColumns);
    for (const int64_t rows : {1, 7, 64, 131, 132, 527, 528, 2048, 8192})
      compare(device, t, open, rows, kColumns, rounds, true);
    tileops_plan_destroy(open);
  }
}
