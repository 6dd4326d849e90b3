// The operators' share of the standard kernels.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/split.h"
#include "lower/lower.h"
#include "pack/collection.h"
#include "pack/operands.h"
#include "problem/request.h"

namespace tileops::cuda {
namespace {

// Who makes use of a row of operands.
enum class Which { sample, rest, strategies };

struct CallRow {
  std::string_view op, words;
};
struct OperandsRow {
  Which which;
  std::string_view ops, operands;
};
constexpr CallRow kCalls[] = {
#define TILEOPS_STANDARD_CALL(op, words) {#op, words},
#include "pack/standard.def"
};
constexpr OperandsRow kOperands[] = {
#define TILEOPS_STANDARD_OPERANDS(which, ops, operands) {Which::which, #ops, operands},
#include "pack/standard.def"
};
constexpr CallRow kSampledCalls[] = {
#define TILEOPS_STANDARD_SAMPLED(op, words) {#op, words},
#include "pack/standard.def"
};

// What is given beside the required operands.
struct Given {
  std::vector<tileops_attr> attrs;
  std::vector<std::string_view> operands;
  bool second_result = false;
};

tileops_attr read_attr(const AttrSpec& spec, std::string_view value) {
  const auto choices = split(spec.choices, '|');
  const auto choice = std::find(choices.begin(), choices.end(), value);
  tileops_attr attr{spec.info.key, TILEOPS_ATTR_F64, {}};
  attr.value.f64 = choice == choices.end() ? std::strtod(std::string(value).c_str(), nullptr)
                                           : static_cast<double>(choice - choices.begin());
  return attr;
}

Given read_call(const OpSpec& op, std::string_view words) {
  Given call;
  for (const std::string_view word : split(words, ' ')) {
    const size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const auto has_name = [&](const auto& spec) { return spec.name == name; };
    const auto attr = std::find_if(op.attrs.begin(), op.attrs.end(),
                                   [&](const AttrSpec& a) { return equals != word.npos && a.info.name == name; });
    if (attr != op.attrs.end()) call.attrs.push_back(read_attr(*attr, word.substr(equals + 1)));
    else if (std::any_of(op.inputs.begin(), op.inputs.end(), has_name)) call.operands.push_back(name);
    else if (std::any_of(op.outputs.begin(), op.outputs.end(), has_name)) call.second_result = true;
    else fail(TILEOPS_STATUS_INTERNAL, "standard.def: %s has no %s", op.name, std::string(word).c_str());
  }
  return call;
}

// The operator's own call first.
std::vector<Given> calls_of(const OpSpec& op) {
  std::vector<Given> calls{Given{}};
  for (const CallRow& row : kCalls)
    if (row.op == op.name) calls.push_back(read_call(op, row.words));
  return calls;
}

bool is_broadcast(const OpSpec& op) {
  switch (op.lowering) {
    case Lowering::prelu:
    case Lowering::gated:
    case Lowering::rope:
    case Lowering::alibi:
    case Lowering::sinusoidal: return false;
    default: return true;
  }
}

struct RowOperands {
  const OperandsRow* row;
  Operands operands;
};
std::vector<RowOperands> operands_of(const OpSpec& op, Share share) {
  std::vector<RowOperands> all;
  for (const OperandsRow& row : kOperands) {
    if (row.which == Which::rest && share != Share::all) continue;
    if (row.which == Which::strategies && share != Share::strategies) continue;
    if (row.ops != op.name && row.ops != op.category && !(row.ops == "broadcast" && is_broadcast(op))) continue;
    for (Operands& operands : read_operands(row.operands))
      if (operands.placed.size() <= op.inputs.size()) all.push_back({&row, std::move(operands)});
  }
  return all;
}

// Adds the kernels of a call; false if the operator refuses it.
bool add(const OpSpec& op, const Given& call, Dtype dtype, Dtype result, const Operands& operands, Collection* kernels) {
  std::vector<tileops_tensor_desc> inputs(op.inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const OperandSpec& spec = op.inputs[i];
    const bool given = std::count(call.operands.begin(), call.operands.end(), spec.name) > 0;
    const OperandWord* word = operands.find(i, spec.name);
    if ((spec.optional && !given) || !word) continue;
    const Dtype usual = spec.fixed.empty() ? dtype : spec.fixed[0];
    inputs[i] = {dtype_to_dl(word->dtype.value_or(usual)), static_cast<int32_t>(word->shape.size()), word->shape.data(),
                 word->strides.empty() ? nullptr : word->strides.data()};
  }
  const auto output = [&](Dtype type) {
    return tileops_tensor_desc{dtype_to_dl(type), static_cast<int32_t>(operands.result.size()), operands.result.data(),
                               nullptr};
  };
  const tileops_tensor_desc outputs[] = {output(result), output(Dtype::boolean)};
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = op.op;
  desc.device = DLDevice{kDLCUDA, 0};
  desc.num_inputs = static_cast<int32_t>(inputs.size());
  desc.num_outputs = call.second_result ? 2 : 1;
  desc.num_attrs = static_cast<int32_t>(call.attrs.size());
  desc.inputs = inputs.data();
  desc.outputs = outputs;
  desc.attrs = call.attrs.data();
  try {
    kernels->add(lower(make_request(desc)), op.name);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Dtypes of results: all that a cast may have, of others the usual one.
std::vector<Dtype> results_of(const OpSpec& op, const Given& call, Dtype dtype) {
  if (op.compute == Compute::source) {
    std::vector<Dtype> all;
    for (int d = 0; d < kNumDtypes; ++d) all.push_back(static_cast<Dtype>(d));
    return all;
  }
  if (op.bool_result) return {Dtype::boolean};
  const bool rounded = !call.attrs.empty() && op.compute == Compute::quotient;
  const bool to_float = op.compute == Compute::to_float || (op.compute == Compute::quotient && !rounded);
  return {to_float && !is_float(dtype) ? Dtype::f32 : dtype};
}

using Rows = std::set<const OperandsRow*>;

// The rows whose operands the call takes are added to `taken`.
void add_call(const OpSpec& op, const Given& call, Dtype dtype, Share share, Collection* kernels, Rows* taken) {
  const std::vector<RowOperands> all = operands_of(op, share);
  for (const Dtype result : results_of(op, call, dtype))
    for (const auto& [row, operands] : all)
      if (add(op, call, dtype, result, operands, kernels)) taken->insert(row);
}

void add_strategies(Collection* kernels) {
  Rows taken;
  for (const CallRow& row : kSampledCalls) {
    const OpSpec& op = *find_op(std::string(row.op).c_str());
    for (const Dtype dtype : {Dtype::f16, Dtype::f32, Dtype::e4m3fn})
      add_call(op, read_call(op, row.words), dtype, Share::strategies, kernels, &taken);
  }
}

}  // namespace

void add_operators(Collection* kernels, Share share) {
  if (share == Share::strategies) return add_strategies(kernels);
  Rows taken;
  for (const auto& op : op_table()) {
    const std::vector<Given> calls = calls_of(*op);
    for (const Given& call : calls) {
      Rows taken_here;
      for (int d = 0; d < kNumDtypes; ++d) {
        const Dtype dtype = static_cast<Dtype>(d);
        if ((dtype_category(dtype) & op->dtypes) && (share == Share::all || is_sampled(dtype)))
          add_call(*op, call, dtype, share, kernels, &taken_here);
      }
      if (taken_here.empty() && &call != &calls[0])
        fail(TILEOPS_STATUS_INTERNAL, "standard.def: %s takes none of its operands in a call that has a row", op->name);
      taken.merge(taken_here);
    }
  }
  for (const OperandsRow& row : kOperands)
    if (share == Share::all && row.which != Which::strategies && !taken.count(&row))
      fail(TILEOPS_STATUS_INTERNAL, "standard.def: no call takes '%s'", std::string(row.operands).c_str());
}

}  // namespace tileops::cuda
