// tileops selftest: every operator, and texts with rows, on small inputs against references of the command's own.
#include "cli/selftest/selftest.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/common.h"
#include "cli/dtype.h"
#include "cli/operation.h"
#include "cli/options.h"
#include "cli/selftest/cases.h"
#include "cli/selftest/outcome.h"
#include "cli/selftest/reference.h"
#include "cli/selftest/rows.h"
#include "cli/selftest/workers.h"

namespace tileops::cli {
namespace {

using Json = nlohmann::ordered_json;

struct SelftestOptions {
  std::string device = "cpu";
  std::vector<std::string> ops;
  bool json = false, verbose = false, all = false;
  int threads = 0;
};

constexpr size_t kShownFailures = 6;

// An operand in device memory with the strides of a layout.
struct Operand {
  Buffer buffer;
  Shape shape, strides;
  DLTensor tensor{};
};

// Encodes values with element i of the row-major order at the address that the layout gives it.
Operand place(const Context& context, const Stream& stream, DLDevice device, const Array& array, Layout layout) {
  Operand operand;
  operand.shape = array.shape;
  const size_t rank = array.shape.size(), n = array.values.size();
  operand.strides.resize(rank);
  int64_t stride = 1, origin = 0;
  for (size_t k = 0; k < rank; ++k) {
    const size_t d = layout == Layout::kTransposed ? k : rank - 1 - k;
    operand.strides[d] = stride;
    stride *= array.shape[d];
  }
  if (layout == Layout::kReversed) {
    for (size_t d = 0; d < rank; ++d) {
      origin += operand.strides[d] * (array.shape[d] - 1);
      operand.strides[d] = -operand.strides[d];
    }
  }
  const auto size = static_cast<size_t>(item_size(array.dtype));
  std::vector<unsigned char> bytes(n * size);
  for (size_t i = 0; i < n; ++i) {
    int64_t rest = static_cast<int64_t>(i), at = origin;
    for (size_t d = rank; d-- > 0; rest /= array.shape[d]) {
      at += rest % array.shape[d] * operand.strides[d];
    }
    encode(array.dtype, array.values[i], &bytes[static_cast<size_t>(at) * size]);
  }
  operand.buffer = Buffer(context, device, array.dtype, {static_cast<int64_t>(n)});
  upload(context, stream, bytes.data(), operand.buffer);
  operand.tensor = *operand.buffer.tensor();
  operand.tensor.byte_offset += static_cast<uint64_t>(origin) * size;
  return operand;
}

void run_case(const Context& context, const Stream& stream, DLDevice device, const tileops_op_info& op,
              const Variant& variant, DLDataType dtype, Layout layout, const Reference& reference, Outcome* outcome) {
  const Problem p = make_problem(op, variant, dtype, layout, reference);
  std::string what = dtype_name(dtype) + " -> " + dtype_name(p.result) + " " + shape_text(p.shape) + " " +
                     layout_name(layout);
  if (variant.attrs[0] != '\0') what += std::string(" ") + variant.attrs;
  if (variant.optional[0] != '\0') what += std::string(" with ") + variant.optional;

  std::vector<Operand> operands;
  operands.reserve(p.inputs.size());
  std::vector<const DLTensor*> in;
  for (const auto& input : p.inputs) {
    operands.emplace_back();
    if (!input) {
      in.push_back(nullptr);
      continue;
    }
    operands.back() = place(context, stream, device, *input, layout);
    Operand& operand = operands.back();
    operand.tensor.ndim = static_cast<int32_t>(operand.shape.size());
    operand.tensor.shape = operand.shape.data();
    operand.tensor.strides = operand.strides.data();
    in.push_back(&operand.tensor);
  }
  std::vector<Buffer> results;
  std::vector<DLTensor*> out;
  for (int k = 0; k < p.num_outputs; ++k) {
    const char* fixed = op.outputs[k].dtype;
    results.emplace_back(context, device, fixed != nullptr ? parse_dtype(fixed, "output") : p.result, p.shape);
    out.push_back(results.back().tensor());
  }
  const std::vector<tileops_attr> attrs = attrs_of(op, variant);
  tileops_plan* plan = nullptr;
  tileops_status status = tileops_plan_create_like(context.get(), op.op, in.data(), in.size(), out.data(), out.size(),
                                                   attrs.data(), attrs.size(), &plan);
  if (status == TILEOPS_STATUS_OK) {
    status = tileops_execute(plan, in.data(), in.size(), out.data(), out.size(), stream.get());
    tileops_plan_destroy(plan);
  }
  ++outcome->cases;
  if (status != TILEOPS_STATUS_OK) {
    outcome->failures.push_back(what + ": " + tileops_last_error());
    return;
  }
  const std::vector<Cells> want = expected(reference, p);
  for (size_t k = 0; k < results.size(); ++k) {
    const DLDataType type = results[k].tensor()->dtype;
    std::vector<unsigned char> bytes(want[k].size() * static_cast<size_t>(item_size(type)));
    download(context, stream, results[k], bytes.data());
    compare(p, reference, want[k], bytes, type, what + (k > 0 ? " mask" : ""), outcome);
  }
}

// On a GPU every combination is a kernel to compile, minutes of them. What is tested unless --all asks for
// the rest: every operator on each kind of number, in every way to call it on one of them, and in one
// layout beside the contiguous one, which takes turns.
bool in_sample(const tileops_op_info& op, size_t variant, DLDataType dtype, Layout layout) {
  const bool main = dtype == ((op.dtypes & TILEOPS_DTYPES_FLOAT) != 0 ? kF32 : kI32);
  const bool other = dtype == kI32 || dtype == kBF16 || dtype == DLDataType{10, 8, 1} || dtype == kBool;
  if (layout == Layout::kContiguous) return main || (other && variant == 0);
  return main && variant == 0 && layout == kLayouts[1 + op.op % 3];
}

Outcome test_op(const Context& context, const Stream& stream, DLDevice device, const tileops_op_info& op, bool sample) {
  Outcome outcome;
  const Reference* reference = find_reference(op.name);
  if (reference == nullptr) {
    outcome.failures.push_back("this command has no reference for it");
    return outcome;
  }
  // Operators without a main operand make floats.
  const bool source = std::string(op.category) != "position";
  for (DLDataType dtype : dtypes_of(source ? op.dtypes : uint32_t{TILEOPS_DTYPES_FLOAT})) {
    if (is_packed(dtype)) continue;  // has none of the layouts, shapes and sizes that are tried here
    if (sample && !in_sample(op, 0, dtype, Layout::kContiguous)) continue;
    outcome.dtypes.push_back(dtype_name(dtype));
    const uint32_t bit = is_float(dtype) ? TILEOPS_DTYPES_FLOAT
                         : is_int(dtype) ? TILEOPS_DTYPES_INT
                                         : TILEOPS_DTYPES_BOOL;
    size_t number = 0;
    for (const Variant& variant : variants_of(op)) {
      const size_t i = number++;
      if ((variant.without & bit) != 0) continue;
      for (const Layout layout : kLayouts) {
        if (sample && !in_sample(op, i, dtype, layout)) continue;
        run_case(context, stream, device, op, variant, dtype, layout, *reference, &outcome);
      }
    }
  }
  return outcome;
}

// The generator behind the expected dropout masks must itself be right: the known answers of the
// Random123 distribution.
void check_philox() {
  const bool ok = philox({0, 0, 0, 0}, {0, 0}) ==
                      std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8} &&
                  philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
                      std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd} &&
                  philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
                      std::array<uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
  if (!ok) throw RunError("the reference's Philox4x32-10 does not give its known answers");
}

void print(const std::string& name, const Outcome& outcome, bool verbose) {
  std::string dtypes;
  for (const std::string& dtype : outcome.dtypes) dtypes += dtype + " ";
  const size_t failed = outcome.failures.size();
  std::printf("%-5s %-18s %s ", failed == 0 ? "ok" : "FAIL", name.c_str(), dtypes.c_str());
  if (failed != 0) {
    std::printf("%zu of %zu cases wrong\n", failed, outcome.cases);
  } else if (outcome.max_ulp == 0) {
    std::printf("exact\n");
  } else {
    std::printf("max %.2f ulp\n", outcome.max_ulp);
  }
  const size_t shown = verbose ? failed : std::min(failed, kShownFailures);
  for (size_t i = 0; i < shown; ++i) std::printf("      %s\n", outcome.failures[i].c_str());
  if (failed > shown) std::printf("      and %zu more cases\n", failed - shown);
  flush_stdout();  // a crash in the next operator must not hide this line
}

Json json_of(const char* kind, const std::string& name, const Outcome& outcome) {
  return {{kind, name},
          {"ok", outcome.failures.empty()},
          {"dtypes", outcome.dtypes},
          {"cases", outcome.cases},
          {"elements", outcome.elements},
          {"max_ulp", outcome.max_ulp},
          {"failures", outcome.failures}};
}

// All texts with rows; returns how many fail.
size_t test_rows(const Context& context, DLDevice device, bool sample, const SelftestOptions& options, Json* list) {
  const Stream stream(context, device);
  size_t failed = 0;
  for (size_t i = 0; i < row_text_count(); ++i) {
    const Outcome outcome = test_row_text(context, stream, device, i, sample);
    failed += !outcome.failures.empty();
    if (options.json) list->push_back(json_of("text", row_text_name(i), outcome));
    else print(std::string("rows: ") + row_text_name(i), outcome, options.verbose);
  }
  return failed;
}

int selftest(const SelftestOptions& options) {
  check_philox();
  std::vector<tileops_op_info> ops;
  bool with_rows = options.ops.empty();
  for (const std::string& name : options.ops) {
    if (name == "rows") with_rows = true;
    else ops.push_back(find_op(name));
  }
  for (size_t i = 0; options.ops.empty() && i < tileops_op_count(); ++i) {
    ops.push_back(TILEOPS_OP_INFO_INIT);
    check(tileops_op_describe(tileops_op_at(i), &ops.back()));
  }
  const DLDevice device = parse_device(options.device);
  const Context context(options.threads);
  // On a GPU the time goes into compiling kernels, which many threads do at once.
  const bool is_cpu = device.device_type == kDLCPU, sample = !is_cpu && !options.all;
  Workers workers(
      is_cpu ? 1 : std::max(1u, std::thread::hardware_concurrency()), ops.size(),
      [&](size_t i, const Stream& stream) { return test_op(context, stream, device, ops[i], sample); },
      [&] { return std::make_unique<Stream>(context, device); });
  Json list = Json::array();
  size_t failed = 0, cases = 0, elements = 0;
  for (size_t i = 0; i < ops.size(); ++i) {
    const tileops_op_info& op = ops[i];
    const Outcome outcome = workers.result(i);
    failed += !outcome.failures.empty();
    cases += outcome.cases;
    elements += outcome.elements;
    if (!options.json) {
      print(op.name, outcome, options.verbose);
      continue;
    }
    list.push_back(json_of("op", op.name, outcome));
  }
  Json rows = Json::array();
  const size_t rows_failed = with_rows ? test_rows(context, device, sample, options, &rows) : 0;
  if (options.json) {
    const Json result = {{"version", tileops_version_string()},
                         {"build", tileops_build_info()},
                         {"device", device_text(device)},
                         {"failed", failed + rows_failed},
                         {"ops", list},
                         {"rows", rows}};
    std::cout << result.dump(2) << "\n";
  } else {
    if (with_rows) std::printf("%zu of %zu texts with rows passed\n", row_text_count() - rows_failed, row_text_count());
    if (!ops.empty() || !with_rows)
      std::printf("%zu of %zu operators passed on %s (%zu cases, %zu elements)\n", ops.size() - failed, ops.size(),
                  device_text(device).c_str(), cases, elements);
  }
  return failed + rows_failed == 0 ? kExitOk : kExitFailed;
}

}  // namespace

void add_selftest(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "selftest", "Check every operator, and texts with rows, against references; one line each");
  auto options = std::make_shared<SelftestOptions>();
  command->add_option("OP", options->ops, "Operators to check, or rows (default: all)")->type_name("");
  command->add_option("--device", options->device, "cpu or cuda:N (default: cpu)")->type_name("DEVICE");
  command->add_option("--threads", options->threads, "CPU threads")
      ->type_name("N")
      ->check(decimal())
      ->check(CLI::Range(1, 4096).description(""));
  command->add_flag("--all", options->all, "Every dtype in every layout, which takes minutes on a GPU");
  command->add_flag("--json", options->json, "Print JSON");
  command->add_flag("-v,--verbose", options->verbose, "Print every case that fails");
  command->footer("Exit code 1 if anything fails. Send the whole output with a report.");
  command->callback([options, exit_code] { *exit_code = selftest(*options); });
}

}  // namespace tileops::cli
