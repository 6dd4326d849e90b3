#include "cli/workload.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "cli/dtype.h"
#include "cli/selftest/reference.h"

namespace tileops::cli {

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

std::vector<unsigned char> pattern(const tileops_op_info& op, const OperandType& type) {
  const Reference* reference = find_reference(op.name);
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
  return bytes;
}

std::string size_text(int64_t n) {
  if (n % (1 << 20) == 0) return std::to_string(n >> 20) + "Mi";
  if (n % (1 << 10) == 0) return std::to_string(n >> 10) + "Ki";
  return std::to_string(n);
}

std::vector<DLDataType> workload_dtypes(const tileops_op_info& op, const std::string& names) {
  std::vector<DLDataType> dtypes;
  if (names.empty()) {
    dtypes.push_back((op.dtypes & TILEOPS_DTYPES_FLOAT) != 0 ? kF32 : kI32);
  } else {
    for (const std::string& text : split(names, ',')) dtypes.push_back(parse_dtype(text, "--dtype"));
  }
  return dtypes;
}

DLDataType workload_result(const tileops_op_info& op, const Workload& w, DLDataType dtype, const std::string& out_dtype,
                           const std::vector<tileops_attr>& attrs) {
  if (!out_dtype.empty()) return parse_dtype(out_dtype, "--out-dtype");
  return std::string(op.category) == "position" ? dtype : result_dtype(op, w.inputs, attrs);
}

void WorkloadOptions::add(CLI::App* command, const std::string& devices) {
  command->add_option("OP", ops, "Operators, see `tileops ops`")->required()->type_name("");
  command->add_option("-d,--dtype", dtypes, "Dtypes, such as f32,bf16 (default: f32, or i32)")->type_name("DTYPES");
  command->add_option("--out-dtype", out_dtype, "Dtype of the output (default: the operator's)")->type_name("DTYPE");
  command->add_option("-n,--sizes", sizes, "Elements of the output; Ki, Mi, Gi, K, M count (default: " + sizes + ")")
      ->type_name("SIZES");
  command->add_option("-a,--attr", attrs, "Attribute of the operator, such as approximate=tanh")
      ->type_size(1)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("NAME=VALUE");
  command->add_option("--device", device, devices + " (default: " + device + ")")->type_name("DEVICE");
}

// By value of tileops_strategy.
constexpr const char* kStrategies[] = {"auto", "direct", "explicit_parallel", "register_copy", "table", "tile"};

const char* strategy_text(tileops_strategy strategy) {
  return strategy >= 0 && strategy < static_cast<int>(std::size(kStrategies)) ? kStrategies[strategy] : "?";
}

void CutOptions::add(CLI::App* command) {
  command
      ->add_option("--strategy", strategy,
                   "How a CUDA kernel cuts its work: auto, direct, explicit_parallel, register_copy, "
                   "table, tile (default: auto)")
      ->type_name("NAME");
  command->add_option("--block-threads", threads, "Threads of a block, with --strategy")->type_name("N");
  command->add_option("--num-per-thread", num_per_thread, "Elements of a thread, with --strategy")->type_name("N");
}

void CutOptions::apply(tileops_plan_desc* desc) const {
  const auto found = std::find(std::begin(kStrategies), std::end(kStrategies), strategy);
  if (found == std::end(kStrategies)) {
    throw UsageError("--strategy: unknown '" + strategy +
                     "' (need auto, direct, explicit_parallel, register_copy, table or tile)");
  }
  desc->strategy = static_cast<tileops_strategy>(found - std::begin(kStrategies));
  desc->threads = threads;
  desc->num_per_thread = num_per_thread;
}

PlanDesc::PlanDesc(tileops_op op, DLDevice device, const OperandTypes& inputs, DLDataType out, const Shape& shape,
                   const std::vector<tileops_attr>& attrs, const CutOptions& cut)
    : shapes_(inputs.size()), shape_(shape), attrs_(attrs) {
  inputs_.resize(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    shapes_[i] = inputs[i]->shape;
    inputs_[i] = {inputs[i]->dtype, static_cast<int32_t>(shapes_[i].size()), shapes_[i].data(), nullptr};
  }
  output_ = {out, static_cast<int32_t>(shape_.size()), shape_.data(), nullptr};
  desc_.op = op;
  desc_.device = device;
  desc_.num_inputs = static_cast<int32_t>(inputs_.size());
  desc_.num_outputs = 1;
  desc_.num_attrs = static_cast<int32_t>(attrs_.size());
  desc_.inputs = inputs_.data();
  desc_.outputs = &output_;
  desc_.attrs = attrs_.data();
  cut.apply(&desc_);
}

}  // namespace tileops::cli
