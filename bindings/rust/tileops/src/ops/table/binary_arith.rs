// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: binary arith.

use super::choices::{Fp8Overflow, Rounding};
use crate::ops::macros::{operator, second};

operator! {
    /// a + alpha\*b; bool: or.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is the promoted dtype of the inputs.
    ///
    /// Integers wrap around. For integers `alpha` must be an integer of their dtype, or a negative
    /// one of the signed dtype of that size; for floats a + alpha\*b is rounded once.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
    /// - alpha (number; default 1): multiplier of the second operand, or of the negative branch.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.add.
    Add = ADD, add(a, b) -> y {
        /// Multiplier of the second operand, or of the negative branch. Default: 1.0.
        alpha: f64 = 1.0 => float(ALPHA),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// a - alpha\*b.
    ///
    /// Inputs: `a` (float or int), `b` (float or int). Output: `y`, of any dtype; the natural one
    /// is the promoted dtype of the inputs.
    ///
    /// Integers wrap around. For integers `alpha` must be an integer of their dtype, or a negative
    /// one of the signed dtype of that size; for floats a - alpha\*b is rounded once.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float or integer): any shape that broadcasts with the others, as in NumPy.
    /// - b (float or integer): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
    /// - alpha (number; default 1): multiplier of the second operand, or of the negative branch.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.sub.
    Sub = SUB, sub(a, b) -> y {
        /// Multiplier of the second operand, or of the negative branch. Default: 1.0.
        alpha: f64 = 1.0 => float(ALPHA),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// a * b; bool: and.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is the promoted dtype of the inputs.
    ///
    /// Integers wrap around.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
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
    /// Source: torch.mul.
    Mul = MUL, mul(a, b) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// a / b.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is the promoted dtype of the inputs; integers and bool give f32.
    ///
    /// rounding = none: the quotient, of integers and bool in float32; x/0 is +-inf, 0/0 NaN. trunc
    /// and floor: the quotient rounded toward zero or down; integers stay integers, an integer
    /// divided by 0 gives 0 without a trap, the lowest integer divided by -1 wraps around, and bool
    /// is refused.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
    /// - rounding (none = 0, trunc = 1 or floor = 2; default none): how a quotient is rounded: not
    ///   (none), toward zero (trunc) or down (floor); with trunc and floor integers stay integers.
    ///   A cast to float8_e8m0fnu rounds to the nearest power of two (none), the next lower one
    ///   (trunc, floor) or the next higher one (up).
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype, float32
    /// for integers and bool unless a rounding is asked for. For an output of another dtype it is
    /// converted once: to a float by rounding to nearest even, to an integer toward zero with
    /// saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: floats are the exact quotient, rounded once. With trunc and floor, float32 and
    /// float64 follow PyTorch's formula, whose steps round, without a promised bound
    /// (docs/accuracy.md has what was measured).
    ///
    /// Source: torch.div.
    Div = DIV, div(a, b) -> y {
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

operator! {
    /// remainder with the sign of b, exact; x % 0 = NaN for floats.
    ///
    /// Inputs: `a` (float or int), `b` (float or int). Output: `y`, of any dtype; the natural one
    /// is the promoted dtype of the inputs.
    ///
    /// Exact also where the quotient is large. For floats x % 0 and inf % b are NaN, and a finite a
    /// with infinite b gives a, or b where the signs differ. An integer % 0 is 0.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float or integer): any shape that broadcasts with the others, as in NumPy.
    /// - b (float or integer): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
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
    /// Source: torch.remainder.
    Remainder = REMAINDER, remainder(a, b) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// floored quotient, PyTorch's fmod-based definition.
    ///
    /// Inputs: `a` (float or int), `b` (float or int). Output: `y`, of any dtype; the natural one
    /// is the promoted dtype of the inputs.
    ///
    /// For floats (a - fmod(a, b))/b, corrected to the floor: not floor(a/b), whose division may
    /// round up to an integer. x/0 is +-inf, 0/0 NaN. An integer divided by 0 gives 0; the lowest
    /// integer divided by -1 wraps around.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float or integer): any shape that broadcasts with the others, as in NumPy.
    /// - b (float or integer): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: 8- and 16-bit results are the exact floor, rounded once. float32 and float64
    /// follow PyTorch's formula, whose steps round, without a promised bound (docs/accuracy.md has
    /// what was measured).
    ///
    /// Source: torch.floor_divide.
    FloorDivide = FLOOR_DIVIDE, floor_divide(a, b) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// a^b with the IEEE special cases of C pow.
    ///
    /// Inputs: `a` (float or int), `b` (optional, float or int). Output: `y`, of any dtype; the
    /// natural one is the promoted dtype of the inputs.
    ///
    /// pow(x, 0) = 1 and pow(1, y) = 1 for every x and y, NaN too; a negative base with an exponent
    /// that is no integer gives NaN; pow(+-0, y) is +-inf or inf for negative y. Integers multiply
    /// with wrap-around; a negative exponent gives 0, except for the bases 1 and -1. Either `b` or
    /// `exponent` must be given, not both; for integers `exponent` must be an integer. Exponents
    /// 0.5, 2, 3, -0.5, -1 and -2 as attribute are computed by kernels of their own.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float or integer): any shape that broadcasts with the others, as in NumPy.
    /// - b (float or integer; optional): any shape that broadcasts with the others, as in NumPy;
    ///   the attribute exponent stands in for it.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
    /// - exponent (number; optional): exponent, where it is not an operand.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.pow.
    Pow = POW, pow(a, b) -> y {
        /// Exponent, where it is not an operand. Default: absent.
        exponent: Option<f64> = None => optional_float(EXPONENT),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// a + weight\*(b - a), exact at weight = 0 and 1 if b - a is finite, but for the sign of a
    /// zero.
    ///
    /// Inputs: `a` (float), `b` (float), `weight` (optional, float). Output: `y`, of any dtype; the
    /// natural one is the promoted dtype of the inputs.
    ///
    /// weight < 0.5: a + weight\*(b - a); else b + (weight - 1)\*(b - a). `weight` may lie outside
    /// 0 to 1. The operand `weight` replaces the attribute; both together are refused.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float): any shape that broadcasts with the others, as in NumPy.
    /// - b (float): any shape that broadcasts with the others, as in NumPy.
    /// - weight (float; optional): any shape that broadcasts with the others, as in NumPy; the
    ///   attribute weight stands in for it.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
    /// - weight (number; default 0.5): interpolation weight, where it is not an operand.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: 8- and 16-bit results of operands of the same dtype are the formula's exact value,
    /// correctly rounded. In float32 and float64 its steps round, and b - a may cancel with a: no
    /// bound in ulp of a small result.
    ///
    /// Source: torch.lerp.
    Lerp = LERP, lerp(a, b, weight) -> y {
        /// Interpolation weight, where it is not an operand. Default: 0.5.
        weight: f64 = 0.5 => float(WEIGHT),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// larger operand; NaN propagates, +0 > -0.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is the promoted dtype of the inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
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
    /// Source: torch.maximum, except that the sign of zero counts.
    Maximum = MAXIMUM, maximum(a, b) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// smaller operand; NaN propagates, -0 < +0.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is the promoted dtype of the inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
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
    /// Source: torch.minimum, except that the sign of zero counts.
    Minimum = MINIMUM, minimum(a, b) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// angle of the point (b, a), of \[-pi, pi\], with the special cases of C atan2.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is the promoted dtype of the inputs; integers and bool give f32.
    ///
    /// atan2(+-0, x) is +-0 for x > 0 and +0, else +-pi; of infinities the multiples of pi/4 that
    /// C99 says.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype, float32
    /// for integers and bool. For an output of another dtype it is converted once: to a float by
    /// rounding to nearest even, to an integer toward zero with saturation (NaN gives 0), to bool
    /// by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.atan2.
    Atan2 = ATAN2, atan2(a, b) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// sqrt(a^2 + b^2) without overflow on the way; infinite where an operand is.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is the promoted dtype of the inputs; integers and bool give f32.
    ///
    /// hypot(+-inf, x) = inf also for NaN.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype, float32
    /// for integers and bool. For an output of another dtype it is converted once: to a float by
    /// rounding to nearest even, to an integer toward zero with saturation (NaN gives 0), to bool
    /// by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.hypot; C hypot.
    Hypot = HYPOT, hypot(a, b) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// remainder with the sign of a, exact; fmod(x, 0) = NaN for floats.
    ///
    /// Inputs: `a` (float or int), `b` (float or int). Output: `y`, of any dtype; the natural one
    /// is the promoted dtype of the inputs.
    ///
    /// Exact also where the quotient is large. For floats x % 0 and fmod(inf, b) are NaN, and a
    /// finite a with infinite b gives a; a zero has the sign of a. An integer with b = 0 gives 0.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float or integer): any shape that broadcasts with the others, as in NumPy.
    /// - b (float or integer): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
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
    /// Source: torch.fmod, which raises for integers and b = 0.
    Fmod = FMOD, fmod(a, b) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// a with the sign of b, which zeros have and NaNs not.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is the promoted dtype of the inputs; integers and bool give f32.
    ///
    /// Integers and bool become float32. A NaN counts as positive: whether what inf - inf gives is
    /// -NaN depends on the processor.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype, float32
    /// for integers and bool. For an output of another dtype it is converted once: to a float by
    /// rounding to nearest even, to an integer toward zero with saturation (NaN gives 0), to bool
    /// by being other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: torch.copysign.
    Copysign = COPYSIGN, copysign(a, b) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// the number of the operands' dtype next to a on the way to b; b where they are equal.
    ///
    /// Inputs: `a` (float), `b` (float). Output: `y`, of any dtype; the natural one is the promoted
    /// dtype of the inputs.
    ///
    /// From 0 the least subnormal number, beyond the largest number infinity, or what fp8_overflow
    /// says. Inside of an expression the number next to a value is that of the value's dtype.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float): any shape that broadcasts with the others, as in NumPy.
    /// - b (float): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
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
    /// Source: torch.nextafter; C nextafter.
    Nextafter = NEXTAFTER, nextafter(a, b) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// log(e^a + e^b), also where e^a or e^b is too large.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is the promoted dtype of the inputs; integers and bool give f32.
    ///
    /// logaddexp(-inf, -inf) = -inf, logaddexp(inf, x) = inf.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype, float32
    /// for integers and bool. For an output of another dtype it is converted once: to a float by
    /// rounding to nearest even, to an integer toward zero with saturation (NaN gives 0), to bool
    /// by being other than 0.
    ///
    /// Accuracy: Where e^a + e^b is near 1, a result of float64 is within 3 ulp of the larger
    /// operand, not of itself.
    ///
    /// Source: torch.logaddexp.
    Logaddexp = LOGADDEXP, logaddexp(a, b) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
