#include "cli/workload.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "cli/dtype.h"
#include "cli/number.h"
#include "cli/options.h"
#include "cli/selftest/reference.h"

namespace tileops::cli {
namespace {

// Inputs and output of about n elements in the shape in which the operator is commonly used.
struct Workload {
  OperandTypes inputs;
  Shape shape;
  std::vector<std::string> attrs;
};

Workload make_workload(const tileops_op_info& op, DLDataType dtype, int64_t n, bool has_attrs) {
  const std::string category = op.category, name = op.name;
  const auto rows = [n](int64_t inner) { return std::max<int64_t>(n / inner, 1); };
  Workload w;
  w.shape = {n};
  if (category == "rope") {
    const int64_t head = std::clamp<int64_t>(n / 2 * 2, 2, 128), heads = n >= 64 * 1024 ? 8 : 1;
    w.shape = {rows(head * heads), heads, head};
  } else if (category == "fused_gated") {
    const int64_t inner = std::min<int64_t>(n, 4096);
    w.shape = {rows(inner), inner};
  } else if (name == "prelu") {
    w.shape = {rows(64), 64};
  } else if (name == "alibi") {
    const int64_t heads = n >= 1024 ? 16 : 1;
    const auto side = static_cast<int64_t>(std::sqrt(static_cast<double>(n / heads)));
    w.shape = {heads, side, side};
  } else if (name == "sinusoidal") {
    const int64_t inner = std::clamp<int64_t>(n / 2 * 2, 2, 512);
    w.shape = {rows(inner), inner};
  }
  for (int i = 0; i < op.max_inputs; ++i) {
    const tileops_operand_info& operand = op.inputs[i];
    const bool exponent = name == "pow" && !has_attrs;
    if (operand.optional && !exponent) continue;
    const DLDataType type = operand.dtype != nullptr ? parse_dtype(split(operand.dtype, '|')[0], "operand") : dtype;
    Shape shape = w.shape;
    if (category == "fused_gated") shape.back() *= 2;
    if (name == "prelu" && i == 1) shape = {64};
    if (std::strcmp(operand.name, "rescale_factors") == 0) shape = {w.shape.back() / 2};
    w.inputs.resize(static_cast<size_t>(i) + 1);
    w.inputs.back() = OperandType{type, shape};
  }
  // Operators that do nothing without an attribute.
  if (name == "clamp" && !has_attrs) w.attrs = {"min=-1", "max=1"};
  if (name == "masked_fill" && !has_attrs) w.attrs = {"value=0"};
  return w;
}

// The dtypes named in texts like "f32,bf16"; if there is none, float32, or int32 where the operator has no floats.
std::vector<DLDataType> dtypes_of_options(const tileops_op_info& op, const std::vector<std::string>& lists) {
  std::vector<DLDataType> dtypes;
  for (const std::string& names : lists) {
    for (const std::string& name : split(names, ',')) dtypes.push_back(parse_dtype(name, "--dtype"));
  }
  if (dtypes.empty()) dtypes.push_back((op.dtypes & TILEOPS_DTYPES_FLOAT) != 0 ? kF32 : kI32);
  return dtypes;
}

Case make_case(const tileops_op_info& op, const WorkloadOptions& options, DLDataType dtype, int64_t n) {
  const Workload w = make_workload(op, dtype, n, !options.attrs.empty());
  Case c;
  c.op = op.op;
  c.name = op.name;
  c.dtype = dtype;
  c.n = n;
  c.inputs = w.inputs;
  c.attrs = parse_attrs(op, options.attrs.empty() ? w.attrs : options.attrs);
  DLDataType out = dtype;
  if (!options.out_dtypes.empty()) out = parse_dtype(options.out_dtypes[0], "--out-dtype");
  else if (std::string(op.category) != "position") out = result_dtype(op, w.inputs, c.attrs);
  c.results = {{out, w.shape}};
  return c;
}

}  // namespace

int64_t parse_size(const std::string& text) {
  static const std::pair<const char*, int64_t> kUnits[] = {
      {"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"K", 1000}, {"M", 1000000}};
  for (const auto& [unit, factor] : kUnits) {
    const size_t length = std::strlen(unit);
    if (text.size() <= length || text.compare(text.size() - length, length, unit) != 0) continue;
    const int64_t n = parse_int(text.substr(0, text.size() - length), "--sizes");
    if (n > 0 && n < (int64_t{1} << 40) / factor) return n * factor;
    throw UsageError("--sizes: out of range: '" + text + "'");
  }
  const int64_t n = parse_int(text, "--sizes");
  if (n <= 0 || n > (int64_t{1} << 40)) throw UsageError("--sizes: out of range: '" + text + "'");
  return n;
}

std::vector<unsigned char> pattern(const std::string& name, const OperandType& type) {
  const Reference* reference = find_reference(name);
  const double lo = reference != nullptr ? reference->lo : 0.5;
  const double hi = reference != nullptr ? reference->hi : 2;
  const auto size = static_cast<size_t>(item_size(type.dtype));
  const size_t n = static_cast<size_t>(num_elements(type.shape)), period = 4099;
  std::vector<unsigned char> bytes(n * size);
  uint64_t state = 1;
  for (size_t i = 0; i < std::min(n, period); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const Real u = static_cast<Real>(state >> 40) * 0x1p-24L;
    Real value = lo + u * (hi - lo);
    if (is_int(type.dtype)) value = std::floor(1 + 100 * u);
    if (type.dtype == kBool) value = u < 0.5L;
    encode(type.dtype, value, &bytes[i * size]);
  }
  for (size_t at = period * size; at < bytes.size(); at += period * size) {
    std::memcpy(&bytes[at], bytes.data(), std::min(period * size, bytes.size() - at));
  }
  if (is_packed(type.dtype)) {
    pack(bytes.data(), n);
    bytes.resize(bytes_of(type.dtype, static_cast<int64_t>(n)));
  }
  return bytes;
}

std::string size_text(int64_t n) {
  if (n == 0) return "0";
  if (n % (1 << 20) == 0) return std::to_string(n >> 20) + "Mi";
  if (n % (1 << 10) == 0) return std::to_string(n >> 10) + "Ki";
  return std::to_string(n);
}

std::vector<int64_t> WorkloadOptions::parsed_sizes() const {
  std::vector<int64_t> parsed;
  for (const std::string& text : split(sizes.empty() ? usual_sizes : sizes, ',')) parsed.push_back(parse_size(text));
  return parsed;
}

std::vector<Case> make_cases(const WorkloadOptions& options) {
  if (options.ops.empty() == options.expr.empty()) throw UsageError("give operators or --expr, one of the two");
  if (!options.expr.empty()) return make_expression_cases(options);
  if (!options.shapes.empty()) throw UsageError("--shape: is for the operands of --expr; operators take --sizes");
  if (options.out_dtypes.size() > 1) throw UsageError("--out-dtype: given twice: " + options.out_dtypes[1]);
  std::vector<tileops_op_info> ops;
  for (const std::string& name : options.ops) ops.push_back(find_op(name));
  std::vector<Case> cases;
  for (const tileops_op_info& op : ops) {
    for (const DLDataType dtype : dtypes_of_options(op, options.dtypes)) {
      for (const int64_t n : options.parsed_sizes()) cases.push_back(make_case(op, options, dtype, n));
    }
  }
  return cases;
}

void WorkloadOptions::add(CLI::App* command, const std::string& devices) {
  command->add_option("OP", ops, "Operators, see `tileops ops`")->type_name("");
  command->add_option("-e,--expr", expr, kExprDoc)->type_name("TEXT|@FILE|NAME");
  add_list(command, "-d,--dtype", dtypes,
           "Dtypes, such as f32,bf16 (default: f32, or i32); of an expression's operand by name", "[NAME=]DTYPES");
  add_list(command, "--out-dtype", out_dtypes,
           "Dtype of the output (default: the operator's); of an expression's result by name", "[NAME=]DTYPE");
  command
      ->add_option("-n,--sizes", sizes, "Elements of the output; Ki, Mi, Gi, K, M count (default: " + usual_sizes + ")")
      ->type_name("SIZES");
  add_list(command, "--shape", shapes,
           "Shape of an expression's operands, such as 4096x4096 (default: --sizes elements), or of one, or of a "
           "scattered result, by name; "
           "optional operands are there if they are named",
           "[NAME=]SHAPE");
  add_list(command, "-a,--attr", attrs, "Attribute of the operator, such as approximate=tanh", "NAME=VALUE");
  command->add_option("--device", device, devices + " (default: " + device + ")")->type_name("DEVICE");
}

// By value of tileops_strategy.
constexpr const char* kStrategies[] = {
#define TILEOPS_STRATEGY(constant, name) name,
#include <tileops/strategies.def>
};

const char* strategy_text(tileops_strategy strategy) {
  return strategy >= 0 && strategy < static_cast<int>(std::size(kStrategies)) ? kStrategies[strategy] : "?";
}

void CutOptions::add(CLI::App* command) {
  command
      ->add_option("--strategy", strategy,
                   "How a CUDA kernel cuts its work: auto, direct, explicit_parallel, register_copy, "
                   "table, tile; of rows register_copy, reread, cluster (default: auto)")
      ->type_name("NAME");
  command->add_option("--block-threads", threads, "Threads of a block, with --strategy")
      ->type_name("N")
      ->check(decimal());
  command->add_option("--num-per-thread", num_per_thread, "Elements of a thread, with --strategy")
      ->type_name("N")
      ->check(decimal());
}

void CutOptions::apply(tileops_plan_desc* desc) const {
  const auto found = std::find(std::begin(kStrategies), std::end(kStrategies), strategy);
  if (found == std::end(kStrategies)) {
    std::string names;
    for (const char* name : kStrategies) names += (names.empty() ? "" : ", ") + std::string(name);
    throw UsageError("--strategy: unknown '" + strategy + "' (need one of " + names + ")");
  }
  desc->strategy = static_cast<tileops_strategy>(found - std::begin(kStrategies));
  desc->threads = threads;
  desc->num_per_thread = num_per_thread;
}

PlanDesc::PlanDesc(const Case& c, DLDevice device, const CutOptions& cut) : inputs_(c.inputs.size()) {
  const auto describe_type = [](const OperandType& type) {
    return tileops_tensor_desc{type.dtype, static_cast<int32_t>(type.shape.size()), type.shape.data(), nullptr};
  };
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    if (c.inputs[i]) inputs_[i] = describe_type(*c.inputs[i]);
  }
  for (const OperandType& result : c.results) outputs_.push_back(describe_type(result));
  desc_.op = c.op;
  desc_.device = device;
  desc_.num_inputs = static_cast<int32_t>(inputs_.size());
  desc_.num_outputs = static_cast<int32_t>(outputs_.size());
  desc_.num_attrs = static_cast<int32_t>(c.attrs.size());
  desc_.inputs = inputs_.data();
  desc_.outputs = outputs_.data();
  desc_.attrs = c.attrs.data();
  desc_.expr = c.expr ? c.expr->get() : nullptr;
  cut.apply(&desc_);
}

}  // namespace tileops::cli
