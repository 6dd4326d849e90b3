// The numbers that an execute of an expression computes on the host and hands to its kernels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "expr/infer/infer.h"

namespace tileops::expr {

// How a kernel takes a number of the host.
struct NumberForm {
  int node = 0;                    // of the graph; -1: a number of elements, less a correction, at least 0
  Ctype type{};                    // that it is computed with in the kernel; what no such type holds is an error
  Number::Type memory{};           // f64 or i64 in 8 bytes, or a bool in the first of them
  const AttrSpec* attr = nullptr;  // it must be in this attribute's range
  Dtype compared = Dtype::f64;     // with an operand of this float dtype, to which it is rounded first
  bool saturates = false;          // an integer is brought to the ends of the type
  Extent count = 0;                // the number of elements
  double correction = 0;
};

// Collects what the kernels of an expression take, and computes it.
class NumberTable {
 public:
  int find_or_add(const NumberForm& form);
  const NumberForm& form(int number) const { return forms_[number]; }
  size_t size() const { return forms_.size(); }
  std::shared_ptr<const Numbers> finish(const Inference& inference) const;

 private:
  std::vector<NumberForm> forms_;
};

// One number in its form. Throws Error; `name` is what messages call it.
AttrValue in_form(const Number& value, const NumberForm& form, const char* name);

}  // namespace tileops::expr
