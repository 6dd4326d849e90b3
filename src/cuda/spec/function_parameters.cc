#include "cuda/spec/function_parameters.h"

#include <algorithm>

#include "base/error.h"
#include "cuda/steps/type_names.h"
#include "problem/rows/stages.h"

namespace tileops::cuda {
namespace {

[[noreturn]] void refuse_groups() {
  unsupported("expr: reduces groups or several axes apart, which a function of registers does not");
}

// What C++ calls a dtype that it has; NULL for others.
const char* cpp_name(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32: return "float";
    case Dtype::f64: return "double";
    case Dtype::i8: return "signed char";
    case Dtype::i16: return "short";
    case Dtype::i32: return "int";
    case Dtype::i64: return "long long";
    case Dtype::u8: return "unsigned char";
    case Dtype::u16: return "unsigned short";
    case Dtype::u32: return "unsigned int";
    case Dtype::u64: return "unsigned long long";
    default: return compute_type(dtype) == Ctype::boolean ? "bool" : nullptr;
  }
}

std::string parameter_text(Dtype dtype, const std::string& storage, bool single, const std::string& name, bool result) {
  const char* plain = cpp_name(dtype);
  const std::string type = plain ? plain : "tileops::device::" + storage, q = result ? "" : "const ";
  if (single) return type + (result ? "& " : " ") + name;
  if (is_plain(dtype)) return q + type + " (&" + name + ")[N]";
  return q + "tileops::device::packed<" + type + ", N>& " + name;
}

}  // namespace

bool is_plain(Dtype dtype) { return ctype_dtype(compute_type(dtype)) == dtype; }

FunctionParameters::FunctionParameters(const Problem& problem, const PassInfo& info, const FunctionNames& names)
    : problem_(problem), pass_(problem.passes[0]), info_(info) {
  require_registers(names);
  for (const View& load : pass_.loads)
    if (load.kind == ViewKind::input) inputs_.insert(load.slot);
  find_numbers();
}

void FunctionParameters::require_registers(const FunctionNames& names) const {
  for (size_t i = 0; i < pass_.loads.size(); ++i) {
    const View& load = pass_.loads[i];
    if (load.kind == ViewKind::index)
      unsupported("expr: asks for the position of elements, which a function of registers does not know");
    if (load.kind == ViewKind::temporary || !load.indices.empty())
      unsupported("expr: reads operands at places that it computes, which a function of registers cannot");
    if (load.kind == ViewKind::constant && !is_single(i))
      unsupported("expr: takes a table of constants, which a function of registers cannot");
    if (is_row() && info_.of(load_value(i)).level == Level::group) refuse_groups();
    if (load.kind != ViewKind::input) continue;
    for (size_t j = 0; j < i; ++j) {
      const View& other = pass_.loads[j];
      if (other.kind == ViewKind::input && other.slot == load.slot &&
          (other.offset != load.offset || other.strides != load.strides))
        unsupported("expr: takes parts of operand '%s', which are operands of their own of a function of registers",
                    names.operands[static_cast<size_t>(load.slot)].c_str());
    }
  }
  for (const Step& step : pass_.steps) {
    if (step.scans) unsupported("expr: scans rows, which a function of registers does not");
    if (step.reduces() && (step.rank != pass_.row_rank || step.reduction == Reduction::sum_of_pairs)) refuse_groups();
    if (step.reduces() && step.in_columns && depends_on_order(step))
      unsupported("expr: reduces other axes than the last one, which a function of registers does not");
  }
}

void FunctionParameters::find_numbers() {
  for (size_t i = 0; i < problem_.num_numbers; ++i) {
    const Numbers::Source source = problem_.numbers->source_of(i);
    if (source.varies && source.scalar < 0)
      unsupported("expr: computes with scalars on the host; give what it computes as a scalar of its own");
    if (source.scalar >= 0) scalars_.insert(source.scalar);
  }
  if (problem_.num_numbers == 0) return;
  usual_.resize(problem_.num_numbers);
  problem_.numbers->compute(nullptr, 0, nullptr, usual_.data());
}

std::string FunctionParameters::text() const {
  std::string all;
  const auto add = [&](const std::string& p) { all += (all.empty() ? "" : ", ") + p; };
  for (const int s : scalars_) add(scalar_type(s) + " s" + number(s));
  for (const int i : inputs_)
    add(parameter_text(dtype_of_input(i), storage_name(dtype_of_input(i)), is_single_input(i), "x" + number(i), false));
  for (size_t k = 0; k < pass_.stores.size(); ++k)
    add(parameter_text(pass_.stores[k].dtype, destination_name(pass_.stores[k].dtype, pass_.stores[k].fp8),
                       store_is_of_row(k), "y" + number(k), true));
  return all;
}

std::string FunctionParameters::names() const {
  std::string all;
  const auto add = [&](const char* kind, auto n) { all += (all.empty() ? "" : ", ") + (kind + number(n)); };
  for (const int s : scalars_) add("s", s);
  for (const int i : inputs_) add("x", i);
  for (size_t k = 0; k < pass_.stores.size(); ++k) add("y", k);
  return all;
}

int64_t FunctionParameters::row_length() const {
  int64_t n = 1;
  for (size_t d = pass_.extents.size() - pass_.row_rank; d < pass_.extents.size(); ++d) n *= pass_.extents[d];
  return n;
}

bool FunctionParameters::is_of_row(const Value& v) const { return is_row() && info_.of(v).level == Level::block; }

bool FunctionParameters::store_is_of_row(size_t store) const {
  return is_row() && level_of_stored(pass_, info_, store) == Level::block;
}

bool FunctionParameters::is_single(size_t load) const {
  const View& view = pass_.loads[load];
  return view.kind == ViewKind::number || view.kind == ViewKind::constant || is_of_row(load_value(load)) ||
         std::all_of(view.strides.begin(), view.strides.end(), [](int64_t s) { return s == 0; });
}

bool FunctionParameters::is_single_input(int slot) const {
  for (size_t i = 0; i < pass_.loads.size(); ++i)
    if (pass_.loads[i].kind == ViewKind::input && pass_.loads[i].slot == slot) return is_single(i);
  return false;
}

Dtype FunctionParameters::dtype_of_input(int slot) const {
  for (const View& load : pass_.loads)
    if (load.kind == ViewKind::input && load.slot == slot) return load.dtype;
  return Dtype::f32;
}

// The type that kernels take a scalar in, of all that take it.
std::string FunctionParameters::scalar_type(int scalar) const {
  bool integer = true;
  for (const View& load : pass_.loads)
    if (load.kind == ViewKind::number && source(load.slot).scalar == scalar)
      integer = integer && load.dtype == Dtype::i64;
  for (const Step& step : pass_.steps)
    for (const int n : step.numbers) integer = integer && !(n >= 0 && source(n).scalar == scalar);
  return integer ? "long long" : "double";
}

}  // namespace tileops::cuda
