# Written by bindings/julia/generate.py from the C library's tables; `./dev bindings` writes it anew.

const OPERAND_X_1 = Operand(:x, false, true, "float or integer or Bool", "(float, integer or bool): any shape")
const OPERAND_X_2 = Operand(:x, false, true, "float or integer", "(float or integer): any shape")
const OPERAND_X_3 = Operand(:x, false, true, "float", "(float): any shape")
const OPERAND_X_4 = Operand(:x, false, true, "integer or Bool", "(integer or bool): any shape")
const OPERAND_X_5 = Operand(:x, false, true, "integer", "(integer): any shape")
const OPERAND_X_6 = Operand(:x, false, true, "float or integer or Bool", "(float, integer or bool): any shape that broadcasts with the others, as in NumPy")
const OPERAND_X_7 = Operand(:x, false, true, "float or integer", "(float or integer): any shape that broadcasts with the others, as in NumPy")
const OPERAND_X_8 = Operand(:x, false, true, "float or integer or Bool", "(float, integer or bool): any shape that broadcasts with `mask`")
const OPERAND_X_9 = Operand(:x, false, true, "float or integer or Bool or scale or packed", "(float, integer, bool, scale or packed): any shape")
const OPERAND_X_10 = Operand(:x, false, true, "float", "(float): rank 2 or more, such as (S, D), (S, H, D), (B, S, H, D); D even unless `rotary_dim` is given")
const OPERAND_X_11 = Operand(:x, false, true, "", "")
const OPERAND_Y_1 = Operand(:y, false, false, "", "(result): the shape of the input")
const OPERAND_Y_2 = Operand(:y, false, false, "", "(result): the shape that the inputs broadcast to")
const OPERAND_Y_3 = Operand(:y, false, false, "", "(result): the shape of x")
const OPERAND_Y_4 = Operand(:y, false, false, "", "(result): the broadcast shape (..., N)")
const OPERAND_Y_5 = Operand(:y, false, true, "float or integer or Bool", "(float, integer or bool): any shape that broadcasts with the others, as in NumPy")
const OPERAND_Y_6 = Operand(:y, false, false, "", "(result): the broadcast shape of x and `mask`")
const OPERAND_Y_7 = Operand(:y, false, false, "", "(result): (H, Sq, Sk), as the caller gives it: there is no input to take it from")
const OPERAND_Y_8 = Operand(:y, false, false, "", "(result): (S, D), as the caller gives it; D even and at most 2^24")
const OPERAND_Y_9 = Operand(:y, false, false, "", "")
const OPERAND_A_1 = Operand(:a, false, true, "float or integer or Bool", "(float, integer or bool): any shape that broadcasts with the others, as in NumPy")
const OPERAND_A_2 = Operand(:a, false, true, "float or integer", "(float or integer): any shape that broadcasts with the others, as in NumPy")
const OPERAND_A_3 = Operand(:a, false, true, "float", "(float): any shape that broadcasts with the others, as in NumPy")
const OPERAND_A_4 = Operand(:a, false, true, "integer or Bool", "(integer or bool): any shape that broadcasts with the others, as in NumPy")
const OPERAND_A_5 = Operand(:a, false, true, "integer", "(integer): any shape that broadcasts with the others, as in NumPy")
const OPERAND_A_6 = Operand(:a, false, true, "", "")
const OPERAND_B_1 = Operand(:b, false, true, "float or integer or Bool", "(float, integer or bool): any shape that broadcasts with the others, as in NumPy")
const OPERAND_B_2 = Operand(:b, false, true, "float or integer", "(float or integer): any shape that broadcasts with the others, as in NumPy")
const OPERAND_B_3 = Operand(:b, true, true, "float or integer", "(float or integer; optional): any shape that broadcasts with the others, as in NumPy; the attribute exponent stands in for it")
const OPERAND_B_4 = Operand(:b, false, true, "float", "(float): any shape that broadcasts with the others, as in NumPy")
const OPERAND_B_5 = Operand(:b, false, true, "integer or Bool", "(integer or bool): any shape that broadcasts with the others, as in NumPy")
const OPERAND_B_6 = Operand(:b, false, true, "integer", "(integer): any shape that broadcasts with the others, as in NumPy")
const OPERAND_B_7 = Operand(:b, false, true, "", "")
const OPERAND_WEIGHT_1 = Operand(:weight, true, true, "float", "(float; optional): any shape that broadcasts with the others, as in NumPy; the attribute weight stands in for it")
const OPERAND_WEIGHT_2 = Operand(:weight, false, true, "float", "(float): 0-d or (1,), one slope for all; or (C,), C being the size of x's dimension `axis`, which x must then have (for a 1-d x: axis = 0)")
const OPERAND_GATE = Operand(:gate, false, true, "float", "(float): (..., N); without `value` (..., 2N), its last dimension even")
const OPERAND_VALUE_1 = Operand(:value, true, true, "float", "(float; optional): (..., N); broadcasts with `gate`")
const OPERAND_VALUE_2 = Operand(:value, true, false, "float or integer or Bool", "(float, integer or bool; optional): 0-d; does not take part in promotion; the attribute value stands in for it")
const OPERAND_COND = Operand(:cond, false, false, "bool", "(bool): any shape that broadcasts with the others, as in NumPy")
const OPERAND_OUT = Operand(:out, false, false, "", "(result): the shape that the inputs broadcast to")
const OPERAND_MIN = Operand(:min, true, true, "float or integer", "(float or integer; optional): any shape that broadcasts with the others, as in NumPy; the attribute min stands in for it")
const OPERAND_MAX = Operand(:max, true, true, "float or integer", "(float or integer; optional): any shape that broadcasts with the others, as in NumPy; the attribute max stands in for it")
const OPERAND_MASK_1 = Operand(:mask, false, false, "bool", "(bool): any shape that broadcasts with x, also to a larger one")
const OPERAND_MASK_2 = Operand(:mask, true, false, "", "(second result, bool; optional): the shape of x; true where the element was kept")
const OPERAND_POSITION_IDS = Operand(:position_ids, true, false, "int32 or int64", "(int32 or int64; optional): (S,), or (B, S) where B is the size of x's first dimension and `seq_axis` is not that dimension")
const OPERAND_COS = Operand(:cos, true, false, "float32", "(float32; optional): (positions, d/2)")
const OPERAND_SIN = Operand(:sin, true, false, "float32", "(float32; optional): (positions, d/2)")
const OPERAND_RESCALE_FACTORS = Operand(:rescale_factors, false, false, "float32", "(float32): (d/2,), the factor r_i of each pair; all above 0, other values give NaN for their pair")
const OPERAND_SEED_OFFSET = Operand(:seed_offset, true, false, "int64", "(int64; optional): (2,): element 0 is the seed, element 1 the offset")
const OPERAND_SLOPES = Operand(:slopes, true, false, "float32", "(float32; optional): (H,), in place of computed ones; the attribute `slopes` must then not be given. Without it H is at most 2^24")
const OPERAND_C = Operand(:c, false, true, "", "")

const ATTRIBUTE_FP8_OVERFLOW = Attribute(38, :choice, :fp8_overflow, nothing, (:saturate, :nonsaturating,), "fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating", "saturate = 0 or nonsaturating = 1; optional")
const ATTRIBUTE_DECIMALS = Attribute(8, :int, :decimals, 0, (), "decimal places to round to; negative: left of the point; at most 22 either way, 10 for floats of at most 32 bits", "integer from -22 to 22; default 0")
const ATTRIBUTE_ALPHA = Attribute(1, :float, :alpha, 1.0, (), "multiplier of the second operand, or of the negative branch", "number; default 1")
const ATTRIBUTE_ROUNDING_1 = Attribute(9, :choice, :rounding, :none, (:none, :trunc, :floor,), "how a quotient is rounded: not (none), toward zero (trunc) or down (floor); with trunc and floor integers stay integers. A cast to float8_e8m0fnu rounds to the nearest power of two (none), the next lower one (trunc, floor) or the next higher one (up)", "none = 0, trunc = 1 or floor = 2; default none")
const ATTRIBUTE_ROUNDING_2 = Attribute(9, :choice, :rounding, :none, (:none, :trunc, :floor, :up,), "how a quotient is rounded: not (none), toward zero (trunc) or down (floor); with trunc and floor integers stay integers. A cast to float8_e8m0fnu rounds to the nearest power of two (none), the next lower one (trunc, floor) or the next higher one (up)", "none = 0, trunc = 1, floor = 2 or up = 3; default none")
const ATTRIBUTE_EXPONENT = Attribute(10, :float, :exponent, nothing, (), "exponent, where it is not an operand", "number; optional")
const ATTRIBUTE_WEIGHT = Attribute(11, :float, :weight, 0.5, (), "interpolation weight, where it is not an operand", "number; default 0.5")
const ATTRIBUTE_APPROXIMATE = Attribute(7, :choice, :approximate, :none, (:none, :tanh,), "formula of gelu: none is the exact one, tanh an approximation of it", "none = 0 or tanh = 1; default none")
const ATTRIBUTE_NEGATIVE_SLOPE = Attribute(4, :float, :negative_slope, 0.01, (), "slope for x <= 0", "number; default 0.01")
const ATTRIBUTE_MIN_VAL = Attribute(5, :float, :min_val, -1.0, (), "lower bound of hardtanh", "number; default -1")
const ATTRIBUTE_MAX_VAL = Attribute(6, :float, :max_val, 1.0, (), "upper bound of hardtanh", "number; default 1")
const ATTRIBUTE_BETA = Attribute(2, :float, :beta, 1.0, (), "sharpness of softplus", "number; default 1")
const ATTRIBUTE_THRESHOLD = Attribute(3, :float, :threshold, 20.0, (), "beta*x above which softplus is x", "number; default 20")
const ATTRIBUTE_AXIS = Attribute(12, :axis, :axis, nothing, (), "dimension of the channels or of an index; -1 is the last one", "integer; default 1")
const ATTRIBUTE_MIN = Attribute(13, :float, :min, nothing, (), "lower bound, where it is not an operand; absent: none", "number; optional")
const ATTRIBUTE_MAX = Attribute(14, :float, :max, nothing, (), "upper bound, where it is not an operand; absent: none", "number; optional")
const ATTRIBUTE_VALUE = Attribute(15, :float, :value, nothing, (), "fill value, where it is not an operand", "number; optional")
const ATTRIBUTE_NAN = Attribute(16, :float, :nan, 0.0, (), "replacement for NaN", "number; default 0")
const ATTRIBUTE_POSINF = Attribute(17, :float, :posinf, nothing, (), "replacement for +inf; absent: the dtype's largest finite value", "number; optional")
const ATTRIBUTE_NEGINF = Attribute(18, :float, :neginf, nothing, (), "replacement for -inf; absent: the dtype's lowest finite value", "number; optional")
const ATTRIBUTE_SEQ_AXIS = Attribute(19, :axis, :seq_axis, nothing, (), "position dimension; absent: -2 for rank 2, else -3", "integer; optional")
const ATTRIBUTE_OFFSET_1 = Attribute(20, :int, :offset, 0, (), "added to positions; for dropout the Philox offset", "integer; default 0")
const ATTRIBUTE_OFFSET_2 = Attribute(20, :int, :offset, 0, (), "added to positions; for dropout the Philox offset", "integer from -4e+18 to 4e+18; default 0")
const ATTRIBUTE_ROTARY_DIM = Attribute(21, :int, :rotary_dim, nothing, (), "leading part of the head that is rotated; absent: all of it", "integer; optional")
const ATTRIBUTE_BASE = Attribute(22, :float, :base, 10000.0, (), "base of the frequencies", "number from 1 to 1e+300; default 10000")
const ATTRIBUTE_INTERLEAVED_1 = Attribute(23, :int, :interleaved, 0, (), "1: pairs (2i, 2i+1); 0: pairs (i, i + d/2)", "integer 0 or 1; default 0")
const ATTRIBUTE_INTERLEAVED_2 = Attribute(23, :int, :interleaved, 1, (), "1: pairs (2i, 2i+1); 0: pairs (i, i + d/2)", "integer 0 or 1; default 1")
const ATTRIBUTE_SCALE_FACTOR_1 = Attribute(24, :float, :scale_factor, 8.0, (), "context extension factor", "number from 1e-300 to 1e+300; default 8")
const ATTRIBUTE_SCALE_FACTOR_2 = Attribute(24, :float, :scale_factor, 16.0, (), "context extension factor", "number from 1e-300 to 1e+300; default 16")
const ATTRIBUTE_LOW_FREQ_FACTOR = Attribute(25, :float, :low_freq_factor, 1.0, (), "Llama 3.1 scaling", "number from 1e-300 to 1e+300; default 1")
const ATTRIBUTE_HIGH_FREQ_FACTOR = Attribute(26, :float, :high_freq_factor, 4.0, (), "Llama 3.1 scaling", "number from 1e-300 to 1e+300; default 4")
const ATTRIBUTE_ORIGINAL_MAX_POSITION_1 = Attribute(27, :int, :original_max_position, 8192, (), "context length of the base model", "integer from 1 to 4294967296; default 8192")
const ATTRIBUTE_ORIGINAL_MAX_POSITION_2 = Attribute(27, :int, :original_max_position, 4096, (), "context length of the base model", "integer from 1 to 4294967296; default 4096")
const ATTRIBUTE_BETA_FAST = Attribute(28, :float, :beta_fast, 32.0, (), "YaRN: rotations above which a dimension is not scaled", "number from 1e-300 to 1e+300; default 32")
const ATTRIBUTE_BETA_SLOW = Attribute(29, :float, :beta_slow, 1.0, (), "YaRN: rotations below which a dimension is fully scaled", "number from 1e-300 to 1e+300; default 1")
const ATTRIBUTE_ATTN_FACTOR = Attribute(30, :float, :attn_factor, 1.0, (), "YaRN: multiplies cos and sin", "number; default 1")
const ATTRIBUTE_MAX_POSITION = Attribute(31, :int, :max_position, 131072, (), "LongRoPE: extended context length", "integer from 1 to 4294967296; default 131072")
const ATTRIBUTE_P = Attribute(32, :float, :p, 0.5, (), "probability of dropping an element", "number from 0 to 1; default 0.5")
const ATTRIBUTE_SEED = Attribute(33, :int, :seed, 0, (), "64-bit Philox key", "integer; default 0")
const ATTRIBUTE_TRAINING = Attribute(34, :int, :training, 1, (), "0: copy the input", "integer 0 or 1; default 1")
const ATTRIBUTE_CAUSAL = Attribute(35, :int, :causal, 0, (), "1: -inf above the diagonal", "integer 0 or 1; default 0")
const ATTRIBUTE_SLOPES = Attribute(36, :choice, :slopes, :paper, (:paper, :geometric,), "head slopes: those of the paper, or 2^(-8(h+1)/H) for every H", "paper = 0 or geometric = 1; default paper")
const ATTRIBUTE_LAYOUT = Attribute(37, :choice, :layout, :interleaved, (:interleaved, :halves,), "sines in even and cosines in odd columns, or in the first and the second half", "interleaved = 0 or halves = 1; default interleaved")
const ATTRIBUTE_CORRECTION = Attribute(44, :int, :correction, 0, (), "what is taken off the number of elements", "")
const ATTRIBUTE_ROWS = Attribute(47, :int, :rows, 128, (), "rows of a tile: 128 or 8", "")
const ATTRIBUTE_REVERSE = Attribute(45, :int, :reverse, false, (), "true: from the last element to the first", "")
const ATTRIBUTE_EXCLUSIVE = Attribute(46, :int, :exclusive, false, (), "true: without the element itself", "")

const TEXT_DTYPES_1 = "Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of another dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0), to bool by being other than 0."
const TEXT_DTYPES_2 = "Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0), to bool by being other than 0."
const TEXT_DTYPES_3 = "Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an output of another dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0), to bool by being other than 0."
const TEXT_DTYPES_4 = "Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype, float32 for integers and bool. For an output of another dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0), to bool by being other than 0."
const TEXT_DTYPES_5 = "Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its kind alone; float16 with bfloat16 gives float32). The result is bool. An output of another dtype gets 0 and 1."
const TEXT_DTYPES_6 = "Dtypes: numbers count as true where they are not zero; NaN is true. The result is bool. An output of another dtype gets 0 and 1."
const TEXT_DTYPES_7 = "Dtypes: the result is bool. An output of another dtype gets 0 and 1."
const TEXT_DTYPES_8 = "Dtypes: the output may be of any float dtype."
const TEXT_ACCURACY_1 = "Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp. 8- and 16-bit results of operands of their own dtype are the exact value, rounded once."
const TEXT_ACCURACY_2 = "Accuracy: float results are the exact value, rounded once."
const TEXT_ACCURACY_3 = "Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp. 8- and 16-bit results of operands of their own dtype are the exact value, rounded once."
const TEXT_ACCURACY_4 = "Accuracy: a float32 result is within 3 ulp of the exact one, a float64 result within 2 ulp. 8- and 16-bit results of operands of their own dtype are the exact value, rounded once."
const TEXT_ACCURACY_5 = "Accuracy: a float32 result is within 2 ulp of |x1*cos| + |x2*sin|, the magnitude before cancellation. Narrower results are the float32 value rounded once more."
const TEXT_THE_1 = "The argument is reduced exactly, also where it is large; NaN for infinities."
const TEXT_THE_2 = "The position of an element is `offset` plus its index along dimension `seq_axis`, by default the first of two dimensions and else the third from last, as in (S, D), (S, H, D) and (B, S, H, D); S is that dimension's size. `position_ids` gives positions instead, and `offset` must then not be given. Positions may be any 64-bit integers, negative ones turn the other way; angles are right to float32 rounding for positions up to 2^31 in magnitude."
const TEXT_INTEGERS = "Integers, infinities and NaN are returned as they are."
const TEXT_EITHER = "Either both operands are given, or `gate` alone holds both packed along its last dimension: of a shape (..., 2N) the first N elements of each row are the gate, the last N the value, and the result is (..., N). The packed row may have any stride; nothing is copied."
const TEXT_FALSE = "False where an operand is NaN."
const TEXT_TURNS = "Turns pairs of elements of a head by an angle that grows with the position: (x1, x2) becomes (x1*cos - x2*sin, x2*cos + x1*sin) with cos and sin of position * f_i for pair i of the d/2 pairs. Here D is the head dimension, the last one of x; d, an even number, is `rotary_dim` (all of D unless given), and elements d to D - 1 of a head are copied. Pairs are elements i and i + d/2, or 2i and 2i + 1 with interleaved = 1. Unless said otherwise f_i = base^(-2i/d)."
const TEXT_COS = "`cos` and `sin`, given together, replace the computed values: row p is that of position p, and base, scalings and amplitudes have no effect. Without `position_ids` they need at least offset + S rows and offset >= 0. With it, a position outside their rows gives NaN for the d rotated elements; no memory outside the tables is read."

const OPERATOR_ROWS = OpRow[
    OpRow(101, :exp, :unary_math, "e^x", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["Overflows to inf; exp(-inf) = 0."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.exp."]),
    OpRow(102, :log, :unary_math, "natural logarithm; log(0) = -inf, NaN below", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["log(+-0) = -inf, log of anything below 0 is NaN."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.log."]),
    OpRow(103, :sqrt, :unary_math, "square root", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["NaN below 0; sqrt(-0) = -0."], [TEXT_DTYPES_1, TEXT_ACCURACY_2, "Source: torch.sqrt."]),
    OpRow(104, :rsqrt, :unary_math, "1/sqrt(x); rsqrt(0) = inf", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["rsqrt(+-0) = +-inf, rsqrt(inf) = 0, NaN below 0."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.rsqrt."]),
    OpRow(105, :reciprocal, :unary_math, "1/x; reciprocal(-0) = -inf", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["reciprocal(+-0) = +-inf, reciprocal(+-inf) = +-0."], [TEXT_DTYPES_1, TEXT_ACCURACY_2, "Source: torch.reciprocal."]),
    OpRow(106, :sin, :unary_math, "sine of x radians, for every finite x", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        [TEXT_THE_1], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.sin."]),
    OpRow(107, :cos, :unary_math, "cosine of x radians, for every finite x", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        [TEXT_THE_1], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.cos."]),
    OpRow(108, :erf, :unary_math, "error function", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["erf(+-inf) = +-1."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.erf."]),
    OpRow(109, :log1p, :unary_math, "log(1 + x), accurate near 0", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["log1p(-1) = -inf, NaN below; log1p(-0) = -0."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.log1p."]),
    OpRow(110, :expm1, :unary_math, "e^x - 1, accurate near 0", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["expm1(-inf) = -1; expm1(-0) = -0."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.expm1."]),
    OpRow(111, :abs, :unary_math, "absolute value; abs(INT_MIN) wraps", :promoted, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["The lowest signed integer has no positive counterpart and stays what it is."], [TEXT_DTYPES_2, TEXT_ACCURACY_2, "Source: torch.abs."]),
    OpRow(112, :neg, :unary_math, "-x; integers wrap", :promoted, :broadcast,
        [OPERAND_X_2], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["The lowest signed integer stays what it is; unsigned ones wrap around."], [TEXT_DTYPES_2, TEXT_ACCURACY_2, "Source: torch.neg."]),
    OpRow(113, :sign, :unary_math, "-1, 0 or 1; sign(NaN) = 0 as in PyTorch", :promoted, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["sign(-0) = 0. NaN gives 0, which keeps no trace of it."], [TEXT_DTYPES_2, TEXT_ACCURACY_2, "Source: torch.sign."]),
    OpRow(114, :floor, :unary_math, "largest integer <= x", :promoted, :broadcast,
        [OPERAND_X_2], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        [TEXT_INTEGERS], [TEXT_DTYPES_2, TEXT_ACCURACY_2, "Source: torch.floor."]),
    OpRow(115, :ceil, :unary_math, "smallest integer >= x", :promoted, :broadcast,
        [OPERAND_X_2], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        [TEXT_INTEGERS], [TEXT_DTYPES_2, TEXT_ACCURACY_2, "Source: torch.ceil."]),
    OpRow(116, :trunc, :unary_math, "x without its fraction", :promoted, :broadcast,
        [OPERAND_X_2], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        [TEXT_INTEGERS], [TEXT_DTYPES_2, TEXT_ACCURACY_2, "Source: torch.trunc."]),
    OpRow(117, :round, :unary_math, "nearest integer, half to even; to `decimals` places", :promoted, :broadcast,
        [OPERAND_X_2], [OPERAND_Y_1], [ATTRIBUTE_DECIMALS, ATTRIBUTE_FP8_OVERFLOW],
        ["Halves go to the even neighbour: 0.5 to 0, 1.5 to 2. Integers, infinities and NaN are returned as they are, integers also for negative `decimals`."], [TEXT_DTYPES_2, TEXT_ACCURACY_1, "Source: torch.round."]),
    OpRow(118, :tan, :unary_math, "tangent of x radians, for every finite x", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        [TEXT_THE_1], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.tan."]),
    OpRow(119, :asin, :unary_math, "angle of [-pi/2, pi/2] whose sine is x; NaN beyond 1", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["asin(-0) = -0."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.asin."]),
    OpRow(120, :acos, :unary_math, "angle of [0, pi] whose cosine is x; NaN beyond 1", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["acos(1) = 0."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.acos."]),
    OpRow(121, :atan, :unary_math, "angle of [-pi/2, pi/2] whose tangent is x", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["atan(+-inf) = +-pi/2; atan(-0) = -0."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.atan."]),
    OpRow(122, :sinh, :unary_math, "hyperbolic sine", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["sinh(+-inf) = +-inf; sinh(-0) = -0."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.sinh."]),
    OpRow(123, :cosh, :unary_math, "hyperbolic cosine", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["cosh(+-inf) = inf."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.cosh."]),
    OpRow(124, :asinh, :unary_math, "inverse of sinh", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["asinh(+-inf) = +-inf; asinh(-0) = -0."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.asinh."]),
    OpRow(125, :acosh, :unary_math, "inverse of cosh, from 0 on; NaN below 1", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["acosh(1) = 0, acosh(inf) = inf."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.acosh."]),
    OpRow(126, :atanh, :unary_math, "inverse of tanh; NaN beyond 1", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["atanh(+-1) = +-inf; atanh(-0) = -0."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.atanh."]),
    OpRow(1005, :exp2, :unary_math, "2^x", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["Overflows to inf; exp2(-inf) = 0. Exact for integers."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.exp2."]),
    OpRow(1006, :log2, :unary_math, "binary logarithm; log2(0) = -inf, NaN below", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["log2(+-0) = -inf, log2 of anything below 0 is NaN. Exact for powers of two."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.log2."]),
    OpRow(127, :log10, :unary_math, "decimal logarithm; log10(0) = -inf, NaN below", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["log10(+-0) = -inf, log10 of anything below 0 is NaN."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.log10."]),
    OpRow(128, :cbrt, :unary_math, "cube root", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["Of negative numbers, too; cbrt(-0) = -0, cbrt(+-inf) = +-inf."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: C cbrt; numpy.cbrt."]),
    OpRow(129, :sinc, :unary_math, "sin(pi x) / (pi x); sinc(0) = 1", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["+0 at all integers but 0, and for infinities. pi x is not rounded."], [TEXT_DTYPES_1, TEXT_ACCURACY_3, "Source: torch.sinc; numpy.sinc."]),
    OpRow(130, :erfc, :unary_math, "1 - erf(x), right where that is next to nothing", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["erfc(inf) = 0, erfc(-inf) = 2."], [TEXT_DTYPES_1, TEXT_ACCURACY_1, "Source: torch.special.erfc."]),
    OpRow(131, :erfinv, :unary_math, "inverse of erf; NaN beyond 1", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["erfinv(+-1) = +-inf; erfinv(-0) = -0."], [TEXT_DTYPES_1, TEXT_ACCURACY_3, "Source: torch.special.erfinv."]),
    OpRow(132, :lgamma, :unary_math, "logarithm of |Gamma(x)|", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["inf at 0, at negative integers and at infinities; 0 at 1 and 2."], [TEXT_DTYPES_1, "Accuracy: A float64 result next to a zero between negative integers, the first of which is -2.457, is off by about 2^-53, not by so many ulp of itself.", "Source: torch.lgamma."]),
    OpRow(201, :add, :binary_arith, "a + alpha*b; bool: or", :promoted, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [ATTRIBUTE_ALPHA, ATTRIBUTE_FP8_OVERFLOW],
        ["Integers wrap around. For integers `alpha` must be an integer of their dtype, or a negative one of the signed dtype of that size; for floats a + alpha*b is rounded once."], [TEXT_DTYPES_3, TEXT_ACCURACY_1, "Source: torch.add."]),
    OpRow(202, :sub, :binary_arith, "a - alpha*b", :promoted, :broadcast,
        [OPERAND_A_2, OPERAND_B_2], [OPERAND_Y_2], [ATTRIBUTE_ALPHA, ATTRIBUTE_FP8_OVERFLOW],
        ["Integers wrap around. For integers `alpha` must be an integer of their dtype, or a negative one of the signed dtype of that size; for floats a - alpha*b is rounded once."], [TEXT_DTYPES_3, TEXT_ACCURACY_1, "Source: torch.sub."]),
    OpRow(203, :mul, :binary_arith, "a * b; bool: and", :promoted, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [ATTRIBUTE_FP8_OVERFLOW],
        ["Integers wrap around."], [TEXT_DTYPES_3, TEXT_ACCURACY_2, "Source: torch.mul."]),
    OpRow(204, :div, :binary_arith, "a / b", :quotient, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [ATTRIBUTE_ROUNDING_1, ATTRIBUTE_FP8_OVERFLOW],
        ["rounding = none: the quotient, of integers and bool in float32; x/0 is +-inf, 0/0 NaN. trunc and floor: the quotient rounded toward zero or down; integers stay integers, an integer divided by 0 gives 0 without a trap, the lowest integer divided by -1 wraps around, and bool is refused."], ["Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype, float32 for integers and bool unless a rounding is asked for. For an output of another dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0), to bool by being other than 0.", "Accuracy: floats are the exact quotient, rounded once. With trunc and floor, float32 and float64 follow PyTorch's formula, whose steps round, without a promised bound (docs/accuracy.md has what was measured).", "Source: torch.div."]),
    OpRow(205, :remainder, :binary_arith, "remainder with the sign of b, exact; x % 0 = NaN for floats", :promoted, :broadcast,
        [OPERAND_A_2, OPERAND_B_2], [OPERAND_Y_2], [ATTRIBUTE_FP8_OVERFLOW],
        ["Exact also where the quotient is large. For floats x % 0 and inf % b are NaN, and a finite a with infinite b gives a, or b where the signs differ. An integer % 0 is 0."], [TEXT_DTYPES_3, TEXT_ACCURACY_2, "Source: torch.remainder."]),
    OpRow(206, :floor_divide, :binary_arith, "floored quotient, PyTorch's fmod-based definition", :promoted, :broadcast,
        [OPERAND_A_2, OPERAND_B_2], [OPERAND_Y_2], [ATTRIBUTE_FP8_OVERFLOW],
        ["For floats (a - fmod(a, b))/b, corrected to the floor: not floor(a/b), whose division may round up to an integer. x/0 is +-inf, 0/0 NaN. An integer divided by 0 gives 0; the lowest integer divided by -1 wraps around."], [TEXT_DTYPES_3, "Accuracy: 8- and 16-bit results are the exact floor, rounded once. float32 and float64 follow PyTorch's formula, whose steps round, without a promised bound (docs/accuracy.md has what was measured).", "Source: torch.floor_divide."]),
    OpRow(207, :pow, :binary_arith, "a^b with the IEEE special cases of C pow", :promoted, :broadcast,
        [OPERAND_A_2, OPERAND_B_3], [OPERAND_Y_2], [ATTRIBUTE_EXPONENT, ATTRIBUTE_FP8_OVERFLOW],
        ["pow(x, 0) = 1 and pow(1, y) = 1 for every x and y, NaN too; a negative base with an exponent that is no integer gives NaN; pow(+-0, y) is +-inf or inf for negative y. Integers multiply with wrap-around; a negative exponent gives 0, except for the bases 1 and -1. Either `b` or `exponent` must be given, not both; for integers `exponent` must be an integer. Exponents 0.5, 2, 3, -0.5, -1 and -2 as attribute are computed by kernels of their own."], [TEXT_DTYPES_3, TEXT_ACCURACY_3, "Source: torch.pow."]),
    OpRow(208, :lerp, :binary_arith, "a + weight*(b - a), exact at weight = 0 and 1 if b - a is finite, but for the sign of a zero", :promoted, :broadcast,
        [OPERAND_A_3, OPERAND_B_4, OPERAND_WEIGHT_1], [OPERAND_Y_2], [ATTRIBUTE_WEIGHT, ATTRIBUTE_FP8_OVERFLOW],
        ["weight < 0.5: a + weight*(b - a); else b + (weight - 1)*(b - a). `weight` may lie outside 0 to 1. The operand `weight` replaces the attribute; both together are refused."], [TEXT_DTYPES_3, "Accuracy: 8- and 16-bit results of operands of the same dtype are the formula's exact value, correctly rounded. In float32 and float64 its steps round, and b - a may cancel with a: no bound in ulp of a small result.", "Source: torch.lerp."]),
    OpRow(209, :maximum, :binary_arith, "larger operand; NaN propagates, +0 > -0", :promoted, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [ATTRIBUTE_FP8_OVERFLOW],
        [], [TEXT_DTYPES_3, TEXT_ACCURACY_2, "Source: torch.maximum, except that the sign of zero counts."]),
    OpRow(210, :minimum, :binary_arith, "smaller operand; NaN propagates, -0 < +0", :promoted, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [ATTRIBUTE_FP8_OVERFLOW],
        [], [TEXT_DTYPES_3, TEXT_ACCURACY_2, "Source: torch.minimum, except that the sign of zero counts."]),
    OpRow(211, :atan2, :binary_arith, "angle of the point (b, a), of [-pi, pi], with the special cases of C atan2", :float, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [ATTRIBUTE_FP8_OVERFLOW],
        ["atan2(+-0, x) is +-0 for x > 0 and +0, else +-pi; of infinities the multiples of pi/4 that C99 says."], [TEXT_DTYPES_4, TEXT_ACCURACY_1, "Source: torch.atan2."]),
    OpRow(212, :hypot, :binary_arith, "sqrt(a^2 + b^2) without overflow on the way; infinite where an operand is", :float, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [ATTRIBUTE_FP8_OVERFLOW],
        ["hypot(+-inf, x) = inf also for NaN."], [TEXT_DTYPES_4, TEXT_ACCURACY_1, "Source: torch.hypot; C hypot."]),
    OpRow(213, :fmod, :binary_arith, "remainder with the sign of a, exact; fmod(x, 0) = NaN for floats", :promoted, :broadcast,
        [OPERAND_A_2, OPERAND_B_2], [OPERAND_Y_2], [ATTRIBUTE_FP8_OVERFLOW],
        ["Exact also where the quotient is large. For floats x % 0 and fmod(inf, b) are NaN, and a finite a with infinite b gives a; a zero has the sign of a. An integer with b = 0 gives 0."], [TEXT_DTYPES_3, TEXT_ACCURACY_2, "Source: torch.fmod, which raises for integers and b = 0."]),
    OpRow(214, :copysign, :binary_arith, "a with the sign of b, which zeros have and NaNs not", :float, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [ATTRIBUTE_FP8_OVERFLOW],
        ["Integers and bool become float32. A NaN counts as positive: whether what inf - inf gives is -NaN depends on the processor."], [TEXT_DTYPES_4, TEXT_ACCURACY_2, "Source: torch.copysign."]),
    OpRow(215, :nextafter, :binary_arith, "the number of the operands' dtype next to a on the way to b; b where they are equal", :promoted, :broadcast,
        [OPERAND_A_3, OPERAND_B_4], [OPERAND_Y_2], [ATTRIBUTE_FP8_OVERFLOW],
        ["From 0 the least subnormal number, beyond the largest number infinity, or what fp8_overflow says. Inside of an expression the number next to a value is that of the value's dtype."], [TEXT_DTYPES_3, TEXT_ACCURACY_2, "Source: torch.nextafter; C nextafter."]),
    OpRow(216, :logaddexp, :binary_arith, "log(e^a + e^b), also where e^a or e^b is too large", :float, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [ATTRIBUTE_FP8_OVERFLOW],
        ["logaddexp(-inf, -inf) = -inf, logaddexp(inf, x) = inf."], [TEXT_DTYPES_4, "Accuracy: Where e^a + e^b is near 1, a result of float64 is within 3 ulp of the larger operand, not of itself.", "Source: torch.logaddexp."]),
    OpRow(301, :relu, :activation, "max(x, 0); NaN stays", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        [], [TEXT_DTYPES_2, TEXT_ACCURACY_2, "Source: torch.nn.functional.relu."]),
    OpRow(302, :gelu, :activation, "x * Phi(x), or its tanh approximation", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_APPROXIMATE, ATTRIBUTE_FP8_OVERFLOW],
        ["Phi is the distribution function of the normal distribution, computed by erfc so that the left tail keeps its digits. approximate = tanh: 0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x^3))), without cancellation on the left. gelu(-inf) = -0."], [TEXT_DTYPES_2, TEXT_ACCURACY_3, "Source: Hendrycks and Gimpel, arXiv:1606.08415; torch.nn.functional.gelu."]),
    OpRow(303, :silu, :activation, "x / (1 + e^-x)", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["Also called swish. silu(-inf) = -0."], [TEXT_DTYPES_2, TEXT_ACCURACY_3, "Source: Hendrycks and Gimpel, arXiv:1606.08415; torch.nn.functional.silu."]),
    OpRow(304, :sigmoid, :activation, "1 / (1 + e^-x)", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["sigmoid(-inf) = 0, sigmoid(inf) = 1."], [TEXT_DTYPES_2, TEXT_ACCURACY_3, "Source: torch.sigmoid."]),
    OpRow(305, :tanh, :activation, "hyperbolic tangent", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["tanh(+-inf) = +-1."], [TEXT_DTYPES_2, TEXT_ACCURACY_3, "Source: torch.tanh."]),
    OpRow(306, :leaky_relu, :activation, "x > 0 ? x : negative_slope*x", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_NEGATIVE_SLOPE, ATTRIBUTE_FP8_OVERFLOW],
        [], [TEXT_DTYPES_2, TEXT_ACCURACY_1, "Source: torch.nn.functional.leaky_relu."]),
    OpRow(307, :elu, :activation, "x > 0 ? x : alpha*expm1(x)", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_ALPHA, ATTRIBUTE_FP8_OVERFLOW],
        ["elu(-inf) = -alpha."], [TEXT_DTYPES_2, TEXT_ACCURACY_3, "Source: Clevert et al., arXiv:1511.07289; torch.nn.functional.elu."]),
    OpRow(308, :selu, :activation, "1.0507009873554805 * (x > 0 ? x : 1.6732632423543772*expm1(x))", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        [], [TEXT_DTYPES_2, TEXT_ACCURACY_3, "Source: Klambauer et al., arXiv:1706.02515; torch.nn.functional.selu."]),
    OpRow(309, :hardswish, :activation, "x * clamp(x + 3, 0, 6) / 6; NaN stays", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        [], [TEXT_DTYPES_2, TEXT_ACCURACY_3, "Source: Howard et al., MobileNetV3, arXiv:1905.02244; torch.nn.functional.hardswish."]),
    OpRow(310, :hardsigmoid, :activation, "clamp(x + 3, 0, 6) / 6; NaN stays", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        [], [TEXT_DTYPES_2, TEXT_ACCURACY_3, "Source: torch.nn.functional.hardsigmoid."]),
    OpRow(311, :hardtanh, :activation, "clamp(x, min_val, max_val); NaN stays", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_MIN_VAL, ATTRIBUTE_MAX_VAL, ATTRIBUTE_FP8_OVERFLOW],
        ["min_val above max_val gives max_val everywhere."], [TEXT_DTYPES_2, TEXT_ACCURACY_2, "Source: torch.nn.functional.hardtanh."]),
    OpRow(312, :softplus, :activation, "beta*x > threshold ? x : log1p(e^(beta*x))/beta", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_BETA, ATTRIBUTE_THRESHOLD, ATTRIBUTE_FP8_OVERFLOW],
        [], [TEXT_DTYPES_2, TEXT_ACCURACY_3, "Source: torch.nn.functional.softplus."]),
    OpRow(313, :mish, :activation, "x * tanh(softplus(x)), algebraic form", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["mish(-inf) = -0."], [TEXT_DTYPES_2, TEXT_ACCURACY_3, "Source: Misra, arXiv:1908.08681; torch.nn.functional.mish."]),
    OpRow(314, :prelu, :activation, "x > 0 ? x : weight[c]*x, c the index along `axis`; weight 0-d, (1,) or (C,)", :promoted, :first,
        [OPERAND_X_3, OPERAND_WEIGHT_2], [OPERAND_Y_3], [ATTRIBUTE_AXIS, ATTRIBUTE_FP8_OVERFLOW],
        [], [TEXT_DTYPES_3, TEXT_ACCURACY_2, "Source: He et al., arXiv:1502.01852; torch.nn.functional.prelu."]),
    OpRow(1007, :logsigmoid, :activation, "log(sigmoid(x)), right where sigmoid(x) is 0 or 1", :float, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["logsigmoid(-inf) = -inf, logsigmoid(inf) = 0."], [TEXT_DTYPES_1, TEXT_ACCURACY_3, "Source: torch.nn.functional.logsigmoid."]),
    OpRow(315, :softsign, :activation, "x / (1 + |x|)", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["softsign(+-inf) = +-1."], [TEXT_DTYPES_2, TEXT_ACCURACY_3, "Source: torch.nn.functional.softsign, of which that is NaN."]),
    OpRow(316, :celu, :activation, "x > 0 ? x : alpha*expm1(x/alpha)", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_ALPHA, ATTRIBUTE_FP8_OVERFLOW],
        ["celu(-inf) = -alpha."], [TEXT_DTYPES_2, TEXT_ACCURACY_3, "Source: Barron, arXiv:1704.07483; torch.nn.functional.celu."]),
    OpRow(317, :tanhshrink, :activation, "x - tanh(x), right near 0", :promoted, :broadcast,
        [OPERAND_X_3], [OPERAND_Y_1], [ATTRIBUTE_FP8_OVERFLOW],
        ["x^3/3 near 0, where the difference has no digits left."], [TEXT_DTYPES_2, TEXT_ACCURACY_3, "Source: torch.nn.functional.tanhshrink."]),
    OpRow(401, :silu_and_mul, :fused_gated, "silu(gate) * value", :promoted, :gated,
        [OPERAND_GATE, OPERAND_VALUE_1], [OPERAND_Y_4], [ATTRIBUTE_FP8_OVERFLOW],
        [TEXT_EITHER, "silu(x) = x/(1 + e^-x). Not rounded between activation and product."], [TEXT_DTYPES_3, TEXT_ACCURACY_4, "Source: vLLM: SiluAndMul. Shazeer, GLU variants improve transformer, arXiv:2002.05202."]),
    OpRow(402, :gelu_and_mul, :fused_gated, "gelu(gate) * value", :promoted, :gated,
        [OPERAND_GATE, OPERAND_VALUE_1], [OPERAND_Y_4], [ATTRIBUTE_FP8_OVERFLOW],
        [TEXT_EITHER, "gelu(x) = x*Phi(x), the exact form. Not rounded between activation and product."], [TEXT_DTYPES_3, TEXT_ACCURACY_4, "Source: vLLM: GeluAndMul. Shazeer, GLU variants improve transformer, arXiv:2002.05202."]),
    OpRow(403, :gelu_tanh_and_mul, :fused_gated, "gelu_tanh(gate) * value", :promoted, :gated,
        [OPERAND_GATE, OPERAND_VALUE_1], [OPERAND_Y_4], [ATTRIBUTE_FP8_OVERFLOW],
        [TEXT_EITHER, "gelu_tanh(x) = 0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x^3))). Not rounded between activation and product."], [TEXT_DTYPES_3, TEXT_ACCURACY_4, "Source: vLLM: GeluAndMul with approximate = \"tanh\". Shazeer, GLU variants improve transformer, arXiv:2002.05202."]),
    OpRow(501, :eq, :comparison, "a == b", :bool, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [],
        ["False where an operand is NaN; -0 equals +0."], [TEXT_DTYPES_5, "Source: torch.eq."]),
    OpRow(502, :ne, :comparison, "a != b; true for NaN", :bool, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [],
        ["True where an operand is NaN; -0 equals +0."], [TEXT_DTYPES_5, "Source: torch.ne."]),
    OpRow(503, :gt, :comparison, "a > b", :bool, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [],
        [TEXT_FALSE], [TEXT_DTYPES_5, "Source: torch.gt."]),
    OpRow(504, :lt, :comparison, "a < b", :bool, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [],
        [TEXT_FALSE], [TEXT_DTYPES_5, "Source: torch.lt."]),
    OpRow(505, :ge, :comparison, "a >= b", :bool, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [],
        [TEXT_FALSE], [TEXT_DTYPES_5, "Source: torch.ge."]),
    OpRow(506, :le, :comparison, "a <= b", :bool, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [],
        [TEXT_FALSE], [TEXT_DTYPES_5, "Source: torch.le."]),
    OpRow(511, :bitwise_and, :bitwise, "a & b", :promoted, :broadcast,
        [OPERAND_A_4, OPERAND_B_5], [OPERAND_Y_2], [],
        [], [TEXT_DTYPES_3, "Source: torch.bitwise_and."]),
    OpRow(512, :bitwise_or, :bitwise, "a | b", :promoted, :broadcast,
        [OPERAND_A_4, OPERAND_B_5], [OPERAND_Y_2], [],
        [], [TEXT_DTYPES_3, "Source: torch.bitwise_or."]),
    OpRow(513, :bitwise_xor, :bitwise, "a ^ b", :promoted, :broadcast,
        [OPERAND_A_4, OPERAND_B_5], [OPERAND_Y_2], [],
        [], [TEXT_DTYPES_3, "Source: torch.bitwise_xor."]),
    OpRow(514, :bitwise_not, :bitwise, "~x; bool: not", :promoted, :broadcast,
        [OPERAND_X_4], [OPERAND_Y_1], [],
        [], [TEXT_DTYPES_2, "Source: torch.bitwise_not."]),
    OpRow(515, :bitwise_left_shift, :bitwise, "a << b; 0 where b is negative or the number of bits or more", :promoted, :broadcast,
        [OPERAND_A_5, OPERAND_B_6], [OPERAND_Y_2], [],
        ["Bits beyond the dtype are lost."], [TEXT_DTYPES_3, "Source: torch.bitwise_left_shift."]),
    OpRow(516, :bitwise_right_shift, :bitwise, "a >> b, of a negative a the floor; where b is negative or the number of bits or more, 0 or -1", :promoted, :broadcast,
        [OPERAND_A_5, OPERAND_B_6], [OPERAND_Y_2], [],
        [], [TEXT_DTYPES_3, "Source: torch.bitwise_right_shift."]),
    OpRow(517, :popcount, :bitwise, "number of bits that are set, a negative x in two's complement", :promoted, :broadcast,
        [OPERAND_X_5], [OPERAND_Y_1], [],
        [], [TEXT_DTYPES_2, "Source: C++ std::popcount; numpy.bitwise_count takes the magnitude of a negative number."]),
    OpRow(521, :logical_and, :logical, "both non-zero; NaN is true", :bool, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [],
        [], [TEXT_DTYPES_6, "Source: torch.logical_and."]),
    OpRow(522, :logical_or, :logical, "either non-zero; NaN is true", :bool, :broadcast,
        [OPERAND_A_1, OPERAND_B_1], [OPERAND_Y_2], [],
        [], [TEXT_DTYPES_6, "Source: torch.logical_or."]),
    OpRow(523, :logical_not, :logical, "zero; NaN is true, so its negation is false", :bool, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [],
        [], [TEXT_DTYPES_6, "Source: torch.logical_not."]),
    OpRow(601, :where, :special, "cond ? x : y, bits kept if x, y and out are of one dtype", :promoted, :broadcast,
        [OPERAND_COND, OPERAND_X_6, OPERAND_Y_5], [OPERAND_OUT], [ATTRIBUTE_FP8_OVERFLOW],
        ["All three operands broadcast; x and y are promoted with each other."], ["Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype; what needs no conversion keeps its bits, also those of NaN. For an output of another dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0), to bool by being other than 0.", TEXT_ACCURACY_2, "Source: torch.where."]),
    OpRow(602, :clamp, :special, "min(max(x, min), max); NaN propagates; one bound may be absent", :promoted, :broadcast,
        [OPERAND_X_7, OPERAND_MIN, OPERAND_MAX], [OPERAND_Y_2], [ATTRIBUTE_MIN, ATTRIBUTE_MAX, ATTRIBUTE_FP8_OVERFLOW],
        ["Each bound may be an operand or an attribute, not both; one of the two bounds may be absent. NaN in x or in a bound gives NaN. min above max gives max. For integers an attribute must be an integer or infinite; one outside their dtype bounds nothing."], [TEXT_DTYPES_3, TEXT_ACCURACY_2, "Source: torch.clamp."]),
    OpRow(603, :masked_fill, :special, "mask ? value : x; value is 0-d, taken in the type that x is computed in and converted once", :promoted, :broadcast,
        [OPERAND_X_8, OPERAND_MASK_1, OPERAND_VALUE_2], [OPERAND_Y_6], [ATTRIBUTE_VALUE, ATTRIBUTE_FP8_OVERFLOW],
        ["`value` is an operand or an attribute, not both; for integers the attribute must be an integer of x's dtype."], ["Dtypes: the result has the dtype of x; what needs no conversion keeps its bits, also those of NaN. For an output of another dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0), to bool by being other than 0.", TEXT_ACCURACY_2, "Source: torch.Tensor.masked_fill."]),
    OpRow(604, :nan_to_num, :special, "replaces NaN and infinities; others unchanged", :promoted, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [ATTRIBUTE_NAN, ATTRIBUTE_POSINF, ATTRIBUTE_NEGINF, ATTRIBUTE_FP8_OVERFLOW],
        ["Integers and bool have nothing to replace and are returned as they are."], [TEXT_DTYPES_2, TEXT_ACCURACY_2, "Source: torch.nan_to_num."]),
    OpRow(605, :isnan, :special, "x is NaN", :bool, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [],
        ["False for every integer and bool."], [TEXT_DTYPES_7, "Source: torch.isnan."]),
    OpRow(606, :isinf, :special, "x is infinite", :bool, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [],
        ["False for every integer and bool, and for float8_e4m3fn, which has no infinity."], [TEXT_DTYPES_7, "Source: torch.isinf."]),
    OpRow(607, :isfinite, :special, "x is neither NaN nor infinite", :bool, :broadcast,
        [OPERAND_X_1], [OPERAND_Y_1], [],
        ["True for every integer and bool."], [TEXT_DTYPES_7, "Source: torch.isfinite."]),
    OpRow(608, :cast, :special, "conversion; floats to integers truncate and saturate, NaN to 0; also copies strided memory", :source, :broadcast,
        [OPERAND_X_9], [OPERAND_Y_1], [ATTRIBUTE_ROUNDING_2, ATTRIBUTE_FP8_OVERFLOW],
        ["The output's dtype says what is converted to; with the dtype of x it copies, from any strides to any strides, and keeps the bits.", "float8_e8m0fnu has powers of two and NaN alone; code e is 2^(e - 127). A number becomes the nearest one, 1.5*2^k the one above; with rounding = up that which is no smaller, with trunc or floor that which is no larger. The sign is dropped; zero, and what would be less, becomes 2^-127. NaN stays NaN; infinity and what would be more than 2^127 become NaN, or 2^127 with fp8_overflow = saturate. Other results take no `rounding`.", "float4_e2m1fn has 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives, two in a byte, the first one low. A number becomes the nearest one, of two that with an even code (0.75 becomes 1, 5 becomes 4); what is larger becomes 6 with its sign, whatever fp8_overflow says, and NaN 0. Its last dimension is even, with stride 1."], ["Dtypes: any dtype to any other. The value is converted once: to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0), to bool by being other than 0.", TEXT_ACCURACY_2, "Source: torch.Tensor.to, which leaves floats beyond the range of an integer undefined, and rounds numbers between 2^-127 and 1.5*2^-127 to the float8_e8m0fnu 2^-126; OCP Microscaling Formats 1.0, 5.3.3."]),
    OpRow(701, :rope_neox, :rope, "rotary embedding, pairs (i, i + d/2)", :promoted, :first,
        [OPERAND_X_10, OPERAND_POSITION_IDS, OPERAND_COS, OPERAND_SIN], [OPERAND_Y_3], [ATTRIBUTE_SEQ_AXIS, ATTRIBUTE_OFFSET_1, ATTRIBUTE_ROTARY_DIM, ATTRIBUTE_BASE, ATTRIBUTE_INTERLEAVED_1, ATTRIBUTE_FP8_OVERFLOW],
        [TEXT_TURNS, TEXT_THE_2, TEXT_COS], [TEXT_DTYPES_2, TEXT_ACCURACY_5, "Source: The pairing of GPT-NeoX, Llama and Hugging Face. Su et al., RoFormer, arXiv:2104.09864."]),
    OpRow(702, :rope_non_neox, :rope, "rotary embedding, pairs (2i, 2i + 1)", :promoted, :first,
        [OPERAND_X_10, OPERAND_POSITION_IDS, OPERAND_COS, OPERAND_SIN], [OPERAND_Y_3], [ATTRIBUTE_SEQ_AXIS, ATTRIBUTE_OFFSET_1, ATTRIBUTE_ROTARY_DIM, ATTRIBUTE_BASE, ATTRIBUTE_INTERLEAVED_2, ATTRIBUTE_FP8_OVERFLOW],
        [TEXT_TURNS, TEXT_THE_2, TEXT_COS], [TEXT_DTYPES_2, TEXT_ACCURACY_5, "Source: The pairing of the paper and of GPT-J. Su et al., RoFormer, arXiv:2104.09864."]),
    OpRow(703, :rope_llama31, :rope, "rotary embedding with the frequency scaling of Llama 3.1", :promoted, :first,
        [OPERAND_X_10, OPERAND_POSITION_IDS, OPERAND_COS, OPERAND_SIN], [OPERAND_Y_3], [ATTRIBUTE_SEQ_AXIS, ATTRIBUTE_OFFSET_1, ATTRIBUTE_ROTARY_DIM, ATTRIBUTE_BASE, ATTRIBUTE_INTERLEAVED_1, ATTRIBUTE_SCALE_FACTOR_1, ATTRIBUTE_LOW_FREQ_FACTOR, ATTRIBUTE_HIGH_FREQ_FACTOR, ATTRIBUTE_ORIGINAL_MAX_POSITION_1, ATTRIBUTE_FP8_OVERFLOW],
        [TEXT_TURNS, TEXT_THE_2, TEXT_COS, "A frequency f with wavelength w = 2*pi/f stays f where w < original_max_position/high_freq_factor, becomes f/scale_factor where w > original_max_position/low_freq_factor, and between is (1 - s)*f/scale_factor + s*f with s = (original_max_position/w - low_freq_factor)/(high_freq_factor - low_freq_factor). low_freq_factor must be below high_freq_factor."], [TEXT_DTYPES_2, TEXT_ACCURACY_5, "Source: The reference code of Llama 3.1; rope_type \"llama3\" of Hugging Face. Su et al., RoFormer, arXiv:2104.09864."]),
    OpRow(704, :rope_yarn, :rope, "rotary embedding with YaRN scaling (arXiv:2309.00071)", :promoted, :first,
        [OPERAND_X_10, OPERAND_POSITION_IDS, OPERAND_COS, OPERAND_SIN], [OPERAND_Y_3], [ATTRIBUTE_SEQ_AXIS, ATTRIBUTE_OFFSET_1, ATTRIBUTE_ROTARY_DIM, ATTRIBUTE_BASE, ATTRIBUTE_INTERLEAVED_1, ATTRIBUTE_SCALE_FACTOR_2, ATTRIBUTE_ORIGINAL_MAX_POSITION_2, ATTRIBUTE_BETA_FAST, ATTRIBUTE_BETA_SLOW, ATTRIBUTE_ATTN_FACTOR, ATTRIBUTE_FP8_OVERFLOW],
        [TEXT_TURNS, TEXT_THE_2, TEXT_COS, "With dim(r) = d*ln(original_max_position/(2*pi*r))/(2*ln(base)), low = floor(dim(beta_fast)) and high = ceil(dim(beta_slow)), both clamped to 0 to d - 1, and t = clamp((i - low)/(high - low), 0, 1): f_i becomes t*f_i/scale_factor + (1 - t)*f_i. cos and sin are multiplied by attn_factor, which stays 1 unless given: the paper recommends 0.1*ln(scale_factor) + 1. base must be above 1."], [TEXT_DTYPES_2, TEXT_ACCURACY_5, "Source: Peng et al., YaRN, arXiv:2309.00071; Hugging Face and vLLM. Su et al., RoFormer, arXiv:2104.09864."]),
    OpRow(705, :rope_longrope, :rope, "rotary embedding with LongRoPE's rescale factors (arXiv:2402.13753)", :promoted, :first,
        [OPERAND_X_10, OPERAND_RESCALE_FACTORS, OPERAND_POSITION_IDS, OPERAND_COS, OPERAND_SIN], [OPERAND_Y_3], [ATTRIBUTE_SEQ_AXIS, ATTRIBUTE_OFFSET_1, ATTRIBUTE_ROTARY_DIM, ATTRIBUTE_BASE, ATTRIBUTE_INTERLEAVED_1, ATTRIBUTE_ORIGINAL_MAX_POSITION_2, ATTRIBUTE_MAX_POSITION, ATTRIBUTE_FP8_OVERFLOW],
        [TEXT_TURNS, TEXT_THE_2, TEXT_COS, "f_i becomes f_i/r_i with the factors `rescale_factors`. With s = max_position/original_max_position, cos and sin are multiplied by sqrt(1 + ln(s)/ln(original_max_position)) if s > 1."], [TEXT_DTYPES_2, TEXT_ACCURACY_5, "Source: Ding et al., LongRoPE, arXiv:2402.13753; Phi-3. Su et al., RoFormer, arXiv:2104.09864."]),
    OpRow(711, :dropout, :dropout, "keep ? x/(1-p) : 0, keep by Philox4x32-10 of the element's index", :promoted, :first,
        [OPERAND_X_3, OPERAND_SEED_OFFSET], [OPERAND_Y_3, OPERAND_MASK_2], [ATTRIBUTE_P, ATTRIBUTE_SEED, ATTRIBUTE_OFFSET_1, ATTRIBUTE_TRAINING, ATTRIBUTE_FP8_OVERFLOW],
        ["y = x/(1 - p) where an element is kept, else 0 (for NaN and infinities too). Which are kept follows from seed, offset and the element's row-major index i in the shape of x alone: not from strides, threads, device or launch configuration. In the unsigned 32-bit words of Philox4x32-10 with\n- key = seed: its low half is k0, its high half k1\n- counter = (i/4, offset), 64 bits each: c0 and c1 are the halves of i/4, the lower first, c2 and c3 those of offset", "element i has word i mod 4 of the four, and is kept where that word is at least p*2^32. p = 0 keeps all, p = 1 none. Seed and offset are 64-bit patterns: a negative one is the unsigned number with the same bits. Calls with the same seed and different offsets have independent masks, so that an offset that grows by 1 with each call is enough.", "`seed_offset` holds both in memory of the plan's device and is read by each execution, so that a captured graph can draw new masks; the attributes `seed` and `offset` must then not be given. training = 0 copies x; the mask is then all true."], [TEXT_DTYPES_2, "Accuracy: x/(1 - p) is rounded once; 1 - p is a float32 number, for float64 a float64 one.", "Source: Srivastava et al., Dropout, JMLR 15 (2014); Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011. torch.nn.functional.dropout draws other masks."]),
    OpRow(721, :alibi, :position, "-slope[h] * |i + offset - j| for y of shape (H, Sq, Sk) (arXiv:2108.12409)", :promoted, :given,
        [OPERAND_SLOPES], [OPERAND_Y_7], [ATTRIBUTE_CAUSAL, ATTRIBUTE_SLOPES, ATTRIBUTE_OFFSET_2, ATTRIBUTE_FP8_OVERFLOW],
        ["Bias for attention scores of H heads, Sq queries and Sk keys: y[h, i, j] = -slope[h] * |i + offset - j|; with causal = 1 it is -inf where j > i + offset. `offset` is the position of the first query, as for decoding with cached keys (Sk - Sq).", "slopes = geometric: slope[h] = 2^(-8(h + 1)/H). slopes = paper: the same where H is a power of two; else, with P the next lower power of two, heads below P have the slopes of P heads, and head P + k has 2^(-8(2k + 1)/(2P))."], [TEXT_DTYPES_8, "Accuracy: the product of slope and distance is within 1 ulp; computed slopes are float64 numbers rounded to the type computed in.", "Source: Press et al., Train short, test long, arXiv:2108.12409."]),
    OpRow(731, :sinusoidal, :position, "sin and cos of position/base^(2i/D) for y of shape (S, D) (arXiv:1706.03762)", :promoted, :given,
        [], [OPERAND_Y_8], [ATTRIBUTE_BASE, ATTRIBUTE_OFFSET_1, ATTRIBUTE_LAYOUT, ATTRIBUTE_FP8_OVERFLOW],
        ["Position embedding: for row p, position p + offset, and column pair i the angle is position / base^(2i/D). layout = interleaved: column 2i is its sine, column 2i + 1 its cosine. layout = halves: column i is the sine, column D/2 + i the cosine."], [TEXT_DTYPES_8, "Accuracy: angles are within 2^-34 turn for positions up to 2^31 in magnitude; a float32 result that is not next to a zero is within 1 ulp.", "Source: Vaswani et al., Attention is all you need, arXiv:1706.03762 (interleaved); tensor2tensor (halves)."]),
]

# Functions that only expressions have.
const FUNCTION_ROWS = OpRow[
    OpRow(1003, :dropout_mask, :function, "mask of the operator dropout for an operand of x's shape", :bool, :function,
        [OPERAND_X_11], [OPERAND_Y_9], [ATTRIBUTE_P, ATTRIBUTE_SEED, ATTRIBUTE_OFFSET_1],
        [], []),
    OpRow(1004, :fma, :function, "a * b + c, rounded once", :promoted, :function,
        [OPERAND_A_6, OPERAND_B_7, OPERAND_C], [OPERAND_Y_9], [],
        [], []),
]

# Functions along dimensions.
const ALONG_ROWS = AlongRow[
    AlongRow(:sum, :reduce, "sum along axes; of integers and bool in int64", [:x], true, true, []),
    AlongRow(:mean, :reduce, "mean along axes", [:x], true, true, []),
    AlongRow(:amax, :reduce, "largest element along axes, or NaN if there is one", [:x], true, true, []),
    AlongRow(:amin, :reduce, "least element along axes, or NaN if there is one", [:x], true, true, []),
    AlongRow(:prod, :reduce, "product along axes; of integers and bool in int64", [:x], true, true, []),
    AlongRow(:any, :reduce, "true where any element along axes is other than 0", [:x], true, true, []),
    AlongRow(:all, :reduce, "true where all elements along axes are other than 0", [:x], true, true, []),
    AlongRow(:argmax, :reduce, "index of the first largest element along axes, within its group", [:x], true, true, []),
    AlongRow(:argmin, :reduce, "index of the first least element along axes, within its group", [:x], true, true, []),
    AlongRow(:var, :reduce, "variance along axes: squared deviations from the mean, summed, by their number less the correction", [:x], true, true, [ATTRIBUTE_CORRECTION]),
    AlongRow(:logsumexp, :reduce, "log(sum(exp(x))) along axes, also where exp(x) is too large or all are 0", [:x], true, true, []),
    AlongRow(:spread, :spread, "s brought to x's shape: broadcast, or each element of s for its group", [:s, :x], true, true, []),
    AlongRow(:gather, :gather, "the elements of t at indices along axes, all other axes broadcast", [:t, :(i...)], true, false, []),
    AlongRow(:scatter, :scatter, "a result of which the elements at indices along axes are v, and others stay", [:v, :(i...)], true, false, []),
    AlongRow(:scatter_add, :scatter, "a result of integers that has at indices along axes the sums of what v has for them, and elsewhere 0", [:v, :(i...)], true, false, []),
    AlongRow(:store_if, :store_if, "a result that is v where m is true; elsewhere what is there stays, untouched", [:v, :m], false, false, []),
    AlongRow(:tiled, :tiled, "a result that has scales in the tiles of matrix libraries", [:s], false, false, [ATTRIBUTE_ROWS]),
    AlongRow(:cumsum, :scan, "sum of the elements up to each one along an axis; of integers and bool in int64", [:x], true, true, [ATTRIBUTE_REVERSE, ATTRIBUTE_EXCLUSIVE]),
    AlongRow(:cumprod, :scan, "product of the elements up to each one along an axis; of integers and bool in int64", [:x], true, true, [ATTRIBUTE_REVERSE, ATTRIBUTE_EXCLUSIVE]),
    AlongRow(:cummax, :scan, "largest of the elements up to each one along an axis", [:x], true, true, [ATTRIBUTE_REVERSE]),
    AlongRow(:cummin, :scan, "least of the elements up to each one along an axis", [:x], true, true, [ATTRIBUTE_REVERSE]),
]
