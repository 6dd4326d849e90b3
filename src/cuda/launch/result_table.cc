#include "cuda/launch/result_table.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "base/log.h"
#include "cuda/jit/kernel_memory.h"
#include "cuda/kernels/common/activation_range.h"
#include "cuda/launch/launch.h"
#include "cuda/steps/forms.h"
#include "problem/layout.h"
#include "tileops/device/convert.h"

namespace tileops::cuda {
namespace {

struct Full {};

struct Tables {
  std::mutex mutex;
  std::map<int, TableBudget> budgets;  // by device
  KernelMemory<CUdeviceptr> known;
};

Tables& tables() {
  static auto* t = new Tables;
  return *t;
}

bool is_of_pairs(const Pass& pass) { return pass.loads.size() > 1 && pass.loads[1].kind == ViewKind::input; }

int64_t num_codes(const Pass& pass, bool pairs) {
  return int64_t{1} << (8 * dtype_size(pass.loads[0].dtype) * (pairs ? 2 : 1));
}

// The same body over all codes in order; with two operands, of which neighbours have the same
// second one, over all pairs.
Pass over_all_codes(const Pass& pass) {
  Pass all = pass;
  const bool pairs = is_of_pairs(pass);
  all.extents = {num_codes(pass, pairs)};
  const auto flatten = [](View* v, int slot) {
    v->offset = 0;
    v->slot = slot;
    v->strides = {static_cast<int64_t>(dtype_size(v->dtype))};
  };
  flatten(&all.loads[0], 0);
  if (pairs) flatten(&all.loads[1], 1);
  flatten(&all.stores[0], 0);
  for (size_t i = pairs ? 2 : 1; i < all.loads.size(); ++i) all.loads[i].strides = {0};  // constants
  return all;
}

// The activation of every gate in f64, from a pass of a gated form.
Choice choose_gates(const Problem& problem, const Pass& pass, int arch) {
  Pass gates = pass;
  gates.loads.resize(1);
  gates.steps[0].arguments.resize(1);
  gates.steps[0].ctype = Ctype::f64;
  gates.stores[0].dtype = Dtype::f64;
  gates.steps[0].body = &activation_of(*only_step(pass).body);
  gates = over_all_codes(gates);
  ChooseOptions options{arch, UseTables::no, {}};
  options.policy = "portable_pre_round";
  return choose(problem, gates, make_layout(gates), options);
}

// What kernels/strategies/activation_table.h has in shared memory, act(gate) / gate, from the
// activations.
template <class S>
std::vector<float> activation_factors(const kernels::activation_range& range, const std::vector<double>& activations) {
  std::vector<float> factors(range.bytes() / sizeof(float));
  for (unsigned i = 0; i < 2 * range.entries(); ++i) {
    const unsigned code = range.code_of(i);
    S gate;
    gate.bits = static_cast<uint16_t>(code);
    const bool tiny = (code & 0x7fff) < range.low;
    factors[i] = tiny ? 0.5f : static_cast<float>(activations[code] / static_cast<double>(device::widen(gate)));
  }
  return factors;
}

void append_activation_factors(Dtype dtype, CUdeviceptr table, CUstream stream) {
  std::vector<double> activations(65536);
  const size_t bytes = activations.size() * sizeof(double);
  check(driver().copy_async(reinterpret_cast<CUdeviceptr>(activations.data()), table, bytes, stream), "cuMemcpyAsync");
  check(driver().stream_synchronize(stream), "cuStreamSynchronize");
  const std::vector<float> factors = dtype == Dtype::bf16
                                         ? activation_factors<device::bf16>(kernels::kBf16Activations, activations)
                                         : activation_factors<device::f16>(kernels::kF16Activations, activations);
  check(driver().copy_async(table + bytes, reinterpret_cast<CUdeviceptr>(factors.data()),
                            factors.size() * sizeof(float), stream),
        "cuMemcpyAsync");
  check(driver().stream_synchronize(stream), "cuStreamSynchronize");
}

std::vector<uint8_t> all_codes(size_t size) {
  const size_t count = size_t{1} << (8 * size);
  std::vector<uint8_t> bytes(count * size);
  for (size_t i = 0; i < count; ++i) std::memcpy(&bytes[i * size], &i, size);  // little-endian
  return bytes;
}

// All pairs of 8-bit codes: the first code of each pair, or (shift = 8) the second one.
std::vector<uint8_t> codes_of_pairs(int shift) {
  std::vector<uint8_t> bytes(65536);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i >> shift);
  return bytes;
}

CUdeviceptr make_table(Device& device, const Problem& problem, const Pass& pass, CudaState& state,
                       const Choice& exact) {
  // For gated operators the table holds the activation of the gate.
  const bool gated = only_step(pass).body->gated;
  const bool pairs = !gated && is_of_pairs(pass);
  const Launch launch(problem, exact, {}, 0, device, state);
  const UploadPtr first = device.upload(pairs ? codes_of_pairs(0) : all_codes(dtype_size(pass.loads[0].dtype)));
  const UploadPtr second = pairs ? device.upload(codes_of_pairs(8)) : nullptr;
  const void* codes[] = {reinterpret_cast<const void*>(first->address),
                         second ? reinterpret_cast<const void*>(second->address) : nullptr};
  const Dtype dtype = pass.loads[0].dtype;
  const bool has_factors = gated && dtype_size(dtype) == 2;
  const size_t bytes = static_cast<size_t>(num_codes(pass, pairs)) *
                           (gated ? sizeof(double) : dtype_size(pass.stores[0].dtype)) +
                       (has_factors ? std::max(kernels::kBf16Activations.bytes(), kernels::kF16Activations.bytes())
                                    : 0);
  return device.fill(bytes, [&](CUdeviceptr address, CUstream stream) {
    void* results[] = {reinterpret_cast<void*>(address)};
    launch.run(false, {codes, results, stream});
    if (has_factors) append_activation_factors(dtype, address, stream);
  });
}

}  // namespace

Choice choose_filler(const Problem& problem, const Pass& pass, int arch) {
  if (only_step(pass).body->gated) return choose_gates(problem, pass, arch);
  const Pass all = over_all_codes(pass);
  return choose(problem, all, make_layout(all), {arch, UseTables::no, {}});
}

CUdeviceptr result_table(Device& device, const Problem& problem, const Pass& pass, CudaState& state) {
  const Choice exact = choose_filler(problem, pass, device.arch());
  std::string key = std::to_string(device.index()) + "\n" + exact.kernel.text;
  const std::vector<AttrValue>& attrs = only_step(pass).attrs;
  key.append(reinterpret_cast<const char*>(attrs.data()), attrs.size() * sizeof(AttrValue));
  for (const Constant& c : problem.constants) key.append(c.bytes.begin(), c.bytes.end());
  const auto make = [&] { return make_table(device, problem, pass, state, exact); };
  Tables& t = tables();
  TableBudget* budget;
  {
    std::lock_guard<std::mutex> lock(t.mutex);
    budget = &t.budgets[device.index()];
  }
  const auto within_budget = [&]() -> CUdeviceptr {
    if (!budget->take()) throw Full{};
    try {
      const CUdeviceptr table = make();
      state.tables_made.fetch_add(1);
      return table;
    } catch (...) {
      budget->give_back();
      throw;
    }
  };
  try {
    bool found;
    return t.known.get(key, !(problem.flags & TILEOPS_PLAN_NO_JIT), &found, within_budget);
  } catch (const Full&) {
    state.tables_refused.fetch_add(1);
    if (budget->warn_now())
      log(TILEOPS_LOG_WARN,
          "result tables: device %d has %d of them, the most that are made; plans of operators, "
          "attributes and dtypes that have none yet do without, and may be slower",
          device.index(), TableBudget::kMost);
    return 0;
  }
}

}  // namespace tileops::cuda
