// What a choice must know of a body because kernels/forms has something of its own for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "problem/problem.h"

namespace tileops::cuda {

struct BodyForms {
  std::string_view body;
  // Its form for operands of one 16-bit float dtype rounds once: results need no second look.
  bool rounds_16_bits_once = false;
  // Values inside an expression that are rounded to 16 bits or fewer in the end have a shorter form
  // (forms/within_2_20.h).
  bool has_inner = false;
  // In float32, roughly; of functions that are approximated steps/expression.cc knows.
  int instructions = 1;
  // Gated: the body that is its activation alone.
  const char* activation = nullptr;
  // Words that its kernels take behind the attributes.
  std::vector<uint64_t> (*prepared_words)(const Pass& pass, const std::string& policy) = nullptr;
};

const BodyForms& forms_of(const BodyInfo& body);

// A gated body's activation as a body of its own, of the gate alone.
const BodyInfo& activation_of(const BodyInfo& gated);

// Words of the pass's body; none of most.
std::vector<uint64_t> prepared_words(const Pass& pass, const std::string& policy);

// Dropout's: 1 - p and its reciprocal, then the threshold with flags. In f64 only where the policy
// is "bounded".
std::vector<uint64_t> dropout_words(const Pass& pass, const std::string& policy);

}  // namespace tileops::cuda
