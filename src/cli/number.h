// Numbers on the command line: as texts of expressions have them, so that a number means the same in both.
#ifndef TILEOPS_CLI_NUMBER_H_
#define TILEOPS_CLI_NUMBER_H_

#include <cstdint>
#include <string>

namespace tileops::cli {

// Is it a number: decimal digits without a leading 0, a sign before them only if it is '-', "0.5" and "1e-3" with
// digits on both sides of the point? `integer`: one without point and exponent.
bool is_number(const std::string& text, bool integer);

// Each throws UsageError, with `what` before the message.
int64_t parse_int(const std::string& text, const std::string& what);
// As parse_int; 2^63 to 2^64 - 1 stand for the negative number with the same bits.
int64_t parse_bits(const std::string& text, const std::string& what);
double parse_double(const std::string& text, const std::string& what);  // also inf, -inf and nan

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_NUMBER_H_
