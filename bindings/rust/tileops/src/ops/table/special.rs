// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: special.

use super::choices::{Fp8Overflow, Rounding};
use crate::ops::macros::{operator, second};

operator! {
    /// cond ? x : y, bits kept if x, y and out are of one dtype.
    ///
    /// Inputs: `cond` (bool), `x` (float or int or bool), `y` (float or int or bool). Output:
    /// `out`, of any dtype; the natural one is the promoted dtype of the inputs.
    ///
    /// All three operands broadcast; x and y are promoted with each other.
    ///
    /// Operands and their shapes:
    ///
    /// - cond (bool): any shape that broadcasts with the others, as in NumPy.
    /// - x (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - out (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype; what
    /// needs no conversion keeps its bits, also those of NaN. For an output of another dtype it is
    /// converted once: to a float by rounding to nearest even, to an integer toward zero with
    /// saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: torch.where.
    Where = WHERE, where_(cond, x, y) -> out {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// min(max(x, min), max); NaN propagates; one bound may be absent.
    ///
    /// Inputs: `x` (float or int), `min` (optional, float or int), `max` (optional, float or int).
    /// Output: `y`, of any dtype; the natural one is the promoted dtype of the inputs.
    ///
    /// Each bound may be an operand or an attribute, not both; one of the two bounds may be absent.
    /// NaN in x or in a bound gives NaN. min above max gives max. For integers an attribute must be
    /// an integer or infinite; one outside their dtype bounds nothing.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float or integer): any shape that broadcasts with the others, as in NumPy.
    /// - min (float or integer; optional): any shape that broadcasts with the others, as in NumPy;
    ///   the attribute min stands in for it.
    /// - max (float or integer; optional): any shape that broadcasts with the others, as in NumPy;
    ///   the attribute max stands in for it.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
    /// - min (number; optional): lower bound, where it is not an operand; absent: none.
    /// - max (number; optional): upper bound, where it is not an operand; absent: none.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: torch.clamp.
    Clamp = CLAMP, clamp(x, min, max) -> y {
        /// Lower bound, where it is not an operand; absent: none. Default: absent.
        min: Option<f64> = None => optional_float(MIN),
        /// Upper bound, where it is not an operand; absent: none. Default: absent.
        max: Option<f64> = None => optional_float(MAX),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// mask ? value : x; value is 0-d, taken in the type that x is computed in and converted once.
    ///
    /// Inputs: `x` (float or int or bool), `mask` (bool), `value` (optional, float or int or bool).
    /// Output: `y`, of any dtype; the natural one is the promoted dtype of the inputs.
    ///
    /// `value` is an operand or an attribute, not both; for integers the attribute must be an
    /// integer of x's dtype.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape that broadcasts with `mask`.
    /// - mask (bool): any shape that broadcasts with x, also to a larger one.
    /// - value (float, integer or bool; optional): 0-d; does not take part in promotion; the
    ///   attribute value stands in for it.
    /// - y (result): the broadcast shape of x and `mask`.
    ///
    /// Attributes:
    ///
    /// - value (number; optional): fill value, where it is not an operand.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x; what needs no conversion keeps its bits, also those
    /// of NaN. For an output of another dtype it is converted once: to a float by rounding to
    /// nearest even, to an integer toward zero with saturation (NaN gives 0), to bool by being
    /// other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: torch.Tensor.masked_fill.
    MaskedFill = MASKED_FILL, masked_fill(x, mask, value) -> y {
        /// Fill value, where it is not an operand. Default: absent.
        value: Option<f64> = None => optional_float(VALUE),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// replaces NaN and infinities; others unchanged.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs.
    ///
    /// Integers and bool have nothing to replace and are returned as they are.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - nan (number; default 0): replacement for NaN.
    /// - posinf (number; optional): replacement for +inf; absent: the dtype's largest finite value.
    /// - neginf (number; optional): replacement for -inf; absent: the dtype's lowest finite value.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: torch.nan_to_num.
    NanToNum = NAN_TO_NUM, nan_to_num(x) -> y {
        /// Replacement for NaN. Default: 0.0.
        nan: f64 = 0.0 => float(NAN),
        /// Replacement for +inf; absent: the dtype's largest finite value. Default: absent.
        posinf: Option<f64> = None => optional_float(POSINF),
        /// Replacement for -inf; absent: the dtype's lowest finite value. Default: absent.
        neginf: Option<f64> = None => optional_float(NEGINF),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x is NaN.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is bool.
    ///
    /// False for every integer and bool.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Dtypes: the result is bool. An output of another dtype gets 0 and 1.
    ///
    /// Source: torch.isnan.
    Isnan = ISNAN, isnan(x) -> y {}
}

operator! {
    /// x is infinite.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is bool.
    ///
    /// False for every integer and bool, and for float8_e4m3fn, which has no infinity.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Dtypes: the result is bool. An output of another dtype gets 0 and 1.
    ///
    /// Source: torch.isinf.
    Isinf = ISINF, isinf(x) -> y {}
}

operator! {
    /// x is neither NaN nor infinite.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is bool.
    ///
    /// True for every integer and bool.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Dtypes: the result is bool. An output of another dtype gets 0 and 1.
    ///
    /// Source: torch.isfinite.
    Isfinite = ISFINITE, isfinite(x) -> y {}
}

operator! {
    /// conversion; floats to integers truncate and saturate, NaN to 0; also copies strided memory.
    ///
    /// Inputs: `x` (float or int or bool or scale). Output: `y`, of any dtype; the natural one is
    /// that of the input.
    ///
    /// The output's dtype says what is converted to; with the dtype of x it copies, from any
    /// strides to any strides, and keeps the bits.
    ///
    /// float8_e8m0fnu has powers of two and NaN alone; code e is 2^(e - 127). A number becomes the
    /// nearest one, 1.5\*2^k the one above; with rounding = up that which is no smaller, with trunc
    /// or floor that which is no larger. The sign is dropped; zero, and what would be less, becomes
    /// 2^-127. NaN stays NaN; infinity and what would be more than 2^127 become NaN, or 2^127 with
    /// fp8_overflow = saturate. Other results take no `rounding`.
    ///
    /// float4_e2m1fn has 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives, two in a byte, the first
    /// one low. A number becomes the nearest one, of two that with an even code (0.75 becomes 1, 5
    /// becomes 4); what is larger becomes 6 with its sign, whatever fp8_overflow says, and NaN 0.
    /// Its last dimension is even, with stride 1.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer, bool, scale or packed): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - rounding (none = 0, trunc = 1, floor = 2 or up = 3; default none): how a quotient is
    ///   rounded: not (none), toward zero (trunc) or down (floor); with trunc and floor integers
    ///   stay integers. A cast to float8_e8m0fnu rounds to the nearest power of two (none), the
    ///   next lower one (trunc, floor) or the next higher one (up).
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: any dtype to any other. The value is converted once: to a float by rounding to
    /// nearest even, to an integer toward zero with saturation (NaN gives 0), to bool by being
    /// other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: torch.Tensor.to, which leaves floats beyond the range of an integer undefined, and
    /// rounds numbers between 2^-127 and 1.5\*2^-127 to the float8_e8m0fnu 2^-126; OCP Microscaling
    /// Formats 1.0, 5.3.3.
    Cast = CAST, cast(x) -> y {
        /// How a quotient is rounded: not (none), toward zero (trunc) or down (floor); with trunc
        /// and floor integers stay integers. A cast to float8_e8m0fnu rounds to the nearest power
        /// of two (none), the next lower one (trunc, floor) or the next higher one (up). Default:
        /// none.
        rounding: Rounding = Rounding::None => choice(ROUNDING),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
