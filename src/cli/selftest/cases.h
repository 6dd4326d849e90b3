// The problems that selftest tries: operator, dtype, attributes, operands, memory layout.
#ifndef TILEOPS_CLI_SELFTEST_CASES_H_
#define TILEOPS_CLI_SELFTEST_CASES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cli/common.h"
#include "cli/selftest/reference.h"

namespace tileops::cli {

// One way to call an operator.
struct Variant {
  const char* op;
  const char* attrs = "";         // "alpha=2 beta=0.5"
  const char* optional = "";      // names of the optional operands that are given
  uint32_t without = 0;           // TILEOPS_DTYPES_* bits that this way does not take
  DLDataType result = {0, 0, 0};  // output dtype asked for; bits 0: the operator's own
};

// The ways worth testing; at least one for an operator that this file does not know.
std::vector<Variant> variants_of(const tileops_op_info& op);

// How operands lie in memory.
enum class Layout { kContiguous, kBroadcast, kTransposed, kReversed };
inline constexpr Layout kLayouts[] = {Layout::kContiguous, Layout::kBroadcast, Layout::kTransposed, Layout::kReversed};
const char* layout_name(Layout layout);

// A complete problem with random and special values; the same for the same arguments.
Problem make_problem(const tileops_op_info& op, const Variant& variant, DLDataType dtype, Layout layout,
                     const Reference& reference);

// Attributes as the library takes them.
std::vector<tileops_attr> attrs_of(const tileops_op_info& op, const Variant& variant);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_SELFTEST_CASES_H_
