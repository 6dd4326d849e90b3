# Written by bindings/julia/generate.py from the C library's tables; `./dev bindings` writes it anew.

const OP_EXP = OpInfo(101, :exp, :unary_math, "e^x",
    :float, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_LOG = OpInfo(102, :log, :unary_math, "natural logarithm; log(0) = -inf, NaN below",
    :float, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_SQRT = OpInfo(103, :sqrt, :unary_math, "square root",
    :float, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_RSQRT = OpInfo(104, :rsqrt, :unary_math, "1/sqrt(x); rsqrt(0) = inf",
    :float, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_RECIPROCAL = OpInfo(105, :reciprocal, :unary_math, "1/x; reciprocal(-0) = -inf",
    :float, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_SIN = OpInfo(106, :sin, :unary_math, "sine of x radians, for every finite x",
    :float, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_COS = OpInfo(107, :cos, :unary_math, "cosine of x radians, for every finite x",
    :float, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_ERF = OpInfo(108, :erf, :unary_math, "error function",
    :float, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_LOG1P = OpInfo(109, :log1p, :unary_math, "log(1 + x), accurate near 0",
    :float, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_EXPM1 = OpInfo(110, :expm1, :unary_math, "e^x - 1, accurate near 0",
    :float, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_ABS = OpInfo(111, :abs, :unary_math, "absolute value; abs(INT_MIN) wraps",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_NEG = OpInfo(112, :neg, :unary_math, "-x; integers wrap",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_SIGN = OpInfo(113, :sign, :unary_math, "-1, 0 or 1; sign(NaN) = 0 as in PyTorch",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_FLOOR = OpInfo(114, :floor, :unary_math, "largest integer <= x",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_CEIL = OpInfo(115, :ceil, :unary_math, "smallest integer >= x",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_TRUNC = OpInfo(116, :trunc, :unary_math, "x without its fraction",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_ROUND = OpInfo(117, :round, :unary_math, "nearest integer, half to even; to `decimals` places",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(8, :int, :decimals, 0, (), "decimal places to round to; negative: left of the point; at most 22 either way, 10 for floats of at most 32 bits"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_ADD = OpInfo(201, :add, :binary_arith, "a + alpha*b; bool: or",
    :promoted, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(1, :float, :alpha, 1.0, (), "multiplier of the second operand, or of the negative branch"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_SUB = OpInfo(202, :sub, :binary_arith, "a - alpha*b",
    :promoted, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(1, :float, :alpha, 1.0, (), "multiplier of the second operand, or of the negative branch"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_MUL = OpInfo(203, :mul, :binary_arith, "a * b; bool: and",
    :promoted, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_DIV = OpInfo(204, :div, :binary_arith, "a / b",
    :quotient, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(9, :choice, :rounding, :none, (:none, :trunc, :floor,), "how a quotient is rounded: not (none), toward zero (trunc) or down (floor); with trunc and floor integers stay integers. A cast to float8_e8m0fnu rounds to the nearest power of two (none), the next lower one (trunc, floor) or the next higher one (up)"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_REMAINDER = OpInfo(205, :remainder, :binary_arith, "remainder with the sign of b, exact; x % 0 = NaN for floats",
    :promoted, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_FLOOR_DIVIDE = OpInfo(206, :floor_divide, :binary_arith, "floored quotient, PyTorch's fmod-based definition",
    :promoted, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_POW = OpInfo(207, :pow, :binary_arith, "a^b with the IEEE special cases of C pow",
    :promoted, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, true, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(10, :float, :exponent, nothing, (), "exponent, where it is not an operand"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_LERP = OpInfo(208, :lerp, :binary_arith, "a + weight*(b - a), exact at weight = 0 and 1 if b - a is finite, but for the sign of a zero",
    :promoted, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true), Operand(:weight, true, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(11, :float, :weight, 0.5, (), "interpolation weight, where it is not an operand"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_MAXIMUM = OpInfo(209, :maximum, :binary_arith, "larger operand; NaN propagates, +0 > -0",
    :promoted, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_MINIMUM = OpInfo(210, :minimum, :binary_arith, "smaller operand; NaN propagates, -0 < +0",
    :promoted, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_RELU = OpInfo(301, :relu, :activation, "max(x, 0); NaN stays",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_GELU = OpInfo(302, :gelu, :activation, "x * Phi(x), or its tanh approximation",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(7, :choice, :approximate, :none, (:none, :tanh,), "formula of gelu: none is the exact one, tanh an approximation of it"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_SILU = OpInfo(303, :silu, :activation, "x / (1 + e^-x)",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_SIGMOID = OpInfo(304, :sigmoid, :activation, "1 / (1 + e^-x)",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_TANH = OpInfo(305, :tanh, :activation, "hyperbolic tangent",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_LEAKY_RELU = OpInfo(306, :leaky_relu, :activation, "x > 0 ? x : negative_slope*x",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(4, :float, :negative_slope, 0.01, (), "slope for x <= 0"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_ELU = OpInfo(307, :elu, :activation, "x > 0 ? x : alpha*expm1(x)",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(1, :float, :alpha, 1.0, (), "multiplier of the second operand, or of the negative branch"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_SELU = OpInfo(308, :selu, :activation, "1.0507009873554805 * (x > 0 ? x : 1.6732632423543772*expm1(x))",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_HARDSWISH = OpInfo(309, :hardswish, :activation, "x * clamp(x + 3, 0, 6) / 6; NaN stays",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_HARDSIGMOID = OpInfo(310, :hardsigmoid, :activation, "clamp(x + 3, 0, 6) / 6; NaN stays",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_HARDTANH = OpInfo(311, :hardtanh, :activation, "clamp(x, min_val, max_val); NaN stays",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(5, :float, :min_val, -1.0, (), "lower bound of hardtanh"),
     Attribute(6, :float, :max_val, 1.0, (), "upper bound of hardtanh"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_SOFTPLUS = OpInfo(312, :softplus, :activation, "beta*x > threshold ? x : log1p(e^(beta*x))/beta",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(2, :float, :beta, 1.0, (), "sharpness of softplus"),
     Attribute(3, :float, :threshold, 20.0, (), "beta*x above which softplus is x"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_MISH = OpInfo(313, :mish, :activation, "x * tanh(softplus(x)), algebraic form",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_PRELU = OpInfo(314, :prelu, :activation, "x > 0 ? x : weight[c]*x, c the index along `axis`; weight 0-d, (1,) or (C,)",
    :promoted, :first,
    Operand[Operand(:x, false, true), Operand(:weight, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(12, :axis, :axis, nothing, (), "dimension of the channels or of an index; -1 is the last one"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_SILU_AND_MUL = OpInfo(401, :silu_and_mul, :fused_gated, "silu(gate) * value",
    :promoted, :gated,
    Operand[Operand(:gate, false, true), Operand(:value, true, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_GELU_AND_MUL = OpInfo(402, :gelu_and_mul, :fused_gated, "gelu(gate) * value",
    :promoted, :gated,
    Operand[Operand(:gate, false, true), Operand(:value, true, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_GELU_TANH_AND_MUL = OpInfo(403, :gelu_tanh_and_mul, :fused_gated, "gelu_tanh(gate) * value",
    :promoted, :gated,
    Operand[Operand(:gate, false, true), Operand(:value, true, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_EQ = OpInfo(501, :eq, :comparison, "a == b",
    :bool, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_NE = OpInfo(502, :ne, :comparison, "a != b; true for NaN",
    :bool, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_GT = OpInfo(503, :gt, :comparison, "a > b",
    :bool, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_LT = OpInfo(504, :lt, :comparison, "a < b",
    :bool, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_GE = OpInfo(505, :ge, :comparison, "a >= b",
    :bool, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_LE = OpInfo(506, :le, :comparison, "a <= b",
    :bool, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_BITWISE_AND = OpInfo(511, :bitwise_and, :bitwise, "a & b",
    :promoted, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_BITWISE_OR = OpInfo(512, :bitwise_or, :bitwise, "a | b",
    :promoted, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_BITWISE_XOR = OpInfo(513, :bitwise_xor, :bitwise, "a ^ b",
    :promoted, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_BITWISE_NOT = OpInfo(514, :bitwise_not, :bitwise, "~x; bool: not",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_LOGICAL_AND = OpInfo(521, :logical_and, :logical, "both non-zero; NaN is true",
    :bool, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_LOGICAL_OR = OpInfo(522, :logical_or, :logical, "either non-zero; NaN is true",
    :bool, :broadcast,
    Operand[Operand(:a, false, true), Operand(:b, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_LOGICAL_NOT = OpInfo(523, :logical_not, :logical, "zero; NaN is true, so its negation is false",
    :bool, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_WHERE = OpInfo(601, :where, :special, "cond ? x : y, bits kept if x, y and out are of one dtype",
    :promoted, :broadcast,
    Operand[Operand(:cond, false, false), Operand(:x, false, true), Operand(:y, false, true)],
    Operand[Operand(:out, false, false)],
    Attribute[Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_CLAMP = OpInfo(602, :clamp, :special, "min(max(x, min), max); NaN propagates; one bound may be absent",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true), Operand(:min, true, true), Operand(:max, true, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(13, :float, :min, nothing, (), "lower bound, where it is not an operand; absent: none"),
     Attribute(14, :float, :max, nothing, (), "upper bound, where it is not an operand; absent: none"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_MASKED_FILL = OpInfo(603, :masked_fill, :special, "mask ? value : x; value is 0-d, taken in the type that x is computed in and converted once",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true), Operand(:mask, false, false), Operand(:value, true, false)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(15, :float, :value, nothing, (), "fill value, where it is not an operand"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_NAN_TO_NUM = OpInfo(604, :nan_to_num, :special, "replaces NaN and infinities; others unchanged",
    :promoted, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(16, :float, :nan, 0.0, (), "replacement for NaN"),
     Attribute(17, :float, :posinf, nothing, (), "replacement for +inf; absent: the dtype's largest finite value"),
     Attribute(18, :float, :neginf, nothing, (), "replacement for -inf; absent: the dtype's lowest finite value"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_ISNAN = OpInfo(605, :isnan, :special, "x is NaN",
    :bool, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_ISINF = OpInfo(606, :isinf, :special, "x is infinite",
    :bool, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_ISFINITE = OpInfo(607, :isfinite, :special, "x is neither NaN nor infinite",
    :bool, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_CAST = OpInfo(608, :cast, :special, "conversion; floats to integers truncate and saturate, NaN to 0; also copies strided memory",
    :source, :broadcast,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(9, :choice, :rounding, :none, (:none, :trunc, :floor, :up,), "how a quotient is rounded: not (none), toward zero (trunc) or down (floor); with trunc and floor integers stay integers. A cast to float8_e8m0fnu rounds to the nearest power of two (none), the next lower one (trunc, floor) or the next higher one (up)"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_ROPE_NEOX = OpInfo(701, :rope_neox, :rope, "rotary embedding, pairs (i, i + d/2)",
    :promoted, :first,
    Operand[Operand(:x, false, true), Operand(:position_ids, true, false), Operand(:cos, true, false), Operand(:sin, true, false)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(19, :axis, :seq_axis, nothing, (), "position dimension; absent: -2 for rank 2, else -3"),
     Attribute(20, :int, :offset, 0, (), "added to positions; for dropout the Philox offset"),
     Attribute(21, :int, :rotary_dim, nothing, (), "leading part of the head that is rotated; absent: all of it"),
     Attribute(22, :float, :base, 10000.0, (), "base of the frequencies"),
     Attribute(23, :int, :interleaved, 0, (), "1: pairs (2i, 2i+1); 0: pairs (i, i + d/2)"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_ROPE_NON_NEOX = OpInfo(702, :rope_non_neox, :rope, "rotary embedding, pairs (2i, 2i + 1)",
    :promoted, :first,
    Operand[Operand(:x, false, true), Operand(:position_ids, true, false), Operand(:cos, true, false), Operand(:sin, true, false)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(19, :axis, :seq_axis, nothing, (), "position dimension; absent: -2 for rank 2, else -3"),
     Attribute(20, :int, :offset, 0, (), "added to positions; for dropout the Philox offset"),
     Attribute(21, :int, :rotary_dim, nothing, (), "leading part of the head that is rotated; absent: all of it"),
     Attribute(22, :float, :base, 10000.0, (), "base of the frequencies"),
     Attribute(23, :int, :interleaved, 1, (), "1: pairs (2i, 2i+1); 0: pairs (i, i + d/2)"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_ROPE_LLAMA31 = OpInfo(703, :rope_llama31, :rope, "rotary embedding with the frequency scaling of Llama 3.1",
    :promoted, :first,
    Operand[Operand(:x, false, true), Operand(:position_ids, true, false), Operand(:cos, true, false), Operand(:sin, true, false)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(19, :axis, :seq_axis, nothing, (), "position dimension; absent: -2 for rank 2, else -3"),
     Attribute(20, :int, :offset, 0, (), "added to positions; for dropout the Philox offset"),
     Attribute(21, :int, :rotary_dim, nothing, (), "leading part of the head that is rotated; absent: all of it"),
     Attribute(22, :float, :base, 10000.0, (), "base of the frequencies"),
     Attribute(23, :int, :interleaved, 0, (), "1: pairs (2i, 2i+1); 0: pairs (i, i + d/2)"),
     Attribute(24, :float, :scale_factor, 8.0, (), "context extension factor"),
     Attribute(25, :float, :low_freq_factor, 1.0, (), "Llama 3.1 scaling"),
     Attribute(26, :float, :high_freq_factor, 4.0, (), "Llama 3.1 scaling"),
     Attribute(27, :int, :original_max_position, 8192, (), "context length of the base model"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_ROPE_YARN = OpInfo(704, :rope_yarn, :rope, "rotary embedding with YaRN scaling (arXiv:2309.00071)",
    :promoted, :first,
    Operand[Operand(:x, false, true), Operand(:position_ids, true, false), Operand(:cos, true, false), Operand(:sin, true, false)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(19, :axis, :seq_axis, nothing, (), "position dimension; absent: -2 for rank 2, else -3"),
     Attribute(20, :int, :offset, 0, (), "added to positions; for dropout the Philox offset"),
     Attribute(21, :int, :rotary_dim, nothing, (), "leading part of the head that is rotated; absent: all of it"),
     Attribute(22, :float, :base, 10000.0, (), "base of the frequencies"),
     Attribute(23, :int, :interleaved, 0, (), "1: pairs (2i, 2i+1); 0: pairs (i, i + d/2)"),
     Attribute(24, :float, :scale_factor, 16.0, (), "context extension factor"),
     Attribute(27, :int, :original_max_position, 4096, (), "context length of the base model"),
     Attribute(28, :float, :beta_fast, 32.0, (), "YaRN: rotations above which a dimension is not scaled"),
     Attribute(29, :float, :beta_slow, 1.0, (), "YaRN: rotations below which a dimension is fully scaled"),
     Attribute(30, :float, :attn_factor, 1.0, (), "YaRN: multiplies cos and sin"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_ROPE_LONGROPE = OpInfo(705, :rope_longrope, :rope, "rotary embedding with LongRoPE's rescale factors (arXiv:2402.13753)",
    :promoted, :first,
    Operand[Operand(:x, false, true), Operand(:rescale_factors, false, false), Operand(:position_ids, true, false), Operand(:cos, true, false), Operand(:sin, true, false)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(19, :axis, :seq_axis, nothing, (), "position dimension; absent: -2 for rank 2, else -3"),
     Attribute(20, :int, :offset, 0, (), "added to positions; for dropout the Philox offset"),
     Attribute(21, :int, :rotary_dim, nothing, (), "leading part of the head that is rotated; absent: all of it"),
     Attribute(22, :float, :base, 10000.0, (), "base of the frequencies"),
     Attribute(23, :int, :interleaved, 0, (), "1: pairs (2i, 2i+1); 0: pairs (i, i + d/2)"),
     Attribute(27, :int, :original_max_position, 4096, (), "context length of the base model"),
     Attribute(31, :int, :max_position, 131072, (), "LongRoPE: extended context length"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_DROPOUT = OpInfo(711, :dropout, :dropout, "keep ? x/(1-p) : 0, keep by Philox4x32-10 of the element's index",
    :promoted, :first,
    Operand[Operand(:x, false, true), Operand(:seed_offset, true, false)],
    Operand[Operand(:y, false, false), Operand(:mask, true, false)],
    Attribute[Attribute(32, :float, :p, 0.5, (), "probability of dropping an element"),
     Attribute(33, :int, :seed, 0, (), "64-bit Philox key"),
     Attribute(20, :int, :offset, 0, (), "added to positions; for dropout the Philox offset"),
     Attribute(34, :int, :training, 1, (), "0: copy the input"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_ALIBI = OpInfo(721, :alibi, :position, "-slope[h] * |i + offset - j| for y of shape (H, Sq, Sk) (arXiv:2108.12409)",
    :promoted, :given,
    Operand[Operand(:slopes, true, false)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(35, :int, :causal, 0, (), "1: -inf above the diagonal"),
     Attribute(36, :choice, :slopes, :paper, (:paper, :geometric,), "head slopes: those of the paper, or 2^(-8(h+1)/H) for every H"),
     Attribute(20, :int, :offset, 0, (), "added to positions; for dropout the Philox offset"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OP_SINUSOIDAL = OpInfo(731, :sinusoidal, :position, "sin and cos of position/base^(2i/D) for y of shape (S, D) (arXiv:1706.03762)",
    :promoted, :given,
    Operand[],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(22, :float, :base, 10000.0, (), "base of the frequencies"),
     Attribute(20, :int, :offset, 0, (), "added to positions; for dropout the Philox offset"),
     Attribute(37, :choice, :layout, :interleaved, (:interleaved, :halves,), "sines in even and cosines in odd columns, or in the first and the second half"),
     Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating")])

const OPERATORS = [OP_EXP,
    OP_LOG,
    OP_SQRT,
    OP_RSQRT,
    OP_RECIPROCAL,
    OP_SIN,
    OP_COS,
    OP_ERF,
    OP_LOG1P,
    OP_EXPM1,
    OP_ABS,
    OP_NEG,
    OP_SIGN,
    OP_FLOOR,
    OP_CEIL,
    OP_TRUNC,
    OP_ROUND,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_REMAINDER,
    OP_FLOOR_DIVIDE,
    OP_POW,
    OP_LERP,
    OP_MAXIMUM,
    OP_MINIMUM,
    OP_RELU,
    OP_GELU,
    OP_SILU,
    OP_SIGMOID,
    OP_TANH,
    OP_LEAKY_RELU,
    OP_ELU,
    OP_SELU,
    OP_HARDSWISH,
    OP_HARDSIGMOID,
    OP_HARDTANH,
    OP_SOFTPLUS,
    OP_MISH,
    OP_PRELU,
    OP_SILU_AND_MUL,
    OP_GELU_AND_MUL,
    OP_GELU_TANH_AND_MUL,
    OP_EQ,
    OP_NE,
    OP_GT,
    OP_LT,
    OP_GE,
    OP_LE,
    OP_BITWISE_AND,
    OP_BITWISE_OR,
    OP_BITWISE_XOR,
    OP_BITWISE_NOT,
    OP_LOGICAL_AND,
    OP_LOGICAL_OR,
    OP_LOGICAL_NOT,
    OP_WHERE,
    OP_CLAMP,
    OP_MASKED_FILL,
    OP_NAN_TO_NUM,
    OP_ISNAN,
    OP_ISINF,
    OP_ISFINITE,
    OP_CAST,
    OP_ROPE_NEOX,
    OP_ROPE_NON_NEOX,
    OP_ROPE_LLAMA31,
    OP_ROPE_YARN,
    OP_ROPE_LONGROPE,
    OP_DROPOUT,
    OP_ALIBI,
    OP_SINUSOIDAL]

for op in OPERATORS
    BY_NAME[op.name] = op
end

# Functions that only expressions have.

const OP_DROPOUT_MASK = OpInfo(1003, :dropout_mask, :function, "mask of the operator dropout for an operand of x's shape",
    :bool, :function,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[Attribute(32, :float, :p, 0.5, (), "probability of dropping an element"), Attribute(33, :int, :seed, 0, (), "64-bit Philox key"), Attribute(20, :int, :offset, 0, (), "added to positions; for dropout the Philox offset")])

const OP_FMA = OpInfo(1004, :fma, :function, "a * b + c, rounded once",
    :promoted, :function,
    Operand[Operand(:a, false, true), Operand(:b, false, true), Operand(:c, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_EXP2 = OpInfo(1005, :exp2, :function, "2^x",
    :float, :function,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_LOG2 = OpInfo(1006, :log2, :function, "base-2 logarithm",
    :float, :function,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const OP_LOGSIGMOID = OpInfo(1007, :logsigmoid, :function, "log(sigmoid(x)), right where sigmoid(x) is 0 or 1",
    :float, :function,
    Operand[Operand(:x, false, true)],
    Operand[Operand(:y, false, false)],
    Attribute[])

const FUNCTIONS = [OP_DROPOUT_MASK, OP_FMA, OP_EXP2, OP_LOG2, OP_LOGSIGMOID]
