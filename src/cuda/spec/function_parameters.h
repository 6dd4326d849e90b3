// What a pass takes and gives as a function of registers: which operands, results and scalars are its parameters, and
// how each is declared.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cuda/spec/device_function.h"
#include "problem/analysis.h"

namespace tileops::cuda {

class FunctionParameters {
 public:
  // Throws Error(UNSUPPORTED), as device_function does.
  FunctionParameters(const Problem& problem, const PassInfo& info, const FunctionNames& names);

  const std::set<int>& inputs() const { return inputs_; }
  const std::set<int>& scalars() const { return scalars_; }
  // All of them, in the function's order: as they are declared, and their names alone.
  std::string text() const;
  std::string names() const;

  // Is it of rows? Several lanes of a warp may share one.
  bool is_row() const { return pass_.is_of_rows(); }
  int64_t row_length() const;
  // Is the value, or what the store writes, one for the whole row?
  bool is_of_row(const Value& v) const;
  bool store_is_of_row(size_t store) const;

  // Does the load, or each load of the input, read one element that serves all?
  bool is_single(size_t load) const;
  bool is_single_input(int slot) const;
  Dtype dtype_of_input(int slot) const;
  // Where a number comes from, and what it is by default.
  Numbers::Source source(int number) const { return problem_.numbers->source_of(static_cast<size_t>(number)); }
  const AttrValue& usual(int number) const { return usual_[static_cast<size_t>(number)]; }

 private:
  void require_registers(const FunctionNames& names) const;
  void find_numbers();
  std::string scalar_type(int scalar) const;

  const Problem& problem_;
  const Pass& pass_;
  const PassInfo& info_;
  std::set<int> inputs_, scalars_;
  std::vector<AttrValue> usual_;
};

// Does the function have elements of that dtype in an array of what they are computed in? Others are packed.
bool is_plain(Dtype dtype);

}  // namespace tileops::cuda
