// Names that something else in a text has as well: dtypes, choices, functions, attributes, the usual names of results
// and of values in between; and long ones that differ late.
#pragma once

#include <string>

namespace tileops::expr {

inline const std::string kClashingNames[] = {
    "x",
    "y",
    "y0",
    "y1",
    "y2",
    "y3",
    "t0",
    "t1",
    "t2",
    "h",
    "f16",
    "float16",
    "bf16",
    "bool",
    "f32",
    "int64",
    "i64",
    "e4m3fn",
    "tanh",
    "none",
    "trunc",
    "floor",
    "up",
    "exp",
    "cast",
    "add",
    "max",
    "min",
    "alpha",
    "dtype",
    "rounding",
    "weight",
    "exponent",
    "value",
    "n",
    "and",
    "a",
    "b",
    "True",
    "Inf",
    "nan_to_num",
    "float8_e4m3fn",
    std::string(70, 'n') + "1",
    std::string(70, 'n') + "2",
};
inline constexpr int kNumClashingNames = sizeof kClashingNames / sizeof kClashingNames[0];

}  // namespace tileops::expr
